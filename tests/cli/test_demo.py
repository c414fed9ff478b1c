import shlex

import polars as pl
import pytest
import typer.main
from commands import run

from microcell.cli import _demo
from microcell.cli._app import app


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("somewhere") / "my demo"
    done = run("demo", folder)
    assert done.exit_code == 0, done.stderr
    return done.stdout, folder


def test_the_patients_are_released(made):
    said, folder = made
    assert {path.name for path in folder.iterdir()} == set(_demo.FILES.values())
    released = pl.read_csv(folder / "release.csv")
    assert released.height == 442
    masked = ["age", "sex", "bmi", "bp"]
    assert released.group_by(masked).len()["len"].min() >= 5
    assert "k-anonymity: promised 5, found" in said


def test_one_cell_is_shown_before_and_after(made):
    said, _ = made
    before, after = said.split("after: ")
    tables = [part[part.index("╡") : part.index("└")] for part in (before, after)]
    cells = [[row.split("┆") for row in t.splitlines()[1:]] for t in tables]
    assert len(cells[0]) == len(cells[1]) >= 5
    masked = [{tuple(row[:4]) for row in rows} for rows in cells]
    assert len(masked[0]) > 1 == len(masked[1])
    confidential = [[row[4] for row in rows] for rows in cells]
    assert confidential[0] == confidential[1]


def test_what_it_proposes_next_works(made, monkeypatch, tmp_path):
    said, folder = made
    monkeypatch.chdir(tmp_path)
    commands = said.split("what to try next\n")[1].splitlines()
    assert len(commands) == 3
    for command in map(shlex.split, commands[:2]):
        done = run(*command[1:])
        assert done.exit_code == 0, done.stderr
    _, name, *arguments = shlex.split(commands[2])  # takes long: its options are read
    with typer.main.get_command(app).commands[name].make_context(name, arguments):
        pass
    recipe, patients = folder / "recipe.toml", folder / "patients.csv"
    done = run("anonymize", patients, "--recipe", recipe, "-o", "again.csv")
    assert done.exit_code == 0, done.stderr
    assert (tmp_path / "again.csv").read_bytes() == (
        folder / "release.csv"
    ).read_bytes()


@pytest.mark.parametrize("there", ["patients.csv", "release.csv", "report.html"])
def test_a_file_that_is_there_stays(tmp_path, there):
    (tmp_path / there).write_text("mine")
    done = run("demo", tmp_path)
    assert done.exit_code == 2
    assert there in done.stderr and "--overwrite" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).read_text() == "mine"


def test_files_are_replaced_on_request(tmp_path):
    (tmp_path / "release.csv").write_text("mine")
    (tmp_path / "notes.txt").write_text("mine")
    assert run("demo", tmp_path, "--overwrite").exit_code == 0
    assert (tmp_path / "release.csv").read_text() != "mine"
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_where_a_folder_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "no" / "where"):
        done = run("demo", folder)
        assert done.exit_code == 2 and str(folder.name) in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
