import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal

import microcell.compose._dp_microaggregator as module
from microcell.compose import DPMicroaggregator
from microcell.compose._noisy_sums import RESOLUTION, laplace_of
from microcell.partition import Insensitive
from microcell.privacy import View
from microcell.testing import audit_privacy_loss

BOX = [(0.0, 1.0), (0.0, 1.0)]
# Replacing the third record moves the sums of both cells: by 95 % of the sensitivity.
TWO_CELLS = (
    np.array([[1.0, 0.1], [0.0, 1.0], [0.9, 0.1], [0.2, 0.3]]),
    np.array([[1.0, 0.1], [0.0, 1.0], [1.0, 0.0], [0.2, 0.3]]),
)


def without_noise(monkeypatch):
    seen = []

    def exact(sums, sensitivity, epsilon):
        seen.append((sensitivity, epsilon))
        return sums.astype(float)

    monkeypatch.setattr(module, "noisy_sums", exact)
    return seen


def test_centroids_of_clipped_records_as_often_as_their_cells(monkeypatch):
    seen = without_noise(monkeypatch)
    X = np.array([[30.0, 9.0], [10.0, 1.0], [900.0, 5.0], [20.0, 3.0], [-40.0, 5.0]])
    masked = DPMicroaggregator(2, epsilon=0.5, bounds=[(0, 100), (0, 10)])
    released = masked.fit_transform(X)
    # Nearest to the low corner: (10, 1) and (20, 3).
    expected = [[15, 2], [15, 2], *[[130 / 3, 19 / 3]] * 3]
    assert_allclose(released, expected, atol=1e-6)
    assert_array_equal(masked.labels_, [0, 0, 1, 1, 1])
    assert seen == [(2 * 2 * RESOLUTION, 0.5)]  # two cells, two columns, whole ranges
    assert_allclose(masked.noise_scale_, [2 * 2 * 100 / (2 * 0.5), 2 * 2 * 10 / 1])


@given(
    X=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=6, max_size=12),
    new=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    which=st.integers(0, 5),
    k=st.integers(1, 4),
)
def test_sums_move_by_no_more_than_the_noise_is_scaled_to(X, new, which, k):
    X = np.array(X)
    other = X.copy()
    other[which] = new
    with pytest.MonkeyPatch.context() as patch:
        seen = without_noise(patch)
        sums = [module.private_sums(t, k, 1.0, np.array(BOX))[0] for t in (X, other)]
    assert np.abs(sums[0] - sums[1]).sum() <= seen[0][0]


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("n_samples", [3, 5])
def test_brute_force_sensitivity_of_one_column(n_samples, k, monkeypatch):
    """Every table of a grid beside every neighbour of it: one range, and no less."""
    without_noise(monkeypatch)
    grid = np.linspace(0, 1, 4)
    tables = np.array(list(itertools.combinations_with_replacement(grid, n_samples)))
    pair = np.array([[0.0, 1.0]])
    sums = {}
    for table in tables:
        found, sizes = module.private_sums(table[:, None], k, 1.0, pair)
        sums[tuple(table)] = found[:, 0]
    most = 0.0
    for table, found in sums.items():
        for which, new in itertools.product(range(n_samples), grid):
            other = tuple(sorted([*table[:which], *table[which + 1 :], new]))
            most = max(most, np.abs(found - sums[other]).sum())
    assert most == module.sum_sensitivity(len(sizes), 1) * RESOLUTION == RESOLUTION


def runs(n_samples, k):
    """Ranks of each cell of one column: the lowest that are left, then the highest."""
    left, found = list(range(n_samples)), []
    while left:
        size = k if len(left) >= 2 * k else len(left)
        found.append(left[:size] if len(found) % 2 == 0 else left[-size:])
        left = [rank for rank in left if rank not in found[-1]]
    return found


