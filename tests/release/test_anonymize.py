import datetime as dt

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames import LIBRARIES, PATIENTS, SCHEMA
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_array_equal
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from tables import seed_of

import microcell.columns._prepared
from microcell import (
    METHODS,
    PrivacyError,
    Schema,
    SchemaError,
    anonymize,
    compare,
    inspect,
    measure,
    tune,
)
from microcell.datasets import (
    fetch_adult,
    load_diabetes_patients,
    make_two_gaussians,
)
from microcell.embed import SCALES
from microcell.exceptions import InputError
from microcell.partition import MDAV, VMDAV, OptimalUnivariate
from microcell.privacy import class_sizes
from microcell.recipe._representatives import FOR_ALL


@pytest.fixture(params=LIBRARIES)
def table(request):
    return LIBRARIES[request.param]()


def columns_of(table):
    if isinstance(table, pd.DataFrame):
        return {name: table[name].tolist() for name in table.columns}
    return {name: list(table[name].to_pylist()) for name in table.column_names}


def as_dict(table):
    if isinstance(table, pl.DataFrame):
        return table.to_dict(as_series=False)
    return columns_of(table)


def test_same_kind_of_table_back(table):
    release = anonymize(table, SCHEMA, k=3)
    assert type(release.table) is type(table)
    values = as_dict(release.table)
    assert list(values) == [name for name in PATIENTS if name != "name"]
    assert values["age"] == [33, 60, 33, 60, 33, 60]
    assert values["weight"] == pytest.approx([61.5, 79.917] * 3)
    assert values["sex"] == ["f", "m"] * 3
    assert values["smoker"] == [True, False] * 3
    assert [v.day for v in values["visit"]] == [3, 4] * 3
    known = [v for v in values["diagnosis"] if isinstance(v, str)]
    assert known == ["flu", "gout", "flu", "asthma", "gout"]


def test_dtypes_are_kept(table):
    before = anonymize(table, SCHEMA, k=3, integers="round").table
    if isinstance(table, pd.DataFrame):
        assert before.dtypes.to_dict() == table.drop(columns="name").dtypes.to_dict()
    elif isinstance(table, pl.DataFrame):
        assert before.schema == table.drop("name").schema
    else:
        assert before.schema.equals(table.drop_columns(["name"]).schema)


def test_pandas_index_is_made_anew():
    table = LIBRARIES["pandas"]()
    released = anonymize(table, SCHEMA, k=3).table
    assert released.index.equals(pd.RangeIndex(6))
    assert table.equals(LIBRARIES["pandas"]())  # the original is not touched


@for_each(
    ("dtype", "released"),
    [
        ("float32", "float32"),
        ("Float64", "Float64"),
        ("Int64", "Float64"),
        ("int64[pyarrow]", "double[pyarrow]"),
        ("double[pyarrow]", "double[pyarrow]"),
        ("int16", "float64"),
    ],
)
def test_pandas_families_of_numbers(dtype, released):
    table = pd.DataFrame({"a": pd.array([1, 2, 7, 8, 9], dtype=dtype)})
    assert anonymize(table, Schema(["a"]), k=2).table["a"].dtype == released


def test_pandas_categories_stay_categories():
    sizes = pd.Categorical(
        ["S", "M", "L", "L"], categories=["S", "M", "L"], ordered=True
    )
    colours = pd.Categorical(["red", "red", "blue", "blue"])
    table = pd.DataFrame({"size": sizes, "colour": colours})
    released = anonymize(table, Schema(["size", "colour"]), k=2).table
    assert released["size"].tolist() == ["S", "S", "L", "L"]
    assert released["size"].dtype == pd.CategoricalDtype(["S", "L"], ordered=True)
    assert released["colour"].dtype == table["colour"].dtype


def test_ordered_values_give_their_median():
    table = pl.DataFrame({"grade": ["high", "low", "low", "mid", "high", "low"]})
    schema = Schema(["grade"], kinds={"grade": ["low", "mid", "high"]})
    released = anonymize(table, schema, k=3).table["grade"].to_list()
    assert released == ["high", "low", "low", "high", "high", "low"]


