"""One style for all figures: what it shows as its title, legends off the data.

Colours are those of Okabe and Ito, which colour-blind people can tell apart; markers
differ too, so that figures can be printed in grey.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

import numpy as np

OKABE_ITO = (
    "#0072B2",  # blue
    "#D55E00",  # vermillion
    "#009E73",  # green
    "#CC79A7",  # purple
    "#E69F00",  # orange
    "#56B4E9",  # sky
    "#000000",
    "#F0E442",  # yellow, faint on white, so the last
)
MARKERS = "osD^vPX*"
LETTERS_PER_INCH = 12


def look(place: Any) -> Any:
    """Colour and marker of the n-th curve of a figure.

    Examples
    --------
    >>> look(0)
    {'color': '#0072B2', 'marker': 'o'}
    """
    place %= len(OKABE_ITO)
    return {"color": OKABE_ITO[place], "marker": MARKERS[place]}


def panels(
    n_panels: int,
    sentence: str,
    *,
    rows: Any = 1,
    width: float = 4.6,
    height: float = 3.4,
    subtitles: Sequence[str] = (),
    figure: Any = None,
) -> Any:
    """A figure of panels side by side below the sentence that it shows.

    Parameters
    ----------
    n_panels : int
        Panels in a row.
    sentence : str
        What a reader should see; the title. There is none if it is empty.
    subtitles : sequence of str
        One for each panel, or none.
    figure : matplotlib.figure.Figure, optional
        Where to draw, an empty one; by default a new one, unknown to pyplot.

    Returns
    -------
    figure : matplotlib.figure.Figure
    axes : list of matplotlib.axes.Axes
    """
    from matplotlib.figure import Figure

    figure = Figure() if figure is None else figure
    figure.set_size_inches(width * n_panels, height * rows + 1.2)
    figure.set_layout_engine("constrained")
    letters = int(width * n_panels * LETTERS_PER_INCH)
    if sentence:
        figure.suptitle(fill(sentence, letters), fontsize=10, fontweight="bold")
    axes = list(figure.subplots(rows, n_panels, squeeze=False).flat)
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
        each.grid(color="0.92", linewidth=0.6)
        each.set_axisbelow(True)
        each.tick_params(labelsize=8)
    for each, subtitle in zip(axes, subtitles, strict=False):
        each.set_title(subtitle, fontsize=9)
    return figure, axes


def draw_curves(
    axes: Any,
    lines: Any,
    *,
    x_label: Any,
    y_label: Any,
    log_x: bool = True,
    theirs: Any = None,
) -> None:
    """Draw {label: points}, with bands where there are intervals.

    Parameters
    ----------
    lines : dict
        Points (x, mean, half interval) of each label; a half of NaN draws no band.
    theirs : dict, optional
        Points (x, value) that the paper prints, of the same labels; drawn hollow.
    """
    for place, (label, points) in enumerate(lines.items()):
        if not points:
            continue
        xs, means, halves = np.array(points, dtype=float).T
        axes.plot(xs, means, markersize=4, linewidth=1.2, label=label, **look(place))
        known = np.isfinite(halves)
        if known.any():
            low, high = means - halves, means + halves
            colour = look(place)["color"]
            axes.fill_between(
                xs, low, high, where=known, color=colour, alpha=0.15, linewidth=0
            )
        printed = (theirs or {}).get(label, ())
        if printed:
            own = look(place) | {"markerfacecolor": "white", "linestyle": "none"}
            axes.plot(*zip(*printed, strict=True), markersize=9, zorder=3, **own)
    axes.set_xlabel(x_label, fontsize=9)
    axes.set_ylabel(y_label, fontsize=9)
    ticks = sorted({point[0] for points in lines.values() for point in points})
    set_ticks(axes, ticks, log_x)


def set_ticks(axes: Any, ticks: Any, log_x: Any) -> None:
    """Ticks at the values that were run, and at no others."""
    from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

    if log_x:
        axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")


def draw_legend(figure: Any, axes: Any, *, paper_printed: bool = False) -> None:
    """One legend for all panels, below them."""
    from matplotlib.lines import Line2D

    entries: dict[str, Any] = {}
    for each in axes:
        for handle, label in zip(*each.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    if paper_printed:
        hollow: dict[str, Any] = {
            "markerfacecolor": "white",
            "linestyle": "none",
            "markersize": 8,
        }
        entries["as printed in the paper"] = Line2D(
            [], [], marker="o", color="0.3", **hollow
        )
    widest = max((len(label) for label in entries), default=1)
    n_columns = max(1, int(figure.get_figwidth() * LETTERS_PER_INCH / (widest + 8)))
    figure.legend(
        entries.values(),
        entries.keys(),
        loc="outside lower center",
        ncols=min(n_columns, 3),
        fontsize=8,
        frameon=False,
    )


def save(figure: Any, paper: Any, folder: Any, name: str) -> None:
    """Write a figure as PNG and SVG, with the paper's title and authors below it."""
    width = int(figure.get_figwidth() * LETTERS_PER_INCH * 1.6)
    cited = fill(f"after {paper.cited}", width)
    if figure.legends:  # both below the panels would lie upon each other
        figure.legends[0].set_title(cited, prop={"size": 6})
        figure.legends[0].get_title().set(color="0.45", multialignment="center")
    else:
        figure.supxlabel(cited, fontsize=6, color="0.45")
    for suffix in ("png", "svg"):
        figure.savefig(folder / f"{name}.{suffix}", dpi=150)
