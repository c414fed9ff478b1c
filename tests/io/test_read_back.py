"""What was written is compared with what should have been, value by value."""

import datetime as dt

import polars as pl
import pytest
from marks import for_each

from microcell import Recipe, Schema, anonymize
from microcell.exceptions import InputError
from microcell.io import FORMATS, _tables, read_table, write_table
from microcell.io._notes import ColumnNotes
from microcell.io._read_back import SLICE, check_read_back, same_values

COLUMNS = {
    "numbers": pl.Series([1.5, None, -0.0]),
    "integers": pl.Series([1, None, 3]),
    "text": pl.Series(["a", None, "b"]),
    "dates": pl.Series([dt.date(2020, 1, 1), None, dt.date(2021, 1, 1)]),
    "times": pl.Series([dt.time(1, 2), None, dt.time(3, 4, 5)]),
    "moments": pl.Series([dt.datetime(2020, 1, 1, 1), None, dt.datetime(2021, 1, 1)]),
    "booleans": pl.Series([True, None, False]),
    "categories": pl.Series(["a", None, "b"], dtype=pl.Categorical),
    "lists": pl.Series([[1], None, [2]]),
}


@for_each("column", COLUMNS.values())
def test_columns_that_are_the_same_and_that_are_not(column):
    assert same_values(column, column.clone())
    assert not same_values(column, column.reverse())
    gap = pl.concat([column.clear(1), column.slice(1)])
    assert not same_values(column, gap)
    assert not same_values(gap, column)


@for_each(
    ("written", "found", "same"),
    [
        ([1.0, 2.0], [1, 2], True),
        ([1.5], [1], False),
        ([1, 2], ["1", "2"], True),
        ([2**60], [float(2**60)], True),
        ([2**60 + 1], [2**60], False),
        ([0.1], ["0.1"], True),
        ([0.1 + 0.2], ["0.3"], False),
        (["1"], [1], False),
        ([True, False], [1, 0], True),
        ([True], [2], False),
        ([True, None], ["true", ""], True),
        ([dt.date(2020, 1, 1)], ["2020-01-01"], True),
        ([dt.date(2020, 1, 1)], [dt.datetime(2020, 1, 1)], True),
        ([dt.date(2020, 1, 1)], [dt.datetime(2020, 1, 1, 1)], False),
        ([dt.datetime(2020, 1, 1)], [dt.datetime(2020, 1, 1, tzinfo=dt.UTC)], False),
        ([None, None], ["", None], True),
        ([None, None], ["", "x"], False),
        ([float("nan")], ["NaN"], True),
        ([1.0], [None], False),
    ],
)
def test_values_in_other_types(written, found, same):
    assert same_values(pl.Series(written), pl.Series(found)) == same


TYPED = pl.DataFrame({"age": [30, 32, 60, 62], "ill": ["a", "b", "c", None]})
WRITTEN = [f.suffixes[0] for f in FORMATS if f.write is not None]


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_writer_that_changes_a_value_is_found_out(suffix, tmp_path, monkeypatch):
    release = anonymize(TYPED, Schema(["age"], confidential="ill"), k=2)
    path = tmp_path / f"o{suffix}"
    format = _tables.BY_SUFFIX[suffix]

    def careless(frame, path, layouts, dialect):
        changed = frame.with_columns(ill=pl.col("ill").replace("c", "x"))
        format.write(changed, path, layouts, dialect)

    from dataclasses import replace

    monkeypatch.setitem(_tables.BY_SUFFIX, suffix, replace(format, write=careless))
    with pytest.raises(InputError, match=r"\['ill'\] of .* were not read back"):
        release.save(path)
    assert not list(tmp_path.iterdir())
    monkeypatch.setitem(_tables.BY_SUFFIX, suffix, format)
    certificate = release.save(path)
    assert certificate["file"]["read_back_by"]
    assert read_table(path).height == 4


def test_a_change_beyond_the_first_slice_is_found_out():
    from microcell.io._read_back import changed_columns

    frame = pl.select(pl.int_range(SLICE + 5).alias("x"), pl.lit("a").alias("y"))
    other = frame.with_columns(x=pl.col("x").replace(SLICE + 3, 0))
    format = _tables.format_of("t.parquet")
    assert changed_columns(frame, {}, format, frame) == []
    assert changed_columns(frame, {}, format, other) == ["x"]
    assert changed_columns(frame, {}, format, frame.head(3)) == ["x", "y"]


def test_a_second_reader_is_heard(tmp_path, monkeypatch):
    from dataclasses import replace

    format = _tables.BY_SUFFIX[".dta"]
    wrong = replace(
        format, second=lambda path: ("other", format.read(path, path, None).frame[:1])
    )
    monkeypatch.setitem(_tables.BY_SUFFIX, ".dta", wrong)
    release = anonymize(TYPED, Schema(["age"], confidential="ill"), k=2)
    with pytest.raises(InputError, match="not read back by other"):
        release.save(tmp_path / "o.dta")


def test_each_reader_and_the_labels_are_compared(tmp_path, monkeypatch):
    """What one reader overlooks, the other may not cover."""
    from dataclasses import replace

    format = _tables.BY_SUFFIX[".dta"]
    path = tmp_path / "t.dta"
    write_table(TYPED, path)
    back = format.read(path, path, None)
    args = TYPED, {}, format
    assert len(check_read_back(*args, back, path, path)) == 2
    wrong = replace(back, frame=back.frame.with_columns(age=pl.lit(1)))
    with pytest.raises(InputError, match=rf"\['age'\] .* by {format.reader} as"):
        check_read_back(*args, wrong, path, path)
    notes = {"ill": ColumnNotes(pl.String(), "Stata", label="diagnosis")}
    with pytest.raises(InputError, match=r"\['ill'\]"):
        check_read_back(TYPED, notes, format, back, path, path)


def test_the_recipe_of_a_release_says_no_output_dialect_by_default(tmp_path):
    recipe = Recipe(Schema(["age"]), k=2)
    assert "output_encoding" not in recipe.to_dict()["file"]
    write_table(TYPED, tmp_path / "t.arrow")
    assert read_table(tmp_path / "t.arrow").equals(TYPED)
