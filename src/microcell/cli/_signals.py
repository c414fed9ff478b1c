"""How the command line ends when it is interrupted: at once, and without raising.

An exception that is raised while compiled code calls back into Python may crash it, so
a signal raises nothing here. A thread waits for it and ends the process: staged files
have no name or are removed, and while files are published it waits.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from typing import Any

from microcell._interrupts import (
    SIGNALS,
    at_end,
    end_searches,
    gate,
    hidden,
    interrupted_message,
)

CLEAR_LINE, SHOW_CURSOR = "\r\x1b[2K", "\x1b[?25h"
SEARCH_ENDED = (
    "Interrupted: the search ends, and the release is made of the best cells so far. "
    "Interrupt again to end without a release.\n"
)
SECONDS_TO_PARDON = 0.05  # seconds
_first_ends_searches = threading.Event()
_pardoned: list[int] = []
"""Signals that ended a search, and for which the main thread need not wait."""


def end_on_signals() -> None:
    """Let an interrupt end the process, with one line and exit code 128 + signal.

    A signal that is ignored (`nohup`, a job in the background) stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    receiver, sender = os.pipe()
    if hasattr(os, "set_blocking"):  # Windows has it from Python 3.12
        os.set_blocking(sender, False)
    threading.Thread(target=_watch, args=(receiver,), daemon=True).start()
    signal.set_wakeup_fd(sender, warn_on_full_buffer=False)
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _wait)


def leave_to_program() -> None:
    """Let signals do what they usually do, for a program that ends by itself."""
    signal.set_wakeup_fd(-1)
    for number in SIGNALS:
        if signal.getsignal(number) is _wait:
            usual = signal.SIG_DFL
            if number == signal.SIGINT:
                usual = signal.default_int_handler  # type: ignore[assignment]
            signal.signal(number, usual)


def end_searches_first() -> None:
    """Let the first Ctrl-C end a search for better cells, and only the next all."""
    _first_ends_searches.set()


def take_workers_along() -> None:
    """Let an interrupt reach this process only, which then ends its workers.

    Workers inherit the mask of the main thread; the other threads here have none. The
    process that tidies up after them is not to warn that they had no time to do so.
    """
    quiet = [os.environ.get("PYTHONWARNINGS"), "ignore:resource_tracker"]
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, quiet))
    masks = hasattr(signal, "pthread_sigmask")  # else workers end by themselves
    if masks and signal.getsignal(signal.SIGINT) is _wait:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    if signal.getsignal(signal.SIGTERM) is _wait:
        at_end.append(end_workers)


def end_workers(_: int = 0) -> None:
    """End what was started beside this process: it has nothing left to do.

    Workers of joblib wait for more to do for minutes, and hold what this process
    writes to; Python's own end waits for them.
    """
    started = sys.modules.get("multiprocessing")  # nothing is imported at the end
    for worker in started.active_children() if started else ():
        with contextlib.suppress(OSError):
            os.kill(worker.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _watch(receiver: int) -> None:
    number = _next(receiver)
    while number == signal.SIGINT and _first_ends_searches.is_set() and end_searches():
        clear = CLEAR_LINE if os.isatty(2) else ""
        os.write(2, f"{clear}{SEARCH_ENDED}".encode())
        _pardoned.append(number)
        number = _next(receiver)
    try:
        gate.acquire()  # never released: nothing is published from here on
        for end in at_end:
            with contextlib.suppress(Exception):
                end(number)
        for path in list(hidden):
            with contextlib.suppress(OSError):
                os.unlink(path)
        restore = CLEAR_LINE + SHOW_CURSOR if os.isatty(2) else ""
        os.write(2, f"{restore}error: {interrupted_message()}\n".encode())
    finally:
        os._exit(128 + number)


def _next(receiver: int) -> int:
    number = 0
    while number not in SIGNALS:
        number = os.read(receiver, 1)[0]
    return number


def _wait(number: int, frame: Any) -> None:
    """Keep the main thread from going on; the other thread ends the process.

    Unless it has ended a search instead: then this one goes on.
    """
    while number not in _pardoned:
        time.sleep(SECONDS_TO_PARDON)
    _pardoned.remove(number)
