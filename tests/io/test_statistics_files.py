"""SPSS, Stata and SAS files: what other programs wrote, and round trips."""

import datetime as dt

import polars as pl
import pyreadstat
import pytest

from microcell import Recipe, Schema, anonymize_file
from microcell.exceptions import InputError
from microcell.io import (
    FORMATS,
    ColumnNotes,
    check_read_back,
    format_of,
    kind_noted,
    read_columns,
    read_source,
    read_table,
    write_table,
)

TABLE = pl.DataFrame(
    {
        "sex": [1, 2, 1, None],
        "age": [31, 60, 41, 50],
        "income": [0.1 + 0.2, None, 1e-7, -5.0],
        "name": ["Ann", None, "Çid", "0123"],
        "born": [dt.date(2020, 1, 2), None, dt.date(1950, 5, 5), dt.date(1850, 1, 1)],
        "seen": [dt.datetime(2020, 1, 2, 3, 4, 5), None, None, dt.datetime(1999, 1, 1)],
        "at": [dt.time(10, 30), None, dt.time(1, 2, 3), dt.time(0, 0)],
        "yes": [True, False, None, True],
    }
)
WRITTEN = [".sav", ".zsav", ".dta", ".xpt"]


@pytest.mark.parametrize("suffix", WRITTEN)
def test_types_and_missing_values_survive(suffix, tmp_path):
    path = tmp_path / f"t{suffix}"
    write_table(TABLE, path)
    found = read_table(path)
    assert found.drop("yes").equals(TABLE.drop("yes"), null_equal=True)
    assert found.drop("yes").schema == TABLE.drop("yes").schema
    assert found["yes"].to_list() == [1, 0, None, 1]
    assert read_columns(path) == TABLE.columns
    readers = check_read_back(
        TABLE, {}, format_of(path), read_source(path), path, path.name
    )
    assert readers == (["pyreadstat", "pandas"] if suffix == ".dta" else ["pyreadstat"])


def spss_file(path):
    frame = pl.DataFrame(
        {
            "sex": [1.0, 2.0, 9.0, 1.0, 2.0, 1.0],
            "grade": [1.0, 2.0, 3.0, 3.0, 2.0, 1.0],
            "age": [30.0, 31.0, 33.0, 60.0, 61.0, 99.0],
            "income": [10.5, 998.0, 999.0, 20.25, None, 7.0],
            "ward": ["a", "x", "b", "a", "b", "a"],
            "born": [dt.date(1990, 1, 1)] * 6,
        }
    )
    pyreadstat.write_sav(
        frame,
        str(path),
        file_label="the study of Dr. Bob",
        note="Ann is record 3",
        column_labels={"sex": "Sex of the patient", "income": "Income"},
        variable_value_labels={
            "sex": {1.0: "male", 2.0: "female", 3.0: "other", 9.0: "refused"},
            "grade": {1.0: "low", 2.0: "mid", 3.0: "high"},
            "income": {998.0: "refused", 999.0: "unknown"},
            "ward": {"a": "Alpha", "b": "Beta", "x": "lost", "q": "quiet"},
        },
        missing_ranges={
            "sex": [9],
            "age": [{"lo": 98, "hi": 120}],
            "income": [998, 999],
            "ward": ["x"],
        },
        variable_measure={"sex": "nominal", "grade": "ordinal", "age": "scale"},
        variable_format={"age": "F4.0", "income": "F9.3", "born": "ADATE10"},
    )
    return frame


