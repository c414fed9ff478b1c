"""A person who is rare in every column leaves no trace in what is said of a release."""

import json
import logging

import polars as pl
import pytest
from marks import for_each
from report.planted import (
    N_RECORDS,
    RARE_DATES,
    RARE_NUMBERS,
    RARE_TEXTS,
    SCHEMA,
    Heard,
    assert_no_trace,
    planted_table,
)

from microcell import METHODS, Schema, anonymize
from microcell.exceptions import InputError
from microcell.privacy import LDiversity, PSensitivity
from microcell.release import to_json
from microcell.report import facts_of

TABLE = planted_table()
OPTIONS = {
    "mdav": {},
    "vmdav": {"method": "vmdav"},
    "mondrian": {"method": "mondrian"},
    "median": {"aggregate": "median"},
    "interval": {"aggregate": "interval"},
    "rounded": {"aggregate": "interval", "ends": "rounded"},
    "medoid": {"representatives": {"pay": "medoid", "job": "set"}},
    "clip": {"clip": {"pay": "1%:99%"}},
    "rare": {"rare": "merge"},
    "units": {"unit": "house"},
    "merged strata": {"strata": ["ward"], "small_strata": "merge"},
    "keep": {"order": "keep"},
    "target": {"method": "mdav-sd", "target": "cost"},
    "all": {"measures": "all"},
    "individual ranking": {"method": "individual-ranking"},
}


def released(schema=SCHEMA, table=TABLE, **options):
    options = {"k": 5, "unit": "records", **options}
    return anonymize(table, schema, **options)


@pytest.mark.parametrize("name", OPTIONS)
def test_no_trace_in_what_is_said(name, tmp_path, capfd):
    heard = Heard()
    logging.getLogger().addHandler(heard)
    try:
        schema = SCHEMA
        if name == "individual ranking":  # of numbers alone
            schema = Schema(["pay", "children", "born"], others="drop")
        release = released(schema, **OPTIONS[name])
        document = release.save(tmp_path / "out.csv", certificate=tmp_path / "c.json")
        facts = facts_of(release, document=document)
    finally:
        logging.getLogger().removeHandler(heard)
    assert_no_trace(facts)
    assert_no_trace(to_json(document))
    assert_no_trace((tmp_path / "c.json").read_text())
    assert_no_trace(release.summary())
    assert_no_trace(repr(release))
    assert_no_trace("\n".join(heard.texts))
    said = capfd.readouterr()
    assert_no_trace(said.out + said.err)


def test_no_trace_of_a_table_of_text(tmp_path):
    release = released(table=TABLE.select(pl.all().cast(pl.String)))
    assert_no_trace(facts_of(release, document=release.save(tmp_path / "out.csv")))
    assert_no_trace(release.summary())


@pytest.mark.parametrize("missing", ["category", "impute", "ignore", "drop"])
def test_no_trace_of_what_few_miss(missing):
    gap = pl.when(pl.int_range(pl.len()) < 3).then(None)
    table = TABLE.with_columns(
        gap.otherwise(pl.col(name)).alias(name)
        for name in ("pay", "job", "zip", "cost", "ill", "mood")
    )
    facts = facts_of(released(table=table, missing=missing))
    assert_no_trace(facts)
    columns = {c["name"]: c for c in facts["utility"]["columns"]}
    for name in ("cost", "ill", "mood"):
        kept = columns[name]["missing"]["before"]
        assert kept == (0 if missing == "drop" else None)


@pytest.mark.parametrize("method", [m for m in METHODS if "random" in m or "kde" in m])
def test_no_trace_of_methods_that_draw(method):
    schema = Schema(["pay", "children", "born"], confidential="ill", others="drop")
    options = {"random_state": 0} if "random" in method else {}
    release = released(schema, method=method, **options)
    assert_no_trace(facts_of(release))
    assert_no_trace(to_json(release.certificate()))


def errors():
    """Releases that fail, each for another reason."""
    gap = pl.when(pl.int_range(pl.len()) == 137).then(None)
    yield "missing", {"table": TABLE.with_columns(gap.otherwise("pay").alias("pay"))}
    yield "small stratum", {"strata": ["ward"]}
    yield "k", {"k": N_RECORDS + 1}
    yield "unknown column", {"schema": Schema(["salary"], others="drop")}
    yield "no role", {"schema": Schema(["pay"])}
    yield "p", {"promises": [PSensitivity(5, column="ill")]}
    yield "l", {"promises": [LDiversity(5, column="ill")]}
    for name, kind in (
        ("job", "numeric"),
        ("job", "date"),
        ("job", ["cook", "smith", "nurse"]),
        ("zip", ["03740", "03741", "10001", "10002"]),
        ("children", [0, 1, 2, 3, 4]),
        ("pay", "prefix"),
    ):
        schema = Schema([name], others="drop", kinds={name: kind})
        yield f"{name} as {kind}", {"schema": schema}
    groups = {value: ["*"] for value in ("cook", "smith", "nurse")}
    schema = Schema(["job"], others="drop", hierarchies={"job": groups})
    yield "hierarchy", {"schema": schema}
    yield "target", {"method": "lda-mdav", "target": "ill"}
    text = TABLE.select(pl.all().cast(pl.String))
    yield "dates", {"table": text, "dates": {"born": "%d.%m.%Y"}}
    yield "weights", {"weights": "visits"}
    yield "names", {"schema": Schema(["name", "pay"], others="drop")}
    yield "unit", {"unit": "note", "k": 4}


@for_each(("name", "options"), [*errors()])
def test_no_trace_in_errors(name, options):
    try:
        release = released(**options)
    except (InputError, ValueError) as error:
        assert_no_trace(str(error))
    else:
        assert_no_trace(facts_of(release))


@for_each("column", [*RARE_TEXTS, *RARE_NUMBERS, *RARE_DATES])
def test_a_trace_is_found(column):
    value = (RARE_TEXTS | RARE_NUMBERS | RARE_DATES)[column]
    said = {
        "text": f"it was {value}, once",
        "data": json.dumps({"x": value}, default=str),
    }
    for text in said.values():
        with pytest.raises(AssertionError, match="given away"):
            assert_no_trace(text)
    assert_no_trace(said["text"], besides=[column])


def test_a_mean_that_is_one_persons_is_found():
    for value in RARE_NUMBERS.values():
        for shown in (value / N_RECORDS, value / N_RECORDS**0.5):
            with pytest.raises(AssertionError, match="given away"):
                assert_no_trace({"mean": float(f"{shown:.4g}")})
