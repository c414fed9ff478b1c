"""The risk-utility map of a comparison, and its curves over k.

A map has a point for each candidate, the frontier as steps, and the candidates on it
by name. Colours run out long before methods do: where they are many, those that are
most on the frontier have one each, and the others are grey.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
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
INK = "black"  # of others that are on the frontier
HOLLOW = {"markerfacecolor": "none", "markeredgewidth": 1.3}
DECADES = 2.0  # from which an axis is logarithmic
LABELS = 14  # of candidates on the frontier, at most
CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
SIDES = ((1.3, 0), (-1.3, 0), (0, 1.3), (0, -1.3))
PLACES = [  # of a label beside its point, in points, the best first
    (x * away, y * away) for away in (7, 16, 28, 42) for x, y in CORNERS + SIDES
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
    drawn = Map(compared, x, y)
    words = said(drawn.sentence()) if title else ""
    figure, (axes,) = panels(1, words, width=size[0], height=size[1], figure=figure)
    gids = {id(c): f"{MARK}{place}" for place, c in enumerate(compared.candidates)}
    drawn.draw_curves(axes)
    drawn.draw_points(axes, gids)
    drawn.name_points(axes)
    drawn.say_good_corner(axes)
    steps = drawn.draw_steps(axes)
    drawn.draw_limits(axes, limits)
    points = [drawn.at(c) for c in drawn.shown]
    for which, of_axis, values in zip(
        "xy", (drawn.x, drawn.y), np.array(points).reshape(-1, 2).T, strict=True
    ):
        _scale_axis(axes, which, values.tolist())
        axes.set(**{f"{which}label": said(axis_label(of_axis))})
        getattr(axes, f"{which}axis").label.set_size(9)
    named = [c for c in drawn.frontier if c is not best]
    if best is not None and drawn.has(best):
        named = [best, *named]
        ring = {"markersize": 15, "markerfacecolor": "none", "markeredgewidth": 1.8}
        place = zip(drawn.at(best), strict=True)
        axes.plot(*place, "o", color="black", label="chosen", zorder=6, **ring)
    draw_legend(figure, [axes])
    spots = spots_of([(drawn.at(c), c.label) for c in named])
    place_labels(figure, axes, spots, points, steps)
    return figure


class Map:
    """What there is to draw of a map of two figures.

    Parameters
    ----------
    compared : Compared
    x, y : str
    """

    def __init__(self, compared: Compared, x: str, y: str) -> None:
        self.x, self.y = compared.figure(x), compared.figure(y)
        self.shown = [c for c in compared.candidates if self.has(c)]
        self.frontier = sorted(compared.frontier(x, y), key=self.at)
        methods = [c.recipe.method_name for c in self.shown]
        self.looks = looks_of(methods, in_front(self.frontier))

    def has(self, candidate: Any) -> bool:
        """Whether a candidate has a number for both figures."""
        found = [candidate.figures.get(of.name, math.nan) for of in (self.x, self.y)]
        return candidate.error is None and all(map(math.isfinite, found))

    def at(self, candidate: Any) -> tuple[float, float]:
        """Where a candidate is."""
        return in_unit(candidate, self.x), in_unit(candidate, self.y)

    def sentence(self) -> str:
        """What the map shows."""
        n_frontier = len(self.frontier)
        return (
            f"{n_frontier} of {len(self.shown)} candidates "
            f"{'is' if n_frontier == 1 else 'are'} on the frontier of {self.x.label} "
            f"and {self.y.label}: none beats them in both"
        )

    def draw_curves(self, axes: Any) -> None:
        """A thin line through the values of k of one method."""
        curves: dict[str, list[Any]] = {}
        for candidate in sorted(self.shown, key=lambda c: c.recipe.k):
            curves.setdefault(candidate.method, []).append(candidate)
        for own in curves.values():
            colour = self.looks[own[0].recipe.method_name]["color"]
            if len(own) > 1 and colour != GREY:
                xs, ys = zip(*map(self.at, own), strict=True)
                axes.plot(xs, ys, color=colour, alpha=0.3, linewidth=0.9, zorder=1)

    def draw_points(self, axes: Any, gids: Mapping[int, str]) -> None:
        """Candidates on the frontier full, others faded; those that enforce hollow."""
        on_it = {id(c) for c in self.frontier}
        faded = {"markersize": 4.5, "alpha": 0.4, "zorder": 3}
        full = {"markersize": 6.5, "alpha": 1.0, "zorder": 5}
        for candidate in self.shown:
            own = self.looks[candidate.recipe.method_name] | {"markeredgewidth": 0}
            front = id(candidate) in on_it
            if own["color"] == GREY and front:
                own |= {"color": INK, "marker": "o"}
            own |= (full if front else faded) | (HOLLOW if candidate.enforced else {})
            x, y = self.at(candidate)
            axes.plot([x], [y], linestyle="none", gid=gids[id(candidate)], **own)

    def name_points(self, axes: Any) -> None:
        """A legend entry for each colour, and for what is hollow."""
        none = {"linestyle": "none", "markersize": 6, "markeredgewidth": 0}
        front = in_front(self.frontier)
        named = dict.fromkeys(front + [c.recipe.method_name for c in self.shown])
        grey = [method for method in named if self.looks[method]["color"] == GREY]
        for method in named:
            if method not in grey:
                axes.plot([], [], label=said(method), **self.looks[method], **none)
        if grey:
            label = f"{len(grey)} other methods" if len(grey) > 1 else said(grey[0])
            ink = INK if set(grey) & set(front) else GREY
            axes.plot([], [], label=label, color=ink, marker="o", **none)
        if any(c.enforced for c in self.shown):
            own = none | HOLLOW | {"color": INK, "marker": "o"}
            axes.plot([], [], label="hollow: enforced", **own)

    def say_good_corner(self, axes: Any) -> None:
        """A word in the corner where both figures are good."""
        across, upwards = (int(of.better == "high") for of in (self.x, self.y))
        place = (0.015 + 0.97 * across, 0.02 + 0.96 * upwards)
        sides = {"ha": ("left", "right")[across], "va": ("bottom", "top")[upwards]}
        axes.text(*place, "better", transform=axes.transAxes, fontsize=8, **sides)

    def draw_steps(self, axes: Any) -> Any:
        """The frontier, what can be had of y for each x; the line."""
        xs, ys = np.array([self.at(c) for c in self.frontier]).reshape(-1, 2).T
        where = "post" if self.x.better == "low" else "pre"
        look = {"color": INK, "alpha": 0.8, "linewidth": 1.1, "zorder": 4}
        return axes.step(xs, ys, where=where, label="frontier", **look)[0]

    def draw_limits(self, axes: Any, limits: Sequence[Any]) -> None:
        """Constraints on an axis, as dashed lines."""
        line = {"color": "black", "linestyle": "--", "linewidth": 1.0, "zorder": 2}
        for limit in limits:
            value = limit.constraint.value
            value *= 100 if limit.figure.unit == "share" else 1
            for of_axis, draw in ((self.x, axes.axvline), (self.y, axes.axhline)):
                if limit.figure.name == of_axis.name:
                    draw(value, label=said(limit), **line)
                    break


def spots_of(
    named: Iterable[tuple[tuple[float, float], str]],
) -> dict[tuple[float, float], str]:
    """Points to name and their names: one for candidates that fall together."""
    at: dict[tuple[float, float], list[str]] = {}
    for spot, label in named:
        at.setdefault(spot, []).append(label)
    return {
        spot: at[spot][0] + (f" and {len(at[spot]) - 1} more" if at[spot][1:] else "")
        for spot in thinned(list(at), LABELS)
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
    found = [figure for figure in asked if len(set(_values(compared, figure))) > 1]
    return found or list(compared.figures[:1])


def _values(compared: Compared, figure: Any) -> list[float]:
    of_all = [c.figures for c in compared.candidates]
    return [figures[figure.name] for figures in of_all if figure.name in figures]


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


def _scale_axis(axes: Any, which: str, values: Sequence[float]) -> None:
    """A logarithmic axis where values span more than two decades."""
    positive = [value for value in values if value > 0]
    if not positive or min(values, default=0) < 0:
        return
    if math.log10(max(positive) / min(positive)) <= DECADES:
        return
    set_scale = getattr(axes, f"set_{which}scale")
    if len(positive) == len(values):
        set_scale("log")
    else:  # zeros have a place too
        set_scale("symlog", linthresh=min(positive))
        axes.set(**{f"{which}lim": (-0.4 * min(positive), None)})
    getattr(axes, f"{which}axis").set_major_formatter(lambda value, _: f"{value:g}")


def place_labels(
    figure: Any,
    axes: Any,
    spots: Mapping[tuple[float, float], str],
    points: Sequence[tuple[float, float]],
    steps: Any = None,
) -> list[Any]:
    """Name points so that no name covers another, or a point if that can be helped.

    Greedy: each name takes the first of the places around its point that is free. One
    that finds none is left out, for a name that cannot be read is none.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    axes : matplotlib.axes.Axes
    spots : mapping
        Names of points.
    points : sequence of pairs
        All points.
    steps : matplotlib.lines.Line2D, optional
        The steps of the frontier, which names keep clear of too.

    Returns
    -------
    labels : list of matplotlib.text.Annotation
        Those that found a place.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.cbook import STEP_LOOKUP_MAP
    from matplotlib.path import Path
    from matplotlib.transforms import Bbox

    canvas = figure.canvas  # a window's stays, or pyplot would lose the figure
    if not isinstance(canvas, FigureCanvasAgg):
        canvas = FigureCanvasAgg(figure)
    figure.draw_without_rendering()  # the layout decides where points are
    renderer = canvas.get_renderer()
    frame = axes.get_window_extent(renderer)
    places = axes.transData.transform(np.array(points).reshape(-1, 2))
    size = 6 * figure.dpi / 72
    dots = [Bbox.from_bounds(x, y, size, size) for x, y in places - size / 2]
    line = Path(np.empty((0, 2)))
    if steps is not None:
        corners = axes.transData.transform(steps.get_xydata()).T
        line = Path(np.transpose(STEP_LOOKUP_MAP[steps.get_drawstyle()](*corners)))
    taken: list[Any] = [text.get_window_extent(renderer) for text in axes.texts]
    labels = []
    for spot, text in spots.items():
        label = axes.annotate(
            said(text),
            spot,
            xytext=(0, 0),
            textcoords="offset points",
            fontsize=7.5,
            zorder=7,
            arrowprops={"arrowstyle": "-", "color": "0.5", "linewidth": 0.5},
        )
        free = []
        for place in PLACES:
            box = _placed(label, place, renderer)
            inside = all(frame.contains(*corner) for corner in box.corners())
            if inside and not box.count_overlaps(taken):
                covered = box.count_overlaps(dots) + line.intersects_bbox(box, False)
                free.append((covered, place, box))
                if covered == 0:
                    break
        if not free:
            label.remove()
            continue
        _, place, box = min(free, key=lambda found: found[0])
        _placed(label, place, renderer)
        taken.append(box)
        labels.append(label)
    return labels


def _placed(label: Any, place: tuple[float, float], renderer: Any) -> Any:
    """Move a label to a place beside its point; the room that it takes."""
    from matplotlib.text import Text

    dx, dy = place
    label.set_position(place)
    label.set_ha("left" if dx > 0 else "right" if dx < 0 else "center")
    label.set_va("bottom" if dy > 0 else "top" if dy < 0 else "center")
    label.update_positions(renderer)
    return Text.get_window_extent(label, renderer).padded(1.5)
