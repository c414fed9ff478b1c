"""check and measure on releases of our own: the lines of the steward's checklist."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from commands import run

from microcell import (
    Recipe,
    Schema,
    anonymize_file,
    check_file,
    measure,
    measure_files,
)
from microcell.exceptions import InputError
from microcell.io import read_table
from microcell.privacy import PSensitivity
from microcell.release._certified import STATED
from microcell.release._summary import folded

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


def test_a_certificate_states_of_people_what_a_file_does_not_show(visits, tmp_path):
    out, other, toml, said = (tmp_path / n for n in ("o.csv", "x.csv", "r.toml", "c"))
    more = {"unit_records": "apart", "promises": [PSensitivity(2)]}
    used = recipe(["doctor", "cost"], **more)
    made = anonymize_file(
        visits, used, out, certificate=said, write_recipe=toml
    ).release
    alone = check_file(out, recipe=toml)
    assert "certificate of this file" in alone.not_checked[0]
    found = check_file(out, recipe=toml, certificate=said)
    assert found.holds and found.certified and found.not_checked == ()
    stated = [f for f in found.findings if f.basis == STATED]
    names = [(f.promise, f.promised, f.found) for f in made.findings]
    assert [(f.promise, f.promised, f.found) for f in stated] == names
    beside = check_file(out, recipe=toml, certificate=said, original=visits)
    assert beside.holds and not [f for f in beside.findings if f.basis == STATED]
    assert beside.visits == made.visits
    higher = check_file(out, recipe=replace(used, k=5), certificate=said)
    assert "k-anonymity" in higher.not_checked[0]  # another k was certified
    head, *rows = out.read_bytes().splitlines(keepends=True)
    other.write_bytes(b"".join([head, *rows[::-1]]))
    done = run("check", other, "--recipe", toml, "--certificate", said)
    assert done.exit_code == 3 and "certificate is of another file" in done.stdout
    done = run("check", out, "--recipe", toml, "--certificate", said)
    assert done.exit_code == 0 and "stated by the certificate" in done.stdout
    with pytest.raises(InputError, match="not the certificate of a file"):
        check_file(out, recipe=toml, certificate=visits)
    with pytest.raises(InputError, match="what is to hold is given"):
        check_file(out, "age", certificate=said)


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


def test_what_is_released_as_it_is_must_be_that_of_the_original(visits, tmp_path):
    out, other, toml = (tmp_path / name for name in ("o.csv", "x.csv", "r.toml"))
    anonymize_file(visits, recipe("doctor"), out, write_recipe=toml)
    many = check_file(out, recipe=toml).sizes.min()  # records, and perhaps not people
    toml.write_text(toml.read_text().replace("k = 4", f"k = {many}"))
    alone = ["check", other, "--recipe", toml]
    made = pl.read_csv(out)
    values = made["doctor"].to_list()
    swapped = pl.Series("doctor", ["Ito"] * 9 + values[9:])
    other.write_bytes(out.read_bytes())
    assert run(*alone).exit_code == 4
    for table, code, broken in (
        (made, 4, ()),  # nothing that was promised can be checked
        (made.with_columns(swapped), 3, ("'doctor'",)),
        (pl.concat([made, made[:9]]), 3, ("number of records",)),
    ):
        other.write_text(table.write_csv(), encoding="cp1252")
        done = run(*alone, "--original", visits)
        lines = [line for line in done.stdout.splitlines() if line.startswith("broken")]
        assert done.exit_code == code and len(lines) == len(broken)
        for line, name in zip(lines, broken, strict=True):
            assert name in line and not any(value in line for value in set(values))


@pytest.mark.parametrize("suffix", ["parquet", "xlsx", "sav", "dta"])
def test_other_formats_hold_the_values_of_the_original(suffix, tmp_path):
    before, out = tmp_path / "t.csv", tmp_path / f"o.{suffix}"
    rows = [
        f"{20 + i % 9},2024-01-{i % 28 + 1:02},0{i % 7}.{i % 3},{i},{i % 4 == 0},{i}.50"
        for i in range(40)
    ]
    rows[3:5] = ["23,,,,,", "24,2024-01-02,NA,7,false,3.25"]
    before.write_text("age,day,code,n,flag,pay\n" + "\n".join(rows))
    schema = Schema(["age"], confidential=["day", "code", "n", "flag", "pay"])
    used = Recipe(schema, k=4, allow_unique=["n", "pay"])
    used = anonymize_file(before, used, out).release.recipe
    found = check_file(out, recipe=used, original=before)
    assert found.holds and len(found.findings) == 7 and not found.not_checked


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


def test_folders_are_measured_and_checked_as_files_are(visits, tmp_path):
    folder, file, toml = tmp_path / "made", tmp_path / "o.parquet", tmp_path / "r.toml"
    given = replace(recipe("cost"), unit="records")
    anonymize_file(visits, given, folder, engine="disk", write_recipe=toml)
    pl.concat(map(pl.read_parquet, sorted(folder.glob("*.parquet")))).write_parquet(
        file
    )
    (tmp_path / "before").mkdir()
    visits.rename(tmp_path / "before" / "a.csv")
    scores = [
        json.loads(run("measure", original, made, *said, "--json").stdout)
        for said in (["--recipe", toml], ["-q", "age,stay"])
        for original in (tmp_path / "before", tmp_path / "before" / "a.csv")
        for made in (folder, file)
    ]
    assert scores[0] == scores[1] == scores[2] == scores[3]
    assert scores[4] == scores[5] == scores[6] == scores[7]
    assert check_file(folder, recipe=toml, original=tmp_path / "before").holds


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
        if words[0] == "anonymize":  # with all its files, on one screen
            assert len(folded(done.stdout, 80).splitlines()) <= 24
        if words[0] == "check":
            assert "kept" in done.stdout and "not checked" not in done.stdout
    document = json.loads((tmp_path / "certificate.json").read_text())
    assert document["findings"][0]["promised"] == 5
    assert (tmp_path / "release.csv").read_bytes() == (
        tmp_path / "again.csv"
    ).read_bytes()


def test_a_check_says_what_fails(tmp_path):
    out = tmp_path / "o.csv"
    pl.DataFrame({"age": [1, 1, 2, 2], "c": ["x", "x", "x", "y"]}).write_csv(out)
    promises = [PSensitivity(2)]
    result = check_file(out, "age", k=2, confidential="c", promises=promises).to_dict()
    assert result["holds"] is False and result["records_failing"] == 2
