"""Dot plots: combined utility and the price in homogeneity, a panel for each set."""

from textwrap import fill

from microcell.experiments.two_levels._paper import (
    COMBINED_UTILITY,
    PAPER_METHODS,
    TWO_LEVELS_PAPER,
)
from microcell.experiments.two_levels._run import ASKED_K, RIVALS, SET_TITLES
from microcell.experiments.two_levels._tables import FORM_TITLES, means
from microcell.report import LETTERS_PER_INCH, OKABE_ITO, draw_legend, save

DRAWN_FORMS = {  # marker, how far above the line, since forms can coincide
    "published": ({"color": OKABE_ITO[0], "marker": "o"}, 0.2),
    "nearest": ({"color": OKABE_ITO[5], "marker": "x"}, 0.0),
    "own class": ({"color": OKABE_ITO[1], "marker": "+"}, 0.0),
    "promised": ({"color": OKABE_ITO[4], "marker": "D"}, -0.2),
    "rival": ({"color": OKABE_ITO[2], "marker": "s"}, 0.0),
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
        sentence = shown_by(rows, measure, label)
        figure = draw(points_of(rows, measure, theirs), names, sentence)
        save(figure, TWO_LEVELS_PAPER, folder, file)


def points_of(rows, measure, theirs):
    """What is drawn: title, marker, how far above the line, and values."""
    at_asked_k = [row for row in rows if row["beside"] in ("", "ctca")]
    drawn = []
    for form, (style, above) in DRAWN_FORMS.items():
        own = {(row["method"], row["data"]) for row in rows if row["form"] == form}
        found = means(at_asked_k, form, measure)
        title = FORM_TITLES.get(form, f"rivals, k = {ASKED_K}")
        values = {key: found[key] for key in found if key in own}
        drawn.append((title, style, above, values))
    hollow = {"facecolors": "none", "edgecolors": "grey", "linewidths": 1.5}
    return [*drawn, ("the paper", hollow, 0.0, theirs)]


def shown_by(rows, measure, label):
    """What a figure shows, in a sentence, of the paper's data sets."""
    of_paper = {data for _, data in COMBINED_UTILITY}
    counts = []
    for form in ("published", "own class"):
        found = means(rows, "published", measure)
        moved = means(rows, form, measure)
        pairs = [
            (moved[method, data], found[method.removesuffix("++"), data])
            for method, data in moved
            if method.endswith("++") and data in of_paper
        ]
        up = sum(after > before + 1e-12 for after, before in pairs)
        counts.append(f"{up} of {len(pairs)} ({FORM_TITLES[form]})")
    return f"{label}: labels raise it in {' and '.join(counts)}"


def draw(drawn, names, sentence):
    """Methods from top to bottom, values along the axis."""
    from matplotlib.figure import Figure

    lines = [*PAPER_METHODS, *RIVALS]
    height = {method: -place for place, method in enumerate(lines)}
    n_rows = -(-len(names) // 3)
    figure = Figure(figsize=(10, 0.6 + 2.6 * n_rows), layout="constrained")
    panels = figure.subplots(n_rows, 3, squeeze=False, sharex=True, sharey=True).ravel()
    for axes, name in zip(panels, names, strict=False):
        for title, style, above, values in drawn:
            own = {method: v for (method, data), v in values.items() if data == name}
            if own:
                places = [height[method] + above for method in own]
                axes.scatter(list(own.values()), places, s=22, label=title, **style)
        axes.set_title(SET_TITLES[name], fontsize=9)
        axes.set_yticks(list(height.values()), lines, fontsize=8)
        axes.tick_params(labelbottom=True, labelsize=8)
        axes.grid(axis="y", linewidth=0.3)
    for axes in panels[len(names) :]:
        axes.set_visible(False)
    letters = int(figure.get_figwidth() * LETTERS_PER_INCH)
    figure.suptitle(fill(sentence, letters), fontsize=10, fontweight="bold")
    draw_legend(figure, panels[:1])
    return figure
