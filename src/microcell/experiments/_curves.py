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


def curves(experiment, rows, name, measure):
    """The curves of a data set: plain methods, the paper's choice, the honest one.

    The paper chooses the parameter by accuracy, and by the F-measure where that is
    shown. Where the parameter weighs the confidential attribute, the distortion is the
    combined one.
    """
    tuned = experiment.tuned
    select = "f_measure" if measure == "f_measure" else "accuracy"
    of_tuned = measure
    if measure == "distortion" and tuned.weighs_target:
        of_tuned = "combined"
    lines = {method: curve(rows, name, method, measure) for method in experiment.plain}
    of_data = (rows, name, tuned.method, of_tuned)
    lines[tuned.as_published] = curve(*of_data, select=select)
    lines[tuned.as_honest] = curve(*of_data, honest=True)
    return lines
