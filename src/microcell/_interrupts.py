"""Interruptions: what must not be cut short, and what to say when a run was.

A library that is interrupted raises, as Python does. The command line ends the process
instead, at any moment but one: while files are being given their names. This module
is where the two meet, and it imports nothing heavy.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
)
gate = threading.Lock()
"""Held while files are published; whoever ends the process takes it first."""
hidden: set[str] = set()
"""Paths of files with a hidden name, to be removed if the process ends."""
written: list[str] = []
"""Paths of the files that this process has published."""
partial: list[str] = []
"""Folders that are filled step by step, and may hold some results."""
unfinished: list[str] = []
"""Folders with finished steps of a run that can go on."""
at_end: list[Callable[[int], object]] = []
"""Called with the signal before the command line ends on it."""
searches_ended = threading.Event()
"""Whether an interrupt has ended searches."""
searches: list[Callable[[], object]] = []
"""Called without arguments by an interrupt that ends searches and not the process."""


@contextmanager
def deferred() -> Iterator[Any]:
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


@contextmanager
def ended_by(stop: Callable[..., Any]) -> Iterator[Any]:
    """Let the first interrupt of a command line call `stop`, if it allows for that.

    Where one has ended a search before, `stop` is called at once.

    Examples
    --------
    >>> with ended_by(lambda: print("search ended")):
    ...     end_searches()
    search ended
    True
    >>> searches_ended.clear()
    """
    searches.append(stop)
    try:
        if searches_ended.is_set():
            stop()
        yield
    finally:
        searches.remove(stop)


def end_searches() -> bool:
    """End the searches that are under way, and all to come; say if there were any.

    What has been found so far is used; a second interrupt ends the process.
    """
    if not searches or searches_ended.is_set():
        return False
    searches_ended.set()
    for stop in list(searches):
        stop()
    return True


def interrupted_message() -> str:
    """What an interrupted command says: nothing was written, or what is there.

    It is one line, as every message.

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
    if unfinished:
        kept = ", ".join(unfinished)
        return (
            "Interrupted; nothing was released. The same command goes on with the "
            f"finished steps in {kept}, which only you can read; remove that folder if "
            "it is not to."
        )
    return "Interrupted; nothing was written."
