"""Whom k counts, on the command line."""

import json

import polars as pl
import pytest
from commands import run


@pytest.fixture
def visits(tmp_path):
    """40 patients with 5 visits each."""
    path = tmp_path / "visits.csv"
    patients = [i // 5 for i in range(200)]
    pl.DataFrame(
        {
            "patient_id": [f"p{i}" for i in patients],
            "age": [20 + i for i in patients],
            "city": ["ab"[i % 2] for i in patients],
            "name": [f"Ann {i}" for i in range(200)],
        }
    ).write_csv(path)
    return path


ROLES = ["-k", 5, "-q", "age", "-i", "patient_id"]


def test_an_identifier_that_repeats_stops_the_work(visits, tmp_path):
    out = tmp_path / "o.csv"
    done = run("anonymize", visits, *ROLES, "--others", "drop", "-o", out)
    assert done.exit_code == 2 and not out.exists()
    assert "40 values for 200 records" in done.stderr
    assert "--unit patient_id" in done.stderr and "--unit records" in done.stderr


def test_units_are_counted(visits, tmp_path):
    out = tmp_path / "o.csv"
    options = ["--others", "drop", "--unit", "patient_id", "-o", out, "--json"]
    options += ["--order", "keep"]  # so that patients can be laid beside it
    done = run("anonymize", visits, *ROLES, *options)
    assert done.exit_code == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["k_counts"] == "patient_id"
    people = pl.read_csv(visits)["patient_id"]
    ages = pl.read_csv(out).with_columns(people)
    assert (
        ages.group_by("age").agg(pl.col("patient_id").n_unique())["patient_id"].min()
        >= 5
    )
    recipe = tmp_path / "r.toml"
    again = tmp_path / "again.csv"
    done = run(
        "anonymize", visits, *ROLES, "--others", "drop", "--unit", "patient_id",
        "-o", again, "--write-recipe", recipe,
    )  # fmt: skip
    assert 'unit = "patient_id"' in recipe.read_text()
    assert "40 values of patient_id" in done.stdout


def test_some_others_by_name_and_the_rest_dropped(visits, tmp_path):
    out = tmp_path / "o.csv"
    roles = [*ROLES, "--unit", "records"]
    done = run("anonymize", visits, *roles, "--others", "city,drop", "-o", out)
    assert done.exit_code == 0, done.stderr
    assert pl.read_csv(out).columns == ["age", "city"]
    done = run(
        "anonymize", visits, *roles, "--others", "city", "-o", tmp_path / "n.csv"
    )
    assert done.exit_code == 2 and "['name']" in done.stderr


def test_names_are_not_kept_by_accident(visits, tmp_path):
    out = tmp_path / "o.csv"
    roles = [*ROLES, "--unit", "records"]
    done = run("anonymize", visits, *roles, "--others", "keep", "-o", out)
    assert done.exit_code == 2 and "'name' has no role" in done.stderr
    assert not out.exists()


def test_a_promise_besides_k(visits, tmp_path):
    out = tmp_path / "o.csv"
    roles = ["-k", 5, "-q", "age", "-c", "city", "-i", "patient_id,name"]
    options = ["--promise", "p-sensitivity=2", "--unit", "patient_id", "-o", out]
    done = run("anonymize", visits, *roles, *options)
    assert done.exit_code == 0, done.stderr
    assert "city, counted in patient_id: promised 2, found 2" in done.stdout
    checked = ["-q", "age", "-c", "city", "--promise", "p-sensitivity=2"]
    assert run("check", out, *checked).exit_code == 0
    other = tmp_path / "n.csv"
    checked[-1] = "p-sensitivity=3"
    assert run("check", out, *checked).exit_code == 3
    done = run("anonymize", visits, *roles, "--promise", "magic=2", "-o", other)
    assert done.exit_code == 2 and "no promise 'magic'" in done.stderr
