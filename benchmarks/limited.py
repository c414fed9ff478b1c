"""Calls with a limit of seconds, in a process that is replaced when one takes too long.

Between calls the process stays, so what it has loaded and compiled is there already.
"""

import multiprocessing


class Limited:
    """A process that works on calls, one after the other.

    Examples
    --------
    >>> with Limited() as process:
    ...     process.call(60, divmod, 7, 2)
    (3, 1)
    """

    def __init__(self):
        self._process = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._stop()

    def call(self, seconds, function, *arguments):
        """What a function returns; `TimeoutError` if it takes longer than `seconds`."""
        if self._process is None:
            self._start()
        self._connection.send((function, arguments))
        if not self._connection.poll(seconds):
            self._stop()
            raise TimeoutError(f"not finished in {seconds:g} s")
        try:
            result, error = self._connection.recv()
        except EOFError:
            self._stop()
            raise RuntimeError("the process ended before its work") from None
        if error is not None:
            raise error
        return result

    def _start(self):
        context = multiprocessing.get_context("spawn")  # polars does not survive a fork
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()  # so that the end of the process is heard here

    def _stop(self):
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
            self._process = None


def _work(connection):
    """Answer calls until nobody is there to ask."""
    while True:
        try:
            function, arguments = connection.recv()
            try:
                answer = function(*arguments), None
            except Exception as error:
                answer = None, error
            connection.send(answer)
        except (EOFError, BrokenPipeError):
            return
