"""Which measure of a release tells beforehand what a model learns from it.

Rank correlations with the accuracy on untouched records: along k for one way to form
cells, and at one k over all ways. A measure that is of use to choose a method has to
tell at one k.
"""

import numpy as np
from scipy.stats import rankdata, t

from microcell.embed import cross_fitted, target_coordinates
from microcell.experiments._curves import MIN_REPETITIONS, grouped, shown_change
from microcell.experiments._tasks import as_list
from microcell.metrics import (
    combined_distortion,
    distance_linkage_risk,
    information_loss,
    separability_score,
    structural_score,
)

PREDICTORS = {
    "distortion": "mean square distortion",
    "combined_half": "combined distortion, lambda = 0.5",
    "target_loss": "variance of the class inside cells",
    "posterior_loss": "variance of the expected class inside cells",
    "information_loss": "information loss (IL1 to IL5)",
    "structural": "structural utility",
    "separability": "separability on the release",
    "linkage": "distance linkage",
    "n_cells": "number of cells",
    "largest_share": "largest class in a cell",
    "homogeneous": "records in cells of one class",
    "p_sensitivity": "p-sensitivity",
    "t_distance": "distance from the table's classes",
}
CORRELATED = {
    "within": "along k, one way to form cells",
    "across": "at one k, over all ways",
}
MIN_CASES = 3  # of a rank correlation


def expected_class(X, y):
    """What models expect of the class of each record without having seen it."""
    return cross_fitted(X, y, measured=False)


def measures_of(X, released, y, labels, expected):
    """The measures that an experiment has not got anyway.

    Parameters
    ----------
    X, released : ndarray of shape (n_samples, n_features)
    y, labels : ndarray of shape (n_samples,)
        Classes and cells.
    expected : ndarray of shape (n_samples, n_classes)
        Of `expected_class`.
    """
    target = target_coordinates(y)
    return {
        "combined_half": combined_distortion(X, released, target, lambda_=0.5),
        "target_loss": combined_distortion(X, released, target, lambda_=1.0),
        "posterior_loss": combined_distortion(X, released, expected, lambda_=1.0),
        "information_loss": information_loss(X, released).loss,
        "structural": structural_score(X, released),
        "separability": separability_score(X, released, y, tested_on="released"),
        "linkage": distance_linkage_risk(X, released),
        "n_cells": int(labels.max()) + 1,
    }


def rank_correlation(one, two):
    """Spearman's, and 0 where one of both does not move: it tells nothing.

    Examples
    --------
    >>> rank_correlation([1, 2, 3], [5, 6, 9]), rank_correlation([1, 1, 1], [5, 6, 9])
    (1.0, 0.0)
    """
    ranks = np.array([rankdata(one), rankdata(two)])
    if (np.ptp(ranks, axis=1) == 0).any():
        return 0.0
    return float(np.corrcoef(ranks)[0, 1].round(12))


def means_of(rows, name, measure):
    """A measure and the accuracy of every way to form cells and k.

    Returns
    -------
    cases : list of (method, parameter, k)
    pairs : ndarray of shape (n_repetitions, n_cases, 2)
    """
    own = [r for r in rows if r["data"] == name and not r["honest"] and measure in r]
    found = grouped(own, "method", "parameter", "k")
    pairs = [[(r[measure], r["accuracy"]) for r in case] for case in found.values()]
    return list(found), np.array(pairs, dtype=float).swapaxes(0, 1)


def correlation(cases, pairs, way):
    """Mean rank correlation along k, or at one k; NaN if there are too few cases."""
    groups = {}
    for place, (method, parameter, k) in enumerate(cases):
        group = (method, parameter) if way == "within" else k
        groups.setdefault(group, []).append(place)
    found = [
        rank_correlation(*pairs[places].T)
        for places in groups.values()
        if len(places) >= MIN_CASES
    ]
    return np.mean(found) if found else np.nan


def with_one_left_out(rows, names, measure, way):
    """Mean over data sets of the rank correlation of means over repetitions.

    A single run has few test records, and their chance hides what a measure tells; so
    means are ranked, and the interval is that of the jackknife over repetitions.

    Returns
    -------
    values : ndarray of shape (1 + n_repetitions,)
        Of all repetitions, then without each of them; empty if no data set has cases.
    """
    values = []
    for name in names:
        if not any(row["data"] == name and measure in row for row in rows):
            continue
        cases, pairs = means_of(rows, name, measure)
        n = len(pairs)
        left = [pairs] + [np.delete(pairs, i, axis=0) for i in range(n) if n > 1]
        found = [correlation(cases, each.mean(axis=0), way) for each in left]
        if np.isfinite(found).all():
            values.append(found)
    least = min(map(len, values), default=0)
    return np.mean([found[:least] for found in values], axis=0) if values else []


def jackknifed(values):
    """The value of all repetitions, and half of its 95 % interval; NaN below five."""
    n = len(values) - 1
    if n < MIN_REPETITIONS:
        return float(values[0]), float("nan")
    spread = np.sqrt((n - 1) ** 2 / n * np.var(values[1:], ddof=1))
    return float(values[0]), float(t.ppf(0.975, n - 1) * spread)


def shown_jackknifed(values):
    """The same as text."""
    return shown_change(*jackknifed(values), 2, factor=1)


@as_list
def predictors_table(rows, names):
    """Rank correlation of each measure with the accuracy, by data set and over all.

    Returns
    -------
    table : list of dict
        way, data, measure, correlation and half interval.
    """
    for way in CORRELATED:
        for measure in PREDICTORS:
            for title, own in [*((name, [name]) for name in names), ("all", names)]:
                values = with_one_left_out(rows, own, measure, way)
                if len(values):
                    found, half = jackknifed(values)
                    row = {"way": way, "data": title, "measure": measure}
                    yield row | {"correlation": found, "half interval": half}


@as_list
def predictor_lines(rows, names):
    """Measures by how well they tell what a model learns, the best first."""
    for way, words in CORRELATED.items():
        found = {m: with_one_left_out(rows, names, m, way) for m in PREDICTORS}
        found = {m: values for m, values in found.items() if len(values)}
        if not found:
            continue
        order = sorted(found, key=lambda m: -abs(found[m][0]))
        shown = [f"{PREDICTORS[m]} {shown_jackknifed(found[m])}" for m in order]
        yield (
            f"Rank correlation with accuracy {words}, means over data sets: "
            f"{', '.join(shown)}"
        )
        best = order[0]
        if best != "distortion":
            lead = np.abs(found[best]) - np.abs(found["distortion"])
            yield (
                f"  {PREDICTORS[best]} tells best; beyond mean square distortion by "
                f"{shown_jackknifed(lead)}"
            )
