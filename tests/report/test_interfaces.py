"""Where reports come from: Release.report, Release.save, anonymize_file."""

import hashlib
import json
import pickle
import re

import pytest
from frames import LIBRARIES, SCHEMA

from microcell import Recipe, Schema, anonymize
from microcell.datasets import load_diabetes_patients, make_hospital
from microcell.release import anonymize_file


@pytest.fixture(scope="module")
def release():
    patients = load_diabetes_patients()
    return anonymize(patients.frame, patients.schema, k=5)


def test_html_and_json_say_the_same(release, tmp_path):
    said = release.report(tmp_path / "r.json", purpose="Teaching", author="A. Author")
    page = release.report(tmp_path / "r.html", purpose="Teaching", author="A. Author")
    assert json.loads((tmp_path / "r.json").read_text()) == said
    text = (tmp_path / "r.html").read_text()
    assert text.startswith("<!DOCTYPE html>") and "A. Author" in text
    created = {"created": said["created"]}
    assert page | created == said


def test_other_suffixes_are_refused(release, tmp_path):
    with pytest.raises(ValueError, match=r"\.html or \.json"):
        release.report(tmp_path / "report.pdf")
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_exists_is_kept(release, tmp_path):
    path = tmp_path / "r.json"
    path.write_text("signed")
    with pytest.raises(FileExistsError):
        release.report(path)
    assert path.read_text() == "signed"
    release.report(path, overwrite=True)
    assert path.read_text() != "signed"


