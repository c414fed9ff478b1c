"""Curves over k: means, intervals, and the papers' choice on the test records."""

import numpy as np

from microcell.metrics import mean_interval


def mean_and_interval(values):
    """Mean of repetitions and half the width of its 95 % interval."""
    if len(values) < 2:
        return float(np.mean(values)), 0.0
    low, high = mean_interval(values)
    return float(np.mean(values)), float(high - low) / 2


def best_on_test(rows, measure):
    """The papers' protocol: in each repetition the parameter that tests best."""
    by_repetition = {}
    for row in rows:
        kept = by_repetition.get(row["repetition"])
        if kept is None or row[measure] > kept[measure]:
            by_repetition[row["repetition"]] = row
    return list(by_repetition.values())


def curve(rows, data, method, measure, *, honest=False, select=None):
    """Points (k, mean, half interval) of a method.

    Parameters
    ----------
    honest : bool
        Rows whose parameter was chosen inside the training part.
    select : str, optional
        For methods with a parameter: the measure by which it is chosen on the test
        records, which is optimistic.
    """
    chosen = [
        row
        for row in rows
        if (row["data"], row["method"], row["honest"]) == (data, method, honest)
    ]
    points = []
    for k in sorted({row["k"] for row in chosen}):
        at_k = [row for row in chosen if row["k"] == k]
        if select is not None:
            at_k = best_on_test(at_k, select)
        points.append((k, *mean_and_interval([row[measure] for row in at_k])))
    return points


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


def save(figure, folder, name):
    """Write a figure as PNG and SVG."""
    for suffix in ("png", "svg"):
        figure.savefig(folder / f"{name}.{suffix}", dpi=150)