@given(
    x=st.lists(st.integers(0, RESOLUTION), min_size=5, max_size=60),
    k=st.integers(1, 5),
)
def test_cells_of_one_column_are_runs_of_its_order(x, k):
    """Also of values so near that squares of their distances are rounded."""
    x = np.array(x)
    cells = Insensitive(k).fit_predict(x[:, None] / RESOLUTION)
    for cell, ranks in enumerate(runs(len(x), k)):
        assert_array_equal(np.sort(x[cells == cell]), np.sort(x)[ranks])


def test_half_of_the_charge_is_reached_with_any_number_of_cells(monkeypatch):
    """Two columns, k = 1: records that leap between the upper left and lower right."""
    seen = without_noise(monkeypatch)
    leaps = np.linspace(0.01, 1e-4, 60)
    chain = np.column_stack([1 - leaps, leaps])
    chain[1::2] = chain[1::2, ::-1]
    X = np.vstack([chain, np.tile([[1.0, 0.0], [0.0, 1.0]], (30, 1))])
    other = X.copy()
    other[0] = [1.0, 0.0]
    sums = [module.private_sums(t, 1, 1.0, np.array(BOX))[0] for t in (X, other)]
    moved = np.abs(sums[0] - sums[1]).sum()
    assert 0.47 * seen[0][0] < moved < seen[0][0]


def test_sums_can_move_by_nearly_that(monkeypatch):
    seen = without_noise(monkeypatch)
    sums = [module.private_sums(t, 2, 1.0, np.array(BOX))[0] for t in TWO_CELLS]
    assert np.abs(sums[0] - sums[1]).sum() > 0.94 * seen[0][0]


@for_each("epsilon", [0.1, 1.0, 1 / 3, 7.0])
@for_each("sensitivity", [RESOLUTION, 7 * RESOLUTION, 3 * 10**15])
def test_opendp_says_that_epsilon_is_not_exceeded(epsilon, sensitivity):
    spent = laplace_of(sensitivity, epsilon).map(sensitivity)
    assert 0.999 * epsilon < spent <= epsilon


def test_noise_has_the_stated_scale():
    for n_columns, ranges in ((1, 1), (2, 2 * 2000)):
        X = np.full((2000, n_columns), 0.5)
        bounds = [(0.0, 1.0)] * n_columns
        masked = DPMicroaggregator(1, epsilon=1e5, bounds=bounds)
        distances = np.abs(masked.fit_transform(X) - 0.5)
        assert_allclose(masked.noise_scale_, ranges / 1e5)
        assert_allclose(distances.mean(), masked.noise_scale_[0], rtol=0.2)


def test_rows_have_lost_their_order_and_noise_is_fresh():
    X = np.random.default_rng(0).random((30, 2))
    masked = DPMicroaggregator(3, epsilon=100.0, bounds=BOX)
    released = masked.fit_transform(X)
    assert_array_equal(released, released[np.lexsort(released.T[::-1])])
    assert ((released >= 0) & (released <= 1)).all()
    assert (np.unique(released, axis=0, return_counts=True)[1] >= 3).all()
    assert not np.array_equal(released, masked.fit_transform(X))
    assert "random_state" not in masked.get_params()


def test_the_order_of_records_does_not_matter(monkeypatch):
    without_noise(monkeypatch)
    X = np.random.default_rng(0).integers(0, 4, size=(40, 2)) / 4
    masked = DPMicroaggregator(3, epsilon=1.0, bounds=BOX)
    assert_array_equal(masked.fit_transform(X), masked.fit_transform(X[::-1]))


def test_bounds_by_name():
    frame = pl.DataFrame({"bmi": [20.0, 30.0], "age": [40.0, 50.0]})
    bounds = {"age": (0, 120), "bmi": (10, 60)}
    masked = DPMicroaggregator(2, epsilon=1.0, bounds=bounds).fit(frame)
    assert_allclose(masked.noise_scale_, [2 * 50 / 2, 2 * 120 / 2])


