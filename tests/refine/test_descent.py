"""Where a descent ends, by brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_array_equal
from refine.small_cells import assert_consistent, cells_of, slow_sse, small_cells

from microcell.kernels.codes import split_codes
from microcell.refine._budget import Budget
from microcell.refine._descent import GAIN_OF_MOVE, descend, new_course
from microcell.refine._draws import seeded
from microcell.refine._region import LOOKS_AT_ONCE, Region
from microcell.refine._splitting import split_large


def arrived(cells, deep):
    """Descend to the end; return the least gain and what was gained."""
    n_samples, course = len(cells.labels), new_course(cells)
    least_gain = GAIN_OF_MOVE * cells.own.sum() / n_samples
    change, left = descend(cells, course, 10**6, deep, least_gain, seeded(0))
    assert left > 0 and course.here[2] == n_samples
    return least_gain, change


def changes_of_moves(cells, codes):
    """What each transfer and swap with a cell near by would change the SSE by."""
    labels, k, now = cells.labels, cells.k, slow_sse(cells.X, codes, cells.labels)
    sizes = np.bincount(labels)
    for record in range(len(labels)):
        home = labels[record]
        for cell in set(labels[cells.near[record]].tolist()) - {int(home)}:
            moved = labels.copy()
            moved[record] = cell
            if sizes[home] > k and sizes[cell] < 2 * k - 1:
                yield slow_sse(cells.X, codes, moved) - now
            for other in np.flatnonzero(labels == cell):
                moved[other] = home
                yield slow_sse(cells.X, codes, moved) - now
                moved[other] = cell


@pytest.mark.parametrize("deep", [False, True])
@given(made=small_cells(most_k=3, most_cells=5))
def test_no_transfer_or_swap_gains_at_the_end(deep, made):
    cells, codes = made
    before = slow_sse(cells.X, codes, cells.labels)
    least_gain, change = arrived(cells, deep)
    assert_consistent(cells)
    after = slow_sse(cells.X, codes, cells.labels)
    assert after - before == pytest.approx(change, rel=1e-9, abs=1e-11)
    rounding = 1e-12 * (1.0 + after)
    assert all(c >= -least_gain - rounding for c in changes_of_moves(cells, codes))


@given(made=small_cells(), n_looks=st.integers(1, 60))
def test_in_slices_it_comes_to_the_same_cells(made, n_looks):
    cells, codes = made
    labels = cells.labels.copy()
    course, state = new_course(cells), seeded(0)
    least_gain = GAIN_OF_MOVE * cells.own.sum() / len(labels)
    while course.here[2] < len(labels):
        descend(cells, course, n_looks, True, least_gain, state)
    again = cells_of(cells.X, codes, labels, cells.k, n_near=6)
    arrived(again, True)
    assert_array_equal(cells.labels, again.labels)


def hard_to_end():
    """Tables whose cells lose next to nothing, so that all gains are rounding."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(6, 3))
    yield "equal records", values[rng.integers(6, size=120)], []
    yield "equal in thirds", rng.integers(0, 2, size=(120, 2)) / 3, []
    coded = rng.integers(0, 3, size=(120, 2))
    for scale in (1e-7, 1e-8, 1e-9, 1e-12):
        X = np.hstack([scale * rng.normal(size=(120, 2)), coded])
        yield f"codes and {scale}", X, [2, 3]
    yield "codes alone", coded.astype(float), [0, 1]


HARD_TO_END = {name: (X, coded) for name, X, coded in hard_to_end()}


@for_each("k", [3, 5, 7, 10])
@for_each("name", HARD_TO_END)
def test_it_ends_where_gains_are_rounding(name, k):
    X, codes = split_codes(*HARD_TO_END[name])
    cells = cells_of(X, codes, split_large(X, codes, np.zeros(len(X), int), k), k)
    region = Region(X, codes, cells.near, cells.labels, k, 0)
    budget = Budget(moves=30 * LOOKS_AT_ONCE)
    for deep in (False, True, True):
        region.descend(budget, deep)
    assert budget.share < 1.0
    assert_consistent(region.cells)


@pytest.mark.parametrize("k", [3, 7, 49])
def test_cells_of_one_code_lose_nothing(k):
    """49 times the share of one in 49 is not one."""
    X, codes = split_codes(np.repeat([[0.0], [1.0]], k, axis=0), [0], [0.3])
    cells = cells_of(X, codes, np.repeat([0, 1], k), k)
    assert not cells.own.any()