def test_what_spss_notes(tmp_path):
    path = tmp_path / "t.sav"
    spss_file(path)
    source = read_source(path)
    frame, notes = source.frame, source.notes
    assert frame["sex"].to_list() == [1, 2, None, 1, 2, 1]  # user-missing is missing
    assert frame["age"].to_list() == [30, 31, 33, 60, 61, None]
    assert frame["income"].to_list() == [10.5, None, None, 20.25, None, 7.0]
    assert frame["ward"].to_list() == ["a", None, "b", "a", "b", "a"]
    assert notes["income"].kinds.to_list() == [None, 998, 999, None, None, None]
    assert notes["ward"].kinds.to_list() == [None, "x", None, None, None, None]
    assert notes["sex"].values == {1: "male", 2: "female", 3: "other", 9: "refused"}
    assert notes["sex"].label == "Sex of the patient"
    kinds = {name: kind_noted(frame[name], notes[name]) for name in frame.columns}
    assert kinds["sex"] == "nominal" and kinds["grade"] == "ordinal"
    assert kinds["age"] == "numeric" and kinds["ward"] is None


RECIPE = Recipe(
    Schema(
        ["sex", "grade", "age"],
        confidential=["income", "ward"],
        others=["born"],
        kinds={"sex": "nominal"},
    ),
    k=2,
    missing="drop",
)


def test_labels_in_a_release(tmp_path):
    source, out = tmp_path / "t.sav", tmp_path / "o.sav"
    spss_file(source)
    done = anonymize_file(source, RECIPE, out, write_recipe=tmp_path / "r.toml")
    assert done.release.kinds == {
        "sex": "nominal",
        "grade": "ordinal",
        "age": "numeric",
    }
    assert any("'grade' is ordinal" in notice for notice in done.release.notices)
    frame, meta = pyreadstat.read_sav(
        str(out), output_format="polars", user_missing=True
    )
    # record 3 has no sex and record 6 no age: they are left out
    assert sorted(frame["income"].drop_nulls()) == [10.5, 20.25, 998.0]
    assert meta.missing_ranges["income"] == [{"lo": 998.0, "hi": 998.0}]
    assert meta.variable_value_labels["income"] == {998.0: "refused"}
    assert meta.variable_value_labels["ward"] == {
        "a": "Alpha",
        "b": "Beta",
        "x": "lost",
    }
    labels = meta.variable_value_labels["sex"]
    assert set(labels) == set(frame["sex"]) and 3.0 not in labels and 9.0 not in labels
    assert meta.column_names_to_labels["sex"] == "Sex of the patient"
    assert meta.variable_measure["grade"] == "ordinal"
    assert meta.original_variable_types["born"] == "ADATE10"
    assert not meta.file_label and not meta.notes
    everything = out.read_bytes()
    for word in (b"Ann", b"Bob", b"other", b"quiet", b"unknown"):
        assert word not in everything
    again = anonymize_file(source, tmp_path / "r.toml", tmp_path / "again.sav")
    assert read_table(tmp_path / "again.sav").equals(read_table(out))
    assert again.release.recipe == done.release.recipe


def test_kinds_of_missing_values_merge_with_a_notice(tmp_path):
    source = tmp_path / "t.sav"
    spss_file(source)
    done = anonymize_file(source, RECIPE, tmp_path / "o.csv")
    text = (tmp_path / "o.csv").read_text()
    assert "998" not in text and "x" not in text.splitlines()[1:]
    assert sum("kinds of missing" in notice for notice in done.release.notices) == 2


@pytest.mark.parametrize(("suffix", "said"), [(".csv", 1), (".xpt", 1), (".sav", 0)])
def test_labels_that_a_format_does_not_hold_are_named(tmp_path, suffix, said):
    source = tmp_path / "t.sav"
    spss_file(source)
    schema = Schema(["sex", "age"], confidential="grade", others="drop")
    recipe = Recipe(schema, k=2, missing="drop")
    done = anonymize_file(source, recipe, tmp_path / f"o{suffix}")
    lost = [n for n in done.release.notices if "labels of their values" in n]
    assert len(lost) == said and all("'sex'" in notice for notice in lost)


