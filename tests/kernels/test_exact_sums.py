"""Exact sums against fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.kernels import exact_sums as module
from microcell.kernels.exact_sums import exact_sums

FLOATS = st.lists(st.floats(allow_infinity=False), max_size=40)


def slow_sums(values):
    known = [Fraction(value) for value in values if not np.isnan(value)]
    return len(known), sum(known), sum(value * value for value in known)


@given(FLOATS)
def test_sums_are_those_of_fractions(values):
    n_values, total, squares = exact_sums(np.array(values, dtype=np.float64))
    found = n_values, Fraction(total, 2**1074), Fraction(squares, 2**2148)
    assert found == slow_sums(values)


def test_extreme_values_do_not_overflow():
    values = [5e-324, -5e-324, 2.5e-308, 1.7e308, 1.7e308, -1.7e308, 0.0, -0.0, 1.0]
    n_values, total, squares = exact_sums(np.array(values))
    found = n_values, Fraction(total, 2**1074), Fraction(squares, 2**2148)
    assert found == slow_sums(values)


def test_carries_of_many_values(monkeypatch):
    values = np.full(100_000, 0.1)
    whole = exact_sums(values)
    assert Fraction(whole[1], 2**1074) == 100_000 * Fraction(0.1)
    monkeypatch.setattr(module, "SUMMED_AT_ONCE", 777)
    assert exact_sums(values) == whole


@pytest.mark.parametrize("values", [np.empty(0), np.array([np.nan, np.nan])])
def test_nothing_sums_to_nothing(values):
    assert exact_sums(values) == (0, 0, 0)
