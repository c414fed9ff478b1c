from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from tables import gaussian

from microcell.aggregate import Centroid
from microcell.datasets import fetch_census, fetch_eia
from microcell.metrics import mse_distortion
from microcell.partition import OptimalUnivariate


def exact_cost(values):
    """SSE of one cell in rational arithmetic; `values` are tuples of fractions."""
    total = Fraction(0)
    for column in zip(*values, strict=True):
        mean = sum(column) / len(column)
        total += sum((value - mean) ** 2 for value in column)
    return total


def exact_optimum(rows, k):
    """Least SSE of cutting the rows, in their order, into cells of k to 2k - 1."""
    best = [Fraction(0)] + [None] * len(rows)
    for j in range(k, len(rows) + 1):
        costs = [
            best[j - m] + exact_cost(rows[j - m : j])
            for m in range(k, min(2 * k - 1, j) + 1)
            if best[j - m] is not None
        ]
        best[j] = min(costs) if costs else None
    return best[-1]


def fractions(X):
    return [tuple(Fraction(float(value)) for value in row) for row in X]


def cost_of(X, labels):
    rows = fractions(X)
    cells = [
        [rows[i] for i in np.flatnonzero(labels == c)] for c in range(labels.max() + 1)
    ]
    return sum(exact_cost(cell) for cell in cells)


values = st.one_of(
    st.integers(-4, 4).map(float),
    st.floats(-100, 100, allow_subnormal=False),
    st.integers(-3, 3).map(lambda i: 1e9 + i),
    st.sampled_from([-1e12, 0.0, 1e12]),
)


@settings(max_examples=400)
@given(x=st.lists(values, min_size=1, max_size=18), data=st.data())
def test_as_good_as_rational_arithmetic(x, data):
    k = data.draw(st.integers(1, len(x)))
    X = np.array(x)[:, None]
    labels = OptimalUnivariate(k).fit_predict(X)
    sizes = np.bincount(labels)
    assert sizes.min() >= k and sizes.max() <= max(2 * k - 1, 1)
    found, best = cost_of(X, labels), exact_optimum(fractions(np.sort(X, axis=0)), k)
    assert found <= best * (1 + Fraction(1, 10**12))
    places = labels[np.argsort(X[:, 0], kind="stable")]
    assert_array_equal(places, np.sort(places))  # cells are runs of the order


@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 14),
    cost=st.sampled_from(["rest", "all"]),
)
def test_many_columns_along_an_order(seed, n, cost):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, size=(n, 3)).astype(float)
    k = int(rng.integers(1, n // 2 + 1))
    start = int(rng.integers(1, 3)) if cost == "rest" else 0
    labels = OptimalUnivariate(k, cost=cost, n_keys=max(start, 1)).fit_predict(X)
    keys = X[:, :start] if cost == "rest" else X
    ordered = X[np.lexsort(keys.T[::-1])]  # equal keys: the order of the table
    best = exact_optimum(fractions(ordered[:, start:]), k)
    assert cost_of(X[:, start:], labels) <= best * (1 + Fraction(1, 10**12))


def test_trap_of_linear_time_packages():
    x = np.array([10, 12, 13, 15, 16, 22, 22, 23, 25, 29.0])[:, None]
    labels = OptimalUnivariate(3).fit_predict(x)
    assert_array_equal(labels, [0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
    assert float(cost_of(x, labels)) == pytest.approx(55.6666666667)


def test_trap_of_unsorted_values_at_2k():
    x = np.array([10, 1, 11, 2, 12, 3.0])[:, None]
    labels = OptimalUnivariate(3).fit_predict(x)
    assert_array_equal(labels, [1, 0, 1, 0, 1, 0])
    assert cost_of(x, labels) == 4


@pytest.mark.parametrize("n", [3, 5, 6])
def test_edges_of_the_size(n):
    sizes = np.bincount(OptimalUnivariate(3).fit_predict(gaussian(n, 1)))
    assert sizes.tolist() == ([n] if n < 6 else [3, 3])


def test_equal_values_are_no_trouble():
    assert OptimalUnivariate(3).fit(np.ones((100, 1))).n_cells_ >= 20


def test_not_a_number_is_an_error():
    with pytest.raises(ValueError, match="NaN"):
        OptimalUnivariate(1).fit([[np.nan], [1.0]])


def test_rest_needs_a_rest():
    with pytest.raises(ValueError, match="at least one more"):
        OptimalUnivariate(1, cost="rest").fit([[1.0], [2.0]])
    with pytest.raises(ValueError, match="2 column"):
        OptimalUnivariate(1, cost="rest", n_keys=2).fit([[1.0, 1.0], [2.0, 2.0]])
    with pytest.raises(ValueError, match="'n_keys' parameter must be an integer >= 1"):
        OptimalUnivariate(1, cost="rest", n_keys=0).fit([[1.0, 1.0], [2.0, 2.0]])


def test_work_in_slices_gives_the_same_cells(monkeypatch):
    X = gaussian(300, 1)
    whole = OptimalUnivariate(3).fit_predict(X)
    monkeypatch.setattr("microcell.partition._optimal_univariate.STEPS_PER_SLICE", 1)
    assert_array_equal(OptimalUnivariate(3).fit_predict(X), whole)


@pytest.mark.parametrize(
    ("fetch", "column", "k", "optimum"),
    [
        (fetch_census, "AGI", 3, 5442165.3),
        (fetch_census, "AGI", 5, 17492778.175794),
        (fetch_census, "FICA", 3, 164437.583333),
        (fetch_census, "FICA", 10, 6978842.616217),
        (fetch_eia, "RESREVENUE", 3, 457945959.833333),
        (fetch_eia, "RESREVENUE", 5, 1774749957.742857),
    ],
)
def test_known_optima(benchmark_data, fetch, column, k, optimum):
    x = fetch().frame[column].to_numpy().astype(float)[:, None]
    released = Centroid().aggregate(x, OptimalUnivariate(k).fit_predict(x))
    assert mse_distortion(x, released) * len(x) == pytest.approx(optimum, rel=1e-9)