def test_promises_are_counted_on_missing_values_as_such(tmp_path):
    """A code of a missing value is no number of its column, nor a value of its own."""
    from microcell.privacy import TCloseness

    source = tmp_path / "t.sav"
    spss_file(source)
    schema = Schema(["age"], confidential="income", others="drop")
    recipe = Recipe(schema, k=2, missing="drop", promises=[TCloseness(1.0)])
    done = anonymize_file(source, recipe, tmp_path / "o.sav")
    found = {f["counted_on"]: f["found"] for f in done.certificate["findings"][1::2]}
    assert len(set(found.values())) == 1


@pytest.mark.parametrize("suffix", [".sav", ".dta"])
def test_kinds_that_a_promise_counts_as_one_are_not_told_apart(suffix, tmp_path):
    """Else a file that says t = 0 would show a code that only one cell has."""
    from microcell.privacy import TCloseness

    source, out = tmp_path / f"t{suffix}", tmp_path / f"o{suffix}"
    with_two_kinds(source)
    schema = Schema("age", confidential="income")
    promised = anonymize_file(
        source, Recipe(schema, k=2, promises=[TCloseness(0.1)]), out
    )
    assert read_source(out).notes["income"].kinds is None
    assert any("a promise counts" in n for n in promised.release.notices)
    anonymize_file(source, Recipe(schema, k=2), out, overwrite=True)
    assert read_source(out).notes["income"].kinds.count() == 4


def with_two_kinds(path):
    age = [20.0] * 4 + [60.0] * 4
    if path.suffix == ".sav":
        income = [1.0, 1.0, 98.0, 98.0, 1.0, 1.0, 99.0, 99.0]
        frame = pl.DataFrame({"age": age, "income": income})
        pyreadstat.write_sav(frame, str(path), missing_ranges={"income": [98, 99]})
        return
    income = pl.Series([1, 1, "a", "a", 1, 1, "b", "b"], dtype=pl.Object)
    frame = pl.DataFrame({"age": age, "income": income})
    letters = {"income": ["a", "b"]}
    pyreadstat.write_dta(frame, str(path), missing_user_values=letters)


def test_kinds_do_not_tell_the_order_of_the_source(tmp_path):
    frame = pl.DataFrame({"age": [30.0] * 4, "x": [98.0, 99.0, 99.0, 98.0]})
    out = []
    for rows in ([0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 2, 3]):
        path = tmp_path / "t.sav"
        pyreadstat.write_sav(frame[rows], str(path), missing_ranges={"x": [98, 99]})
        recipe = Recipe(Schema(["age"], others=["x"]), k=2)
        anonymize_file(path, recipe, tmp_path / "o.sav", overwrite=True)
        out.append(read_source(tmp_path / "o.sav").notes["x"].kinds.to_list())
    assert out == [[98, 98, 99, 99]] * 3


def stata_file(path, letters=("a", "b")):
    first, second = letters
    frame = pl.DataFrame(
        {
            "sex": pl.Series([1, 2, 1, 2], dtype=pl.Int32),
            "age": pl.Series([30, 31, 60, 61], dtype=pl.Int32),
            "fee": pl.Series([1, first, 3, second], dtype=pl.Object),
            "note": ["x" * 3000, "", "é", "z "],
        }
    )
    pyreadstat.write_dta(
        frame,
        str(path),
        column_labels={"fee": "What it cost"},
        variable_value_labels={
            "sex": {1: "male", 2: "female"},
            "fee": {3: "three", first: "refused", second: "gone"},
        },
        missing_user_values={"fee": [first, second]},
    )


def test_letters_of_stata(tmp_path):
    source, out = tmp_path / "t.dta", tmp_path / "o.dta"
    stata_file(source)
    found = read_source(source)
    assert found.frame["fee"].to_list() == [1, None, 3, None]
    assert found.notes["fee"].kinds.to_list() == [None, "a", None, "b"]
    recipe = Recipe(Schema(["age", "sex"], confidential="fee", others=["note"]), k=2)
    done = anonymize_file(source, recipe, out)
    assert done.release.kinds["sex"] == "nominal"
    assert done.certificate["file"]["read_back_by"] == ["pyreadstat", "pandas"]
    back = read_source(out)
    rows = set(zip(back.frame["fee"], back.notes["fee"].kinds, strict=True))
    assert rows == {(1, None), (None, "a"), (3, None), (None, "b")}
    assert back.notes["fee"].values == {3: "three", "a": "refused", "b": "gone"}
    assert back.notes["fee"].label == "What it cost"
    assert set(back.frame["note"]) == {"x" * 3000, None, "é", "z "}


