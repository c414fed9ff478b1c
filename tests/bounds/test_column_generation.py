from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.preprocessing import StandardScaler
from tables import gaussian

from microcell.aggregate import Centroid
from microcell.bounds._column_generation import (
    column_bound,
    feasible_prices,
    priced,
    set_costs,
    unique_sets,
    windows_of_cells,
)
from microcell.bounds._neighbour_bound import neighbour_bound
from microcell.bounds._prices import interior_prices
from microcell.datasets import fetch_census, fetch_eia
from microcell.exceptions import ParameterError
from microcell.kernels.codes import no_codes, split_codes
from microcell.metrics import loss_lower_bound, sse_loss
from microcell.partition import MDAV


def all_sets(n, k):
    return np.array(list(combinations(range(n), k)))


def value_over(sets, costs, n):
    """The linear programme over some sets, by a solver of its own."""
    covers = np.zeros((n, len(sets)))
    covers[sets.T, np.arange(len(sets))] = 1
    return linprog(costs, A_eq=covers, b_eq=np.ones(n)).fun


def slow_priced(X, codes, prices, k):
    """The same bound, over all sets, each with the root of the least star."""
    sets = all_sets(len(X), k)
    below = set_costs(X, codes, sets) - prices[sets].sum(axis=1)
    q = prices * k / (k - 1)
    d = 2 * set_costs(X, codes, all_pairs(len(X))).reshape(len(X), len(X))
    v = d - q[:, None] - q
    np.fill_diagonal(v, 0)
    stars = v[sets[:, :, None], sets[:, None]].sum(axis=2)
    roots = np.take_along_axis(sets, stars.argmin(axis=1)[:, None], axis=1)[:, 0]
    least = np.zeros(len(X))
    np.minimum.at(least, roots, below)
    missing = np.sort(least)[: -(-len(X) // k)].sum()
    return prices.sum() + missing, below.min()


def all_pairs(n):
    return np.stack(np.divmod(np.arange(n * n), n), axis=1)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_value_of_the_programme_over_all_sets(k):
    X = gaussian(11, 2)
    sets = all_sets(11, k)
    expected = value_over(sets, set_costs(X, no_codes(2), sets), 11)
    found = column_bound(X, no_codes(2), k)
    assert found.is_close
    assert found.bound <= expected == pytest.approx(found.bound, rel=2e-5)


@settings(max_examples=30)
@given(seed=st.integers(0, 99), k=st.integers(2, 5), grid=st.booleans())
def test_no_set_is_missed(seed, k, grid):
    """Prices of any kind, ties among them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(11, 3))
    X = np.round(X) if grid else X
    X, codes = split_codes(X, [0], [2.0]) if seed % 2 else (X, no_codes(3))
    prices = rng.exponential(size=11)
    expected, least = slow_priced(X, codes, prices, k)
    bound, sets = priced(X, codes, prices, k, 0.0)
    worst = prices.sum() + -(-11 // k) * min(least, 0)
    assert worst - 1e-9 <= bound <= expected + 1e-9
    found = set_costs(X, codes, sets) - prices[sets].sum(axis=1)
    assert found.min(initial=0) == pytest.approx(min(least, 0), abs=1e-9)


@pytest.mark.parametrize("k", [3, 4, 6])
def test_a_search_cut_short_gives_a_bound(k):
    X, prices = gaussian(40, 2), np.full(40, 0.6)
    whole = priced(X, no_codes(2), prices, k, 0.0)[0]
    for effort in ((0, 1000), (1, 1), (20, 1000)):
        assert priced(X, no_codes(2), prices, k, 0.0, effort)[0] <= whole


@pytest.mark.parametrize("effort", [(100_000, 2_000), (100_000, 3)])
def test_root_with_many_candidates(effort):
    """A record of a high price: all others could be with it."""
    X, prices = gaussian(450, 2), np.zeros(450)
    X[7] = 40
    pairs = np.delete(np.arange(450), 7)[all_sets(449, 2)]
    sets = np.column_stack([np.full(len(pairs), 7), pairs])
    costs = set_costs(X, no_codes(2), sets)
    prices[7] = costs.max()
    bound, found = priced(X, no_codes(2), prices, 3, 0.0, effort)
    assert bound <= costs.min() + 1e-9
    if effort[1] > 3:
        assert set(sets[costs.argmin()]) in [set(rows) for rows in found]


def test_prices_of_neighbours_are_undercut_by_no_set():
    X, k = gaussian(12, 2), 3
    prices = feasible_prices(X, no_codes(2), np.zeros(12), k)
    sets = all_sets(12, k)
    below = set_costs(X, no_codes(2), sets) - prices[sets].sum(axis=1)
    assert below.min() >= -1e-12


def test_prices_are_as_high_as_a_solver_finds_them():
    X = gaussian(60, 2)
    sets = windows_of_cells(MDAV(3).fit_predict(X), 3)
    sets = unique_sets(np.vstack([sets, windows_of_cells(np.arange(60) % 20, 3)]))
    costs = set_costs(X, no_codes(2), sets)
    wide = np.full(60, 1e4)
    prices, weights, at_limit = interior_prices(sets, costs, -wide, wide, 1e-8)
    assert prices.sum() == pytest.approx(value_over(sets, costs, 60), rel=1e-6)
    covered = np.bincount(sets.ravel(), np.repeat(weights, 3))
    assert covered == pytest.approx(1, abs=1e-6)
    assert at_limit.max() < 1e-6


def test_limits_hold_prices():
    sets, costs = np.array([[0, 1], [2, 3]]), np.array([1.0, 5.0])
    prices, _, at_limit = interior_prices(sets, costs, np.zeros(4), np.ones(4), 1e-8)
    assert prices == pytest.approx([0.5, 0.5, 1, 1], abs=1e-3)
    assert at_limit == pytest.approx([0, 0, 1, 1], abs=1e-3)


def test_windows_cover_each_record_alike():
    labels = np.array([0, 1, 0, 1, 0, 1, 1])
    windows = windows_of_cells(labels, 3)
    assert np.bincount(windows.ravel()).tolist() == [3, 3, 3, 3, 3, 3, 3]
    assert all(len(set(labels[rows])) == 1 for rows in windows)


def test_known_sets_keep_their_places():
    sets = np.array([[5, 1], [0, 2], [1, 5], [4, 3], [2, 0], [3, 4]])
    assert unique_sets(sets, 2).tolist() == [[1, 5], [0, 2], [3, 4]]


def test_what_is_handed_on():
    X, k = gaussian(60, 2), 3
    found = column_bound(X, no_codes(2), k, labels=MDAV(k).fit_predict(X))
    assert found.costs == pytest.approx(set_costs(X, no_codes(2), found.sets))
    assert (np.diff(found.sets, axis=1) > 0).all()
    covered = np.bincount(found.sets.ravel(), np.repeat(found.weights, k))
    assert covered == pytest.approx(1, abs=1e-3)
    assert found.bound <= found.weights @ found.costs
    assert found.bound == pytest.approx(found.prices.sum(), rel=1e-4)


def test_columns_are_above_neighbours():
    X = gaussian(150, 3)
    for k in (3, 5):
        neighbours = neighbour_bound(X, no_codes(3), k)
        assert column_bound(X, no_codes(3), k).bound > 1.02 * neighbours
        assert column_bound(X, no_codes(3), k, seconds=0).bound >= neighbours


def test_cells_apart_are_bound_closely():
    X = gaussian(40, 2) + 100 * np.repeat(np.arange(10), 4)[:, None]
    lost = sse_loss(X, Centroid().aggregate(X, np.repeat(np.arange(10), 4)))
    bound = loss_lower_bound(X, 4, method="columns")
    assert bound <= lost == pytest.approx(bound, rel=2e-5)


def test_same_bound_with_a_start_and_each_time():
    X, k = gaussian(80, 2), 3
    bound = loss_lower_bound(X, k, method="columns")
    assert loss_lower_bound(X, k, method="columns") == bound
    started = loss_lower_bound(X, k, labels=MDAV(k).fit_predict(X))
    assert started == pytest.approx(bound, rel=2e-5)


def test_help_is_for_columns():
    X = gaussian(20, 2)
    with pytest.raises(ParameterError, match="'labels' parameter is for the method"):
        loss_lower_bound(X, 3, method="neighbours", labels=np.arange(20) // 5)
    with pytest.raises(ParameterError, match="'seconds' parameter is for the method"):
        loss_lower_bound(X, 3, method="neighbours", seconds=1)
    with pytest.raises(ParameterError, match="'seconds' parameter must be a number"):
        loss_lower_bound(X, 3, method="columns", seconds=-1)
    with pytest.raises(ValueError, match="fewer than k=3"):
        loss_lower_bound(X, 3, labels=np.arange(20) // 2)


CENSUS = {3: 4.6460, 4: 6.0019, 5: 7.2094}
EIA = {3: 0.3233, 4: 0.4704, 5: 0.6893}
BEST_CENSUS = {3: 4.6679, 4: 6.0508, 5: 7.2854, 10: 11.3688}
BEST_EIA = {3: 0.3502, 4: 0.4852, 5: 0.7335, 10: 1.9390}


def percent_bound(dataset, k, **options):
    Z = StandardScaler().fit_transform(dataset.arrays()[0])
    return 100 * loss_lower_bound(Z, k, **options)


slow = pytest.mark.slow


@pytest.mark.parametrize("k", [3, *(pytest.param(k, marks=slow) for k in (4, 5))])
def test_published_bound_of_census(benchmark_data, k):
    bound = percent_bound(fetch_census(), k)
    assert CENSUS[k] - 5e-5 <= bound < BEST_CENSUS[k]


@pytest.mark.slow
@pytest.mark.parametrize("k", EIA)
def test_published_bound_of_eia(benchmark_data, k):
    bound = percent_bound(fetch_eia(), k)
    assert EIA[k] - 5e-5 <= bound < BEST_EIA[k]


@pytest.mark.parametrize("k", BEST_CENSUS)
def test_no_known_partition_is_below(benchmark_data, k):
    assert percent_bound(fetch_census(), k, method="neighbours") < BEST_CENSUS[k]
    assert percent_bound(fetch_eia(), k, method="neighbours") < BEST_EIA[k]
