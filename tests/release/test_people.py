"""k counts people, and what names people is not released by accident."""

import json

import numpy as np
import polars as pl
import pytest

from microcell import Schema, SchemaError, anonymize
from microcell.datasets import load_diabetes_patients
from microcell.privacy import class_codes, class_sizes


def visits(n_patients=40, n_visits=5):
    """Patients who look like themselves at each visit."""
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(n_patients), n_visits)
    return pl.DataFrame(
        {
            "patient_id": patient,
            "age": rng.integers(20, 90, n_patients)[patient] + 0.0,
            "weight": rng.normal(70, 10, n_patients)[patient],
            "illness": rng.choice(["flu", "gout", "cold"], patient.size),
        }
    ).sample(fraction=1, shuffle=True, seed=1)


SCHEMA = Schema(["age", "weight"], identifiers="patient_id", confidential="illness")
METHODS = ["mdav", "vmdav", "mondrian", "pcp", "zscores", "sugeno", "lda-mdav"]


def test_an_identifier_that_repeats_stops_the_work():
    with pytest.raises(SchemaError, match=r"5\.0 records on average") as caught:
        anonymize(visits(), SCHEMA, k=5)
    assert "unit='patient_id'" in str(caught.value)
    assert "unit='records'" in str(caught.value)
    assert caught.value.column == "patient_id"


@pytest.mark.parametrize("method", METHODS)
def test_k_counts_units(method):
    table = visits()
    release = anonymize(table, SCHEMA, k=5, unit="patient_id", method=method)
    people = table["patient_id"].to_numpy()
    classes = class_codes(release.table, SCHEMA.quasi_identifiers)
    for c in range(classes.max() + 1):
        assert np.unique(people[classes == c]).size >= 5
    for person in np.unique(people):  # all records of a unit share a cell
        assert np.unique(release.labels[people == person]).size == 1
    sizes = [np.unique(people[classes == c]).size for c in range(classes.max() + 1)]
    assert release.findings[0].found == min(sizes)
    assert "counted in patient_id" in str(release.findings[0])
    assert "40 values of patient_id" in release.summary()
    assert release.scores["prosecutor_max_risk"] == 1 / min(sizes)


def test_units_are_verified_in_the_file(tmp_path, monkeypatch):
    release = anonymize(visits(), SCHEMA, k=5, unit="patient_id")
    document = release.save(tmp_path / "o.csv")
    found = [f["found"] for f in document["findings"]]
    assert found[0] == found[1] >= 5 and document["k_counts"] == "patient_id"
    assert "patient_id" not in pl.read_csv(tmp_path / "o.csv").columns


def test_records_can_be_people():
    release = anonymize(visits(), SCHEMA, k=5, unit="records")
    assert release.certificate()["k_counts"] == "records"
    assert class_sizes(release.table, SCHEMA.quasi_identifiers).min() >= 5


def test_homonyms_get_a_notice():
    table = load_diabetes_patients().frame.select("age", "bmi")
    names = [f"n{i}" for i in range(table.height - 20)] + ["n0"] * 20
    table = table.with_columns(name=pl.Series(names))
    release = anonymize(table, Schema(["age", "bmi"], identifiers="name"), k=5)
    (notice,) = release.notices
    assert "'name' has 422 values for 442 records" in notice
    assert notice in release.summary()
    assert release.certificate()["notices"] == [notice]


def test_one_and_a_half_records_for_each_value_stop_the_work():
    for n_values, stops in ((20, True), (21, False)):
        names = [f"n{i % n_values}" for i in range(30)]
        table = pl.DataFrame({"name": names, "age": range(30)})
        schema = Schema(["age"], identifiers="name")
        if stops:
            with pytest.raises(SchemaError, match=r"1\.5 records on average"):
                anonymize(table, schema, k=3)
        else:
            assert anonymize(table, schema, k=3).notices


def test_units_that_cannot_be_counted():
    with pytest.raises(SchemaError, match="must be an identifier or 'records'"):
        anonymize(visits(), SCHEMA, k=5, unit="age")
    with pytest.raises(ValueError, match=r"40 value\(s\) of 'patient_id' to release"):
        anonymize(visits(), SCHEMA, k=41, unit="patient_id")
    ids = pl.when(pl.col("patient_id") > 0).then(pl.col("patient_id"))
    with pytest.raises(SchemaError, match=r"5 record\(s\) have none"):
        table = visits().with_columns(patient_id=ids)
        anonymize(table, SCHEMA, k=5, unit="patient_id")
    schema = Schema(["age"], identifiers="patient_id", confidential="illness")
    with pytest.raises(ValueError, match="'auto' is chosen on folds"):
        options = {"method": "lda-mdav", "alpha": "auto", "unit": "patient_id"}
        anonymize(visits().drop("weight"), schema, k=5, **options)


