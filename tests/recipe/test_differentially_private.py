"""A differentially private release of a table: what is in it and beside it."""

import json
from copy import copy

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from marks import for_each

from microcell import Recipe, Schema, anonymize, anonymize_file, check_file
from microcell.compose import DPMicroaggregator
from microcell.exceptions import SchemaError
from microcell.privacy import DifferentialPrivacy, KAnonymity
from microcell.recipe import OPTIONS, options_of
from microcell.recipe._differentially_private import check_private
from microcell.recipe._options import ANY
from microcell.testing import audit_privacy_loss

rng = np.random.default_rng(0)
PEOPLE = pl.DataFrame(
    {
        "name": [f"p{i}" for i in range(60)],
        "age": rng.integers(18, 95, 60),
        "bmi": rng.normal(27, 4, 60).round(1),
    }
)
SCHEMA = Schema(["bmi", "age"], identifiers="name")  # not in the order of the table
BOUNDS = {"age": [0, 120], "bmi": [10.0, 60.0]}


def release_of(table=PEOPLE, schema=SCHEMA, **options):
    options = {"epsilon": 1.0, "bounds": BOUNDS, "k": 20, **options}
    return anonymize(table, schema, method="dp-microaggregation", **options)


@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
def test_release(library):
    table = {
        "polars": lambda: PEOPLE,
        "pandas": lambda: pd.DataFrame(PEOPLE.to_dict(as_series=False)),
        "pyarrow": lambda: pa.table(PEOPLE.to_dict(as_series=False)),
    }[library]()
    release = release_of(table)
    assert type(release.table) is type(table)
    released = pl.from_pandas(release.table) if library == "pandas" else release.table
    released = pl.from_arrow(released) if library == "pyarrow" else released
    assert released.columns == ["age", "bmi"]  # in the order of the table
    assert released.schema == {"age": pl.Int64, "bmi": pl.Float64}
    assert released.height == 60
    assert released.equals(released.sort(["bmi", "age"]))  # in that of the roles
    assert released["age"].is_between(0, 120).all()
    assert released["bmi"].is_between(10, 60).all()
    private, anonymous = release.findings
    assert (private.promised, private.found, private.basis) == (
        1.0,
        1.0,
        "by construction",
    )
    assert "age 0 to 120" in private.argument
    assert anonymous.promise == "k-anonymity" and anonymous.found >= 20
    assert "block" not in release.summary()  # k is that of the whole table


def test_noise_is_small_where_epsilon_is_large():
    bounds = {"age": [0, 120], "bmi": [10.0, 60.0]}
    release = release_of(epsilon=1e6, bounds=bounds, k=60)
    assert abs(release.table["age"][0] - PEOPLE["age"].mean()) <= 0.5
    assert abs(release.table["bmi"][0] - PEOPLE["bmi"].mean()) < 0.01


def test_nothing_of_the_original_is_beside_it(tmp_path):
    PEOPLE.write_csv(tmp_path / "people.csv")
    parameters = {"epsilon": 1.0, "bounds": BOUNDS}
    recipe = Recipe(SCHEMA, 20, "dp-microaggregation", parameters=parameters)
    done = anonymize_file(
        tmp_path / "people.csv",
        recipe,
        tmp_path / "out.csv",
        certificate=tmp_path / "c.json",
        write_recipe=tmp_path / "r.toml",
    )
    sidecar = json.loads((tmp_path / "c.json").read_text())
    assert "source" not in sidecar
    assert sidecar["scores"] == {} and sidecar["disclosure"] == {}
    assert "computed from the original" in sidecar["scores_withheld"]
    assert "withheld" in done.release.summary()
    assert "%" not in done.release.summary()
    assert dict(done.release.scores) == {}
    assert Recipe.from_toml(tmp_path / "r.toml").parameters == parameters
    written = pl.read_csv(tmp_path / "out.csv")
    assert written.schema == {"age": pl.Int64, "bmi": pl.Float64}
    check = check_file(tmp_path / "out.csv", recipe=tmp_path / "r.toml")
    assert [str(f) for f in check.findings] == ["k-anonymity: promised 20, found 20"]
    (said,) = check.not_checked
    assert "known by how a release was made" in said


