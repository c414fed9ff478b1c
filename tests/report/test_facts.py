"""The facts of a release: whole and plain, whatever was released and how."""

import copy
import datetime as dt
import json
import pickle
import tomllib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from marks import for_each
from tables import seed_of

from microcell import METHODS, Schema, anonymize
from microcell._progress import listen
from microcell.exceptions import InputError
from microcell.metrics import homogeneity, relative_loss
from microcell.metrics._rounding import loss_step
from microcell.release import apply_recipe
from microcell.report import facts_of

N = 120
rng = np.random.default_rng(3)
AGE = rng.integers(18, 90, N)
TABLE = pl.DataFrame(
    {
        "name": [f"person {i}" for i in range(N)],
        "house": np.arange(N) // 2,
        "age": AGE,
        "pay": (AGE * 100 + rng.normal(0, 900, N)).round(2),
        "born": [dt.date(1930, 1, 1) + dt.timedelta(int(d) * 97) for d in AGE],
        "job": rng.choice(["cook", "smith", "nurse"], N, p=[0.5, 0.3, 0.2]),
        "zip": rng.choice(["03740", "03741", "10001", "10002"], N),
        "icd": rng.choice(["flu", "asthma", "gout"], N),
        "ward": rng.choice(["a", "b"], N),
        "ill": np.where(AGE + rng.normal(0, 9, N) > 50, "yes", "no"),
        "score": (AGE / 7 + rng.normal(0, 1, N)).round(1),
        "w": rng.integers(2, 9, N),
    }
)
HIERARCHY = {"flu": ["lungs", "*"], "asthma": ["lungs", "*"], "gout": ["joints", "*"]}
NUMBERS = Schema(["age", "pay"], confidential=["ill", "score"], others="drop")
MIXED = Schema(
    ["age", "pay", "born", "job", "zip", "icd"],
    identifiers=["name", "house", "w"],
    confidential=["ill", "score"],
    others=["ward"],
    kinds={"zip": "prefix"},
    hierarchies={"icd": HIERARCHY},
)
TOP = {
    "title": str,
    "created": str,
    "microcell": str,
    "k": int,
    "records": int,
    "records_left_out": int,
    "k_counts": str,
    "people": int,
    "cells": list,
    "method": str,
    "columns": list,
    "left_out": list,
    "answer": dict,
    "decide": list,
    "findings": list,
    "notices": list,
    "risk": dict,
    "utility": dict,
    "limits": list,
    "recipe": str,
    "versions": dict,
    "hashes": dict,
}


def plain(value):
    """Whether a value is made of what JSON has, and of nothing else."""
    if isinstance(value, dict):
        return all(type(k) is str and plain(v) for k, v in value.items())
    if isinstance(value, list):
        return all(plain(v) for v in value)
    return value is None or type(value) in (str, int, float, bool)


def checked(release, **given):
    """Facts of a release that are whole, plain and JSON."""
    facts = facts_of(release, **given)
    assert plain(facts)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    for name, kind in TOP.items():
        assert type(facts[name]) is kind, name
    assert set(facts) == {
        *TOP,
        "purpose",
        "author",
        "source",
        "file",
        "withheld",
        "refined",
        "sampled",
    }
    assert facts["answer"]["released"] and facts["answer"]["promised"]
    for sentences in ("fear", "lost"):
        assert all(s.endswith(".") for s in facts["answer"][sentences])
    return facts


@for_each("method", [m for m in METHODS if m != "dp-microaggregation"])
def test_every_method(method):
    shaped = method.startswith("lda") or method in ("mdav-sd", "ktca", "ktca++")
    target = {"target": "ill"} if shaped else {}
    options = seed_of(METHODS[method]) | target
    try:
        release = anonymize(TABLE, NUMBERS, k=5, method=method, **options)
    except InputError:
        options.pop("target", None)
        options = options if target else options | {"target": "ill"}
        release = anonymize(TABLE, NUMBERS, k=5, method=method, **options)
    facts = checked(release)
    assert facts["method"] == method
    assert facts["refined"] == (release.refined_words or None)
    assert bool(facts["refined"]) == (method in ("mdav-refined", "best"))
    assert len(facts["utility"]["columns"]) == len(facts["columns"])
    assert len(facts["utility"]["costs"]) == len(facts["risk"]["carriers"]) == 2
    assert sum(c["share"] for c in facts["utility"]["costs"]) == pytest.approx(
        1, abs=1e-3
    )


