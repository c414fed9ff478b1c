"""What both databases do with tables: types, names, transactions, a killed process."""

import datetime as dt
import os
import signal
import subprocess
import sys
from decimal import Decimal

import polars as pl
import pytest
from databases import BOTH
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from marks import first_is_quick, slow

from microcell.io import (
    Outbox,
    StagedTable,
    read_columns,
    read_table,
    write_staged,
    write_table,
)
from microcell.io._database import check_table_output

UTC = dt.timezone.utc  # noqa: UP017
EVERY_TYPE = pl.DataFrame(
    {
        "whole": [1, -(2**63), None, 2**63 - 1],
        "small": pl.Series([1, -(2**15), None, 2**15 - 1], dtype=pl.Int16),
        "unsigned": pl.Series([0, 255, None, 7], dtype=pl.UInt8),
        "number": [0.1, -1e300, None, float("inf")],
        "single": pl.Series([0.1, 1e30, None, -2.5], dtype=pl.Float32),
        "text": ["", "\\.", None, "Ünï \"q\", 'q'\nline\t\\N"],
        "category": pl.Series(["a", "b", None, "a"], dtype=pl.Categorical),
        "yes": [True, False, None, True],
        "date": [dt.date(1, 1, 1), dt.date(9999, 12, 31), None, dt.date(1969, 12, 31)],
        "moment": [
            dt.datetime(1, 1, 1),
            dt.datetime(9999, 12, 31, 23, 59, 59, 999999),
            None,
            dt.datetime(1969, 12, 31, 23, 59, 59, 1),
        ],
        "millisecond": pl.Series(
            [dt.datetime(2024, 2, 29, 1, 2, 3, 4000), None, None, None],
            dtype=pl.Datetime("ms"),
        ),
        "zoned": pl.Series(
            [dt.datetime(2024, 7, 1, tzinfo=UTC), None, None, None],
            dtype=pl.Datetime("us", "UTC"),
        ),
        "time": [dt.time(0), dt.time(23, 59, 59, 999999), None, dt.time(12)],
        "money": pl.Series(
            [Decimal("0.01"), Decimal("-99999999.99"), None, Decimal("1.10")],
            dtype=pl.Decimal(10, 2),
        ),
        "bytes": [b"", b"\x00\xff", None, b"x"],
        "nothing": pl.Series([None] * 4, dtype=pl.Null),
        "no number": pl.Series([None] * 4, dtype=pl.Float64),
        "no day": pl.Series([None] * 4, dtype=pl.Date),
    }
)


@BOTH
def test_every_type_comes_back(database):
    write_table(EVERY_TYPE, database.address("t"))
    found = read_table(database.address("t"))
    assert found.columns == EVERY_TYPE.columns
    for name in found.columns:
        expected = EVERY_TYPE[name].to_list()
        if name == "single":
            assert found[name].cast(pl.Float32).to_list() == EVERY_TYPE[name].to_list()
        else:
            assert found[name].to_list() == expected, name
    whole = {"small", "unsigned", "whole"}
    assert all(found[name].dtype.is_integer() for name in whole)
    kinds = {
        "number": pl.Float64, "text": pl.String, "category": pl.String,
        "yes": pl.Boolean, "date": pl.Date, "moment": pl.Datetime("us"),
        "zoned": pl.Datetime("us", "UTC"), "time": pl.Time, "bytes": pl.Binary,
        "money": pl.Decimal(10, 2), "no number": pl.Float64, "no day": pl.Date,
    }  # fmt: skip
    assert {name: found.schema[name] for name in kinds} == kinds


@BOTH
def test_a_second_copy_is_the_same(database):
    """What was read can be written, and is read as the same."""
    write_table(EVERY_TYPE, database.address("t"))
    once = read_table(database.address("t"))
    write_table(once, database.address("u"))
    assert read_table(database.address("u")).equals(once)


letters = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
decimals = st.decimals(-(10**9), 10**9, allow_nan=False, places=4)
tables = st.lists(
    st.tuples(
        st.none() | st.integers(-(2**63), 2**63 - 1),
        st.none() | st.floats(allow_nan=False),
        st.none() | st.text(letters),
        st.none() | decimals,
        st.none() | st.datetimes(),
        st.none() | st.times(),
    ),
    min_size=1,
    max_size=20,
)  # fmt: skip
SCHEMA = {
    "a": pl.Int64, "b": pl.Float64, "c": pl.String, "d": pl.Decimal(20, 4),
    "e": pl.Datetime("us"), "f": pl.Time,
}  # fmt: skip


@BOTH
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=tables)
def test_any_value_comes_back(database, rows):
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    with Outbox() as outbox:  # never published
        _, found = write_staged(outbox, database.address("t"), frame)
    assert found.equals(frame)


