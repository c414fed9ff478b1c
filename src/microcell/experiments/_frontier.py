"""The frontier of learning against disclosure: what accuracy costs in uniform cells.

Honest choices only: a parameter that was picked on the test records is nobody's.
"""

import numpy as np

from microcell.experiments._curves import curve, gain, shown_change
from microcell.experiments._data import TITLES
from microcell.experiments._tasks import as_list
from microcell.report import draw_legend, look, panels, save


def frontier(experiment, rows, name):
    """Points (share in uniform cells, accuracy, k) of each method, in per cent."""
    tuned = [t.method for t in (experiment.tuned, *experiment.beside)]
    choices = [(method, False) for method in experiment.plain]
    choices += [(method, True) for method in tuned]
    lines = {}
    for method, honest in choices:
        learnt = curve(rows, name, method, "accuracy", honest=honest)
        uniform = curve(rows, name, method, "homogeneous", honest=honest)
        lines[method] = [
            (100 * share, 100 * mean, k)
            for (k, mean, _), (_, share, _) in zip(learnt, uniform, strict=True)
        ]
    return {label: points for label, points in lines.items() if points}


def draw_frontiers(experiment, rows, names, folder):
    """Write one figure for each data set that has honest choices."""
    for name in names:
        lines = frontier(experiment, rows, name)
        if experiment.tuned.method not in lines:
            continue
        gains = price_sentence(experiment, rows, name).replace("+-", "±")
        title = f"{TITLES[name]}: {gains}"
        figure, (axes,) = panels(1, title, width=7, height=4)
        for place, (label, points) in enumerate(lines.items()):
            shares, accuracies, ks = np.array(points).T
            style = look(place) | {"linewidth": 0.8, "markersize": 4}
            axes.plot(shares, accuracies, label=label, **style)
            for end in {0, len(ks) - 1}:
                axes.annotate(
                    f"{ks[end]:g}",
                    (shares[end], accuracies[end]),
                    xytext=(4, 3),
                    textcoords="offset points",
                    fontsize=7,
                    color=style["color"],
                )
        axes.set_xlabel("Records in cells of a single class, %", fontsize=9)
        axes.set_ylabel("Accuracy, % (numbers at the ends: k)", fontsize=9)
        draw_legend(figure, [axes])
        file = f"frontier_{name.replace(' ', '_')}"
        save(figure, experiment.paper, folder, file)


def price_sentence(experiment, rows, name):
    """What each tuned method gains over MDAV, and what it discloses more, over k."""
    parts = []
    for tuned in (experiment.tuned, *experiment.beside):
        learnt, uniform = gained_and_disclosed(rows, name, tuned.method)
        short = tuned.method.removeprefix("MDAV with ")
        parts.append(f"{short} {learnt} ({uniform})")
    return (
        "points of accuracy gained over MDAV (and of records that end up in cells of "
        f"one class): {'; '.join(parts)}"
    )


def gained_and_disclosed(rows, name, method, over="MDAV"):
    """Points of accuracy, and of records in uniform cells, more than another has."""
    return [
        shown_change(*gain(rows, name, method, honest=True, measure=each, over=over))
        for each in ("accuracy", "homogeneous")
    ]


@as_list
def frontier_lines(experiment, rows, names):
    """The sentences of the figures, and how the posterior compares with the label."""
    for name in names:
        if experiment.tuned.method not in frontier(experiment, rows, name):
            continue
        yield f"{name}, mean over k, {price_sentence(experiment, rows, name)}"
        theirs = experiment.tuned.method
        for tuned in experiment.beside:
            learnt, uniform = gained_and_disclosed(rows, name, tuned.method, theirs)
            yield (
                f"{name}, mean over k, {tuned.method} against {theirs}, both chosen "
                f"honestly: accuracy {learnt}, records in cells of one class {uniform} "
                "points"
            )
