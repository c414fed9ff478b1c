import json

import polars as pl
import pytest

from microcell import Recipe, Schema, anonymize_file
from microcell.io import FORMATS, Format, _tables, format_of, read_columns, read_table


def read_lines(path, name, dialect):
    with open(path) as file:
        return pl.DataFrame([json.loads(line) for line in file])


def write_lines(frame, path, layouts, dialect):
    frame.write_ndjson(path)


LINES = Format(
    name="JSON lines",
    suffixes=(".jsonl",),
    typed=True,
    read=read_lines,
    columns=lambda path, name, dialect: read_lines(path, name, dialect).columns,
    write=write_lines,
    cannot_hold=lambda frame, dialect: {
        name: "bytes" for name, dtype in frame.schema.items() if dtype == pl.Binary
    },
)


@pytest.fixture
def with_lines(monkeypatch):
    monkeypatch.setitem(_tables.BY_SUFFIX, ".jsonl", LINES)


def test_a_new_format_is_one_object_and_one_line(with_lines, tmp_path):
    source, out = tmp_path / "t.jsonl", tmp_path / "o.jsonl"
    pl.DataFrame({"age": [30, 32, 60, 62], "b": ["x"] * 4}).write_ndjson(source)
    assert read_columns(source) == ["age", "b"]
    recipe = Recipe(Schema(["age"], others=["b"]), k=2)
    anonymize_file(source, recipe, out)
    assert read_table(out)["age"].to_list() == [31.0, 31.0, 61.0, 61.0]
    anonymize_file(source, recipe, tmp_path / "o.csv")
    assert pl.read_csv(tmp_path / "o.csv")["b"].to_list() == ["x"] * 4


def test_what_a_format_cannot_hold_is_an_error(with_lines, tmp_path):
    with pytest.raises(ValueError, match=r"\['b'\] hold bytes, which JSON lines"):
        _tables.write_table(pl.DataFrame({"b": [b"x"]}), tmp_path / "o.jsonl")


def test_unknown_suffixes_name_the_known_ones():
    with pytest.raises(ValueError, match=r"'\.doc'.*\.csv, \.tsv, .*\.parquet.*\.dta"):
        format_of("table.doc")
    known = " ".join(f.name for f in FORMATS)
    for name in "CSV TSV Parquet Arrow Excel SPSS Stata SAS".split():
        assert name in known


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_columns_without_records(suffix, tmp_path):
    path = tmp_path / f"t{suffix}"
    _tables.write_table(pl.DataFrame({"a": [1], "b": ["x"]}), path)
    assert read_columns(path) == ["a", "b"]
