"""page_of: the facts of a release as one HTML page that needs nothing else."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from matplotlib.figure import Figure

from microcell.report._alternatives import of_column
from microcell.report._pictures import PICTURES, draw_column
from microcell.report._svg import inline_svg
from microcell.report._words import said_of_sample
from microcell.report._write import filled

PICTURE_WIDTH = 3.7  # inches of a picture, so that its text can be read on a phone
MAX_PICTURED_COLUMNS = 100  # columns that have a picture of their own: each takes 0.1 s
ROW = 0.24  # inches of one row of bars or dots


def page_of(facts: Any) -> str:
    """The page of a release.

    Parameters
    ----------
    facts : dict
        As `facts_of` gives them.

    Returns
    -------
    text : str
        HTML with its style and its pictures inside; it asks for no other file and
        runs no script.
    """
    return filled(
        "page.html.jinja",
        facts=facts,
        most_pictured=MAX_PICTURED_COLUMNS,
        risk=facts["risk"],
        utility=facts["utility"],
        sampled=said_of_sample(facts),
        pictures=_pictures_of(facts),
    )


def _pictures_of(facts: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for part, picture in PICTURES.items():
        piece = picture.piece(facts)
        height, width = picture.height or _height_of_rows(piece), PICTURE_WIDTH
        if piece and part == "associations":  # a square
            height = width = min(9.0, max(width, 0.9 + 0.26 * len(piece["names"])))
        shown[part] = _shown(*picture[:2], piece, height, part, width)
    columns = enumerate(facts["utility"]["columns"])
    return shown | {"columns": [_column(*each) for each in columns]}


def _height_of_rows(rows: Any) -> float:
    return 0.8 + ROW * len(rows or ())


def _column(place: int, column: Any) -> Any:
    histogram, categories = column.get("histogram"), column.get("categories")
    height = 2.2 if histogram else _height_of_rows(categories)
    drawable = (histogram or categories) and place < MAX_PICTURED_COLUMNS
    return _shown(
        draw_column, of_column, drawable and column, height, f"column-{place}"
    )


def _shown(
    draw: Any,
    describe: Any,
    piece: Any,
    height: float,
    name: str,
    width: float = PICTURE_WIDTH,
) -> dict[str, Any] | None:
    """One picture of a piece of the facts; None where there is nothing to draw."""
    if not piece:
        return None
    figure = Figure(figsize=(width, height), layout="constrained")
    draw(figure.subplots(), piece)
    svg = inline_svg(figure, name, describe(piece))
    return {"svg": Markup(svg), "wide": width > PICTURE_WIDTH}
