"""Work on several threads, with a bound on what is held at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from microcell._progress import listen


class Stopped(Exception):
    """Nobody waits for this work any more."""


def spread(
    work: Callable[[Any], Any], items: Iterable[Any], jobs: int
) -> Iterator[tuple[Any, Any]]:
    """Items and what `work` made of them, as they are done.

    An item is drawn when a thread is about to be free for it, so that no more than
    `jobs` and one are held. An error or an interrupt ends it: what has begun stops
    where it next reports its progress, which nobody else hears.

    Examples
    --------
    >>> sorted(spread(lambda x: x * x, range(4), jobs=2))
    [(0, 0), (1, 1), (2, 4), (3, 9)]
    """
    if jobs == 1:
        for item in items:
            with listen(None):
                made = work(item)
            yield item, made
        return
    pool = ThreadPoolExecutor(jobs)
    waiting: dict[Future[Any], Any] = {}
    stopped = threading.Event()

    def hear(done: int, total: int | None, step: str) -> None:
        if stopped.is_set():
            raise Stopped

    def heard(item: Any) -> Any:
        with listen(hear):
            return work(item)

    try:
        for item in items:
            waiting[pool.submit(heard, item)] = item
            while len(waiting) > jobs:
                yield from _taken(waiting)
            del item
        while waiting:
            yield from _taken(waiting)
    finally:
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _taken(waiting: dict[Future[Any], Any]) -> Iterator[tuple[Any, Any]]:
    """What is done, taken out."""
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        yield waiting.pop(future), future.result()
