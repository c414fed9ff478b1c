import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from slow_twins import Coded, slow_mdav_of_units, slow_merge_until_kept
from tables import gaussian, tables_and_k

from microcell import ByStratum
from microcell.compose import DissolveAndSplit, Enforce, Refine, UnitsApart
from microcell.compose._units_apart import mdav_of_units, with_k_units
from microcell.exceptions import InputError, ParameterError
from microcell.kernels.codes import no_codes, split_codes
from microcell.partition import (
    CBFS,
    MDAV,
    VMDAV,
    BottomUp,
    Mondrian,
    OptimalUnivariate,
    TopDown,
)
from microcell.privacy import PSensitivity, TCloseness, cell_values, people_of

INNER = [
    MDAV,
    lambda k: MDAV(k, leftover="nearest"),
    lambda k: MDAV(k, leftover="each"),
    VMDAV,
    CBFS,
    Mondrian,
    OptimalUnivariate,
    BottomUp,
    TopDown,
    lambda k: DissolveAndSplit(MDAV(k)),
    lambda k: Refine(MDAV(k), moves=200),
    lambda k: Refine(Mondrian(k), search="descent"),
]


def units_by(draw_seed, n_samples, tail):
    """Units of 1 to 30 records, with heavy tails, or one with a third of all."""
    rng = np.random.default_rng(draw_seed)
    if tail == "one with a third":
        units = np.arange(n_samples) + 1
        units[rng.permutation(n_samples)[: n_samples // 3]] = 0
        return units
    if tail == "heavy":
        return np.minimum(rng.zipf(1.6, n_samples), n_samples)
    repeats = rng.integers(1, 31, n_samples)
    return rng.permutation(np.repeat(np.arange(n_samples), repeats)[:n_samples])


tails = st.sampled_from(["heavy", "up to 30", "one with a third"])


def units_in_cells(labels, units):
    return [np.unique(units[labels == cell]).size for cell in range(labels.max() + 1)]


@given(
    table=tables_and_k(most_rows=60),
    leftover=st.sampled_from(["last", "nearest", "each"]),
    seed=st.integers(0, 99),
    tail=tails,
    n_coded=st.integers(0, 1),
)
def test_mdav_has_the_cells_of_its_slow_twin(table, leftover, seed, tail, n_coded):
    X, k = table
    units = np.unique(units_by(seed, len(X), tail), return_inverse=True)[1]
    if units.max() + 1 < k:
        return
    coded = range(X.shape[1] - n_coded, X.shape[1])
    X, codes = split_codes(X, coded)
    slow = Coded(X, codes.n_measured) if n_coded else X
    expected = slow_mdav_of_units(slow, units, k, leftover)
    for index in ("never", "always"):
        labels = mdav_of_units(X, codes, units, MDAV(k, leftover=leftover), index)
        assert_array_equal(labels, expected, err_msg=index)


@given(
    table=tables_and_k(most_rows=60),
    part=st.sampled_from(INNER),
    seed=st.integers(0, 99),
    tail=tails,
)
def test_each_cell_has_k_units(table, part, seed, tail):
    X, k = table
    units = units_by(seed, len(X), tail)
    if np.unique(units).size < k:
        return
    fitted = UnitsApart(part(k), units=units).fit(X)
    assert fitted.n_units_ == np.unique(units).size
    assert len(fitted.labels_) == len(X)
    assert min(units_in_cells(fitted.labels_, units)) >= k


@given(table=tables_and_k(), part=st.sampled_from(INNER), seed=st.integers(0, 99))
def test_one_record_for_each_unit_changes_nothing(table, part, seed):
    X, k = table
    units = np.random.default_rng(seed).permutation(len(X)).astype(str)
    if isinstance(part(k), Refine):
        return  # the search is the same, but its start is not cut
    assert_array_equal(
        UnitsApart(part(k), units=units).fit_predict(X), part(k).fit_predict(X)
    )


def test_rows_of_a_person_are_in_different_cells():
    X = np.repeat(gaussian(40, 2), 3, axis=0)  # three visits at one place
    units = np.repeat(np.arange(40), 3)
    labels = UnitsApart(MDAV(4), units=units).fit_predict(X)
    pairs = np.unique(np.stack([labels, units]), axis=1)
    assert pairs.shape[1] >= 0.9 * len(X)  # some that are left over share a cell


def test_cells_that_have_k_units_stay_as_they_are():
    X, units = gaussian(60, 2), np.arange(60) % 30
    labels = Mondrian(5).fit_predict(X)
    poor = np.array(units_in_cells(labels, units)) < 5
    mended = with_k_units(X, no_codes(2), units, labels, 5)
    assert min(units_in_cells(mended, units)) >= 5
    if not poor.any():
        assert_array_equal(mended, labels)


def test_an_exchange_is_the_cheapest_one():
    X = np.array([[0.0], [0.1], [1.0], [1.2], [9.0], [9.1], [9.2], [9.3]])
    units = np.array([0, 0, 1, 2, 3, 4, 5, 6])
    labels = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    mended = with_k_units(X, no_codes(1), units, labels, 2)
    assert_array_equal(mended, [0, 1, 0, 1, 2, 2, 3, 3])


def test_cells_that_nobody_near_can_mend_are_merged_and_cut_again():
    X = np.concatenate([np.zeros(60), np.arange(1.0, 31)]).reshape(-1, 1)
    units = np.concatenate([np.zeros(60, dtype=int), np.arange(1, 31)])
    labels = UnitsApart(Mondrian(3), units=units).fit_predict(X)
    assert min(units_in_cells(labels, units)) >= 3
    assert labels.max() >= 4


def test_a_person_with_a_third_of_all_records_is_told():
    X, units = gaussian(90, 2), np.maximum(np.arange(90) - 29, 0)
    part = UnitsApart(MDAV(5), units=units).fit(X)
    assert min(units_in_cells(part.labels_, units)) >= 5
    said = f"1 unit(s) have more records than there are cells ({part.n_cells_}), so"
    assert part.notices_ == [f"{said} several share a cell"]
    assert UnitsApart(MDAV(5), units=np.arange(90)).fit(X).notices_ == []


@pytest.mark.parametrize("search", ["annealing", "descent", "combined"])
@pytest.mark.parametrize("start", [MDAV, Mondrian])
def test_a_search_keeps_k_units_and_loses_less(search, start):
    rng = np.random.default_rng(0)
    units = np.minimum(rng.zipf(1.7, 120), 60)
    X = np.column_stack([gaussian(120, 2), rng.integers(0, 3, 120)])
    part = Refine(start(3), moves=6000, search=search)
    part.mark_codes([2], [0.7])
    fitted = UnitsApart(part, units=units).fit(X)
    assert min(units_in_cells(fitted.labels_, units)) >= 3
    assert min(units_in_cells(fitted.start_labels_, units)) >= 3
    assert fitted.refinement_.loss < 0.95 * fitted.refinement_.start_loss


def test_with_strata_and_for_a_part_of_the_rows():
    X, units, strata = gaussian(80, 2), np.arange(80) % 27, np.arange(80) % 2
    part = ByStratum(UnitsApart(MDAV(4), units=units), strata=strata).fit(X)
    assert min(units_in_cells(part.labels_, units)) >= 4
    assert all(np.unique(strata[part.labels_ == c]).size == 1 for c in part.labels_)
    assert not part.capabilities.refinable and part.capabilities.keeps_more


def test_too_few_units_and_units_that_do_not_fit():
    X = gaussian(9, 2)
    with pytest.raises(ValueError, match="k=5 counts units; the table has 3"):
        UnitsApart(MDAV(5), units=np.arange(9) % 3).fit(X)
    with pytest.raises(ValueError, match="unit of each of the 9 records"):
        UnitsApart(MDAV(2), units=[0, 1]).fit(X)
    inside = Refine(ByStratum(MDAV(2), strata=np.arange(9) % 2))
    with pytest.raises(ParameterError, match="must not keep to more than k"):
        UnitsApart(inside, units=np.arange(9)).fit(X)


@given(seed=st.integers(0, 30), k=st.integers(2, 4))
def test_as_many_units_as_k(seed, k):
    rng = np.random.default_rng(seed)
    units = rng.permutation(np.arange(30) % k)
    labels = UnitsApart(MDAV(k), units=units).fit_predict(gaussian(30, 1, seed))
    assert min(units_in_cells(labels, units)) == k


def merged_by_people(X, labels, values, units, promise):
    """The slow twin of merging, with people counted anew in each round."""
    totals = people_of(values, units, values.max() + 1)
    n_people = np.unique(units).size

    def keeps(rows):
        one = np.zeros(len(rows), dtype=np.int64)
        cells = cell_values(
            one, values[rows], totals, units=units[rows], n_people=n_people
        )
        return bool(promise.cells_hold(cells).all())

    return slow_merge_until_kept(X, labels, keeps)


@given(seed=st.integers(0, 200), promise=st.sampled_from([2, 3, 0.3, 0.5]))
def test_promises_count_people_of_cells_that_share_some(seed, promise):
    rng = np.random.default_rng(seed)
    units = np.unique(np.minimum(rng.zipf(1.6, 60), 25), return_inverse=True)[1]
    if units.max() < 3:
        return
    values = rng.integers(0, 3, 60)
    values[:3] = range(3)
    model = (
        PSensitivity(promise) if promise > 1 else TCloseness(promise, distance="equal")
    )
    X = rng.integers(0, 20, (60, 2)).astype(float)
    inside = UnitsApart(MDAV(3), units=units)
    try:
        part = Enforce(inside, model, values=values, units=units).fit(X)
    except InputError:  # all people in one cell do not keep it
        return
    assert min(units_in_cells(part.labels_, units)) >= 3
    first = inside.fit_predict(X)
    expected = merged_by_people(X, first, values, units, model)
    assert_array_equal(part.labels_, expected)
