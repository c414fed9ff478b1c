"""Curves over k: means, intervals, and the papers' choice on the test records."""

from operator import itemgetter

import numpy as np

from microcell.experiments._tasks import as_list
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


def shown_level(mean, half):
    """A share in per cent with its interval.

    Examples
    --------
    >>> shown_level(0.812, 0.005)
    '81.2 +- 0.5 %'
    """
    return f"{100 * mean:.1f}{shown_interval(100 * half)} %"


def shown_change(mean, half, decimals=1, factor=100):
    """A change of a share in points with its interval.

    Examples
    --------
    >>> shown_change(0.021, 0.005), shown_change(-0.5, float("nan"), 2, factor=1)
    ('+2.1 +- 0.5', '-0.50')
    """
    return f"{factor * mean:+.{decimals}f}{shown_interval(factor * half, decimals)}"


def grouped(rows, *names):
    """Rows by what they have in these columns, in the order of appearance.

    Examples
    --------
    >>> grouped([{"k": 5, "x": 1}, {"k": 3, "x": 2}, {"k": 5, "x": 3}], "k")
    {5: [{'k': 5, 'x': 1}, {'k': 5, 'x': 3}], 3: [{'k': 3, 'x': 2}]}
    """
    found = {}
    for row in rows:
        found.setdefault(itemgetter(*names)(row), []).append(row)
    return found


def by_k(rows):
    """Pairs of k and its rows, by ascending k."""
    return sorted(grouped(rows, "k").items(), key=itemgetter(0))


def best_on_test(rows, measure):
    """The papers' protocol: in each repetition the parameter that tests best."""
    repetitions = grouped(rows, "repetition").values()
    return [max(own, key=itemgetter(measure)) for own in repetitions]


def over_k(rows, value):
    """{repetition: mean over k of a value}, of the rows that test best at each k."""
    best = [row for _, at_k in by_k(rows) for row in best_on_test(at_k, "accuracy")]
    return {
        repetition: np.mean([value(row) for row in own])
        for repetition, own in grouped(best, "repetition").items()
    }


def chosen_rows(rows, data, method, *, honest=False):
    """Rows of a method, those of its honest choices or the others."""
    wanted = {"data": data, "method": method, "honest": honest}.items()
    return [row for row in rows if wanted <= row.items()]


@as_list
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
    for k, at_k in by_k(chosen_rows(rows, data, method, honest=honest)):
        if select is not None:
            at_k = best_on_test(at_k, select)
        yield (k, *point([row[measure] for row in at_k]))


def curves(experiment, rows, name, measure):
    """The curves of a data set: plain methods, the paper's choice, the honest one.

    The paper chooses the parameter by accuracy, and by the F-measure where that is
    shown. Where the parameter weighs the confidential attribute, the distortion is the
    combined one.
    """
    tuned = experiment.tuned
    select = "f_measure" if measure == "f_measure" else "accuracy"
    lines = {method: curve(rows, name, method, measure) for method in experiment.plain}
    of_tuned = (rows, name, tuned.method, tuned.measured_as(measure))
    lines[tuned.as_published] = curve(*of_tuned, select=select)
    lines[tuned.as_honest] = curve(*of_tuned, honest=True)
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
    plain = {
        (row["k"], row["repetition"]): row[measure]
        for row in rows
        if (row["data"], row["method"]) == (name, over)
        and (row["honest"] or row["parameter"] is None)
    }
    gained = over_k(
        chosen_rows(rows, name, method, honest=honest),
        lambda row: row[measure] - plain[row["k"], row["repetition"]],
    )
    return point([*gained.values()]) if gained else (np.nan, np.nan)
