"""What a hostile trial and a new user's trial of the table half found."""

import datetime as dt
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microcell import (
    ByBlock,
    ByStratum,
    Microaggregator,
    Recipe,
    Schema,
    SchemaError,
    anonymize,
    anonymize_file,
    check_file,
    measure,
    measure_files,
)
from microcell.exceptions import InputError
from microcell.partition import MDAV, Mondrian
from microcell.privacy import CellSize, KAnonymity, PSensitivity

TABLE = pl.DataFrame(
    {"age": np.arange(40) + 0.5, "inc": np.arange(40)[::-1] * 2.0, "a": ["x", "y"] * 20}
)
SCHEMA = Schema(["age", "inc"], confidential="a")


def too_small(k, *, scale=None):
    return Microaggregator(MDAV(2), embed=scale)


@pytest.mark.parametrize(
    "method",
    [
        ByBlock(Microaggregator(MDAV(2)), blocks=2),
        Microaggregator(ByStratum(MDAV(2), strata=Mondrian(10))),
        too_small,
    ],
    ids=["blocks", "strata", "function"],
)
def test_a_method_of_a_smaller_k_is_refused(method):
    with pytest.raises(InputError, match="made with k=2"):
        anonymize(TABLE, SCHEMA, k=5, method=method)


@pytest.mark.parametrize("mark", ["", "NA"])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_record_without_a_unit_is_refused_in_every_interface(mark, suffix, tmp_path):
    path = tmp_path / "u.csv"
    rows = [f"p{i},{30 + i}" for i in range(11)]
    path.write_text("\n".join(["pid,age", f"{mark},30", *rows]) + "\n")
    recipe = Recipe(Schema(["age"], identifiers="pid"), k=2, unit="pid")
    with pytest.raises(SchemaError, match=r"1 record\(s\) have none"):
        anonymize_file(path, recipe, tmp_path / f"o{suffix}")


def test_a_column_called_records_cannot_be_meant_by_records():
    table = pl.DataFrame({"records": list("aabbccdd"), "age": [1, 1, 2, 2, 3, 3, 4, 4]})
    with pytest.raises(SchemaError, match="Rename the column"):
        anonymize(table, Schema(["age"], identifiers="records"), k=2, unit="records")


def test_what_the_schema_says_is_not_an_option():
    with pytest.raises(InputError, match="'kinds' is said in the schema"):
        anonymize(TABLE, SCHEMA, k=3, kinds={"age": "nominal"})


def test_a_scale_that_an_estimator_would_ignore_is_refused():
    estimator = Microaggregator(MDAV(5))
    with pytest.raises(InputError, match="its own geometry"):
        anonymize(TABLE, SCHEMA, k=5, method=estimator, scale="minmax")
    method = anonymize(TABLE, SCHEMA, k=5, method=estimator).certificate()["recipe"]
    assert "scale" not in method["method"]
    assert "MDAV" in method["method"]["estimator"]


@pytest.mark.parametrize(
    "ids",
    [
        [1, "Ann Smith"] * 20,
        [{"n": i} for i in range(40)],
        [(1, 2)] * 40,
        [1.5, "Bob"] * 20,
    ],
)
@pytest.mark.parametrize("unit", [None, "id"])
def test_identifiers_of_any_kind_show_no_value(ids, unit):
    table = pd.DataFrame({"id": pd.Series(ids, dtype=object), "age": range(40)})
    try:
        anonymize(table, Schema(["age"], identifiers="id"), k=3, unit=unit)
    except InputError as error:
        assert "Smith" not in str(error) and "Bob" not in str(error)


def test_missing_numbers_of_pandas_text_stay_whole():
    ages = ["NA", *(str(20 + 3 * i) for i in range(19))]
    text = pl.DataFrame({"sex": ["1", "2"] * 10, "age": ages, "z": ["a", "b"] * 10})
    schema = Schema(["sex", "age"], confidential="z")
    options = {"k": 3, "missing": "drop", "integers": "round"}
    releases = [
        anonymize(table, schema, **options)
        for table in (text, text.to_pandas(), text.to_arrow())
    ]
    assert len({str(release.kinds) for release in releases}) == 1
    ages = [pl.from_pandas(releases[1].table)["age"], releases[0].table["age"]]
    assert ages[0].dtype.is_integer() and ages[0].to_list() == ages[1].to_list()


