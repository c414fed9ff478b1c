import os
from decimal import Decimal

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.base import SchemaError
from microcell.io import read_table, type_columns, write_table


def test_text_is_kept_as_it_stands(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('zip,note\n02139,"a, ""b"""\n1.50,\n')
    frame = read_table(path)
    assert frame.rows() == [("02139", 'a, "b"'), ("1.50", "")]
    write_table(frame, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == path.read_text()


cells = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters='\n,"; '),
    max_size=5,
)


@given(rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=8))
def test_any_text_survives(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    frame = pl.DataFrame(rows, schema=["a", "b"], orient="row")
    write_table(frame, path)
    assert read_table(path).rows() == rows


def test_missing_values_in_a_table_of_one_column(tmp_path):
    frame = pl.DataFrame({"a": ["x", None, "y"]})
    write_table(frame, tmp_path / "t.csv")
    assert read_table(tmp_path / "t.csv").height == 3


def test_bom_delimiters_and_encodings(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("\ufeffa;b\nä;2\n".encode())
    assert read_table(path, delimiter=";").rows() == [("ä", "2")]
    path.write_bytes("a;b\nä;2\n".encode("cp1252"))
    assert read_table(path, delimiter=";", encoding="cp1252").rows() == [("ä", "2")]
    with pytest.raises(ValueError, match="not text in utf-8"):
        read_table(path, delimiter=";")


@pytest.mark.parametrize(
    "encoding", ["utf-9", "rot13", "base64", "undefined", "\0", ""]
)
def test_encodings_that_are_none_of_text(encoding, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="no text encoding"):
        read_table(path, encoding=encoding)


@pytest.mark.parametrize("encoding", ["utf-16", "punycode"])
def test_text_in_another_encoding(encoding, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=f"not text in {encoding}"):
        read_table(path, encoding=encoding)


@pytest.mark.parametrize("delimiter", ['"', "\n", "\r", "\0", "", ",,", "ä"])
def test_bad_delimiters(delimiter, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="The delimiter must be one character"):
        read_table(path, delimiter=delimiter)


@pytest.mark.parametrize("quote", ["", '"'])
def test_long_fields(quote, tmp_path):
    """Longer than a block of the reader, in a record and in the header."""
    path = tmp_path / "t.csv"
    long = "x" * (3 << 20)
    path.write_text(f"a,b\n1,{quote}{long}{quote}\n2,y\n")
    assert read_table(path)["b"].to_list() == [long, "y"]
    path.write_text(f"a,{long}\n1,u\n2,v\n")
    assert read_table(path).columns == ["a", long]


def test_pipes_links_and_odd_paths(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(OSError, match="a pipe or a device"):
        read_table(tmp_path / "pipe.csv")
    loop = tmp_path / "loop.csv"
    loop.symlink_to(loop)
    with pytest.raises(FileNotFoundError, match="a link to itself"):
        read_table(loop)
    with pytest.raises(ValueError, match="NUL"):
        read_table("a\0b.csv")


WIDE = pa.decimal256(50, 2)
CODES = pa.array([0, 1, None], pa.int8())
READABLE = {
    "half floats": pa.array(np.array([1, 2, 3], np.float16)),
    "text views": pa.array(["a", "b", None], pa.string_view()),
    "ordered categories": pa.DictionaryArray.from_arrays(
        CODES, ["a", "b"], ordered=True
    ),
    "categories of numbers": pa.DictionaryArray.from_arrays(CODES, pa.array([7, 8])),
    "categories in lists": pa.ListArray.from_arrays(
        [0, 1, 2, 3], pa.DictionaryArray.from_arrays(CODES, ["a", "b"])
    ),
    "small decimals": pa.array([Decimal("1.5")] * 3, pa.decimal32(5, 2)),
    "JSON": pa.array(["{}", "[1]", None], pa.json_()),
    "nothing": pa.nulls(3),
}


@pytest.mark.parametrize("column", READABLE.values(), ids=READABLE)
def test_types_of_parquet(column, tmp_path):
    path = tmp_path / "t.parquet"
    pyarrow.parquet.write_table(pa.table({"a": [1, 2, 3], "x": column}), path)
    frame = read_table(path)
    assert frame["x"].to_list() == column.to_pylist()
    write_table(frame, path)
    assert read_table(path)["x"].equals(frame["x"])
    if not frame["x"].dtype.is_nested():
        write_table(frame, tmp_path / "t.csv")


UNREADABLE = {
    "wide decimals": (pa.array([Decimal(1)] * 3, WIDE), "more than 38 digits"),
    "in lists": (pa.array([[Decimal(1)]] * 3, pa.list_(WIDE)), "more than 38 digits"),
    "in structures": (
        pa.array([{"a": Decimal(1)}] * 3, pa.struct([("a", WIDE)])),
        "more than 38 digits",
    ),
    "time zone": (
        pa.array([1, 2, 3], pa.timestamp("us", tz="+05:30")),
        r"'x' \(timestamp\[us, tz=\+05:30\]\)",
    ),
    "list views": (pa.array([[1]] * 3, pa.list_view(pa.int64())), "'x' .*list_view"),
    "empty lists": (pa.array([[]] * 3, pa.list_(pa.int8(), 0)), "a type that cannot"),
}


@pytest.mark.parametrize(("column", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_types_of_parquet_that_are_refused(column, message, tmp_path):
    path = tmp_path / "t.parquet"
    pyarrow.parquet.write_table(pa.table({"a": [1, 2, 3], "x": column}), path)
    with pytest.raises(ValueError, match=message):
        read_table(path)


def test_long_integers_and_damaged_files(tmp_path):
    path = tmp_path / "t.parquet"
    pl.DataFrame({"a": pl.Series([1, 2], dtype=pl.Int128)}).write_parquet(path)
    with pytest.raises(ValueError, match="a type that cannot be read"):
        read_table(path)
    pl.DataFrame({"a": [1, 2]}).write_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(ValueError, match="is not a Parquet file"):
        read_table(path)
    path.write_bytes(whole[:10] + b"\xff" * 40 + whole[50:])
    with pytest.raises(ValueError, match="damaged"):
        read_table(path)
    table = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    pyarrow.parquet.write_table(table, path)
    with pytest.raises(ValueError, match="repeated column names"):
        read_table(path)


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"", "is empty"),
        (b"a,b\n", "header but no records"),
        (b"\n\n", "no header"),
        (b"a,b\n1,2\n3\n", "line 3: 1 field"),
        (b"a,b\n1,2\n3,4,5\n", "line 3: 3 field"),
        (b"a,a\n1,2\n", r"repeated column names: fields \[1, 2\] of line 1"),
        (b"\x89PNG\0\0\n", "not text"),
        (b"a;b\n1;2\n", "holds ';'. Name the delimiter"),
        (b"a,b\n1,\xff\n", "not text in utf-8"),
        (b'a,b\n1,"x\n2,y\n', "a quote does not close"),
        (b'a,b\n1,"x\n2,"y"\n3,z\n', "a quote does not close"),
        (b"a,b\n" + b"1,x\n" * 50000 + b"1,\xff\n", "Name its encoding"),
        (b"a,b\n" + b"1," + b"x" * 200000 + b"\n1\n", "line 3: 1 field"),
    ],
)
def test_files_that_are_no_table(contents, message, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(contents)
    with pytest.raises(ValueError, match=message):
        read_table(path)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file"):
        read_table(tmp_path / "t.csv")
    with pytest.raises(ValueError, match=r"suffix '.doc'"):
        read_table(tmp_path / "t.doc")
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(IsADirectoryError):
        read_table(tmp_path / "d.csv")
    (tmp_path / "t.parquet").write_text("no")
    with pytest.raises(ValueError, match="not a Parquet file"):
        read_table(tmp_path / "t.parquet")


@pytest.mark.parametrize("encoding", ["utf-8", "UTF-8", "utf8", "utf-8-sig"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_text_stays_text_however_the_encoding_is_spelt(encoding, mark, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes((mark + "code,age\r\n0001,20\r\n").encode())
    assert read_table(path, encoding=encoding).rows() == [("0001", "20")]


def test_column_names_with_line_breaks(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b'"my\r\ncode",age\r\n0001,20\r\n')
    frame = read_table(path)
    assert frame.columns == ["my\r\ncode", "age"] and frame[0, 0] == "0001"


def test_types_that_lose_nothing():
    columns = {
        "account": ["12345678901234567890", "12345678901234567891"],
        "precise": ["0.1234567890123456789", "1"],
        "price": ["1.50", "2.00"],
        "whole": ["1", "2"],
        "number": ["1.5", "2.0"],
        "day": ["2024-01-01", "2024-01-02"],
        "word": ["NA", "null"],
    }
    frame = type_columns(
        pl.DataFrame(columns), list(columns), missing_marks=[""], mixed="text"
    )
    assert frame.dtypes == [pl.String] * 3 + [pl.Int64, pl.Float64, pl.Date, pl.String]
    assert frame.cast(pl.String).to_dict(as_series=False) == columns


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (["1", "-2", " 3"], pl.Int64),
        (["1", "2.5", "1e3"], pl.Float64),
        (["1", ""], pl.Int64),
        (["1", "NA"], pl.Int64),
        (["02139", "90210"], pl.String),
        (["0", "10"], pl.Int64),
        (["0.5", "1"], pl.Float64),
        (["2024-02-29", "2023-01-01"], pl.Date),
        (["2024-02-29T10:00:00", "2023-01-01 11:30"], pl.Datetime("us")),
        (["a", "b", "1"], pl.String),
        (["", ""], pl.String),
        (["99999999999999999999", "1"], pl.Float64),
    ],
)
def test_what_text_stands_for(values, dtype):
    frame = type_columns(pl.DataFrame({"a": values, "b": values}), ["a"])
    assert frame["a"].dtype == dtype
    assert frame["b"].to_list() == values  # a column that is not named keeps its text


def test_declared_kinds_decide():
    frame = pl.DataFrame({"a": ["1", "2"], "b": ["01", "02"], "c": ["1", "2"]})
    kinds = {"a": "nominal", "b": "numeric", "c": [2, 1]}
    typed = type_columns(frame, ["a", "b", "c"], kinds)
    assert typed.dtypes == [pl.String, pl.Int64, pl.Int64]


def test_numbers_with_a_stranger_are_an_error():
    frame = pl.DataFrame({"a": ["1", "2", "?"]})
    with pytest.raises(SchemaError, match=r"holds numbers and '\?'"):
        type_columns(frame, ["a"])
    assert type_columns(frame, ["a"], missing_marks=["?"])["a"].null_count() == 1
    assert type_columns(frame, ["a"], mixed="text")["a"].dtype == pl.String


def test_impossible_moments():
    frame = pl.DataFrame({"a": ["2024-01-01 25:00:00"] * 2})
    with pytest.raises(SchemaError, match="which is no date"):
        type_columns(frame, ["a"])


@pytest.mark.parametrize("kind", ["ordinal", [1, 2, 3]])
def test_text_declared_as_an_order_of_numbers_stays_text(kind):
    frame = pl.DataFrame({"a": ["low", "mid"]})
    assert type_columns(frame, ["a"], {"a": kind})["a"].dtype == pl.String


def test_impossible_dates():
    frame = pl.DataFrame({"a": ["2023-02-29", "2023-01-01"]})
    with pytest.raises(SchemaError, match="'2023-02-29', which is no date"):
        type_columns(frame, ["a"])
