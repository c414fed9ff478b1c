"""Tally: what is counted and summed of shards while they are masked."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from microcell.embed import ColumnScaler, LearntColumns
from microcell.pipeline._adds_up import AddsUp
from microcell.pipeline._classes import CheckedFinding
from microcell.pipeline._counted import Counted


@dataclass(frozen=True)
class Tally(AddsUp):
    """Counts and sums over shards; tallies add up exactly, in any order.

    Attributes
    ----------
    n_records, n_people : int
        Records released, and people whose they are.
    n_cells : tuple of int
        Cells in each block of columns.
    squares : Fraction
        Squared changes of all values on the scale of distances.
    found, n_linked : Fraction, int
        Records of a sample that were looked up among the originals of their shard, and
        how many of them were found.
    findings : dict
        What was counted on the cells, by the place of the promise.
    counted : Counted
        What masking did to values.
    sample : polars.DataFrame or None
        Some records beside their originals, where a report is to look at them.
    """

    n_records: int = 0
    n_people: int = 0
    n_cells: tuple[int, ...] = ()
    squares: Fraction = Fraction()
    found: Fraction = Fraction()
    n_linked: int = 0
    findings: dict[int, CheckedFinding] = field(default_factory=dict)
    counted: Counted = field(default_factory=Counted)
    sample: pl.DataFrame | None = field(default=None, repr=False)


def squared_changes(
    scaler: ColumnScaler, Z: np.ndarray, Z_released: np.ndarray
) -> Fraction:
    """Squared changes of all values; a mismatch of codes is a unit."""
    coded = list(scaler.coded_)
    measured = [j for j in range(Z.shape[1]) if j not in coded]
    changes = Z[:, measured] - Z_released[:, measured]
    total = Fraction(float(np.sum(changes**2)))
    for j, unit in zip(coded, scaler.units_, strict=True):
        total += Fraction(unit) * int(np.sum(Z[:, j] != Z_released[:, j]))
    return total


def squares_about_the_middle(
    scaler: ColumnScaler, learnt: LearntColumns, n_records: int, about: str
) -> Fraction:
    """Squared distances of all records to the middle of the table.

    Parameters
    ----------
    scaler : ColumnScaler
        Fitted, codes stay codes.
    learnt : LearntColumns
        What is known of the table.
    n_records : int
    about : {"shares", "mode"}
        What the middle of categories is: `sse_loss` and `relative_loss` differ in it.
    """
    total = Fraction()
    for place, j in enumerate(scaler.measured_):
        moments = learnt.moments[j]
        if moments.n_values and moments.high > moments.low:
            divisor = _divisor(scaler.scale_, place)
            total += moments.variance * moments.n_values / divisor**2
    return total + _spread_of_codes(scaler, learnt, n_records, about)


def _divisor(scale: Any, place: int) -> Fraction:
    """What values of a measured column are divided by."""
    if hasattr(scale, "scales_"):
        scale, place = scale.scales_[place], 0
    if not hasattr(scale, "divisor_"):
        return Fraction(1)
    exponent = int(scale.exponents_[place])
    return Fraction(float(scale.divisor_[place])) * Fraction(2) ** exponent


def _spread_of_codes(
    scaler: ColumnScaler, learnt: LearntColumns, n_records: int, about: str
) -> Fraction:
    """How far codes are from their middle, as `sums_of_codes` has it in memory."""
    total = Fraction()
    if not scaler.units_:
        return total
    n_columns = scaler.n_features_in_
    for j in range(n_columns):
        if j in learnt.frequencies:
            codes, counts = learnt.frequencies[j]
        elif j in scaler.flagged_:
            moments = learnt.moments[j]
            codes, counts = np.array([moments.low]), np.array([moments.n_values])
        else:
            continue
        probe = np.full((len(codes) + 1, n_columns), np.nan)
        probe[:-1, j] = codes
        number = np.append(counts, n_records - counts.sum())
        bare = np.full((1, n_columns), np.nan)
        coded = scaler.transform(probe)[:, scaler.coded_]
        empty = scaler.transform(bare)[:, scaler.coded_]
        own = np.flatnonzero((coded != empty).any(axis=0))
        for column in own:
            _, which = np.unique(coded[:, column], return_inverse=True)
            shares = np.bincount(which, weights=number).astype(np.int64).tolist()
            far = Fraction(n_records - max(shares))
            if about == "shares":
                squares = Fraction(sum(n * n for n in shares), n_records)
                far = (n_records - squares) / 2
            total += Fraction(scaler.units_[column]) * far
    return total
