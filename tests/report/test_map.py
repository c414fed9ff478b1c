"""Maps and curves: what is drawn, and that it can be read."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from report.made_comparisons import PLAIN, made_comparison

pytest.importorskip("matplotlib")

from matplotlib.text import Annotation, Text

from microcell.report._map import (
    GREY,
    N_COLOURS,
    draw_map,
    draw_over_k,
    lines_over_k,
    looks_of,
    spots_of,
)
from microcell.selection._candidate import Candidate
from microcell.selection._choice import Limit
from microcell.selection._constraints import Constraint


def named(axes):
    return [text for text in axes.texts if isinstance(text, Annotation)]


def boxes_of(figure):
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    return [Text.get_window_extent(t, renderer) for t in named(figure.axes[0])]


def legend_of(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


@pytest.mark.parametrize("n_methods", [1, 3, 12, 20])
def test_names_do_not_cover_each_other(n_methods):
    compared = made_comparison(n_methods, ks=(3, 5, 10, 25, 50))
    figure = draw_map(compared, "linkage", "loss")
    boxes = boxes_of(figure)
    assert boxes
    frame = figure.axes[0].get_window_extent()
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])
        assert frame.x0 <= box.x0 and box.x1 <= frame.x1 + 1


def test_names_of_columns_are_no_formulas():
    odd = r"$\x"
    compared = made_comparison(3)
    figures = [replace(f, label=f"{f.label}, {odd} of {odd}") for f in compared.figures]
    compared = replace(compared, figures=figures)
    at_most = Constraint("distance_linkage_risk", "<=", 0.2)
    limits = [Limit(at_most, f"linkage:{odd}", compared.figure("linkage"))]
    for figure in (
        draw_map(compared, "linkage", "loss", limits=limits),
        draw_over_k(compared, ["loss", "linkage"]),
    ):
        figure.draw_without_rendering()
        assert r"\$\x" in figure.axes[0].get_ylabel()


def test_only_the_frontier_is_named():
    compared = made_comparison(3)
    figure = draw_map(compared, "linkage", "loss")
    front = {c.label for c in compared.frontier("linkage", "loss")}
    texts = {text.get_text() for text in named(figure.axes[0])}
    assert texts and texts <= front


def test_the_steps_join_the_frontier():
    compared = made_comparison(3)
    axes = draw_map(compared, "linkage", "loss").axes[0]
    (line,) = [one for one in axes.lines if one.get_label() == "frontier"]
    front = compared.frontier("linkage", "loss")
    points = sorted(
        (100 * c.figures["distance_linkage_risk"], 100 * c.figures["relative_loss"])
        for c in front
    )
    assert np.allclose(line.get_xydata(), points)
    assert line.get_drawstyle() == "steps-post"


def test_where_high_is_good_steps_go_the_other_way():
    axes = draw_map(made_comparison(3), "k", "loss").axes[0]
    (line,) = [one for one in axes.lines if one.get_label() == "frontier"]
    assert line.get_drawstyle() == "steps-pre"
    assert "higher is better" in axes.get_xlabel()


def test_axes_have_units_and_sides():
    axes = draw_map(made_comparison(3), "linkage", "t").axes[0]
    assert axes.get_xlabel() == "linkage, nearest, % (lower is better)"
    assert axes.get_ylabel() == "t-distance (lower is better)"


def test_wide_spans_are_logarithmic():
    narrow = draw_map(made_comparison(2, ks=(3, 5)), "linkage", "loss").axes[0]
    assert narrow.get_yscale() == "linear"
    compared = made_comparison(2, ks=(3, 5, 2000))
    compared.candidates[0].figures["relative_loss"] = 1e-4
    assert draw_map(compared, "linkage", "loss").axes[0].get_yscale() == "log"
    compared.candidates[1].figures["relative_loss"] = 0.0
    assert draw_map(compared, "linkage", "loss").axes[0].get_yscale() == "symlog"


def test_few_methods_have_a_look_each():
    looks = looks_of([f"m{i}" for i in range(12)], ["m3"])
    assert len({tuple(look.values()) for look in looks.values()}) == 12
    assert GREY not in {look["color"] for look in looks.values()}


def test_of_many_methods_those_in_front_have_colours():
    looks = looks_of([f"m{i}" for i in range(25)], ["m20", "m3"])
    coloured = [method for method, look in looks.items() if look["color"] != GREY]
    assert sorted(coloured) == ["m20", "m3"]
    figure = draw_map(made_comparison(20), "linkage", "loss")
    assert any("other methods" in text for text in legend_of(figure))
    assert len(legend_of(figure)) <= 15


def test_candidates_that_fall_together_have_one_name():
    compared = made_comparison(1)
    twin = replace(compared.candidates[0])
    both = [compared.candidates[0], twin]
    spots = spots_of([((20.0, 30.0), candidate.label) for candidate in both])
    assert list(spots.values()) == ["mdav, k=3 and 1 more"]


def test_the_choice_and_its_limits_are_marked():
    compared = made_comparison(3)
    figure_of = compared.figure("linkage")
    limit = Limit(Constraint(figure_of.name, "<=", 0.2), "linkage", figure_of)
    best = compared.candidates[4]
    figure = draw_map(compared, "linkage", "loss", best=best, limits=[limit])
    assert {"chosen", "linkage at most 20 %"} <= set(legend_of(figure))
    assert best.label in {text.get_text() for text in named(figure.axes[0])}


def test_what_is_enforced_is_hollow():
    from microcell.privacy import TCloseness

    compared = made_comparison(2)
    first = compared.candidates[0]
    recipe = replace(first.recipe, promises=(TCloseness(0.2),))
    enforced = Candidate(recipe, dict(first.figures), 0.1, enforced=recipe.promises)
    assert enforced.label == "mdav (t-closeness 0.2), k=3"
    mixed = replace(compared, candidates=[*compared.candidates, enforced])
    assert "hollow: enforced" in legend_of(draw_map(mixed, "linkage", "loss"))
    assert "hollow: enforced" not in legend_of(draw_map(compared, "linkage", "loss"))


def test_failed_candidates_are_not_drawn():
    compared = made_comparison(2)
    failed = Candidate(compared.candidates[0].recipe, {}, 0.1, "It failed.")
    with_it = replace(compared, candidates=[failed, *compared.candidates])
    figure = draw_map(with_it, "linkage", "loss")
    assert "of 6 candidates" in figure.get_suptitle()
    assert len(draw_over_k(with_it).axes) == len(draw_over_k(compared).axes)


def test_curves_have_a_panel_for_each_figure():
    compared = made_comparison(3)
    figure = draw_over_k(compared)
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == [
        "information loss", "linkage, nearest", "t-distance", "in uniform cells"
    ]  # fmt: skip
    assert legend_of(figure) == PLAIN[:3]
    chosen = draw_over_k(compared, ["t", "seconds", "k"])
    assert [a.get_title() for a in chosen.axes if a.get_title()] == [
        "t-distance", "seconds", "k found"
    ]  # fmt: skip


def test_lines_go_by_k():
    compared = made_comparison(1, ks=(10, 3, 5))
    (points,) = lines_over_k(compared.candidates, compared.figure("loss")).values()
    assert [k for k, _ in points] == [3, 5, 10]
    loss = SimpleNamespace(name="absent", unit="share")
    assert lines_over_k(compared.candidates, loss) == {}


def test_few_methods_look_the_same_whoever_is_in_front():
    methods = ["mdav", "pcp", "kde"]
    assert looks_of(methods, ["kde"]) == looks_of(methods, ["pcp", "mdav"], N_COLOURS)
    assert len({look["color"] for look in looks_of(methods, []).values()}) == 3


def test_a_figure_of_pyplot_stays_its_own():
    from matplotlib import pyplot

    with pyplot.rc_context({"backend": "agg"}):
        window = pyplot.figure()
        manager = window.canvas.manager
        figure = made_comparison(3).plot("linkage", "loss", figure=window)
        assert figure is window and figure.canvas.manager is manager is not None
        assert named(figure.axes[0])
        pyplot.close(window)
        assert not pyplot.get_fignums()
