"""What the classes of a release give away of each confidential column, always shown.

k-anonymity hides whose record is whose, not what all records of a class share.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from microcell.metrics import Scores, ShownScore, homogeneity
from microcell.privacy import View, has_order, ordered_codes, value_codes, value_numbers

MUCH = 0.2  # of the records, or of certainty gained over the whole table
NARROW = 0.1  # of the table's range
# Not l-diversity: a cell of ten negatives is no secret where nearly all are negative.
WAY_OUT = "t-closeness limits how far cells differ from the table"

CLASS_FIGURES = (
    ("p_sensitivity", "values in a cell", "count"),
    ("homogeneous_records", "in uniform cells", "share"),
    ("largest_share_max", "most frequent value", "share"),
    ("largest_share_mean", "on average", "share"),
    ("t_distance_max", "t-distance", "number"),
    ("t_distance_mean", "on average", "number"),
)


def disclosure_of(view: View) -> dict[str, Scores]:
    """Figures of each confidential column of a released table.

    `p_sensitivity` is the least number of distinct values in a class,
    `homogeneous_records` the share of records in classes with a single value,
    `largest_share_max` and `_mean` the share of the most frequent value of a class,
    `t_distance_max` and `_mean` the distance of its distribution to the table's, and
    `table_share` the share of the most frequent value in the whole table. Columns of
    numbers and dates have the ordered distance, and `narrowest_range` and
    `mean_range`, how much of the table's range a class covers.
    """
    return {name: _of_column(view, name) for name in view.confidential}


def _of_column(view: View, name: str) -> Scores:
    ordered = has_order(view.table, name)
    numbered = ordered_codes if ordered else value_codes
    codes = numbered(view.table, name)
    found = homogeneity(view.classes, codes, ordered=ordered)
    shown = [
        ShownScore(key, float(getattr(found, key)), label, unit)
        for key, label, unit in CLASS_FIGURES
    ]
    share = np.bincount(codes).max() / codes.size
    shown.append(ShownScore("table_share", float(share), "in the table", "share"))
    if ordered:
        shown += _ranges(view.classes, value_numbers(view.table, name))
    return Scores(shown)


def _ranges(classes: np.ndarray, values: np.ndarray) -> list[ShownScore]:
    """How much of the table's range a class covers; what is missing has no place."""
    known = np.isfinite(values)
    if not known.any() or np.ptp(values[known]) == 0:
        return []
    cells = np.unique(classes[known], return_inverse=True)[1]
    low = np.full(cells.max() + 1, np.inf)
    high = -low
    np.minimum.at(low, cells, values[known])
    np.maximum.at(high, cells, values[known])
    shares = (high - low) / np.ptp(values[known])
    return [
        ShownScore("narrowest_range", float(shares.min()), "narrowest range", "share"),
        ShownScore("mean_range", float(shares[cells].mean()), "on average", "share"),
    ]


def disclosure_lines(disclosure: Any) -> list[str]:
    """The figures as a person reads them, and in words where they are bad."""
    lines = []
    for name, scores in disclosure.items():
        by_name = {score.name: score for score in scores.shown}
        lines.append(
            f"{'in uniform cells':<20}{by_name['homogeneous_records']} of records give "
            f"away {name}"
        )
        said = (
            f"{name}: at least {by_name['p_sensitivity']} value(s) in a cell; the most "
            f"frequent has up to {by_name['largest_share_max']}, "
            f"{by_name['largest_share_mean']} on average "
            f"({by_name['table_share']} in the table); t-distance up to "
            f"{by_name['t_distance_max']}, {by_name['t_distance_mean']} on average"
        )
        if "mean_range" in by_name:
            said += (
                f"; range from {by_name['narrowest_range']} of the table's, "
                f"{by_name['mean_range']} on average"
            )
        lines.append(f"{'cells show':<20}{said}")
        lines += [f"{'warning':<20}{warning}" for warning in warnings_of(name, scores)]
    return lines


def warnings_of(name: str, scores: Scores) -> list[str]:
    """What is bad about a column, in words."""
    warnings = []
    if scores["homogeneous_records"] >= MUCH:
        warnings.append(
            f"{name!r} can be read off the cells of many records; {WAY_OUT}"
        )
    elif (
        "mean_range" not in scores  # of numbers, one in k is as frequent as can be
        and scores["largest_share_mean"] - scores["table_share"] >= MUCH
    ):
        warnings.append(
            f"{name!r} can be guessed from a cell far better than from the table; "
            f"{WAY_OUT}"
        )
    if scores.get("mean_range", 1.0) < NARROW:
        warnings.append(
            f"cells show {name!r} to within {100 * scores['mean_range']:.1f} % of its "
            f"range on average; {WAY_OUT}"
        )
    return warnings
