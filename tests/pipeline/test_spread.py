"""Work on threads: all of it is done, errors come out, and what began stops."""

import threading
import time

import pytest

from microcell._progress import report
from microcell.pipeline._spread import spread


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_everything_is_done_once(jobs):
    assert sorted(spread(lambda x: -x, range(20), jobs)) == [(x, -x) for x in range(20)]


def test_no_more_items_are_drawn_than_are_worked_on():
    drawn, begun = [], threading.Semaphore(0)

    def items():
        for item in range(10):
            drawn.append(item)
            yield item

    def work(item):
        begun.release()
        return len(drawn)

    most = max(seen - item for item, seen in spread(work, items(), 2))
    assert most <= 3 + 1


def test_an_error_stops_what_has_begun():
    stopped = threading.Event()

    def work(item):
        if item == 0:
            time.sleep(0.05)
            raise ValueError("no")
        try:
            for _ in range(2000):  # long, unless it is stopped
                time.sleep(0.01)
                report(0, None)
        except BaseException:
            stopped.set()
            raise

    with pytest.raises(ValueError, match="no"):
        list(spread(work, range(2), 2))
    assert stopped.is_set()
