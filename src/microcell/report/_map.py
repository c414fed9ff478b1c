"""The risk-utility map of a comparison, and its curves over k.

A map has a point for each candidate, the frontier as steps, and the candidates on it
by name. Colours run out long before methods do: where they are many, those that are
most on the frontier have one each, and the others are grey.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from microcell.report._pictures import plain
from microcell.report._style import MARKERS, OKABE_ITO, draw_legend, panels, set_ticks
from microcell.report._svg import MARK

if TYPE_CHECKING:
    from microcell.selection import Compared

N_COLOURS = len(OKABE_ITO) - 2  # yellow is faint on white, black is for the others
TURNS = 2  # of the colours, each with other markers
GREY = "#8a8f94"  # by day and by night
MAX_TEXT_LETTERS = 300  # letters
SIZE = (7.6, 5.0)  # inches
GOOD = "better"  # in the corner of the map where both figures are
FRONTIER = "frontier"  # as the legend has it
INK = "black"  # of others that are on the frontier
DECADES = 2.0  # from which an axis is logarithmic
LABELS = 14  # of candidates on the frontier, at most
PLACES = [  # of a label beside its point, in points, the best first
    (side_x * away, side_y * away)
    for away in (7, 16, 28, 42)
    for side_x, side_y in (
        (1, 1),
        (1, -1),
        (-1, 1),
        (-1, -1),
        (1.3, 0),
        (-1.3, 0),
        (0, 1.3),
        (0, -1.3),
    )
]
DASHES = ("-", "--", ":", "-.")
CURVES = (
    "relative_loss",
    "distance_linkage_risk",
    "t_distance_max",
    "homogeneous_records",
)


def draw_map(
    compared: Compared,
    x: str,
    y: str,
    *,
    best: Any = None,
    limits: Sequence[Any] = (),
    title: bool = True,
    size: tuple[float, float] = SIZE,
    figure: Any = None,
) -> Any:
    """The map of two figures.

    Parameters
    ----------
    compared : Compared
    x, y : str
        Figures, by full or short name.
    best : Candidate, optional
        A candidate that was chosen, to mark.
    limits : sequence of Limit
        Constraints; those on an axis are drawn.
    title : bool, default=True
        Whether the figure says above what it shows.
    size : pair of float
        Inches across and upwards, without the legend.
    figure : matplotlib.figure.Figure, optional
        Where to draw, an empty one; by default a new one, unknown to pyplot.

    Returns
    -------
    figure : matplotlib.figure.Figure
        With one axes. A candidate's point has its place among all in its gid.
    """
    of_x, of_y = compared.figure(x), compared.figure(y)
    shown = [c for c in compared.candidates if has_both(c, of_x.name, of_y.name)]
    frontier = compared.frontier(x, y)
    frontier.sort(key=lambda c: (c.figures[of_x.name], c.figures[of_y.name]))
    sentence = map_sentence(len(shown), len(frontier), of_x, of_y)
    words = said(sentence) if title else ""
    figure, (axes,) = panels(1, words, width=size[0], height=size[1], figure=figure)
    looks = looks_of([c.recipe.method_name for c in shown], in_front(frontier))
    gids = {id(c): f"{MARK}{place}" for place, c in enumerate(compared.candidates)}
    _draw_curves(axes, shown, looks, of_x, of_y)
    _draw_points(axes, shown, frontier, looks, of_x, of_y, gids)
    _say_good_corner(axes, of_x, of_y)
    _draw_steps(axes, frontier, of_x, of_y)
    _draw_limits(axes, limits, of_x, of_y)
    _scale_axis(axes, "x", [in_unit(c, of_x) for c in shown])
    _scale_axis(axes, "y", [in_unit(c, of_y) for c in shown])
    axes.set_xlabel(said(axis_label(of_x)), fontsize=9)
    axes.set_ylabel(said(axis_label(of_y)), fontsize=9)
    if best is not None and has_both(best, of_x.name, of_y.name):
        ring = {"markersize": 15, "markerfacecolor": "none", "markeredgewidth": 1.8}
        point = ([in_unit(best, of_x)], [in_unit(best, of_y)])
        axes.plot(*point, "o", color="black", label="chosen", zorder=6, **ring)
    draw_legend(figure, [axes])
    spots = spots_of(frontier, of_x, of_y, first=best)
    points = [(in_unit(c, of_x), in_unit(c, of_y)) for c in shown]
    place_labels(figure, axes, list(spots), list(spots.values()), points)
    return figure


def spots_of(
    frontier: Sequence[Any], of_x: Any, of_y: Any, first: Any = None
) -> dict[tuple[float, float], str]:
    """Points to name and their names: one for candidates that fall together."""
    at: dict[tuple[float, float], list[str]] = {}
    chosen = (
        [first] if first is not None and has_both(first, of_x.name, of_y.name) else []
    )
    for candidate in [*chosen, *(c for c in frontier if c is not first)]:
        spot = (in_unit(candidate, of_x), in_unit(candidate, of_y))
        at.setdefault(spot, []).append(candidate.label)
    spots = thinned(list(at), LABELS)
    return {
        spot: at[spot][0] + (f" and {len(at[spot]) - 1} more" if at[spot][1:] else "")
        for spot in spots
    }


def draw_over_k(
    compared: Compared, names: Iterable[str] = (), *, title: bool = True
) -> Any:
    """Figures against k, a panel for each and a line for each method.

    Parameters
    ----------
    compared : Compared
    names : iterable of str
        Figures; by default loss, linkage and what confidential columns show, of those
        that were measured.
    title : bool, default=True
        Whether the figure says above what it shows.

    Returns
    -------
    figure : matplotlib.figure.Figure
    """
    alive = [c for c in compared.candidates if c.error is None]
    chosen = [compared.figure(name) for name in names] or _figures_of_curves(compared)
    kept = in_front(leaders(alive, chosen))
    looks = looks_of([c.recipe.method_name for c in alive], kept, N_COLOURS)
    names = {c.method: c.recipe.method_name for c in alive}
    dashes = dashes_of(names)
    n_columns = min(len(chosen), 2)
    figure, axes = panels(
        n_columns,
        curves_sentence(alive) if title else "",
        rows=math.ceil(len(chosen) / n_columns),
        subtitles=[said(figure.label) for figure in chosen],
    )
    for each in axes[len(chosen) :]:
        each.set_axis_off()
    for each, of_y in zip(axes, chosen, strict=False):
        values: list[Any] = []
        for method, points in lines_over_k(alive, of_y).items():
            ks, found = zip(*points, strict=True)
            values += found
            own = looks[names[method]]
            grey = own["color"] == GREY
            style = {"linewidth": 0.8 if grey else 1.2, "markersize": 4}
            if not grey:
                style |= dashes[method]
            label = "other methods" if grey else said(method)
            each.plot(ks, found, label=label, zorder=2 if grey else 3, **own, **style)
        set_ticks(each, spread(sorted({c.recipe.k for c in alive})), log_x=True)
        _scale_axis(each, "y", values)
        each.set_xlabel("k", fontsize=9)
        each.set_ylabel(said(axis_label(of_y)), fontsize=9)
    draw_legend(figure, axes)
    return figure


def _figures_of_curves(compared: Compared) -> list[Any]:
    """The figures that most ask for, of those that are not the same everywhere."""
    asked = [
        figure
        for figure in compared.figures
        if figure.name in CURVES or figure.name.startswith("accuracy:")
    ]
    found = [
        figure
        for figure in asked
        if len({c.figures[figure.name] for c in compared.candidates
                if figure.name in c.figures}) > 1
    ]  # fmt: skip
    return found or list(compared.figures[:1])


def dashes_of(names: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """How lines of one method differ: in dashes, and the first has full markers.

    Parameters
    ----------
    names : mapping
        The method of each line.

    Examples
    --------
    >>> dashes_of({"mdav": "mdav", "mdav (t-closeness 0.2)": "mdav"})["mdav"]
    {'linestyle': '-'}
    """
    found: dict[str, dict[str, Any]] = {}
    for line, method in names.items():
        place = sum(names[other] == method for other in found)
        found[line] = {"linestyle": DASHES[place % len(DASHES)]}
        if place:
            found[line]["markerfacecolor"] = "none"
    return found


def lines_over_k(candidates: Sequence[Any], figure: Any) -> dict[str, list[tuple]]:
    """Points (k, value) of each method with its parameters, where there are several."""
    lines: dict[str, list[tuple]] = {}
    for candidate in sorted(candidates, key=lambda c: c.recipe.k):
        if math.isfinite(candidate.figures.get(figure.name, math.nan)):
            point = (candidate.recipe.k, in_unit(candidate, figure))
            lines.setdefault(candidate.method, []).append(point)
    longer = {method: points for method, points in lines.items() if len(points) > 1}
    return longer or lines


def leaders(candidates: Sequence[Any], figures: Sequence[Any]) -> list[Any]:
    """The candidates that are best in a figure at some k."""
    found = []
    for figure in figures:
        sign = 1 if figure.better == "low" else -1
        for k in sorted({c.recipe.k for c in candidates}):
            at_k = [
                c
                for c in candidates
                if c.recipe.k == k and math.isfinite(c.figures.get(figure.name, np.nan))
            ]
            if at_k:
                found.append(min(at_k, key=lambda c: sign * c.figures[figure.name]))
    return found


def in_front(candidates: Sequence[Any]) -> list[str]:
    """Methods of some candidates, those of the most first."""
    names = [c.recipe.method_name for c in candidates]
    return sorted(set(names), key=lambda name: (-names.count(name), names.index(name)))


def looks_of(
    methods: Sequence[str], frontier: Sequence[str], most: int = TURNS * N_COLOURS
) -> dict[str, dict]:
    """Colour and marker of each method; grey for what is neither few nor in front.

    Examples
    --------
    >>> looks_of(["mdav", "pcp"], ["pcp"])["mdav"]
    {'color': '#0072B2', 'marker': 'o'}
    >>> many = [f"method-{i}" for i in range(20)]
    >>> looks_of(many, ["method-3"])["method-4"]
    {'color': '#8a8f94', 'marker': '.'}
    """
    there = list(dict.fromkeys(methods))
    coloured = [*frontier]
    if len(there) <= N_COLOURS:  # the same on the map and on curves
        coloured = there
    elif len(there) <= most:
        coloured += [method for method in there if method not in coloured]
    looks: dict[str, dict] = {m: {"color": GREY, "marker": "."} for m in there}
    for place, method in enumerate(coloured[:most]):
        turn, colour = divmod(place, N_COLOURS)
        marker = MARKERS[(colour + 3 * turn) % len(MARKERS)]
        looks[method] = {"color": OKABE_ITO[colour], "marker": marker}
    return looks


def has_both(candidate: Any, *names: str) -> bool:
    """Whether a candidate has a number for each of some figures."""
    found = [candidate.figures.get(name, math.nan) for name in names]
    return candidate.error is None and all(map(math.isfinite, found))


def in_unit(candidate: Any, figure: Any) -> float:
    """A figure as it is drawn: shares in per cent."""
    value = candidate.figures[figure.name]
    return float(100 * value if figure.unit == "share" else value)


def said(text: Any) -> str:
    """Words in a picture, in which a dollar sign begins no formula.

    Examples
    --------
    >>> said("t-distance, pay in $")
    't-distance, pay in \\\\$'
    """
    return plain(text, MAX_TEXT_LETTERS)


def axis_label(figure: Any) -> str:
    """A figure with its unit and its good side.

    Examples
    --------
    >>> from types import SimpleNamespace as Figure
    >>> axis_label(Figure(label="t-distance", unit="number", better="low"))
    't-distance (lower is better)'
    >>> axis_label(Figure(label="accuracy", unit="share", better="high"))
    'accuracy, % (higher is better)'
    """
    unit = {"share": ", %", "seconds": ", s"}.get(figure.unit, "")
    label = figure.label.removesuffix(", s") if unit == ", s" else figure.label
    return f"{label}{unit} ({figure.better}er is better)"


def map_sentence(n_shown: int, n_frontier: int, of_x: Any, of_y: Any) -> str:
    """What a map shows."""
    are = "is" if n_frontier == 1 else "are"
    return (
        f"{n_frontier} of {n_shown} candidates {are} on the frontier of {of_x.label} "
        f"and {of_y.label}: none beats them in both"
    )


def curves_sentence(candidates: Sequence[Any]) -> str:
    """What the curves show."""
    ks = [c.recipe.k for c in candidates]
    n_methods = len({c.recipe.method_name for c in candidates})
    return (
        f"What a larger k costs and gains: {n_methods} methods, k from {min(ks)} to "
        f"{max(ks)}"
    )


def thinned(candidates: Sequence[Any], most: int) -> list[Any]:
    """At most so many of a sequence, both ends among them.

    Examples
    --------
    >>> thinned([1, 2, 3, 4, 5], 3), thinned([1, 2], 3)
    ([1, 3, 5], [1, 2])
    """
    if len(candidates) <= most:
        return list(candidates)
    places = np.linspace(0, len(candidates) - 1, most).round().astype(int)
    return [candidates[place] for place in places]


def spread(ks: Sequence[int], apart: float = 1.3) -> list[int]:
    """Values of k that can be written side by side on a logarithmic axis.

    Examples
    --------
    >>> spread([3, 4, 5, 10, 11, 12, 25])
    [3, 4, 10, 25]
    """
    kept: list[int] = []
    for k in ks:
        if not kept or k >= apart * kept[-1]:
            kept.append(k)
    return kept


def _draw_curves(
    axes: Any, shown: Sequence[Any], looks: dict[str, dict], of_x: Any, of_y: Any
) -> None:
    """A thin line through the values of k of one method."""
    curves: dict[str, list[Any]] = {}
    for candidate in sorted(shown, key=lambda c: c.recipe.k):
        curves.setdefault(candidate.method, []).append(candidate)
    for own in curves.values():
        colour = looks[own[0].recipe.method_name]["color"]
        xs, ys = [in_unit(c, of_x) for c in own], [in_unit(c, of_y) for c in own]
        if len(own) > 1 and colour != GREY:
            axes.plot(xs, ys, color=colour, alpha=0.3, linewidth=0.9, zorder=1)


def _say_good_corner(axes: Any, of_x: Any, of_y: Any) -> None:
    """A word in the corner where both figures are good."""
    across, upwards = int(of_x.better == "high"), int(of_y.better == "high")
    axes.text(
        0.015 + 0.97 * across,
        0.02 + 0.96 * upwards,
        GOOD,
        transform=axes.transAxes,
        ha=("left", "right")[across],
        va=("bottom", "top")[upwards],
        fontsize=8,
    )


def _draw_points(
    axes: Any,
    shown: Sequence[Any],
    frontier: Sequence[Any],
    looks: dict[str, dict],
    of_x: Any,
    of_y: Any,
    gids: Mapping[int, str],
) -> None:
    """Candidates on the frontier full, others faded; those that enforce are hollow."""
    on_it = {id(c) for c in frontier}
    hollow = {id(c) for c in shown if c.enforced}
    for candidate in shown:
        own = dict(looks[candidate.recipe.method_name])
        front = id(candidate) in on_it
        if own["color"] == GREY and front:
            own |= {"color": INK, "marker": "o"}
        size = {True: 6.5, False: 4.5}[front]
        if id(candidate) in hollow:
            own |= {"markerfacecolor": "none", "markeredgewidth": 1.3}
        else:
            own["markeredgewidth"] = 0
        axes.plot(
            [in_unit(candidate, of_x)],
            [in_unit(candidate, of_y)],
            linestyle="none",
            markersize=size,
            alpha=1.0 if front else 0.4,
            gid=gids[id(candidate)],
            zorder=5 if front else 3,
            **own,
        )
    _name_points(axes, shown, frontier, looks, bool(hollow))


def _name_points(
    axes: Any,
    shown: Sequence[Any],
    frontier: Sequence[Any],
    looks: dict[str, dict],
    some_hollow: bool,
) -> None:
    """A legend entry for each colour, and for what is hollow."""
    none = {"linestyle": "none", "markersize": 6, "markeredgewidth": 0}
    there = in_front(frontier) + [c.recipe.method_name for c in shown]
    named = list(dict.fromkeys(there))
    grey = [method for method in named if looks[method]["color"] == GREY]
    for method in named:
        if method not in grey:
            axes.plot([], [], label=said(method), **looks[method], **none)
    if grey:
        label = f"{len(grey)} other methods" if len(grey) > 1 else said(grey[0])
        ink = INK if set(grey) & set(in_front(frontier)) else GREY
        axes.plot([], [], label=label, color=ink, marker="o", **none)
    if some_hollow:
        none |= {"markerfacecolor": "none", "markeredgewidth": 1.3}
        axes.plot([], [], label="hollow: enforced", color=INK, marker="o", **none)


def _draw_steps(axes: Any, frontier: Sequence[Any], of_x: Any, of_y: Any) -> None:
    """The frontier: what can be had of y for each x."""
    xs = [in_unit(c, of_x) for c in frontier]
    ys = [in_unit(c, of_y) for c in frontier]
    where = "steps-post" if of_x.better == "low" else "steps-pre"
    axes.plot(
        xs,
        ys,
        drawstyle=where,
        color=INK,
        alpha=0.8,
        linewidth=1.1,
        zorder=4,
        label="frontier",
    )


def _draw_limits(axes: Any, limits: Sequence[Any], of_x: Any, of_y: Any) -> None:
    """Constraints on an axis, as dashed lines."""
    for limit in limits:
        scale = 100 if limit.figure.unit == "share" else 1
        value = scale * limit.constraint.value
        line = {"color": "black", "linestyle": "--", "linewidth": 1.0, "zorder": 2}
        if limit.figure.name == of_x.name:
            axes.axvline(value, label=said(limit), **line)
        elif limit.figure.name == of_y.name:
            axes.axhline(value, label=said(limit), **line)


def _scale_axis(axes: Any, which: str, values: Sequence[float]) -> None:
    """A logarithmic axis where values span more than two decades."""
    positive = [value for value in values if value > 0]
    if not positive or min(values, default=0) < 0:
        return
    if math.log10(max(positive) / min(positive)) <= DECADES:
        return
    set_scale = axes.set_xscale if which == "x" else axes.set_yscale
    if len(positive) == len(values):
        set_scale("log")
    else:  # zeros have a place too
        set_scale("symlog", linthresh=min(positive))
        room = {"left" if which == "x" else "bottom": -0.4 * min(positive)}
        (axes.set_xlim if which == "x" else axes.set_ylim)(**room)
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_formatter(lambda value, _: f"{value:g}")


def place_labels(
    figure: Any,
    axes: Any,
    spots: Sequence[tuple[float, float]],
    texts: Sequence[str],
    points: Sequence[tuple[float, float]],
) -> list[Any]:
    """Name points so that no name covers another, or a point if that can be helped.

    Greedy: each name takes the first of the places around its point that is free. One
    that finds none is left out, for a name that cannot be read is none.

    Returns
    -------
    labels : list of matplotlib.text.Annotation
        Those that found a place.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.transforms import Bbox

    canvas = figure.canvas  # a window's stays, or pyplot would lose the figure
    if not isinstance(canvas, FigureCanvasAgg):
        canvas = FigureCanvasAgg(figure)
    figure.draw_without_rendering()  # the layout decides where points are
    renderer = canvas.get_renderer()
    frame = axes.get_window_extent(renderer)
    scale = figure.dpi / 72
    places = axes.transData.transform(np.array(points).reshape(-1, 2))
    dots = [
        Bbox.from_bounds(px - 3 * scale, py - 3 * scale, 6 * scale, 6 * scale)
        for px, py in [*places, *_along_steps(axes, 6 * scale)]
    ]
    taken: list[Any] = [text.get_window_extent(renderer) for text in axes.texts]
    labels = []
    for spot, text in zip(spots, texts, strict=True):
        label = axes.annotate(
            said(text),
            spot,
            xytext=(0, 0),
            textcoords="offset points",
            fontsize=7.5,
            zorder=7,
            arrowprops={"arrowstyle": "-", "color": "0.5", "linewidth": 0.5},
        )
        best = None
        for place in PLACES:
            box = _placed(label, place, renderer)
            inside = frame.containsx(box.x0) and frame.containsx(box.x1)
            inside &= frame.containsy(box.y0) and frame.containsy(box.y1)
            if not inside or any(box.overlaps(other) for other in taken):
                continue
            covered = sum(box.overlaps(dot) for dot in dots)
            if best is None or covered < best[0]:
                best = (covered, place, box)
            if covered == 0:
                break
        if best is None:
            label.remove()
            continue
        _placed(label, best[1], renderer)
        taken.append(best[2])
        labels.append(label)
    return labels


def _along_steps(axes: Any, apart: float) -> np.ndarray:
    """Places on the frontier's steps, so that names keep clear of them."""
    found = [np.empty((0, 2))]
    for line in axes.lines:
        if line.get_label() != FRONTIER or len(line.get_xdata()) < 2:
            continue
        ends = axes.transData.transform(line.get_xydata())
        first_x = line.get_drawstyle() == "steps-post"
        for (x0, y0), (x1, y1) in pairwise(ends):
            corner = (x1, y0) if first_x else (x0, y1)
            for start, end in (((x0, y0), corner), (corner, (x1, y1))):
                n_places = 2 + int(math.dist(start, end) / apart)
                found.append(np.linspace(start, end, n_places))
    return np.concatenate(found)


def _placed(label: Any, place: tuple[float, float], renderer: Any) -> Any:
    """Move a label to a place beside its point; the room that it takes."""
    from matplotlib.text import Text

    dx, dy = place
    label.set_position(place)
    label.set_ha("left" if dx > 0 else "right" if dx < 0 else "center")
    label.set_va("bottom" if dy > 0 else "top" if dy < 0 else "center")
    label.update_positions(renderer)
    return Text.get_window_extent(label, renderer).padded(1.5)
