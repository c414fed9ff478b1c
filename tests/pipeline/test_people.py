"""k counts people, and what names people is not released by accident."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from engines.in_parts import run_in_parts, split
from marks import for_each

from microcell import Schema, SchemaError, anonymize, anonymize_file, apply_recipe
from microcell.datasets import load_diabetes_patients
from microcell.exceptions import InputError
from microcell.privacy import class_codes, class_sizes
from microcell.recipe import Recipe


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
    with pytest.raises(SchemaError, match="40 values for 200 records") as caught:
        anonymize(visits(), SCHEMA, k=5)
    assert "unit='patient_id'" in str(caught.value)
    assert "unit='records'" in str(caught.value)
    assert caught.value.column == "patient_id"


@for_each("method", METHODS)
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


@pytest.mark.parametrize("n_values", [1, 20, 29])
def test_the_first_repeat_of_an_identifier_stops_the_work(n_values):
    """Of 1.3 records for each value, classes of k records may hold fewer people."""
    names = [f"n{i % n_values}" for i in range(30)]
    table = pl.DataFrame({"name": names, "age": range(30)})
    schema = Schema(["age"], identifiers="name")
    with pytest.raises(SchemaError, match=f"{n_values} values for 30 records"):
        anonymize(table, schema, k=3)
    assert anonymize(table, schema, k=3, unit="records").certificate()["k_counts"]


def test_an_identifier_without_repeats_needs_no_word():
    names = [f"n{i}" for i in range(28)] + [None, None]
    table = pl.DataFrame({"name": names, "age": range(30)})
    assert anonymize(table, Schema(["age"], identifiers="name"), k=3).units is None


def test_homonyms_are_told_apart_by_the_number_that_the_owner_names():
    """A number that differs in every record may be that of the record."""
    names = ["Anna Schmidt", "Anna Schmidt", *(f"n{i}" for i in range(28))]
    table = pl.DataFrame({"name": names, "patient_id": range(30), "age": range(30)})
    schema = Schema(["age"], identifiers=["name", "patient_id"])
    with pytest.raises(SchemaError, match="'name' is an identifier") as caught:
        anonymize(table, schema, k=3)
    assert "if 'patient_id' numbers people with unit='patient_id'" in str(caught.value)
    release = anonymize(table, schema, k=3, unit="patient_id")
    assert release.findings[0].found >= 3


def test_a_number_of_records_does_not_hide_patients_who_repeat():
    patients = [i * 3 // 4 for i in range(40)]
    table = pl.DataFrame(
        {"row_id": range(40), "patient_id": patients, "age": range(40)}
    )
    schema = Schema(["age"], identifiers=["row_id", "patient_id"])
    with pytest.raises(SchemaError, match="'patient_id' is an identifier with 30"):
        anonymize(table, schema, k=3)


def test_units_written_in_two_ways_are_counted_in_a_notice():
    ids = ["p1", "P1", "p1 ", "p2", *(f"p{i}" for i in range(3, 20))]
    table = pl.DataFrame({"pid": ids, "age": range(len(ids))})
    release = anonymize(table, Schema(["age"], identifiers="pid"), k=3, unit="pid")
    (notice,) = [n for n in release.notices if "'pid'" in n]
    assert notice.startswith("3 values of the unit") and "p1" not in notice.lower()
    table = table.filter(~pl.col("pid").is_in(["P1", "p1 "]))
    release = anonymize(table, Schema(["age"], identifiers="pid"), k=3, unit="pid")
    assert not [n for n in release.notices if "'pid'" in n]


@for_each("alike", ["Pat1", "PAT2", "pat3 ", "\uff50at4", "pat\u00a05"])
def test_an_identifier_written_in_two_ways_repeats(alike):
    ids = [alike, *(f"pat{i}" for i in range(1, 5)), "pat 5", *map(str, range(30))]
    table = pl.DataFrame({"pid": ids, "age": range(36)})
    for column in (pl.String, pl.Categorical):
        with pytest.raises(SchemaError, match="35 values for 36 records, letter"):
            cast = table.cast({"pid": column})
            anonymize(cast, Schema(["age"], identifiers="pid"), k=3)


@for_each("name", ["patient", "Subject", "KUNDE", "client", "case"])
@for_each("method", ["mdav", "dp-microaggregation"])
def test_a_left_out_column_called_as_people_stops_the_work(name, method):
    table = visits().rename({"patient_id": name})
    options = {"method": method, "k": 5}
    if method != "mdav":
        bounds = {"age": (0, 120), "weight": (0, 200)}
        options = {"method": method, "k": 5, "epsilon": 1.0, "bounds": bounds}
    schema = Schema(["age", "weight"], others="drop")
    with pytest.raises(SchemaError, match=f"'{name}' is left out, and is called"):
        anonymize(table, schema, **options)


@pytest.mark.parametrize("others", ["drop", ["drop"]])
def test_a_left_out_column_that_numbers_people_stops_the_work(others):
    table = visits().rename({"illness": "ill"})
    schema = Schema(["age", "weight"], confidential="ill", others=others)
    with pytest.raises(SchemaError, match="'patient_id' is left out, and is called"):
        anonymize(table, schema, k=5)
    assert anonymize(table, schema, k=5, unit="records").notices is not None
    other = table.rename({"patient_id": "x"})
    (notice,) = [n for n in anonymize(other, schema, k=5).notices if "'x'" in n]
    assert "40 values for 200 records" in notice
    aged = table.rename({"patient_id": "age_at_visit"})
    assert not [n for n in anonymize(aged, schema, k=5).notices if "age_at" in n]


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
    schema = Schema(["age"], others=["name", "sex"])
    with pytest.raises(SchemaError, match="'name' would be released as it is"):
        anonymize(table, schema, k=5)
    release = anonymize(table, schema, k=5, allow_unique="name")
    assert "name" in release.table.columns
    assert release.decide[0].startswith("'name' is released as it is because")


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


@for_each("name", NEAR_UNIQUE)
def test_a_near_unique_column_is_not_kept_unless_it_is_named(name):
    values = NEAR_UNIQUE[name]
    with pytest.raises(SchemaError, match="'column' has no role, and"):
        kept(values)
    table = pl.DataFrame({"age": [20 + i % 40 for i in range(120)], "column": values})
    schema = Schema(["age"], others=["column"])
    named = anonymize(table, schema, k=5, allow_unique=["column"])
    assert named.table["column"].to_list() == values


@pytest.mark.parametrize("shared", [6, 20, 120])
def test_a_column_of_which_several_share_each_value_is_kept(shared):
    values = [f"v{i // shared}" for i in range(120)]
    assert kept(values).table["column"].to_list() == values


def test_a_kept_column_that_may_number_people_is_named():
    notices = kept([f"p{i // 6}" for i in range(120)]).notices
    assert any("'column', which is released as it is, has 20" in n for n in notices)
    assert not any("'column'" in n for n in kept(["f", "m"] * 60).notices)


def test_people_are_counted_where_they_are_known():
    """An address of one person stands in all of his records."""
    addresses = [f"street {i // 3}" for i in range(120)]
    with pytest.raises(SchemaError, match="it reads as addresses"):
        kept(addresses)  # nobody said whose records they are
    with pytest.raises(SchemaError, match="100 % of the people are alone"):
        kept(addresses, unit="person")
    shared = [f"street {i // 6}" for i in range(120)]
    assert kept(shared, unit="person").table["column"].to_list() == shared


def patients(column, n=200):
    """A table of patients with a further column."""
    rng = np.random.default_rng(0)
    return pl.DataFrame({"age": rng.integers(20, 90, n), column.name: column})


def said(values, name="x", role="confidential", k=5, **options):
    """What is to be decided of a column that is released as it is."""
    table = patients(pl.Series(name, values), len(values))
    schema = Schema(["age"], **{role: [name]})
    return anonymize(table, schema, k=k, **options).decide


FIRST = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jan"]
LAST = [
    "Schmidt",
    "Okri",
    "Marsh",
    "Ek",
    "O'Neil",
    "van Os",
    "Ruiz",
    "Saß",
    "Wu",
    "Ito",
]
PEOPLE = [f"{first} {last}" for first in FIRST for last in LAST] * 2
NAMING = {
    "full names": PEOPLE[:100],
    "surnames first": [
        f"{p.split()[-1].upper()}, {p.split()[0]}" for p in PEOPLE[:100]
    ],
    "numbers": [f"PAT-{i:04}" for i in range(200)],
    "long numbers": [10_000_000 + 37 * i for i in range(200)],
    "floats of them": [10_000_000.0 + 37 * i for i in range(200)],
    "a sequence": list(range(5, 205)),
    "e-mail": [f"p{i}@example.org" for i in range(200)],
    "phones": [f"+49 30 {901000 + i}" for i in range(200)],
    "phones as numbers": [4930901000 + 10**6 * i for i in range(200)],
    "addresses": [f"{1 + i % 90} {LAST[i % 10]} Street" for i in range(90)],
    "addresses at the end": [f"{LAST[i % 10]}straße {i}" for i in range(100)],
    "surnames shared by two": [f"{p} Junior" for p in PEOPLE[:100]] * 2,
    "surnames first, shared by four": [
        f"{LAST[i % 10]}, {FIRST[i // 40]}" for i in range(200)
    ],
    "e-mail shared by ten": [f"p{i % 20}@example.org" for i in range(200)],
    "social security": [f"{100 + i}-{10 + i % 80}-{1000 + i * 7}" for i in range(200)],
    "dated remarks": [f"{1 + i % 28}.3.2024 {p} came" for i, p in enumerate(PEOPLE)],
    "free text": [f"came with pain in the side, day {i}, and left" for i in range(200)],
}


@for_each("role", ["confidential", "others"])
@for_each("what", NAMING)
def test_a_column_that_names_people_is_refused_in_any_role(what, role):
    with pytest.raises(SchemaError, match="it may name people") as caught:
        said(NAMING[what], role=role)
    assert "'x' would be released as it is" in str(caught.value)
    assert "allow_unique=['x']" in str(caught.value)
    (statement,) = said(NAMING[what], role=role, allow_unique=["x"])
    assert "'x' is released as it is because the recipe allows it" in statement


NUMBERED = {
    "padded": [f"{i:05}" for i in range(200)],
    "numbers": [10_000 + i for i in range(200)],
    "long": [int(f"{7919 * i + 10**7:09}") for i in range(200)],
    "letters": [f"P{i:04}" for i in range(200)],
    "hashes": [f"{(i * 2654435761) % 2**32:08x}a" for i in range(200)],
    "social security": NAMING["social security"],
    "addresses": [f"Hauptstr. {i}" for i in range(200)],
}


@for_each("n_records", [2, 3, (1, 2, 3)])
@for_each("role", ["confidential", "others"])
@for_each("what", NUMBERED)
def test_a_number_of_people_with_a_few_records_each_is_refused(what, role, n_records):
    times = np.resize(n_records, 200)
    values = [v for v, n in zip(NUMBERED[what], times, strict=True) for _ in range(n)]
    with pytest.raises(SchemaError, match=r"reads as (numbers of|addresses)"):
        said(values, role=role)


def test_numbers_of_any_length_that_repeat_alike_are_refused():
    with pytest.raises(SchemaError, match="it reads as numbers of people"):
        said([int(f"10000{i // 3}") for i in range(600)])


_DRAWN = np.random.default_rng(0)
FEW_SHARE = {
    "codes of a diagnosis": [f"{a}{i:02}.{i % 9}" for i in range(30) for a in "EFG"],
    "measured": _DRAWN.normal(220, 40, 200).astype(int).tolist(),
    "measured in tenths": np.round(_DRAWN.normal(5, 2, 400), 1).tolist(),
    "counted": _DRAWN.poisson(40, 100).tolist(),
    "drawn": _DRAWN.integers(0, 100, 200).tolist(),
    "rounded amounts": (_DRAWN.integers(200, 300, 200) * 500).tolist(),
    "years": (1930 + _DRAWN.integers(0, 80, 200)).tolist(),
    "pressures": [f"{100 + i % 60}/{60 + i % 30}" for i in range(150)],
    "days": [20240000 + 100 * (1 + i % 12) + 1 + i % 28 for i in range(180)],
}


@for_each("what", FEW_SHARE)
def test_what_few_share_need_not_number_people(what):
    times = 2 if what in ("codes of a diagnosis", "pressures") else 1
    said([value for value in FEW_SHARE[what] for _ in range(times)])


def test_postcodes_and_counts_of_calls_number_nobody():
    drawn = np.random.default_rng(0)
    said([f"{n:05}" for n in drawn.integers(1000, 1100, 200)], "postcode")
    assert said(drawn.integers(0, 40, 200), "phone_calls") == ()


@pytest.mark.parametrize("as_text", [False, True])
def test_amounts_that_nobody_shares_are_released_and_said_first(as_text):
    rng = np.random.default_rng(0)
    costs = np.round(rng.lognormal(8, 1, 200), 2)
    costs[:3] = 1000.5  # three of 200 share theirs
    values = [f"{c:.2f}" for c in costs] if as_text else costs.tolist()
    expected = ("who knows 'cost' finds 98 % of the records",)
    assert said(values, "cost") == expected
    table = patients(pl.Series("cost", values))
    release = anonymize(table, Schema(["age"], confidential="cost"), k=5)
    assert release.certificate()["decide"] == list(expected)
    assert release.summary().splitlines()[0].endswith(expected[0])


@pytest.mark.parametrize("engine", ["memory", "disk"])
def test_every_engine_refuses_names_and_says_first_whom_a_cost_finds(engine, tmp_path):
    table = patients(pl.Series("cost", [1 + i**2 / 8 for i in range(200)]))
    table = table.with_columns(who=pl.Series([f"{name} Junior" for name in PEOPLE]))
    table.write_csv(tmp_path / "in.csv")

    def released(column, **sidecars):
        recipe = Recipe(Schema("age", confidential=column, others="drop"), k=5)
        source, out = tmp_path / "in.csv", tmp_path / "out.csv"
        return anonymize_file(source, recipe, out, engine=engine, **sidecars)

    with pytest.raises(SchemaError, match="it may name people"):
        released("who")
    sidecars = {"certificate": tmp_path / "c.json"}
    if engine == "memory":
        sidecars["report"] = tmp_path / "r.json"
    release, _ = released("cost", **sidecars)
    said = "who knows 'cost' finds 100 % of the records"
    assert release.summary().splitlines()[0].endswith(said)
    for sidecar in sidecars.values():
        assert json.loads(sidecar.read_text())["decide"][0] == said


AMOUNTS = {
    "decimal commas": [f"{i * 7},{i % 100:02}" for i in range(200)],
    "euros": [f"{i * 97 + 100} €" for i in range(200)],
    "thousands": [f"1.{i:03},50" for i in range(200)],
    "limits": [f"<{i / 7:.2f}" for i in range(200)],
    "dates": [f"2024-{1 + i % 12:02}-{1 + i % 28:02} {i % 24:02}:{i % 60:02}:00"
              for i in range(200)],
    "units": [f"{i / 7:.2f} mg/dl" for i in range(200)],
    "wide whole numbers": [i * i * 13 for i in range(200)],
    "some words": ["flu", "gout", "cold", *[f"{a}itis" for a in "abcdefghijk"]],
}  # fmt: skip


@for_each("what", AMOUNTS)
def test_what_names_nobody_is_released(what):
    (statement,) = said(AMOUNTS[what])
    assert statement.startswith("who knows 'x' finds")


def test_a_name_of_a_column_does_not_hide_numbers_of_people():
    with pytest.raises(SchemaError, match="numbers of people"):
        said([f"MRN{100_000 + 7 * i}" for i in range(200)], "cost")


def test_codes_of_a_diagnosis_are_no_names():
    codes = [f"{letter}{i:02}.{i % 9}" for i in range(30) for letter in "EFG"]
    assert said(codes, "diagnosis") == (
        "who knows 'diagnosis' finds 100 % of the records",
    )
    with pytest.raises(SchemaError, match="numbers of people"):
        said(codes, "x")


CALLED = {
    "surname": [LAST[i % 8] for i in range(200)],
    "Nachname": [LAST[i % 3] for i in range(200)],
    "name": [f"n{i % 60}" for i in range(200)],
    "patient_id": [i % 150 for i in range(200)],
    "telefono": [f"91 {i % 70}" for i in range(200)],
}


@for_each("name", CALLED)
def test_a_column_is_refused_by_its_name_where_values_agree(name):
    with pytest.raises(SchemaError, match="is called as what names or numbers people"):
        said(CALLED[name], name, unit="records")
    assert said(CALLED[name], name, unit="records", allow_unique=[name])


NOT_CALLED = {
    "name": ["yes", "no"] * 100,
    "clinic name": [f"clinic {i % 12}" for i in range(200)],
    "mobile": ["yes", "no", "not known", "sometimes"] * 50,
    "phone": [i / 7 for i in range(40)] * 5,
    "city": [f"{name}stadt" for name in LAST] * 20,
}


@for_each("name", NOT_CALLED)
def test_values_may_speak_against_a_name(name):
    assert said(NOT_CALLED[name], name) == ()


def test_few_records_of_a_column_called_a_name_are_refused():
    with pytest.raises(SchemaError, match="is called as"):
        said(["Ann", "Bob", "Cid", "Dee"], "name", k=2)
    assert said(["flu", "gout", "flu", "asthma"], "illness", k=2) == ()


def test_what_is_said_counts_people():
    costs = [i / 7 for i in range(120)]
    costs[1:3] = [0.0, 0.0]  # the first person has one cost at all visits
    table = pl.DataFrame({"age": [i // 3 for i in range(120)], "cost": costs})
    table = table.with_columns(person=pl.int_range(120) // 3)
    schema = Schema(["age"], identifiers="person", confidential="cost")
    release = anonymize(table, schema, k=5, unit="person")
    assert release.decide[-1] == "who knows 'cost' finds 100 % of the people"
    half = table.with_columns(cost=pl.when(pl.col("person") < 10).then("cost"))
    release = anonymize(half, schema, k=5, unit="person")
    assert release.decide[-1] == "who knows 'cost' finds 25 % of the people"


@pytest.mark.parametrize(
    ("allowed", "words"),
    [
        ("agee", "not in the table"),
        ("y", "is not released"),
        ("age", "which is masked"),
        ("z", "which is never released"),
    ],
)
def test_what_is_allowed_must_be_released(allowed, words):
    table = pl.DataFrame({"age": range(20), "x": ["a", "b"] * 10, "y": 1.5})
    table = table.with_columns(z=pl.int_range(20))
    schema = Schema(["age"], identifiers="z", confidential="x", others="drop")
    with pytest.raises(SchemaError, match=words):
        anonymize(table, schema, k=5, allow_unique=[allowed])


def test_a_masked_column_of_names_is_not_published_word_by_word():
    """Of fewer than a hundred people the mode of a cell would be a name."""
    table = patients(pl.Series("name", PEOPLE[:60]), 60)
    with pytest.raises(SchemaError, match="'name' is nominal, and 100 %"):
        anonymize(table, Schema(["age", "name"]), k=5)
    jobs = table.rename({"name": "occupation"})
    assert anonymize(jobs, Schema(["age", "occupation"]), k=5).table.height == 60


HARDLY_SHARED = {  # three records each of one person, in a column that is masked
    "surname": [f"{name}s" for name in PEOPLE[:60]],
    "patient_id": [f"P{i:03}" for i in range(60)],
    "x": [f"P{i:03}" for i in range(120)],
}


def visits_called(name, values):
    ages = np.random.default_rng(0).integers(20, 90, len(values))
    table = pl.DataFrame({"age": ages, name: values, "who": range(len(values))})
    return pl.concat([table] * 3)


@pytest.mark.parametrize("name", HARDLY_SHARED)
def test_names_that_hardly_anybody_shares_are_not_masked_as_words(name):
    table = visits_called(name, HARDLY_SHARED[name])
    by_record = Recipe(Schema(["age", name], others="drop"), k=5, unit="records")
    for release in (
        lambda: apply_recipe(table, by_record),
        lambda: run_in_parts(split(table, 3), replace(by_record, shard=50)),
    ):
        with pytest.raises(SchemaError, match=f"'{name}' is nominal, and 100 % of the"):
            release()
    schema = Schema(["age", name], identifiers="who")
    with pytest.raises(SchemaError, match="100 % of the people are alone"):
        anonymize(table, schema, k=5, unit="who")


@pytest.mark.parametrize("name", ["surname", "city"])
def test_words_that_k_people_share_may_be_masked(name):
    values = LAST * 6 if name == "surname" else [f"stad {i}" for i in range(120)]
    anonymize(
        visits_called(name, values),
        Schema(["age", name], others="drop"),
        k=5,
        unit="records",
    )


def test_what_may_be_unique_is_in_the_recipe(tmp_path):
    recipe = Recipe(Schema(["age"], confidential="x"), k=5, allow_unique="x")
    assert 'allow_unique = [\n    "x",\n]' in recipe.to_toml().split("[method]")[0]
    assert Recipe.from_dict(recipe.to_dict()) == recipe


@pytest.mark.parametrize("mark", ["", "NA"])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_record_without_a_unit_is_refused_in_every_interface(mark, suffix, tmp_path):
    path = tmp_path / "u.csv"
    rows = [f"p{i},{30 + i}" for i in range(11)]
    path.write_text("\n".join(["pid,age", f"{mark},30", *rows]) + "\n")
    recipe = Recipe(Schema(["age"], identifiers="pid"), k=2, unit="pid")
    with pytest.raises(SchemaError, match=r"1 record\(s\) have none"):
        anonymize_file(path, recipe, tmp_path / f"o{suffix}")


def test_a_column_called_records_cannot_be_meant_by_records():
    table = pl.DataFrame({"records": list("aabbccdd"), "age": [1, 1, 2, 2, 3, 3, 4, 4]})
    with pytest.raises(SchemaError, match="Rename the column"):
        anonymize(table, Schema(["age"], identifiers="records"), k=2, unit="records")


@for_each(
    "ids",
    [
        [1, "Ann Smith"] * 20,
        [{"n": i} for i in range(40)],
        [(1, 2)] * 40,
        [1.5, "Bob"] * 20,
    ],
)
@for_each("unit", [None, "id"])
def test_identifiers_of_any_kind_show_no_value(ids, unit):
    table = pd.DataFrame({"id": pd.Series(ids, dtype=object), "age": range(40)})
    try:
        anonymize(table, Schema(["age"], identifiers="id"), k=3, unit=unit)
    except InputError as error:
        assert "Smith" not in str(error) and "Bob" not in str(error)


def test_a_column_left_out_that_may_number_people_gets_a_notice():
    patients = [f"p{i // 4}" for i in range(200)]
    table = pl.DataFrame({"file": patients, "age": np.arange(200) + 0.5})
    release = anonymize(table, Schema(["age"], others="drop"), k=5)
    assert any("'file', which is left out, has 50" in n for n in release.notices)
    assert "k counts            records" in release.summary()
    schema = Schema(["age"], others="drop")
    assert not anonymize(table, schema, k=5, unit="records").notices