def test_types_follow_from_the_bounds_and_not_from_the_records():
    whole = PEOPLE.with_columns(bmi=pl.col("bmi").round())  # fractions by chance absent
    assert release_of(whole).table.schema["bmi"] == pl.Float64
    small = PEOPLE.with_columns(pl.col("age").cast(pl.Int8))
    assert release_of(small).table.schema["age"] == pl.Int64
    text = whole.select(pl.all().cast(pl.String))
    assert release_of(text).table.schema == {"age": pl.Int64, "bmi": pl.Float64}
    bounds = {"age": [0, 120], "bmi": [10, 60]}
    assert release_of(whole, bounds=bounds).table.schema["bmi"] == pl.Int64
    with pytest.raises(SchemaError, match="'bmi' has fractions, but its bounds are"):
        release_of(bounds=bounds)


@for_each(
    ("options", "message"),
    [
        ({"epsilon": None}, "'epsilon' parameter.*give epsilon=1.0"),
        ({"bounds": None}, r"'bounds' parameter must be given.*bounds={'age'"),
        ({"bounds": {"age": [0, 120]}}, r"they miss \['bmi'\]"),
        ({"bounds": {**BOUNDS, "name": [0, 1]}}, r"they name \['name'\] too"),
        ({"strata": ["age"]}, "cannot honour strata"),
        ({"unit": "name"}, "cannot honour unit"),
        ({"promises": KAnonymity(2)}, "cannot honour promises"),
        ({"promises": DifferentialPrivacy(0.1)}, "cannot honour promises"),
        ({"aggregate": "median"}, "cannot honour aggregate"),
        ({"integers": "round"}, "cannot honour integers"),
        ({"scale": "minmax"}, "cannot honour scale"),
        ({"measures": "all"}, "cannot honour measures"),
        ({"missing": "drop"}, "number of records is public"),
    ],
)
def test_what_cannot_be_honoured(options, message):
    with pytest.raises(ValueError, match=message):
        release_of(**options)


def test_every_option_that_looks_at_records_is_refused():
    asked = {
        "strata": ["age"],
        "small_strata": "merge",
        "unit": "name",
        "unit_records": "apart",
        "allow_unique": ["age"],
        "promises": KAnonymity(2),
        "enforce": "t-first",
        "refine": "yes",
        "aggregate": "median",
        "representatives": {"age": "median"},
        "ends": "rounded",
        "clip": {"age": "20:90"},
        "digits": {"age": 0},
        "weights": "bmi",
        "integers": "round",
        "scale": "minmax",
        "importance": {"age": 2.0},
        "rare": "merge",
        "rare_below": 5,
        "target": "bmi",
        "imputer": "knn",
        "measures": "all",
        "order": "keep",
        "dates": {"age": "%Y"},
    }
    limited = {name for name, spec in OPTIONS.items() if spec.with_dp is not ANY}
    assert asked.keys() == limited - options_of(Schema).keys()
    parameters = {"epsilon": 1.0, "bounds": BOUNDS}
    plain = Recipe(SCHEMA, 20, "dp-microaggregation", parameters=parameters)
    plan = plain.build(None)
    for name, value in asked.items():
        recipe = copy(plain)
        if OPTIONS[name].by_column:
            schema = SCHEMA.saying(**{name: value})
            object.__setattr__(recipe, "schema", schema)
        else:
            object.__setattr__(recipe, name, value)
        with pytest.raises(ValueError, match=f"cannot honour {name}"):
            check_private(recipe, plan)


def test_every_released_column_is_masked():
    schema = Schema("age", identifiers="name", confidential="bmi")
    with pytest.raises(SchemaError, match="'bmi' would be released as it is"):
        release_of(schema=schema, bounds={"age": [0, 120]})
    schema = Schema("age", identifiers="name", others=["bmi"])
    with pytest.raises(SchemaError, match="'bmi' would be released as it is"):
        release_of(schema=schema, bounds={"age": [0, 120]})
    with pytest.raises(ValueError, match="cannot honour others='keep'"):
        release_of(schema=Schema("age", others="keep"), bounds={"age": [0, 120]})
    schema = Schema("age", others="drop")
    assert release_of(schema=schema, bounds={"age": [0, 120]}).table.columns == ["age"]