def test_polars_enum_is_kept_and_ordered_if_it_is_said():
    """It only lists its categories, as they came for example."""
    enum = pl.Enum(["low", "mid", "high"])
    grades = ["high", "mid", "low", "high"]
    table = pl.DataFrame({"grade": pl.Series(grades, dtype=enum)})
    for kinds, value in (({}, "high"), ({"grade": "ordinal"}, "mid")):
        release = anonymize(table, Schema(["grade"], kinds=kinds), k=4)
        assert release.kinds["grade"] == kinds.get("grade", "nominal")
        assert set(release.table["grade"]) == {value}
        assert release.table["grade"].dtype == pl.Enum([value])
    pandas = table.to_pandas()  # whose categories say that they are ordered
    assert anonymize(pandas, Schema(["grade"]), k=4).kinds == {
        "grade": "ordinal" if pandas["grade"].cat.ordered else "nominal"
    }


@pytest.mark.parametrize(
    "make", [lambda t: t, pl.DataFrame.to_pandas, pl.DataFrame.to_arrow]
)
def test_durations_are_masked_as_days(make):
    days = [dt.timedelta(days=d) for d in (1, 2, 9, 12)]
    hours = [dt.timedelta(hours=h) for h in (1, 2, 9, 12)]
    table = make(pl.DataFrame({"stay": days, "wait": hours}))
    release = anonymize(table, Schema(["stay", "wait"]), k=2)
    assert release.kinds == {"stay": "numeric", "wait": "numeric"}
    found = nw.from_native(release.table, eager_only=True)
    assert found["stay"].to_list() == [dt.timedelta(days=d) for d in (2, 2, 10, 10)]
    assert found["wait"].to_list() == [dt.timedelta(hours=h) for h in (2, 2, 10, 10)]
    schema = Schema(["stay"], others="drop")
    shown = anonymize(table, schema, k=2, aggregate="interval", clip={"stay": ":10"})
    texts = nw.from_native(shown.table, eager_only=True)["stay"].to_list()
    assert texts == ["[1.0, 2.0]"] * 2 + ["[9.0, 10.0]"] * 2  # in days


@pytest.mark.parametrize("option", ["format", "delimiter", "encoding", "sheet"])
def test_options_of_a_file_are_refused_for_a_table_in_memory(option):
    table = pl.DataFrame({"age": [1, 2, 3] * 20})
    for take in (anonymize, compare, tune):
        with pytest.raises(InputError, match=f"{option!r} is how a file is read"):
            take(table, Schema(["age"]), k=2, **{option: "csv"})


def test_time_zones_and_units_are_kept():
    moments = [dt.datetime(2024, 1, d, 12, tzinfo=dt.UTC) for d in (1, 2, 8, 9)]
    table = pl.DataFrame({"at": pl.Series(moments, dtype=pl.Datetime("ms", "UTC"))})
    table = table.with_columns(pl.col("at").dt.convert_time_zone("Europe/Berlin"))
    released = anonymize(table, Schema(["at"]), k=2).table
    assert released.schema == table.schema
    assert released["at"][0] == dt.datetime(2024, 1, 2, tzinfo=dt.UTC)


def test_days_stay_days():
    table = pd.DataFrame({"day": pd.to_datetime(["2024-01-01", "2024-01-02"])})
    released = anonymize(table, Schema(["day"]), k=2).table["day"]
    assert (released == released.dt.normalize()).all()


def test_integers_of_two_values_are_codes():
    table = pl.DataFrame({"sex": [1, 2, 2, 2], "age": [30, 31, 70, 71]})
    released = anonymize(table, Schema(["sex", "age"]), k=4).table
    assert released["sex"].to_list() == [2, 2, 2, 2]
    schema = Schema(["sex", "age"], kinds={"sex": "numeric"})
    assert anonymize(table, schema, k=4).table["sex"][0] == 1.8


