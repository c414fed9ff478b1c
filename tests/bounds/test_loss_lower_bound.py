from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from marks import for_each
from slow_twins import least_loss
from tables import any_values, few_values, gaussian

from microcell._progress import listen
from microcell.aggregate import Centroid
from microcell.bounds._neighbour_bound import (
    certified_sum,
    neighbour_bound,
    power_neighbours,
)
from microcell.exceptions import InputError, ParameterError
from microcell.kernels.codes import no_codes, split_codes
from microcell.metrics import loss_lower_bound, sse_loss
from microcell.partition import MDAV

BOUNDS = ["columns", "neighbours"]


@st.composite
def small_tables(draw, elements=few_values, most_rows=8):
    """A table whose best partition can be found by trying all, and a k."""
    k = draw(st.integers(2, 4))
    n = draw(st.sampled_from([k, 2 * k - 1, 2 * k, 2 * k + 1, most_rows]))
    shape = st.tuples(st.just(min(max(n, k), most_rows)), st.integers(1, 3))
    return draw(arrays(float, shape, elements=elements)), k


@settings(max_examples=50)
@given(
    method=st.sampled_from(BOUNDS),
    table=small_tables(),
    offset=st.sampled_from([0.0, 1e9, -(2.0**40)]),
)
def test_no_partition_is_below_the_bound(method, table, offset):
    X, k = table
    bound = loss_lower_bound(X + offset, k, method=method)
    assert 0 <= Fraction(bound) <= least_loss(X, k)


@settings(max_examples=30)
@given(method=st.sampled_from(BOUNDS), table=small_tables(elements=any_values))
def test_no_partition_of_any_values_is_below_the_bound(method, table):
    X, k = table
    assert Fraction(loss_lower_bound(X, k, method=method)) <= least_loss(X, k)


@settings(max_examples=30)
@given(
    method=st.sampled_from(BOUNDS),
    table=small_tables(),
    unit=st.sampled_from([0.25, 1.0, 64.0]),
)
def test_no_partition_of_codes_is_below_the_bound(method, table, unit):
    X, k = table
    coded = {"nominal": [X.shape[1] - 1], "units": [unit]}
    bound = loss_lower_bound(X, k, method=method, **coded)
    assert Fraction(bound) <= least_loss(X, k, **coded)


@for_each("method", BOUNDS)
@for_each("k", [2, 3, 5, 10])
def test_mdav_is_above_the_bound(method, k):
    X = gaussian(200, 3)
    lost = sse_loss(X, Centroid().aggregate(X, MDAV(k).fit_predict(X)))
    bound = loss_lower_bound(X, k, method=method)
    assert lost / 3 < bound <= lost


@pytest.mark.parametrize("k", [2, 3, 5])
def test_cells_apart_are_bound_exactly(k):
    """Each record's nearest are its cell, and all pairs of it are alike."""
    corners = np.eye(k)
    X = np.vstack([corners + 100 * cell for cell in range(4)])
    labels = np.repeat(np.arange(4), k)
    lost = sse_loss(X, Centroid().aggregate(X, labels))
    assert loss_lower_bound(X, k, method="neighbours") == pytest.approx(lost, rel=1e-9)


@pytest.mark.parametrize("with_codes", [False, True])
def test_the_sum_is_over_all_records(with_codes):
    """Multipliers of any kind: no record is missing from the k - 1 least."""
    rng = np.random.default_rng(1)
    X, k = rng.normal(size=(300, 3)), 4
    X[:, 2] = rng.integers(0, 4, 300)
    X, codes = split_codes(X, [2]) if with_codes else (X, no_codes(3))
    q = rng.exponential(size=300) ** 3
    d = ((X[:, None] - X) ** 2)[:, :, :2].sum(axis=2)
    apart = X[:, None, 2] - X[:, 2]
    d += (apart != 0) if with_codes else apart**2
    np.fill_diagonal(d, np.inf)
    least = np.sort(d - q, axis=1)[:, : k - 1].sum()
    expected = ((k - 1) * q.sum() + least) / (2 * k)
    found = certified_sum(*power_neighbours(X, codes, q, k - 1), q, k, 3)
    assert found <= expected == pytest.approx(found, rel=1e-9)


