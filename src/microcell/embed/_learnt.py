"""LearntColumns: what a scale needs of a table, for whoever sees a part of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from microcell._centre import times_power_of_two
from microcell.embed._moments import Moments
from microcell.embed._observed_scale import ObservedScale
from microcell.embed._scales import NoScale, QuartileScale, RangeScale, StandardScale
from microcell.exceptions import InputError, Option


@dataclass(frozen=True)
class LearntColumns:
    """Moments of the measured columns of a table, and counts of codes of the others.

    Attributes
    ----------
    moments : dict of int to Moments
        Of columns that are measured.
    frequencies : dict of int to (ndarray, ndarray)
        Codes of the other columns, ascending, and how often each occurs.
    gaps : set of int
        Columns with missing values.
    ordered : dict of int to ndarray
        Values of measured columns in ascending order, or those of a sample, where the
        scale has quartiles.
    """

    moments: dict = field(default_factory=dict)
    frequencies: dict = field(default_factory=dict)
    gaps: frozenset = frozenset()
    ordered: dict = field(default_factory=dict)

    @classmethod
    def of(cls, X: np.ndarray, coded: Any = (), ordered: Any = None) -> Any:
        """What a whole table says of its columns; those of `coded` hold codes."""
        return cls(
            {j: Moments.of(X[:, j]) for j in range(X.shape[1]) if j not in coded},
            {j: np.unique(X[~np.isnan(X[:, j]), j], return_counts=True) for j in coded},
            frozenset(np.flatnonzero(np.isnan(X).any(axis=0)).tolist()),
            ordered or {},
        )

    def take(self, columns: Any) -> Any:
        """The same of some of the columns, numbered anew."""
        place_of = {column: place for place, column in enumerate(columns)}
        return type(self)(
            {place_of[j]: m for j, m in self.moments.items() if j in place_of},
            {place_of[j]: f for j, f in self.frequencies.items() if j in place_of},
            frozenset(place_of[j] for j in self.gaps if j in place_of),
            {place_of[j]: v for j, v in self.ordered.items() if j in place_of},
        )

    def scale(self, name: str, measured: Sequence[int], observed: bool) -> Any:
        """The fitted scale of the measured columns.

        Parameters
        ----------
        name : {"standard", "minmax", "robust", "none"}
        measured : sequence of int
        observed : bool
            Whether values may be missing.
        """
        moments = [self.moments[j] for j in measured]
        if not observed:
            return self._plain(name, measured)
        scale = ObservedScale(name)
        scale.n_features_in_ = len(measured)
        scale.counts_ = np.array([m.n_values for m in moments])
        scale.means_ = np.array([float(m.mean) if m.n_values else 0 for m in moments])
        scale.scales_ = [
            self._plain(name, [j]) if self.moments[j].n_values else None
            for j in measured
        ]
        return scale

    def _plain(self, name: str, measured: Sequence[int]) -> Any:
        moments = [self.moments[j] for j in measured]
        ends = np.array([[m.low for m in moments], [m.high for m in moments]])
        if name == "none":
            return NoScale().fit(ends)
        if name == "minmax":
            scale = RangeScale().fit(ends)
        elif name == "standard":
            scale = _standard_scale(ends, moments)
        elif all(j in self.ordered for j in measured):
            scale = _quartile_scale(ends, [self.ordered[j] for j in measured])
        else:
            raise InputError(
                "The quartiles of a table do not follow from the moments of its parts.",
                option="scale",
                hint=["Choose ", Option("scale", "standard"), "."],
            )
        scale.n_samples_seen_ = moments[0].n_values
        return scale


def _quartile_scale(ends: Any, ordered: Sequence[np.ndarray]) -> Any:
    scale, parts = QuartileScale()._between(ends), []
    for values, exponent in zip(ordered, scale.exponents_, strict=True):
        scaled = times_power_of_two(values[:, None], -np.atleast_1d(exponent))
        parts.append(scale._learn(scaled))
    return scale._set(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _standard_scale(ends: Any, moments: Any) -> Any:
    scale = StandardScale()._between(ends)
    origin, place, divisor = [], [], []
    for of_column, exponent in zip(moments, scale.exponents_.tolist(), strict=True):
        unit = Fraction(2) ** -exponent
        mean = of_column.mean * unit
        origin.append(float(mean))
        place.append(float(mean - Fraction(origin[-1])))
        divisor.append(math.sqrt(float(of_column.variance * unit**2)))
    return scale._set(np.array(origin), np.array(place), np.array(divisor))
