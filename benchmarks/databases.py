"""Ways to read and write a table of a database: seconds and peak memory.

    python -m benchmarks.databases "sqlite:////tmp/bench.db" "postgresql://user@host/db"

The drivers that are not used here (ADBC, SQLAlchemy) are measured where they are
installed. Each way runs in a process of its own; the table `bench` is replaced.
"""

import contextlib
import io
import multiprocessing
import sqlite3
import sys
import time
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import polars as pl

from benchmarks.memory import reset_peak, resident
from microcell.io import Outbox, read_table, write_staged

ROWS = 1_000_000
INTO = "INSERT INTO bench VALUES (?, ?, ?, ?, ?, ?)"
COLUMNS = "a INTEGER, b INTEGER, c DOUBLE PRECISION, d DOUBLE PRECISION, e TEXT, f DATE"
TEXTS = ["cardiology", "oncology", "ward 7", "surgery, day", ""]
STEP = 10_000


def table(rows=ROWS):
    """Two columns of integers, two of floats, one of text and one of dates."""
    rng = np.random.default_rng(0)
    days = rng.integers(0, 20_000, rows)
    return pl.DataFrame(
        {
            "a": rng.integers(0, 100, rows),
            "b": rng.integers(0, 10**9, rows),
            "c": rng.normal(size=rows),
            "d": rng.normal(size=rows).round(2),
            "e": np.array(TEXTS)[rng.integers(0, len(TEXTS), rows)],
            "f": pl.Series(days.astype(np.int32)).cast(pl.Date),
        }
    )


def sqlite_rows_write(url, frame):
    """The standard library, records in slices."""
    connection = sqlite3.connect(path_of(url), isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DROP TABLE IF EXISTS bench")
    connection.execute(f"CREATE TABLE bench ({COLUMNS})")
    plain = frame.with_columns(pl.col("f").cast(pl.String))
    for part in plain.iter_slices(STEP):
        connection.executemany(INTO, part.rows())
    connection.execute("COMMIT")
    connection.close()


def sqlite_rows_read(url):
    """The standard library, records in slices that become columns."""
    import pyarrow as pa

    connection = sqlite3.connect(path_of(url))
    cursor = connection.execute("SELECT * FROM bench")
    names = [column[0] for column in cursor.description]
    parts = []
    while rows := cursor.fetchmany(STEP):
        parts.append(pa.table([pa.array(v) for v in zip(*rows, strict=True)], names))
    frame = pl.DataFrame(pa.concat_tables(parts))
    return frame.with_columns(pl.col("f").str.to_date("%Y-%m-%d"))


def adbc_write(url, frame):
    """Arrow through ADBC."""
    with adbc(url) as connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS bench")
        cursor.adbc_ingest("bench", frame.to_arrow(), mode="create")
        connection.commit()


def adbc_read(url):
    with adbc(url) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM bench")
        return pl.DataFrame(cursor.fetch_arrow_table())


def adbc(url):
    if url.startswith("sqlite"):
        import adbc_driver_sqlite.dbapi as driver

        return driver.connect(path_of(url))
    import adbc_driver_postgresql.dbapi as driver

    return driver.connect(url)


def sqlalchemy_write(url, frame):
    """Records through SQLAlchemy, in slices."""
    import sqlalchemy as sa

    kinds = [sa.BigInteger, sa.BigInteger, sa.Double, sa.Double, sa.Text, sa.Date]
    columns = [sa.Column(n, k) for n, k in zip(frame.columns, kinds, strict=True)]
    made = sa.Table("bench", sa.MetaData(), *columns)
    with engine(url).begin() as connection:
        made.drop(connection, checkfirst=True)
        made.create(connection)
        for part in frame.iter_slices(STEP):
            connection.execute(made.insert(), part.to_dicts())


def sqlalchemy_read(url):
    with engine(url).connect() as connection:
        return pl.read_database("SELECT * FROM bench", connection)


def engine(url):
    import sqlalchemy as sa

    return sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))


def psycopg_write(url, frame):
    """Text through COPY."""
    import psycopg

    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS bench")
        cursor.execute(f"CREATE TABLE bench ({COLUMNS.replace('INTEGER', 'BIGINT')})")
        with cursor.copy("COPY bench FROM STDIN (FORMAT csv)") as copy:
            for part in frame.iter_slices(STEP):
                text = part.write_csv(include_header=False, quote_style="non_numeric")
                copy.write(text)