def test_units_and_strata():
    table = visits().with_columns(region=pl.col("patient_id") % 3)
    schema = Schema(
        ["age", "weight"],
        identifiers="patient_id",
        confidential="illness",
        others=["region"],
    )
    release = anonymize(table, schema, k=5, unit="patient_id", strata="region")
    people = table["patient_id"].to_numpy()
    classes = class_codes(release.table, ["age", "weight", "region"])
    for c in range(classes.max() + 1):
        assert np.unique(people[classes == c]).size >= 5
    with pytest.raises(SchemaError, match="fewer than k=14"):
        anonymize(table, schema, k=14, unit="patient_id", strata="region")
    crossing = table.with_columns(region=pl.int_range(pl.len()) % 2)
    with pytest.raises(SchemaError, match="more than one stratum"):
        anonymize(crossing, schema, k=5, unit="patient_id", strata="region")


def test_blocks_of_units():
    release = anonymize(
        visits(), SCHEMA, k=5, unit="patient_id", method="individual-ranking"
    )
    assert all(f.found >= 5 for f in release.findings if f.promised)


@pytest.mark.parametrize("kind", ["text", "number"])
def test_a_column_that_names_people_is_not_kept_by_accident(kind):
    table = load_diabetes_patients().frame.select("age", "sex")
    names = [f"Ann {i}" if kind == "text" else i for i in range(table.height)]
    table = table.with_columns(name=pl.Series(names))
    with pytest.raises(SchemaError, match="'name' has no role, and 100 %"):
        anonymize(table, Schema(["age"], others="keep"), k=5)
    release = anonymize(table, Schema(["age"], others=["name", "sex"]), k=5)
    assert "name" in release.table.columns


def test_some_others_are_kept_and_the_rest_is_dropped():
    table = load_diabetes_patients().frame
    schema = Schema(["age"], others=["sex", "drop"])
    release = anonymize(table, schema, k=5)
    assert release.table.columns == ["age", "sex"]


def test_scores_of_few_records_are_withheld(tmp_path):
    table = pl.DataFrame({"age": [20.0, 60.0]})
    release = anonymize(table, Schema(["age"]), k=2, scale="none")
    document = release.save(tmp_path / "o.csv", certificate=tmp_path / "c.json")
    assert set(document["scores"].values()) == {None}
    assert document["scores_withheld"] == "fewer than 10 records"
    assert "400" not in json.dumps(document["scores"])
    assert "400" not in release.summary() and "withheld" in release.summary()
    assert release.scores["mse_distortion"] == 400  # the owner may know it


def kept(values, k=5, **options):
    """Release a table with a column that nobody named."""
    table = pl.DataFrame(
        {
            "age": [20 + i % 40 for i in range(len(values))],
            "column": values,
            "person": [f"p{i // 3}" for i in range(len(values))],
        }
    )
    if options.get("unit") is None:
        table = table.drop("person")
    identifiers = [name for name in ["person"] if name in table.columns]
    schema = Schema(["age"], identifiers=identifiers, others="keep")
    return anonymize(table, schema, k=k, **options)


NEAR_UNIQUE = {
    "alone": [f"v{i}" for i in range(120)],
    "half alone": [f"v{i}" for i in range(60)] + ["same"] * 60,
    "alone where known": [f"v{i}" for i in range(40)] + [None] * 80,
    "alone where not empty": [f"v{i}" for i in range(40)] + [""] * 80,
    "numbers": list(range(1000, 1120)),
    "measures": [i / 7 for i in range(120)],
}


@pytest.mark.parametrize("name", NEAR_UNIQUE)
def test_a_near_unique_column_is_not_kept_unless_it_is_named(name):
    values = NEAR_UNIQUE[name]
    with pytest.raises(SchemaError, match="'column' has no role, and"):
        kept(values)
    table = pl.DataFrame({"age": [20 + i % 40 for i in range(120)], "column": values})
    named = anonymize(table, Schema(["age"], others=["column"]), k=5)
    assert named.table["column"].to_list() == values


@pytest.mark.parametrize("shared", [2, 20, 120])
def test_a_column_of_which_several_share_each_value_is_kept(shared):
    values = [f"v{i // shared}" for i in range(120)]
    assert kept(values).table["column"].to_list() == values


def test_a_kept_column_that_may_number_people_is_named():
    notices = kept([f"p{i // 4}" for i in range(120)]).notices
    assert any("'column', which is released as it is, has 30" in n for n in notices)
    assert not any("'column'" in n for n in kept(["f", "m"] * 60).notices)


def test_people_are_counted_where_they_are_known():
    """An address of one person stands in all of his records."""
    addresses = [f"street {i // 3}" for i in range(120)]
    assert kept(addresses).table["column"].to_list() == addresses
    with pytest.raises(SchemaError, match="100 % of the people are alone"):
        kept(addresses, unit="person")
    shared = [f"street {i // 6}" for i in range(120)]
    assert kept(shared, unit="person").table["column"].to_list() == shared
