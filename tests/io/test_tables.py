import os
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell.base import SchemaError
from microcell.columns import type_columns
from microcell.io import read_table, write_table
from microcell.io._layouts import as_text, layouts_of


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


@settings(max_examples=30)
@given(rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=8))
def test_any_text_survives(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    frame = pl.DataFrame(rows, schema=["a", "b"], orient="row")
    write_table(frame, path)
    assert read_table(path).rows() == rows


@pytest.mark.parametrize("values", [["x", None, "y"], [1, None, 2], [None]])
def test_missing_values_in_a_table_of_one_column(tmp_path, values):
    """Readers pass over empty lines."""
    frame = pl.DataFrame({"a": values})
    write_table(frame, tmp_path / "t.csv")
    assert '""' in (tmp_path / "t.csv").read_text().split("\n")
    assert read_table(tmp_path / "t.csv").height == len(values)
    assert len(pd.read_csv(tmp_path / "t.csv")) == len(values)


def test_bom_delimiters_and_encodings(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("\ufeffa;b\nä;2\n".encode())
    assert read_table(path, delimiter=";").rows() == [("ä", "2")]
    path.write_bytes("a;b\nä;2\n".encode("cp1252"))
    assert read_table(path, delimiter=";", encoding="cp1252").rows() == [("ä", "2")]
    with pytest.raises(ValueError, match="not text in UTF-8"):
        read_table(path, delimiter=";")
    with pytest.raises(ValueError, match="not text in utf-8"):
        read_table(path, delimiter=";", encoding="utf-8")


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
        (b"a;b\n1;2\n1;2;3\n", "holds ';'. Name the delimiter"),
        (b"a;b,c\n1;2,3\n", "separated by ',' or by ';'. Name the delimiter"),
        (b"a,b\n1,\xff\n", "not text in UTF-8"),
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


@for_each(
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
        (["1.", ".5", "+1", "1E-3"], pl.Float64),
        (["9007199254740992", "-9007199254740992"], pl.Int64),
        (["1e20", "6.02e23"], pl.Float64),
        (["2024-01-01 10:30", "2024-01-01 11:30"], pl.Datetime("us")),
        (["2024-01-01T10:30:00.5", "2024-01-01T11:30"], pl.Datetime("us")),
        (["2024-01-01T10:30:00Z", "2024-01-01 10:30+00:00"], pl.Datetime("us", "UTC")),
        (["2024", "2023"], pl.Int64),
        (["20-29", "30-39"], pl.String),
        (["ICU1", "ICU2"], pl.String),
        (["<5", "5+"], pl.String),
        (["1/2", "3/4"], pl.String),
        (["Mark 1", "Mark 2"], pl.String),
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
    with pytest.raises(SchemaError, match=r"numbers but holds .*'\?' in record 3"):
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
    with pytest.raises(SchemaError, match="'9999-99-99' in record 1, which is no"):
        type_columns(frame, ["a"])


@for_each(
    ("values", "pattern"),
    [
        (["1,000", "2,500"], "9,999"),
        (["1'000", "2'500"], "9'999"),
        (["1\u2019000", "2\u2019500"], "9\u2019999"),
        (["1\xa0000", "2\xa0500"], "9 999"),
        (["12.345,67", "1.500,00"], "99.999,99"),
        (["12,5", "13,0"], "99,9"),
        (["5%", "6 %"], "9%"),
        (["$5", "$6"], "$9"),
        (["5 €", "6 €"], "9 €"),
        (["EUR 5", "USD 6"], "AAA 9"),
        (["(5,0)", "(6,0)"], "(9,9)"),
        (["1_000", "2_000"], "9_999"),
        (["1,000", "2", "3"], "9,999"),
    ],
)
def test_numbers_in_other_layouts_are_an_error(values, pattern):
    frame = pl.DataFrame({"a": values})
    with pytest.raises(SchemaError) as caught:
        type_columns(frame, ["a"])
    for part in ("'a' looks like numbers", repr(pattern), "record 1.", "nominal"):
        assert part in str(caught.value)
    assert type_columns(frame, ["a"], {"a": "nominal"})["a"].to_list() == values
    assert type_columns(frame, ["a"], mixed="text")["a"].to_list() == values


@for_each(
    "values",
    [
        ["12.31.2024", "12.30.2024"],
        ["12/31/2024", "1/2/2024"],
        ["31-12-24", "30-12-24"],
        ["2024/12/31", "2024/12/30"],
        ["2021-10", "2021-11"],
        ["31 Dec 2024", "1 January 2025"],
        ["December 31, 2024", "May 1, 2024"],
        ["11:17", "9:45 h"],
        ["2021-11-28T10:30:00+02:00", "2021-11-28T10:30:00 CET"],
        ["2021-11-28 10:30 PM", "2021-11-28 10:30 AM"],
        ["2021-11-28", "2021-11-27 10:30"],
        ["2021-11-28 10:30", "2021-11-27T10:30:00Z"],
        ["2021-11-28", "2021-11-27", "soon"],
    ],
)
def test_dates_in_other_layouts_are_an_error(values):
    frame = pl.DataFrame({"a": values})
    for kinds in ({}, {"a": "date"}):
        with pytest.raises(SchemaError, match=r"'a' .* in record .*nominal") as caught:
            type_columns(frame, ["a"], kinds)
        assert not any(value in str(caught.value) for value in values)
    assert type_columns(frame, ["a"], {"a": "nominal"})["a"].to_list() == values
    assert type_columns(frame, ["a"], mixed="text")["a"].to_list() == values


@pytest.mark.parametrize(
    "value",
    [
        "9007199254740993",
        "-9007199254740993",
        "9223372036854775808",
        "99999999999999999999",
        pytest.param("9" * 5000, id="long"),
        "+0099999999999999999999",
    ],
)
@pytest.mark.parametrize("other", ["1", "1.5"])
@pytest.mark.parametrize("kind", [None, "numeric"])
def test_whole_numbers_that_floats_cannot_hold(value, other, kind):
    if kind is None:
        value = value.replace("+00", "")
    frame = pl.DataFrame({"a": [other, value]})
    kinds = {} if kind is None else {"a": kind}
    with pytest.raises(SchemaError, match=r"'a' holds whole numbers beyond 2\*\*53"):
        type_columns(frame, ["a"], kinds)
    assert type_columns(frame, ["a"], {"a": "nominal"})["a"].dtype == pl.String
    assert type_columns(frame, ["a"], {"a": "ordinal"})["a"].len() == 2


@pytest.mark.parametrize("kind", ["ordinal", ["03740", "10001"], [3740, 10001]])
def test_codes_with_zeros_stay_text_in_an_order(kind):
    frame = pl.DataFrame({"a": ["03740", "10001"]})
    typed = type_columns(frame, ["a"], {"a": kind})
    assert typed["a"].to_list() == ["03740", "10001"]


@for_each("value", ["nan", "inf", "-Infinity", "0x10", "\uff11\uff12"])
def test_what_only_computers_call_a_number(value):
    frame = pl.DataFrame({"a": ["1", "2", value]})
    with pytest.raises(SchemaError, match=r"'a' looks like numbers .* in record 3"):
        type_columns(frame, ["a"], missing_marks=[])


def test_moments_are_what_they_say():
    texts = ["2024-02-29T10:00:00.25", "2023-01-01 11:30", "2023-01-01 11:30:07"]
    typed = type_columns(pl.DataFrame({"a": texts}), ["a"])["a"].to_list()
    assert [moment.isoformat() for moment in typed] == [
        "2024-02-29T10:00:00.250000",
        "2023-01-01T11:30:00",
        "2023-01-01T11:30:07",
    ]


@for_each(
    "texts",
    [
        ["2024-01-01 10:30", "2024-12-31 23:59"],
        ["2024-01-01T10:30", "2024-12-31T23:59"],
        ["2024-01-01 10:30:00", "2024-12-31 23:59:59"],
        ["2024-01-01T10:30:00.500", "2024-12-31T23:59:59.250"],
        ["2024-01-01T10:30:00.123456", "2024-12-31T23:59:59.000001"],
        ["2024-01-01T10:30:00Z", "2024-12-31T23:59:59Z"],
        ["2024-01-01 10:30+00:00", "2024-12-31 23:59+00:00"],
    ],
)
def test_moments_are_written_as_they_were_read(texts):
    frame = pl.DataFrame({"a": [*texts, ""]})
    typed = type_columns(frame, ["a"])
    assert isinstance(typed["a"].dtype, pl.Datetime)
    written = as_text(typed, layouts_of(frame, ["a", "b"]))
    assert written["a"].to_list() == [*texts, None]


@for_each(
    ("unit", "zone", "step", "text"),
    [
        ("us", None, 60_000_000, "2024-01-01T00:01"),
        ("us", None, 1_000_000, "2024-01-01T00:00:01"),
        ("ms", None, 1, "2024-01-01T00:00:00.001"),
        ("ns", None, 1_000, "2024-01-01T00:00:00.000001"),
        ("us", "UTC", 60_000_000, "2024-01-01T00:01+00:00"),
        ("us", "Europe/Berlin", 60_000_000, "2024-01-01T01:01+01:00"),
    ],
)
def test_moments_of_no_layout_are_written_as_fine_as_they_are(unit, zone, step, text):
    start = pl.Series(["2024-01-01"]).str.to_datetime(time_unit=unit)
    later = (start.cast(pl.Int64) + step).cast(pl.Datetime(unit))
    if zone is not None:
        later = later.dt.replace_time_zone("UTC").dt.convert_time_zone(zone)
    frame = pl.DataFrame({"a": later, "b": [1]})
    assert as_text(frame, {}).rows() == [(text, 1)]