def test_an_empty_target_is_missing_in_every_interface(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"{i},{i % 2 if i else ''}" for i in range(30)]
    path.write_text("age,y\n" + "\n".join(rows) + "\n")
    recipe = Recipe(Schema(["age"], confidential="y"), k=3, method="lda-mdav")
    for suffix in (".csv", ".parquet"):
        with pytest.raises(SchemaError, match=r"1 missing value\(s\)"):
            anonymize_file(path, recipe, tmp_path / f"o{suffix}")
    kinds = Schema(["age"], confidential="y", kinds={"y": "numeric"})
    for suffix in (".csv", ".parquet"):
        anonymize_file(path, Recipe(kinds, k=3), tmp_path / f"o{suffix}")


def test_releases_of_dialects_can_be_checked_and_measured(tmp_path):
    path, out = tmp_path / "s.csv", tmp_path / "o.csv"
    text = "age;h\n" + "\n".join(f"{20 + i};{i % 7}" for i in range(30)) + "\n"
    path.write_text(text, encoding="utf-16")
    recipe = Recipe(
        Schema(["age", "h"]), k=3, order="keep", delimiter=";", encoding="utf-16"
    )
    release = anonymize_file(path, recipe, out).release
    assert check_file(out, recipe=recipe).holds
    dialect = {"delimiter": ";", "encoding": "utf-16"}
    assert measure_files(path, out, ["age", "h"], **dialect) == release.scores


