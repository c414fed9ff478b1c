"""A person who is rare in every column leaves no trace on a page or in a picture."""

import json
from html import unescape

import polars as pl
import pytest
from matplotlib.figure import Figure
from report.planted import (
    RARE_TEXTS,
    SCHEMA,
    assert_no_trace,
    planted_table,
    words_of,
)

from microcell import anonymize
from microcell.exceptions import InputError
from microcell.report._svg import inline_svg

TABLE = planted_table()
OPTIONS = {
    "mdav": {},
    "interval": {"aggregate": "interval", "ends": "rounded"},
    "units": {"unit": "house"},
    "text": {"table": TABLE.select(pl.all().cast(pl.String))},
    "target": {"method": "mdav-sd", "target": "cost"},
}
PARTS = [
    "classes", "knowledge", "attributes", "interval", "carriers", "associations",
    "cells", "models", "costs",
]  # fmt: skip


def released(name):
    options = {"table": TABLE, "unit": "records", **OPTIONS[name]}
    return anonymize(options.pop("table"), SCHEMA, k=5, **options)


@pytest.fixture(scope="module", params=OPTIONS)
def release(request):
    return released(request.param)


def test_no_trace_on_the_page(release, tmp_path):
    path = tmp_path / "report.html"
    release.save(tmp_path / "out.csv", report=path)
    page = path.read_text()
    assert "zip" in words_of(page)
    assert_no_trace(words_of(page))
    for value in RARE_TEXTS.values():
        assert value.lower() not in page.lower()


def test_no_trace_in_json(release, tmp_path):
    release.report(tmp_path / "report.json")
    assert_no_trace(json.loads((tmp_path / "report.json").read_text()))


def test_no_trace_in_a_notebook(release):
    assert_no_trace(unescape(release._repr_html_()))


def test_no_trace_in_pictures():
    release, drawn = released("mdav"), 0
    names = [column["name"] for column in release.columns]
    for part, *rest in [*((part,) for part in PARTS), *(("column", n) for n in names)]:
        figure = Figure(layout="constrained")
        try:
            getattr(release.plot, part)(*rest, ax=figure.subplots())
        except InputError:
            continue  # nothing to draw
        drawn += 1
        assert_no_trace(words_of(inline_svg(figure, "x", "")))
    assert drawn > 12