def test_intervals():
    release = anonymize(
        LIBRARIES["polars"](), SCHEMA, k=3, method="mondrian", aggregate="interval"
    )
    first = release.table.row(0, named=True)
    assert first["age"] == "[31, 35]"
    assert first["weight"] == "[59.0, 64.0]"
    assert first["visit"] == "[2024-01-01, 2024-01-05]"
    assert first["sex"] == "f"
    assert class_sizes(release.table, SCHEMA.quasi_identifiers).min() == 3


def test_scores_are_those_of_the_released_table():
    data = load_diabetes_patients()
    for options in ({}, {"integers": "round"}, {"aggregate": "median"}):
        release = anonymize(data.frame, data.schema, k=5, **options)
        names = data.schema.quasi_identifiers
        assert release.scores == measure(data.frame, release.table, names)


def test_strata_are_not_mixed():
    data = load_diabetes_patients()
    release = anonymize(data.frame, data.schema, k=5, strata="sex")
    assert release.table["sex"].to_list() == data.frame["sex"].to_list()


def test_small_strata_are_named_or_merged():
    table = pl.DataFrame({"age": [1, 2, 3, 9, 8], "ward": ["a", "a", "a", "b", "b"]})
    schema = Schema(["age"], others=["ward"])
    with pytest.raises(SchemaError, match=r"ward like 'a' \(2\).*small_strata='merge'"):
        anonymize(table, schema, k=3, strata=["ward"])
    release = anonymize(table, schema, k=3, strata=["ward"], small_strata="merge")
    assert release.findings[0].found == 5


@pytest.mark.parametrize("library", LIBRARIES)
def test_missing_values_are_named_or_dropped(library):
    table = LIBRARIES[library]()
    frame = pl.DataFrame(PATIENTS).with_columns(
        age=pl.Series([None, 62, 35, 58, 33, 60]),
        weight=pl.Series([61.5, None, float("nan"), 77.5, 59.0, 82.0]),
    )
    table = {
        "pandas": frame.to_pandas,
        "polars": lambda: frame,
        "pyarrow": frame.to_arrow,
    }[library]()
    with pytest.raises(
        SchemaError, match=r"'age' \(1\), 'weight' \(2\).*missing='drop'"
    ):
        anonymize(table, SCHEMA, k=3)
    release = anonymize(table, SCHEMA, k=3, missing="drop")
    assert release.n_dropped == 3
    assert as_dict(release.table)["diagnosis"][0] == "asthma"
    assert len(release.labels) == 3


def test_a_failed_promise_withholds_the_release(monkeypatch):
    """The promise is checked on the table, not on the labels."""
    honest = microcell.columns._prepared.Prepared.restore

    def careless(self, X_released, *shown):
        spoiled = X_released.copy()
        spoiled[0, 0] += 1
        return honest(self, spoiled)

    monkeypatch.setattr(microcell.columns._prepared.Prepared, "restore", careless)
    with pytest.raises(PrivacyError, match="found 1; fails for 3 record") as caught:
        anonymize(LIBRARIES["polars"](), SCHEMA, k=3)
    assert not caught.value.findings[0].holds


@for_each("k", [0, 1, -3, 2.5, "five", True])
def test_bad_k(k):
    with pytest.raises(ValueError, match="must be an integer >= 2"):
        anonymize(LIBRARIES["polars"](), SCHEMA, k=k)


def test_more_than_the_records():
    with pytest.raises(ValueError, match=r"6 record\(s\) to release, fewer than k=7"):
        anonymize(LIBRARIES["polars"](), SCHEMA, k=7)


@for_each(
    ("options", "message"),
    [
        ({"method": "magic"}, "'method' parameter must be one of"),
        ({"gamma": 0.9}, "'mdav-refined' has no parameter 'gamma'"),
        ({"aggregate": "ancestor"}, "'aggregate' parameter must be one of"),
        ({"scale": "log"}, "'scale' parameter must be one of"),
        ({"missing": "guess"}, "'missing' parameter must be one of"),
        ({"integers": "floor"}, "'integers' parameter must be one of"),
        ({"small_strata": "merge"}, "needs strata"),
        ({"aggregate": "median", "integers": "round"}, "goes with aggregate='mean'"),
    ],
)
def test_arguments_that_cannot_be_honoured(options, message):
    with pytest.raises(ValueError, match=message):
        anonymize(LIBRARIES["polars"](), SCHEMA, k=3, **options)


