import datetime as dt
import hashlib
import json
import re

import polars as pl
import pytest
from frames import LIBRARIES, PATIENTS, SCHEMA

import microcell.io._tables
from microcell import (
    PrivacyError,
    Recipe,
    Schema,
    anonymize,
)
from microcell.datasets import load_diabetes_patients
from microcell.io import read_table
from microcell.metrics import homogeneity
from microcell.privacy import class_codes


@pytest.fixture(params=LIBRARIES)
def release(request):
    return anonymize(LIBRARIES[request.param](), SCHEMA, k=3)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_save_writes_what_was_released(release, suffix, tmp_path):
    path = tmp_path / f"release{suffix}"
    document = release.save(path, certificate=tmp_path / "c.json")
    written = read_table(path)
    assert written.height == 6 and "name" not in written.columns
    assert document["file"]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert json.loads((tmp_path / "c.json").read_text()) == document
    assert [f["counted_on"] for f in document["findings"]] == ["table", "file"]
    assert {p.name for p in tmp_path.iterdir()} == {path.name, "c.json"}


def test_certificate_holds_no_values(release, tmp_path):
    text = json.dumps(release.save(tmp_path / "release.csv"))
    for value in [*PATIENTS["name"], "flu", "gout", "79.9", "2024-0"]:
        assert value not in text


def test_saved_recipe_is_the_recipe(release, tmp_path):
    release.save(tmp_path / "release.csv", recipe=tmp_path / "recipe.toml")
    assert Recipe.from_toml(tmp_path / "recipe.toml") == release.recipe


def test_existing_files_are_kept(release, tmp_path):
    path = tmp_path / "release.csv"
    path.write_text("precious")
    with pytest.raises(FileExistsError, match="exists"):
        release.save(path)
    assert path.read_text() == "precious"
    release.save(path, overwrite=True)
    assert path.read_text() != "precious"


def test_a_file_that_breaks_the_promise_is_not_published(
    release, tmp_path, monkeypatch
):
    """What is on the disk counts, not what was meant to be there."""
    honest = pl.DataFrame.write_csv

    def careless(frame, *args, **options):
        spoiled = pl.Series("age", [99.0, *frame["age"][1:]])
        return honest(frame.with_columns(spoiled), *args, **options)

    monkeypatch.setattr(microcell.io._tables.pl.DataFrame, "write_csv", careless)
    with pytest.raises(PrivacyError, match="found 1"):
        release.save(tmp_path / "release.csv", certificate=tmp_path / "c.json")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_lost_records_is_not_published(release, tmp_path, monkeypatch):
    honest = pl.DataFrame.write_parquet

    def careless(frame, *args, **options):
        return honest(frame.head(3), *args, **options)

    monkeypatch.setattr(microcell.io._tables.pl.DataFrame, "write_parquet", careless)
    with pytest.raises(RuntimeError, match="3 records were read back"):
        release.save(tmp_path / "release.parquet")
    assert list(tmp_path.iterdir()) == []


def test_summary_says_what_matters(release):
    text = release.summary()
    for word in ("records released    6", "promised 3, found 3", "loss and risk"):
        assert word in text
    assert text in repr(release)


def test_blocks_are_counted_in_the_file(tmp_path):
    table = LIBRARIES["polars"]()
    release = anonymize(table, SCHEMA, k=3, method="individual-ranking")
    findings = release.save(tmp_path / "release.csv")["findings"]
    on_file = [f for f in findings if f["counted_on"] == "file"]
    assert len(on_file) == 6
    assert on_file[-1]["promise"] == "k of the whole table"


def tampered(table):
    """The table of a release after somebody worked on it in place."""
    if isinstance(table, pl.DataFrame):
        table.insert_column(0, pl.Series("name", PATIENTS["name"]))
    else:
        table["name"] = PATIENTS["name"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_table_that_was_changed_is_not_saved(library, tmp_path):
    release = anonymize(LIBRARIES[library](), SCHEMA, k=3)
    tampered(release.table)
    with pytest.raises(ValueError, match="not the one that was verified"):
        release.save(tmp_path / "o.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_value_that_was_changed_is_not_saved(tmp_path):
    release = anonymize(LIBRARIES["pandas"](), SCHEMA, k=3)
    release.table.loc[0, "diagnosis"] = "hiv"
    with pytest.raises(ValueError, match="not the one that was verified"):
        release.save(tmp_path / "o.csv")


def test_certificate_lists_what_is_in_the_file(release, tmp_path):
    (tmp_path / "source.csv").write_text("name,age\n")
    document = release.save(
        tmp_path / "o.csv",
        certificate=tmp_path / "c.json",
        source=tmp_path / "source.csv",
    )
    columns = {c["name"]: (c["role"], c["treatment"]) for c in document["columns"]}
    assert list(columns) == document["file"]["columns"]
    assert columns["age"] == ("quasi-identifier", "masked as numeric")
    assert columns["diagnosis"] == ("confidential", "as it is")
    assert "name" not in columns
    assert list(document["source"]) == ["hmac_sha256"]


def test_what_cells_give_away_is_always_shown():
    table = load_diabetes_patients()
    ill = pl.Series("ill", ["yes", "no"] * 221)
    frame = table.frame.with_columns(ill)
    schema = Schema(["age", "bmi"], confidential=["ill", "s1"], others="drop")
    for method in ("mdav", "mondrian", "individual-ranking", "mdav-sd"):
        options = {"target": "ill"} if method == "mdav-sd" else {}
        release = anonymize(frame, schema, k=3, method=method, **options)
        classes = class_codes(release.table, ["age", "bmi"])
        expected = homogeneity(classes, frame["ill"].to_numpy())
        shown = release.disclosure["ill"]["homogeneous_records"]
        assert shown == pytest.approx(expected.homogeneous_records)
        given_away = f"{100 * shown:.2f} % of records give away ill"
        assert given_away in release.summary(verbose=True)
        assert re.search(rf"\n  ill .* {100 * shown:.2f} %", release.summary())
        assert set(release.certificate()["disclosure"]) == {"ill", "s1"}


def test_missing_confidential_values_are_a_value(release):
    assert release.disclosure["diagnosis"]["p_sensitivity"] == 2


def test_releases_can_be_compared():
    one, two = (anonymize(LIBRARIES["polars"](), SCHEMA, k=3) for _ in range(2))
    assert one == one and one != two


def test_a_list_is_no_schema():
    with pytest.raises(TypeError, match=r"Schema.*Got list instead"):
        anonymize(LIBRARIES["polars"](), ["age"], k=3)


def test_orders_of_dates_can_be_certified(tmp_path):
    days = [dt.date(2020, 1, d) for d in (1, 2, 3)]
    table = pl.DataFrame({"d": days * 5})
    release = anonymize(table, Schema(["d"], kinds={"d": days}), k=3)
    release.save(tmp_path / "o.csv", certificate=tmp_path / "c.json")
    assert json.loads((tmp_path / "c.json").read_text())["recipe"]["columns"]
