"""page_of: the facts of a release as one HTML page that needs nothing else."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, NamedTuple

from microcell._printable import printable_value
from microcell.report import _alternatives as alternatives
from microcell.report import _pictures as pictures
from microcell.report._format import count, day, listed, number, share
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
    risk, utility = facts["risk"] or {}, facts["utility"] or {}
    attributes = known(risk.get("attributes"), "largest_share")
    n_associated = len((utility.get("associations") or {"names": ()})["names"])
    side = min(9.0, max(PICTURE_WIDTH, 0.9 + 0.26 * n_associated))
    plain = {
        "classes": _shown("classes", risk.get("class_sizes"), 2.5),
        "knowledge": _shown("knowledge", risk.get("knowledge"), 2.5),
        "interval": _rows("interval", known(risk.get("interval"))),
        "attributes": _rows("attributes", attributes),
        "carriers": _rows("carriers", known(risk.get("carriers"))),
        "associations": _shown(
            "associations", utility.get("associations"), side, width=side
        ),
        "cells": _shown("cells", utility.get("cells"), 3.3),
        "models": _rows("models", utility.get("models")),
        "costs": _rows("costs", known(utility.get("costs"))),
    }
    columns = [_column(*each) for each in enumerate(utility.get("columns") or ())]
    return plain | {"columns": columns}


PICTURED = {
    "classes": (pictures.draw_classes, alternatives.of_classes),
    "knowledge": (pictures.draw_knowledge, alternatives.of_knowledge),
    "interval": (
        pictures.draw_interval,
        lambda entries: alternatives.of_bars(
            entries, "records close to their original value, by column"
        ),
    ),
    "attributes": (pictures.draw_attributes, alternatives.of_attributes),
    "carriers": (
        pictures.draw_carriers,
        lambda entries: alternatives.of_bars(
            entries, "share of the linkage risk, by column"
        ),
    ),
    "associations": (pictures.draw_associations, alternatives.of_associations),
    "cells": (pictures.draw_cells, alternatives.of_cells),
    "models": (pictures.draw_models, alternatives.of_models),
    "costs": (
        pictures.draw_costs,
        lambda entries: alternatives.of_bars(entries, "share of the loss, by column"),
    ),
    "column": (pictures.draw_column, alternatives.of_column),
}


def _column(place: Any, column: Any) -> Any:
    if place >= MAX_PICTURED_COLUMNS:
        return None
    if column.get("histogram"):
        return _shown("column", column, 2.2, name=f"column-{place}")
    if column.get("categories"):
        height = 0.8 + ROW * len(column["categories"])
        return _shown("column", column, height, name=f"column-{place}")
    return None


def _rows(part: Any, entries: Any) -> Any:
    return _shown(part, entries, 0.8 + ROW * len(entries or ()))


def _shown(
    part: Any, piece: Any, height: Any, *, width: Any = PICTURE_WIDTH, name: Any = None
) -> Shown | None:
    """One picture of a piece of the facts; None where there is nothing to draw."""
    if not piece:
        return None
    from markupsafe import Markup
    from matplotlib.figure import Figure

    draw, describe = PICTURED[part]
    figure = Figure(figsize=(width, height), layout="constrained")
    draw(figure.subplots(), piece)
    svg = inline_svg(figure, name or part, describe(piece))
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


def known(entries: Any, key: str = "share") -> Any:
    """Entries that have a figure."""
    return [each for each in entries or () if each[key] is not None]