def of_library(module, **more):
    """An object that stands for a table of a library that is not installed here."""
    return type("DataFrame", (), {"__module__": module, **more})()


@for_each(
    ("table", "way_out"),
    [
        ([[1, 2]], "Got list instead"),
        (pl.Series("a", [1, 2]), "polars's Series"),
        (pl.LazyFrame({"a": [1, 2]}), "collect"),
        (of_library("dask.dataframe", __arrow_c_stream__=1), "compute"),
        (of_library("modin.pandas.dataframe"), "modin.to_pandas"),
        (of_library("pyspark.sql.classic"), "microcell.spark"),
    ],
)
def test_not_a_table(table, way_out):
    for take in (
        lambda t: anonymize(t, Schema(["a"]), k=2),
        inspect,
        lambda t: measure(t, t, "a"),
        lambda t: compare(t, Schema(["a"]), methods=["mdav"], k=2, n_jobs=1),
        lambda t: tune(t, Schema(["a"]), methods=["mdav"], k=2, n_jobs=1),
    ):
        with pytest.raises(TypeError, match="pandas, polars or pyarrow") as said:
            take(table)
        assert way_out in str(said.value)


def test_a_table_without_records():
    with pytest.raises(ValueError, match="no records"):
        anonymize(pl.DataFrame({"a": []}), Schema(["a"]), k=2)