def test_a_category_or_a_missing_value_is_an_error():
    bounds = {"x": [0, 1]}
    born = pl.date_range(pl.date(1980, 1, 1), pl.date(1980, 3, 31), eager=True)
    for values in (["old", "young", "31"] * 20, born, pl.Series(["a", "b"] * 30)):
        table = pl.DataFrame({"x": values})
        for column in (table, table.with_columns(pl.col("x").cast(pl.String))):
            with pytest.raises(SchemaError, match="'x' does not hold numbers") as error:
                release_of(column, Schema("x"), bounds=bounds)
            assert "31" not in str(error.value) and "identifiers" in str(error.value)
    schema = Schema("x", kinds={"x": "nominal"})
    with pytest.raises(SchemaError, match="'x' does not hold numbers"):
        release_of(pl.DataFrame({"x": [0, 1] * 30}), schema, bounds=bounds)
    holes = PEOPLE.with_columns(age=pl.when(pl.col("age") > 50).then(pl.col("age")))
    with pytest.raises(SchemaError, match="Missing values in the quasi-identifiers"):
        release_of(holes)


def test_two_values_are_numbers_as_well():
    two = pl.DataFrame({"age": [0, 100] * 30})  # elsewhere a category
    release = release_of(
        two, Schema("age"), k=60, epsilon=1e6, bounds={"age": [0, 120]}
    )
    assert release.table["age"].to_list() == [50] * 60
    assert release.kinds == {"age": "numeric"}


def test_records_are_people():
    twice = PEOPLE.with_columns(name=pl.Series(["p1", *PEOPLE["name"][1:]]))
    with pytest.raises(SchemaError, match="each alone would be private") as caught:
        release_of(twice)
    assert "unit='records'" in str(caught.value)
    assert release_of(twice, unit="records").notices == ()


def test_values_of_a_column_left_out_are_not_counted_beside_it():
    visits = PEOPLE.rename({"name": "visit"}).with_columns(
        visit=pl.Series([f"p{i // 2}" for i in range(60)])
    )
    schema = Schema(["bmi", "age"], others="drop")
    assert "has 30 values" in anonymize(visits, schema, k=20).notices[0]
    release = release_of(visits, schema)
    assert release.notices == () and release.certificate()["notices"] == []


def test_no_other_method_can_promise_it():
    promise = DifferentialPrivacy(1.0)
    with pytest.raises(ValueError, match="'mdav' cannot promise differential privacy"):
        anonymize(PEOPLE, SCHEMA, k=5, method="mdav", promises=promise)

    class Silent:  # it says nothing of what it keeps
        def get_params(self, deep=True):
            return {}

        def fit_transform(self, X, y=None):
            raise AssertionError("it was asked to mask")

        def __sklearn_tags__(self):
            return DPMicroaggregator().__sklearn_tags__()

    with pytest.raises(ValueError, match="cannot promise differential privacy"):
        anonymize(PEOPLE, SCHEMA, k=5, method=Silent(), promises=promise)


def test_a_column_that_bypassed_the_mechanism_withholds_the_release():
    from microcell.privacy import View, require

    finding = DifferentialPrivacy(1.0, ("age",), ((0, 120),), "noise").verify(
        View(PEOPLE, ["age"])
    )
    assert finding.holds is False and finding.found == np.inf
    with pytest.raises(RuntimeError, match="differential privacy: promised 1"):
        require([finding])


def test_an_estimator_as_method():
    masked = DPMicroaggregator(20, epsilon=1.0, bounds=BOUNDS)
    release = anonymize(PEOPLE, SCHEMA, k=20, method=masked)
    assert release.findings[0].promised == 1.0
    with pytest.raises(ValueError, match="was made with k=20"):
        anonymize(PEOPLE, SCHEMA, k=5, method=masked)


def test_audit_of_the_released_table():
    def masked(X):
        table = pl.DataFrame({"age": X[:, 0]})
        made = release_of(table, Schema("age"), k=2, bounds={"age": [0, 10]})
        return made.table.to_numpy()

    pair = np.array([[5], [0]]), np.array([[5], [10]])
    assert audit_privacy_loss(masked, pair, 1.0, n_runs=200).holds


def test_nothing_that_was_found_out_in_the_file(tmp_path):
    """One letter of one name decides the encoding that a file seems to have."""
    source = tmp_path / "t.csv"
    documents = []
    for name in ("Muller", "Müller"):
        lines = ["name;age;bmi", f"{name};40;25", *["Ann;50;30"] * 59]
        source.write_bytes("\n".join(lines).encode("cp1252"))
        recipe = Recipe(
            SCHEMA,
            k=20,
            method="dp-microaggregation",
            parameters={"epsilon": 1.0, "bounds": BOUNDS},
            unit="records",
        )
        done = anonymize_file(source, recipe, tmp_path / "o.csv", overwrite=True)
        documents.append((done.certificate["recipe"], done.certificate["notices"]))
    assert documents[0] == documents[1]