def test_letters_do_not_tell_the_order_of_the_source(tmp_path):
    seen = set()
    for letters in (("a", "b"), ("b", "a")):
        path = tmp_path / "t.dta"
        frame = pl.DataFrame(
            {
                "age": pl.Series([30, 30], dtype=pl.Int32),
                "x": pl.Series(list(letters), dtype=pl.Object),
                "y": pl.Series([1, 1], dtype=pl.Int32),
            }
        )
        try:
            pyreadstat.write_dta(
                frame, str(path), missing_user_values={"x": ["a", "b"]}
            )
        except pyreadstat.PyreadstatError:
            pytest.fail("pyreadstat takes no column of letters alone")
        recipe = Recipe(Schema(["age"], others=["x", "y"]), k=2)
        anonymize_file(path, recipe, tmp_path / "o.dta", overwrite=True)
        seen.add(tuple(read_source(tmp_path / "o.dta").notes["x"].kinds))
    assert seen == {("a", "b")}


def test_files_of_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "t.dta"
    frame = pandas.DataFrame(
        {
            "sex": pandas.Categorical(["m", "f", "m"]),
            "age": [30, 31, 60],
            "born": pandas.to_datetime(["2020-01-01", None, "1950-05-05"]),
            "x": [1.5, None, 2.5],
        }
    )
    frame.to_stata(path, write_index=False, convert_dates={"born": "td"}, version=118)
    source = read_source(path)
    assert source.frame["age"].to_list() == [30, 31, 60]
    assert source.frame["born"].to_list() == [
        dt.date(2020, 1, 1),
        None,
        dt.date(1950, 5, 5),
    ]
    assert source.notes["sex"].values == {0: "f", 1: "m"}
    assert kind_noted(source.frame["sex"], source.notes["sex"]) == "nominal"


def test_labels_from_one_program_to_another(tmp_path):
    source, out = tmp_path / "t.sav", tmp_path / "o.dta"
    spss_file(source)
    anonymize_file(source, RECIPE, out)
    back = read_source(out)
    assert set(back.notes["grade"].values.values()) <= {"low", "mid", "high"}
    assert set(back.notes["grade"].values) == set(back.frame["grade"])
    assert back.notes["sex"].label == "Sex of the patient"


UNHOLDABLE = {
    "large integers": ([2**53 + 1], WRITTEN, r"beyond 2\*\*53"),
    "infinity": ([float("inf")], WRITTEN, "infinite"),
    "nan": ([float("nan")], WRITTEN, "NaN"),
    "zones": ([dt.datetime(2020, 1, 1, tzinfo=dt.UTC)], WRITTEN, "time zone"),
    "microseconds": ([dt.datetime(2020, 1, 1, 0, 0, 0, 1)], WRITTEN, "millisecond"),
    "NUL": (["a\0b"], WRITTEN, "NUL"),
    "spaces": (["a "], [".sav", ".zsav", ".xpt"], "ends in spaces"),
    "early dates": ([dt.date(1500, 1, 1)], [".sav", ".zsav"], "1582"),
    "large numbers": ([1e80], [".xpt"], "1e75"),
    "larger numbers": ([8.99e307], [".dta"], "1e307"),
    "long text": (["x" * 33_000], [".sav", ".zsav", ".xpt"], "32767 bytes"),
    "structures": ([[1]], WRITTEN, "structures"),
}


