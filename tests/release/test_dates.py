"""Dates as people write them: by format, at their resolution, back to the letter."""

import datetime as dt

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st

from microcell import Recipe, Schema, SchemaError, anonymize, measure
from microcell.columns import fit_encoder
from microcell.exceptions import InputError
from microcell.io import read_table
from microcell.release import anonymize_file, measure_files

SCHEMA = Schema(["at"])


def values(release):
    return nw.from_native(release.table, eager_only=True)["at"].to_list()


WRITTEN = {
    "%d.%m.%Y": (["31.12.2023", "02.01.2024"], "01.01.2024"),
    "%d/%m/%Y": (["1/2/2024", "3/2/2024"], "2/2/2024"),
    "%m/%d/%y": (["02/01/24", "02/03/24"], "02/02/24"),
    "%Y%m%d": (["20240201", "20240203"], "20240202"),
    "%d.%m.%Y %H:%M": (["01.02.2024 10:30", "01.02.2024 10:32"], "01.02.2024 10:31"),
    "%Y-%m": (["2024-01", "2024-03"], "2024-02"),
    "%Y": (["2020", "2024"], "2022"),
    "%H:%M": (["9:30", "9:40"], "9:35"),
    "%Y-%m-%dT%H:%M:%S%z": (
        ["2024-01-01T10:30:00+02:00", "2024-01-01T10:32:00+02:00"],
        "2024-01-01T10:31:00+02:00",
    ),
    "%I:%M %p": (["11:50 am", "12:10 pm"], "12:00 pm"),
    "%b %d, %Y": (["Feb 01, 2024", "Feb 03, 2024"], "Feb 02, 2024"),
}


@pytest.mark.parametrize("format", WRITTEN)
def test_a_file_gets_its_dates_as_they_came(tmp_path, format):
    texts, middle = WRITTEN[format]
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    pl.DataFrame({"at": texts}).write_csv(path)
    anonymize_file(path, Recipe(SCHEMA, k=2, dates={"at": format}, order="keep"), out)
    assert read_table(out)["at"].to_list() == [middle, middle]
    loss = measure_files(path, out, "at", dates={"at": format})["sse_loss"]
    assert loss == pytest.approx(1, abs=0.01)  # months are not all of one length


@pytest.mark.parametrize("format", WRITTEN)
def test_tables_of_every_library(make, format):
    texts, middle = WRITTEN[format]
    release = anonymize(make({"at": texts}), SCHEMA, k=2, dates={"at": format})
    assert release.kinds == {"at": "date"}
    again = pl.Series(nw.from_native(release.table, eager_only=True)["at"].to_arrow())
    layout = release.layouts["at"]
    assert layout.written(again).to_list() == [middle, middle]


@pytest.mark.parametrize("format", WRITTEN)
def test_intervals_can_be_read_again(make, format):
    texts, _ = WRITTEN[format]
    table, dates = make({"at": texts}), {"at": format}
    release = anonymize(table, SCHEMA, k=2, dates=dates, aggregate="interval")
    assert values(release) == [f"[{texts[0]}; {texts[1]}]"] * 2
    assert measure(table, release.table, "at", dates=dates)["sse_loss"] == 1


