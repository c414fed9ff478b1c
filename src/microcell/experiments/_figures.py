"""Figures of an experiment: utility and distortion against k, with our intervals."""

import numpy as np

from microcell.experiments._curves import curves, gain, shown_change
from microcell.experiments._data import TITLES
from microcell.report import draw_curves, draw_legend, look, panels, save


def draw_results(experiment, rows, names, folder):
    """Write the figures of all data sets."""
    for name in names:
        files = experiment.figures[name]
        save(draw_utility(experiment, rows, name), experiment.paper, folder, files[0])
        for file in files[1:]:
            figure = draw_distortion(experiment, rows, name)
            save(figure, experiment.paper, folder, file)


def draw_utility(experiment, rows, name):
    """Accuracy and F-measure against k."""
    figure, axes = panels(2, gain_sentence(experiment, rows, name))
    theirs = experiment.printed.get(name, {})
    for each, (measure, label) in zip(
        axes, (("accuracy", "Accuracy, %"), ("f_measure", "F-measure, %")), strict=True
    ):
        lines = in_percent(curves(experiment, rows, name, measure))
        printed = theirs if measure == "accuracy" else None
        draw_curves(each, lines, x_label="k", y_label=label, theirs=printed)
    draw_legend(figure, axes, paper_printed=bool(theirs))
    return figure


def draw_distortion(experiment, rows, name):
    """Distortion against k, and accuracy against distortion."""
    figure, (left, right) = panels(2, distortion_sentence(experiment, rows, name))
    by_k = in_percent(curves(experiment, rows, name, "distortion"))
    draw_curves(left, by_k, x_label="k", y_label="Distortion, %")
    accuracy = in_percent(curves(experiment, rows, name, "accuracy"))
    for place, (label, points) in enumerate(accuracy.items()):
        moved = [mean for _, mean, _ in by_k[label]]
        style = look(place) | {"linestyle": "none", "markersize": 4}
        right.plot(moved, [mean for _, mean, _ in points], label=label, **style)
    right.set_xlabel("Distortion, %", fontsize=9)
    right.set_ylabel("Accuracy, %", fontsize=9)
    draw_legend(figure, (left, right))
    return figure


def in_percent(lines):
    """Curves of shares as curves of per cent."""
    return {
        label: [(k, 100 * mean, 100 * half) for k, mean, half in points]
        for label, points in lines.items()
    }


def gain_sentence(experiment, rows, name):
    """How much the tuned method gains over MDAV on average, by both choices."""
    tuned = experiment.tuned
    gains = []
    for how, honest in (
        ("picked on the test records", False),
        ("chosen honestly", True),
    ):
        found = gain(rows, name, tuned.method, honest=honest)
        if np.isfinite(found[0]):
            gains.append(f"{shown_change(*found)} points with {tuned.symbol} {how}")
    return f"{TITLES[name]}: {tuned.method} against MDAV, {', '.join(gains)}"


def distortion_sentence(experiment, rows, name):
    """How far distortion moves while accuracy stays, for MDAV."""
    ends = {}
    for measure in ("distortion", "accuracy"):
        points = in_percent(curves(experiment, rows, name, measure))["MDAV"]
        ends[measure] = points[0][1], points[-1][1]
    first, last = points[0][0], points[-1][0]
    return (
        f"{TITLES[name]}: from k = {first} to {last} MDAV's distortion grows from "
        "{:.0f} to {:.0f} %, its accuracy goes from {:.1f} to {:.1f} %".format(
            *ends["distortion"], *ends["accuracy"]
        )
    )
