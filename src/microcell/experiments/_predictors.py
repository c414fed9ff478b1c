"""Which measure of a release tells beforehand what a model learns from it.

Rank correlations with the accuracy on untouched records: along k for one way to form
cells, and at one k over all ways. A measure that is of use to choose a method has to
tell at one k.
"""

import numpy as np
from scipy.stats import rankdata

from microcell.embed._cross_fitted import cross_fitted
from microcell.embed._statistical_dependence import target_coordinates
from microcell.experiments._curves import point, shown_interval
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
WAYS = {"within": "along k, one way to form cells", "across": "at one k, over all ways"}
LEAST_CASES = 3  # of a rank correlation


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


def by_repetition(rows, name, measure, way):
    """Mean rank correlation of a measure with the accuracy, for each repetition."""
    own = [r for r in rows if r["data"] == name and not r["honest"] and measure in r]
    found = {}
    for row in own:
        alike = (row["method"], row["parameter"]) if way == "within" else row["k"]
        case = (row["repetition"], alike)
        found.setdefault(case, []).append((row[measure], row["accuracy"]))
    values = {}
    for (repetition, _), pairs in found.items():
        if len(pairs) >= LEAST_CASES:
            correlation = rank_correlation(*zip(*pairs, strict=True))
            values.setdefault(repetition, []).append(correlation)
    return {repetition: np.mean(each) for repetition, each in values.items()}


def over_sets(rows, names, measure, way):
    """For each repetition the mean over data sets."""
    found = [by_repetition(rows, name, measure, way) for name in names]
    found = [values for values in found if values]
    shared = set.intersection(*map(set, found)) if found else set()
    return [float(np.mean([v[r] for v in found])) for r in sorted(shared)]


def predictors_table(rows, names):
    """Rank correlation of each measure with the accuracy, by data set and over all.

    Returns
    -------
    table : list of dict
        way, data, measure, correlation and half interval over repetitions.
    """
    table = []
    for way in WAYS:
        for measure in PREDICTORS:
            values = {
                name: list(by_repetition(rows, name, measure, way).values())
                for name in names
            }
            values["all"] = over_sets(rows, names, measure, way)
            for name, found in values.items():
                if found:
                    mean, half = point(found)
                    row = {"way": way, "data": name, "measure": measure}
                    table.append(row | {"correlation": mean, "half interval": half})
    return table


def predictor_lines(rows, names):
    """Measures by how well they tell what a model learns, the best first."""
    lines = []
    for way, words in WAYS.items():
        found = {m: over_sets(rows, names, m, way) for m in PREDICTORS}
        found = {m: values for m, values in found.items() if values}
        if not found:
            continue
        order = sorted(found, key=lambda m: -abs(np.mean(found[m])))
        shown = []
        for measure in order:
            mean, half = point(found[measure])
            shown.append(f"{PREDICTORS[measure]} {mean:+.2f}{shown_interval(half, 2)}")
        lines.append(
            f"Rank correlation with accuracy {words}, means over data sets: "
            f"{', '.join(shown)}"
        )
        best = order[0]
        lead, half = point(
            np.abs(found[best]) - np.abs(found["distortion"])  # paired by repetition
        )
        if best != "distortion":
            lines.append(
                f"  {PREDICTORS[best]} tells best; beyond mean square distortion by "
                f"{lead:+.2f}{shown_interval(half, 2)}"
            )
    return lines