def test_days_with_dots_need_no_format(make, tmp_path):
    release = anonymize(make({"at": ["1.2.2024", "3.2.2024"]}), SCHEMA, k=2)
    assert release.kinds == {"at": "date"}
    release.save(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().split() == ["at", "2.2.2024", "2.2.2024"]


def test_text_among_types_is_read_by_its_format(make):
    table = make({"at": ["1/2/2024", "3/2/2024"], "id": [1, 2]})
    schema = Schema(["at"], others="drop")
    release = anonymize(table, schema, k=2, dates={"at": "%d/%m/%Y"})
    assert release.kinds == {"at": "date"}


def test_mixed_offsets_are_instants_and_said(tmp_path):
    texts = ["2024-07-01T10:30:00+02:00", "2024-07-01T10:30:00+01:00"]
    release = anonymize(pl.DataFrame({"at": texts}), SCHEMA, k=2)
    assert any("'at' has moments with several offsets" in n for n in release.notices)
    release.save(tmp_path / "out.csv")
    written = (tmp_path / "out.csv").read_text().split()[1]
    assert written == "2024-07-01T09:00:00+00:00"
    one = anonymize(pl.DataFrame({"at": texts[:1] * 2}), SCHEMA, k=2)
    assert not one.notices


@pytest.mark.parametrize(
    ("texts", "ways_out"),
    [
        (
            ["01/02/2024", "03/04/2024"],
            "dates={'at': '%d/%m/%Y'} or dates={'at': '%m/%d/%Y'}",
        ),
        (["01/02/2024", "13/04/2024"], "dates={'at': '%d/%m/%Y'}. If"),
        (["10:30", "11:30"], "dates={'at': '%H:%M'}"),
        (["2024-01", "2024-02"], "dates={'at': '%Y-%m'}"),
    ],
)
def test_other_layouts_are_an_error_with_a_way_out(texts, ways_out):
    with pytest.raises(SchemaError, match="Column 'at' looks like dates") as caught:
        anonymize(pl.DataFrame({"at": texts}), SCHEMA, k=2)
    assert ways_out in str(caught.value)


def test_the_command_line_has_its_own_words(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_text("at,x\n1/2/2024,1\n3/2/2024,2\n")
    common = ["anonymize", path, "-k", 2, "-q", "at", "--others", "drop", "-o", out]
    done = run(*common)
    assert "--date at=%d/%m/%Y or --date at=%m/%d/%Y" in done.stderr
    done = run(*common, "--date", "at=%d/%m/%Y")
    assert done.exit_code == 0, done.stderr
    assert out.read_text().split() == ["at", "2/2/2024", "2/2/2024"]
    done = run("measure", path, out, "-q", "at", "--date", "at=%d/%m/%Y")
    assert "information loss    100.00 %" in done.stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2024-02-01", "'9999-99-99' in record 2, which is not in the format"),
        ("30/2/2024", "'99/9/9999' in record 2, which is no date"),
        ("30/1/0000", "'99/9/9999' in record 2, which is no date"),
        ("1/2/24", "'9/9/99' in record 2, which is not in the format"),
    ],
)
def test_a_value_that_does_not_fit_its_format(make, text, words):
    table = make({"at": ["1/2/2024", text]})
    with pytest.raises(SchemaError, match="Column 'at' holds") as caught:
        anonymize(table, SCHEMA, k=2, dates={"at": "%d/%m/%Y"})
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("schema", "dates", "words"),
    [
        (Schema(["at"]), {"at": "%d.%m."}, "has no year"),
        (Schema(["at"]), {"on": "%Y"}, "'dates' names 'on'"),
        (Schema(["at"]), ["%Y"], "'dates' must map columns"),
        (Schema(["at"], kinds={"at": "nominal"}), {"at": "%Y"}, "declared 'nominal'"),
    ],
)
def test_formats_that_cannot_be(schema, dates, words):
    with pytest.raises(InputError) as caught:
        Recipe(schema, k=2, dates=dates)
    assert words in str(caught.value) and caught.value.option == "dates"


def test_a_format_of_dates_that_are_no_text():
    table = pl.DataFrame({"at": [dt.date(2024, 1, 1)] * 2})
    with pytest.raises(SchemaError, match="'at' has data type Date"):
        anonymize(table, SCHEMA, k=2, dates={"at": "%d.%m.%Y"})
    with pytest.raises(SchemaError, match="'at' has data type Date"):
        measure(table, table, "at", dates={"at": "%d.%m.%Y"})


@pytest.mark.parametrize(
    ("days", "step", "middle"),
    [
        ([(2024, 1, 1), (2024, 4, 1), (2024, 4, 1)], "month", (2024, 3, 1)),
        ([(2020, 1, 1), (2024, 1, 1), (2024, 1, 1)], "year", (2023, 1, 1)),
        ([(2024, 1, 2), (2024, 4, 1), (2024, 4, 1)], 86_400_000_000, (2024, 3, 2)),
    ],
)
def test_months_and_years_of_typed_dates(make, days, step, middle):
    table = make({"at": [dt.datetime(*day) for day in days]})
    series = nw.from_native(table, eager_only=True)["at"]
    assert fit_encoder(series).step == step
    mean = values(anonymize(table, SCHEMA, k=3))[0]
    assert (mean.year, mean.month, mean.day) == middle


