import time
from contextlib import contextmanager
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linear_sum_assignment
from tables import few_values, gaussian, tables_and_k

from microcell.aggregate import Centroid
from microcell.datasets import fetch_eia
from microcell.metrics import _probabilistic_linkage as part
from microcell.metrics import probabilistic_linkage_risk
from microcell.partition import MDAV

pairs = arrays(
    float,
    st.tuples(st.just(2), st.integers(1, 20), st.integers(1, 3)),
    elements=few_values,
)
tolerances = st.sampled_from([0.0, 0.05, 0.1, 0.3])
whole_weights = arrays(
    float,
    st.integers(1, 5).map(lambda n: (n, n)),
    elements=st.integers(0, 3).map(float),
)


@pytest.fixture(params=["optimal", "greedy"])
def assignment(request, monkeypatch):
    """Run a test with both ways to assign, whatever the number of records."""
    if request.param == "greedy":
        monkeypatch.setattr(part, "MAX_RECORDS_OF_ASSIGNMENT", 0)
    return request.param


def greedily(X, X_released, **options):
    """The risk as it is for a table of more than 3,000 records."""
    limit, part.MAX_RECORDS_OF_ASSIGNMENT = part.MAX_RECORDS_OF_ASSIGNMENT, 0
    try:
        return probabilistic_linkage_risk(X, X_released, **options)
    finally:
        part.MAX_RECORDS_OF_ASSIGNMENT = limit


@contextmanager
def fixed_rounds():
    """EM without its stopping rule.

    Where the change is just about the limit, rounding decides whether there is one
    more round, and a chance near its least value of 1e-6 still moves in it.
    """
    kept = part.MAX_EM_ROUNDS, part.CHANGE
    part.MAX_EM_ROUNDS, part.CHANGE = 30, -1.0
    try:
        yield
    finally:
        part.MAX_EM_ROUNDS, part.CHANGE = kept


def slow_ranks(column):
    ordered = sorted(column)
    return [ordered.index(x) + 1 + (ordered.count(x) - 1) / 2 for x in column]


def slow_weights(X, X_released, tolerance):
    """Weights of all pairs (released, original) by EM over the pairs themselves."""
    n, n_features = X.shape
    R = np.column_stack([slow_ranks(list(column)) for column in X.T])
    R_released = np.column_stack([slow_ranks(list(column)) for column in X_released.T])
    agree = np.abs(R_released[:, None] - R[None]) <= tolerance * n + 1e-9
    agree = agree.reshape(-1, n_features)

    def clip(chance):
        return np.clip(chance, 1e-6, 1 - 1e-6)

    m, u, p = np.full(n_features, 0.9), np.full(n_features, 0.1), clip(1 / n)
    for _ in range(part.MAX_EM_ROUNDS):
        match = p * np.prod(np.where(agree, m, 1 - m), axis=1)
        other = (1 - p) * np.prod(np.where(agree, u, 1 - u), axis=1)
        g = match / (match + other)
        old = np.array([p, *m, *u])
        p = clip(g.mean())
        m = clip((g[:, None] * agree).sum(axis=0) / g.sum())
        u = clip(((1 - g)[:, None] * agree).sum(axis=0) / (1 - g).sum())
        if np.abs(np.array([p, *m, *u]) - old).max() <= part.CHANGE:
            break
    weights = np.where(agree, np.log2(m / u), np.log2((1 - m) / (1 - u))).sum(axis=1)
    return weights.reshape(n, n)


def slow_greedy(weights):
    """Chances of links, record by record, without classes or shortcuts."""
    n = len(weights)
    left, wanted, chances = np.ones(n), np.ones(n), np.zeros((n, n))
    for weight in sorted(set(weights.ravel()), reverse=True):
        at = weights == weight
        while True:
            asking = np.flatnonzero((wanted > 0) & (at @ left > 0))
            if asking.size == 0:
                break
            asks = at[asking] * left * (wanted[asking] / (at[asking] @ left))[:, None]
            demand = asks.sum(axis=0)
            full = demand >= left * (1 - 1e-9)
            given = asks * np.where(full, left / np.maximum(demand, 1e-300), 1.0)
            chances[asking] += given
            wanted[asking] -= given.sum(axis=1)
            left = np.where(full, 0.0, left - given.sum(axis=0))
            left[left < 1e-9] = 0.0
            wanted[wanted < 1e-9] = 0.0
    return chances


def chances_of_all_pairs(table):
    """Links of optimal assignments, from one question for each diagonal."""
    n = len(table)
    rows = np.arange(n)
    chances = np.zeros((n, n))
    for shift in range(n):
        columns = (rows + shift) % n
        chances[rows, columns] = part.optimal_chances(table, rows, columns)
    return chances


