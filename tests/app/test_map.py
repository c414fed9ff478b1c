"""The map of a comparison as the server draws it for the page."""

import json

import pytest
from report.made_comparisons import made_comparison

from microcell.app._map import drawn_map
from microcell.selection import to_json


def told(compared):
    """A comparison as the page has it."""
    document = compared.to_dict()
    names = ("candidates", "figures")
    return json.loads(to_json({name: document[name] for name in names}))


def marks(picture):
    """Marks in a picture of plain data."""
    _, attributes, _, children = picture
    own = [attributes["data-mark"]] if "data-mark" in attributes else []
    return own + [mark for child in children for mark in marks(child)]


@pytest.mark.parametrize("axes", [("distance_linkage_risk", "relative_loss"),
                                  ("k", "t_distance_max")])  # fmt: skip
def test_every_candidate_has_a_mark_and_the_frontier_is_that_of_the_library(axes):
    compared = made_comparison(3)
    found = drawn_map(told(compared), *axes, 900)
    labels = [candidate.label for candidate in compared.candidates]
    assert sorted(found["labels"][int(m)] for m in marks(found["picture"])) == sorted(
        labels
    )
    assert found["frontier"] == [c.label for c in compared.frontier(*axes)]
    json.dumps(found)


@pytest.mark.parametrize("width", [1, 320, 10_000])
def test_a_picture_fits_a_place_of_any_width(width):
    picture = drawn_map(told(made_comparison(2)), "k", "relative_loss", width)[
        "picture"
    ]
    points = float(picture[1]["viewBox"].split()[2])
    assert points == pytest.approx(min(max(width, 260), 1600) * 0.72)


def test_candidates_without_a_figure_have_no_mark():
    compared = made_comparison(1)
    del compared.candidates[0].figures["relative_loss"]
    compared.candidates[1].figures["relative_loss"] = float("nan")
    found = drawn_map(told(compared), "k", "relative_loss", 900)
    assert marks(found["picture"]) == ["2"]
    for candidate in compared.candidates:
        candidate.figures.clear()
    assert drawn_map(told(compared), "k", "relative_loss", 900)["picture"] is None
