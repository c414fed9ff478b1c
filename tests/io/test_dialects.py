"""Dialects of text files: found out or given, read and written."""

import gzip
import io

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell import Recipe, Schema, anonymize_file
from microcell.exceptions import InputError
from microcell.io import read_columns, read_source, read_table, write_table
from microcell.io._delimiter import DELIMITERS

ROWS = [("Müller", "1,5"), ("Jäger", "2,5"), ("Weiß", ""), ("a;b", 'say "x"')]
FRAME = pl.DataFrame(ROWS, schema=["name", "fee"], orient="row")


def packed(data, how):
    return (
        gzip.compress(data) if how == ".gz" else pa.compress(data, "zstd").to_pybytes()
    )


@pytest.mark.parametrize("how", ["", ".gz", ".zst"])
@pytest.mark.parametrize("encoding", [None, "utf-16", "utf-8-sig", "cp1252", "utf-32"])
def test_round_trips(how, encoding, tmp_path):
    for suffix in (".csv", ".tsv", ".txt"):
        path = tmp_path / f"t{suffix}{how}"
        write_table(FRAME, path, encoding=encoding)
        assert read_table(path, encoding=encoding).rows() == ROWS
        assert read_table(path).rows() == ROWS  # found out
        assert read_columns(path) == ["name", "fee"]
        head = path.read_bytes()[:4]
        marks = {"": head, ".gz": b"\x1f\x8b", ".zst": b"\x28\xb5"}
        assert head.startswith(marks[how])


