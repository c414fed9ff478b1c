"""People and records of classes side by side: k that counts records is never silent."""

import polars as pl

from microcell import Schema, anonymize
from microcell.datasets import make_admissions

ADMISSIONS = make_admissions(240, 130, random_state=0)
HOW = {"k": 3, "method": "mdav", "order": "keep"}


def classes_of(release, whose):
    """Records and different values of each class, counted on the table."""
    names = ADMISSIONS.schema.quasi_identifiers
    table = pl.DataFrame(release.table).with_columns(who=whose)
    groups = table.group_by(names).agg(pl.len(), pl.col("who").n_unique())
    return groups["len"], groups["who"]


def said_of(release, words):
    return [notice for notice in release.notices if words in notice]


def test_an_identifier_that_repeats_is_counted_where_records_are_people():
    frame = ADMISSIONS.frame
    release = anonymize(frame, ADMISSIONS.schema, unit="records", **HOW)
    records, people = classes_of(release, frame["patient_id"])
    (said,) = said_of(release, "values of 'patient_id' repeat")
    assert people.min() < 3 <= records.min()
    assert said.endswith(
        f"a class holds at least {records.min()} records and {people.min()} different "
        f"values, fewer than k=3 of them in {(people < 3).sum()} of {len(people)} "
        "classes"
    )
    once = frame.unique("patient_id", maintain_order=True)
    release = anonymize(once, ADMISSIONS.schema, **HOW)
    assert not said_of(release, "repeat")


def test_names_repeat_and_number_nobody():
    frame = ADMISSIONS.frame.rename({"patient_id": "surname"})
    schema = Schema(
        ADMISSIONS.schema.quasi_identifiers, identifiers="surname", others="drop"
    )
    assert not said_of(anonymize(frame, schema, unit="records", **HOW), "repeat")


def test_households_are_said_to_be_counted_with_their_records():
    frame = ADMISSIONS.frame.rename({"patient_id": "household"})
    schema = Schema(
        ADMISSIONS.schema.quasi_identifiers, identifiers="household", others="drop"
    )
    release = anonymize(frame, schema, unit="household", **HOW)
    records, households = classes_of(release, frame["household"])
    (said,) = said_of(release, "k counts households, the values of 'household'")
    assert f"at least {households.min()} of them" in said
    assert f"at least {records.min()} records" in said
