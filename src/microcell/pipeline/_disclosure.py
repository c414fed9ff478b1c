"""What the classes of a release give away of each confidential column, always shown.

k-anonymity hides whose record is whose, not what all records of a class share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import narwhals as nw
import numpy as np

from microcell.columns import is_missing
from microcell.metrics import DISCLOSED, CellSums, Scores, labelled, shown
from microcell.pipeline._adds_up import AddsUp
from microcell.pipeline._people import n_written_differently
from microcell.privacy import (
    View,
    cell_values,
    has_order,
    ordered_codes,
    people_of,
    value_codes,
    value_numbers,
)

NEARLY_ALL = 0.9  # of the records, from which the owner is to decide
MUCH = 0.2  # of the records, or of certainty gained over the whole table
NARROW = 0.1  # of the table's range
# Not l-diversity: a cell of ten negatives is no secret where nearly all are negative.
WAY_OUT_OF_DISCLOSURE = "t-closeness limits how far cells differ from the table"


@dataclass(frozen=True)
class GivenAway(AddsUp):
    """What classes give away of a column; parts that share no class add up.

    Attributes
    ----------
    sums : CellSums
        Of the values in classes.
    widths : Widths or None
        Of the numbers in classes; None if values have no order.
    table_share : float
        Share of the most frequent value in the whole table; NaN if it is not known.
    spellings : int
        Values that differ from another only in letter case or in blanks.
    """

    sums: CellSums
    widths: Widths | None = field(
        metadata={"by": lambda one, other: one and other and one + other}
    )
    table_share: float = field(metadata={"by": lambda one, other: one})
    spellings: int = field(default=0, metadata={"by": max})

    @classmethod
    def of(
        cls,
        classes: np.ndarray,
        table: Any,
        name: str,
        *,
        counts: np.ndarray | None = None,
        units: np.ndarray | None = None,
        whole: np.ndarray | None = None,
        n_people: int | None = None,
        compared: bool = True,
    ) -> GivenAway:
        """Count whole classes.

        Parameters
        ----------
        classes : ndarray of shape (n_entries,)
        table : dataframe
            The column `name` of each entry.
        name : str
        counts : ndarray of shape (n_entries,), optional
            Records that each entry stands for; by default one.
        units : ndarray of shape (n_entries,), optional
            Whose record each is: people who have a value are counted.
        whole : ndarray of shape (n_values,), optional
            Where classes are a part of a table: how often each value of the whole
            table occurs. The values are the first rows of `table`, before its entries,
            so that all parts number them alike.
        n_people : int, optional
            People of the whole table there, where some may have several values.
        compared : bool, default=True
            Whether classes are compared with the whole table.
        """
        ordered = has_order(table, name)
        codes = (ordered_codes if ordered else value_codes)(table, name)
        numbers = value_numbers(table, name) if ordered else None
        there = ~is_missing(nw.from_native(table, eager_only=True)[name], ("",))
        missing = None if there.all() else int(codes[~there][0])
        spellings = n_written_differently(table, name)
        totals = None
        if whole is not None:
            totals = np.bincount(codes[: whole.size], whole).astype(np.int64)
            codes = codes[whole.size :]
            numbers = None if numbers is None else numbers[whole.size :]
        cells = cell_values(
            classes, codes, totals, counts, units=units, n_people=n_people
        )
        widths = None
        if numbers is not None:
            of_records = counts if units is None else None
            widths = Widths.of(classes, numbers, of_records, units)
        share = cells.totals.max() / cells.n_people if compared else np.nan
        sums = CellSums.of(cells, ordered, compared, missing)
        return cls(sums, widths, float(share), spellings)

    def scores(self) -> Scores:
        """The figures as they are shown, without those that are not known."""
        values = {**vars(self.sums.homogeneity), "table_share": self.table_share}
        if self.widths is not None:
            values |= self.widths.shares()
        if self.sums.n_alike > self.sums.n_uniform:
            values["uniform_but_missing"] = self.sums.n_alike / self.sums.n_records
        if self.sums.known_values < self.sums.p_sensitivity:
            values["known_values"] = self.sums.known_values
        if self.spellings:
            values["values_respelt"] = self.spellings
        return Scores.of(values, DISCLOSED)


@dataclass(frozen=True)
class Widths(AddsUp):
    """How far the numbers of a class are apart; what is missing has no place.

    Attributes
    ----------
    narrowest : float
        The least width of a class.
    total : float
        Widths of the classes of all numbers together.
    n_numbers : int
        People with a number.
    low, high : float
        The range of all numbers.
    """

    narrowest: float = field(default=np.inf, metadata={"by": min})
    total: float = 0.0
    n_numbers: int = 0
    low: float = field(default=np.inf, metadata={"by": min})
    high: float = field(default=-np.inf, metadata={"by": max})

    @classmethod
    def of(
        cls,
        classes: np.ndarray,
        values: np.ndarray,
        counts: np.ndarray | None,
        units: np.ndarray | None = None,
    ) -> Widths:
        """The widths of whole classes."""
        known = np.isfinite(values)
        if not known.any():
            return cls()
        values, weights = values[known], None if counts is None else counts[known]
        cells = np.unique(classes[known], return_inverse=True)[1]
        low = np.full(cells.max() + 1, np.inf)
        high = -low
        np.minimum.at(low, cells, values)
        np.maximum.at(high, cells, values)
        sizes = np.bincount(cells, weights)
        if units is not None:
            sizes = people_of(cells, units[known], sizes.size)
        widths = high - low
        return cls(
            float(widths.min()),
            float(widths @ sizes),
            int(sizes.sum()),
            float(low.min()),
            float(high.max()),
        )

    def shares(self) -> dict[str, float]:
        """Widths as shares of the range of the whole table, if there is one."""
        if not self.low < self.high:
            return {}
        across = self.high - self.low
        mean = self.total / self.n_numbers / across
        return {"narrowest_range": self.narrowest / across, "mean_range": mean}


def disclosure_of(view: View) -> dict[str, Scores]:
    """Figures of each confidential column of a released table.

    `p_sensitivity` is the least number of distinct values in a class,
    `homogeneous_records` the share of records in classes with a single value,
    `largest_share_max` and `_mean` the share of the most frequent value of a class,
    `t_distance_max` and `_mean` the distance of its distribution to the table's, and
    `table_share` the share of the most frequent value in the whole table. Columns of
    numbers and dates have the ordered distance, and `narrowest_range` and
    `mean_range`, how much of the table's range a class covers. With a unit people who
    have a value are counted; the ordered distance of people with several is left out.
    Where missing values hide that cells are uniform, `uniform_but_missing` and
    `known_values` are the share and the least number without them; `values_respelt`
    are values that differ from another only in letter case or blanks.
    """
    return {
        name: GivenAway.of(view.classes, view.table, name, units=view.units).scores()
        for name in view.confidential
    }


def disclosure_lines(disclosure: Any) -> list[str]:
    """The figures as a person reads them, and in words where they are bad."""
    lines = []
    for name, scores in disclosure.items():
        by_name = {score.name: score for score in scores.shown}
        uniform = by_name["homogeneous_records"]
        lines.append(labelled(uniform.label, f"{uniform} of records give away {name}"))
        said = (
            f"{name}: at least {by_name['p_sensitivity']} value(s) in a cell; the most "
            f"frequent has up to {by_name['largest_share_max']}, "
            f"{by_name['largest_share_mean']} on average"
        )
        if "table_share" in by_name:
            said += f" ({by_name['table_share']} in the table)"
        if "t_distance_max" in by_name:
            said += (
                f"; t-distance up to {by_name['t_distance_max']}, "
                f"{by_name['t_distance_mean']} on average"
            )
        if "mean_range" in by_name:
            said += (
                f"; range from {by_name['narrowest_range']} of the table's, "
                f"{by_name['mean_range']} on average"
            )
        lines.append(labelled("cells show", said))
        lines += [labelled("warning", each) for each in warnings_of(name, scores)]
    return lines


def warnings_of(name: str, scores: Scores) -> list[str]:
    """What is bad about a column, in words."""
    warnings, uniform = [], _uniform(scores)
    if scores.get("table_share", 0.0) == 1:
        warnings.append(
            f"everybody in the table has the same {name!r}: who is known to be in it "
            "is known to have it, and no promise hides that"
        )
    elif uniform >= MUCH:
        many = "nearly all" if uniform >= NEARLY_ALL else "many"
        warnings.append(
            f"{name!r} can be read off the cells of {many} records; "
            f"{WAY_OUT_OF_DISCLOSURE}"
        )
    elif (
        "mean_range" not in scores  # of numbers, one in k is as frequent as can be
        and scores["largest_share_mean"] - scores.get("table_share", 1.0) >= MUCH
    ):
        warnings.append(
            f"{name!r} can be guessed from a cell far better than from the table; "
            f"{WAY_OUT_OF_DISCLOSURE}"
        )
    if scores.get("mean_range", 1.0) < NARROW:
        warnings.append(
            f"cells show {name!r} to within "
            f"{shown(scores['mean_range'], decimals=1)} of its range on average; "
            f"{WAY_OUT_OF_DISCLOSURE}"
        )
    return warnings


def to_decide(disclosure: Mapping[str, Scores]) -> list[str]:
    """Warnings of columns that cells give away of nearly everybody."""
    return [
        warning
        for name, scores in disclosure.items()
        if _uniform(scores) >= NEARLY_ALL
        for warning in warnings_of(name, scores)[:1]
    ]


def to_notice(disclosure: Mapping[str, Scores]) -> list[str]:
    """What looks like diversity in confidential columns and is none."""
    notices = []
    for name, scores in disclosure.items():
        if "uniform_but_missing" in scores or "known_values" in scores:
            least = scores.get("known_values", scores["p_sensitivity"])
            notices.append(
                f"missing counts as a value of its own in {name!r}: without it l is "
                f"{least:.0f}, and {100 * _uniform(scores):.3g} % of the records are "
                "in uniform cells"
            )
        if "values_respelt" in scores:
            notices.append(
                f"{scores['values_respelt']:.0f} values of {name!r} differ from "
                "another only in letter case or in blanks, and each counts as a value "
                "of its own: write them alike"
            )
    return notices


def _uniform(scores: Scores) -> float:
    """Share of records in cells of a single value, whatever is missing."""
    return float(scores.get("uniform_but_missing", scores["homogeneous_records"]))