BAD = {
    "lists": pl.Series([[1]]),
    "durations": pl.Series([dt.timedelta(1)]),
    "more than 64 bits": pl.Series([2**64 - 1], dtype=pl.UInt64),
    "before year 1": pl.Series([-(10**6)], dtype=pl.Int32).cast(pl.Date),
    "parts of a microsecond": pl.Series([1], dtype=pl.Int64).cast(pl.Datetime("ns")),
}


@BOTH
@pytest.mark.parametrize("reason", BAD)
def test_what_no_database_holds_names_the_column(database, reason):
    frame = pl.DataFrame({"fine": [1], "bad": BAD[reason]})
    with pytest.raises(ValueError, match=reason) as caught:
        write_table(frame, database.address("t"))
    assert caught.value.column == "bad"
    assert database.tables() == set()


HOSTILE = [
    'a"b',
    "a'b; DROP TABLE kept; --",
    "select",
    "a.b",
    "a b\tc",
    "Ünïcode 患者",
    "%s $1 ? :x {y}",
    "\\",
]


@BOTH
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names(database, name):
    inside = name.replace('"', '""')
    address = database.address(f'"{inside}"')
    frame = pl.DataFrame({name: [1, 2], f"{name}2": ["x", "y"]})
    write_table(frame, address)
    assert database.tables() == {name}
    assert read_columns(address) == frame.columns
    assert read_table(address).to_dicts() == frame.to_dicts()
    with Outbox(overwrite=True) as outbox:
        staged, _ = write_staged(outbox, address, frame.reverse())
        assert staged.count([name]) == (2, 2, 1)
        staged.finish()
        outbox.publish()
    assert read_table(address).to_dicts() == frame.reverse().to_dicts()
    assert database.tables() == {name}


@BOTH
def test_the_database_counts_classes(database):
    frame = pl.DataFrame(
        {"a": [1, 1, 1, None, None], "b": ["x", "x", "y", None, None], "c": [1.0] * 5}
    )
    with Outbox() as outbox:
        staged, _ = write_staged(outbox, database.address("t"), frame)
        assert staged.count(["a"]) == (5, 2, 2)
        assert staged.count(["a", "b"]) == (5, 3, 1)
        assert staged.count([]) == (5, 1, 5)


@BOTH
def test_nothing_is_replaced_unless_asked_to(database):
    address = database.address("t")
    write_table(pl.DataFrame({"a": [1]}), address)
    with pytest.raises(FileExistsError, match=r"::t exists.*overwrite=True"):
        write_table(pl.DataFrame({"a": [2]}), address)
    with pytest.raises(FileExistsError):
        check_table_output(address, [], overwrite=False)
    assert read_table(address)["a"].to_list() == [1]
    check_table_output(address, [], overwrite=True)


@BOTH
def test_a_view_is_never_replaced(database):
    database.run("CREATE VIEW v AS SELECT 1 AS a")
    for overwrite in (False, True):
        with pytest.raises(FileExistsError, match="no table"):
            check_table_output(database.address("v"), [], overwrite)
    assert read_table(database.address("v"))["a"].to_list() == [1]


@BOTH
def test_a_table_that_appears_meanwhile_stays(database):
    with Outbox() as outbox:
        staged, _ = write_staged(
            outbox, database.address("t"), pl.DataFrame({"a": [1]})
        )
        if database.kind == "postgresql":  # a file of SQLite is locked meanwhile
            database.run("CREATE TABLE t (mine INTEGER)")
            with pytest.raises(FileExistsError):
                staged.finish()
        else:
            with pytest.raises(Exception, match="locked"):
                database.run("PRAGMA busy_timeout = 0;\nCREATE TABLE t (mine INTEGER)")
    expected = {"t"} if database.kind == "postgresql" else set()
    assert database.tables() == expected


@BOTH
def test_an_output_that_is_read(database):
    """Also through a view or a query."""
    database.run("CREATE TABLE t (a INTEGER)")
    database.run("CREATE VIEW v AS SELECT a AS b FROM t")
    target = database.address("t")
    for source in ("t", "v", "select max(b) as m from v where b > 1"):
        with pytest.raises(ValueError, match="also an input"):
            check_table_output(target, [database.address(source)], overwrite=True)
    check_table_output(target, [database.address("select 1 as a")], overwrite=True)


@BOTH
def test_queries(database):
    write_table(pl.DataFrame({"a": [1, 2, 3], "b": list("xyz")}), database.address("t"))
    address = database.address("select a * 2 as c, b from t where a > 1 -- those\n")
    assert read_columns(address) == ["c", "b"]
    assert read_table(address).to_dicts() == [{"c": 4, "b": "y"}, {"c": 6, "b": "z"}]
    with_part = database.address("with u as (select a from t) select a from u")
    assert read_table(with_part)["a"].to_list() == [1, 2, 3]