@for_each(
    ("bounds", "message"),
    [
        (None, "'bounds' parameter must be given, and not computed from the table"),
        ([(0, 1)], r"must be 2 pair\(s\), one for each column. Got 1"),
        ([(0, 1), (1, 1)], "low < high, for each column. Got .1, 1. for 1"),
        ([(0, 1), (0, np.inf)], "low < high"),
        ([(0, 1), (0, np.nan)], "low < high"),
        ([(0, 1), 7], "low < high"),
        ({"age": (0, 1)}, "the columns have none. Give a list of pairs"),
    ],
)
def test_bad_bounds(bounds, message):
    masked = DPMicroaggregator(2, epsilon=1.0, bounds=bounds)
    with pytest.raises(ValueError, match=message):
        masked.fit(np.zeros((4, 2)))


@for_each("epsilon", [None, 0, -1.0, np.inf, np.nan, True, "one"])
def test_bad_epsilon(epsilon):
    masked = DPMicroaggregator(2, epsilon=epsilon, bounds=BOX)
    with pytest.raises(ValueError, match="'epsilon' parameter must be a number >="):
        masked.fit(np.zeros((4, 2)))


def test_too_few_or_missing_values():
    masked = DPMicroaggregator(5, epsilon=1.0, bounds=BOX)
    with pytest.raises(ValueError, match="n_samples=4 should be >= k=5"):
        masked.fit(np.zeros((4, 2)))
    with pytest.raises(ValueError, match="NaN"):
        masked.fit(np.full((9, 2), np.nan))


def test_two_promises_that_stand_each_alone():
    masked = DPMicroaggregator(5, epsilon=0.5, bounds={"a": (0, 1), "b": (2, 3)})
    private, anonymous = masked.promises(["a", "b"])
    assert (private.epsilon, private.columns) == (0.5, ("a", "b"))
    assert anonymous.k == 5
    finding = private.verify(View(pl.DataFrame({"a": [1], "b": [2]}), ["a", "b"]))
    assert finding.holds and finding.basis == "by construction"
    for part in ("OpenDP", "differ in one record", "a 0 to 1, b 2 to 3", "adds up"):
        assert part in finding.argument


def centres(X, epsilon=1.0):
    return module.private_sums(X, 2, epsilon, np.array(BOX))[0]


def test_audit_of_cells_that_move_together():
    assert audit_privacy_loss(centres, TWO_CELLS, 1.0, n_runs=1000).holds


def one_column(X):
    return module.private_sums(X, 2, 1.0, np.array(BOX[:1]))[0]


def test_audit_of_one_column():
    """Zero becomes one: the sums of all five cells move, together by one range."""
    values = np.sort(np.random.default_rng(0).random(10))[:, None]
    other = values.copy()
    values[0], other[0] = 0.0, 1.0
    assert audit_privacy_loss(one_column, (values, other), 1.0, n_runs=1000).holds


@pytest.mark.slow
def test_an_audit_catches_half_the_noise_of_one_column(monkeypatch):
    values = np.array([[0.0], [0.0], [1.0], [1.0]])
    real = module.noisy_sums

    def half(sums, sensitivity, epsilon):
        return real(sums, sensitivity // 2, epsilon)

    monkeypatch.setattr(module, "noisy_sums", half)
    other = np.array([[0.0], [1.0], [1.0], [1.0]])
    assert not audit_privacy_loss(one_column, (values, other), 1.0, n_runs=12_000).holds


@pytest.mark.slow  # fresh noise: fewer runs miss it in one of ten
def test_an_audit_catches_cells_that_were_forgotten(monkeypatch):
    real = module.noisy_sums  # as if only one cell could move

    def forgets_cells(sums, sensitivity, epsilon):
        return real(sums, sensitivity // len(sums), epsilon)

    monkeypatch.setattr(module, "noisy_sums", forgets_cells)
    assert not audit_privacy_loss(centres, TWO_CELLS, 1.0, n_runs=12_000).holds


def test_without_opendp(monkeypatch):
    import sys

    laplace_of.cache_clear()
    monkeypatch.setitem(sys.modules, "opendp.measurements", None)
    masked = DPMicroaggregator(2, epsilon=1.0, bounds=BOX)
    with pytest.raises(ImportError, match=r"pip install 'microcell\[dp\]'"):
        masked.fit(np.zeros((4, 2)))
