import time
from itertools import pairwise

import numpy as np
import pytest

from microcell.refine import Budget
from microcell.refine._schedule import COLD, LONG_FROM, Cooling, cooling_from, heat_for


def test_moves():
    budget = Budget(moves=10)
    assert not budget.is_open and budget.share == 0.0
    budget.spend(5)
    assert budget.share == 0.5
    budget.spend(50)
    assert budget.share == 1.0 and budget.spent == 55


def test_seconds():
    budget = Budget(seconds=0.01)
    assert budget.share < 1.0 or budget.elapsed >= 0.01
    time.sleep(0.02)
    assert budget.share == 1.0


def test_what_is_spent_first_counts():
    budget = Budget(moves=10, seconds=1e9)
    budget.spend(9)
    assert budget.share == 0.9


def test_without_a_limit_it_never_ends_until_it_is_stopped():
    budget = Budget()
    budget.spend(10**12)
    assert budget.is_open and budget.share == 0.0
    budget.stop()
    assert budget.share == 1.0


def test_parts_end_with_the_whole():
    budget = Budget(moves=100)
    part = budget.part(0.5).of(0.5, 1.0)
    assert part.share == 0.0
    budget.stop()
    assert part.has_ended and part.share == 1.0


@pytest.mark.parametrize(
    "spent, until, left", [(0, 0.5, 50), (20, 0.5, 30), (80, 0.5, 0), (80, 1.0, 20)]
)
def test_a_part_is_what_is_left(spent, until, left):
    budget = Budget(moves=100)
    budget.spend(spent)
    assert budget.part(until).moves == left
    assert budget.part(until).seconds is None
    assert budget.of(0.25, 1.0).moves == 0.25 * (100 - spent)
    assert (budget.part(until).share == 1.0) == (left == 0)


def test_parts_of_seconds():
    budget = Budget(seconds=100.0)
    assert budget.part(0.5).moves is None
    assert 40 < budget.part(0.5).seconds <= 50
    assert 20 < budget.of(1.0, 0.25).seconds <= 25
    assert Budget().part(0.5).is_open and Budget().of(0.5, 0.5).is_open


@pytest.mark.parametrize("cooling", [Cooling(8.0, 3), Cooling(1.0, 4.5)])
def test_it_cools_without_a_jump(cooling):
    shares = [i / 1000 for i in range(1001)]
    temperatures = [cooling.temperature(share) for share in shares]
    falls = [a - b for a, b in pairwise(temperatures)]
    assert temperatures[0] == cooling.warmest
    assert 0 < min(falls) and max(falls) < 0.01 * cooling.warmest
    least = cooling.warmest * 0.5**cooling.n_halvings
    assert least <= temperatures[-1] < 1.07 * least
    assert cooling.temperature(-1) == temperatures[0]
    assert cooling.temperature(2) == temperatures[-1]


def test_parts_of_a_cooling_join():
    cooling = Cooling(3.0, 8.0)
    parts = [cooling.part(i / 16, (i + 1) / 16) for i in range(16)]
    for one, other in pairwise(parts):
        assert one.temperature(1.0) == other.temperature(0.0)


def test_more_moves_allow_more_heat():
    assert heat_for(LONG_FROM) > heat_for(LONG_FROM - 1)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_it_cools_until_half_of_the_records_are_cold(scale):
    own = scale * np.array([0.001, 0.01, 0.02, 5.0, 90.0])
    end = cooling_from(3.0 * scale, own).temperature(1.0)
    assert COLD * np.median(own) / 2 <= end <= COLD * np.median(own)


def test_records_without_distance_do_not_cool_for_ever():
    assert cooling_from(1.0, np.zeros(5)).temperature(1.0) > 0
