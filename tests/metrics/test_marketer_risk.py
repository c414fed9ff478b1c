"""Share of records that are found by linking all of them."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.metrics import (
    journalist_risk,
    marketer_risk,
    population_journalist_risk,
    risk_of_class_sizes,
)

few = st.lists(st.integers(0, 4), min_size=1, max_size=30)


def slow_people(released, population):
    """People of the population who have the values of each record."""
    return [max(released.count(v), population.count(v)) for v in released]


@given(released=few, more=few)
def test_population_risks_equal_slow_twin(released, more):
    risks = [1 / people for people in slow_people(released, released + more)]
    table = [[v] for v in released]
    population = [[v] for v in released + more]
    found = marketer_risk(table, population=population)
    assert found.expected == pytest.approx(np.mean(risks))
    assert found.low <= found.expected <= found.high and found.unmatched == 0
    known = population_journalist_risk(table, population)
    assert known.journalist_max == pytest.approx(max(risks))
    assert known.journalist_average == pytest.approx(np.mean(risks))


@given(classes=few)
def test_without_a_population_it_is_the_prosecutor_average(classes):
    known = risk_of_class_sizes(np.unique(classes, return_counts=True)[1])
    found = marketer_risk(classes)
    assert found.expected == pytest.approx(known.prosecutor_average)
    assert marketer_risk([[c] for c in classes]) == found
    assert marketer_risk(classes, weights=np.ones(len(classes))) == found


def test_weights_are_those_of_the_journalist():
    classes, weights = [0, 0, 1, 1], [10, 30, 2, 3]
    found = marketer_risk(classes, weights=weights).expected
    assert found == journalist_risk(classes, weights).journalist_average


@pytest.mark.parametrize(("n_records", "n_people"), [(1, 1), (2, 2), (2, 4), (3, 5)])
def test_interval_has_the_variance_of_all_ways_to_link(n_records, n_people):
    """Right links of a class: people 0, 1, ... are those of the records."""
    ways = itertools.permutations(range(n_people), n_records)
    right = [sum(person == i for i, person in enumerate(way)) for way in ways]
    many = 400  # classes, so that the interval is not cut at 0
    released = np.repeat(np.arange(many), n_records)[:, None]
    population = np.repeat(np.arange(many), n_people)[:, None]
    found = marketer_risk(released, population=population)
    assert found.expected == pytest.approx(np.mean(right) / n_records)
    reach = 1.959964 * np.sqrt(np.var(right) / many) / n_records
    assert found.expected - found.low == pytest.approx(reach, rel=1e-5, abs=1e-12)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_intervals_and_stars_match_a_population(library):
    released = library({"age": ["[30, 39]", "[30, 39]", "[40, 49]"], "zip": ["0*"] * 3})
    people = library({"age": [31, 32, 35, 38, 41, 44], "zip": ["01", "02"] * 3})
    found = marketer_risk(released, population=people)
    assert found.expected == pytest.approx((2 / 4 + 1 / 2) / 3)
    assert population_journalist_risk(released, people).journalist_max == 0.5


def test_who_matches_nobody_counts_as_alone_with_the_class():
    found = marketer_risk([[1.5], [1.5], [3.0]], population=[[1], [2], [3], [3]])
    assert found.expected == pytest.approx((1 / 2 + 1 / 2 + 1 / 2) / 3)
    assert found.unmatched == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": [[0]], "weights": [1]}, "not from both"),
        ({"population": [[0]]}, "labels have none"),
        ({"weights": [1.0]}, "must hold one"),
        ({"weights": [1.0, -1.0]}, "positive"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(ValueError, match=message):
        marketer_risk([0, 1], **options)