def test_steps_of_parts_merge_to_the_finer():
    def encoder(*days):
        series = pl.Series("at", [dt.date(*day) for day in days])
        return fit_encoder(nw.from_native(series, series_only=True))

    year, month = encoder((2020, 1, 1)), encoder((2020, 2, 1))
    assert year.merge(month).step == month.merge(year).step == "month"
    assert encoder((2020, 2, 2)).merge(month).step == 86_400_000_000


TIMES = [dt.time(9, 30), dt.time(9, 40), dt.time(20, 0), dt.time(21, 0)]


@pytest.mark.parametrize(
    "table",
    [
        pl.DataFrame({"at": TIMES}),
        pa.table({"at": pa.array(TIMES, pa.time32("s"))}),
        pa.table({"at": pa.array(TIMES, pa.time64("ns"))}),
        pd.DataFrame({"at": pd.array(TIMES, dtype="time64[us][pyarrow]")}),
    ],
    ids=["polars", "seconds", "nanoseconds", "pandas"],
)
def test_times_of_day(table, tmp_path):
    release = anonymize(table, SCHEMA, k=2)
    assert values(release) == [dt.time(9, 35)] * 2 + [dt.time(20, 30)] * 2
    schemas = [
        nw.from_native(t, eager_only=True).schema for t in (table, release.table)
    ]
    assert schemas[0] == schemas[1]
    release.save(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().split()[1:3] == ["09:35", "09:35"]
    release.save(tmp_path / "out.parquet")
    assert measure(table, release.table, "at")["sse_loss"] < 0.1
    intervals = anonymize(table, SCHEMA, k=2, aggregate="interval")
    assert values(intervals)[0] == "[09:30:00, 09:40:00]"
    assert measure(table, intervals.table, "at")["sse_loss"] < 0.1


def test_midnight_is_far_from_midnight():
    table = pl.DataFrame({"at": [dt.time(23, 50), dt.time(0, 10)]})
    assert values(anonymize(table, SCHEMA, k=2)) == [dt.time(12, 0)] * 2


days = st.dates(dt.date(1969, 1, 1), dt.date(2068, 12, 31))


def slow_nearest_month(stamp):
    """The first of a month that is nearest to a moment, the earlier of two."""
    moment = dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=stamp)
    low = dt.datetime(moment.year, moment.month, 1)
    high = (low + dt.timedelta(days=32)).replace(day=1)
    return low if moment - low <= high - moment else high


@settings(max_examples=25)
@given(
    months=st.lists(days.map(lambda day: day.replace(day=1)), min_size=2, max_size=9)
)
def test_means_of_months_are_the_nearest_month(months):
    table = pl.DataFrame({"at": [m.strftime("%Y-%m") for m in months]})
    release = anonymize(table, SCHEMA, k=len(months), dates={"at": "%Y-%m"})
    encoder = fit_encoder(nw.from_native(pl.Series("at", months), series_only=True))
    stamps = [
        dt.datetime.combine(m, dt.time()) - dt.datetime(1970, 1, 1) for m in months
    ]
    middle = np.mean([s / dt.timedelta(microseconds=1) for s in stamps])
    nearest = slow_nearest_month(round(middle)).date()
    if encoder.step == "year":  # all are of January
        assert {day.month for day in values(release)} == {1}
    else:
        assert values(release) == [nearest] * len(months)


@settings(max_examples=50)
@given(
    format=st.sampled_from(["%d.%m.%Y", "%m/%d/%y", "%Y%m%d", "%Y-%m", "%d %b %Y"]),
    dates=st.lists(days, min_size=4, max_size=10),
)
def test_a_release_reads_back_as_it_was(tmp_path_factory, format, dates):
    out = tmp_path_factory.mktemp("dates") / "out.csv"
    table = pl.DataFrame({"at": [day.strftime(format) for day in dates]})
    release = anonymize(table, SCHEMA, k=2, dates={"at": format}, order="keep")
    release.save(out)
    again = [dt.datetime.strptime(t, format).date() for t in read_table(out)["at"]]
    assert again == values(release)
