"""Predicates from the release that hold for one person."""

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
from microcell.metrics import singling_out_risk
from microcell.metrics._singling_out import (
    AT_LEAST,
    AT_MOST,
    form_predicates,
    single_chances,
)
from microcell.partition import MDAV


def slow_holds(predicate, record):
    """Whether all conditions hold for one record."""
    for column, sign, value in zip(*predicate, strict=True):
        own = record[column]
        if sign == AT_MOST:
            holds = own <= value
        elif sign == AT_LEAST:
            holds = own >= value
        else:
            holds = own == value
        if not holds:
            return False
    return True


def means(X, k):
    return Centroid().aggregate(X, MDAV(k).fit_predict(X))


@given(X=grids(least_rows=2), n_columns=st.integers(1, 3), seed=st.integers(0, 9))
def test_rates_equal_slow_twin(X, n_columns, seed):
    n, d = X.shape
    n_columns = min(n_columns, d)
    released = means(X, 2)
    options = {"n_columns": n_columns, "n_attacks": 20, "random_state": seed}
    found = singling_out_risk(X, released, **options)
    rng = np.random.default_rng((3, seed))
    predicates, _ = form_predicates(released, [], n_columns, 20, rng)
    assert len(set(predicates)) == len(predicates) == found.attack.n_attacks <= 20
    hits, chances = [], []
    for predicate in predicates:
        rows = [tuple(r) for r in released.tolist() if slow_holds(predicate, r)]
        assert len(set(rows)) == 1  # one class of the release
        hits.append(sum(slow_holds(predicate, r) for r in X.tolist()) == 1)
        weight = len(rows) / n
        chances.append(n * weight * (1 - weight) ** (n - 1))
    assert found.attack.rate == pytest.approx(np.mean(hits) if hits else 0)
    assert found.baseline.rate == pytest.approx(np.mean(chances) if hits else 0)
    for j in range(d):
        using = [h and j in p.columns for h, p in zip(hits, predicates, strict=True)]
        assert found.contributions[j] == pytest.approx(sum(using) / max(sum(hits), 1))


@given(X=grids(least_rows=2, most_rows=12), coded=st.booleans())
def test_univariate_predicates_are_all_that_hold_for_one_class(X, coded):
    equal = [0] if coded else []
    rng = np.random.default_rng(0)
    predicates, weights = form_predicates(X, equal, 1, 10_000, rng)
    rows = set(map(tuple, X.tolist()))
    expected = 0
    for j in range(X.shape[1]):
        column = [row[j] for row in rows]
        tried = set(column) if j in equal else (min(column), max(column))
        expected += sum(column.count(value) == 1 for value in tried)
    assert len(predicates) == expected
    for predicate, weight in zip(predicates, weights, strict=True):
        held = [slow_holds(predicate, record) for record in X.tolist()]
        assert weight == pytest.approx(np.mean(held))


@for_each("numbers", ["ends", "values"])
@for_each("n_columns", [1, 2, None])
def test_identity_singles_out_everybody(n_columns, numbers):
    X = gaussian(300, 4)
    options = {"n_columns": n_columns, "numbers": numbers, "random_state": 0}
    found = singling_out_risk(X, X, **options)
    assert found.attack.rate == found.risk.risk == 1.0
    assert found.baseline.rate == pytest.approx((1 - 1 / 300) ** 299)


@pytest.mark.parametrize("n_columns", [1, 2])
def test_one_class_singles_out_nobody(n_columns):
    X = gaussian(300, 2)
    constant = np.broadcast_to(X.mean(axis=0), X.shape)
    found = singling_out_risk(X, constant, n_columns=n_columns, random_state=0)
    assert found.attack.n_attacks > 0
    assert found.attack.rate == found.baseline.rate == found.risk.risk == 0.0


def test_nobody_has_a_mean():
    X = gaussian(300, 2)
    found = singling_out_risk(X, means(X, 3), numbers="values", random_state=0)
    assert found.attack.n_attacks == 100 and found.attack.rate == 0.0


def test_larger_cells_protect():
    X = gaussian(600, 4)
    rates = [
        singling_out_risk(X, means(X, k), random_state=0).attack.rate
        for k in (1, 3, 20)
    ]
    assert rates[0] == 1.0 > rates[1] > rates[2]


def test_a_copy_of_a_person_is_nobody_singled_out():
    X = np.repeat(gaussian(50, 2), 2, axis=0)
    assert singling_out_risk(X, X, random_state=0).attack.rate == 0.0


def test_control_of_the_same_people_leaves_nothing_beyond_it():
    X = gaussian(400, 3)
    found = singling_out_risk(X, means(X, 3), control=X[::-1], random_state=0)
    assert found.control.rate == found.attack.rate
    assert found.risk_beyond_control.risk == 0


@pytest.mark.parametrize("n_strangers", [100, 300, 900])
def test_untouched_records_are_singled_out_beyond_a_control_of_any_size(n_strangers):
    X = np.random.default_rng(0).integers(0, 50, size=(300, 3)).astype(float)
    strangers = np.random.default_rng(1).integers(0, 50, size=(n_strangers, 3))
    found = singling_out_risk(
        X, X, control=strangers, nominal=[0, 1, 2], random_state=0
    )
    assert found.control.rate < 0.05 < found.risk_beyond_control.low


def slow_single_chance(count, n_records, n_drawn):
    draws = list(combinations(range(n_records), n_drawn))
    return np.mean([sum(i < count for i in drawn) == 1 for drawn in draws])


@pytest.mark.parametrize("n_drawn", [1, 2, 4, 5])
def test_chances_of_a_part_equal_slow_twin(n_drawn):
    found = single_chances(np.arange(6), 5, n_drawn)
    expected = [slow_single_chance(count, 5, n_drawn) for count in range(6)]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_order_of_records_and_seed():
    X = gaussian(100, 3)
    released = means(X, 3)
    found = singling_out_risk(X, released, random_state=1)
    assert found == singling_out_risk(X[::-1], released, random_state=1)


def test_the_column_that_tells_people_apart_contributes_most():
    X = np.column_stack([np.zeros(200), np.arange(200) // 100, gaussian(200, 1)])
    found = singling_out_risk(X, X, n_columns=1, random_state=0)
    assert found.most == 2


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_tables_of_mixed_columns(library):
    table = library({"age": [20, 30, 40, 50], "job": ["a", "b", "b", None]})
    found = singling_out_risk(table, table, n_columns=2, random_state=0)
    assert found.attack.rate == 1.0 and set(found.contributions) == {"age", "job"}


@for_each(
    ("options", "message"),
    [
        ({"n_columns": 2}, "at most 1"),
        ({"n_columns": 0}, "'n_columns' parameter"),
        ({"n_attacks": 0}, "'n_attacks' parameter"),
        ({"numbers": "all"}, "'numbers' parameter"),
        ({"nominal": [3]}, "'nominal' parameter"),
        ({"random_state": -1}, "'random_state' parameter"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(ValueError, match=message):
        singling_out_risk([[1.0], [2.0]], [[1.5], [1.5]], **options)
