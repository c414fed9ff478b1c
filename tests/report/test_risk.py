"""Risk in a report, against the measures that it samples."""

import numpy as np
import polars as pl
import pytest

import microcell.report._risk as risk
from microcell import Schema, anonymize
from microcell.metrics import (
    _subset_linkage,
    distance_linkage_risk,
    interval_disclosure_risk,
)
from microcell.metrics import subset_linkage_risk as by_subsets
from microcell.privacy import class_codes, class_sizes
from microcell.report._columns import columns_of
from microcell.report._geometry import Geometry
from microcell.report._people import People

rng = np.random.default_rng(5)
N = 200
TABLE = pl.DataFrame(
    {
        "age": rng.integers(18, 90, N),
        "pay": rng.normal(3000, 500, N).round(2),
        "job": rng.choice(["cook", "smith", "nurse"], N),
        "flat": [4.0] * N,
        "house": np.arange(N) // 2,
        "ill": rng.choice(["yes", "no"], N),
    }
)
KNOWN = ["age", "pay", "job"]


def release_of(names=KNOWN, **options):
    schema = Schema(names, confidential="ill", others="drop")
    return anonymize(TABLE, schema, k=4, **options)


@pytest.fixture(scope="module")
def release():
    return release_of()


def test_classes_are_counted_as_promises_count_them(release):
    found = risk.class_sizes(release.class_sizes, 4)
    sizes = class_sizes(release.table, KNOWN)
    assert (found["smallest"], found["largest"]) == (sizes[0], sizes[-1])
    for entry in found["bins"]:
        low, _, high = entry["label"].partition(" to ")
        inside = sizes[(sizes >= int(low)) & (sizes <= int(high or low))]
        assert (entry["classes"], entry["records"]) == (inside.size, inside.sum())


def test_intervals_of_few_people_are_not_told():
    rare = pl.Series([1.0, 2.0, 30.0, *[None] * (N - 3)])
    table = TABLE.select("age").with_columns(rare=rare)
    release = anonymize(table, Schema(["age", "rare"]), k=4, missing="ignore")
    found = risk.interval_disclosure(columns_of(release, release.before), People(4, N))
    assert [entry["name"] for entry in found] == ["age"]


@pytest.mark.parametrize("unit", [None, "house"])
def test_knowledge_is_that_of_all_records(unit):
    options = {} if unit is None else {"unit": unit}
    schema = Schema(KNOWN, identifiers="house", confidential="ill", others="drop")
    options = options or {"unit": "records"}
    release = anonymize(TABLE, schema, k=4, **options)
    classes = class_codes(release.table, release.known)
    people = People(4, N, release.units)
    found = risk.knowledge(release, release.before, classes, people)
    table = release.table.select(KNOWN)
    if unit is not None:  # both records of a house are released alike
        table = table.with_columns(house=TABLE["house"]).unique("house").select(KNOWN)
    expected = by_subsets(table, size=3).by_size
    assert [f["size"] for f in found] == [1, 2, 3]
    for mine, theirs in zip(found, expected, strict=True):
        assert mine["exact"] and mine["subsets"] == theirs.n_subsets
        assert mine["mean"] == pytest.approx(theirs.mean, rel=1e-3)
        assert mine["worst"] == pytest.approx(theirs.worst.average, rel=1e-3)
        assert mine["unique"] == theirs.worst.unique == 0


def test_subsets_are_drawn_where_there_are_too_many(release, monkeypatch):
    monkeypatch.setattr(_subset_linkage, "MAX_COUNTED_SUBSETS", 1)
    classes = class_codes(release.table, release.known)
    found = risk.knowledge(release, release.before, classes, People(4, N))
    assert [f["subsets"] for f in found] == [3, 3, 1]


def test_intervals_of_each_column(release):
    found = risk.interval_disclosure(columns_of(release, release.before), People(4, N))
    before = release.before
    expected = {
        name: interval_disclosure_risk(before.X[:, [j]], before.X_released[:, [j]])
        for j, name in enumerate(before.names)
        if name != "job"
    }
    assert {f["name"]: f["share"] for f in found} == pytest.approx(expected, rel=1e-3)


def test_carriers_are_linked_by_all_but_themselves(release):
    geometry = Geometry(release.before)
    found = risk.carriers(geometry)
    assert [c["name"] for c in found["columns"]] == KNOWN
    assert found["records"] == N

    def link(owners):
        chosen, nominal, units = geometry.columns(owners)
        return distance_linkage_risk(
            geometry.Z[:, chosen],
            geometry.Z_released[:, chosen],
            nominal=nominal,
            units=units or None,
        )

    assert found["all"] == pytest.approx(link([0, 1, 2]), abs=1e-4)
    assert found["all"] == pytest.approx(
        release.scores["distance_linkage_risk"], rel=1e-3
    )
    for j, column in enumerate(found["columns"]):
        others = [i for i in range(3) if i != j]
        assert column["alone"] == pytest.approx(link([j]), abs=1e-4)
        assert column["without"] == pytest.approx(link(others), abs=1e-4)
    assert sum(c["share"] for c in found["columns"]) == pytest.approx(1, abs=1e-3)


def test_a_constant_column_carries_nothing():
    release = release_of(["age", "pay", "flat"])
    shares = {
        c["name"]: c["share"]
        for c in risk.carriers(Geometry(release.before))["columns"]
    }
    assert shares["flat"] == 0 and shares["pay"] > 0


def test_of_many_columns_none_is_left_out(release, monkeypatch):
    monkeypatch.setattr(risk, "MAX_COLUMNS_LEFT_OUT", 2)
    found = risk.carriers(Geometry(release.before))["columns"]
    assert {c["without"] for c in found} == {None}
    assert sum(c["share"] for c in found) == pytest.approx(1, abs=1e-3)


def test_a_sample_stands_for_all(release, monkeypatch):
    monkeypatch.setattr(risk, "MAX_LINKED_RECORDS", 50)
    found = risk.carriers(Geometry(release.before))
    assert found["records"] == 50
    assert abs(found["all"] - release.scores["distance_linkage_risk"]) < 0.2