def whole(weights):
    return np.rint(weights * part.UNITS)


@given(pair=pairs, tolerance=tolerances)
@fixed_rounds()
def test_weights_equal_to_em_over_all_pairs(pair, tolerance):
    X, released = pair
    n, d = X.shape
    expected = slow_weights(X, released, tolerance)
    ranks, ranks_released = part.doubled_ranks(X), part.doubled_ranks(released)
    strides, digits = part.pattern_digits([[j] for j in range(d)], d)
    agree = np.abs(ranks_released[:, None] - ranks[None]) <= 2 * tolerance * n + 1e-9
    codes = agree @ strides
    counts = np.bincount(codes.ravel(), minlength=len(digits))
    weights = part.pattern_weights(counts, digits, n)[codes] / part.UNITS
    assert_allclose(weights, expected, atol=1e-5)


@given(table=whole_weights)
def test_best_assignments_are_mixed_evenly(table):
    """The right sums, the best weight, every best pair, and chances x_b y_a."""
    n = len(table)
    chances = chances_of_all_pairs(table)
    assert_allclose(chances.sum(axis=0), 1, atol=1e-6)
    assert_allclose(chances.sum(axis=1), 1, atol=1e-6)
    totals = {p: table[range(n), p].sum() for p in permutations(range(n))}
    best = max(totals.values())
    assert (chances * table).sum() == pytest.approx(best)
    used = np.zeros((n, n), dtype=bool)
    for p, total in totals.items():
        used[range(n), p] |= total == best
    assert_array_equal(chances > 0, used)
    b, a = np.nonzero(used)
    design = np.zeros((b.size, 2 * n))
    design[np.arange(b.size), b] = design[np.arange(b.size), n + a] = 1
    logs = np.log(chances[b, a])
    fitted = design @ np.linalg.lstsq(design, logs, rcond=None)[0]
    assert_allclose(fitted, logs, atol=1e-6)


@given(pair=pairs, tolerance=tolerances)
@fixed_rounds()
def test_optimal_links_equal_to_the_plain_way(pair, tolerance):
    """Classes of equal records change nothing; the weight is scipy's best."""
    table = whole(slow_weights(*pair, tolerance))
    chances = chances_of_all_pairs(table)
    best = table[linear_sum_assignment(table, maximize=True)].sum()
    assert (chances * table).sum() == pytest.approx(best, rel=1e-6, abs=1)
    expected = np.diag(chances).mean()
    risk = probabilistic_linkage_risk(*pair, tolerance=tolerance)
    assert risk == pytest.approx(expected, abs=1e-4)


@given(pair=pairs, tolerance=tolerances)
@fixed_rounds()
def test_greedy_links_equal_to_the_plain_way(pair, tolerance):
    chances = slow_greedy(whole(slow_weights(*pair, tolerance)))
    assert_allclose(chances.sum(axis=0), 1, atol=1e-6)
    assert_allclose(chances.sum(axis=1), 1, atol=1e-6)
    risk = greedily(*pair, tolerance=tolerance)
    assert risk == pytest.approx(np.diag(chances).mean(), abs=1e-6)


def test_em_stops_when_nothing_changes():
    """The usual number of rounds gives the weights of many more."""
    X = gaussian(60, 4)
    released = X + 0.05 * gaussian(60, 4, seed=1)
    usual = probabilistic_linkage_risk(X, released)
    with fixed_rounds():
        part.MAX_EM_ROUNDS = 2000
        assert probabilistic_linkage_risk(X, released) == pytest.approx(usual, abs=1e-3)


def test_a_single_best_assignment_is_counted():
    X = gaussian(60, 6)
    released = X + 0.05 * gaussian(60, 6, seed=1)
    table = whole(slow_weights(X, released, 0.05))
    chances = chances_of_all_pairs(table)
    assert_allclose(chances.max(axis=0), 1)  # no ties in this one
    right = np.mean(linear_sum_assignment(table, maximize=True)[1] == np.arange(60))
    assert probabilistic_linkage_risk(X, released) == pytest.approx(right)
    assert right > 0.9


@given(pair=pairs, seed=st.integers(0, 99), tolerance=tolerances)
def test_order_of_records_has_no_say(pair, seed, tolerance):
    order = np.random.default_rng(seed).permutation(pair.shape[1])
    for risk in (probabilistic_linkage_risk, greedily):
        value = risk(*pair, tolerance=tolerance)
        assert 0 <= value <= 1
        moved = risk(*pair[:, order], tolerance=tolerance)
        assert moved == pytest.approx(value, abs=1e-6)


