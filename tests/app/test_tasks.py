"""What the app has done is what the library and the command line do."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from microcell._default_method import DEFAULT_METHOD
from microcell.app._tasks import TASKS
from microcell.cli._app import app
from microcell.datasets import make_hospital
from microcell.exceptions import InputError
from microcell.io import write_table
from microcell.release._source import is_noted_source

NOTHING_SAID = dict.fromkeys(("format", "delimiter", "encoding", "sheet"))


def run(kind, **request):
    """A task's result and what it emitted, as another process gets them."""
    emitted = []
    result = TASKS[kind](request, lambda message: emitted.append(json.dumps(message)))
    return json.loads(json.dumps(result)), [json.loads(text) for text in emitted]


def looked_at(path, **said):
    return run("look", path=str(path), reading=NOTHING_SAID | said, k=5)


def patients(suffix, folder, encoding="utf-8"):
    """A table of people, with letters that encodings differ in."""
    frame = make_hospital(120, random_state=0).frame.drop("household")
    cities = pl.col("city").replace(frame["city"][0], "Zürich")
    frame = frame.with_columns(cities, pl.col(pl.Categorical).cast(pl.String))
    path = folder / f"people{suffix}"
    options = {} if suffix in (".xlsx", ".sav") else {"encoding": encoding}
    write_table(frame, path, **options)
    return path


@pytest.fixture(scope="module")
def demo_file(tmp_path_factory):
    made, _ = run("demo", folder=str(tmp_path_factory.mktemp("demo")))
    assert made["name"] == "patients.csv"
    return Path(made["path"])


def test_the_demo_is_looked_at_and_released(demo_file, tmp_path):
    seen, _ = looked_at(demo_file)
    assert seen["look"]["n_records"] == 442 and seen["problem"] is None
    assert "age" in seen["entries"]["quasi_identifiers"]
    made, _ = run(
        "release",
        path=str(demo_file),
        entries=seen["entries"],
        folder=str(tmp_path),
        format="csv",
        purpose="To try it",
        author="",
        stem="patients",
    )
    assert (
        made["k"] == 5 and made["n_records"] == 442 and made["method"] == DEFAULT_METHOD
    )
    assert all(finding["holds"] is not False for finding in made["findings"])
    assert 0 < made["loss"] < 1
    names = {file["name"] for file in made["files"].values()}
    assert names == {path.name for path in tmp_path.iterdir()}
    assert "To try it" in (tmp_path / "patients-report.html").read_text()
    key = tmp_path / made["files"]["source_key"]["name"]
    assert is_noted_source(demo_file, key), "the owner's alone is the key to the digest"


def test_the_preview_comes_before_the_inspection(demo_file):
    seen, emitted = looked_at(demo_file)
    assert [list(message) for message in emitted] == [["look"]]
    first = emitted[0]["look"]
    assert first["inspection"] is None
    assert len(first["rows"]) == 20 and len(first["rows"][0]) == len(first["columns"])
    assert first["found"]["delimiter"] == "," and first["found"]["format"] == "csv"
    assert {**seen["look"], "inspection": None} == first
    assert seen["look"]["inspection"]["records"] == 442


def test_a_table_with_nothing_to_mask_keeps_its_preview(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text("id\n" + "".join(f"P{i:05d}x\n" for i in range(60)))
    seen, _ = looked_at(path)
    assert seen["entries"] is None
    assert seen["problem"]["option"] == "quasi_identifiers"
    assert seen["look"]["columns"] == ["id"] and seen["look"]["inspection"]


def test_a_workbook_of_several_sheets_says_which(tmp_path):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for name in ("2023", "2024"):
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, ["age", "town"])
            for row in range(1, 31):
                sheet.write_row(row, 0, [20 + row, "ab"[row % 2]])
    emitted = []
    request = {"path": str(path), "reading": NOTHING_SAID, "k": 5}
    with pytest.raises(InputError, match="several sheets"):
        TASKS["look"](request, emitted.append)
    assert emitted[0]["look"]["sheets"] == ["2023", "2024"]
    seen, _ = looked_at(path, sheet="2024")
    assert seen["look"]["found"]["sheet"] == "2024"
    assert seen["look"]["sheets"] == ["2023", "2024"]
    assert seen["entries"]["sheet"] == "2024"


