"""Marks of missing values: texts and numbers, of all columns or of one."""

import numpy as np
import polars as pl
import pytest
from commands import run
from marks import for_each

from microcell import Recipe, Schema, SchemaError, anonymize, measure
from microcell.cli._options import parse_marks

SCHEMA = Schema(["age", "visits"])
TYPED = {"age": [31, 33, 999, 60, 62], "visits": [1.5, 2.5, 3.5, 999.0, 4.5]}
TEXT = {name: [str(value) for value in column] for name, column in TYPED.items()}


def dropped(table, marks, schema=SCHEMA):
    options = {"missing": "drop", "missing_marks": marks}
    return anonymize(table, schema, k=2, **options).n_dropped


@pytest.mark.parametrize(
    ("marks", "n_dropped"),
    [
        ([999], 2),
        (["999"], 2),
        (999, 2),
        (["999.0"], 2),
        ({"age": [999]}, 1),
        ({"age": 999}, 1),
        ({"visits": ["999"], "age": ["999"]}, 2),
        ({"*": ["999"]}, 2),
        ({"*": ["31"], "age": [999]}, 2),
        (np.array([999]).tolist(), 2),
        ({"age": [np.int64(999)]}, 1),
        ({"age": [99]}, 0),
        (None, 0),
    ],
)
def test_marks_of_all_columns_or_of_one(make, marks, n_dropped):
    for data in (TYPED, TEXT):
        assert dropped(make(data), marks) == n_dropped


@for_each("kind", [pl.Int8, pl.UInt16, pl.Float32, pl.Decimal(5, 1), pl.UInt64])
def test_numbers_of_every_type(kind):
    table = pl.DataFrame({"age": pl.Series([1, 2, 99, 5, 6], dtype=kind)})
    schema = Schema(["age"])
    assert dropped(table, [99, -9], schema) == 1


def test_a_column_keeps_the_usual_marks_of_text():
    table = pl.DataFrame({"age": ["31", "NA", "999", "60", "62"]})
    schema = Schema(["age"])
    assert dropped(table, {"age": [999]}, schema) == 2
    with pytest.raises(SchemaError, match="'age' looks like numbers"):
        dropped(table, [999], schema)  # which replace them


def test_missing_values_are_an_error_that_counts_marks(make):
    with pytest.raises(SchemaError, match=r"'age' \(1\), 'visits' \(1\)"):
        anonymize(make(TYPED), SCHEMA, k=2, missing_marks=[999])


def test_identifiers_are_not_numbers():
    table = pl.DataFrame({"id": [99, 98, 97, 96], "age": [31, 33, 60, 62]})
    schema = Schema(["age"], identifiers="id")
    release = anonymize(table, schema, k=2, unit="id", missing_marks=["99", "31"],
                        missing="drop")  # fmt: skip
    assert release.n_dropped == 1


def test_a_mark_that_stands_nowhere_is_named(make):
    options = {"missing": "drop", "missing_marks": {"age": [999, 7], "*": ["-"]}}
    notices = anonymize(make(TYPED), SCHEMA, k=2, **options).notices
    assert "the missing mark '7' does not stand in column 'age'" in notices
    assert "the missing mark '-' stands in no quasi-identifier" in notices
    assert len([n for n in notices if "mark" in n]) == 2


def test_usual_marks_are_not_named():
    notices = anonymize(pl.DataFrame(TEXT), SCHEMA, k=2).notices
    assert not any("the missing mark" in n for n in notices)


@for_each(
    ("marks", "words"),
    [
        ({"sex": ["9"]}, "'missing_marks' names 'sex'"),
        ([True], "text or a number"),
        ([None], "text or a number"),
        ({"age": [["9"]]}, "text or a number"),
        ({9}, "text or a number"),
    ],
)
def test_marks_that_cannot_be(marks, words):
    with pytest.raises(SchemaError, match=words):
        Recipe(SCHEMA, k=2, missing_marks=marks)


@pytest.mark.parametrize("marks", [None, ["NA", -9], {"age": [999], "*": ["-"]}])
def test_recipes_keep_marks(tmp_path, marks):
    recipe = Recipe(SCHEMA, k=2, missing_marks=marks)
    path = tmp_path / "recipe.toml"
    path.write_text(recipe.to_toml())
    assert Recipe.from_toml(path) == recipe


def test_measure_leaves_them_out_too(make):
    table = make(TYPED)
    marks = {"missing": "drop", "missing_marks": {"age": [999], "visits": [999]}}
    release = anonymize(table, SCHEMA, k=3, **marks)
    scores = measure(table, release.table, ["age", "visits"], **marks)
    assert scores["sse_loss"] == pytest.approx(release.scores["sse_loss"])


def test_columns_with_an_equals_sign():
    columns = ["age", "age=years"]
    assert parse_marks(["age=years=9", "age=8"], columns) == {
        "age=years": ["9"],
        "age": ["8"],
    }


def test_command_line(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    pl.DataFrame(TEXT).write_csv(path)
    common = ["-q", "age,visits", "--missing", "drop", "--missing-mark", "age=999"]
    line = ["anonymize", str(path), "-k", "2", *common, "-o", str(out)]
    done = run(*line)
    assert done.exit_code == 0, done.stderr
    assert "records left out    1" in done.stdout
    done = run("measure", str(path), str(out), *common)
    assert "information loss" in done.stdout


def test_a_decimal_mark_that_reads_no_more_is_no_way_out():
    """In "a.b." the marks are not those of numbers."""
    frame = pl.DataFrame({"age": [*map(str, range(20, 40)), "a.b."]})
    schema = Schema(quasi_identifiers=["age"])
    with pytest.raises(SchemaError, match="looks like numbers") as caught:
        anonymize(frame, schema, k=3, decimal=",")
    assert "decimal" not in str(caught.value)
    assert "missing_marks" in str(caught.value)
    frame = pl.DataFrame({"age": [f"{n},5" for n in range(20, 40)]})
    with pytest.raises(SchemaError, match="decimal=','"):
        anonymize(frame, schema, k=3, decimal=".")


def test_an_empty_field_is_missing_beside_other_marks():
    text = pl.DataFrame({"age": ["", "-", *(str(i) for i in range(20))]})
    options = {"k": 3, "missing": "drop", "missing_marks": ["-"]}
    assert anonymize(text, Schema(["age"]), **options).n_dropped == 2
