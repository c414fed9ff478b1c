"""An intruder who knows some of the columns."""

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each
from tables import gaussian, grids

from microcell.aggregate import Centroid
from microcell.exceptions import InputError
from microcell.metrics import (
    distance_linkage_risk,
    reidentification_risk,
    subset_linkage_risk,
)
from microcell.partition import MDAV


def slow_subset(X, columns):
    """Share of unique records, mean and highest 1 / class size, record by record."""
    rows = [tuple(row[j] for j in columns) for row in X.tolist()]
    sizes = Counter(rows)
    chances = [1 / sizes[row] for row in rows]
    return np.mean([c == 1 for c in chances]), np.mean(chances), max(chances)


@given(X=grids(least_rows=1, most_columns=4), size=st.integers(1, 4))
def test_every_size_equals_slow_twin(X, size):
    found = subset_linkage_risk(X, size=size, n_draws=0)
    assert len(found.by_size) == min(size, X.shape[1])
    for known in found.by_size:
        subsets = list(combinations(range(X.shape[1]), known.size))
        averages = [slow_subset(X, columns)[1] for columns in subsets]
        assert known.exact and known.n_subsets == len(subsets)
        assert known.mean == known.low == known.high
        assert known.mean == pytest.approx(np.mean(averages))
        assert known.worst.average == pytest.approx(max(averages))
        expected = slow_subset(X, known.worst.columns)
        worst = known.worst
        assert (worst.unique, worst.average, worst.highest) == pytest.approx(expected)


@given(X=grids(most_columns=4))
def test_risk_grows_with_what_is_known_and_contributions_add_up(X):
    found = subset_linkage_risk(X, size=4)
    for fewer, more in zip(found.by_size, found.by_size[1:], strict=False):
        assert fewer.mean <= more.mean + 1e-12
        assert fewer.worst.average <= more.worst.average
    everything = reidentification_risk(X).prosecutor_average
    assert found.by_size[-1].worst.average == pytest.approx(everything)
    gained = sum(found.contributions.values())
    assert gained == pytest.approx(everything - 1 / len(X), abs=1e-12)
    assert min(found.contributions.values()) >= -1e-12


def test_truncated_contributions_equal_their_definition():
    X = np.random.default_rng(0).integers(0, 4, size=(60, 5))
    found = subset_linkage_risk(X, size=2, n_draws=0).contributions

    def average(*columns):
        return slow_subset(X, columns)[1]

    for j in range(5):
        second = [average(i, j) - average(i) for i in range(5) if i != j]
        expected = (average(j) - 1 / 60 + np.mean(second)) / 2
        assert found[j] == pytest.approx(expected)


def test_one_class_and_distinct_records():
    constant = subset_linkage_risk(np.ones((8, 3)))
    assert [known.worst.highest for known in constant.by_size] == [1 / 8] * 3
    assert set(constant.contributions.values()) == {0.0} and constant.most is None
    identity = subset_linkage_risk(np.column_stack([np.arange(8), np.zeros(8)]))
    assert identity.by_size[0].worst.columns == (0,)
    assert identity.by_size[0].worst.unique == identity.by_size[1].mean == 1.0
    assert identity.most == 0 and identity.contributions[1] == 0.0


def test_a_k_anonymous_release_keeps_k_for_every_subset():
    X = gaussian(120, 4)
    released = Centroid().aggregate(X, MDAV(5).fit_predict(X))
    for known in subset_linkage_risk(released, size=4).by_size:
        assert known.worst.unique == 0 and known.worst.highest <= 1 / 5


@given(seed=st.integers(0, 20))
def test_linkage_by_distance_in_known_columns(seed):
    X = np.random.default_rng(seed).integers(0, 6, size=(30, 3)) / 4.0
    released = Centroid().aggregate(X, MDAV(3).fit_predict(X))
    found = subset_linkage_risk(released, original=X, size=3)
    for known in found.by_size:
        subsets = [list(c) for c in combinations(range(3), known.size)]
        risks = [distance_linkage_risk(X[:, c], released[:, c]) for c in subsets]
        assert known.mean == pytest.approx(np.mean(risks))
        assert known.worst.linkage == known.worst.risk == pytest.approx(max(risks))
    gained = sum(found.contributions.values())
    assert gained == pytest.approx(risks[0] - 1 / 30, abs=1e-12)


def test_sampled_sizes_hold_the_mean_of_all_subsets():
    X = np.random.default_rng(0).integers(0, 3, size=(300, 10)) ** 2
    exact = subset_linkage_risk(X, size=4, n_draws=0).by_size[3]
    held = 0
    for seed in range(100):
        found = subset_linkage_risk(X, size=1, n_draws=30, random_state=seed)
        sampled = found.by_size[3]
        assert sampled.n_subsets == 30 and not sampled.exact
        assert sampled.worst.average <= exact.worst.average
        held += sampled.low <= exact.mean <= sampled.high
        assert found.by_size[-1].exact  # there is one subset of all columns
    assert held >= 90


def test_draws_follow_the_seed():
    X = np.random.default_rng(0).integers(0, 3, size=(50, 12))
    options = {"size": 1, "n_draws": 5, "random_state": 3}
    assert subset_linkage_risk(X, **options) == subset_linkage_risk(X, **options)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_tables_of_mixed_columns(library):
    original = library({"age": [30.0, 32.0, 60.0, 64.0], "sex": ["f", "f", "m", "f"]})
    released = library({"age": [31.0, 31.0, 62.0, 62.0], "sex": ["f", "f", None, None]})
    found = subset_linkage_risk(released)
    assert found.by_size[0].worst.columns == ("age",)
    assert found.by_size[1].worst.highest == 0.5
    linked = subset_linkage_risk(released, original=original)
    assert linked.by_size[0].worst.linkage == 0.5
    with pytest.raises(ValueError, match="'sex'"):
        subset_linkage_risk(released, original=library({"age": [1.0] * 4}))


@for_each(
    ("options", "message"),
    [
        ({"size": 0}, "'size' parameter"),
        ({"n_draws": -1}, "'n_draws' parameter"),
        ({"nominal": [0]}, "Give original as well"),
        ({"original": [[1.0]]}, "same records"),
        ({"original": [["a"], ["b"]]}, "must hold numbers"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(ValueError, match=message):
        subset_linkage_risk([[1.0], [2.0]], **options)


@given(X=grids(), data=st.data())
def test_rows_that_stand_for_several_records(X, data):
    numbers = st.lists(st.integers(1, 4), min_size=len(X), max_size=len(X))
    copies = np.array(data.draw(numbers))
    counted = subset_linkage_risk(X, copies=copies, n_draws=0)
    written_out = subset_linkage_risk(np.repeat(X, copies, axis=0), n_draws=0)
    assert counted == written_out


@pytest.mark.parametrize("copies", [[1], [1, 0], [1.0, 2.0], [[1, 1]]])
def test_bad_copies(copies):
    with pytest.raises(InputError, match="whole number from 1"):
        subset_linkage_risk([[1], [2]], copies=copies)


def test_copies_have_no_original():
    with pytest.raises(InputError, match="linked with an original"):
        subset_linkage_risk([[1.0], [2.0]], copies=[1, 1], original=[[1.0], [2.0]])
