"""Interruptions: what must not be cut short, and what to say when a run was.

A library that is interrupted raises, as Python does. The command line ends the process
instead, at any moment but one: while files are being given their names. This module
is where the two meet, and it imports nothing heavy.
"""

import signal
import threading
from contextlib import contextmanager

SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
)
gate = threading.Lock()
"""Held while files are published; whoever ends the process takes it first."""
hidden = set()
"""Paths of files with a hidden name, to be removed if the process ends."""
written = []
"""Paths of the files that this process has published."""
partial = []
"""Folders that are filled step by step, and may hold some results."""
at_end = []
"""Called without arguments before the command line ends on a signal."""


@contextmanager
def deferred():
    """Let no signal interrupt the block; those that came are delivered after it.

    Handlers are replaced, for a mask would hold for one thread only, and a signal that
    another thread receives is handled in the main one all the same.

    Examples
    --------
    >>> try:
    ...     with deferred():
    ...         signal.raise_signal(signal.SIGINT)
    ...         print("done")
    ... except KeyboardInterrupt:
    ...     print("interrupted")
    done
    interrupted
    """
    came = []
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            if signal.getsignal(number) not in (None, signal.SIG_IGN):
                before[number] = signal.signal(number, lambda n, _: came.append(n))
    try:
        with gate:
            yield
    finally:
        for number in reversed(before):  # the one that raises comes last
            signal.signal(number, before[number])
        for number in dict.fromkeys(came):
            signal.raise_signal(number)


def interrupted_message():
    """What an interrupted command says: nothing was written, or what is there.

    Examples
    --------
    >>> written.clear()
    >>> interrupted_message()
    'Interrupted; nothing was written.'
    """
    if written:
        names = ", ".join(written)
        return f"Interrupted after these files were written whole: {names}."
    if partial:
        return f"Interrupted; {', '.join(partial)} may hold a part of the results."
    return "Interrupted; nothing was written."
