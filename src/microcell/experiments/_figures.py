"""Figures of an experiment: utility and distortion against k, with our intervals."""

import numpy as np

from microcell.experiments._curves import curves
from microcell.experiments._data import TITLES


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
    figure, (left, right) = two_panels(TITLES[name])
    accuracy = curves(experiment, rows, name, "accuracy")
    draw_curves(left, accuracy, x_label="k", y_label="Accuracy")
    f_measure = curves(experiment, rows, name, "f_measure")
    draw_curves(right, f_measure, x_label="k", y_label="F-measure")
    return figure


def draw_distortion(experiment, rows, name):
    """Distortion against k, and accuracy against distortion."""
    figure, (left, right) = two_panels(TITLES[name])
    by_k = curves(experiment, rows, name, "distortion")
    draw_curves(left, by_k, x_label="k", y_label="Distortion")
    for label, points in curves(experiment, rows, name, "accuracy").items():
        moved = [mean for _, mean, _ in by_k[label]]
        right.scatter(moved, [mean for _, mean, _ in points], s=12, label=label)
    right.set(xlabel="Distortion", ylabel="Accuracy")
    right.legend(fontsize=8)
    return figure


def two_panels(title):
    """A figure with two panels side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), layout="constrained")
    figure.suptitle(title)
    return figure, figure.subplots(1, 2)


def draw_curves(axes, lines, *, x_label, y_label, log_x=True):
    """Draw {label: points} with shaded intervals."""
    for label, points in lines.items():
        if not points:
            continue
        ks, means, halves = np.array(points).T
        axes.plot(ks, means, marker="o", markersize=3, label=label)
        axes.fill_between(ks, means - halves, means + halves, alpha=0.2)
    if log_x:
        axes.set_xscale("log")
    axes.set(xlabel=x_label, ylabel=y_label)
    axes.legend(fontsize=8)


def save(figure, paper, folder, name):
    """Write a figure as PNG and SVG, with the paper's title and authors below it."""
    figure.supxlabel(f"after {paper.cited}", fontsize=6, color="grey", wrap=True)
    for suffix in ("png", "svg"):
        figure.savefig(folder / f"{name}.{suffix}", dpi=150)
