"""Text that stands for numbers, dates and codes."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from marks import for_each
from typer.testing import CliRunner

from microcell import Schema, SchemaError, anonymize, measure
from microcell.cli._app import app

MAKERS = {
    "polars": pl.DataFrame,
    "pandas": pd.DataFrame,
    "pandas objects": lambda data: pd.DataFrame(data, dtype=object),
    "pyarrow": pa.table,
}


@pytest.fixture(params=MAKERS)
def make(request):
    """Tables with a column that has a type: one of text alone is read as a file is."""

    def table(data):
        n_records = len(next(iter(data.values())))
        return MAKERS[request.param]({**data, "typed": list(range(n_records))})

    return table


def released(table, kind, **options):
    kinds = {} if kind is None else {"a": kind}
    schema = Schema(["a"], kinds=kinds, others="drop")
    table = anonymize(table, schema, k=2, **options).table
    return list(table["a"].to_pylist() if isinstance(table, pa.Table) else table["a"])


@pytest.mark.parametrize(
    ("values", "mean"),
    [
        ([" 12 ", "14"], 13.0),
        (["1e3", "2E3"], 1500.0),
        ([".5", "1."], 0.75),
        (["+1", "-1"], 0.0),
        (["007", "9"], 8.0),
    ],
)
def test_text_that_is_a_number(make, values, mean):
    assert released(make({"a": values}), "numeric") == [mean, mean]


NO_NUMBERS = [
    "1_000", "nan", "NaN", "inf", "-inf", "Infinity", "0x10", "\uff11\uff12", "1,5",
    "", " ", "1 2", "1e", "--1", "\u0661",
]  # fmt: skip


def test_text_that_is_no_number(make):
    said = r"'a' is declared numeric .* in record 2"
    for value in NO_NUMBERS:
        with pytest.raises(SchemaError, match=said):
            released(make({"a": ["1", value, "2"]}), "numeric")


def test_whole_numbers_of_text_can_be_rounded(make):
    assert released(make({"a": ["1", "2"]}), "numeric", integers="round") == [2, 2]


BEYOND = r"'a' holds whole numbers beyond 2\*\*53"


@pytest.mark.parametrize("other", ["3", "1.5"])
def test_text_of_numbers_that_are_too_large(make, other):
    for value in (str(2**53 + 1), str(2**63), str(-(2**64)), "9" * 5000):
        with pytest.raises(SchemaError, match=BEYOND):
            released(make({"a": [value, other, "2"]}), "numeric")


@for_each(
    "table",
    [
        pl.DataFrame({"a": pl.Series([2**63, 1, 2], dtype=pl.UInt64)}),
        pl.DataFrame({"a": [2**53 + 1, 1, 2]}),
        pl.DataFrame({"a": [float(2**63), 1.0, 2.0]}),
        pd.DataFrame({"a": [2**64, 1, 2]}).astype(float),
        pd.DataFrame({"a": [float(2**60), 1.0, 2.0]}),
        pd.DataFrame({"a": pd.array([2**63, 1, 2], dtype="UInt64")}),
        pd.DataFrame({"a": pd.array([2.0**63, 1, 2], dtype="Float64")}),
        pa.table({"a": pa.array([2**63, 1, 2], pa.uint64())}),
        pa.table({"a": pa.array([2.0**63, 1, 2])}),
    ],
)
def test_columns_of_numbers_that_are_too_large(table):
    with pytest.raises(SchemaError, match=BEYOND):
        released(table, None)


def test_large_measurements_are_numbers():
    values = [0.5, 6e23, 6.5e23, 7e23]
    assert np.isclose(released(pl.DataFrame({"a": values}), None)[3], 6.75e23)


def test_wide_integers_are_refused():
    table = pl.DataFrame({"a": pl.Series([2**70, 1, 2], dtype=pl.Int128)})
    with pytest.raises(SchemaError, match="'a' has data type Int128"):
        released(table, None)


@pytest.mark.parametrize(
    "kind", ["ordinal", ["03740", "03741", "10001"], [3740, 3741, 10001]]
)
def test_codes_of_digits_have_an_order(make, kind):
    values = ["10001", "03740", "03741", "10001"]
    assert released(make({"a": values}), kind, method="mondrian") == [
        "10001",
        "03740",
        "03740",
        "10001",
    ]


@pytest.mark.parametrize("values", [["03740", "1"], ["a1", "b2"], ["1.5", "2.5"]])
def test_other_texts_have_none(make, values):
    with pytest.raises(SchemaError, match="no order of their own"):
        released(make({"a": values}), "ordinal")


def test_days_in_text(make):
    table = make({"a": ["2024-01-01", "2024-01-03"]})
    days = [pd.Timestamp(value).date() for value in released(table, "date")]
    assert days == [dt.date(2024, 1, 2)] * 2


def run(*arguments):
    done = CliRunner().invoke(app, [str(a) for a in arguments])
    assert done.exit_code == 0, done.stderr
    return done


@pytest.mark.parametrize("kind", ["ordinal", "03740<03741<10001"])
def test_codes_of_a_file_are_written_as_they_were(tmp_path, kind):
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_text("zip,x\n" + "03740,1\n03741,1\n10001,2\n10001,2\n")
    kinds = ["--kind", f"zip={kind}"]
    run("anonymize", path, "-k", 2, "-q", "zip", "-c", "x", *kinds, "-o", out)
    assert out.read_text().split()[1:] == ["03740,1", "03740,1", "10001,2", "10001,2"]
    scores = run("measure", path, out, "-q", "zip", *kinds).stdout
    assert "information loss" in scores


def test_moments_are_rounded_to_the_resolution_they_were_written_in(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "out.parquet"
    path.write_text("at\n2024-01-01 10:30\n2024-01-01 10:31\n2024-01-01 10:31\n")
    run("anonymize", path, "-k", 3, "-q", "at", "-o", out)
    moment = dt.datetime(2024, 1, 1, 10, 31)
    assert pl.read_parquet(out)["at"].to_list() == [moment] * 3


def test_moments_of_utc(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_text("at\n2024-01-01T10:30:00Z\n2024-01-01T10:32:00Z\n")
    run("anonymize", path, "-k", 2, "-q", "at", "-o", out)
    assert "2024-01-01T10:31" in out.read_text()
    scores = run("measure", path, out, "-q", "at").stdout
    assert "information loss    100.00 %" in scores


def test_intervals_of_moments_with_an_offset():
    zone = dt.timezone(dt.timedelta(hours=2))
    moments = pd.Series([dt.datetime(2024, 1, d, 10, 30, tzinfo=zone) for d in (1, 2)])
    table = pd.DataFrame({"a": moments})
    assert (
        released(table, None, aggregate="interval")
        == ["[2024-01-01T10:30:00+02:00, 2024-01-02T10:30:00+02:00]"] * 2
    )
    release = anonymize(table, Schema(["a"]), k=2, aggregate="interval").table
    assert measure(table, release, "a")["sse_loss"] == 1


@pytest.mark.parametrize("text", ["nan", "inf", "\uff11", "1_0"])
def test_a_target_of_text_that_is_no_number_is_a_class(text):
    table = pl.DataFrame({"x": [1, 2, 8, 9], "y": ["1", "1", text, text]})
    schema = Schema(["x"], confidential="y")
    release = anonymize(table, schema, k=2, method="lda-mdav", target="y")
    assert release.scores["p_sensitivity"] == 1


@pytest.mark.parametrize("value", [float("inf"), 2.0**63])
def test_a_target_that_cannot_be_counted(value):
    table = pl.DataFrame({"x": [1, 2, 8, 9], "y": [1.0, 1.0, value, value]})
    schema = Schema(["x"], confidential="y")
    with pytest.raises(SchemaError, match=r"'y' holds (infinity|whole numbers)"):
        anonymize(table, schema, k=2, method="mdav-sd", target="y")


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


def test_text_that_is_mostly_numbers_is_refused_among_types_too():
    ages = ["-", *(str(20 + i) for i in range(29))]
    table = pd.DataFrame({"id": range(30), "age": ages})
    with pytest.raises(SchemaError, match="'age' looks like numbers but holds"):
        anonymize(table, Schema(["age"], others="drop"), k=5)
    table["age"] = [str(20 + i % 9) for i in range(30)]
    release = anonymize(table, Schema(["age"], others="drop"), k=3)
    assert release.kinds == {"age": "nominal"}
    assert any("'age' is text that stands for numbers" in n for n in release.notices)


def test_a_column_of_nothing_is_no_type():
    text = pl.DataFrame({"age": [str(i) for i in range(20)], "no": [None] * 20})
    release = anonymize(text, Schema(["age"], others="drop"), k=3)
    assert release.kinds == {"age": "numeric"}
