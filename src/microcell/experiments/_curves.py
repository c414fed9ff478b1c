"""Curves over k: means, intervals, and the papers' choice on the test records."""

import numpy as np

from microcell.metrics import mean_interval

MIN_REPETITIONS = 5  # of an interval: with fewer it says nothing


def mean_and_interval(values):
    """Mean of repetitions and half the width of its 95 % interval."""
    if len(values) < 2:
        return float(np.mean(values)), 0.0
    low, high = mean_interval(values)
    return float(np.mean(values)), float(high - low) / 2


def point(values):
    """Mean and half interval to show: NaN for fewer than five repetitions.

    Examples
    --------
    >>> point([0.8, 0.9])
    (0.85..., nan)
    """
    mean, half = mean_and_interval(values)
    return mean, half if len(values) >= MIN_REPETITIONS else float("nan")


def shown_interval(half, decimals=1):
    """The half interval as text behind a mean, nothing if there is none.

    Examples
    --------
    >>> shown_interval(0.25), shown_interval(float("nan"))
    (' +- 0.2', '')
    """
    return f" +- {half:.{decimals}f}" if np.isfinite(half) else ""


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
        points.append((k, *point([row[measure] for row in at_k])))
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


def means_over_k(lines):
    """Mean of each curve in %, over the values of k that all of them have.

    Returns
    -------
    means : dict
        Without the curves that have no points.
    ks : list

    Examples
    --------
    >>> lines = {"a": [(2, 0.5, 0.0), (5, 0.7, 0.0)], "b": [(5, 0.9, 0.0)], "c": []}
    >>> means_over_k(lines)
    ({'a': 70.0, 'b': 90.0}, [5])
    """
    lines = {label: points for label, points in lines.items() if points}
    shared = set.intersection(*({k for k, *_ in points} for points in lines.values()))
    means = {
        label: 100 * float(np.mean([mean for k, mean, _ in points if k in shared]))
        for label, points in lines.items()
    }
    return means, sorted(shared)


def gain(rows, name, method, *, honest, measure="accuracy", over="MDAV"):
    """Mean gain over a method, paired by repetition, over all k, and its half interval.

    Parameters
    ----------
    honest : bool
        The choice inside the training part; otherwise that with the best accuracy on
        the test records. Plain methods have none of both.
    over : str
        A method; of a tuned one its honest choice.
    """
    of_data = [row for row in rows if row["data"] == name]
    plain = {
        (row["k"], row["repetition"]): row
        for row in of_data
        if row["method"] == over and (row["honest"] or row["parameter"] is None)
    }
    own = [r for r in of_data if (r["method"], r["honest"]) == (method, honest)]
    by_repetition = {}
    for k in sorted({row["k"] for row in own}):
        for row in best_on_test([r for r in own if r["k"] == k], "accuracy"):
            gained = row[measure] - plain[k, row["repetition"]][measure]
            by_repetition.setdefault(row["repetition"], []).append(gained)
    if not by_repetition:
        return np.nan, np.nan
    return point([np.mean(gained) for gained in by_repetition.values()])
