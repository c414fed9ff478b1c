"""Figures 4 to 7 of the paper, and two for what it claims without measuring."""

import numpy as np

from microcell.experiments._curves import by_k, grouped, point
from microcell.experiments.random._run import PAPER, TABLE_TITLES
from microcell.report import draw_curves, draw_legend, panels, save

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
    return {
        label: [
            (k, *point([factor * r[measure] for r in at_k])) for k, at_k in by_k(own)
        ]
        for label, own in grouped(chosen, "label").items()
    }


def draw_results(rows, folder):
    """Write each figure, both tables side by side."""
    for file, (measure, y_label, factor, kind) in FIGURES.items():
        found = {
            name: curves(rows, name, measure, kind, factor) for name in TABLE_TITLES
        }
        figure, axes = panels(
            2, sentence(found, y_label), subtitles=TABLE_TITLES.values()
        )
        for each, lines in zip(axes, found.values(), strict=True):
            draw_curves(each, lines, x_label="k", y_label=y_label, log_x=False)
        draw_legend(figure, axes)
        save(figure, PAPER, folder, file)


def sentence(found, y_label):
    """Which curves lie lowest and highest on average, over both tables."""
    means = {}
    for lines in found.values():
        for label, points in lines.items():
            means.setdefault(label, []).append(np.mean([mean for _, mean, _ in points]))
    means = {label: np.mean(values) for label, values in means.items()}
    low, high = min(means, key=means.get), max(means, key=means.get)
    return (
        f"{y_label}: lowest with {low} ({means[low]:.3g}), highest with {high} "
        f"({means[high]:.3g}), means over k and both tables"
    )
