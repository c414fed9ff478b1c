"""Figures 4 to 7 of the paper, and two for what it claims without measuring."""

from microcell.experiments._curves import mean_and_interval
from microcell.experiments._figures import draw_curves, save
from microcell.experiments.random._run import PAPER, TABLE_TITLES

FIGURES = {  # file: measure, label of the axis, factor, which settings
    "figure_4_time": ("seconds", "Seconds", 1, "cells"),
    "figure_5_loss_of_cells": ("loss", "Information loss, %", 100, "cells"),
    "figure_6_loss": ("loss", "Information loss, %", 100, "noise"),
    "figure_7_linkage": ("linkage", "Linkage (DLD), %", 100, "noise"),
    "centroid_linkage": ("centroid_linkage", "Linked near centroid, %", 100, "noise"),
    "differential_attack": ("attack_error", "Error of the guess, sd", 1, "noise"),
}


def is_noise(row):
    """Whether a row belongs to the figures of noise, not to those of cells."""
    return row["method"] not in ("top-down", "bottom-up")


def curves(rows, name, measure, kind, factor=1):
    """Points (k, mean, half interval) of each setting on a table."""
    chosen = [
        row
        for row in rows
        if row["data"] == name and is_noise(row) == (kind == "noise")
    ]
    lines = {}
    for label in dict.fromkeys(row["label"] for row in chosen):
        own = [row for row in chosen if row["label"] == label]
        lines[label] = []
        for k in sorted({row["k"] for row in own}):
            values = [factor * row[measure] for row in own if row["k"] == k]
            lines[label].append((k, *mean_and_interval(values)))
    return lines


def draw_results(rows, folder):
    """Write each figure, both tables side by side."""
    from matplotlib.figure import Figure

    for file, (measure, y_label, factor, kind) in FIGURES.items():
        figure = Figure(figsize=(10, 4), layout="constrained")
        for axes, (name, title) in zip(
            figure.subplots(1, 2), TABLE_TITLES.items(), strict=True
        ):
            lines = curves(rows, name, measure, kind, factor)
            draw_curves(axes, lines, x_label="k", y_label=y_label, log_x=False)
            axes.set_title(title)
        save(figure, PAPER, folder, file)
