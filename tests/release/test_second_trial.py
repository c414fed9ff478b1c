"""What a trial of the columns that people have found, kept mended."""

import json

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from microcell import Schema, anonymize, measure
from microcell.cli._app import app
from microcell.exceptions import InputError


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments], prog_name="microcell")


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
    incomes = [f"{10 + i}.{i:03d},50" for i in rows]
    sexes = ["m" if i % 2 else "f" for i in rows]
    pl.DataFrame({"inc": incomes, "sex": sexes}).write_csv("b.csv", separator=";")
    return tmp_path


GERMAN = ["--delimiter", ";", "--decimal", ",", "-k", 5, "-q", "inc,sex"]


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


@pytest.mark.parametrize(
    ("limit", "highest"),
    [(":40.000", 40_000.0), (":40000,5", 40_000.5), (":70%", None)],
)
def test_limits_are_read_as_the_column_is_written(folder, limit, highest):
    done = run("anonymize", "b.csv", *GERMAN, "--clip", f"inc={limit}", "-o", "o.csv")
    assert done.exit_code == 0, done.stderr
    written = pl.read_csv(folder / "o.csv", separator=";", infer_schema=False)
    texts = written["inc"]
    plain = texts.str.replace_all(".", "", literal=True).str.replace(",", ".")
    numbers = plain.cast(pl.Float64)
    assert numbers.min() > 1000
    if highest is not None:
        assert numbers.max() <= highest
    wrong = run("anonymize", "b.csv", *GERMAN, "--clip", "inc=:40.00", "-o", "p.csv")
    assert wrong.exit_code == 2 and "as the column writes them" in wrong.stderr


def test_numbers_of_python_are_numbers_whatever_the_text(folder):
    table = pl.read_csv("b.csv", separator=";", infer_schema=False)
    release = anonymize(
        table, Schema(["inc", "sex"]), k=5, decimal=",", clip={"inc": (None, 40000.125)}
    )
    assert 39_000 < release.table["inc"].max() <= 40_000.125


def test_a_quantile_is_nobodys_value(folder):
    done = run("anonymize", "b.csv", *GERMAN, "--clip", "inc=5%:95%", "-o", "o.csv")
    assert done.exit_code == 0, done.stderr
    told = done.stdout.split("is clipped to between ")[1].split(":")[0].split(" and ")
    source = (folder / "b.csv").read_text()
    for limit in told:
        assert limit.rstrip("0") not in source
    table = pl.DataFrame(
        {"day": pl.date_range(pl.date(1950, 1, 1), pl.date(1950, 7, 1), eager=True)}
    )
    release = anonymize(table, Schema(["day"]), k=3, clip={"day": "2%:98%"})
    notice = next(n for n in release.notices if "clipped" in n)
    assert "1950-01-08" in notice or "1950-02-01" in notice or "-01 " in notice


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


def test_rounded_ends_are_never_one_value():
    table = pl.DataFrame({"x": [(i % 3 + 1) * 1.25 for i in range(30)]})
    release = anonymize(table, Schema(["x"]), k=3, aggregate="interval", ends="rounded")
    for text in set(release.table["x"]):
        low, high = map(float, text[1:-1].split(", "))
        assert low < high


def test_a_column_that_is_all_missing_is_named():
    nothing = pl.Series([None, None], dtype=pl.Int64)
    table = pl.DataFrame({"a": [1.0, 2.0], "b": nothing})
    with pytest.raises(InputError, match=r"'b' \(2\)"):
        anonymize(table, Schema(["a", "b"]), k=2, missing="drop")


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


def test_limits_inside_keep_k_records():
    rng = np.random.default_rng(0)
    for k in (2, 5, 9):
        values = rng.lognormal(8, 1, 200)
        release = anonymize(
            pl.DataFrame({"x": values}), Schema(["x"]), k=k, clip={"x": "1%:99%"}
        )
        notice = next(n for n in release.notices if "clipped" in n)
        low, high = notice.split("between ")[1].split(":")[0].split(" and ")
        assert np.sum(values <= float(low)) >= k and np.sum(values >= float(high)) >= k
        assert float(low) not in values and float(high) not in values
