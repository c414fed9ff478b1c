"""Bytes that are text in the encoding that was named, and bytes that are not."""

import polars as pl
import pytest

from microcell.io import read_columns, read_table

TEXT = 'name,city\nAnn,"Málaga, south"\nBob,Köln\n'


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"],
)
def test_text_in_an_encoding_that_is_named(encoding, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(TEXT.encode(encoding))
    table = read_table(path, encoding=encoding)
    expected = {"name": ["Ann", "Bob"], "city": ["Málaga, south", "Köln"]}
    assert table.equals(pl.DataFrame(expected))
    assert read_columns(path, encoding=encoding) == ["name", "city"]


@pytest.mark.parametrize("encoding", [None, "utf-8", "cp1252"])
@pytest.mark.parametrize("place", [0, 2, len(TEXT)])
def test_a_file_that_is_no_text_is_refused(place, encoding, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes((TEXT[:place] + "\0" + TEXT[place:]).encode("cp1252"))
    with pytest.raises(ValueError, match="is not text, so it is not a CSV file"):
        read_table(path, encoding=encoding)
