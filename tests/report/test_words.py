"""Sentences of a report: what they say has to be true of the release at hand."""

from math import isqrt

import numpy as np
import polars as pl
from marks import for_each

from microcell import Schema, anonymize
from microcell.report import facts_of
from microcell.report._numbers import share

N = 60
HOUSES = [f"h{isqrt(5 * i)}" for i in range(N)]  # small ones and large ones
KINDS = {"zip": "prefix", "grade": ["low", "mid", "high"]}


def released(quasi_identifiers, k=5, **options):
    rng = np.random.default_rng(0)
    table = pl.DataFrame(
        {
            "house": HOUSES,
            "age": rng.integers(18, 90, N),
            "grade": rng.choice(["low", "mid", "high"], N),
            "sex": rng.choice(["f", "m"], N),
            "zip": rng.choice(["03740", "03741", "10001", "10002"], N),
            "ill": rng.choice(["flu", "gout", "asthma"], N),
        }
    )
    schema = Schema(
        quasi_identifiers,
        identifiers="house",
        confidential="ill",
        others="drop",
        kinds={name: KINDS[name] for name in quasi_identifiers if name in KINDS},
    )
    return anonymize(table, schema, k=k, **{"unit": "records", **options})


def limits_of(*given, **options):
    facts = facts_of(released(*given, **options))
    return {each["title"]: each["text"] for each in facts["limits"]}


@for_each(
    ("options", "real"),
    [
        ({}, "grade and sex"),
        ({"aggregate": "median"}, "age, grade and sex"),
        ({"representatives": {"zip": "mode"}}, "grade, sex and zip"),
        ({"representatives": {"age": "interval"}}, "age, grade and sex"),
        (
            {"representatives": {"age": "interval"}, "ends": "rounded"},
            "grade and sex",
        ),
    ],
)
def test_values_of_people_are_named(options, real):
    limits = limits_of(["age", "grade", "sex", "zip"], **options)
    assert f"What is released of {real} is what people" in limits["Real values"]


def test_what_was_made_is_not_said_to_be_real():
    assert "Real values" not in limits_of(["age", "zip"])


def test_extremes_of_means_and_of_intervals():
    assert "Extremes" in limits_of(["age", "sex"])
    assert "Extremes" not in limits_of(["zip", "sex"])
    limits = limits_of(["age", "sex"], representatives={"age": "interval"})
    assert "Extremes" not in limits and "Ends of intervals" in limits


def test_one_confidential_column_is_one():
    limits = limits_of(["age", "sex"])
    assert limits["Confidential columns"].startswith("ill is released as it is. ")


def test_units_are_called_by_their_column():
    facts = facts_of(released(["age", "sex"], k=4, unit="house"))
    assert facts["answer"]["released"].startswith(
        f"60 records ({len({*HOUSES})} values of"
    )
    assert facts["risk"]["class_sizes"]["counts"] == "values of house"
    assert "values of house" in facts["limits"][-2]["text"]


def test_that_any_record_of_a_unit_is_found_is_told_where_it_is_likelier():
    release = released(["age", "sex"], k=4, unit="house")
    one = release.scores["prosecutor_max_risk"]
    any_of_them = release.scores["household_max_risk"]
    told = [s for s in facts_of(release)["answer"]["fear"] if "all records of one" in s]
    assert len(told) == (any_of_them > one)
    assert any_of_them > one and share(any_of_them) in told[0]
    fears = facts_of(released(["age", "sex"]))["answer"]["fear"]
    assert not any("all records of one" in fear for fear in fears)
