"""Pictures of a release in a notebook."""

import pickle

import matplotlib
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from report.made_facts import made_facts

from microcell import anonymize
from microcell.datasets import load_diabetes_patients
from microcell.report._plot import Plot

PARTS = [
    "classes", "knowledge", "attributes", "interval", "carriers", "associations",
    "cells", "models", "costs",
]  # fmt: skip


@pytest.fixture(autouse=True)
def closed():
    from matplotlib import pyplot

    with matplotlib.rc_context({"figure.max_open_warning": 0}):
        matplotlib.use("Agg")
        yield
        pyplot.close("all")


@pytest.fixture(scope="module")
def release():
    patients = load_diabetes_patients()
    return anonymize(patients.frame, patients.schema, k=5)


@pytest.fixture
def plot():
    drawn = Plot(None)
    drawn.__dict__["_facts"] = made_facts()
    return drawn


def texts(axes):
    axes.figure.canvas.draw()
    return [text.get_text() for text in axes.findobj(matplotlib.text.Text)]


@pytest.mark.parametrize("part", PARTS)
def test_each_part_draws_on_given_axes(plot, part):
    given = Figure().subplots()
    assert getattr(plot, part)(ax=given) is given
    assert given.has_data()


@pytest.mark.parametrize("part", PARTS)
def test_each_part_makes_its_own_axes(plot, part):
    axes = getattr(plot, part)()
    assert isinstance(axes, Axes) and axes.has_data()


@pytest.mark.parametrize("name", ["age", "column 2"])
def test_columns_before_and_after(plot, name):
    axes = plot.column(name, ax=Figure().subplots())
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["before", "after"]


def test_an_overview_has_all_it_can_draw(plot):
    axes = plot()
    assert len(axes) == 6 and len({ax.figure for ax in axes}) == 1
    assert all(ax.has_data() for ax in axes)


def test_bars_are_what_the_facts_say(plot):
    axes = plot.classes(ax=Figure().subplots())
    bins = made_facts()["risk"]["class_sizes"]["bins"]
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == [each["records"] for each in bins]
    axes = plot.costs(ax=Figure().subplots())
    shares = sorted(
        (c["share"] for c in made_facts()["utility"]["costs"]), reverse=True
    )
    widths = [bar.get_width() for bar in axes.patches]
    assert widths == pytest.approx([100 * share for share in shares])


def test_a_column_that_is_not_there(plot):
    with pytest.raises(ValueError, match=r"must be one of .*'age'.*Got 'agee'"):
        plot.column("agee")


def test_what_is_withheld_says_why(plot):
    plot._facts["withheld"] = "fewer than 10 records"
    plot._facts["utility"] = {"costs": []}
    with pytest.raises(ValueError, match=r"no picture of costs.*fewer than 10 records"):
        plot.costs()


def test_a_release_has_pictures(release):
    axes = release.plot.column("bmi", ax=Figure().subplots())
    assert "records, %" in texts(axes)
    assert "classes" in repr(release.plot)
    assert len(release.plot()) >= 5
    assert release.plot is release.plot  # facts are counted once


def test_pictures_stay_out_of_pickles(release):
    release.plot.classes()
    assert "plot" not in pickle.loads(pickle.dumps(release)).__dict__


def test_a_short_table_is_escaped():
    patients = load_diabetes_patients().frame.rename({"bmi": "<b>bmi</b>"})
    from microcell import Schema

    schema = Schema(["age", "<b>bmi</b>"], confidential="progression", others="drop")
    text = anonymize(patients, schema, k=5)._repr_html_()
    assert "<b>" not in text and "&lt;b&gt;bmi" in text
    for words in ("442", "k = 5", "k-anonymity: promised 5", "information loss"):
        assert words in text
    assert "<script" not in text and len(text) < 5_000


def test_a_short_table_withholds_what_the_summary_withholds():
    from frames import LIBRARIES, SCHEMA

    text = anonymize(LIBRARIES["polars"](), SCHEMA, k=3)._repr_html_()
    assert "withheld: fewer than 10 records" in text
    assert "information loss" not in text
