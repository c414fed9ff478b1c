import itertools

import numpy as np
import pytest
from figures import percent_lost
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from slow_twins import gathered, squared_distances
from tables import gaussian, grids, tables_and_k

from microcell.datasets import fetch_census, fetch_eia
from microcell.partition import Tour
from microcell.partition._tour import (
    best_tour_cut,
    nearest_lists,
    nearest_path,
    start_tour,
)
from microcell.partition._tour_kernel import curve_order, kick, shorten

POWERS = [0.5, 1.0, 1.5]


def length(X, tour, bend):
    edges = np.linalg.norm(X[tour] - X[np.roll(tour, -1)], axis=1)
    return np.sum(edges ** POWERS[bend])


def shortened(X, bend):
    """A tour that all records may be near in, and what it gained.

    Records whose neighbours stay are looked at once, which may miss a gain of theirs
    from what others did since; here all are looked at again until nothing helps.
    """
    lists, order, gain, more = nearest_lists(X, len(X) - 1), np.arange(len(X)), 0.0, 1.0
    while more:
        run, more = start_tour(X, lists, order, bend), 0.0
        while run.waiting[1]:
            more += shorten(run, 7, False)  # in slices
        gain, order = gain + more, run.tour.copy()
    return run, gain


def exchanged(tour):
    """All tours with two edges exchanged for two others."""
    for i, j in itertools.combinations(range(len(tour)), 2):
        yield np.array([*tour[:i], *tour[i : j + 1][::-1], *tour[j + 1 :]])


@settings(max_examples=60)
@given(bend=st.sampled_from([0, 1, 2]), X=grids(least_rows=8, most_rows=14))
def test_no_exchange_makes_it_shorter(bend, X):
    run, gain = shortened(X, bend)
    tour = run.tour.tolist()
    assert_array_equal(run.place[run.tour], np.arange(len(X)))
    before, after = length(X, np.arange(len(X)), bend), length(X, tour, bend)
    assert_allclose(before - gain, after, atol=1e-6)
    shortest = min(length(X, other, bend) for other in exchanged(tour))
    assert after <= shortest + 1e-6


def test_a_record_moves_where_no_exchange_helps():
    angles = np.linspace(0, 6, 40)
    X = np.column_stack([np.cos(angles), np.sin(angles)]) * 10
    order = np.r_[0:5, 30, 5:30, 31:40]  # one record of a circle is out of turn
    run = start_tour(X, nearest_lists(X, 4), order, 1)
    assert shorten(run, 10**6, False) > 0
    assert_allclose(length(X, run.tour, 1), length(X, np.arange(40), 1))


@given(X=grids(least_rows=8), bend=st.integers(0, 2))
def test_a_kick_never_makes_it_longer(X, bend):
    run, _ = shortened(X, bend)
    before = length(X, run.tour, bend)
    for _ in range(20):
        kick(run, 3)
        after = length(X, run.tour, bend)
        assert after <= before + 1e-9
        assert_array_equal(run.place[run.tour], np.arange(len(X)))
        before = after


def test_kicks_find_shorter_tours():
    X = gaussian(200, 2)
    run, _ = shortened(X, 1)
    before = length(X, run.tour, 1)
    kick(run, 2000)
    assert length(X, run.tour, 1) < 0.99 * before