OPTIONS = {
    "plain": {},
    "vmdav": {"method": "vmdav"},
    "mondrian": {"method": "mondrian"},
    "median": {"aggregate": "median"},
    "interval": {"aggregate": "interval"},
    "midpoint": {"aggregate": "midpoint"},
    "rounded ends": {"aggregate": "interval", "ends": "rounded"},
    "set": {"representatives": {"job": "set"}},
    "medoid": {"representatives": {"pay": "medoid"}},
    "strata": {"strata": ["ward"]},
    "units": {"unit": "house"},
    "weights": {"weights": "w"},
    "clip": {"clip": {"pay": "5%:95%"}},
    "digits": {"digits": {"pay": -1}},
    "integers": {"integers": "round"},
    "rare": {"rare": "merge", "rare_below": 40},
    "importance": {"importance": {"age": 3}},
    "none": {"measures": "none"},
    "all": {"measures": "all"},
    "keep": {"order": "keep"},
    "minmax": {"scale": "minmax"},
    "robust": {"scale": "robust"},
    "target": {"method": "mdav-sd", "target": "score"},
}


@for_each("name", OPTIONS)
def test_every_option(name):
    options = {"unit": "records", **OPTIONS[name]}
    facts = checked(anonymize(TABLE, MIXED, k=4, **options))
    for section in ("knowledge", "interval", "attributes", "carriers", "class_sizes"):
        assert facts["risk"][section], section
    for section in ("columns", "associations", "cells", "models", "costs"):
        assert facts["utility"][section], section


@pytest.mark.parametrize("missing", ["category", "impute", "ignore", "drop"])
def test_missing_values(missing):
    gaps = np.arange(N)
    table = TABLE.with_columns(
        pl.when(pl.Series(gaps % 11 == 0)).then(None).otherwise("age").alias("age"),
        pl.when(pl.Series(gaps % 13 == 0)).then(None).otherwise("job").alias("job"),
        pl.when(pl.Series(gaps % 17 == 0)).then(None).otherwise("zip").alias("zip"),
        pl.when(pl.Series(gaps % 60 == 0)).then(None).otherwise("ill").alias("ill"),
        pl.when(pl.Series(gaps % 60 == 0)).then(None).otherwise("score").alias("score"),
    )
    facts = checked(anonymize(table, MIXED, k=4, unit="records", missing=missing))
    columns = {c["name"]: c for c in facts["utility"]["columns"]}
    if missing == "drop":
        assert facts["records_left_out"] > 0
        assert columns["age"]["missing"]["before"] == 0
    else:
        assert columns["age"]["missing"]["before"] == pytest.approx(11 / N, rel=1e-3)
        assert columns["job"]["missing"]["before"] == pytest.approx(10 / N, rel=1e-3)
        assert columns["ill"]["missing"] == {"before": None, "after": None}  # 2 of them
        assert columns["score"]["missing"] == {"before": None, "after": None}


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_libraries_agree(library):
    ours = facts_of(anonymize(TABLE, MIXED, k=4, unit="records"))
    table = pa.table(TABLE.to_dict(as_series=False))
    if library == "pandas":
        table = pd.DataFrame(TABLE.to_dict(as_series=False))
        table["born"] = pd.to_datetime(table["born"])
    theirs = facts_of(anonymize(table, MIXED, k=4, unit="records"))
    for name in ("risk", "utility", "answer"):
        assert theirs[name] == ours[name]


def test_a_table_of_text():
    text = TABLE.select(pl.all().cast(pl.String))
    facts = checked(anonymize(text, MIXED, k=4, unit="records"))
    columns = {c["name"]: c for c in facts["utility"]["columns"]}
    assert columns["score"]["kind"] == "numeric" and columns["born"]["kind"] == "date"
    typed = facts_of(anonymize(TABLE, MIXED, k=4, unit="records"))
    assert facts["utility"]["columns"] == typed["utility"]["columns"]


