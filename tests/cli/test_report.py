"""microcell anonymize --report."""

import json

import pytest
from commands import run

from microcell.datasets import load_diabetes_patients


@pytest.fixture
def work(tmp_path):
    table = tmp_path / "patients.csv"
    load_diabetes_patients().frame.write_csv(table)
    return [
        "anonymize", table, "-k", 5, "-q", "age,sex,bmi,bp", "--others", "drop",
        "-c", "progression", "-o", tmp_path / "out.csv",
    ]  # fmt: skip


def test_a_report_is_written_and_named(work, tmp_path):
    path = tmp_path / "report.html"
    words = ["--purpose", "Teaching <b>", "--author", "A. Author"]
    done = run(*work, "--report", path, *words)
    assert done.exit_code == 0, done.stderr
    assert f"written             {path}" in done.stdout
    text = path.read_text()
    for said in ("Teaching &lt;b&gt;", "A. Author", "patients.csv", "out.csv"):
        assert said in text


def test_a_report_for_programs(work, tmp_path):
    path = tmp_path / "report.json"
    assert run(*work, "--report", path).exit_code == 0
    assert json.loads(path.read_text())["file"]["name"] == "out.csv"


@pytest.mark.parametrize("option", ["--purpose", "--author"])
def test_words_without_a_report(work, tmp_path, option):
    done = run(*work, option, "x")
    assert done.exit_code == 2
    assert f"{option} is said in a report" in done.stderr
    assert "--report report.html" in done.stderr
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("name", ["report.pdf", "out.csv", "patients.csv"])
def test_bad_names_are_refused_first(work, tmp_path, name):
    done = run(*work, "--report", tmp_path / name)
    assert done.exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["patients.csv"]