def slow_curve(X):
    """Halves of the widest column, the nearer one first; no ties."""
    order, last = [], X.min(axis=0)

    def visit(rows):
        nonlocal last
        if len(rows) <= 4:
            while rows:
                gaps = squared_distances(X, rows, last)
                order.append(rows.pop(int(np.argmin(gaps))))
                last = X[order[-1]]
            return
        column = int(np.argmax(np.ptp(X[rows], axis=0)))
        rows = sorted(rows, key=lambda row: X[row, column])
        low, high = rows[: len(rows) // 2], rows[len(rows) // 2 :]
        low_first = last[column] < X[high[0], column]
        for half in [low, high] if low_first else [high, low]:
            visit(sorted(half))

    visit(list(range(len(X))))
    return order


@for_each("n", [1, 4, 5, 61, 255])
def test_same_curve_as_slow_twin(n):
    X = gaussian(n, 3)
    assert_array_equal(curve_order(X), slow_curve(X))


@given(X=grids())
def test_a_curve_has_each_record_once(X):
    assert_array_equal(np.sort(curve_order(X)), np.arange(len(X)))


@given(table=tables_and_k())
def test_the_nearest_comes_next(table):
    X = table[0]
    path, left = [0], list(range(1, len(X)))
    while left:
        gaps = squared_distances(X, left, X[path[-1]])
        path.append(left.pop(int(np.argmin(gaps))))
    assert_array_equal(nearest_path(X, 0), path)


def least_cut(X, circle, k):
    """Least SSE of all ways to cut a circle into runs of k to 2k - 1 records."""
    n, best = len(circle), np.inf
    for opening in range(n):
        rows = circle[opening:] + circle[:opening]
        cost = {0: 0.0}
        for j in range(k, n + 1):
            found = [
                cost[j - m] + gathered(X, rows[j - m : j])[1]
                for m in range(k, 2 * k)
                if j - m in cost
            ]
            if found:
                cost[j] = min(found)
        best = min(best, cost[n])
    return best


@given(table=tables_and_k(most_rows=20))
def test_a_circle_is_cut_in_the_best_way(table):
    X, k = table
    circle = np.random.default_rng(0).permutation(len(X))
    labels = best_tour_cut(X, [circle], min(k, 10))
    sse = sum(
        gathered(X, np.flatnonzero(labels == c))[1] for c in range(labels.max() + 1)
    )
    assert_allclose(sse, least_cut(X, circle.tolist(), min(k, 10)), atol=1e-9)


@settings(max_examples=60)
@given(
    options=st.sampled_from([{}, {"order": "nearest"}, {"order": "curve"}]),
    table=tables_and_k(),
)
def test_cells_have_k_to_2k_minus_1_records(options, table):
    X, k = table
    sizes = np.bincount(Tour(k, **options).fit_predict(X))
    assert sizes.min() >= k and sizes.max() <= 2 * k - 1


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(300, 2)
    whole = Tour(3).fit_predict(X)
    for name in ("TURNS_PER_SLICE", "KICKS_PER_SLICE"):
        monkeypatch.setattr(f"microcell.partition._tour.{name}", 1)
    assert_array_equal(Tour(3).fit_predict(X), whole)


def test_kicks_and_tours_lose_less_than_the_curve():
    X = gaussian(500, 4)
    kinds = [Tour(3), Tour(3, kicks=0), Tour(3, order="curve")]
    losses = [percent_lost(X, kind) for kind in kinds]
    assert losses[0] < losses[1] < 0.8 * losses[2]


CENSUS = {3: 5.011540395, 4: 6.775293150, 5: 8.261510794, 10: 14.246537662}
EIA = {3: 0.365518646, 4: 0.507049987, 5: 0.771683837, 10: 2.054435086}
SLOW = [
    pytest.param(fetch_census, CENSUS, k, marks=pytest.mark.slow) for k in (4, 5, 10)
]
SLOW += [pytest.param(fetch_eia, EIA, k, marks=pytest.mark.slow) for k in (3, 4, 5, 10)]


@pytest.mark.parametrize(("fetch", "losses", "k"), [(fetch_census, CENSUS, 3), *SLOW])
def test_figures(benchmark_data, fetch, losses, k):
    X, _ = fetch().arrays()
    assert percent_lost(X, Tour(k)) == pytest.approx(losses[k], abs=1e-9)


def test_unknown_options():
    with pytest.raises(ValueError, match="'order' parameter must be one of"):
        Tour(order="spiral").fit(gaussian(9, 2))
    with pytest.raises(ValueError, match="'kicks' parameter must be an integer >= 0"):
        Tour(kicks=-1).fit(gaussian(9, 2))
    with pytest.raises(ValueError, match="'kicks' parameter is of order='tour' alone"):
        Tour(kicks=3, order="curve").fit(gaussian(9, 2))
