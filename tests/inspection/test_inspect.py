"""Proposals, and recipes that work as they are."""

import datetime
import tomllib

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell import (
    Recipe,
    Schema,
    anonymize,
    anonymize_file,
    apply_recipe,
    inspect,
    inspect_file,
)
from microcell.datasets import make_hospital
from microcell.exceptions import InputError
from microcell.io import read_table

TABLES = (
    "adult", "breast_cancer_wisconsin", "census", "ecoli", "eia", "electrical_grid",
    "glass", "heart_cleveland", "page_blocks", "pima_diabetes", "waveform", "yeast",
)  # fmt: skip
LARGE_TABLES = ("eia", "electrical_grid", "page_blocks", "waveform")
N = 180


def people(**more):
    """A table of text with a column of each sort."""
    rng = np.random.default_rng(0)
    first = datetime.date(1950, 1, 1)
    born = [first + datetime.timedelta(days=int(d)) for d in rng.integers(0, 9000, N)]
    columns = {
        "nr": [str(1000 + i) for i in range(N)],
        "mail": [f"p{i}@example.org" for i in range(N)],
        "konto": ["DE89370400440532013000", "GB29NWBK60161331926819"] * (N // 2),
        "Nachname": [f"Name{i % 90}" for i in range(N)],
        "PLZ": [f"{1000 + i % 40:05d}" for i in range(N)],
        "Ort": [f"Ort {chr(65 + (i % 40) // 8)}" for i in range(N)],
        "born": [d.strftime("%d/%m/%Y") for d in born],
        "sex": rng.choice(["1", "2"], N).tolist(),
        "bmi": [f"{b:.1f}".replace(".", ",") for b in rng.normal(26, 4, N)],
        "Einkommen": [f"{20000 + 37 * i}" for i in range(N)],
        "always": ["yes"] * N,
        "empty": [""] * N,
    }
    return pl.DataFrame(columns | more)


def test_kinds_roles_and_reasons():
    found = inspect(people())
    roles = {c.name: (c.role, c.kind) for c in found.columns}
    assert roles == {
        "nr": ("identifier", "numeric"),
        "mail": ("identifier", "nominal"),
        "konto": ("identifier", "nominal"),
        "Nachname": ("identifier", "nominal"),
        "PLZ": ("quasi-identifier", "prefix"),
        "Ort": ("quasi-identifier", "nominal"),
        "born": ("quasi-identifier", "date"),
        "sex": ("quasi-identifier", "nominal"),
        "bmi": ("quasi-identifier", "numeric"),
        "Einkommen": ("confidential", "numeric"),
        "always": ("left out", "nominal"),
        "empty": ("left out", None),
    }
    assert found.decimal == "," and found["born"].format == "%d/%m/%Y"
    assert any("decimal mark ','" in notice for notice in found.notices)
    assert "e-mail addresses" in found["mail"].reasons[0]
    assert "IBANs" in found["konto"].reasons[0]
    assert "who knows it finds its record" in found["Einkommen"].reasons[1]
    assert found["nr"].confidence == "likely" and found["mail"].confidence == "sure"
    assert [(d.source, d.follows) for d in found.dependencies if d.follows == "Ort"]
    recipe = found.recipe
    assert recipe.schema.kinds["PLZ"] == "prefix" and recipe.schema.others == "drop"
    assert recipe.dates == {"born": "%d/%m/%Y"} and recipe.decimal == ","


def test_a_recipe_says_why_and_is_read_again(tmp_path):
    found = inspect(people(**{"odd\n'name\"": ["a", "b"] * (N // 2)}))
    text = found.to_toml()
    assert tomllib.loads(text) == found.recipe.to_dict()
    assert "# sure: holds e-mail addresses" in text
    assert "# left out: 'always': sure: constant" in text
    found.save_recipe(tmp_path / "r.toml")
    assert Recipe.from_toml(tmp_path / "r.toml") == found.recipe
    with pytest.raises(FileExistsError):
        found.save_recipe(tmp_path / "r.toml")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name in LARGE_TABLES else name
        for name in TABLES
    ],
)
def test_benchmark_tables_need_nothing_more(benchmark_data, tmp_path, name):
    path = benchmark_data / f"{name}.csv"
    if name == "adult":
        small = tmp_path / "adult.csv"
        lines = path.read_text().splitlines(keepends=True)
        small.write_text("".join(lines[:1500]))
        path = small
    found = inspect_file(path, k=3)
    found.save_recipe(tmp_path / "r.toml")
    done = anonymize_file(path, tmp_path / "r.toml", tmp_path / "out.csv")
    assert done.release.findings[0].holds
    assert set(done.release.left_out) >= set(found.names("left out"))


@pytest.mark.parametrize("suffix", ["csv", "parquet", "tsv"])
def test_a_hospital_needs_nothing_more(tmp_path, suffix):
    frame = make_hospital(400, random_state=0).frame
    path = tmp_path / f"hospital.{suffix}"
    if suffix == "parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, separator="\t" if suffix == "tsv" else ",")
    found = inspect_file(path)
    assert found.unit == "household"
    assert found.names("quasi-identifier") == ["postcode", "city", "born", "sex"]
    assert {"hiv", "cost", "icd"} <= set(found.names("confidential"))
    assert found.recipe.missing == "category"
    found.save_recipe(tmp_path / "r.toml")
    done = anonymize_file(path, tmp_path / "r.toml", tmp_path / "out.csv")
    assert done.release.findings[0].holds


def test_the_dialect_is_in_the_recipe(tmp_path):
    path = tmp_path / "t.csv"
    people().write_csv(path, separator=";")
    path.write_bytes(path.read_text().replace("Ort A", "Köln").encode("cp1252"))
    found = inspect_file(path, delimiter=";", encoding="cp1252")
    assert (found.recipe.delimiter, found.recipe.encoding) == (";", "cp1252")
    found.save_recipe(tmp_path / "r.toml")
    done = anonymize_file(path, tmp_path / "r.toml", tmp_path / "out.csv")
    assert done.release.findings[0].holds


ODD = {
    "numbers with a mark": [str(20 + i % 60) for i in range(N - 10)] + ["?"] * 10,
    "numbers with a rare mark": [str(20 + i % 60) for i in range(N - 2)] + ["?"] * 2,
    "nines": [str(20 + i % 60) for i in range(N - 10)] + ["999"] * 10,
    "a rare nine": [str(20 + i % 60) for i in range(N - 2)] + ["999"] * 2,
    "long numbers": [str(10**17 + 7 * i) for i in range(N)],
    "half of it missing": ["", "a"] * (N // 2),
    "currency": [f"{i},{i % 10}0 €" for i in range(N)],
    "percent": [f"{i % 100},{i % 10} %" for i in range(N)],
    "thousands": [f"{1 + i % 9}.{100 + i % 7},5" for i in range(N)],
    "times": [f"{i % 24:02d}:{i % 60:02d}" for i in range(N)],
    "months": [f"{1950 + i % 60}-{1 + i % 12:02d}" for i in range(N)],
    "impossible dates": ["2023-02-30", "", "2023-02-03", "2023-02-04"] * (N // 4),
    "stars": [f"{i % 9}*" for i in range(N)],
    "spaces": [f" {i % 60} " for i in range(N)],
    "mixed dates": ["2023-02-03", "3 Feb 2023"] * (N // 2),
    "end of time": ["9999-12-31", *["1980-05-03", "1984-01-02"] * 7] * (N // 15),
    "either date": [f"0{1 + i % 9}/0{1 + i % 7}/1980" for i in range(N)],
    "near-unique text": [f"abc{i}xyz" for i in range(N)],
    "booleans": ["true", "false"] * (N // 2),
    "exponents": [f"{i % 40}e3" for i in range(N)],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("odd", list(ODD))
@pytest.mark.parametrize("name", ["age", "x", "postcode"])
def test_whatever_a_column_holds_the_recipe_works(odd, name, tmp_path):
    frame = people(**{name: ODD[odd]})
    found = inspect(frame)
    done = apply_recipe(frame, found.recipe)
    assert done.findings[0].holds
    typed = frame.with_columns(pl.col("Einkommen").cast(pl.Int64))
    assert apply_recipe(typed, inspect(typed).recipe).findings[0].holds


words = st.sampled_from(
    ["1", "2", "12", "007", "1,5", "2.5", "1.234", "?", "-9", "999", "", "NA", "f", "m",
     "2024-12-31", "31/12/2024", "31.12.2024", "12:30", "5 %", "x", " 3", "1e3", "E11"]
)  # fmt: skip
columns_of_words = st.lists(
    st.sets(words, min_size=1, max_size=3).flatmap(
        lambda few: st.lists(
            st.sampled_from(sorted(few)), min_size=30, max_size=30
        )
    ),
    min_size=1,
    max_size=3,
)  # fmt: skip


@settings(max_examples=30)
@given(
    columns=columns_of_words,
    names=st.permutations(["age", "x", "sex", "postcode", "income", "patient_id"]),
    typed=st.booleans(),
    k=st.integers(2, 6),
)
def test_a_recipe_always_works(columns, names, typed, k):
    frame = pl.DataFrame(dict(zip(names, columns, strict=False)))
    if typed:
        frame = frame.with_columns(height=pl.int_range(150, 180))
    found = inspect(frame, k=k)
    if not found.names("quasi-identifier"):
        with pytest.raises(InputError, match="no recipe"):
            found.to_toml()
        return
    assert tomllib.loads(found.to_toml()) == found.recipe.to_dict()
    try:
        release = apply_recipe(frame, found.recipe)
    except InputError as error:
        fewer = "fewer than k" in str(error)
        hidden = any("is not shown" in why for c in found.columns for why in c.reasons)
        assert (
            (fewer and any("fewer than k" in notice for notice in found.notices))
            or (hidden and "If it marks a missing value" in str(error))
            or (
                found.unit == "patient_id" and "has more than 90 % of the" in str(error)
            )
        )
        return
    assert release.findings[0].holds


def test_an_identifier_that_repeats_is_the_unit():
    twice = [f"p{i // 2}" for i in range(N)]
    found = inspect(people(patient_id=twice))
    assert found.unit == "patient_id"
    assert f"{N // 2} values for {N} records" in found.unit_reason
    once = [f"p{max(i, 1)}" for i in range(N)]
    assert inspect(people(patient_id=once)).unit == "patient_id", "from the first"
    gaps = ["", *twice[1:]]
    found = inspect(people(patient_id=gaps))
    assert found["patient_id"].role == "left out"
    assert "fill them" in found["patient_id"].reasons[0]
    assert found.unit == "records" and "some records have none" in found.unit_reason
    few = [f"p{i % 4}" for i in range(N)]  # many records each
    found = inspect(people(patient_id=few).select("PLZ", "Nachname", "patient_id"))
    assert "no column numbers people" not in found.unit_reason
    assert "'patient_id'" in found.unit_reason
    found = inspect(people().select("PLZ", "Nachname"))
    assert found.unit == "records" and "no column numbers people" in found.unit_reason


def test_weights_by_name():
    found = inspect(people(fnlwgt=[str(1 + i % 9) for i in range(N)]))
    assert found["fnlwgt"].role == "weights" and found.recipe.weights == "fnlwgt"
    found = inspect(people(fnlwgt=[str(i % 9) for i in range(N)]))  # some are 0
    assert found["fnlwgt"].role != "weights"
    weight = {"weight": [f"{50 + i % 37}" for i in range(N)]}
    kilos = inspect(people(**weight).with_columns(height=pl.lit("170")))
    assert kilos["weight"].role == "quasi-identifier"  # bmi and height are of bodies
    assert inspect(people(**weight).drop("bmi"))["weight"].role == "left out"


def test_twins_share_what_they_give_away():
    frame = people()
    gender = frame["sex"].replace({"1": "m", "2": "f"})
    found = inspect(frame.with_columns(gender=gender, x=frame["mail"]))
    assert found["gender"].role == "left out" and found["x"].role == "identifier"
    assert ("sex", "gender") in found.duplicates
    told = pl.Series("diagnosis", ["flu", "gout", "none"] * (N // 3))
    codes = told.replace({"flu": "7", "gout": "8", "none": "9"}).alias("x")
    found = inspect(frame.select("Ort", "born").with_columns(told, codes))
    assert found["x"].role == "confidential"


def test_something_is_masked_if_nothing_singles_out():
    frame = pl.DataFrame({"a": ["x", "y"] * 50, "b": ["v", "w", "w", "v"] * 25})
    found = inspect(frame)
    assert found.names("quasi-identifier") == ["a", "b"]
    assert apply_recipe(frame, found.recipe).findings[0].holds


@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
def test_libraries_give_the_same(library):
    frame = make_hospital(200, random_state=1).frame
    table = {
        "polars": lambda: frame,
        "pandas": frame.to_pandas,
        "pyarrow": frame.to_arrow,
    }[library]()
    found = inspect(table)
    expected = inspect(frame)
    assert [(c.name, c.role, c.n_distinct) for c in found.columns] == [
        (c.name, c.role, c.n_distinct) for c in expected.columns
    ]
    assert apply_recipe(table, found.recipe).findings[0].holds


def test_types_that_cannot_be_masked_are_left_out():
    frame = make_hospital(60, random_state=0).frame.with_columns(
        lists=pl.lit([1, 2]),
        bytes=pl.lit(b"x"),
        spans=pl.lit(datetime.timedelta(days=3)),
        infinite=pl.lit(float("inf")),
        nothing=pl.lit(None),
        grade=pl.Series(
            ["low", "high", "mid"] * 20, dtype=pl.Enum(["low", "mid", "high"])
        ),
    )
    found = inspect(frame)
    assert found["grade"].kind == "nominal"  # an Enum only lists its categories
    left_out = {"lists", "bytes", "spans", "infinite", "nothing"}
    assert left_out <= set(found.names("left out"))
    assert apply_recipe(frame, found.recipe).findings[0].holds


def test_bad_k():
    with pytest.raises(InputError, match="k"):
        inspect(people(), k=1)


def test_the_table_is_not_changed():
    frame = people()
    before = frame.clone()
    inspect(frame)
    assert frame.equals(before)


def test_dates_that_fit_two_formats_say_so():
    frame = people(seen=[f"0{1 + i % 9}/0{1 + i % 7}/1980" for i in range(N)])
    found = inspect(frame)
    assert any("%d/%m/%Y and %m/%d/%Y" in reason for reason in found["seen"].reasons)
    assert "# CHECK: dates fit several formats" in found.to_toml()


def test_a_mark_that_too_few_have_keeps_a_column_of_many_numbers_out():
    ages = [str(20 + i % 60) for i in range(N - 2)] + ["?"] * 2
    found = inspect(people(age=ages))
    assert found["age"].role == "left out" and found.recipe.missing_marks is None
    assert "other text, which may mark missing values" in found["age"].reasons[0]
    few = [str(1 + i % 4) for i in range(N - 2)] + ["?"] * 2
    found = inspect(people(stage=few, sex=few))
    assert (found["sex"].role, found["sex"].kind) == ("quasi-identifier", "nominal")


def test_marks_are_proposed_with_a_policy():
    ages = ["999" if i % 9 == 0 else str(20 + i % 60) for i in range(N)]
    frame = people(age=ages)
    recipe = inspect(frame).recipe
    assert recipe.missing_marks == {"age": ("999",)} and recipe.missing == "category"
    release = apply_recipe(frame, recipe)
    assert not any("999" in notice for notice in release.notices)


def test_progress_is_reported():
    from microcell._progress import listen

    steps = []
    with listen(lambda done, total, step: steps.append((done, total, step))):
        inspect(people())
    assert {step for _, _, step in steps} == {
        "looking at columns",
        "looking at columns together",
        "looking for columns that follow from others",
    }
    assert all(total is None or done <= total for done, total, _ in steps)


def test_what_was_found_out_of_a_text_file_is_in_the_recipe(tmp_path):
    path = tmp_path / "survey.csv"
    lines = [f"{20 + i % 40};{'mf'[i % 2]};Müller" for i in range(80)]
    path.write_text("\n".join(["age;sex;note", *lines]), encoding="utf-16")
    found = inspect_file(path)
    assert found.recipe.delimiter == ";"
    assert found.recipe.encoding.replace("-", "").startswith("utf16")
    recipe = tmp_path / "recipe.toml"
    found.save_recipe(recipe)
    anonymize_file(path, recipe, tmp_path / "release.csv")


def test_labelled_integers_of_a_statistics_file_are_categories(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    table = pl.DataFrame({"age": [20 + i % 40 for i in range(80)], "sex": [1, 2] * 40})
    path = tmp_path / "survey.sav"
    labels = {"sex": {1: "man", 2: "woman"}}
    pyreadstat.write_sav(table.to_pandas(), str(path), variable_value_labels=labels)
    found = inspect_file(path)
    assert found["sex"].kind == "nominal" and found["sex"].declared
    recipe = tmp_path / "recipe.toml"
    found.save_recipe(recipe)
    anonymize_file(path, recipe, tmp_path / "release.csv")


def test_a_table_of_a_database_is_inspected(tmp_path):
    import sqlite3

    with sqlite3.connect(tmp_path / "clinic.db") as connection:
        connection.execute("create table people (age integer, sex text)")
        rows = [(20 + i % 40, "mf"[i % 2]) for i in range(80)]
        connection.executemany("insert into people values (?, ?)", rows)
    connection.close()
    address = f"sqlite:///{tmp_path}/clinic.db::people"
    found = inspect_file(address)
    assert found.names("quasi-identifier") == ["age", "sex"]
    recipe = tmp_path / "recipe.toml"
    found.save_recipe(recipe)
    anonymize_file(address, recipe, tmp_path / "release.csv")


def test_labels_say_what_short_names_do_not(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    rows = range(80)
    table = pl.DataFrame(
        {
            "V1": [f"Person {i}" for i in rows],
            "V2": [20 + i % 40 for i in rows],
            "V3": [f"ill {i % 4}" for i in rows],
        }
    )
    labels = ["Family name", "Age", "Diagnosis"]
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(table.to_pandas(), str(path), column_labels=labels)
    found = inspect_file(path)
    roles = [found[name].role for name in table.columns]
    assert roles == ["identifier", "quasi-identifier", "confidential"]


def survey():
    rng = np.random.default_rng(0)
    n = 400
    return pl.DataFrame(
        {
            "isco08": rng.choice([110, 1111, 2111, 2611, 5223, 9112], n),
            "nace": rng.choice([62.01, 47.11, 1.5], n),
            "hhsize": rng.choice([1, 2, 3, 4, 9], n, p=[0.3, 0.3, 0.2, 0.1, 0.1]),
            "age": np.where(rng.random(n) < 0.1, 99, rng.integers(18, 99, n)),
            "pw": rng.permutation(np.arange(100_000, 100_000 + n)),
        }
    )


def test_names_tell_codes_counts_and_weights():
    found = inspect(survey())
    assert {n: found[n].kind for n in ("isco08", "nace", "hhsize")} == {
        "isco08": "nominal", "nace": "nominal", "hhsize": "numeric",
    }  # fmt: skip
    assert found["isco08"].declared  # in the recipe
    assert found["hhsize"].marks == () and found["age"].marks == ()
    assert found["pw"].role == "weights"
    release = apply_recipe(survey().drop("pw"), inspect(survey().drop("pw")).recipe)
    assert set(release.table["isco08"]) <= set(survey()["isco08"])
    said = [n for n in release.notices if "hhsize" in n]
    assert not any("missing" in notice for notice in said)
    said = anonymize(survey(), Schema(["isco08"], others="drop"), k=5).notices
    assert any("codes of a classification" in notice for notice in said)


@for_each("name", ["weight", "gewicht", "wgt", "pw", "design_weight", "wt"])
@for_each("scale", [1.0, 4000.0])
def test_design_weights_are_no_identifiers(name, scale):
    rng = np.random.default_rng(1)
    weights = (rng.gamma(6, 1 / 6, 400) * scale).round(4 if scale == 1 else 0) + 0.01
    found = inspect(survey().drop("pw").with_columns(pl.Series(name, weights)))
    assert found[name].role == "weights" and found.recipe.weights == name
    kilos = pl.Series(name, rng.normal(75, 9, 400).round(1))
    if name in ("weight", "gewicht", "wt"):  # of bodies, it may be
        assert inspect(survey().drop("pw").with_columns(kilos))[name].role == "left out"


def test_labels_of_values_tell_what_is_missing(tmp_path):
    """Inside of the other values, where no gap shows it."""
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "t.sav"
    labels = {"age": {97: "Weiß nicht", 99: "No answer"}, "isco08": {1111: "Leaders"}}
    pyreadstat.write_sav(
        survey().to_pandas(), str(path), variable_value_labels=labels,
        variable_measure={"isco08": "scale"},
    )  # fmt: skip
    found = inspect_file(path, k=2)
    assert set(found["age"].marks) <= {"97", "99"} and "99" in found["age"].marks
    assert found["isco08"].kind == "nominal"
    release = apply_recipe(read_table(path), found.recipe)
    assert release.table["age"].drop_nulls().max() < 99