@pytest.mark.parametrize(
    ("values", "suffix", "message"),
    [
        pytest.param(values, suffix, message, id=f"{what}{suffix}")
        for what, (values, suffixes, message) in UNHOLDABLE.items()
        for suffix in suffixes
    ],
)
def test_what_would_be_changed_is_an_error(values, suffix, message, tmp_path):
    frame = pl.DataFrame({"x": values, "y": [1]}, strict=False)
    with pytest.raises(InputError, match=rf"\['x'\] hold .*{message}"):
        write_table(frame, tmp_path / f"t{suffix}")
    assert not (tmp_path / f"t{suffix}").exists()


@pytest.mark.parametrize("suffix", WRITTEN)
@pytest.mark.parametrize("name", ["a b", "1st", "x" * 70, "", "a-b"])
def test_names_that_are_not_allowed(name, suffix, tmp_path):
    with pytest.raises(InputError, match="a name with other letters"):
        write_table(pl.DataFrame({name: [1]}), tmp_path / f"t{suffix}")


@pytest.mark.parametrize("suffix", [".sav", ".xpt"])
def test_names_that_differ_by_case(suffix, tmp_path):
    with pytest.raises(InputError, match="by its case alone"):
        write_table(pl.DataFrame({"age": [1], "Age": [2]}), tmp_path / f"t{suffix}")


@pytest.mark.parametrize("suffix", [*WRITTEN, ".sas7bdat"])
def test_files_of_something_else(suffix, tmp_path):
    path = tmp_path / f"t{suffix}"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="is not a file of"):
        read_table(path)
    with pytest.raises(InputError, match="is not a file of"):
        read_columns(path)


def test_sas_data_sets_are_only_read(tmp_path):
    with pytest.raises(InputError, match=r"only read.*\.xpt"):
        write_table(TABLE, tmp_path / "t.sas7bdat")


def test_an_extra_that_is_not_installed(tmp_path, monkeypatch):
    import sys

    write_table(TABLE, tmp_path / "t.sav")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(InputError, match=r"pip install 'microcell\[stats\]'"):
        read_table(tmp_path / "t.sav")


def test_without_pandas_the_certificate_names_one_reader(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pandas", None)
    path = tmp_path / "t.dta"
    write_table(TABLE, path)
    assert check_read_back(
        TABLE, {}, format_of(path), read_source(path), path, path
    ) == ["pyreadstat"]


def test_every_format_names_its_reader():
    assert all(format.reader for format in FORMATS)


def test_partly_labelled_numbers_stay_numbers():
    ages = pl.Series("age", [31, 98])
    assert kind_noted(ages, ColumnNotes(pl.Int64, "Stata", values={98: "98+"})) is None
    assert kind_noted(ages, ColumnNotes(pl.Int64, "SPSS", measure="scale")) == "numeric"
    floats = ages.cast(pl.Float64) + 0.5
    assert (
        kind_noted(floats, ColumnNotes(pl.Float64, "SPSS", measure="nominal")) is None
    )


def test_labels_that_are_too_long_for_another_program(tmp_path):
    source, out = tmp_path / "t.sav", tmp_path / "o.dta"
    frame = pl.DataFrame({"age": [20.0, 30.0] * 4})
    pyreadstat.write_sav(frame, str(source), column_labels={"age": "x" * 240})
    with pytest.raises(InputError, match="of Stata: A provided label is too long"):
        anonymize_file(source, Recipe(Schema("age"), k=2), out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("suffix", "read"),
    [
        (".sav", "read_sav"),
        (".zsav", "read_sav"),
        (".dta", "read_dta"),
        (".xpt", "read_xport"),
    ],
)
def test_a_file_does_not_say_when_it_was_written(suffix, read, tmp_path):
    path = tmp_path / f"t{suffix}"
    write_table(pl.DataFrame({"age": [30, 32], "ill": ["a", "b"]}), path)
    _, meta = getattr(pyreadstat, read)(path)
    assert meta.creation_time == meta.modification_time == dt.datetime(2000, 1, 1)