def test_moments_times_and_nested_columns_as_they_are():
    seconds = [dt.datetime(2020, 1, 1) + dt.timedelta(minutes=7 * i) for i in range(N)]
    table = TABLE.with_columns(
        seen=pl.Series(seconds).cast(pl.Datetime("ms")),
        at=pl.Series(seconds).dt.time(),
        asleep=pl.Series([dt.timedelta(hours=i % 9) for i in range(N)]),
        yes=pl.Series([i % 3 == 0 for i in range(N)]),
        flat=pl.lit(7.0),
        gone=pl.lit(None, dtype=pl.Float64),
    )
    beside = ["seen", "at", "asleep", "yes", "flat", "gone"]
    schema = Schema(["age", "pay"], confidential=beside, others="drop")
    facts = checked(anonymize(table, schema, k=4))
    columns = {c["name"]: c for c in facts["utility"]["columns"]}
    assert columns["seen"]["mean"]["before"] == "2020-01-01"
    assert columns["seen"]["quantiles"][2]["before"] == "2020-01-01 07:00"
    assert columns["at"]["histogram"]["edges"][0] == "01:00"
    assert columns["yes"]["categories"][0]["label"] == "False"
    assert columns["flat"]["quantiles"][2]["before"] == 7
    assert columns["flat"]["histogram"] is None
    assert columns["gone"]["mean"] == {"before": None, "after": None}


def test_a_private_release_says_nothing_of_the_original():
    bounds = {"age": [0, 120], "pay": [0.0, 10_000.0]}
    release = anonymize(
        TABLE,
        Schema(["age", "pay"], others="drop"),
        k=20,
        method="dp-microaggregation",
        epsilon=1.0,
        bounds=bounds,
    )
    facts = checked(release)
    assert release.before is None and facts["withheld"]
    for column in facts["utility"]["columns"]:
        assert column["mean"]["before"] is None
        assert column["histogram"] is None or column["histogram"]["before"] is None
    for section in ("associations", "cells"):
        assert facts["utility"][section] is None
    assert facts["utility"]["costs"] == facts["utility"]["models"] == []
    assert facts["risk"]["interval"] == facts["risk"]["carriers"] == []
    pickled = facts_of(pickle.loads(pickle.dumps(release)))
    assert pickled["utility"] == facts["utility"]  # nothing was forgotten


def test_few_records_are_withheld():
    release = anonymize(TABLE.head(8), NUMBERS, k=3, method="mdav")
    facts = checked(release)
    assert facts["withheld"] == "fewer than 10 records"
    assert facts["utility"]["columns"] == []
    assert all(s["value"] is None for s in facts["risk"]["scores"])
    assert facts["risk"]["class_sizes"]["smallest"] == 3


@for_each("n", [10, 11, 19])
@for_each("k", [2, 5, 10])
def test_small_tables(n, k):
    checked(anonymize(TABLE.head(n), NUMBERS, k=k))


@pytest.mark.parametrize("forget", [copy.copy, lambda r: pickle.loads(pickle.dumps(r))])
def test_a_release_that_forgot_its_original(forget):
    release = forget(anonymize(TABLE, NUMBERS, k=5))
    with pytest.raises(InputError, match="where the release is made"):
        facts_of(release)


def test_a_release_that_was_not_to_remember():
    recipe = anonymize(TABLE, NUMBERS, k=5).recipe
    with pytest.raises(InputError, match="remember=False"):
        facts_of(apply_recipe(TABLE, recipe, remember=False))


def test_constant_columns():
    table = TABLE.with_columns(age=pl.lit(3), ill=pl.lit("no"))
    facts = checked(anonymize(table, NUMBERS, k=5))
    assert facts["utility"]["costs"][0]["loss"] == 0
    assert facts["utility"]["models"] == []


def test_one_column():
    facts = checked(
        anonymize(TABLE, Schema("age", confidential="ill", others="drop"), k=5)
    )
    assert [c["share"] for c in facts["utility"]["costs"]] == [1.0]
    assert facts["risk"]["carriers"][0]["share"] == 1.0


def test_file_source_and_signature(tmp_path):
    release = anonymize(TABLE, NUMBERS, k=5)
    source = tmp_path / "in.csv"
    TABLE.write_csv(source)
    sidecars = {"certificate": tmp_path / "c.json", "source": source}
    document = release.save(tmp_path / "out.csv", **sidecars)
    facts = checked(release, purpose="care", author="A. Nurse", document=document)
    assert (facts["purpose"], facts["author"]) == ("care", "A. Nurse")
    assert facts["file"]["name"] == "out.csv" and facts["file"]["records"] == N
    assert facts["source"] == {"name": None, **document["source"]}
    assert facts["hashes"]["file"] == document["file"]["sha256"]
    assert {f["counted_on"] for f in facts["findings"]} == {"table", "file"}


def test_no_hash_tells_the_order_of_the_original(tmp_path):
    """A digest of records in their order would tell whether a guess of it is right."""
    release = anonymize(TABLE, NUMBERS, k=5)
    source = tmp_path / "in.csv"
    TABLE.write_csv(source)
    sidecars = {"certificate": tmp_path / "c.json", "source": source}
    document = release.save(tmp_path / "out.csv", **sidecars)
    for given in ({}, {"document": document}):
        assert release.fingerprint not in json.dumps(facts_of(release, **given))