def compared(demo_file, folder, entries=None, **asked):
    given = {
        "quasi_identifiers": ["age", "bmi"],
        "confidential": ["progression"],
        "others": "drop",
        "k": 5,
        "method": "mdav",
    }
    request = {"methods": ["mdav", "mondrian"], "k": [5, 20], "label": None} | asked
    return run(
        "compare",
        path=str(demo_file),
        entries=given | (entries or {}),
        folder=str(folder / "compared"),
        **request,
    )


@pytest.mark.slow
def test_candidates_are_emitted_as_they_are_done(demo_file, tmp_path):
    found, emitted = compared(demo_file, tmp_path)
    assert len(emitted) == len(found["candidates"]) == 4
    labels = {message["candidate"]["label"] for message in emitted}
    assert labels == {c["label"] for c in found["candidates"]}
    assert set(emitted[-1]["frontier"]) == set(found["frontier"]) <= labels
    assert found["x"] == "distance_linkage_risk" and found["y"] == "relative_loss"
    by_file = json.loads((tmp_path / "compared" / "comparison.json").read_text())
    assert by_file["candidates"] == found["candidates"]
    assert by_file["figures"] == found["figures"]


@pytest.mark.slow
def test_parameters_and_target_go_where_they_belong(demo_file, tmp_path):
    own = {"method": "vmdav", "parameters": {"gamma": 0.9}}
    found, _ = compared(
        demo_file, tmp_path, own, methods=["mdav", "vmdav", "lda-vmdav"], k=[9]
    )
    tried = {c["method"]: c["parameters"] for c in found["candidates"]}
    assert tried == {"mdav": {}, "vmdav": {"gamma": 0.9}, "lda-vmdav": {}}
    aimed = {"method": "lda-mdav", "target": "progression", "parameters": {"alpha": 2}}
    found, _ = compared(demo_file, tmp_path, aimed, methods=["mdav"], k=[9])
    assert [c["label"] for c in found["candidates"]] == ["mdav, k=9"]


@pytest.mark.slow
def test_if_the_first_candidate_fails_it_is_emitted_with_its_error(demo_file, tmp_path):
    found, emitted = compared(demo_file, tmp_path, methods=["mdav"], k=[5, 500])
    errors = [message["candidate"]["error"] for message in emitted]
    assert sorted(error is None for error in errors) == [False, True]
    assert len(found["candidates"]) == 2


@pytest.mark.parametrize(
    ("suffix", "encoding"),
    [
        (".csv", "latin-1"),
        *(
            pytest.param(*other, marks=pytest.mark.slow)
            for other in ((".csv", "utf-8"), (".xlsx", None), (".sav", None))
        ),
    ],
)
def test_the_command_line_makes_the_same_file(suffix, encoding, tmp_path):
    source = patients(suffix, tmp_path, encoding)
    said = {} if encoding is None else {"encoding": encoding}
    seen, _ = looked_at(source, **said)
    (tmp_path / "app").mkdir()
    made, _ = run(
        "release",
        path=str(source),
        entries=seen["entries"],
        folder=str(tmp_path / "app"),
        format=suffix[1:],
        purpose="",
        author="",
        stem="people",
    )
    recipe = tmp_path / "recipe.toml"
    shutil.copy(tmp_path / "app" / made["files"]["recipe"]["name"], recipe)
    again = tmp_path / f"again{suffix}"
    done = CliRunner().invoke(
        app,
        ["anonymize", str(source), "--recipe", str(recipe), "-o", str(again)],
        prog_name="microcell",
    )
    assert done.exit_code == 0, done.stderr
    by_app = tmp_path / "app" / made["files"]["release"]["name"]
    assert by_app.read_bytes() == again.read_bytes()
    assert made["files"]["release"]["size"] == again.stat().st_size
