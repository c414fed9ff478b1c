import os
import sqlite3
import stat
from decimal import Decimal

import polars as pl
import pytest

from microcell.io import Outbox, read_table, write_staged, write_table
from microcell.io._database import check_table_output


@pytest.fixture
def file(tmp_path):
    return tmp_path / "clinic.db"


def made(file, *statements):
    connection = sqlite3.connect(file)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return f"sqlite:///{file}"


def test_a_new_file_is_an_ordinary_one(file):
    write_table(pl.DataFrame({"a": [1, 2]}), f"sqlite:///{file}::t")
    assert stat.S_IMODE(file.stat().st_mode) & 0o111 == 0
    connection = sqlite3.connect(file)
    assert connection.execute("SELECT a FROM t").fetchall() == [(1,), (2,)]
    made_by = connection.execute("SELECT sql FROM sqlite_master").fetchall()
    assert made_by == [('CREATE TABLE "t" ("a" INTEGER)',)]
    connection.close()


def test_a_file_that_appears_meanwhile_stays(file):
    """Not even with overwrite: that is about the table."""
    with pytest.raises(FileExistsError), Outbox(overwrite=True) as outbox:
        staged, _ = write_staged(
            outbox, f"sqlite:///{file}::t", pl.DataFrame({"a": [1]})
        )
        staged.finish()
        file.write_text("mine")
        outbox.publish()
    assert file.read_text() == "mine"


def test_other_programs_types(file):
    base = made(
        file,
        "CREATE TABLE t (i INT, b BOOLEAN, d DATE, m DATETIME, n NUMERIC(8, 2), "
        "v VARCHAR(9), r REAL, x, odd DATE, few BOOLEAN, wide NUMERIC(8, 2))",
        "INSERT INTO t VALUES (1, 1, '2024-02-29', '2024-02-29T10:00:00', 1.5, 'x', 2, "
        "3, 'unknown', 2, 1.234)",
        "INSERT INTO t VALUES (2, 0, NULL, '2024-02-29 10:00:00.25', 2, '', 2.5, "
        "4.5, '2024-02-29', 1, 2)",
    )
    found = read_table(f"{base}::t")
    assert found.dtypes == [
        pl.Int64, pl.Boolean, pl.Date, pl.Datetime("us"), pl.Decimal(8, 2), pl.String,
        pl.Float64, pl.Float64, pl.String, pl.Int64, pl.Float64,
    ]  # fmt: skip
    assert found["n"].to_list() == [Decimal("1.50"), Decimal("2.00")]
    assert found["m"].dt.microsecond().to_list() == [0, 250_000]
    query = read_table(f"{base}::select d as day, n from t where d is not null")
    assert query.dtypes == [pl.Date, pl.Decimal(8, 2)]


@pytest.mark.parametrize(
    "values",
    ["('a'), (1)", "(x'00'), ('a')", "(0.5), (9007199254740993)", "(1), (x'00')"],
)
def test_mixed_values_name_the_column_and_no_value(file, values):
    base = made(file, "CREATE TABLE t (c)", f"INSERT INTO t VALUES {values}")
    with pytest.raises(ValueError, match=r"'c' .* mixes") as caught:
        read_table(f"{base}::t")
    assert caught.value.column == "c"


def test_mixed_values_far_apart(file):
    """Also when slices of records differ, each of one kind."""
    base = made(
        file,
        "CREATE TABLE t (c, d)",
        "WITH RECURSIVE n(i) AS "
        "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) INSERT INTO t "
        "SELECT iif(i < 15000, i, 'x'), iif(i < 15000, i, i + 0.5) FROM n",
    )
    with pytest.raises(ValueError, match="'c'"):
        read_table(f"{base}::t")
    found = read_table(f"{base}::select d from t")["d"]
    assert found.dtype == pl.Float64 and found.sum() == 25000 * 25001 / 2 + 5000.5


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pl.Series([1.0, float("nan")]), "NaN"),
        (pl.Series([Decimal("1234567890.123456")]), "more than 15 digits"),
    ],
)
def test_what_sqlite_would_change(file, column, words):
    with pytest.raises(ValueError, match=words) as caught:
        write_table(pl.DataFrame({"c": column}), f"sqlite:///{file}::t")
    assert caught.value.column == "c"
    assert not file.exists()


def test_names_that_differ_in_capitals(file):
    with pytest.raises(ValueError, match=r"\['a', 'A'\].*capitals"):
        write_table(pl.DataFrame({"a": [1], "A": [2]}), f"sqlite:///{file}::t")
    base = made(file, "CREATE TABLE Release (a)")
    with pytest.raises(FileExistsError):
        check_table_output(f"{base}::release", [], overwrite=False)
    with pytest.raises(ValueError, match="also an input"):
        check_table_output(f"{base}::release", [f"{base}::RELEASE"], overwrite=True)


def test_a_view_on_a_table_that_is_replaced(file):
    base = made(file, "CREATE TABLE t (a)", "CREATE VIEW v AS SELECT a FROM t")
    with Outbox(overwrite=True) as outbox:
        staged, _ = write_staged(outbox, f"{base}::t", pl.DataFrame({"a": [1]}))
        staged.finish()
        outbox.publish()
    assert read_table(f"{base}::v")["a"].to_list() == [1]


def test_what_was_replaced_is_gone_from_the_file(file):
    base = made(file, "CREATE TABLE t (a)", "INSERT INTO t VALUES ('John Smith')")
    assert b"John Smith" in file.read_bytes()
    with Outbox(overwrite=True) as outbox:
        staged, _ = write_staged(outbox, f"{base}::t", pl.DataFrame({"a": [1]}))
        staged.finish()
        outbox.publish()
    assert b"John Smith" not in file.read_bytes()


def test_files_that_are_no_databases(file, tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read_table(f"sqlite:///{file}::t")
    file.write_text("a,b\n1,2\n" * 200)
    with pytest.raises(ValueError, match="no database of SQLite"):
        read_table(f"sqlite:///{file}::t")
    with pytest.raises(ValueError, match="no database of SQLite"):
        check_table_output(f"sqlite:///{file}::t", [], overwrite=True)
    with pytest.raises(FileNotFoundError, match="folder"):
        check_table_output(f"sqlite:///{tmp_path}/no/f.db::t", [], overwrite=False)
    with pytest.raises(ValueError, match="for itself"):
        check_table_output(f"sqlite:///{tmp_path}/f.db::sqlite_x", [], overwrite=False)


def test_a_locked_file(file, monkeypatch):
    from microcell.io import _sqlite

    monkeypatch.setattr(_sqlite, "WAIT", 0.0)
    base = made(file, "CREATE TABLE t (a)")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(ValueError, match="try again later"):
        write_table(pl.DataFrame({"a": [1]}), f"{base}::u")
    other.close()
    write_table(pl.DataFrame({"a": [1]}), f"{base}::u")


def test_reading_leaves_no_file_behind(file):
    base = made(file, "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    before = file.read_bytes()
    read_table(f"{base}::select a from t")
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == [file.name]


def test_errors_quote_no_value(file):
    """SQLite's own words are not repeated: a function may put a value in them."""
    base = made(file, "CREATE TABLE t (a)", "INSERT INTO t VALUES ('{John Smith')")
    with pytest.raises(ValueError) as caught:
        read_table(f"{base}::select json_extract(a, '$') from t")
    assert "John" not in str(caught.value)
    made(file, "INSERT INTO t VALUES (CAST(x'ff' AS TEXT))")
    with pytest.raises(ValueError, match="not UTF-8"):
        read_table(f"{base}::t")
