"""Dot plots: combined utility and the price in homogeneity, a panel for each set."""

from microcell.experiments._figures import save
from microcell.experiments.two_levels._paper import (
    COMBINED_UTILITY,
    PAPER_METHODS,
    TWO_LEVELS_PAPER,
)
from microcell.experiments.two_levels._run import ASKED_K, RIVALS, SET_TITLES
from microcell.experiments.two_levels._tables import means

DRAWN_FORMS = {  # colour and marker
    "published": ("as published, our run", {"color": "C0", "marker": "o"}),
    "nearest": ("the same, nearest prototype", {"color": "C0", "marker": "x"}),
    "own class": ("the same, of its own class", {"color": "C3", "marker": "+"}),
    "promised": (f"k = {ASKED_K} promised", {"color": "C1", "marker": "D"}),
    "rival": (f"rivals, k = {ASKED_K}", {"color": "C2", "marker": "s"}),
}
TWO_LEVELS_FIGURES = {  # file: measure, label of the axis, the paper's table
    "combined_utility": (
        "combined",
        "Combined utility, tree tested on the release",
        COMBINED_UTILITY,
    ),
    "combined_utility_honest": (
        "combined_original",
        "Combined utility, tree tested on original records",
        COMBINED_UTILITY,
    ),
    "homogeneity": ("homogeneous", "Share of records in classes of one label", {}),
}


def draw_results(rows, folder):
    """Write each figure, a panel for each data set."""
    run = {row["data"] for row in rows}
    names = [name for name in SET_TITLES if name in run]
    for file, (measure, label, theirs) in TWO_LEVELS_FIGURES.items():
        save(draw(rows, names, measure, label, theirs), TWO_LEVELS_PAPER, folder, file)


def draw(rows, names, measure, label, theirs):
    """Methods from top to bottom, values along the axis; the paper's are hollow."""
    from matplotlib.figure import Figure

    lines = [*PAPER_METHODS, *RIVALS]
    height = {method: -place for place, method in enumerate(lines)}
    n_rows = -(-len(names) // 3)
    figure = Figure(figsize=(10, 0.6 + 2.6 * n_rows), layout="constrained")
    panels = figure.subplots(n_rows, 3, squeeze=False, sharex=True, sharey=True).ravel()
    at_asked_k = [row for row in rows if row["beside"] in ("", "ctca")]
    for axes, name in zip(panels, names, strict=False):
        for form, (title, style) in DRAWN_FORMS.items():
            found = means(at_asked_k, form, measure)
            if form in ("nearest", "own class"):
                found = {key: v for key, v in found.items() if key[0].endswith("++")}
            points = [(v, height[m]) for (m, data), v in found.items() if data == name]
            if points:
                axes.scatter(*zip(*points, strict=True), s=18, label=title, **style)
        printed = [(v, height[m]) for (m, data), v in theirs.items() if data == name]
        if printed:
            hollow = {"facecolors": "none", "edgecolors": "grey", "s": 42}
            axes.scatter(*zip(*printed, strict=True), label="the paper", **hollow)
        axes.set_title(SET_TITLES[name], fontsize=9)
        axes.set_yticks(list(height.values()), lines, fontsize=8)
        axes.grid(axis="y", linewidth=0.3)
    for axes in panels[len(names) :]:
        axes.set_visible(False)
    figure.suptitle(label, fontsize=10)
    handles, titles = panels[0].get_legend_handles_labels()
    figure.legend(handles, titles, loc="outside right upper", fontsize=8)
    return figure