class Stream:
    """What DuckDB and Ibis give: a stream of Arrow that is read once."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        table, self.table = self.table, None
        return table.to_reader().__arrow_c_stream__(requested_schema)


def test_streams_of_arrow_are_tables():
    ages = [*range(20, 60)]
    table = pa.table({"age": ages, "ill": ["flu", "gout"] * 20})
    schema = Schema(["age"], confidential="ill")
    expected = anonymize(table, schema, k=4).table
    for stream in (Stream, pa.Table.to_reader):
        assert anonymize(stream(table), schema, k=4).table.equals(expected)
        assert inspect(stream(table)).n_records == len(ages)
        scores = measure(stream(table), stream(expected), "age")
        assert scores == measure(table, expected, "age")
        options = {"methods": ["mdav"], "k": 4, "n_jobs": 1}
        assert len(compare(stream(table), schema, **options).candidates) == 1
    repeated = pa.table([pa.array(ages), pa.array(ages)], names=["a", "a"])
    with pytest.raises(ValueError, match=r"repeats \['a'\]"):
        anonymize(Stream(repeated), Schema(["a"]), k=2)


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]),
        pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]),
    ],
)
def test_repeated_columns(table):
    with pytest.raises(ValueError, match=r"repeats \['a'\]. Rename them"):
        anonymize(table, Schema(["a"]), k=2)


@for_each(
    ("values", "kind", "message"),
    [
        ([1.0, float("inf")], None, "infinity in 1 record"),
        (["1", "x"], "numeric", "declared numeric but holds .*'a' in record 2"),
        (
            ["2024-01-01", "soon"],
            "date",
            "is declared a date .*'aaaa' in record 2",
        ),
        ([1, 2], "date", "declared a date but has data type"),
        (["a", "b"], "ordinal", "no order of their own"),
        (["a", "b"], ["a"], "'a' in record 2, which is not in its order"),
        ([2**60, 1], "numeric", "beyond 2\\*\\*53"),
        ([[1], [2]], None, "cannot be masked"),
    ],
)
def test_values_that_do_not_fit_their_kind(values, kind, message):
    schema = Schema(["a"], kinds={} if kind is None else {"a": kind})
    with pytest.raises(SchemaError, match=message):
        anonymize(pl.DataFrame({"a": values}), schema, k=2)


def test_categories_of_one_record_each_are_refused():
    table = pl.DataFrame({"zip": [f"z{i}" for i in range(100)]})
    assert anonymize(table, Schema(["zip"]), k=2).kinds == {"zip": "nominal"}
    table = pl.DataFrame({"zip": [f"z{i}" for i in range(101)]})
    with pytest.raises(SchemaError, match="100 % of the records are alone"):
        anonymize(table, Schema(["zip"]), k=2)


def test_many_categories():
    rng = np.random.default_rng(0)
    table = pl.DataFrame(
        {
            "town": [f"t{i:04d}" for i in rng.integers(0, 1500, 6000)],
            "age": rng.integers(0, 99, 6000),
        }
    )
    for method in ("mdav", "vmdav"):
        release = anonymize(table, Schema(["town", "age"]), k=5, method=method)
        assert release.findings[0].found >= 5
        (notice,) = [n for n in release.notices if "keeps its category" in n]
        kept = (release.table["town"] == table["town"]).mean()
        assert f"'town' keeps its category in {100 * kept:.0f} %" in notice
    with pytest.raises(ValueError, match=r"categories, and.*'mdav' or 'vmdav'"):
        anonymize(table, Schema(["town", "age"]), k=5, method="mondrian")


@pytest.mark.parametrize("method", ["mdav", "vmdav"])
def test_codes_release_what_coordinates_do(method, monkeypatch):
    """The same table as with a coordinate for each category, strata included."""
    rng = np.random.default_rng(1)
    table = pl.DataFrame(
        {
            "bmi": rng.normal(size=400),
            "age": rng.normal(size=400),
            "sex": rng.choice(["f", "m"], 400),
            "town": rng.choice(list("abcdefgh"), 400),
            "region": rng.integers(0, 3, 400),
        }
    )
    schema = Schema(["bmi", "sex", "age", "town"], others="region")
    options = [{}, {"strata": "region"}, {"scale": "minmax"}]
    by_codes = [anonymize(table, schema, k=4, method=method, **o) for o in options]
    for part in (MDAV, VMDAV):
        monkeypatch.setattr(part, "takes_codes", False)
    for release, option in zip(by_codes, options, strict=True):
        expanded = anonymize(table, schema, k=4, method=method, **option)
        assert release.table.equals(expanded.table)


def test_text_declared_numeric_or_date_is_read():
    table = pl.DataFrame({"a": ["1", "2.5"], "d": ["2024-01-01", "2024-01-03"]})
    schema = Schema(["a", "d"], kinds={"a": "numeric", "d": "date"})
    released = anonymize(table, schema, k=2).table
    assert released.row(0) == (1.75, dt.date(2024, 1, 2))


JOBS = ["cook"] * 5 + ["clerk"] * 6 + ["astronaut"]


@pytest.mark.parametrize(
    "jobs",
    [
        pd.DataFrame({"job": pd.Categorical(JOBS)}),
        pl.DataFrame({"job": pl.Series(JOBS, dtype=pl.Categorical)}),
        pl.DataFrame({"job": pl.Series(JOBS, dtype=pl.Enum(sorted(set(JOBS))))}),
        pa.table({"job": pa.array(JOBS).dictionary_encode()}),
    ],
    ids=["pandas", "polars categorical", "polars enum", "pyarrow"],
)
def test_a_category_that_nobody_has_leaves_no_trace(jobs, tmp_path):
    release = anonymize(jobs, Schema(["job"], kinds={"job": "nominal"}), k=3)
    release.save(tmp_path / "release.parquet")
    assert b"astronaut" not in (tmp_path / "release.parquet").read_bytes()
    if isinstance(jobs, pd.DataFrame):
        assert "astronaut" not in release.table["job"].cat.categories
    elif isinstance(jobs, pl.DataFrame) and jobs.schema["job"] == pl.Enum:
        assert "astronaut" not in release.table["job"].dtype.categories
    elif isinstance(jobs, pa.Table):
        dictionary = release.table["job"].chunk(0).dictionary.to_pylist()
        assert "astronaut" not in dictionary


def test_an_index_that_says_something_is_refused():
    plain = pd.DataFrame({"age": [1, 2, 3]})
    for table in (
        plain.set_index(pd.Index(["Ann", "Bob", "Cid"])),
        plain.rename_axis("name"),
        plain.set_index(pd.MultiIndex.from_tuples([(1, 2), (1, 3), (2, 4)])),
    ):
        with pytest.raises(SchemaError, match="reset_index"):
            anonymize(table, Schema(["age"]), k=3)


def test_metadata_of_arrow_is_dropped():
    table = LIBRARIES["pyarrow"]().replace_schema_metadata({"note": "secret"})
    assert not anonymize(table, SCHEMA, k=3).table.schema.metadata


def test_numbers_as_ordinals_are_ranked_once():
    """The release is measured in the ranks of the original."""
    values = [1, 2, 3, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    table = pl.DataFrame({"g": values})
    scores = [
        anonymize(table, Schema(["g"], kinds={"g": kind}), k=5).scores
        for kind in ("ordinal", values)
    ]
    assert scores[0] == scores[1]


def test_ordered_dictionaries_of_arrow_are_ordinal():
    words = pa.array(["low", "mid", "high"])
    codes = pa.array([2, 0, 0, 1, 2, 0], pa.int8())
    column = pa.DictionaryArray.from_arrays(codes, words, ordered=True)
    released = anonymize(pa.table({"g": column}), Schema(["g"]), k=3).table["g"]
    assert released.to_pylist() == ["high", "low", "low", "high", "high", "low"]
    assert released.type.ordered and released.chunk(0).dictionary.to_pylist() == [
        "low",
        "high",
    ]


def test_every_library_gives_the_same_release():
    frame = load_diabetes_patients().frame.with_columns(
        pl.col("sex").cast(pl.Categorical),
        day=pl.date(2024, 1, 1) + pl.duration(days=pl.col("age")),
    )
    schema = Schema(["age", "sex", "bmi", "day"], others="drop")
    releases = [
        anonymize(table, schema, k=5)
        for table in (frame, frame.to_pandas(), frame.to_arrow())
    ]
    for other in releases[1:]:
        assert_array_equal(other.labels, releases[0].labels)
        assert other.scores == pytest.approx(releases[0].scores)


def test_strata_must_not_be_secret():
    with pytest.raises(SchemaError, match="confidential"):
        anonymize(LIBRARIES["polars"](), SCHEMA, k=3, strata="diagnosis")
    with pytest.raises(SchemaError, match="identifier"):
        anonymize(LIBRARIES["polars"](), SCHEMA, k=3, strata="name")


def test_distortion_counts_attributes_not_categories():
    distortions = []
    for n_categories in (2, 3, 50):
        codes = [f"c{i % n_categories}" for i in range(100)]
        table = pl.DataFrame({"x": [0.0] * 50 + [1.0] * 50, "c": codes})
        release = anonymize(table, Schema(["x", "c"]), k=100)
        distortions.append(release.scores["mse_distortion"])
    assert distortions == sorted(distortions)


def test_intervals_can_be_measured():
    data = load_diabetes_patients()
    frame = data.frame.with_columns(
        day=pl.date(2024, 1, 1) + pl.duration(days=pl.col("age")),
        grade=pl.when(pl.col("age") < 40)
        .then(pl.lit("low"))
        .when(pl.col("age") < 60)
        .then(pl.lit("mid"))
        .otherwise(pl.lit("high")),
    )
    kinds = {"grade": ["low", "mid", "high"]}
    schema = Schema(["age", "sex", "bmi", "day", "grade"], others="drop", kinds=kinds)
    release = anonymize(frame, schema, k=5, aggregate="interval", method="mondrian")
    scores = measure(frame, release.table, schema.quasi_identifiers, kinds=kinds)
    assert scores == pytest.approx(release.scores)


def test_intervals_of_moments_are_in_local_time():
    moments = [dt.datetime(2024, 1, d, tzinfo=dt.UTC) for d in (1, 2)]
    table = pl.DataFrame({"at": moments}).select(
        pl.col("at").dt.replace_time_zone("Europe/Berlin")
    )
    released = anonymize(table, Schema(["at"]), k=2, aggregate="interval").table
    assert released["at"][0] == (
        "[2024-01-01T00:00:00+01:00, 2024-01-02T00:00:00+01:00]"
    )


@pytest.mark.parametrize("dtype", ["Int64", "Int8", "int64[pyarrow]", "int16"])
def test_rounded_integers_keep_their_family(dtype):
    table = pd.DataFrame({"a": pd.array([1, 2, 7, 8, 9], dtype=dtype)})
    released = anonymize(table, Schema(["a"]), k=2, integers="round").table
    assert released["a"].dtype == dtype


def test_column_names_must_be_text():
    table = pd.DataFrame({"a": [1, 2], 3: [1, 2]})
    with pytest.raises(SchemaError, match="Got 3 among them"):
        anonymize(table, Schema(["a"], others="keep"), k=2)


@pytest.mark.parametrize("value", ["3_0", "x"])
def test_text_that_is_no_number(value):
    schema = Schema(["a"], kinds={"a": "numeric"})
    with pytest.raises(SchemaError, match="declared numeric but holds"):
        anonymize(pl.DataFrame({"a": [value, "1"]}), schema, k=2)
    assert anonymize(pl.DataFrame({"a": [" 2", "1"]}), schema, k=2)


def test_a_day_without_dashes_is_no_date():
    schema = Schema(["a"], kinds={"a": "date"})
    with pytest.raises(SchemaError, match=r"declared a date but holds .* record 1"):
        anonymize(pl.DataFrame({"a": ["20240101"] * 2}), schema, k=2)


def test_values_that_are_no_categories():
    table = pd.DataFrame({"a": pd.cut(range(4), 2)})
    with pytest.raises(SchemaError, match="'a'"):
        anonymize(table, Schema(["a"]), k=2)


def test_marks_of_missing_values():
    table = pl.DataFrame({"job": ["cook", "?", "cook", "clerk", "clerk"]})
    with pytest.raises(SchemaError, match=r"'job' \(1\)"):
        anonymize(table, Schema(["job"]), k=2, missing_marks=["?"])
    release = anonymize(
        table, Schema(["job"]), k=2, missing_marks=["?"], missing="drop"
    )
    assert release.n_dropped == 1


def test_rounding_of_text_declared_numeric():
    table = pl.DataFrame({"a": ["1", "2"]})
    schema = Schema(["a"], kinds={"a": "numeric"})
    released = anonymize(table, schema, k=2, integers="round").table
    assert released["a"].to_list() == [2, 2]


# A private release has other columns and rows: see test_differentially_private.py.
ROW_BY_ROW = sorted(set(METHODS) - {"dp-microaggregation"})


@settings(max_examples=40)
@given(data=st.data())
def test_any_mixed_table_is_released_k_anonymous(data):
    n = data.draw(st.integers(4, 30))
    k = data.draw(st.integers(2, n // 2))
    rows = st.fixed_dictionaries(
        {
            "number": st.one_of(st.integers(-5, 5).map(float), st.floats(-1e6, 1e6)),
            "whole": st.integers(-3, 3),
            "text": st.sampled_from("abc"),
            "flag": st.booleans(),
            "day": st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)),
        }
    )
    table = pl.DataFrame(data.draw(st.lists(rows, min_size=n, max_size=n)))
    masked = table.columns
    method = data.draw(st.sampled_from(ROW_BY_ROW))
    own = getattr(METHODS[method](k), "aggregate", None)  # it says what is published
    options = {
        "aggregate": data.draw(
            st.sampled_from(sorted(FOR_ALL if own is None else ["mean"]))
        ),
        "scale": data.draw(st.sampled_from(sorted(SCALES))),
        **seed_of(METHODS[method]),
    }
    schema = Schema(masked)
    if get_tags(METHODS[method](2)).target_tags.required:
        ill = [0, 1, *data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))]
        table = table.with_columns(ill=pl.Series(ill[:n]))
        schema = Schema(masked, confidential=["ill"])
    release = anonymize(table, schema, k=k, method=method, **options)
    kept = METHODS[method](k).keeps(len(masked))
    if "classes" in kept:
        assert class_sizes(release.table, masked).min() >= k
    elif "cells" in kept:  # records of a cell differ by their noise
        assert np.bincount(release.labels).min() >= k
    else:  # each column by itself
        assert all(class_sizes(release.table, [name]).min() >= k for name in masked)
    assert release.table.height == n


def test_blocks_keep_k_each_and_say_so():
    data = load_diabetes_patients()
    release = anonymize(data.frame, data.schema, k=5, method="pcp", v=2)
    names = data.schema.quasi_identifiers
    assert class_sizes(release.table, names[:2]).min() >= 5
    assert class_sizes(release.table, names[2:]).min() >= 5
    whole = release.findings[-1]
    assert whole.found == class_sizes(release.table, names).min() < 5
    assert whole.promised is None and whole.holds is None
    assert whole.records_failing > 0
    below = whole.records_failing
    said = f"of the whole table k is {whole.found}, {below} record(s) are alone"
    assert said in release.summary()
    assert release.labels.shape == (442, 2)


def test_one_block_of_all_columns_is_k_anonymous():
    data = load_diabetes_patients()
    for method in ("pcp", "zscores", "sugeno"):
        whole = anonymize(data.frame, data.schema, k=5, method=method)
        block = anonymize(data.frame, data.schema, k=5, method=method, v=4)
        assert whole.findings[0].found >= 5
        assert whole.table.equals(block.table)
        projected = anonymize(
            data.frame, data.schema, k=5, method=method, cost="projected"
        )
        assert projected.scores["sse_loss"] > whole.scores["sse_loss"]


def test_individual_ranking_is_the_optimum_of_each_column():
    data = load_diabetes_patients()
    release = anonymize(data.frame, data.schema, k=5, method="individual-ranking")
    for j, name in enumerate(["age", "sex", "bmi", "bp"]):
        if name != "sex":
            x = data.frame[name].to_numpy().astype(float)[:, None]
            expected = OptimalUnivariate(5).fit_predict(
                StandardScaler().fit_transform(x)
            )
            assert_array_equal(release.labels[:, j], expected)


def test_intervals_by_block():
    data = load_diabetes_patients()
    options = {"method": "individual-ranking", "aggregate": "interval"}
    release = anonymize(data.frame, data.schema, k=5, **options)
    assert release.table["age"][0].startswith("[")
    assert set(release.table["sex"]) == {"1", "2"}


def test_cells_shaped_by_an_attribute_show_how_uniform_they_are():
    data = make_two_gaussians(400, random_state=0)
    options = {"method": "mdav-sd", "lambda_": 0.9, "target_form": "label"}
    shaped = anonymize(data.frame, data.schema, k=10, **options)
    y = data.frame["y"].to_numpy()
    single = [len(set(y[shaped.labels == c])) == 1 for c in range(shaped.cells[0])]
    sizes = np.bincount(shaped.labels)
    expected = sizes[np.array(single)].sum() / 400
    assert shaped.scores["homogeneous_records"] == pytest.approx(expected)
    assert expected > 0.9 and shaped.scores["p_sensitivity"] == 1
    assert "in uniform" in shaped.summary()
    plain = anonymize(data.frame, data.schema, k=10)
    assert "homogeneous_records" not in plain.scores


def test_automatic_parameters_do_not_go_with_strata():
    table = pl.DataFrame({"x": range(40), "g": ["a", "b"] * 20, "y": [0, 1] * 20})
    schema = Schema(["x"], others=["g"], confidential="y")
    with pytest.raises(ValueError, match="'auto' is chosen on folds"):
        anonymize(table, schema, k=3, method="lda-mdav", alpha="auto", strata="g")
    assert anonymize(table, schema, k=3, method="mdav-sd", lambda_=0.1, strata="g")


def test_adult_with_the_papers_quasi_identifiers(benchmark_data):
    data = fetch_adult(drop_missing=True)
    release = anonymize(data.frame, data.schema, k=10, method="mdav")
    assert release.findings[0].found >= 10
    assert release.table.height == 45222
    assert_array_equal(release.table["income"], data.frame["income"])
    assert np.bincount(release.labels).min() == 10
