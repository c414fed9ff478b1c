"""Top and bottom coding of columns."""

import datetime as dt
import math

import numpy as np
import polars as pl
import pytest
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell import Recipe, Schema, SchemaError, anonymize, measure
from microcell.recipe._clip import parse_limits, split_limits, written_limits

LEVELS = ["low", "mid", "high", "top"]


def table(n=60, seed=0):
    rng = np.random.default_rng(seed)
    days = rng.integers(0, 20_000, n)
    return pl.DataFrame(
        {
            "age": rng.integers(10, 99, n),
            "income": rng.lognormal(10, 1, n),
            "born": [dt.date(1940, 1, 1) + dt.timedelta(int(d)) for d in days],
            "grade": rng.choice(LEVELS, n),
            "city": rng.choice(["Ulm", "Bonn"], n),
        }
    )


SCHEMA = Schema(
    ["age", "income", "born", "grade", "city"],
    kinds={"age": "numeric", "grade": LEVELS},
)


@settings(max_examples=20)
@given(low=st.integers(0, 50), high=st.integers(50, 110), k=st.sampled_from([2, 7]))
def test_released_means_lie_inside(low, high, k):
    before = table()
    release = anonymize(before, SCHEMA, k=k, clip={"age": f"{low}:{high}"})
    found = release.table["age"]
    assert low <= found.min() and found.max() <= high
    clipped = before.with_columns(age=pl.col("age").clip(low, high))
    rounding = 0.05  # means have one decimal
    assert found.mean() == pytest.approx(clipped["age"].mean(), abs=rounding)
    assert release.table.equals(anonymize(clipped, SCHEMA, k=k).table)
    # what is lost is counted from the values that were there
    assert release.scores == measure(
        before, release.table, SCHEMA.quasi_identifiers, kinds=SCHEMA.kinds
    )


def slow_limits(values, low, high, k):
    """The quantile, moved inwards until k records are at it or beyond."""
    values = sorted(values)
    n = len(values)
    bottom = values[max(math.ceil(low * n / 100) - 1, 0)]
    while sum(v <= bottom for v in values) < k:
        bottom = min(v for v in values if v > bottom)
    top = values[n - max(math.ceil((100 - high) * n / 100), 1)]
    while sum(v >= top for v in values) < k:
        top = max(v for v in values if v < top)
    return bottom, top


@settings(max_examples=25)
@given(
    ages=st.lists(st.integers(0, 20), min_size=20, max_size=60),
    low=st.integers(0, 50),
    high=st.integers(50, 100),
    k=st.integers(2, 8),
)
def test_a_percentage_is_a_value_that_k_records_share(ages, low, high, k):
    before = pl.DataFrame({"age": ages})
    schema = Schema(["age"], kinds={"age": "numeric"})
    bottom, top = slow_limits(ages, low, high, k)
    options = {"k": k, "aggregate": "interval", "clip": {"age": f"{low}%:{high}%"}}
    if bottom > top:
        with pytest.raises(SchemaError, match="cross"):
            anonymize(before, schema, **options)
        return
    texts = anonymize(before, schema, **options).table["age"]
    ends = [float(end) for text in texts for end in text[1:-1].split(", ")]
    lowest, highest = min(ends), max(ends)
    # rounded inwards where few have it; close ones may meet at one round value
    assert lowest == highest or bottom <= lowest <= highest <= top
    if ages.count(bottom) >= k and ages.count(top) >= k:
        assert (lowest, highest) == (bottom, top)
    clipped = np.clip(ages, lowest, highest)
    assert np.sum(clipped == lowest) >= k and np.sum(clipped == highest) >= k


@pytest.mark.parametrize(
    ("column", "limits", "low", "high"),
    [
        ("born", "1950-01-01:1980-12-31", dt.date(1950, 1, 1), dt.date(1980, 12, 31)),
        ("born", (None, dt.date(1980, 1, 1)), dt.date(1940, 1, 1), dt.date(1980, 1, 1)),
        ("born", "10%:", dt.date(1940, 1, 2), dt.date(2000, 1, 1)),
    ],
)
def test_dates(column, limits, low, high):
    found = anonymize(table(), SCHEMA, k=5, clip={column: limits}).table[column]
    assert low <= found.min() and found.max() <= high


def test_ordered_categories():
    release = anonymize(table(), SCHEMA, k=5, clip={"grade": "mid:high"})
    assert set(release.table["grade"]) <= {"mid", "high"}
    assert any(
        "'grade' is clipped to between mid and high" in n for n in release.notices
    )


