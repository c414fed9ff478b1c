"""Slices of work on all cores, with results that do not depend on their number."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache

from numba import config
from threadpoolctl import ThreadpoolController


@cache
def _numpy_threads():
    """The threads of numpy's products; to look for them takes longer than most."""
    return ThreadpoolController()


def one_thread_for_products():
    """A context in which products of matrices run on one thread.

    They round alike then on every machine, and slices on several threads do not get in
    each other's way.

    Examples
    --------
    >>> with one_thread_for_products():
    ...     pass
    """
    return _numpy_threads().limit(limits=1)


@contextmanager
def meanwhile(work):
    """Call `work()` on a thread of its own while a block runs.

    Gives a function that waits for what `work` returns, or raises what it raised; an
    error of the block goes first. The thread has ended when the block has.

    Examples
    --------
    >>> with meanwhile(lambda: sum(range(5))) as total:
    ...     count = len(range(5))
    >>> total() / count
    2.0
    """
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(work).result


def in_slices(work, n_items, at_once, most=None):
    """Call `work(slice)` for slices of `at_once` items, on several threads.

    There are as many as the process has cores, or `most` of them.

    Kernels that release the interpreter run side by side. Each slice must write to
    places of its own. Threads end with the call, unlike those of numba's parallel
    loops: a process that is forked later would be killed when it comes to such a loop.

    Examples
    --------
    >>> squares = [0] * 5
    >>> def work(some):
    ...     squares[some] = [i * i for i in range(5)[some]]
    >>> in_slices(work, 5, 2)
    >>> squares
    [0, 1, 4, 9, 16]
    """
    slices = [slice(start, start + at_once) for start in range(0, n_items, at_once)]
    n_threads = min(config.NUMBA_NUM_THREADS, len(slices), most or len(slices))
    if n_threads <= 1:
        for some in slices:
            work(some)
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            list(pool.map(work, slices))