def test_merged_strata_of_digits_are_joined_in_every_format(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("age,g\n" + "".join(f"{i},{1 if i else 7}\n" for i in range(12)))
    recipe = Recipe(
        Schema(["age"], others=["g"]), k=3, strata="g", small_strata="merge"
    )
    for suffix in (".csv", ".parquet"):
        release = anonymize_file(path, recipe, tmp_path / f"o{suffix}").release
        assert set(release.table["g"]) == {"1 | 7"}
        assert "strata kept apart, of 2" in [f.promise for f in release.findings]


def test_text_tables_are_measured_as_they_are_released():
    ages = ["NA", *(str(20 + 3 * i) for i in range(29))]
    text = pl.DataFrame({"age": ages, "sex": ["f", "m"] * 15})
    for table in (text, text.to_pandas(), text.to_arrow()):
        release = anonymize(table, Schema(["age", "sex"]), k=3, missing="drop")
        scores = measure(table, release.table, ["age", "sex"], missing="drop")
        assert scores == pytest.approx(release.scores)


def test_intervals_of_declared_numbers_are_measured(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "o.csv"
    path.write_text("lvl\n" + "".join(f"{i % 9}\n" for i in range(30)))
    kinds = {"lvl": "numeric"}
    schema = Schema(["lvl"], kinds=kinds)
    recipe = Recipe(schema, k=3, aggregate="interval", order="keep")
    release = anonymize_file(path, recipe, out).release
    assert measure_files(path, out, "lvl", kinds=kinds) == release.scores


def test_an_empty_field_is_missing_beside_other_marks():
    text = pl.DataFrame({"age": ["", "-", *(str(i) for i in range(20))]})
    options = {"k": 3, "missing": "drop", "missing_marks": ["-"]}
    assert anonymize(text, Schema(["age"]), **options).n_dropped == 2


def test_a_column_of_nothing_is_no_type():
    text = pl.DataFrame({"age": [str(i) for i in range(20)], "no": [None] * 20})
    release = anonymize(text, Schema(["age"], others="drop"), k=3)
    assert release.kinds == {"age": "numeric"}


def test_all_that_is_missing_is_one_value(tmp_path):
    table = pl.DataFrame({"age": range(20), "c": ["", None] * 10})
    schema = Schema(["age"], confidential="c")
    with pytest.raises(InputError, match="p-sensitivity of 'c' of 2 cannot hold"):
        anonymize(table, schema, k=2, promises=[PSensitivity(2)])
    floats = table.with_columns(c=pl.Series([float("nan"), None] * 10))
    assert anonymize(floats, schema, k=2).disclosure["c"]["homogeneous_records"] == 1


def test_orders_of_dates_can_be_certified(tmp_path):
    days = [dt.date(2020, 1, d) for d in (1, 2, 3)]
    table = pl.DataFrame({"d": days * 5})
    release = anonymize(table, Schema(["d"], kinds={"d": days}), k=3)
    release.save(tmp_path / "o.csv", certificate=tmp_path / "c.json")
    assert json.loads((tmp_path / "c.json").read_text())["recipe"]["kinds"]


def test_a_parameter_of_none_is_left_out_of_a_recipe():
    recipe = Recipe(SCHEMA, k=3, method="pcp", parameters={"v": None})
    assert recipe.parameters == {} and recipe.to_toml()


def test_promises_that_cannot_be_are_refused_first():
    for promise, message in (
        (PSensitivity(2, "nope"), "'nope', which is not confidential"),
        (PSensitivity(2, "age"), "'age', which is not confidential"),
        (KAnonymity(2, columns=("zz",)), "'zz', which is no quasi-identifier"),
        (KAnonymity(10), "is more than k=5"),
        (CellSize(10), "is more than k=5"),
    ):
        with pytest.raises(InputError, match=message):
            Recipe(SCHEMA, k=5, promises=[promise])
    with pytest.raises(InputError, match="'k' parameter must be an integer"):
        KAnonymity("x")


@pytest.mark.parametrize(
    "options",
    [
        {"measures": 5},
        {"parameters": [1]},
        {"promises": 5},
        {"promises": "p-sensitivity"},
        {"encoding": 5},
        {"delimiter": 7},
        {"method": Microaggregator},
        {"method": "os:getcwd"},
        {"method": "json:dumps"},
    ],
    ids=str,
)
def test_odd_arguments_give_an_error_of_ours(options):
    with pytest.raises(InputError):
        anonymize(TABLE, SCHEMA, k=3, **options)


@pytest.mark.parametrize("contents", [5, "x", None, [1]])
def test_what_is_no_recipe(contents):
    with pytest.raises(InputError, match="table of sections"):
        Recipe.from_dict(contents)
    with pytest.raises(SchemaError, match="each value once"):
        Schema(["a"], kinds={"a": [[1], [2]]})


class Narrow:
    """A plan of somebody else that does not do what it must."""

    def __init__(self, labels=True):
        self.labels = labels

    def get_params(self, deep=True):
        return {"labels": self.labels}

    def fit_transform(self, X, y=None):
        if self.labels:
            self.labels_ = np.zeros(len(X), dtype=int)
            return X[:, :1]
        return X * 0

    def __sklearn_tags__(self):
        from sklearn.base import BaseEstimator

        return BaseEstimator().__sklearn_tags__()


def test_plans_that_release_something_else_are_refused():
    with pytest.raises(InputError, match="released an array of shape"):
        anonymize(TABLE, SCHEMA, k=3, method=Narrow())
    with pytest.raises(InputError, match="must have 'labels_'"):
        anonymize(TABLE, SCHEMA, k=3, method=Narrow(labels=False))


def test_a_check_says_what_fails(tmp_path):
    out = tmp_path / "o.csv"
    pl.DataFrame({"age": [1, 1, 2, 2], "c": ["x", "x", "x", "y"]}).write_csv(out)
    promises = [PSensitivity(2)]
    result = check_file(out, "age", k=2, confidential="c", promises=promises).to_dict()
    assert result["holds"] is False and result["records_failing"] == 2


def test_a_release_of_another_kind_cannot_be_measured():
    days = pl.DataFrame({"d": [dt.date(2020, 1, d) for d in range(1, 11)]})
    numbers = pl.DataFrame({"d": range(10)})
    with pytest.raises(SchemaError, match="holds dates in the original"):
        measure(days, numbers, "d")


def test_text_that_is_mostly_numbers_is_refused_among_types_too():
    ages = ["-", *(str(20 + i) for i in range(29))]
    table = pd.DataFrame({"id": range(30), "age": ages})
    with pytest.raises(SchemaError, match="'age' looks like numbers but holds"):
        anonymize(table, Schema(["age"], others="drop"), k=5)
    table["age"] = [str(20 + i % 9) for i in range(30)]
    release = anonymize(table, Schema(["age"], others="drop"), k=3)
    assert release.kinds == {"age": "nominal"}
    assert any("'age' is text that stands for numbers" in n for n in release.notices)


def test_a_column_left_out_that_may_number_people_gets_a_notice():
    patients = [f"p{i // 4}" for i in range(200)]
    table = pl.DataFrame({"file": patients, "age": np.arange(200) + 0.5})
    release = anonymize(table, Schema(["age"], others="drop"), k=5)
    assert any("'file', which is left out, has 50" in n for n in release.notices)
    assert "k counts            records" in release.summary()
    schema = Schema(["age"], others="drop")
    assert not anonymize(table, schema, k=5, unit="records").notices


def test_the_summary_names_every_column_and_warns():
    table = TABLE.with_columns(ward=pl.lit("w"), name=pl.lit("n"), a=pl.lit("x"))
    schema = Schema(["age", "inc"], confidential="a", others=["ward", "drop"])
    text = anonymize(table, schema, k=5, strata="ward").summary()
    for line in (
        "released as is      a, ward",
        "left out            name",
        "strata              ward",
        "to decide           everybody in the table has the same 'a'",
    ):
        assert line in text