def test_a_report_is_whole_or_not_there(release, tmp_path, monkeypatch):
    def fails(facts, path):
        raise RuntimeError("the pen broke")

    monkeypatch.setattr("microcell.report.report_text", fails)
    with pytest.raises(RuntimeError, match="pen"):
        release.report(tmp_path / "r.html")
    with pytest.raises(RuntimeError, match="pen"):
        release.save(tmp_path / "o.csv", report=tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []


def test_a_changed_table_has_no_report(tmp_path):
    release = anonymize(LIBRARIES["pandas"](), SCHEMA, k=3)
    release.table.loc[0, "diagnosis"] = "hiv"
    with pytest.raises(ValueError, match="not the one that was verified"):
        release.report(tmp_path / "r.json")


def test_save_writes_the_report_beside_the_table(release, tmp_path):
    out, sidecar = tmp_path / "o.csv", tmp_path / "r.json"
    source = tmp_path / "patients.csv"
    source.write_text("name\n")
    release.save(
        out, report=sidecar, source=source, source_name="patients.csv", author="Me"
    )
    said = json.loads(sidecar.read_text())
    note = json.loads((tmp_path / "r.source-key.json").read_text())
    assert said["file"]["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
    assert said["source"] == {"name": "patients.csv", "hmac_sha256": note["digest"]}
    assert {f["counted_on"] for f in said["findings"]} == {"table", "file"}
    assert said["author"] == "Me" and said["purpose"] is None


@pytest.mark.parametrize("option", ["purpose", "author", "source_name"])
def test_words_for_no_report_are_refused(release, tmp_path, option):
    with pytest.raises(ValueError, match=f"{option} is said in a report"):
        release.save(tmp_path / "o.csv", **{option: "x"})
    assert list(tmp_path.iterdir()) == []


def test_a_private_report_has_no_hash_of_the_source(tmp_path):
    patients = load_diabetes_patients()
    table = patients.frame.select("age", "bmi")
    schema = type(patients.schema)(["age", "bmi"])
    bounds = {"age": [0, 120], "bmi": [10.0, 60.0]}
    release = anonymize(
        table, schema, k=20, method="dp-microaggregation", epsilon=1.0, bounds=bounds
    )
    out, sidecar = tmp_path / "o.csv", tmp_path / "r.html"
    source = tmp_path / "patients.csv"
    table.write_csv(source)
    release.save(out, report=sidecar, source=source, source_name="patients.csv")
    text = sidecar.read_text()
    hashed = hashlib.sha256(source.read_bytes()).hexdigest()
    assert "patients.csv" in text and hashed not in text and "hmac" not in text
    assert not list(tmp_path.glob("*source-key*"))
    assert "withheld" in text


def test_file_to_file(tmp_path):
    patients = load_diabetes_patients()
    source = tmp_path / "patients.csv"
    patients.frame.write_csv(source)
    recipe = Recipe(patients.schema, k=5)
    out, sidecar = tmp_path / "o.csv", tmp_path / "r.json"
    done = anonymize_file(source, recipe, out, report=sidecar, purpose="Teaching")
    said = json.loads(sidecar.read_text())
    note = json.loads((tmp_path / "r.source-key.json").read_text())
    assert said["source"] == {"name": "patients.csv", "hmac_sha256": note["digest"]}
    assert said["purpose"] == "Teaching"
    assert done.release.before is not None

    plain = anonymize_file(source, recipe, tmp_path / "p.csv")
    assert plain.release.before is None  # nobody asked for what would need it
    assert (tmp_path / "p.csv").read_bytes() == out.read_bytes()


def test_a_release_that_forgot_its_original_says_so(release, tmp_path):
    again = pickle.loads(pickle.dumps(release))
    with pytest.raises(ValueError, match="does not remember its original"):
        again.report(tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []


def hospital(**options):
    frame = make_hospital(400, random_state=0).frame
    schema = Schema(
        ["postcode", "born", "sex", "icd"],
        identifiers="household",
        confidential=["hiv", "cost", "outcome"],
        others="drop",
        kinds={"postcode": "prefix"},
    )
    return anonymize(frame, schema, k=4, missing="category", **options)


def patients(names, **options):
    table = load_diabetes_patients().frame.select(names)
    return anonymize(table, Schema(names), k=5, **options)


KINDS_OF_RELEASES = {
    "units, dates, codes, gaps": lambda: hospital(unit="household", weights="weight"),
    "few records": lambda: anonymize(LIBRARIES["polars"](), SCHEMA, k=3),
    "one column": lambda: patients(["age"]),
    "one cell": lambda: anonymize(
        load_diabetes_patients().frame.select("age", "bmi"),
        Schema(["age", "bmi"]),
        k=442,
    ),
    "blocks": lambda: patients(["age", "bmi"], method="individual-ranking"),
    "intervals": lambda: patients(["age", "bmi"], aggregate="interval"),
    "distinct records": lambda: patients(["age", "bmi"], method="random-aggregation"),
}


@pytest.mark.parametrize("kind", KINDS_OF_RELEASES)
def test_every_kind_of_release_has_a_page(kind, tmp_path):
    release = KINDS_OF_RELEASES[kind]()
    release.report(tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text()
    assert text.rstrip().endswith("</html>")
    said = re.sub(r"<[^>]+>", " ", text)
    assert not re.search(r"\b(None|nan|inf)\b", said.split("[roles]")[0])


@pytest.mark.parametrize("asked", ["people", "select * from people"])
def test_a_table_of_a_database_has_a_report(tmp_path, asked):
    import sqlite3

    from microcell import Recipe, Schema, anonymize_file

    with sqlite3.connect(tmp_path / "clinic.db") as connection:
        connection.execute("create table people (age integer)")
        rows = [(age,) for age in range(20, 60)]
        connection.executemany("insert into people values (?)", rows)
    connection.close()
    address = f"sqlite:///{tmp_path}/clinic.db"
    report = tmp_path / "report.json"
    anonymize_file(
        f"{address}::{asked}",
        Recipe(Schema(["age"]), k=5, unit="records"),
        f"{address}::released",
        report=report,
    )
    facts = json.loads(report.read_text())
    assert facts["source"]["name"] == ("people" if asked == "people" else "a query")
    assert facts["file"]["name"] == "released"
    assert str(tmp_path) not in report.read_text()
