"""The same table through every format gives the same release."""

import os
from pathlib import Path

import polars as pl
import pytest

from microcell import Recipe, Schema, anonymize_file
from microcell.columns import type_columns
from microcell.io import FORMATS, read_source, read_table, write_table

DATA = os.environ.get("MICROCELL_DATA")
READ_AND_WRITTEN = [f.suffixes[0] for f in FORMATS if f.write is not None]
ROLES = {  # identifiers, quasi-identifiers that are numbers, confidential
    "census": ([], ["TAXINC", "POTHVAL", "AGI"], ["FEDTAX"]),
    "heart_cleveland": ([], ["age", "sex", "trestbps", "chol"], ["num", "thal"]),
    "glass": (["id"], ["RI", "Na", "Mg"], ["type"]),
    "ecoli": (["sequence_name"], ["mcg", "gvh", "lip"], ["class"]),
    "breast_cancer_wisconsin": (
        ["sample_code_number"],
        ["clump_thickness", "mitoses"],
        ["class", "bare_nuclei"],
    ),
    "pima_diabetes": ([], ["preg", "plas", "mass"], ["class"]),
    "yeast": (["sequence_name"], ["mcg", "gvh", "alm"], ["class"]),
    "eia": (["UTILNAME"], ["RESREVENUE", "RESSALES", "TOTSALES"], ["STATE"]),
    "page_blocks": ([], ["height", "length", "area"], ["class"]),
    "waveform": ([], ["x1", "x2", "x3"], ["class"]),
    "electrical_grid": ([], ["tau1", "p1", "g1"], ["stabf"]),
    "adult": (["fnlwgt"], ["age", "sex", "education-num"], ["income", "workclass"]),
}
QUICK = ("heart_cleveland", "glass")


def cases():
    for name in ROLES:
        for suffix in READ_AND_WRITTEN:
            marks = [] if name in QUICK else [pytest.mark.slow]
            yield pytest.param(name, suffix, marks=marks, id=f"{name}{suffix}")


def table(name):
    if DATA is None:
        pytest.skip("MICROCELL_DATA says where the benchmark tables are")
    identifiers, masked, confidential = ROLES[name]
    frame = read_table(Path(DATA) / f"{name}.csv")
    frame = frame.rename(lambda column: column.replace("-", "_"))
    masked = [column.replace("-", "_") for column in masked]
    schema = Schema(
        masked,
        identifiers=identifiers,
        confidential=confidential,
        others="drop",
    )
    return frame, Recipe(schema, k=5, unit="records")


def in_one_form(frame):
    """Values as text, floats to the last digit, and rows in their order."""
    texts = frame.with_columns(
        pl.col(pl.Float64, pl.Int64).cast(pl.Float64).cast(pl.String)
    )
    return texts.with_columns(pl.all().replace("", None)).sort(pl.all())


@pytest.mark.parametrize(("name", "suffix"), list(cases()))
def test_the_same_release_through_every_format(name, suffix, tmp_path):
    frame, recipe = table(name)
    as_text, source = tmp_path / "t.csv", tmp_path / f"s{suffix}"
    write_table(frame, as_text)
    anonymize_file(as_text, recipe, tmp_path / "expected.parquet")
    masked = list(recipe.schema.quasi_identifiers)
    as_is = [column for column in frame.columns if column not in masked]
    typed = type_columns(frame, as_is, missing_marks=[""], mixed="text")
    typed = type_columns(typed, masked)
    write_table(typed, source)
    done = anonymize_file(source, recipe, tmp_path / f"o{suffix}")
    found = read_source(tmp_path / f"o{suffix}").frame
    expected = read_table(tmp_path / "expected.parquet")
    if found.dtypes == [pl.String] * found.width:
        found = type_columns(found, found.columns, missing_marks=[""], mixed="text")
    assert in_one_form(found).equals(in_one_form(expected), null_equal=True)
    assert done.certificate["file"]["records"] == frame.height
