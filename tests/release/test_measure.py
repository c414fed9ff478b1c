"""What a table lost, measured beside its original: the same figures as the release."""

import datetime as dt
import json

import polars as pl
import pytest
from commands import run

from microcell import (
    Recipe,
    Schema,
    SchemaError,
    anonymize,
    anonymize_file,
    check_file,
    measure,
    measure_files,
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = range(1, 61)
    pl.DataFrame(
        {
            "age": [None if i % 3 == 0 else 20 + i for i in rows],
            "sex": ["m" if i % 2 else "f" for i in rows],
            "hh": [i // 2 for i in rows],
            "w": [10 + i for i in rows],
            "y": list(rows),
        }
    ).write_csv("a.csv")
    return tmp_path


@pytest.mark.parametrize("missing", ["category", "ignore", "impute"])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file_with_gaps_is_measured(folder, missing, suffix):
    out = f"out.{suffix}"
    roles = ["-q", "age,sex"]
    done = run(
        "anonymize", "a.csv", "-k", 5, *roles, "--others", "drop", "--missing", missing,
        "--order", "keep", "-o", out, "--certificate", "c.json",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    scores = run("measure", "a.csv", out, *roles, "--missing", missing, "--json")
    assert scores.exit_code == 0, scores.stderr
    told = json.loads((folder / "c.json").read_text())["scores"]
    assert json.loads(scores.stdout) == pytest.approx(told)


def test_a_sorted_column_of_two_values_is_noticed(folder):
    table = pl.read_csv("a.csv").select("sex")
    table.write_csv("sex.csv")
    released = run("anonymize", "sex.csv", "-k", 5, "-q", "sex", "-o", "s.csv")
    assert released.exit_code == 0
    done = run("measure", "sex.csv", "s.csv", "-q", "sex")
    assert done.exit_code == 0
    assert "another order" in done.stdout and "information loss  " not in done.stdout


def test_weights_and_units_of_measure(folder):
    done = run(
        "anonymize", "a.csv", "-k", 5, "-q", "age,sex", "-i", "hh", "--others", "drop",
        "--missing", "ignore", "--unit", "hh", "--weights", "w", "-o", "o.csv",
        "--order", "keep", "--certificate", "c.json",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    scores = run(
        "measure", "a.csv", "o.csv", "-q", "age,sex", "--missing", "ignore", "--unit",
        "hh", "--weights", "w", "--json",
    )  # fmt: skip
    assert scores.exit_code == 0, scores.stderr
    told = json.loads((folder / "c.json").read_text())["scores"]
    assert json.loads(scores.stdout) == pytest.approx(told)
    records = run(
        "measure", "a.csv", "o.csv", "-q", "age,sex", "--missing", "ignore", "--unit",
        "records",
    )  # fmt: skip
    assert records.exit_code == 0 and "any member" not in records.stdout


def test_sets_of_numbers_with_a_decimal_comma(folder):
    table = pl.DataFrame({"x": [f"{i % 7},5" for i in range(28)]})
    release = anonymize(
        table, Schema(["x"], kinds={"x": "numeric"}), k=5, decimal=",", aggregate="set"
    )
    assert all("; " in text or "," in text for text in release.table["x"])
    scores = measure(
        table, release.table, "x", decimal=",", kinds={"x": "numeric"}, aligned=True
    )
    assert scores["sse_loss"] == pytest.approx(release.scores["sse_loss"])


def test_releases_of_dialects_can_be_checked_and_measured(tmp_path):
    path, out = tmp_path / "s.csv", tmp_path / "o.csv"
    text = "age;h\n" + "\n".join(f"{20 + i};{i % 7}" for i in range(30)) + "\n"
    path.write_text(text, encoding="utf-16")
    recipe = Recipe(
        Schema(["age", "h"]), k=3, order="keep", delimiter=";", encoding="utf-16"
    )
    release = anonymize_file(path, recipe, out).release
    assert check_file(out, recipe=recipe).holds
    dialect = {"delimiter": ";", "encoding": "utf-16"}
    assert measure_files(path, out, ["age", "h"], **dialect) == release.scores


def test_text_tables_are_measured_as_they_are_released():
    ages = ["NA", *(str(20 + 3 * i) for i in range(29))]
    text = pl.DataFrame({"age": ages, "sex": ["f", "m"] * 15})
    for table in (text, text.to_pandas(), text.to_arrow()):
        release = anonymize(table, Schema(["age", "sex"]), k=3, missing="drop")
        scores = measure(table, release.table, ["age", "sex"], missing="drop")
        assert scores == pytest.approx(release.scores)


def test_intervals_of_declared_numbers_are_measured(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "o.csv"
    path.write_text("lvl\n" + "".join(f"{i % 9}\n" for i in range(30)))
    kinds = {"lvl": "numeric"}
    schema = Schema(["lvl"], kinds=kinds)
    recipe = Recipe(schema, k=3, aggregate="interval", order="keep")
    release = anonymize_file(path, recipe, out).release
    assert measure_files(path, out, "lvl", kinds=kinds) == release.scores


def test_a_release_of_another_kind_cannot_be_measured():
    days = pl.DataFrame({"d": [dt.date(2020, 1, d) for d in range(1, 11)]})
    numbers = pl.DataFrame({"d": range(10)})
    with pytest.raises(SchemaError, match="holds dates in the original"):
        measure(days, numbers, "d")