@pytest.mark.parametrize("delimiter", DELIMITERS)
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt"])
def test_delimiters_are_found_out_and_said(delimiter, suffix, tmp_path):
    path = tmp_path / f"t{suffix}"
    write_table(FRAME, path, delimiter=delimiter)
    source = read_source(path)
    assert source.frame.rows() == ROWS and source.dialect.delimiter == delimiter
    own = {".csv": ","}.get(suffix, "\t")
    assert any("separated" in n for n in source.notices) == (delimiter != own)
    assert read_source(path, delimiter=delimiter).notices == ()


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-le"])
def test_encodings_are_said(encoding, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("name,x\nMüller,1\n".encode(encoding))
    source = read_source(path)
    assert source.dialect.encoding == encoding
    assert source.notices == (f"the table is text in {encoding}, as it seems",)
    assert read_source(path, encoding=encoding).notices == ()


fields = st.text(st.sampled_from(',;|\t"\n ab1'), max_size=4)


@given(
    rows=st.lists(st.tuples(fields, fields, fields), min_size=2, max_size=4),
    delimiter=st.sampled_from(DELIMITERS),
)
def test_a_delimiter_is_never_guessed_wrong(rows, delimiter, tmp_path_factory):
    """It is the one that wrote the file, or the file can be read in two ways."""
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    frame = pl.DataFrame(rows, schema=["a", "b", "c"], orient="row")
    write_table(frame, path, delimiter=delimiter)
    try:
        found = read_source(path, own=True)
    except InputError as error:
        assert error.option == "delimiter"
    else:
        assert found.frame.rows() == rows and found.dialect.delimiter == delimiter


def test_decimal_commas_are_no_delimiters(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("age;fee\n30;1,5\n32;2,5\n")
    assert read_table(path).rows() == [("30", "1,5"), ("32", "2,5")]


@pytest.mark.parametrize("how", [".gz", ".zst"])
def test_damaged_archives(how, tmp_path):
    path = tmp_path / f"t.csv{how}"
    text = io.StringIO()
    for j in range(50_000):
        text.write(f"{j},{j * 7919 % 1000}\n")
    whole = packed(b"a,b\n" + text.getvalue().encode(), how)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="damaged"):
        read_table(path)
    path.write_bytes(packed(b"a,b\n1,2\n3\n", how))
    with pytest.raises(InputError, match="line 3: 1 field"):
        read_table(path)
    path.write_bytes(packed(b'a,b\n1,"x\n2,y\n', how))
    with pytest.raises(InputError, match="a quote does not close"):
        read_table(path)


def test_long_records_in_an_archive(tmp_path):
    path = tmp_path / "t.csv.gz"
    long = "x" * (3 << 20)
    path.write_bytes(packed(f"a,b\n1,{long}\n2,y\n".encode(), ".gz"))
    assert read_table(path)["b"].to_list() == [long, "y"]


def test_letters_that_an_encoding_does_not_have(tmp_path):
    frame = pl.DataFrame({"name": ["Müller", "王"], "x": [1, 2]})
    with pytest.raises(InputError, match=r"\['name'\] hold letters that cp1252"):
        write_table(frame, tmp_path / "t.csv", encoding="cp1252")
    write_table(frame, tmp_path / "t.csv", encoding="utf-16")
    assert read_table(tmp_path / "t.csv")["name"].to_list() == ["Müller", "王"]


SOURCE = "age;town;fee\r\n30;Müller;1,5\r\n32;Jäger;2,5\r\n60;Weiß;3\r\n62;Ann;4\r\n"


def test_a_recipe_remembers_what_was_found_out(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "o.csv"
    path.write_bytes(SOURCE.encode("cp1252"))
    schema = Schema(["age"], confidential=["town", "fee"])
    recipe = Recipe(schema, k=2, output_delimiter=";", output_encoding="utf-16")
    done = anonymize_file(path, recipe, out, write_recipe=tmp_path / "r.toml")
    used = done.release.recipe
    assert (used.format, used.delimiter, used.encoding) == ("csv", ";", "cp1252")
    assert sum("as it seems" in n for n in done.release.notices) == 2
    assert out.read_bytes().decode("utf-16").splitlines()[1] == "31,0;Jäger;2,5"
    assert done.certificate["file"]["read_back_by"] == ["pyarrow"]
    again = anonymize_file(path, tmp_path / "r.toml", tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == out.read_bytes()
    assert not any("as it seems" in n for n in again.release.notices)
    assert again.release.recipe == used


def test_a_recipe_of_another_format(tmp_path):
    pl.DataFrame({"age": [30, 32]}).write_parquet(tmp_path / "t.parquet")
    pl.DataFrame({"age": [30, 32]}).write_csv(tmp_path / "t.csv")
    (tmp_path / "t.csv").rename(tmp_path / "t.dat")
    recipe = Recipe(Schema(["age"]), k=2, format="csv")
    anonymize_file(tmp_path / "t.dat", recipe, tmp_path / "o.csv")
    with pytest.raises(InputError, match=r"said to be 'csv', and its suffix says Par"):
        anonymize_file(tmp_path / "t.parquet", recipe, tmp_path / "p.csv")
    with pytest.raises(InputError, match=r"no format 'word'\. There are csv"):
        anonymize_file(
            tmp_path / "t.dat",
            Recipe(Schema(["age"]), k=2, format="word"),
            tmp_path / "p.csv",
        )


def test_a_dialect_for_a_format_without_one(tmp_path):
    pl.DataFrame({"age": [30, 32]}).write_parquet(tmp_path / "t.parquet")
    recipe = Recipe(Schema(["age"]), k=2, output_encoding="utf-16")
    with pytest.raises(InputError, match="A file of Parquet has no encoding"):
        anonymize_file(tmp_path / "t.parquet", recipe, tmp_path / "o.parquet")
    assert not (tmp_path / "o.parquet").exists()


def test_one_column_with_quotes_and_gaps(tmp_path):
    frame = pl.DataFrame({"place": ["a, b", None, "c", None]})
    write_table(frame, tmp_path / "t.csv")
    assert read_table(tmp_path / "t.csv")["place"].to_list() == ["a, b", "", "c", ""]
    (tmp_path / "t.csv").write_text('place\n"a\n\nb\n')
    with pytest.raises(InputError, match="a quote does not close"):
        read_table(tmp_path / "t.csv")


@pytest.mark.parametrize("how", ["", ".gz"])
def test_utf8_that_is_said_to_be_something_else(how, tmp_path):
    """As by the recipe of last year's file."""
    path = tmp_path / f"t.csv{how}"
    write_table(FRAME, path)
    (notice,) = read_source(path, encoding="cp1252").notices
    assert "seems to be text in UTF-8" in notice
    write_table(FRAME, path, encoding="cp1252")
    assert read_source(path, encoding="cp1252").notices == ()
    write_table(FRAME.filter(name="a;b"), path)  # ASCII is the same in both
    assert read_source(path, encoding="cp1252").notices == ()


@pytest.mark.parametrize("name", ["inf", "nan", "-Infinity"])
def test_columns_that_are_called_like_numbers_without_end(name, tmp_path):
    (tmp_path / "t.csv").write_text(f"{name},b\n" + "inf,1\n2,3\n" * 5)
    assert read_table(tmp_path / "t.csv").columns == [name, "b"]
