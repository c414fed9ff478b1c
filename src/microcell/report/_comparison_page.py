"""comparison_page: a comparison as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from microcell import __version__
from microcell._printable import printable_value
from microcell.report._format import count, listed
from microcell.report._map import draw_map, draw_over_k
from microcell.report._pictures import FAINT
from microcell.report._svg import as_data, inline_svg, svg_element

if TYPE_CHECKING:
    from microcell.selection import Compared

HEIGHT = 0.5  # of a map, as a share of its width
MIN_HEIGHT, MAX_HEIGHT = 3.0, 5.0  # inches


def comparison_page(compared: Compared, x: str, y: str, *, choice: Any = None) -> str:
    """The page of a comparison.

    Parameters
    ----------
    compared : Compared
    x, y : str
        Figures of the map.
    choice : Tuned, optional
        What was chosen, to show it first.

    Returns
    -------
    text : str
        HTML with its style and its pictures inside; it asks for no other file and runs
        no script.
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    home = files("microcell.report")
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=printable_value,
    )
    source = home.joinpath("comparison.html.jinja").read_text(encoding="utf-8")
    figures = compared.most_asked(x, y)
    frontier = compared.frontier(x, y)
    ranked = compared.ranked(x, y)
    table = Rows(figures, frontier, choice)
    of_x, of_y = compared.figure(x), compared.figure(y)
    return environment.from_string(source).render(
        version=__version__,
        title=_title(choice),
        css=Markup(home.joinpath("page.css").read_text(encoding="utf-8")),
        lead=_lead(compared, choice),
        headline=_headline(compared, frontier),
        figures=figures,
        choice=None if choice is None else _choice(choice, table),
        notes=_notes(compared, choice),
        map=_map(compared, x, y, choice),
        frontier=table.of(frontier),
        frontier_intro=f"No other candidate beats these in both {of_x.label} and "
        f"{of_y.label}; the best {of_x.label} comes first.",
        curves=_curves(compared),
        rows=table.of(ranked),
        sorted_by=of_x.label,
        failed=[
            {"labels": "; ".join(labels), "reason": why}
            for why, labels in compared.reasons.items()
        ],
        recipe=_recipe(compared, choice),
        versions=compared.versions,
    )


class Rows:
    """Candidates as rows of a table."""

    def __init__(
        self, figures: Sequence[Any], frontier: Sequence[Any], choice: Any
    ) -> None:
        self.figures = figures
        self.front = {id(candidate) for candidate in frontier}
        self.chosen = None if choice is None else choice.best

    def of(self, candidates: Sequence[Any]) -> list[dict[str, Any]]:
        """One row for each, its figures as text."""
        return [
            {
                "label": c.label,
                "front": id(c) in self.front,
                "chosen": c is self.chosen,
                "cells": [
                    f.shown(c.figures[f.name]) if f.name in c.figures else None
                    for f in self.figures
                ],
            }
            for c in candidates
        ]


def _title(choice: Any) -> str:
    if choice is None:
        return "What releases of this table would give"
    return f"Chosen: {choice.best.label}"


def _lead(compared: Compared, choice: Any) -> str:
    if choice is not None:
        return str(choice.why)
    names = list(dict.fromkeys(c.recipe.method_name for c in compared.candidates))
    ks = sorted({c.recipe.k for c in compared.candidates})
    span = f"k = {ks[0]}" if len(ks) == 1 else f"k from {ks[0]} to {ks[-1]}"
    methods = f"{len(names)} methods" if len(names) > 4 else listed(names)
    return (
        f"{count(len(compared.candidates))} ways to release "
        f"{count(compared.n_records)} records were tried: {methods}, {span}."
    )


def _headline(compared: Compared, frontier: Sequence[Any]) -> list[dict[str, str]]:
    n_failed = sum(c.error is not None for c in compared.candidates)
    methods = {c.recipe.method_name for c in compared.candidates}
    shown = [
        (count(compared.n_records), "records", ""),
        (
            count(len(compared.candidates)),
            "candidates tried",
            f"{n_failed} gave no release" if n_failed else "",
        ),
        (count(len(methods)), "methods", ""),
        (count(len(frontier)), "on the frontier", ""),
    ]
    return [{"value": v, "label": label, "note": note} for v, label, note in shown]


def _choice(choice: Any, table: Rows) -> dict[str, Any]:
    return {
        "sought": str(choice.objective),
        "limits": listed([str(limit) for limit in choice.limits]),
        "rows": table.of([choice.best, *choice.runners_up]),
    }


