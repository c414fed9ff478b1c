"""check and measure on releases of our own: the lines of the steward's checklist."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from microcell import Recipe, Schema, anonymize_file, check_file, measure, measure_files
from microcell.cli._app import app
from microcell.exceptions import InputError
from microcell.io import read_table

N_PEOPLE, VISITS = 40, 3
CHECKLIST = Path(__file__).parents[2] / "docs" / "stewards" / "checklist.md"


@pytest.fixture
def visits(tmp_path):
    """Visits of people in cp1252, whose costs tell records apart, and an outcome."""
    rng = np.random.default_rng(0)
    n = N_PEOPLE * VISITS
    table = pl.DataFrame(
        {
            "patient": np.repeat(np.arange(N_PEOPLE), VISITS),
            "age": np.repeat(rng.integers(18, 90, N_PEOPLE), VISITS),
            "stay": rng.integers(1, 30, n),
            "doctor": rng.choice(["Müller", "Weiß", "Ito"], n),
            "cost": rng.gamma(2, 900, n).round(2),
        }
    )
    path = tmp_path / "visits.csv"
    path.write_text(table.write_csv(), encoding="cp1252")
    return path


def recipe(confidential, **options):
    schema = Schema(
        ["age", "stay"], identifiers="patient", confidential=confidential, others="drop"
    )
    return Recipe(schema, k=4, unit="patient", **options)


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_people_are_counted_where_the_original_says_whose_records_they_are(
    visits, tmp_path
):
    out = tmp_path / "o.csv"
    for given in (
        recipe(["doctor", "cost"]),  # costs find each record again
        recipe("doctor", order="keep"),
    ):
        made = anonymize_file(visits, given, out, overwrite=True).release
        used = made.recipe
        alone = check_file(out, recipe=used)
        assert alone.findings[0].holds is None and alone.holds
        assert "counts 'patient'" in alone.not_checked[0]
        found = check_file(out, recipe=used, original=visits)
        assert found.not_checked == () and found.attacks.singling_out is not None
        assert found.findings[0] == made.findings[0]
        assert "counted in patient" in str(found.findings[0])
    # another k than was made
    assert not check_file(out, recipe=replace(used, k=30), original=visits).holds


def test_what_records_alone_say_of_people(visits, tmp_path):
    out = tmp_path / "o.csv"
    used = anonymize_file(visits, recipe("doctor"), out).release.recipe
    found = check_file(out, recipe=used, original=visits)  # rows of no known order
    least = int(np.ceil(found.sizes.min() / VISITS))
    assert found.findings[0].found == least >= 4
    assert str(found.findings[0]).startswith(
        "k-anonymity, counted in patient, at least"
    )
    many = replace(used, k=int(found.sizes.min()))  # records, and perhaps not people
    hidden = check_file(out, recipe=many, original=visits)
    assert hidden.findings[0].holds is None and "order=keep" in hidden.not_checked[0]
    broken = check_file(out, recipe=replace(used, k=int(found.sizes.min()) + 1))
    assert not broken.holds  # people are not more than records


def test_an_original_has_its_own_dialect(visits, tmp_path):
    out = tmp_path / "o.csv"
    anonymize_file(visits, recipe("doctor"), out)
    text = visits.read_text(encoding="cp1252").replace("stay", "Tag")
    visits.write_text(text, encoding="cp1252")
    dialect = {"encoding": "utf-8", "original_encoding": "cp1252"}
    names = ["age", "doctor"]
    found = check_file(out, names, original=visits, **dialect)
    assert found.attacks.singling_out is not None
    done = run("check", out, "-q", "age,doctor", "--original", visits,
               "--encoding", "utf-8", "--original-encoding", "cp1252")  # fmt: skip
    assert done.exit_code == 0 and "singling out" in done.stdout
    with pytest.raises(InputError, match="No original is named"):
        check_file(out, names, original_encoding="cp1252")


@pytest.mark.parametrize("engine", ["auto", "disk"])
def test_a_sorted_release_is_put_in_order_by_what_was_released_as_it_is(
    visits, tmp_path, engine
):
    out = tmp_path / "o.csv"
    given = Recipe(
        Schema(["age", "stay"], confidential=["doctor", "cost"], others="drop",
               identifiers="patient"),
        k=4,
        unit="records" if engine == "disk" else "patient",
    )  # fmt: skip
    made = anonymize_file(visits, given, out, engine=engine).release
    found = measure_files(visits, out, recipe=made.recipe)
    assert "put beside" in found.notice
    loss = made.scores["sse_loss"]
    assert found["sse_loss"] == pytest.approx(loss, abs=1e-3)
    if engine == "auto":
        assert {"distance_linkage_risk", "household_max_risk"} <= set(found)


def test_what_needs_no_order_is_measured_and_the_rest_named(visits, tmp_path):
    out, toml = tmp_path / "o.csv", tmp_path / "r.toml"
    given = recipe("doctor")
    made = anonymize_file(visits, given, out, write_recipe=toml).release
    done = run("measure", visits, out, "--recipe", toml)
    assert done.exit_code == 0, done.stderr
    for said in ("variance lost", "highest risk", "not measured: information loss",
                 "order=keep", "do not say their: 'patient'"):  # fmt: skip
        assert said in done.stdout
    with pytest.raises(InputError, match="The recipe says how"):
        measure_files(visits, out, recipe=made.recipe, kinds={"age": "numeric"})
    before, after = read_table(visits), read_table(out)
    assert measure(before, after, recipe=made.recipe)["variance_lost"] > 0


def test_every_command_of_the_checklist_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = CHECKLIST.read_text(encoding="utf-8")
    block = text.split("```console\n")[1].split("```")[0].replace("\\\n", " ")
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    ours = [shlex.split(c)[1:] for c in commands if c.startswith("microcell")]
    assert [words[0] for words in ours].count("check") == 2
    assert "measure" in [words[0] for words in ours]
    for words in ours:
        done = run(*words)
        assert done.exit_code == 0, (words, done.output)
        if words[0] == "check":
            assert "kept" in done.stdout and "not checked" not in done.stdout
    document = json.loads((tmp_path / "certificate.json").read_text())
    assert document["findings"][0]["promised"] == 5
    assert (tmp_path / "release.csv").read_bytes() == (
        tmp_path / "again.csv"
    ).read_bytes()