@given(
    pair=arrays(
        float, st.tuples(st.just(2), st.integers(1, 3), st.just(2)), elements=few_values
    )
)
def test_over_all_truths_the_risk_is_chance(pair):
    """Row order leaks nothing: the released rows in any order, on average 1 / n."""
    X, released = pair
    n = len(X)
    for risk in (probabilistic_linkage_risk, greedily):
        risks = [risk(X, released[list(p)]) for p in permutations(range(n))]
        assert np.mean(risks) == pytest.approx(1 / n, abs=1e-6)


@given(table=whole_weights, seed=st.integers(0, 99))
def test_order_of_one_table_has_no_say(table, seed):
    """The same weights and truth, with the released rows stored in another order."""
    n = len(table)
    order = np.random.default_rng(seed).permutation(n)
    place = np.argsort(order)
    rows, columns = np.arange(n), np.arange(n)
    chances = part.optimal_chances(table, rows, columns)
    moved = part.optimal_chances(table[order], place, columns)
    assert_allclose(moved, chances, atol=1e-6)


def test_identical_records_share_the_guess(assignment):
    X = np.ones((10, 2))
    assert probabilistic_linkage_risk(X, X) == pytest.approx(0.1)
    X = gaussian(30, 2)
    assert probabilistic_linkage_risk(X, np.zeros((30, 2))) == pytest.approx(1 / 30)


@given(table=tables_and_k())
def test_a_cell_gives_away_at_most_one_record(table):
    X, k = table
    released = Centroid().aggregate(X, MDAV(k).fit_predict(X))
    assert probabilistic_linkage_risk(X, released) <= 1 / k + 1e-6
    assert greedily(X, released) <= 1 / k + 1e-6


def test_table_against_itself_and_shuffled(assignment):
    X = gaussian(300, 8)
    assert probabilistic_linkage_risk(X, X) == pytest.approx(1.0)
    shuffled = X[np.random.default_rng(1).permutation(300)]
    assert probabilistic_linkage_risk(X, shuffled) < 0.02


def test_more_noise_less_risk(assignment):
    X, noise = gaussian(300, 6), gaussian(300, 6, seed=1)
    risks = [probabilistic_linkage_risk(X, X + sd * noise) for sd in (0, 0.1, 0.5, 3)]
    assert risks == sorted(risks, reverse=True)
    assert risks[0] > 0.95 and risks[-1] < 0.05


def test_many_columns_are_joined_into_fields(assignment):
    X = gaussian(100, 40)
    assert probabilistic_linkage_risk(X, X) == pytest.approx(1.0)
    one_field = [list(range(40))]
    assert probabilistic_linkage_risk(X, X, fields=one_field) == pytest.approx(1.0)


def test_one_field_of_all_columns_counts_agreements():
    """EM stands still after one round: weights grow with the number of agreements."""
    counts = np.array([50, 30, 15, 5])
    weights = part.pattern_weights(counts, np.arange(4)[:, None], 10)
    assert_allclose(np.diff(weights) / part.UNITS, 2 * np.log2(9), atol=1e-4)


def test_fields_and_patterns_are_few():
    for n_features in (1, 12, 13, 30, 100, 1000):
        fields = part.joined_fields([[j] for j in range(n_features)])
        assert [j for field in fields for j in field] == list(range(n_features))
        assert len(fields) <= 12
        assert np.prod([len(field) + 1.0 for field in fields]) <= 2**16
    assert part.joined_fields([[0, 1], [2]]) == [[0, 1], [2]]


@pytest.mark.slow
def test_eia_is_quick(benchmark_data):
    """4,092 x 4,092 pairs, by greedy links, and 3,000 x 3,000 by the best ones."""
    X, _ = fetch_eia(utility_id=False).arrays()
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    released = Centroid().aggregate(X, MDAV(5).fit_predict(Z))
    greedily(X[:50], released[:50])  # compiles
    probabilistic_linkage_risk(X[:50], released[:50])
    start = time.process_time()
    risk = probabilistic_linkage_risk(X, released)
    assert 0.05 < risk < 0.2
    assert probabilistic_linkage_risk(X[:3000], released[:3000]) < 0.2
    assert time.process_time() - start < 30


def test_bad_choices():
    with pytest.raises(ValueError, match="'tolerance' parameter must be a number >= 0"):
        probabilistic_linkage_risk([[1.0]], [[1.0]], tolerance=-0.1)
    with pytest.raises(ValueError, match="'fields' must hold each of the 2 columns"):
        probabilistic_linkage_risk([[1.0, 2.0]], [[1.0, 2.0]], fields=[[0]])
