"""Tables in parts: every record once, whatever files and row groups hold it."""

import gzip
import os

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcell.engines._parts import open_parts
from microcell.exceptions import InputError
from microcell.io import read_table

TABLE = pl.DataFrame(
    {"age": np.arange(50), "name": [f"n{i}" for i in range(50)], "x": np.arange(50) / 8}
)


def loaded(parts, columns, **options):
    return [(p.index, p.first, p.load()) for p in parts.read(columns, **options)]


def together(found):
    return pl.concat(frame for *_, frame in found)


@settings(max_examples=25)
@given(
    sizes=st.lists(st.integers(0, 20), min_size=1, max_size=4).filter(any),
    row_group=st.sampled_from([1, 3, 50]),
    part_bytes=st.sampled_from([1, 130, 400, 1 << 20]),
    skip=st.sets(st.integers(0, 10)),
)
def test_parquet(tmp_path_factory, sizes, row_group, part_bytes, skip):
    folder = tmp_path_factory.mktemp("parts")
    tables, start = [], 0
    for number, size in enumerate(sizes):
        tables.append(pl.concat([TABLE, TABLE])[start : start + size])
        path = folder / f"{number}.parquet"
        pq.write_table(tables[-1].to_arrow(), path, row_group_size=row_group)
        start += size
    parts = open_parts(folder, part_bytes=part_bytes)
    assert parts.n_records == sum(sizes) and not parts.as_text
    assert parts.schema == TABLE.schema
    found = loaded(parts, ["x", "age"])
    whole = pl.concat(tables).select("x", "age")
    assert together(found).equals(whole)
    assert [index for index, *_ in found] == list(range(len(found)))
    for _, first, frame in found:
        assert frame.equals(whole[first : first + frame.height])
        if part_bytes == 1:
            assert frame.height == 1
    rest = loaded(parts, ["x", "age"], skip=skip)
    assert [f[:2] for f in rest] == [f[:2] for f in found if f[0] not in skip]
    kept = [frame for index, _, frame in found if index not in skip]
    assert all(a.equals(b[2]) for a, b in zip(kept, rest, strict=True))


@settings(max_examples=20)
@given(
    texts=st.lists(
        st.tuples(st.text('ab",; \n\u00e4', max_size=6), st.text("01.", max_size=3)),
        min_size=1,
        max_size=30,
    ),
    part_bytes=st.sampled_from([1, 1 << 20]),
    packed=st.booleans(),
    encoding=st.sampled_from(["utf-8", "cp1252", "utf-16"]),
)
def test_text_as_the_whole_file_is_read(
    tmp_path_factory, texts, part_bytes, packed, encoding
):
    path = tmp_path_factory.mktemp("parts") / ("t.csv.gz" if packed else "t.csv")
    table = pl.DataFrame(texts, schema=["name", "value"], orient="row")
    content = table.write_csv(quote_style="always").encode(encoding)
    path.write_bytes(gzip.compress(content) if packed else content)
    options = {"delimiter": ",", "encoding": encoding}
    parts = open_parts(path, part_bytes=part_bytes, **options)
    assert parts.n_records is None and parts.as_text
    for _ in range(2):  # again, without looking at quotes again
        found = together(loaded(parts, ["value", "name"]))
        assert found.equals(read_table(path, **options).select("value", "name"))
    assert parts.n_records == len(texts)


def test_format_and_dialect_that_nobody_said(tmp_path):
    path = tmp_path / "t.dat"
    path.write_bytes("name;age\nM\u00fcller;31\nMayer;40\n".encode("cp1252"))
    parts = open_parts(path, format="csv")
    assert together(loaded(parts, ["name"]))["name"].to_list() == ["Müller", "Mayer"]
    assert parts.notices == (
        "fields of the table are separated by ';', as it seems",
        "the table is text in cp1252, as it seems",
    )
    said = {"delimiter": ";", "encoding": "cp1252"}
    assert open_parts(path, format="csv", **said).notices == ()
    with pytest.raises(InputError, match=r"suffix '.dat'"):
        open_parts(path)


def test_long_text_comes_in_parts(tmp_path):
    path = tmp_path / "t.csv"
    n_records = 400_000
    with open(path, "w") as file:
        file.write("number,text\n")
        file.writelines(f'{i},"line {i}\nof two"\n' for i in range(n_records))
    parts = open_parts(path, part_bytes=1 << 20)
    found = loaded(parts, ["number"])
    assert len(found) > 1
    numbers = together(found)["number"].cast(pl.Int64)
    assert numbers.equals(pl.Series("number", range(n_records)))
    again = loaded(parts, ["number"], skip={0})
    assert [f[:2] for f in again] == [f[:2] for f in found[1:]]