def psycopg_read(url):
    import psycopg
    import pyarrow as pa
    import pyarrow.csv

    kinds = [pa.int64()] * 2 + [pa.float64()] * 2 + [pa.string(), pa.date32()]
    names = list("abcdef")
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        with cursor.copy("COPY bench TO STDOUT (FORMAT csv)") as copy:
            text = io.BytesIO()
            for record in copy:
                text.write(record)
    text.seek(0)
    options = pyarrow.csv.ConvertOptions(
        column_types=dict(zip(names, kinds, strict=True)),
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    read = pyarrow.csv.ReadOptions(column_names=names)
    found = pyarrow.csv.read_csv(text, read_options=read, convert_options=options)
    return pl.DataFrame(found)


def psycopg_rows_read(url):
    import psycopg

    with psycopg.connect(url) as connection:
        return pl.read_database("SELECT * FROM bench", connection)


def our_write(url, frame):
    """As releases are written: read back, counted, renamed."""
    with Outbox(overwrite=True) as outbox:
        staged, _ = write_staged(outbox, f"{url}::bench", frame)
        staged.count(["a", "e"])
        staged.finish()
        outbox.publish()


def our_read(url):
    return read_table(f"{url}::bench")


def path_of(url):
    return url.removeprefix("sqlite:///")


WAYS = {
    "sqlite": [
        ("sqlite3", "sqlite3", sqlite_rows_write, sqlite_rows_read),
        ("microcell", "sqlite3", our_write, our_read),
        ("ADBC", "adbc_driver_sqlite", adbc_write, adbc_read),
        ("SQLAlchemy", "sqlalchemy", sqlalchemy_write, sqlalchemy_read),
    ],
    "postgresql": [
        ("psycopg, COPY", "psycopg", psycopg_write, psycopg_read),
        ("psycopg, records", "psycopg", None, psycopg_rows_read),
        ("microcell", "adbc_driver_postgresql", our_write, our_read),
        ("ADBC", "adbc_driver_postgresql", adbc_write, adbc_read),
        ("SQLAlchemy", "sqlalchemy", sqlalchemy_write, sqlalchemy_read),
    ],
}


def measured(work, url, written, said):
    """Put seconds, those of this processor, megabytes and a verdict in a queue."""
    arguments = (url, table()) if written else (url,)
    warm(url)
    before = resident("VmRSS")
    reset_peak()
    start, busy = time.perf_counter(), time.process_time()
    found = work(*arguments)
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    peak = resident("VmHWM") - before
    said.put((seconds, busy, peak, found is None or same(found)))


def warm(url):
    """Import what any way imports, so that it is not measured."""
    table(10).to_arrow()
    driver = "adbc_driver_" + url.partition(":")[0]
    for module in ("pyarrow.csv", f"{driver}.dbapi", "psycopg", "sqlalchemy"):
        with contextlib.suppress(ImportError):
            import_module(module)


def same(found):
    """Whether values came back with their types, in their order."""
    return found.equals(table()) and found.schema == table().schema


def run(work, url, written):
    context = multiprocessing.get_context("spawn")
    said = context.Queue()
    process = context.Process(target=measured, args=(work, url, written, said))
    process.start()
    while process.is_alive() and said.empty():
        time.sleep(0.05)
    result = said.get() if not said.empty() else None
    process.join()
    return result


def main(urls):
    print(f"Seconds and those of the client's processor, {ROWS:,} x 6.\n")
    columns = "write | client | MB | read | client | MB | as written"
    print(f"| database | driver | {columns} |")
    print("|" + " --- |" * 9)
    for url in urls:
        for name, module, write, read in WAYS[url.partition(":")[0]]:
            if find_spec(module) is None:
                continue
            cells = []
            for work, written in ((write, True), (read, False)):
                found = None if work is None else run(work, url, written)
                cells += ["", "", ""] if found is None else list(found[:3])
            shown = [f"{c:.3g}" if isinstance(c, float) else c for c in cells]
            alike = "yes" if found and found[3] else "no"
            row = [url.partition(":")[0], name, *shown, alike]
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