def test_what_few_people_have_costs_nothing_that_is_told():
    few = pl.Series([1.0, 2.0, 30.0, *[None] * (N - 3)])
    table = TABLE.select("age", "pay").with_columns(few=few)
    release = anonymize(table, Schema(["age", "pay", "few"]), k=5, missing="ignore")
    costs = checked(release)["utility"]["costs"]
    assert [cost["name"] for cost in costs] == ["age", "pay"]
    assert sum(cost["share"] for cost in costs) == pytest.approx(1, abs=1e-3)


def test_a_column_called_seed_does_not_spoil_the_recipe():
    table = TABLE.select(pl.col("age").alias("seed"))
    schema = Schema("seed", kinds={"seed": "numeric"})
    recipe = tomllib.loads(facts_of(anonymize(table, schema, k=5))["recipe"])
    assert recipe["columns"] == {"seed": {"kind": "numeric"}}


def test_the_same_release_gives_the_same_facts():
    first, second = (facts_of(anonymize(TABLE, NUMBERS, k=5)) for _ in range(2))
    del first["created"], second["created"]
    assert first == second


def test_no_seed():
    release = anonymize(
        TABLE, NUMBERS, k=5, method="random-aggregation", random_state=987_123
    )
    assert "987123" not in json.dumps(facts_of(release))


def test_what_is_shown_is_what_is_measured():
    release = anonymize(TABLE, NUMBERS, k=5)
    facts = facts_of(release)
    before, after = release.before.X, release.before.X_released
    columns = {c["name"]: c for c in facts["utility"]["columns"]}
    assert columns["age"]["mean"]["before"] == pytest.approx(AGE.mean(), rel=1e-3)
    assert columns["pay"]["sd"]["after"] == pytest.approx(after[:, 1].std(), rel=1e-3)
    costs = [c["loss"] for c in facts["utility"]["costs"]]
    expected = [relative_loss(before[:, [j]], after[:, [j]]) for j in range(2)]
    assert costs == pytest.approx(expected, abs=loss_step(N) / 2 + 1e-9)
    (ill, _) = facts["risk"]["attributes"]
    found = homogeneity(after, TABLE["ill"].to_numpy())
    assert ill["uniform"] == pytest.approx(found.homogeneous_records, rel=1e-3)
    related = facts["utility"]["associations"]
    assert related["names"] == ["age", "pay", "ill", "score"]
    assert related["before"][0][1] == pytest.approx(
        np.corrcoef(before.T)[0, 1],
        abs=0.025,  # five of 120 may change places
    )
    sizes = facts["risk"]["class_sizes"]
    assert sum(b["records"] for b in sizes["bins"]) == N
    assert sum(b["classes"] for b in sizes["bins"]) == release.cells[0]


def test_linkage_is_told_once():
    """What is measured of all records is not told again of a sample."""
    release = anonymize(TABLE, NUMBERS, k=5)
    told = facts_of(release)["risk"]["linkage"]
    measured = release.scores["distance_linkage_risk"]
    assert told == {"all": float(f"{measured:.4g}"), "records": N}
    unmeasured = facts_of(anonymize(TABLE, NUMBERS, k=5, measures="none"))
    assert unmeasured["risk"]["linkage"] == told  # the sample is all records


def test_models_are_tested_on_originals():
    release = anonymize(TABLE, NUMBERS, k=5)
    (model,) = facts_of(release)["utility"]["models"]
    assert model["column"] == "ill" and model["records_used"] == N
    assert model["interval"][0] <= model["released"] <= model["interval"][1]
    assert model["original"] > model["constant"]


def test_people_are_counted_where_units_are():
    facts = facts_of(anonymize(TABLE, MIXED, k=4, unit="house"))
    assert (facts["records"], facts["people"]) == (N, N // 2)
    assert facts["k_counts"] == "house"
    sizes = facts["risk"]["class_sizes"]
    assert sizes["smallest"] >= 4 and sum(b["records"] for b in sizes["bins"]) == N
    assert "60 values of house" in facts["answer"]["released"]


def test_progress_is_told():
    steps = []
    release = anonymize(TABLE, NUMBERS, k=5)
    with listen(lambda done, total, step: steps.append(step)):
        facts_of(release)
    assert len({s for s in steps if s.startswith("reporting")}) >= 4