def test_hidden_files_are_no_part(tmp_path):
    TABLE.write_parquet(tmp_path / "a.parquet")
    for name in ("_SUCCESS", ".a.parquet.crc"):
        (tmp_path / name).write_text("x")
    (tmp_path / "_temporary").mkdir()
    (tmp_path / "more").mkdir()
    TABLE.write_parquet(tmp_path / "more" / "b.parquet")
    assert open_parts(tmp_path).n_records == 100


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_other_columns_are_named(tmp_path, suffix):
    def write(table, name):
        path = tmp_path / f"{name}{suffix}"
        table.write_parquet(path) if suffix == ".parquet" else table.write_csv(path)

    write(TABLE, "a")
    write(TABLE.select("x", "name", "age"), "b")  # their order may differ
    assert together(loaded(open_parts(tmp_path), ["age"])).height == 100
    write(TABLE.drop("x"), "b")
    with pytest.raises(InputError, match=f"b{suffix} has no column 'x'") as error:
        open_parts(tmp_path)
    assert error.value.column == "x"
    write(TABLE.with_columns(y=1), "b")
    with pytest.raises(InputError, match=f"a{suffix} has no column 'y'"):
        open_parts(tmp_path)


def test_other_types_are_named(tmp_path):
    TABLE.write_parquet(tmp_path / "a.parquet")
    TABLE.with_columns(pl.col("age").cast(pl.Int8)).write_parquet(
        tmp_path / "b.parquet"
    )
    with pytest.raises(
        InputError, match=r"'age' of .*b.parquet is int8, .*it is int64"
    ):
        open_parts(tmp_path)


def test_what_is_no_table_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file or folder"):
        open_parts(tmp_path / "t.parquet")
    with pytest.raises(InputError, match="holds no files"):
        open_parts(tmp_path)
    (tmp_path / "a.parquet").write_bytes(b"PAR1 but no more")
    with pytest.raises(InputError, match=r"a.parquet is not a Parquet file"):
        open_parts(tmp_path)
    TABLE.write_parquet(tmp_path / "a.parquet")
    (tmp_path / "b.csv").write_text("age\n1\n")
    with pytest.raises(InputError, match=r"a.parquet, .* and b.csv, which is none"):
        open_parts(tmp_path)
    os.unlink(tmp_path / "b.csv")
    (tmp_path / "year=2024").mkdir()
    with pytest.raises(InputError, match="column in the name of a folder"):
        open_parts(tmp_path)
    TABLE.clear().write_parquet(tmp_path / "empty.parquet")
    with pytest.raises(InputError, match="no records"):
        open_parts(tmp_path / "empty.parquet")
    (tmp_path / "t.xlsx").write_text("x")
    with pytest.raises(InputError, match="read as a whole"):
        open_parts(tmp_path / "t.xlsx")
    with pytest.raises(InputError, match="no text: it has no delimiter"):
        open_parts(tmp_path / "a.parquet", delimiter=";")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a,b\n1,2\n3\n", r"line 3: 1 field\(s\), but the header has 2"),
        ('a,b\n1,2\n3,"4\n', "a quote does not close"),
        ("31,7\n40,5\n31,7\n", "looks like a record"),
        ("a,b\n", "no records"),
        ("a,a\n1,2\n", "repeated column names"),
        ("a,b\n" + "x" * (20 << 20) + ",1\n", "record longer than 8 MB"),
    ],
)
def test_wrong_text_is_refused_like_a_whole_file(tmp_path, content, said):
    path = tmp_path / "t.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=said):
        parts = open_parts(path, delimiter=",")
        loaded(parts, list(parts.schema))


def test_damaged_files_are_named(tmp_path):
    path = tmp_path / "t.csv.gz"
    packed = gzip.compress(b"age\n" + b"".join(b"%d\n" % i for i in range(100_000)))
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match=r"t.csv.gz is a damaged gzip file"):
        loaded(open_parts(path, delimiter=",", encoding="utf-8"), ["age"])
    path = tmp_path / "t.parquet"
    pq.write_table(TABLE.to_arrow(), path)
    content = bytearray(path.read_bytes())
    content[4:400] = bytes(396)
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"t.parquet"):
        loaded(open_parts(path), ["age", "name", "x"])


def test_parts_are_as_large_as_what_is_read(tmp_path):
    wide = TABLE.with_columns(pl.lit(0.0).alias(f"y{j}") for j in range(20))
    wide.write_parquet(tmp_path / "t.parquet", row_group_size=10)
    parts = open_parts(tmp_path / "t.parquet", part_bytes=50 * 8)
    assert len(loaded(parts, ["age"])) == 1
    assert len(loaded(parts, wide.columns)) > 10


def test_bytes_of_values(tmp_path):
    TABLE.write_parquet(tmp_path / "t.parquet")
    parts = open_parts(tmp_path / "t.parquet")
    assert parts.values_bytes(["age", "x"]) == 50 * 16
    assert parts.values_bytes(["name"]) >= 50 * 3
    TABLE.write_csv(tmp_path / "t.csv")
    size = (tmp_path / "t.csv").stat().st_size
    assert open_parts(tmp_path / "t.csv").values_bytes(["age"]) == size // 3


def test_types_that_no_table_holds(tmp_path):
    wide = pa.table({"n": pa.array([1], pa.decimal256(60, 0))})
    pq.write_table(wide, tmp_path / "t.parquet")
    with pytest.raises(InputError, match="decimals of more than 38 digits"):
        open_parts(tmp_path / "t.parquet")