def test_notices_count_only_what_k_records_share():
    ages = [*range(20, 60), 95, 96]
    before = pl.DataFrame({"age": ages})
    few = anonymize(before, Schema(["age"]), k=5, clip={"age": ":90"})
    assert few.notices == (
        "'age' is clipped to at most 90: fewer than 5 records were beyond",
    )
    many = anonymize(before, Schema(["age"]), k=5, clip={"age": ":50"})
    assert many.notices == ("'age' is clipped to at most 50: 11 records were beyond",)
    assert many.certificate()["recipe"]["columns"] == {"age": {"clip": ":50"}}


@for_each(
    ("clip", "message"),
    [
        ({"age": "90:18"}, "cross"),
        ({"age": "60%:90%"}, "between 0% and 50%"),
        ({"age": "10%:40%"}, "between 50% and 100%"),
        ({"age": ":1e%"}, "between 50% and 100%"),
        ({"age": "18"}, "must be 'LOW:HIGH'"),
        ({"age": 18}, "must be 'LOW:HIGH'"),
        ({"age": ":"}, "must be 'LOW:HIGH'"),
        ({"age": (1, 2, 3)}, "must be 'LOW:HIGH'"),
        ({"age": (True, 2)}, "must be 'LOW:HIGH'"),
        ({"age": "young:90"}, "no value of its kind, numeric"),
        ({"age": "nan:90"}, "no value of its kind, numeric"),
        ({"age": "18.5:90"}, "finer than the values"),
        ({"born": "18:90"}, "no value of its kind, date"),
        ({"born": "1950-01-01T10:30:"}, "finer than the values"),
        ({"grade": "mid:best"}, "no value of its kind, ordinal"),
        ({"city": "Bonn:Ulm"}, "'city' is nominal"),
        ({"agee": "1:2"}, "not a quasi-identifier"),
        (["age"], "must map columns"),
    ],
)
def test_bad_limits(clip, message):
    with pytest.raises(ValueError, match=message) as caught:
        anonymize(table(), SCHEMA, k=5, clip=clip)
    assert caught.value.option == "clip"


@for_each(
    "limits",
    [
        (None, "2024-01-01T10:30"),
        ("2024-01-01T10:30", None),
        ("2024-01-01T10:30", "2024-01-02T10:30"),
        ("2024-01-01", "2024-01-02T10:30"),
        ("a:b", "c"),
        ("18", "90"),
        ("1%", "99%"),
    ],
)
def test_what_is_written_is_read_again(limits):
    written = written_limits(limits)
    assert parse_limits("age", written) == limits
    recipe = Recipe(Schema(["age"]), k=2, clip={"age": limits})
    assert Recipe.from_dict(recipe.to_dict()) == recipe


def test_colons_that_say_nothing_are_refused():
    assert split_limits("2024-01-01:2024-01-02T10:30") is None


@pytest.mark.parametrize("turn", [1, -1], ids=["from above", "from below"])
def test_a_percentage_is_shared_by_k_people_not_visits(turn):
    ages = [*range(20, 60), *[113] * 30]
    whose = [*range(40), *[40] * 30]
    visits = pl.DataFrame({"who": whose, "age": [turn * age for age in ages]})
    schema, limits = Schema("age", identifiers="who"), ":95%" if turn > 0 else "5%:"
    release = anonymize(visits, schema, k=5, unit="who", clip={"age": limits})
    (said,) = [notice for notice in release.notices if "clipped" in notice]
    assert "113" not in said and said.endswith(" people were beyond")
    limit = release.before.encoders[0].extras.limits[1 if turn > 0 else 0]
    beyond = visits.filter(turn * pl.col("age") >= turn * limit)
    assert beyond["who"].n_unique() >= 5


def test_a_percentage_of_fewer_than_k_known_values_is_refused():
    known = pl.DataFrame({"age": [30, 41, None, None, None, None], "sex": ["f"] * 6})
    with pytest.raises(SchemaError, match="Fewer than 3 people have a value of column"):
        anonymize(
            known,
            Schema("age", kinds={"age": "numeric"}, others="drop"),
            k=3,
            missing="ignore",
            clip={"age": "10%:"},
        )


