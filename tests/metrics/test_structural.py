import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import any_values, gaussian, grids, tables_and_k

from microcell import METHODS
from microcell.metrics import structural_score


def slow_score(X, X_released):
    """Mean difference of sorted values, which is the distance of equal numbers."""
    lost = []
    for old, new in zip(X.T, X_released.T, strict=True):
        distance = sum(
            abs(a - b) for a, b in zip(sorted(old), sorted(new), strict=True)
        )
        width = max(old) - min(old)
        mean = distance / len(old)
        lost.append(mean / width if width > 0 else float(mean > 0))
    return 1 - sum(lost) / len(lost)


@given(X=grids(), seed=st.integers(0, 99))
def test_equal_to_the_definition(X, seed):
    X_released = X + np.random.default_rng(seed).integers(-2, 3, size=X.shape)
    assert structural_score(X, X_released) == pytest.approx(slow_score(X, X_released))


@given(case=tables_and_k(elements=any_values))
def test_means_of_cells_score_from_0_to_1(case):
    X, k = case
    X_released = METHODS["mdav"](k).fit_transform(X)
    assert -1e-9 <= structural_score(X, X_released) <= 1


def test_values_may_change_places():
    X = gaussian(50, 2)
    assert structural_score(X, X[::-1]) == 1


@pytest.mark.parametrize("factor", [1e-300, 1e-3, 1e300])
def test_units_have_no_say(factor):
    X = gaussian(50, 2)
    X_released = METHODS["mdav"](5).fit_transform(X)
    scaled = structural_score(factor * X, factor * X_released)
    assert scaled == pytest.approx(structural_score(X, X_released))


def test_constant_columns():
    X = np.column_stack([np.arange(4.0), np.full(4, 3.0)])
    assert structural_score(X, X) == 1
    moved = X + np.array([0.0, 1e-3])
    assert structural_score(X, moved) == pytest.approx(0.5)


def test_far_outside_the_range_scores_below_0():
    X = np.arange(4.0)[:, None]
    assert structural_score(X, X + 6) == pytest.approx(-1)


def test_across_columns():
    """Distances 0, 1 and 4, whatever the ranges."""
    X = gaussian(30, 3) * [1.0, 10.0, 100.0]
    X_released = X + np.array([0.0, 1.0, 4.0])
    moved = structural_score(X, X_released, normalise="across_columns")
    assert moved == pytest.approx(1 - (0 + 1 / 4 + 1) / 3)


def test_one_column_that_fares_worst_of_seven_gives_six_sevenths():
    X = gaussian(30, 7)
    for far in (0.1, 1000.0):  # however badly it fares
        X_released = X.copy()
        X_released[:, 0] += far
        found = structural_score(X, X_released, normalise="across_columns")
        assert found == pytest.approx(6 / 7)


def test_across_columns_that_fare_alike():
    X = gaussian(30, 2)
    assert structural_score(X, X, normalise="across_columns") == 1
    one = structural_score(X[:, :1], X[:, :1] + 9, normalise="across_columns")
    assert one == 1


def test_unknown_unit():
    with pytest.raises(ValueError, match="'normalise' parameter must be one of"):
        structural_score([[0.0]], [[0.0]], normalise="sd")
