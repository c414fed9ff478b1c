"""What a review of gaps, limits, notices and errors found, kept mended."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

from microcell import Schema, anonymize, measure
from microcell.exceptions import InputError
from microcell.privacy import PSensitivity


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


def test_an_extreme_of_few_people_is_not_told():
    ages = np.array([*range(20, 77), 999, 999, 999])
    table = pl.DataFrame({"pid": [*range(57), 57, 57, 57], "age": ages})
    schema = Schema(["age"], identifiers="pid")
    for options in ({"unit": "pid"}, {"unit": "records"}):
        notices = anonymize(table, schema, k=5, **options).notices
        assert not any("999" in notice for notice in notices)
        assert any("fewer than 5 people" in notice for notice in notices)
    many = pl.DataFrame({"pid": range(62), "age": [*range(20, 77), *[999] * 5]})
    notices = anonymize(many, schema, k=5, unit="records").notices
    assert any("999 in 5 records" in notice for notice in notices)


def test_one_persons_value_is_said_to_be_published():
    table = pl.DataFrame(
        {
            "pid": np.repeat(np.arange(20), 3),
            "a": np.repeat(np.arange(20) // 5 * 100.0, 3),
            "v": [7.77] * 3 + [None] * 12 + list(np.arange(45) * 1.0),
        }
    )
    release = anonymize(
        table, Schema(["a", "v"], identifiers="pid"), k=5, unit="pid",
        missing="ignore", importance={"a": 1e6},
    )  # fmt: skip
    assert release.table["v"][:15].unique().to_list() == [7.77]
    assert any("a single person has a value of 'v'" in n for n in release.notices)


def test_the_same_where_missing_is_a_category():
    values = [w for i in range(10) for w in (i * 1.37 + 0.001, None)]
    table = pl.DataFrame({"a": np.repeat(np.arange(10) * 100, 2), "v": values})
    release = anonymize(
        table, Schema(["a", "v"]), k=2, missing="category", importance={"a": 1000}
    )
    assert any("in 10 cell(s) a single person" in n for n in release.notices)


def test_an_error_names_no_value_of_one_person():
    table = pl.DataFrame(
        {
            "pid": [0] * 20 + list(range(1, 41)),
            "age": np.arange(60),
            "dx": ["HIV"] * 20 + [f"d{i}" for i in range(40)],
        }
    )
    schema = Schema(["age"], identifiers="pid", confidential="dx")
    promises = [PSensitivity(50)]
    with pytest.raises(InputError, match="cannot hold") as error:
        anonymize(table, schema, k=3, unit="pid", promises=promises, allow_unique="dx")
    assert "HIV" not in str(error.value)


def test_a_column_may_be_called_count():
    table = pl.DataFrame({"age": np.arange(60), "count": ["x"] * 60})
    with pytest.raises(InputError, match="cannot hold: all 60 records"):
        anonymize(
            table, Schema(["age"], confidential="count"), k=5,
            promises=[PSensitivity(2)],
        )  # fmt: skip


def test_minus_one_is_a_number():
    table = pl.DataFrame({"v": [-1.0] * 5 + [None] * 4 + [5.0] * 11})
    release = anonymize(
        table, Schema(["v"]), k=9, missing="category", representatives={"v": "mode"}
    )
    assert release.table["v"].to_list() == [-1.0] * 9 + [5.0] * 11


def test_sets_of_merged_categories():
    rng = np.random.default_rng(0)
    cities = ["q", "r", *rng.choice(list("aaaaabbbbbccccc"), 298).tolist()]
    table = pl.DataFrame({"city": cities, "age": rng.integers(18, 90, 300)})
    shown = {"city": "set"}
    schema = Schema(["city", "age"])
    release = anonymize(table, schema, k=5, rare="merge", representatives=shown)
    texts = set(release.table["city"])
    assert any("other" in text for text in texts)
    scores = measure(table, release.table, ["city", "age"], aligned=True)
    assert scores["sse_loss"] == pytest.approx(release.scores["sse_loss"])