GERMAN = ["--delimiter", ";", "--decimal", ",", "-k", 5, "-q", "inc,sex"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = range(1, 61)
    incomes = [f"{10 + i}.{i:03d},50" for i in rows]
    sexes = ["m" if i % 2 else "f" for i in rows]
    pl.DataFrame({"inc": incomes, "sex": sexes}).write_csv("b.csv", separator=";")
    return tmp_path


@pytest.mark.parametrize(
    ("limit", "highest"),
    [(":40.000", 40_000.0), (":40000,5", 40_000.5), (":70%", None)],
)
def test_limits_are_read_as_the_column_is_written(folder, limit, highest):
    done = run("anonymize", "b.csv", *GERMAN, "--clip", f"inc={limit}", "-o", "o.csv")
    assert done.exit_code == 0, done.stderr
    written = pl.read_csv(folder / "o.csv", separator=";", infer_schema=False)
    texts = written["inc"]
    plain = texts.str.replace_all(".", "", literal=True).str.replace(",", ".")
    numbers = plain.cast(pl.Float64)
    assert numbers.min() > 1000
    if highest is not None:
        assert numbers.max() <= highest
    wrong = run("anonymize", "b.csv", *GERMAN, "--clip", "inc=:40.00", "-o", "p.csv")
    assert wrong.exit_code == 2 and "as the column writes them" in wrong.stderr


def test_numbers_of_python_are_numbers_whatever_the_text(folder):
    table = pl.read_csv("b.csv", separator=";", infer_schema=False)
    release = anonymize(
        table, Schema(["inc", "sex"]), k=5, decimal=",", clip={"inc": (None, 40000.125)}
    )
    assert 39_000 < release.table["inc"].max() <= 40_000.125


def test_a_quantile_is_nobodys_value(folder):
    done = run("anonymize", "b.csv", *GERMAN, "--clip", "inc=5%:95%", "-o", "o.csv")
    assert done.exit_code == 0, done.stderr
    told = done.stdout.split("is clipped to between ")[1].split(":")[0].split(" and ")
    source = (folder / "b.csv").read_text()
    for limit in told:
        assert limit.rstrip("0") not in source
    table = pl.DataFrame(
        {"day": pl.date_range(pl.date(1950, 1, 1), pl.date(1950, 7, 1), eager=True)}
    )
    release = anonymize(table, Schema(["day"]), k=3, clip={"day": "2%:98%"})
    notice = next(n for n in release.notices if "clipped" in n)
    assert "1950-01-08" in notice or "1950-02-01" in notice or "-01 " in notice


def test_limits_inside_keep_k_records():
    rng = np.random.default_rng(0)
    for k in (2, 5, 9):
        values = rng.lognormal(8, 1, 200)
        release = anonymize(
            pl.DataFrame({"x": values}), Schema(["x"]), k=k, clip={"x": "1%:99%"}
        )
        notice = next(n for n in release.notices if "clipped" in n)
        low, high = notice.split("between ")[1].split(":")[0].split(" and ")
        assert np.sum(values <= float(low)) >= k and np.sum(values >= float(high)) >= k
        assert float(low) not in values and float(high) not in values


def clip_limits(release):
    notice = next(n for n in release.notices if "clipped to" in n)
    words = notice.split("clipped to ")[1].split(": ")[0]
    return words.removeprefix("at most ").removeprefix("between ").split(" and ")


@pytest.mark.parametrize("outlier", [99999.0, 1e9])
def test_a_limit_is_nobodys_value_whatever_the_outliers(outlier):
    rng = np.random.default_rng(0)
    lab = np.round(rng.uniform(0.1, 10, 300), 4)
    lab[:3] = outlier
    table = pl.DataFrame({"lab": lab, "age": rng.integers(18, 90, 300)})
    release = anonymize(table, Schema(["lab", "age"]), k=5, clip={"lab": ":99%"})
    limit = float(clip_limits(release)[0])
    assert limit not in lab and np.sum(lab >= limit) >= 5
    assert limit > 9  # and it is no farther inside than it must be


def test_a_limit_of_dates_is_nobodys_day():
    days = [dt.date(2023, 1, 1) + dt.timedelta(2 * i + i % 2) for i in range(58)]
    table = pl.DataFrame({"day": [*days, dt.date(9999, 12, 31), dt.date(9999, 12, 31)]})
    release = anonymize(table, Schema(["day"]), k=5, clip={"day": ":95%"})
    limit = dt.date.fromisoformat(clip_limits(release)[0])
    assert sum(day >= limit for day in table["day"]) >= 5
    assert limit < sorted(days)[-3]


@pytest.mark.parametrize("low, high", [(49, 51), (50, 50), (1, 99)])
def test_close_quantiles(low, high):
    rng = np.random.default_rng(1)
    values = rng.normal(size=101)
    table = pl.DataFrame({"x": values})
    release = anonymize(table, Schema(["x"]), k=3, clip={"x": f"{low}%:{high}%"})
    for limit in clip_limits(release):
        assert float(limit) not in values
