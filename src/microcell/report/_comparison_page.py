"""comparison_page: a comparison as one HTML page that needs nothing else."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import tomli_w
from markupsafe import Markup

from microcell import __version__
from microcell.report._map import draw_map, draw_over_k
from microcell.report._numbers import listed
from microcell.report._pictures import FAINT
from microcell.report._svg import as_data, inline_svg, svg_element
from microcell.report._write import filled

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
    return filled(
        "comparison.html.jinja",
        version=__version__,
        compared=compared,
        choice=choice,
        x=compared.figure(x),
        y=compared.figure(y),
        figures=compared.most_asked(x, y),
        frontier=compared.frontier(x, y),
        ranked=compared.ranked(x, y),
        methods=list(dict.fromkeys(c.recipe.method_name for c in compared.candidates)),
        ks=sorted({c.recipe.k for c in compared.candidates}),
        map=_map(compared, x, y, choice),
        curves=_curves(compared),
        recipe=_recipe(compared, choice),
    )


def _map(compared: Compared, x: str, y: str, choice: Any) -> Any:
    figure = draw_map(compared, x, y, title=False, **_marks_of(choice))
    return _svg(figure, "map", map_alternative(compared, x, y))


def _marks_of(choice: Any) -> dict[str, Any]:
    """What was chosen, and within which limits, as a map shows it."""
    return {} if choice is None else {"best": choice.best, "limits": choice.limits}


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


def _curves(compared: Compared) -> Any:
    if not _has_several_k(compared):
        return None
    figure = draw_over_k(compared, title=False)
    titles = [axes.get_title() for axes in figure.axes]
    drawn = [title.replace(r"\$", "$") for title in titles if title]
    return _svg(figure, "curves", f"Curves over k of {listed(drawn)}.")


def _has_several_k(compared: Compared) -> bool:
    return len({c.recipe.k for c in compared.candidates if c.error is None}) > 1


def _svg(figure: Any, name: str, alternative: str) -> Any:
    """A figure inside of the page."""
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
    contents: Mapping[str, Any] = compared.recipe
    if choice is not None:
        contents = choice.recipe.without_seed()
    return tomli_w.dumps({key: entry for key, entry in contents.items() if entry})


def pictures_of_comparison(
    compared: Compared, x: str, y: str, *, choice: Any = None
) -> dict[str, bytes]:
    """Page and pictures of a comparison, by the names of their files."""
    made = {"comparison.html": comparison_page(compared, x, y, choice=choice).encode()}
    drawn = {"map": draw_map(compared, x, y, **_marks_of(choice))}
    if _has_several_k(compared):
        drawn["curves"] = draw_over_k(compared)
    for name, figure in drawn.items():
        for suffix in ("png", "svg"):
            written = io.BytesIO()
            figure.savefig(written, format=suffix, dpi=150)
            made[f"{name}.{suffix}"] = written.getvalue()
    return made
