"""Codes and marks of missing values are named, never assumed."""

import pickle

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each

from microcell import Schema, anonymize
from microcell.cli._errors import as_flag
from microcell.exceptions import in_words
from microcell.pipeline._notices import hardly_anything_left, proposed_marks
from microcell.recognition import MIN_PEOPLE

CODES = [1, 2, 3, 9] * 5


def notices(values, **options):
    schema = Schema(["a"], kinds=options.pop("kinds", {}))
    return anonymize(pl.DataFrame({"a": values}), schema, k=2, **options).notices


@for_each(
    ("values", "named"),
    [
        (CODES, True),
        ([float(code) for code in CODES], True),
        ([str(code) for code in CODES], True),
        (CODES[:16], False),
        ([1, 2] * 10, False),
        (list(range(10)) * 5, True),
        (list(range(11)) * 5, False),
        ([1.5, 2.5, 3.5] * 5, False),
    ],
)
def test_few_distinct_integers_are_named(values, named):
    found = [n for n in notices(values) if "distinct whole numbers" in n]
    assert len(found) == named
    assert all("'a'" in n and "kinds={'a': 'nominal'}" in in_words(n) for n in found)


@pytest.mark.parametrize("kind", ["numeric", "nominal", "ordinal", [1, 2, 3, 9]])
def test_a_declared_kind_holds(kind):
    assert not any("distinct" in n for n in notices(CODES, kinds={"a": kind}))


AGES = [float(age) for age in range(18, 80, 2)]


@for_each(
    ("others", "mark"),
    [
        (AGES, 999),
        (AGES, 9999),
        (AGES, -9),
        (AGES, -1),
        (AGES, -99),
        ([0.0, *AGES], -1),
        ([0, 1200, 3500, 90000], -1),
        ([1, 2, 3], 9),
        ([0, 1, 2, 3, 4, 5], 99),
        ([0.5, 1.5, 2.5], -9),
        ([20, 25, 31, 40], 99),
    ],
)
def test_marks_that_are_proposed(others, mark):
    assert proposed_marks(np.array([*others, mark, mark], dtype=float)) == [(mark, 2)]
    assert proposed_marks(np.array([*others, mark], dtype=float)) == []  # somebody's


@for_each(
    "values",
    [
        [*range(20, 100), 99],
        [*range(0, 100, 7), 99, 99],
        [*range(1, 10)] * 2,
        [-1, 0, 1] * 5,
        [-3, -2, -1, -1, 0, 1, 2, 20],
        [-1.0, -1.0, -0.5, 0.25, 1.5, 2.5, 3.5],
        [90_000, 99_999, 99_999, 120_000],
        [0, 0, 5, 10, 20, 40],
        [9, 9, 9, 99, 99],
        [5, 5, 9, 9],
        [1e300, 2e300, 2e300],
    ],
)
def test_numbers_that_are_not_proposed(values):
    assert proposed_marks(np.array(values, dtype=float)) == []


@for_each(
    ("cells", "loss", "n_records", "said"),
    [
        ([1], 1.0, 200, "all records are in one cell"),
        ([1], None, 200, "all records are in one cell"),
        ([1], 0.0, 200, ""),
        ([2], 0.91, 200, "91 % of what the masked columns say is lost"),
        ([2], 0.9, 200, ""),
        ([2], 0.91, MIN_PEOPLE - 1, ""),
        ([1, 2], 0.5, 200, ""),
    ],
)
def test_a_release_that_says_next_to_nothing(cells, loss, n_records, said):
    found = hardly_anything_left(cells, loss, n_records)
    assert len(found) == bool(said) and all(said in each for each in found)


def test_codes_by_name_are_told_with_the_way_out_of_each_door():
    table = pl.DataFrame({"isco08": np.arange(60) % 30 + 1000})
    release = anonymize(table, Schema(["isco08"]), k=2)
    (notice,) = [n for n in release.notices if "codes of a classification" in n]
    assert "--" not in notice + release.summary()
    assert "kinds={'isco08': 'nominal'}" in release.summary()
    assert "--kind isco08=nominal" in release.summary(spell=as_flag)


@given(ages=st.lists(st.integers(0, 120), min_size=200, max_size=400))
def test_ages_are_not_proposed(ages):
    dense = np.array([*ages, *range(0, 121, 4)], dtype=float)
    assert proposed_marks(dense[dense <= 99]) == []


