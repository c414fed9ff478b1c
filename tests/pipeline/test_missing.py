"""Missing values in quasi-identifiers: each policy, with every method and library."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose
from tables import seed_of

from microcell import Schema, anonymize, measure
from microcell.exceptions import InputError, SchemaError
from microcell.methods import METHODS

POLICIES = ("category", "impute", "ignore")


def test_the_mean_is_over_what_is_there():
    table = pl.DataFrame({"a": [1.0, 2.0, None, 4.0]})
    release = anonymize(table, Schema(["a"]), k=3, missing="ignore")
    assert_allclose(release.table["a"].to_list(), [2.3] * 4)


def test_a_number_is_no_mark_of_a_missing_value():
    values = [-999, 2, 3, 4, 5, 6]
    table = pl.DataFrame({"a": values})
    for missing in ("error", *POLICIES):
        release = anonymize(table, Schema(["a"]), k=6, missing=missing)
        assert_allclose(
            release.table["a"].to_list(), [-163.2] * 6
        )  # one digit more than whole


@pytest.mark.parametrize(
    ("missing", "aggregate", "expected"),
    [
        ("ignore", "median", [3.0, 3.0, 3.0, 8.0, 8.0, 8.0]),
        ("category", "mean", [3.0, 3.0, 3.0, None, None, None]),
        ("ignore", "mean", [3.0, 3.0, 3.0, 8.0, 8.0, 8.0]),
    ],
)
def test_known_answers(missing, aggregate, expected):
    table = pl.DataFrame(
        {"a": [2.0, None, 4.0, 8.0, None, None], "b": [0, 0, 0, 90, 90, 90]}
    )
    release = anonymize(
        table, Schema(["a", "b"]), k=3, missing=missing, aggregate=aggregate
    )
    assert release.table["a"].to_list() == expected


def test_a_category_of_its_own():
    table = pl.DataFrame(
        {"city": ["x", "x", None, None, None, "y"], "b": [0, 0, 0, 90, 90, 90]}
    )
    release = anonymize(table, Schema(["city", "b"]), k=3, missing="category")
    assert release.table["city"].to_list() == ["x", "x", "x", None, None, None]
    release = anonymize(table, Schema(["city", "b"]), k=3, missing="ignore")
    assert release.table["city"].to_list() == ["x", "x", "x", "y", "y", "y"]


def test_imputers():
    a = [1.0, 2.0, 3.0, 4.0, 5.0, None]
    table = pl.DataFrame({"a": a, "b": [10.0, 20.0, 30.0, 40.0, 50.0, 60.0]})
    means = {
        how: anonymize(table, Schema(["a", "b"]), k=6, missing="impute", imputer=how)
        .table["a"]
        .to_list()[0]
        for how in ("simple", "knn", "iterative")
    }
    assert means["simple"] == pytest.approx((15 + 3) / 6)
    assert means["knn"] == pytest.approx((15 + 3) / 6)  # of the five others
    assert means["iterative"] == pytest.approx((15 + 6) / 6, abs=0.05)
    with pytest.raises(InputError, match="goes with missing='impute'"):
        anonymize(table, Schema(["a", "b"]), k=6, missing="drop", imputer="knn")


def test_the_error_names_the_ways_out():
    table = pl.DataFrame({"a": [1.0, None]})
    with pytest.raises(SchemaError, match="'a' \\(1\\)") as error:
        anonymize(table, Schema(["a"]), k=2)
    for policy in ("drop", *POLICIES):
        assert f"missing={policy!r}" in str(error.value)


def test_a_column_without_any_value():
    table = pl.DataFrame(
        {"a": [1.0, 2.0], "b": pl.Series([None, None], dtype=pl.Int64)}
    )
    for missing in POLICIES:
        with pytest.raises(SchemaError, match="'b' is missing in every record"):
            anonymize(table, Schema(["a", "b"]), k=2, missing=missing)


def people(n=60, seed=0, share=0.2):
    rng = np.random.default_rng(seed)
    columns = {
        "age": rng.integers(18, 90, n).tolist(),
        "bmi": rng.normal(25, 4, n).round(1).tolist(),
        "city": rng.choice(["ulm", "bonn", "kiel"], n).tolist(),
        "born": [f"19{y}-0{m}-11" for y, m in rng.integers([30, 1], [99, 9], (n, 2))],
    }
    for values in columns.values():
        for row in np.flatnonzero(rng.random(n) < share):
            values[row] = None
    table = pl.DataFrame(columns).with_columns(
        pl.col("born").str.to_date(), ill=pl.Series(rng.choice(["yes", "no"], n))
    )
    return table


SCHEMA = Schema(["age", "bmi", "city", "born"], confidential="ill")
OWN_RULE = {"dp-microaggregation", "random-aggregation", "random-k-anonymity"}
OWN_RULE |= {"kde++", "ktca++", "ctca++"}  # which say what is published


@for_each("missing", POLICIES)
@for_each("method", METHODS)
def test_every_method_or_a_clear_error(method, missing):
    table, schema, parameters = people(), SCHEMA, seed_of(METHODS[method])
    if method == "dp-microaggregation":
        bounds = {"age": [0, 99], "bmi": [9.0, 60.0]}
        parameters = {"epsilon": 1.0, "bounds": bounds}
        schema = Schema(["age", "bmi"], others="drop")
    try:
        release = anonymize(
            table, schema, k=3, method=method, missing=missing, **parameters
        )
    except InputError as error:
        assert method in OWN_RULE and method in str(error)
        assert error.option == "missing"
        return
    assert method not in OWN_RULE or missing == "impute"
    if missing != "category":
        assert sum(release.table.null_count().row(0)) == 0
    for name, n_missing in zip(table.columns, table.null_count().row(0), strict=True):
        if n_missing:
            assert any(
                f"{n_missing} missing value(s) of {name!r}" in notice
                for notice in release.notices
            )
    scores = measure(
        table, release.table, list(SCHEMA.quasi_identifiers), missing=missing
    )
    for name, value in release.scores.items():
        if name in scores:
            assert value == pytest.approx(scores[name]), name


MAKERS = {
    "pandas": lambda table: pd.DataFrame(table.to_dict(as_series=False)),
    "pandas of Arrow": lambda table: table.to_pandas(use_pyarrow_extension_array=True),
    "pyarrow": lambda table: pa.table(table.to_dict(as_series=False)),
}


@settings(max_examples=60)
@given(
    missing=st.sampled_from(POLICIES),
    kind=st.sampled_from(list(MAKERS)),
    seed=st.integers(0, 9),
)
def test_every_library_gives_the_same(kind, missing, seed):
    table = people(24, seed).drop("born")
    schema = Schema(["age", "bmi", "city"], confidential="ill")
    expected = anonymize(table, schema, k=3, missing=missing).table
    released = anonymize(MAKERS[kind](table), schema, k=3, missing=missing).table
    again = {
        name: [None if pd.isna(value) else value for value in list_of(released, name)]
        for name in expected.columns
    }
    for name in expected.columns:
        values = again[name]
        if expected[name].dtype == pl.Float64:
            values = [None if v is None else float(v) for v in values]
        assert values == expected[name].to_list()


def list_of(table, name):
    column = table[name]
    return column.to_pylist() if hasattr(column, "to_pylist") else list(column)


def test_what_was_missing_has_nothing_to_lose():
    table = pl.DataFrame({"a": [1.0, None, 1.0, 5.0, 5.0, None]})
    release = anonymize(table, Schema(["a"]), k=3, missing="ignore")
    assert release.scores["sse_loss"] >= 0
    whole = pl.DataFrame({"a": [1.0, 3.0, 1.0, 5.0, 5.0, 3.0]})
    same = measure(table, whole, "a", missing="ignore")
    assert same["sse_loss"] == 0
    with pytest.raises(SchemaError, match="has missing values"):
        measure(whole, table, "a")
    lost = measure(whole, table, "a", missing="ignore")
    assert lost["sse_loss"] == 0  # for the mean stands where it was


def test_a_column_that_is_all_missing_is_named():
    nothing = pl.Series([None, None], dtype=pl.Int64)
    table = pl.DataFrame({"a": [1.0, 2.0], "b": nothing})
    with pytest.raises(InputError, match=r"'b' \(2\)"):
        anonymize(table, Schema(["a", "b"]), k=2, missing="drop")


def test_minus_one_is_a_number():
    table = pl.DataFrame({"v": [-1.0] * 5 + [None] * 4 + [5.0] * 11})
    release = anonymize(
        table, Schema(["v"]), k=9, missing="category", representatives={"v": "mode"}
    )
    assert release.table["v"].to_list() == [-1.0] * 9 + [5.0] * 11
