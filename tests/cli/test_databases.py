"""The command line from files to tables, between tables, and back."""

import json
import os
import signal
import subprocess
import sys

import polars as pl
import pytest
from commands import run
from databases import BOTH, SQLite
from postgresql_server import LOCKED, SECRET

from microcell import Recipe, Schema, anonymize_file
from microcell.datasets import load_diabetes_patients
from microcell.exceptions import PrivacyError
from microcell.io import StagedTable, read_table, write_table
from microcell.release._source import is_noted_source

QUASI = "age,sex,bmi,bp"
ROLES = ["-q", QUASI, "--others", "drop"]


def done(*arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "patients.csv"
    load_diabetes_patients().frame.write_csv(path)
    return path


@BOTH
def test_file_to_table_to_file(database, table, tmp_path):
    release, sidecar = database.address("release"), tmp_path / "c.json"
    said = done("anonymize", table, "-k", 5, *ROLES, "-o", release,
                "--certificate", sidecar)  # fmt: skip
    assert "database counts     442 records" in said
    assert f"written             {release}" in said
    smallest = database.run(
        f"SELECT min(n) FROM (SELECT count(*) AS n FROM release GROUP BY {QUASI}) AS g"
    )
    assert int(smallest[0][0]) >= 5
    document = json.loads(sidecar.read_text())
    assert document["table"]["name"] == "release"
    assert document["table"]["records"] == 442
    assert document["findings"][-1]["counted_on"] == "database"
    assert str(tmp_path) not in sidecar.read_text()

    assert "k                   5" in done("check", release, "-q", QUASI)
    out = tmp_path / "again.parquet"
    done("anonymize", release, "-k", 7, *ROLES, "-o", out)
    assert pl.read_parquet(out).group_by(QUASI.split(",")).len()["len"].min() >= 7
    assert "information loss" in done("measure", release, out, "-q", QUASI)


@BOTH
def test_the_same_release_as_from_a_file(database, table, tmp_path):
    frame = pl.read_csv(table)
    frame.write_parquet(tmp_path / "t.parquet")
    write_table(frame, database.address("t"))
    outs = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    sources = [tmp_path / "t.parquet", database.address("t")]
    for source, out in zip(sources, outs, strict=True):
        done("anonymize", source, "-k", 5, *ROLES, "-o", out)
    assert pl.read_parquet(outs[0]).equals(pl.read_parquet(outs[1]))


@BOTH
def test_records_are_stored_in_sorted_order(database, table):
    release = database.address("release")
    done("anonymize", table, "-k", 5, *ROLES, "-o", release)
    stored = read_table(release)
    assert stored.equals(stored.sort(pl.all()))
    if database.kind == "sqlite":
        numbers = database.run("SELECT rowid FROM release")
        assert numbers == [(str(n),) for n in range(1, 443)]


@BOTH
def test_a_query_in_and_a_table_over_another(database, table):
    source, release = database.address("t"), database.address("release")
    write_table(pl.read_csv(table), source)
    query = database.address("select age, bmi from t where sex > 0")
    arguments = ["anonymize", query, "-k", 3, "-q", "age,bmi", "-o", release]
    done(*arguments)
    again = run(*arguments)
    assert again.exit_code == 2
    assert "exists. Choose another name, or overwrite it with --overwrite" in (
        again.stderr
    )
    done(*arguments, "--overwrite")
    over_source = run(*arguments[:-1], source, "--overwrite")
    assert over_source.exit_code == 2 and "also an input" in over_source.stderr
    assert database.tables() == {"t", "release"}


def test_a_database_is_not_overwritten_by_a_file(table, tmp_path):
    database = SQLite(tmp_path)
    release = database.address("release")
    for option in ("--certificate", "--write-recipe"):
        arguments = [*ROLES, "-o", release, option, database.file, "--overwrite"]
        result = run("anonymize", table, "-k", 5, *arguments)
        assert result.exit_code == 2 and "also an input" in result.stderr
    result = run("anonymize", table, "-k", 5, *ROLES, "-o", tmp_path / "o.csv",
                 "--certificate", release)  # fmt: skip
    assert result.exit_code == 2 and "Only a table goes" in result.stderr


@BOTH
def test_the_source_is_known_by_what_it_holds(database, tmp_path):
    """Whatever order its records are in."""
    frame = pl.DataFrame({"age": [30, 32, 60, 62], "ill": ["a", "b", None, ""]})
    recipe = Recipe(Schema(["age"], confidential=["ill"]), k=2)
    digests = set()
    for name, rows in {"t": frame, "u": frame.reverse(), "v": frame[:3]}.items():
        write_table(rows, database.address(name))
        address, out = database.address(name), tmp_path / f"{name}.csv"
        sidecars = {"certificate": tmp_path / f"{name}.json", "overwrite": True}
        made = anonymize_file(address, recipe, out, **sidecars)
        assert set(made.certificate["source"]) == {"hmac_sha256"}
        note = tmp_path / "t.source-key.json"
        assert is_noted_source(address, note) is (name != "v")
        made = anonymize_file(address, recipe, out, plain_source_hash=True, **sidecars)
        digests.add(made.certificate["source"]["sha256"])
    assert len(digests) == 2


@BOTH
def test_a_count_of_the_database_that_is_too_small(database, table, monkeypatch):
    plain = StagedTable.count
    monkeypatch.setattr(
        StagedTable,
        "count",
        lambda self, names: plain(self, names)._replace(smallest=1),
    )
    recipe = Recipe(Schema(QUASI.split(","), others="drop"), k=5)
    with pytest.raises(PrivacyError, match="the smallest of 1"):
        anonymize_file(table, recipe, database.address("release"))
    assert database.tables() == set()


def test_a_password_is_nowhere(postgresql, table, tmp_path, monkeypatch):
    monkeypatch.setenv("MICROCELL_DB_PASSWORD", SECRET)
    postgresql.run(f"GRANT CREATE ON SCHEMA public TO {LOCKED}")
    sidecar, recipe = tmp_path / "c.json", tmp_path / "r.toml"
    address = postgresql.address("release", user=LOCKED)
    result = run("anonymize", table, "-k", 5, *ROLES, "-o", address, "--json",
                 "--certificate", sidecar, "--write-recipe", recipe)  # fmt: skip
    assert result.exit_code == 0, result.stderr
    again = run("anonymize", table, "-k", 5, *ROLES, "-o", address)
    assert again.exit_code == 2
    told = [result.stdout, result.stderr, again.stdout, again.stderr]
    for text in [*told, sidecar.read_text(), recipe.read_text()]:
        assert SECRET not in text and "s3cr3t" not in text
    assert LOCKED not in sidecar.read_text() + recipe.read_text()


@pytest.mark.parametrize("command", ["anonymize", "check", "measure"])
def test_a_password_in_an_address_is_not_repeated(command, table, tmp_path):
    address = "postgresql://ann:hunter2@db/clinic::patients"
    more = {
        "anonymize": ["-k", 5, "-o", tmp_path / "o.csv"],
        "check": [],
        "measure": [table],
    }[command]
    result = run(command, address, *ROLES[:2], *more)
    assert result.exit_code == 2
    assert "PGPASSWORD" in result.stderr
    assert "hunter2" not in result.stdout + result.stderr
    if command == "anonymize":
        result = run(command, table, "-k", 5, *ROLES, "-o", address)
        assert result.exit_code == 2 and "hunter2" not in result.stderr


STOPPED = """
import sys, time
from microcell.cli import main
from microcell.io import StagedTable

moment = sys.argv.pop(1)

plain = getattr(StagedTable, moment)

def stopped(self, *arguments):
    result = plain(self, *arguments)
    print("there", flush=True)
    time.sleep(60 if moment != "publish" else 0.5)
    return result

setattr(StagedTable, moment, stopped)
main()
"""


def interrupted(database, table, moment, number, sidecar):
    arguments = ["anonymize", table, "-k", "5", *ROLES, "--certificate", sidecar]
    arguments += ["-o", database.address("release")]
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPED, moment, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout.readline() == "there\n"
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    database.wait_until_alone()
    return process.returncode, said


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize(
    ("moment", "number"),
    [
        ("write", signal.SIGTERM),
        pytest.param("finish", signal.SIGINT, marks=pytest.mark.slow),
        ("finish", signal.SIGKILL),
    ],
)
def test_an_interrupted_command_leaves_nothing(
    database, table, tmp_path, moment, number
):
    before = sorted(os.listdir(tmp_path))
    code, said = interrupted(database, table, moment, number, tmp_path / "c.json")
    assert database.tables() == set()
    if number != signal.SIGKILL:
        assert code == 128 + number
        assert said == "error: Interrupted; nothing was written.\n"
        assert sorted(os.listdir(tmp_path)) == before  # SQLite's journal neither
    assert not (tmp_path / "c.json").exists()


@BOTH
def test_an_interrupt_while_publishing_says_what_is_there(database, table, tmp_path):
    sidecar = tmp_path / "c.json"
    code, said = interrupted(database, table, "publish", signal.SIGTERM, sidecar)
    assert code == 128 + signal.SIGTERM
    assert database.tables() == {"release"} and sidecar.exists()
    assert str(sidecar) in said and "::release" in said