def test_two_marks_of_one_column():
    values = np.array([*AGES, -8, -8, -9, -9, -9])
    assert proposed_marks(values) == [(-9, 3), (-8, 2)]


def test_the_release_names_column_and_records_and_keeps_the_number():
    values = [-999, -999, 2, 3, 4, 5]
    release = anonymize(pl.DataFrame({"a": values}), Schema(["a"]), k=2)
    assert release.table["a"].to_list()[:2] == [-999.0, -999.0]
    (notice,) = [n for n in release.notices if "missing" in n]
    assert "'a' holds -999 in 2 records" in notice
    assert "--" not in notice + release.summary()  # it is Python that is asked
    assert "missing_marks={'a': [-999]}" in release.summary()
    flags = release.summary(spell=as_flag)
    assert "--missing-mark a=-999" in flags and "missing_marks" not in flags
    assert "missing-mark" not in release.summary(spell=None).replace("_", "-")
    assert in_words(pickle.loads(pickle.dumps(notice))) == in_words(notice)
    named = anonymize(
        pl.DataFrame({"a": values}), Schema(["a"]), k=2,
        missing="drop", missing_marks={"a": [-999]},
    )  # fmt: skip
    assert named.n_dropped == 2 and not any("missing" in n for n in named.notices)


@pytest.mark.parametrize("visits", [1, 3])
def test_a_mark_of_fewer_than_k_people_is_not_told(visits):
    """One of k people is; a person with several records is one."""
    values = [-999] * 3 + [20, 25, 31, 40, 52, 60]
    for k, told in ((3, True), (4, False)):
        table = pl.DataFrame({"a": values * visits, "id": [*range(9)] * visits})
        schema = Schema(["a"], identifiers="id")
        release = anonymize(table, schema, k=k, unit="id" if visits > 1 else "records")
        (notice,) = [n for n in release.notices if "missing" in n]
        assert ("-999" in notice) == told
        assert (f"of fewer than {k} people" in notice) == (not told)


def test_a_private_release_says_nothing_of_its_numbers():
    table = pl.DataFrame({"a": CODES * 3})
    release = anonymize(
        table, Schema(["a"]), k=2, method="dp-microaggregation", epsilon=1.0,
        bounds={"a": [0, 10]}, missing_marks=["77"],
    )  # fmt: skip
    assert release.notices == ()


def test_an_extreme_of_few_people_is_not_told():
    ages = np.array([*range(20, 77), 999, 999, 999])
    table = pl.DataFrame({"pid": [*range(57), 57, 57, 57], "age": ages})
    schema = Schema(["age"], identifiers="pid")
    for options in ({"unit": "pid"}, {"unit": "records"}):
        notices = anonymize(table, schema, k=5, **options).notices
        assert not any("999" in notice for notice in notices)
        assert any("fewer than 5 people" in notice for notice in notices)
    many = pl.DataFrame({"pid": range(62), "age": [*range(20, 77), *[999] * 5]})
    notices = anonymize(many, schema, k=5, unit="records").notices
    assert any("999 in 5 records" in notice for notice in notices)


def test_one_persons_value_is_said_to_be_published():
    table = pl.DataFrame(
        {
            "pid": np.repeat(np.arange(20), 3),
            "a": np.repeat(np.arange(20) // 5 * 100.0, 3),
            "v": [7.77] * 3 + [None] * 12 + list(np.arange(45) * 1.0),
        }
    )
    release = anonymize(
        table, Schema(["a", "v"], identifiers="pid"), k=5, unit="pid",
        missing="ignore", importance={"a": 1e6},
    )  # fmt: skip
    assert release.table["v"][:15].unique().to_list() == [7.77]
    assert any("a single person has a value of 'v'" in n for n in release.notices)


def test_the_same_where_missing_is_a_category():
    values = [w for i in range(10) for w in (i * 1.37 + 0.001, None)]
    table = pl.DataFrame({"a": np.repeat(np.arange(10) * 100, 2), "v": values})
    release = anonymize(
        table, Schema(["a", "v"]), k=2, missing="category", importance={"a": 1000}
    )
    assert any("in 10 cell(s) a single person" in n for n in release.notices)
