"""Pictures of a release's facts: the report's, and those of `release.plot`.

Each part draws a piece of the facts on matplotlib axes and computes nothing; what
fewer than k people would show is not in the facts. Before and after differ in form
besides colour: a filled area and a line, a hollow ring and a filled diamond.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import Any, NamedTuple

from microcell._printable import printable
from microcell.report import _alternatives as words
from microcell.report._style import OKABE_ITO

BEFORE, AFTER = OKABE_ITO[0], OKABE_ITO[1]
FAINT = "#8a8f94"  # lines that are read on light and on dark
UNCHANGED = "released as it is"
MAX_LABEL_LETTERS = 22  # letters of a column's or category's name
MAX_TICKS = 7
MAX_BARS_ON_ONE_LINE = 4  # whose labels have room on one line
MAX_COLUMNS_WITH_VALUES = 8  # columns of a matrix whose figures are written out
RING = {
    "color": BEFORE, "marker": "o", "markersize": 7, "markerfacecolor": "none",
    "markeredgewidth": 1.5, "linestyle": "none",
}  # fmt: skip
DIAMOND = {"color": AFTER, "marker": "D", "markersize": 5, "linestyle": "none"}
CROSS = {"color": "#000000", "marker": "x", "linestyle": "none"}
MARK_STEPS = 10  # sizes of marks; each is stored once


def plain(text: Any, longest: Any = MAX_LABEL_LETTERS) -> Any:
    """A name as a label: short, on one line, and never read as a formula.

    Examples
    --------
    >>> plain("cost in $"), plain("a very long name of a column")
    ('cost in \\\\$', 'a very long name of a…')
    """
    shown = printable(str(text))
    if len(shown) > longest:
        shown = shown[: longest - 1].rstrip() + "…"
    return shown.replace("$", r"\$")


def draw_classes(axes: Any, class_sizes: Any) -> None:
    """Records in classes of each size: how many look alike."""
    bins = class_sizes["bins"]
    places = range(len(bins))
    records = [each["records"] for each in bins]
    bars = axes.bar(places, records, width=0.72, color=BEFORE)
    axes.bar_label(bars, [f"{count:,}" for count in records], padding=2, fontsize=8)
    labels = [plain(each["label"]) for each in bins]
    if len(bins) > MAX_BARS_ON_ONE_LINE:  # side by side they would run into each other
        labels = [re.sub(r" (to|or) ", r"\n\1 ", label) for label in labels]
    axes.set_xticks(places, labels)
    axes.margins(y=0.14)
    counted = plain(class_sizes.get("counts", "records"))
    _finish(axes, f"{counted} that look alike", counted, grid="y")


def draw_knowledge(axes: Any, knowledge: Any) -> None:
    """How likely a record is found by somebody who knows some columns."""
    sizes = [each["size"] for each in knowledge]
    mean = [100 * each["mean"] for each in knowledge]
    worst = [100 * each["worst"] for each in knowledge]
    axes.plot(sizes, worst, "--", marker="D", color=AFTER, label="worst columns")
    axes.plot(sizes, mean, "-", marker="o", color=BEFORE, label="on average")
    axes.set_xticks(sizes)
    axes.set_ylim(0, max(1.0, 1.15 * max(worst)))
    _legend(axes)
    _finish(axes, "quasi-identifiers that are known", "found, %")


def draw_attributes(axes: Any, attributes: Any) -> None:
    """The most frequent value of each confidential column: in the table, in cells."""
    places = range(len(attributes))
    table = [100 * each["table_share"] for each in attributes]
    largest = [100 * each["largest_share"] for each in attributes]
    axes.hlines(places, table, largest, color=FAINT, linewidth=1.2, zorder=1)
    axes.plot(table, places, label="in the whole table", **RING)
    axes.plot(largest, places, label="in the worst cell", **DIAMOND)
    _rows(axes, [each["name"] for each in attributes])
    axes.set_xlim(0, 104)
    _legend(axes)
    _finish(axes, "share of the most frequent value, %", "", grid="x")


def draw_column(axes: Any, column: Any) -> None:
    """One column before and after: a histogram, or shares of categories."""
    if column.get("histogram"):
        _draw_histogram(axes, column["histogram"])
    else:
        _draw_categories(axes, column["categories"])


def _draw_histogram(axes: Any, histogram: Any) -> None:
    """Bins side by side, equally wide; the outer two have no end."""
    before, after = histogram["before"], histogram["after"]
    edges = range(len(after) + 1)
    if before is not None:
        shares = [100 * share for share in before]
        label = UNCHANGED if before == after else "before"
        axes.stairs(shares, edges, fill=True, color=BEFORE, alpha=0.45, label=label)
    if before != after:
        shares = [100 * share for share in after]
        axes.stairs(shares, edges, color=AFTER, linewidth=1.6, label="after")
    inner = list(histogram["edges"])
    step = -(-len(inner) // MAX_TICKS) or 1
    axes.set_xticks(
        range(1, len(inner) + 1, step), [plain(edge, 12) for edge in inner[::step]]
    )
    if max(map(len, inner), default=0) > 5 and len(inner) > 4:
        axes.tick_params(axis="x", labelrotation=30)
    axes.set_xlim(0, len(after))
    axes.set_ylim(bottom=0)
    _legend(axes)
    _finish(axes, "", "records, %", grid="y")


def _draw_categories(axes: Any, categories: Any) -> None:
    places = range(len(categories))
    after = [100 * each["after"] for each in categories]
    before = [each["before"] for each in categories]
    if None not in before:
        before = [100 * share for share in before]
        label = UNCHANGED if before == after else "before"
        axes.hlines(places, before, after, color=FAINT, linewidth=1.2, zorder=1)
        axes.plot(before, places, label=label, **RING)
    if before != after:
        axes.plot(after, places, label="after", **DIAMOND)
    _rows(axes, [each["label"] for each in categories])
    known = [*after, *(share for share in before if share is not None)]
    axes.set_xlim(0, 1.06 * max([1.0, *known]))
    _legend(axes)
    _finish(axes, "records, %", "", grid="x")


def draw_associations(axes: Any, associations: Any) -> None:
    """How strongly columns go together: before below the diagonal, after above it.

    A large mark is a strong association; before is a ring, after is filled.
    """
    names, n_columns = associations["names"], len(associations["names"])
    full = min(30.0, 190 / n_columns)
    written = n_columns <= MAX_COLUMNS_WITH_VALUES
    for side, colour, fill in (("before", BEFORE, "none"), ("after", AFTER, AFTER)):
        pairs = [
            (column, row, associations[side][row][column])
            for row in range(n_columns)
            for column in range(n_columns)
            if (column > row) == (side == "after") and column != row
        ]
        for size, points in _by_size(pairs).items():
            axes.plot(
                *zip(*points, strict=True),
                "o",
                color=colour,
                markerfacecolor=fill,
                alpha=0.35 if written else 0.7,
                markersize=full * sqrt(size),
            )
        if written:
            for x, y, value in pairs:
                if value is not None:
                    place = {"ha": "center", "va": "center", "fontsize": 7.5}
                    axes.annotate(f"{value:.2f}", (x, y), **place)
    ends = (-0.5, n_columns - 0.5)
    axes.plot(ends, ends, color=FAINT, linewidth=0.8)
    labels = [plain(name, 12) for name in names]
    axes.set_xticks(range(n_columns), labels, rotation=45, ha="right")
    axes.set_yticks(range(n_columns), labels)
    axes.set(xlim=ends, ylim=ends[::-1], aspect="equal")
    _finish(axes, "", "", grid="both")
    axes.grid(visible=False)
    if n_columns > 14:
        axes.tick_params(labelsize=7)


def _by_size(pairs: Any) -> Any:
    """Places by the size of their mark; each size is stored once in a picture."""
    found: dict[Any, Any] = {}
    for x, y, value in pairs:
        if value:
            size = max(1, round(MARK_STEPS * min(abs(value), 1.0))) / MARK_STEPS
            found.setdefault(size, []).append((x, y))
    return found


def draw_cells(axes: Any, cells: Any) -> None:
    """Cells of the release on the two directions in which they differ most."""
    most = max(cells["records"])
    sizes = [records / most for records in cells["records"]]
    marks = _by_size(zip(cells["x"], cells["y"], sizes, strict=True))
    for size, points in marks.items():
        axes.plot(
            *zip(*points, strict=True),
            "o",
            color=BEFORE,
            alpha=0.45,
            markersize=2 + 7 * sqrt(size),
            markeredgewidth=0,
        )
    first, second = (
        f"{ordinal} direction ({100 * share:.0f} %)"
        for ordinal, share in zip(("first", "second"), cells["explained"], strict=True)
    )
    _finish(axes, first, second, grid="both")


def draw_models(axes: Any, models: Any) -> None:
    """What a model learns from the release, from the original, and from nothing."""
    places = range(len(models))
    known = (
        ("constant", "no columns", CROSS),
        ("original", "original", RING),
        ("released", "release", DIAMOND),
    )
    for place, model in zip(places, models, strict=True):
        if model.get("interval"):
            axes.hlines(place, *model["interval"], color=AFTER, linewidth=1.2)
    for key, label, look in known:
        axes.plot([model[key] for model in models], places, label=label, **look)
    _rows(axes, [model["column"] for model in models])
    axes.margins(x=0.08)
    _legend(axes)
    metrics = sorted({model["metric"] for model in models})
    _finish(axes, plain(" or ".join(metrics), 60), "", grid="x")


def _draw_bars(axes: Any, entries: Any, label: str) -> None:
    """A share of each column, the largest first."""
    entries = sorted(entries, key=lambda each: -each["share"])
    shares = [100 * each["share"] for each in entries]
    bars = axes.barh(range(len(entries)), shares, height=0.62, color=BEFORE)
    axes.bar_label(bars, [f"{share:.1f}" for share in shares], padding=3, fontsize=8)
    _rows(axes, [each["name"] for each in entries])
    axes.set_xlim(0, max([1.0, *shares]) * 1.14)
    _finish(axes, label, "", grid="x")


def _rows(axes: Any, labels: Any) -> None:
    axes.set_yticks(range(len(labels)), [plain(label) for label in labels])
    axes.set_ylim(len(labels) - 0.4, -0.6)


def _legend(axes: Any) -> None:
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=3,
        fontsize=8,
        frameon=False,
        borderaxespad=0.0,
        handletextpad=0.4,
        columnspacing=1.2,
    )


def _finish(axes: Any, x_label: Any, y_label: Any, grid: str = "both") -> None:
    axes.set_xlabel(x_label, fontsize=8)
    axes.set_ylabel(y_label, fontsize=8)
    axes.tick_params(labelsize=8, length=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set(color=FAINT, linewidth=0.8)
    axes.grid(axis=grid, color=FAINT, alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)


class Picture(NamedTuple):
    """A picture of a piece of the facts, on a page or by itself.

    Attributes
    ----------
    draw : callable
        Takes axes and the piece.
    describe : callable
        Gives its alternative text.
    section, key : str
        Where the piece is among the facts.
    height : float
        Inches on a page; 0 if it has a row for each entry.
    told : str
        What entries must have to be shown.
    """

    draw: Callable[[Any, Any], None]
    describe: Callable[[Any], str]
    section: str
    key: str
    height: float = 0.0
    told: str = ""

    def piece(self, facts: Any) -> Any:
        """What is drawn; nothing if it does not apply."""
        found = facts[self.section][self.key]
        if not self.told:
            return found
        return [each for each in found if each[self.told] is not None]


def _bars(section: str, key: str, what: str) -> Picture:
    """Shares of columns that have one."""
    draw = partial(_draw_bars, label=f"{what}, %")
    describe = partial(words.of_bars, what=f"{what}, by column")
    return Picture(draw, describe, section, key, told="share")


PICTURES = {
    "classes": Picture(draw_classes, words.of_classes, "risk", "class_sizes", 2.5),
    "knowledge": Picture(draw_knowledge, words.of_knowledge, "risk", "knowledge", 2.5),
    "interval": _bars("risk", "interval", "records close to their original value"),
    "attributes": Picture(
        draw_attributes, words.of_attributes, "risk", "attributes", 0.0, "largest_share"
    ),
    "carriers": _bars("risk", "carriers", "share of the linkage risk"),
    "associations": Picture(
        draw_associations, words.of_associations, "utility", "associations", 3.7
    ),
    "cells": Picture(draw_cells, words.of_cells, "utility", "cells", 3.3),
    "models": Picture(draw_models, words.of_models, "utility", "models"),
    "costs": _bars("utility", "costs", "share of the loss"),
}