def test_multipliers_raise_the_bound():
    X, k = gaussian(500, 4), 3
    q = np.zeros(500)
    plain = certified_sum(*power_neighbours(X, no_codes(4), q, k - 1), q, k, 4)
    assert neighbour_bound(X, no_codes(4), k) > 1.08 * plain


@pytest.mark.parametrize("method", BOUNDS)
def test_scale_and_place_do_not_matter(method):
    X = gaussian(60, 3)
    bound = loss_lower_bound(X, 3, method=method)
    for same in (X * 1e-200, X * 2.0**500, X[::-1] + 1000, np.hstack([X, X])):
        assert loss_lower_bound(same, 3, method=method) == pytest.approx(
            bound, rel=1e-6
        )


@pytest.mark.parametrize("method", BOUNDS)
def test_larger_cells_lose_more(method):
    X = gaussian(60, 2)
    bounds = [loss_lower_bound(X, k, method=method) for k in (1, 2, 3, 4)]
    assert bounds[0] == 0
    assert bounds == sorted(set(bounds))


def test_codes_as_coordinates():
    """A mismatch counts what two coordinates of half a unit would."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=60), rng.integers(0, 3, 60)])
    expanded = np.hstack([X[:, :1], np.sqrt(0.5 * 4) * (X[:, 1:] == [0, 1, 2])])
    coded = loss_lower_bound(X, 3, nominal=[1], units=[4])
    assert coded == pytest.approx(loss_lower_bound(expanded, 3), rel=1e-9)


@pytest.mark.parametrize("method", BOUNDS)
def test_one_cell_and_no_variance(method):
    X = gaussian(5, 2)
    assert loss_lower_bound(X, 3, method=method) == 1
    assert loss_lower_bound(X, 5, method=method) == 1
    assert loss_lower_bound(np.full((9, 2), 0.1), 3, method=method) == 0
    assert loss_lower_bound(X, 1, method=method) == 0


def test_pairs_of_duplicates_lose_nothing():
    X = np.repeat(gaussian(20, 2), 2, axis=0)
    assert loss_lower_bound(X, 2) == 0
    assert loss_lower_bound(X, 3) > 0


def test_threads_do_not_change_the_bound(monkeypatch):
    X = gaussian(400, 3)
    bound = loss_lower_bound(X, 3, method="neighbours")
    monkeypatch.setattr("microcell.bounds._neighbour_bound.ASKING_AT_ONCE", 37)
    assert loss_lower_bound(X, 3, method="neighbours") == bound


def test_columns_where_they_are_expected_to_end():
    X = gaussian(60, 2)
    assert loss_lower_bound(X, 3) == loss_lower_bound(X, 3, method="columns")
    assert loss_lower_bound(X, 11) == loss_lower_bound(X, 11, method="neighbours")
    assert loss_lower_bound(X, 3) > loss_lower_bound(X, 3, method="neighbours")


def test_progress_is_reported():
    seen = []
    with listen(lambda done, total, step: seen.append((done, total, step))):
        loss_lower_bound(gaussian(30, 2), 3, method="neighbours")
    assert seen[0] == (0, 3, "bounding the loss")
    assert seen[-1] == (3, 3, "bounding the loss")


def test_what_cannot_be_bound():
    X = gaussian(5, 2)
    with pytest.raises(InputError, match="n_samples=5 should be >= k=6"):
        loss_lower_bound(X, 6)
    with pytest.raises(ParameterError, match="'k' parameter must be an integer >= 1"):
        loss_lower_bound(X, 0)
    with pytest.raises(InputError, match="NaN or infinity"):
        loss_lower_bound([[1.0], [np.nan]], 2)
    with pytest.raises(InputError, match="table of records"):
        loss_lower_bound([1.0, 2.0], 2)
    with pytest.raises(ParameterError, match="'nominal' parameter must name"):
        loss_lower_bound(X, 2, nominal=[-1])
    with pytest.raises(ParameterError, match="'units' parameter must be"):
        loss_lower_bound(X, 2, nominal=[1], units=[0])
    with pytest.raises(ParameterError, match="'method' parameter must be one of"):
        loss_lower_bound(X, 2, method="stars")
