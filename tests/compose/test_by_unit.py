import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from slow_twins import mean
from tables import gaussian, tables_and_k

from microcell import ByStratum, ByUnit, Microaggregator
from microcell.aggregate import Mode
from microcell.base import BasePartitioner
from microcell.embed import LinearDiscriminantRotation
from microcell.partition import MDAV, VMDAV, Mondrian, OptimalUnivariate

INNER = [MDAV, VMDAV, Mondrian, OptimalUnivariate]


class NeedsTarget(MDAV):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class CellsOfOne(BasePartitioner):
    """A broken part whose own check is switched off."""

    def __init__(self, k=3):
        self.k = k

    def fit(self, X, y=None):
        self.labels_ = np.arange(len(X))
        return self

    def _partition(self, X, y):
        raise NotImplementedError


@given(
    table=tables_and_k(),
    part=st.sampled_from(INNER),
    n_units=st.integers(1, 40),
    seed=st.integers(0, 99),
)
def test_same_cells_as_slow_twin(table, part, n_units, seed):
    """Means by a loop over units, cells of those by the part, labels by a lookup."""
    X, k = table
    units = np.random.default_rng(seed).integers(n_units, size=len(X))
    seen = list(dict.fromkeys(units.tolist()))
    if len(seen) < k:
        return
    means = np.array([mean(X, np.flatnonzero(units == unit)) for unit in seen])
    cell_of = dict(zip(seen, part(k).fit_predict(means), strict=True))
    fitted = ByUnit(part(k), units=units).fit(X)
    sizes = [len(set(units[fitted.labels_ == c])) for c in range(fitted.n_cells_)]
    assert min(sizes) >= k
    assert fitted.n_units_ == len(seen) == sum(sizes)  # no unit is in two cells
    assert_array_equal(fitted.labels_, [cell_of[unit] for unit in units])


@given(table=tables_and_k(), part=st.sampled_from(INNER), seed=st.integers(0, 99))
def test_one_record_for_each_unit_changes_nothing(table, part, seed):
    X, k = table
    units = np.random.default_rng(seed).permutation(len(X)).astype(str)
    assert_array_equal(
        ByUnit(part(k), units=units).fit_predict(X), part(k).fit_predict(X)
    )


def test_units_and_strata():
    X, units = gaussian(60, 2), np.repeat(np.arange(30), 2)
    strata_of_units = np.arange(30) % 2
    part = ByUnit(ByStratum(MDAV(3), strata=strata_of_units), units=units).fit(X)
    pairs = set(zip(part.labels_, strata_of_units[units], strict=True))
    assert len(pairs) == part.n_cells_ == 10


def test_records_of_a_unit_are_released_alike_behind_an_embedding_with_y():
    X, units = gaussian(60, 2), np.arange(60) % 20
    embed = LinearDiscriminantRotation()
    masked = Microaggregator(ByUnit(MDAV(3), units=units), embed=embed)
    released = masked.fit_transform(X, y=(X[:, 0] > 0).astype(int))
    for unit in range(20):
        assert len(np.unique(released[units == unit], axis=0)) == 1


def test_too_few_units():
    X = gaussian(9, 2)
    with pytest.raises(ValueError, match="k=5 counts units; the table has 3"):
        ByUnit(MDAV(5), units=np.arange(9) % 3).fit(X)


def test_as_many_units_as_k_and_units_of_a_part_of_the_rows():
    X, units = gaussian(9, 2), np.arange(9) % 3
    part = ByUnit(MDAV(3), units=units)
    assert_array_equal(part.fit(X).labels_, np.zeros(9))
    rows = np.array([0, 3, 6, 1, 4])
    assert_array_equal(part.take_rows(rows).units, units[rows])
    with pytest.raises(ValueError, match="k=3 counts units; the table has 2"):
        part.take_rows(rows).fit(X[rows])
    assert not part.refinable and part.keeps_more  # a search would part the records
    assert not ByUnit(CellsOfOne(1), units=units).takes_codes


@pytest.mark.parametrize(
    "part", [NeedsTarget(2), ByStratum(NeedsTarget(2), strata=[0, 0, 1, 1])]
)
def test_a_part_that_needs_y_is_refused(part):
    with pytest.raises(ValueError, match="needs y, which is not defined for a unit"):
        ByUnit(part, units=[0, 1, 2, 3]).fit(gaussian(4, 1), y=[0, 1, 0, 1])


def test_units_must_fit_the_table():
    with pytest.raises(ValueError, match="unit of each of the 3 records"):
        ByUnit(MDAV(1), units=[0, 1]).fit([[0.0], [1.0], [2.0]])


@pytest.mark.parametrize(
    "units",
    [
        np.array(["a", None, "b"], dtype=object),
        np.array([1.0, np.nan, 2.0]),
        np.array(["a", float("nan"), "b"], dtype=object),
        np.array(["2024-01-01", "NaT", "2024-01-02"], dtype="datetime64[D]"),
    ],
)
def test_missing_units_are_counted(units):
    with pytest.raises(ValueError, match=r"units has 1 missing value\(s\)"):
        ByUnit(MDAV(1), units=units).fit([[0.0], [1.0], [2.0]])


def test_units_of_several_types():
    units = np.array(["a", 1, "b"], dtype=object)
    with pytest.raises(ValueError, match="no common order"):
        ByUnit(MDAV(1), units=units).fit([[0.0], [1.0], [2.0]])


def test_a_broken_part_is_caught_by_counting_units():
    X, units = gaussian(8, 1), np.repeat(np.arange(4), 2)
    with pytest.raises(ValueError, match=r"A cell has 1 record\(s\)"):
        ByUnit(CellsOfOne(2), units=units).fit(X)


@given(seed=st.integers(0, 40))
def test_a_unit_has_the_most_frequent_code(seed):
    rng = np.random.default_rng(seed)
    units = rng.integers(0, 12, 60)
    numbers = rng.normal(size=(60, 2))
    codes = rng.integers(0, 5, (60, 2)).astype(float)
    X = np.column_stack([numbers, codes])
    part = ByUnit(MDAV(k=3), units=units)
    assert part.takes_codes
    part.mark_codes([2, 3], [1.0, 2.5])
    labels = part.fit_predict(X)
    names, first = np.unique(units, return_index=True)
    table = []
    for unit in names[np.argsort(first)]:
        rows = units == unit
        row = X[rows].mean(axis=0)
        row[2:] = Mode().aggregate(X[:, 2:], rows.astype(int))[rows][0]
        table.append(row)
    inside = MDAV(k=3, categorical_features=[2, 3], mismatch_units=[1.0, 2.5])
    expected = inside.fit_predict(np.array(table))
    place_of = {unit: place for place, unit in enumerate(names[np.argsort(first)])}
    assert_array_equal(labels, expected[[place_of[unit] for unit in units]])
