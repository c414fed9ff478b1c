"""Formats on the command line."""

import json
import re

import polars as pl
import pytest
from commands import run

from microcell.io import read_table, write_table

TABLE = pl.DataFrame({"age": [30, 32, 60, 62], "ill": ["a", "b", "c", "d"]})


@pytest.mark.parametrize(
    "suffix", [".xlsx", ".sav", ".dta", ".xpt", ".arrow", ".csv.gz"]
)
def test_from_file_to_file(suffix, tmp_path):
    source, out = tmp_path / f"t{suffix}", tmp_path / f"o{suffix}"
    write_table(TABLE, source)
    named = f"{source}::release" if suffix == ".xlsx" else source
    done = run(
        "anonymize", named, "-k", 2, "-q", "age", "-c", "ill", "-o", out,
        "--json", "--write-recipe", tmp_path / "r.toml",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    file = json.loads(done.stdout)["file"]
    assert file["records"] == 4 and file["read_back_by"]
    checked = run("check", out, "-q", "age", "-k", 2)
    assert checked.exit_code == 0, checked.stderr
    again = tmp_path / f"again{suffix}"
    done = run("anonymize", source, "--recipe", tmp_path / "r.toml", "-o", again)
    assert done.exit_code == 0, done.stderr
    assert read_table(again).equals(read_table(out))


def test_what_cannot_be_told_names_the_option(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("age,name\n30,Kovač\n31,Ann\n".encode("cp1250"))
    arguments = ["anonymize", path, "-k", 2, "-q", "age", "-c", "name"]
    done = run(*arguments, "-o", tmp_path / "o.csv")
    assert done.exit_code != 0
    assert "--encoding" in done.stderr
    done = run(*arguments, "--encoding", "cp1250", "-o", tmp_path / "o.csv")
    assert done.exit_code == 0, done.stderr
    assert "Kovač" in (tmp_path / "o.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["anonymize", "check", "measure", "compare"])
def test_help_names_the_formats(command):
    text = re.sub(r"[\s│]+", " ", run(command, "--help").stdout)
    for word in ("CSV", "Parquet", "Excel", "SPSS", "Stata", "SAS"):
        assert word in text


def test_an_unknown_suffix_lists_what_there_is(tmp_path):
    done = run("anonymize", tmp_path / "t.doc", "-k", 2, "-q", "a", "-o", "o.csv")
    assert done.exit_code != 0
    for suffix in (".csv.gz", ".xlsx", ".sav", ".dta", ".xpt", ".sas7bdat"):
        assert suffix in done.stderr