def _notes(compared: Compared, choice: Any) -> list[str]:
    notes = [] if choice is None else list(choice.notes)
    learnt = compared.learnt_from_original
    return [*notes, *compared.notes, *([f"{begin(learnt)}."] if learnt else [])]


def _map(compared: Compared, x: str, y: str, choice: Any) -> dict[str, Any]:
    of_x, of_y = compared.figure(x), compared.figure(y)
    marks = {}
    if choice is not None:
        marks = {"best": choice.best, "limits": choice.limits}
    figure = draw_map(compared, x, y, title=False, **marks)
    return {
        "svg": _svg(figure, "map", map_alternative(compared, x, y)),
        "caption": f"{begin(of_y.label)} against {of_x.label}. Full marks are on the "
        "frontier, faded ones are not.",
        "label": f"Map of {of_x.label} and {of_y.label}",
    }


def begin(words: str) -> str:
    """Words with a capital letter.

    Examples
    --------
    >>> begin("k found"), begin("")
    ('K found', '')
    """
    return words[:1].upper() + words[1:]


def map_alternative(compared: Compared, x: str, y: str) -> str:
    """What the map shows, for those who do not see it."""
    of_x, of_y = compared.figure(x), compared.figure(y)
    frontier = compared.frontier(x, y)
    n_shown = sum(
        c.error is None and of_x.name in c.figures and of_y.name in c.figures
        for c in compared.candidates
    )
    words = (
        f"Map of {n_shown} candidates by {of_x.label} and {of_y.label}; "
        f"{len(frontier)} on the frontier"
    )
    if not frontier:
        return f"{words}."
    ends = [frontier[0]] if len(frontier) == 1 else [frontier[0], frontier[-1]]
    said = [
        f"{c.label} ({of_x.label} {of_x.shown(c.figures[of_x.name])}, {of_y.label} "
        f"{of_y.shown(c.figures[of_y.name])})"
        for c in ends
    ]
    return f"{words}, {' to '.join(['from ' + said[0], *said[1:]])}."


def _curves(compared: Compared) -> dict[str, Any] | None:
    alive = [c for c in compared.candidates if c.error is None]
    if len({c.recipe.k for c in alive}) < 2:
        return None
    figure = draw_over_k(compared, title=False)
    titles = [axes.get_title() for axes in figure.axes]
    drawn = [title.replace(r"\$", "$") for title in titles if title]
    return {
        "svg": _svg(figure, "curves", f"Curves over k of {listed(drawn)}."),
        "caption": "A line for each method; methods that are best nowhere are grey.",
        "label": "Curves over k",
    }


def _svg(figure: Any, name: str, alternative: str) -> Any:
    """A figure inside of the page."""
    from markupsafe import Markup

    return Markup(inline_svg(for_day_and_night(figure), name, alternative))


def for_day_and_night(figure: Any) -> Any:
    """The figure, its frame and grid in a tone for light and for dark pages."""
    for axes in figure.axes:
        axes.spines[["left", "bottom"]].set(color=FAINT, linewidth=0.8)
        axes.grid(color=FAINT, alpha=0.25, linewidth=0.6)
    return figure


def map_as_data(compared: Compared, x: str, y: str, width: float) -> list[Any]:
    """The map for a page that is some inches wide, as plain data; see `as_data`.

    The mark of a point is the place of its candidate.
    """
    height = min(max(HEIGHT * width, MIN_HEIGHT), MAX_HEIGHT)
    figure = draw_map(compared, x, y, title=False, size=(width, height))
    return as_data(svg_element(for_day_and_night(figure), "map"))


def _recipe(compared: Compared, choice: Any) -> str:
    """The recipe that was chosen, or what all candidates share, as a recipe file."""
    import tomli_w

    contents: Mapping[str, Any] = compared.recipe
    if choice is not None:
        contents = choice.recipe.without_seed()
    return tomli_w.dumps({key: entry for key, entry in contents.items() if entry})


def pictures_of_comparison(
    compared: Compared, x: str, y: str, *, choice: Any = None
) -> dict[str, bytes]:
    """Page and pictures of a comparison, by the names of their files."""
    import io

    marks = {}
    if choice is not None:
        marks = {"best": choice.best, "limits": choice.limits}
    made = {"comparison.html": comparison_page(compared, x, y, choice=choice).encode()}
    drawn = {"map": draw_map(compared, x, y, **marks)}
    if len({c.recipe.k for c in compared.candidates if c.error is None}) > 1:
        drawn["curves"] = draw_over_k(compared)
    for name, figure in drawn.items():
        for suffix in ("png", "svg"):
            written = io.BytesIO()
            figure.savefig(written, format=suffix, dpi=150)
            made[f"{name}.{suffix}"] = written.getvalue()
    return made