@BOTH
@pytest.mark.parametrize(
    "query",
    [
        "select 1 as a; drop table t",
        "with x as (delete from t returning a) select * from x",
        "select 1 as a) as q; drop table t; --",
        "select a from t into u",
        "select a from t; commit; drop table t",
    ],
)
def test_a_query_changes_nothing(database, query):
    write_table(pl.DataFrame({"a": [1]}), database.address("t"))
    with pytest.raises(ValueError):
        read_table(database.address(query))
    assert database.tables() == {"t"}
    assert read_table(database.address("t")).height == 1


@BOTH
@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("patient", "no table .*Did you mean 'patients'"),
        ("select agee from patients", "column"),
        ("select * from patient", "table"),
        ("select from where", "one statement"),
        ("select 1 as a, 2 as a", r"name \['a'\]"),
        ("select * from patients where 1 = 0", "no records"),
        ("empty", "no records"),
    ],
)
def test_wrong_sources(database, target, words):
    write_table(pl.DataFrame({"age": [1]}), database.address("patients"))
    database.run("CREATE TABLE empty (a INTEGER)")
    with pytest.raises(ValueError, match=words):
        read_table(database.address(target))


@BOTH
def test_no_dialect(database):
    write_table(pl.DataFrame({"age": [1]}), database.address("t"))
    with pytest.raises(ValueError, match="no delimiter"):
        read_table(database.address("t"), delimiter=";")


@BOTH
def test_files_are_put_back_if_the_table_fails(database, tmp_path):
    sidecar = tmp_path / "c.json"
    with pytest.raises(RuntimeError, match="lost"), Outbox() as outbox:
        staged_sidecar = outbox.stage(sidecar)
        staged, _ = write_staged(
            outbox, database.address("t"), pl.DataFrame({"a": [1]})
        )
        staged.finish()
        staged.publish = lost
        with open(staged_sidecar, "w") as file:
            file.write("{}")
        outbox.publish()
    assert not sidecar.exists()
    assert database.tables() == set()


def lost():
    raise RuntimeError("the connection is lost")


@BOTH
def test_a_value_that_the_database_changes_is_found(database, monkeypatch):
    plain = StagedTable.read
    monkeypatch.setattr(
        StagedTable, "read", lambda self: plain(self).with_columns(pl.col("b") + 1)
    )
    frame = pl.DataFrame({"a": [1], "b": [2]})
    with pytest.raises(ValueError, match="'b' does not come back") as caught:
        write_table(frame, database.address("t"))
    assert caught.value.column == "b"
    assert database.tables() == set()


KILLED = """
import sys, time
import polars as pl
from microcell.io import Outbox, StagedTable, _sqlite, write_staged

address, moment, overwrite = sys.argv[1:]

def stop_after(kind, name):
    plain = getattr(kind, name)
    def stopped(self, *arguments):
        result = plain(self, *arguments)
        print(moment, flush=True)
        time.sleep(60)
        return result
    setattr(kind, name, stopped)

if moment in ("write", "read", "finish"):
    stop_after(_sqlite._TableOfNewFile if "new.db" in address else StagedTable, moment)
frame = pl.DataFrame({"a": range(200_000), "b": ["some text"] * 200_000})
with Outbox(overwrite=overwrite == "yes") as outbox:
    if moment == "writing":
        print(moment, flush=True)
    staged, _ = write_staged(outbox, address, frame)
    staged.finish()
    outbox.publish()
"""


@BOTH
@pytest.mark.parametrize(
    ("moment", "overwrite"),
    [
        ("finish", True),
        slow("writing", False),
        slow("write", True),
        slow("read", False),
    ],
)
def test_a_killed_process_leaves_nothing(database, moment, overwrite):
    address = database.address("t")
    if overwrite:
        database.run("CREATE TABLE t (old INTEGER);\nINSERT INTO t VALUES (7)")
    killed(address, moment, overwrite)
    database.wait_until_alone()
    assert database.tables() == ({"t"} if overwrite else set())
    if overwrite:
        assert database.run("SELECT * FROM t") == [("7",)]
    if database.kind == "sqlite":
        assert database.run("PRAGMA integrity_check") == [("ok",)]
        database.run("DROP TABLE kept")  # whoever writes next removes the journal
        assert os.listdir(database.file.parent) == [database.file.name]


@pytest.mark.parametrize("moment", first_is_quick(["write", "finish"]))
def test_a_killed_process_leaves_no_new_file(moment, tmp_path):
    killed(f"sqlite:///{tmp_path}/new.db::t", moment, False)
    assert os.listdir(tmp_path) == []


def killed(address, moment, overwrite):
    arguments = [address, moment, "yes" if overwrite else "no"]
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == f"{moment}\n"
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    process.stdout.close()
