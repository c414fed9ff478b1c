"""Progress of runs: shares grow, and an earlier process's work is not timed."""

import pytest

from microcell._progress import listen
from microcell.engines import _stages
from microcell.engines._space import shards_at_once
from microcell.engines._stages import Stages
from microcell.exceptions import InputError


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(_stages, "time", clock)
    return clock


def test_time_left_goes_by_what_this_process_did(clock):
    stages = Stages({"read": 1, "mask": 3})
    heard = []
    with listen(lambda done, total, step: heard.append((done / total, step))):
        stages.skip("read")
        with stages.stage("mask", 100, already=20):
            clock.now = 40.0
            stages.advance(20)  # a fifth of 3/4 in 40 s: three fifths of it are left
            clock.now = 60.0
            stages.advance(60)
    assert heard[0] == (0.4, "mask (stage 2 of 2)")
    assert heard[1] == (0.55, "mask (stage 2 of 2, about 2 min left)")
    assert heard[2] == (1.0, "mask (stage 2 of 2)")
    assert stages.seconds == {"mask": 60.0}


def test_more_records_than_guessed(clock):
    stages = Stages({"read": 1, "mask": 1})
    heard = []
    with listen(lambda done, total, step: heard.append(done / total)):
        with stages.stage("read", 10):
            stages.advance(50)
    assert heard == [0.0, 0.5]


def test_memory_bounds_shards():
    assert shards_at_once(1000, 10.0, 4, None) == 4
    assert shards_at_once(1000, 10.0, 4, 10**6) == 4
    assert shards_at_once(1000, 10.0, 4, 250) == 2
    with pytest.raises(InputError, match="1,000 records takes about 100 bytes"):
        shards_at_once(1000, 10.0, 4, 99)
    with pytest.raises(InputError, match="smaller than 600 with shard"):
        shards_at_once(1000, 10.0, 4, 99, 600)
    with pytest.raises(InputError, match="too much alike to be cut apart") as heavy:
        shards_at_once(1000, 10.0, 4, 99, 400)
    assert "with shard" not in str(heavy.value)
