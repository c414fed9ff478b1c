"""page_of: the facts of a release as one HTML page that needs nothing else."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, NamedTuple

from microcell._printable import printable_value
from microcell.report import _alternatives as alternatives
from microcell.report._format import count, day, listed, number, share
from microcell.report._pictures import PICTURES, draw_column
from microcell.report._svg import inline_svg
from microcell.report._words import said_of_sample

PICTURE_WIDTH = 3.7  # inches of a picture, so that its text can be read on a phone
MAX_PICTURED_COLUMNS = 100  # columns that have a picture of their own: each takes 0.1 s
ROW = 0.24  # inches of one row of bars or dots
RISK_PARTS = (
    "class_sizes", "scores", "knowledge", "interval", "attributes", "carriers",
)  # fmt: skip
UTILITY_PARTS = ("columns", "associations", "cells", "models", "costs")
SAID_OF_ROLES = {
    "quasi-identifier": "Masked",
    "confidential": "Confidential, as it is",
    "other": "As it is",
}


class Shown(NamedTuple):
    """A picture in its place on the page."""

    svg: str
    caption: str = ""
    wide: bool = False


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
    environment.filters |= {
        "count": count,
        "day": day,
        "figure": _figure,
        "has_figures": _has_figures,
        "number": number,
        "quantile": _quantile,
        "share": share,
    }
    source = home.joinpath("page.html.jinja").read_text(encoding="utf-8")
    return environment.from_string(source).render(
        facts=facts,
        most_pictured=MAX_PICTURED_COLUMNS,
        risk=dict.fromkeys(RISK_PARTS) | (facts["risk"] or {}),
        utility=dict.fromkeys(UTILITY_PARTS) | (facts["utility"] or {}),
        withheld=facts["withheld"]
        and f"Comparisons with the original are withheld: {facts['withheld']}.",
        people=_counted(facts),
        sampled=said_of_sample(facts),
        css=Markup(home.joinpath("page.css").read_text(encoding="utf-8")),
        figures=headline(facts),
        roles=_roles(facts),
        hashes=_hashes(facts),
        pictures=_pictures_of(facts),
    )


def headline(facts: Any) -> Any:
    """The few figures that open the page.

    Returns
    -------
    figures : list of dict
        With "value", "label" and "note".
    """
    unit = facts["k_counts"]
    note = ""
    if facts["records_left_out"]:
        note = f"{count(facts['records_left_out'])} left out"
    shown = [(count(facts["records"]), "records released", note)]
    if unit != "records":
        shown.append((count(facts["people"]), _counted(facts), "which k counts"))
    sizes = (facts["risk"] or {}).get("class_sizes")
    if sizes:
        who = _counted(facts)
        smallest = count(sizes["smallest"])
        if sizes["smallest"] >= facts["k"]:
            said = (f"{smallest} or more", f"{who} look alike, always")
        else:
            said = (smallest, f"{who} in the smallest class of look-alikes")
        shown.append((*said, f"k = {facts['k']}"))
    named = {each["name"]: each for each in (facts["risk"] or {}).get("scores", ())}
    one = "record" if unit == "records" else unit
    for name, label in (
        ("prosecutor_max_risk", f"highest chance to pick the right {one}"),
        ("relative_loss", "of the variation was lost"),
    ):
        if name in named and named[name]["value"] is not None:
            shown.append((share(named[name]["value"]), label, ""))
    return [
        {"value": value, "label": label, "note": note} for value, label, note in shown
    ]


def _counted(facts: Any) -> Any:
    unit = facts["k_counts"]
    return "records" if unit == "records" else f"values of {unit}"


def _roles(facts: Any) -> Any:
    """Released columns by what was done to them."""
    lines = []
    for role, label in SAID_OF_ROLES.items():
        names = [each["name"] for each in facts["columns"] if each["role"] == role]
        if names:
            lines.append({"label": label, "names": listed(names)})
    if facts["left_out"]:
        lines.append({"label": "Not released", "names": listed(facts["left_out"])})
    return lines


def _hashes(facts: Any) -> Any:
    shown = []
    for key, label, digest, how in (
        ("source", "Source", "hmac_sha256", " (keyed; the owner has the key)"),
        ("source", "Source", "sha256", " (plain)"),
        ("file", "Release", "sha256", ""),
    ):
        if facts[key] and facts[key].get(digest):
            name = facts[key].get("name")
            named = f"{label} {name}" if name else label
            shown.append((f"{named}{how}", facts[key][digest]))
    shown += (facts["hashes"] or {}).items()
    values: set[Any] = set()
    return [
        {"name": name, "value": value}
        for name, value in shown
        if value and not (value in values or values.add(value))  # type: ignore[func-returns-value]
    ]


def _pictures_of(facts: Any) -> Any:
    shown: dict[str, Any] = {}
    for part, picture in PICTURES.items():
        piece = picture.piece(facts)
        height, width = picture.height or 0.8 + ROW * len(piece or ()), PICTURE_WIDTH
        if piece and part == "associations":  # a square
            height = width = min(9.0, max(width, 0.9 + 0.26 * len(piece["names"])))
        shown[part] = _shown(picture[:2], piece, height, part, width)
    columns = (facts["utility"] or {}).get("columns") or ()
    return shown | {"columns": [_column(*each) for each in enumerate(columns)]}


def _column(place: Any, column: Any) -> Any:
    height = 2.2
    if not column.get("histogram"):
        height = 0.8 + ROW * len(column.get("categories") or ())
    drawable = column.get("histogram") or column.get("categories")
    piece = column if drawable and place < MAX_PICTURED_COLUMNS else None
    both = draw_column, alternatives.of_column
    return _shown(both, piece, height, f"column-{place}")


def _shown(
    both: Any, piece: Any, height: float, name: str, width: float = PICTURE_WIDTH
) -> Shown | None:
    """One picture of a piece of the facts; None where there is nothing to draw."""
    if not piece:
        return None
    from markupsafe import Markup
    from matplotlib.figure import Figure

    draw, describe = both
    figure = Figure(figsize=(width, height), layout="constrained")
    draw(figure.subplots(), piece)
    svg = inline_svg(figure, name, describe(piece))
    return Shown(Markup(svg), wide=width > PICTURE_WIDTH)


def _figure(value: Any, form: Any) -> Any:
    return share(value) if form == "share" else number(value)


def _quantile(p: Any) -> Any:
    return "median" if p == 0.5 else f"{100 * p:g} % lie below"


def _has_figures(column: Any) -> Any:
    """Whether a table of figures has a row for this column."""
    missing = column.get("missing") or {}
    return any(column.get(key) for key in ("mean", "sd", "quantiles")) or any(
        missing.values()
    )
