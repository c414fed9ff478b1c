"""Every released column before and after, in numbers or in codes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microcell.columns import ENCODERS
from microcell.pipeline import confidential_reading
from microcell.privacy import as_polars, has_order, value_codes, value_numbers
from microcell.report._people import People
from microcell.report._shown import NOT_THERE, Values, shown_categories, shown_numbers

if TYPE_CHECKING:
    from microcell.release import Release

JOINED = " | "  # between the values of strata that were merged
MAX_CATEGORIES_OF_CLASSES = 100  # more are no use as classes, or beside other columns


@dataclass(frozen=True, eq=False)
class Column:
    """A released column.

    Attributes
    ----------
    name, role, kind : str
    before, after : ndarray of shape (n_records,)
        Numbers, NaN where they are missing; of categories codes, -1 where they are.
        `before` is None where nothing may be told of it.
    labels : list of str
        What codes stand for; groups that only a release has come last.
    n_values : int
        How many of them are values.
    of_day : bool
        Whether dates are times of day.
    """

    name: str
    role: str
    kind: str
    before: np.ndarray | None
    after: np.ndarray
    labels: Any = ()
    n_values: int = 0
    of_day: bool = False

    @property
    def measured(self) -> bool:
        """Whether it holds numbers or dates."""
        return ENCODERS[self.kind].measured

    @cached_property
    def comparable(self) -> bool:
        """Whether its association with others says something."""
        return self.measured or 1 < self.n_values <= MAX_CATEGORIES_OF_CLASSES

    def numbers(self, x: np.ndarray) -> np.ndarray:
        """Either side as floats, NaN where it is missing."""
        return x if self.measured else np.where(x == NOT_THERE, np.nan, x)

    def had_by_enough(self, people: People) -> bool:
        """Whether k people have a value of it in the original."""
        if self.before is None:
            return False
        return people.enough(np.flatnonzero(~np.isnan(self.numbers(self.before))))

    def shown(self, people: People) -> dict[str, Any]:
        """What a report shows of it."""
        said = {"name": self.name, "role": self.role, "kind": self.kind}
        if self.measured:
            moments = ENCODERS[self.kind].moments
            values = Values(self.before, self.after, moments, self.of_day)
            return said | shown_numbers(values, people)
        return said | shown_categories(
            self.before, self.after, self.labels, people, self.n_values
        )


def columns_of(release: Release, before: Any) -> list[Column]:
    """The released columns in their order.

    Parameters
    ----------
    release : Release
    before : Before or None
        Its records beside their originals; None where nothing may be told of these.
    """
    table = release.table if before is None else before.table
    columns = []
    for described in release.columns:
        name, role = described["name"], described["role"]
        if name not in release.kinds:
            columns.append(_as_released(release, table, name, role))
        elif before is None:
            numbers = value_numbers(table, name)
            columns.append(Column(name, role, release.kinds[name], None, numbers))
        else:
            columns.append(_masked(before, name))
    return columns


def _masked(before: Any, name: str) -> Column:
    place = before.names.index(name)
    encoder = before.encoders[place]
    x, released = before.X[:, place], before.X_released[:, place]
    if encoder.measured:
        of_day = encoder.moments and str(encoder.like.dtype) == "Time"
        return Column(
            name, "quasi-identifier", encoder.kind, x, released, of_day=of_day
        )
    if encoder.levels is not None:
        labels, n_values = list(encoder.nodes), len(encoder.values)
        codes, codes_released = _plain_codes(x), _plain_codes(released)
    else:
        labels = [str(value) for value in encoder.values.to_list()]
        n_values = len(labels)
        labels.append("other categories")  # what rare ones became
        codes, codes_released = (_places(encoder.codes, v) for v in (x, released))
    return Column(
        name, "quasi-identifier", encoder.kind, codes, codes_released, labels, n_values
    )


def _plain_codes(x: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(x), NOT_THERE, x).astype(np.int64)


def _places(codes: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Where values stand among codes; beyond the last if they are none of them."""
    there = ~np.isnan(x)
    places = np.full(x.size, NOT_THERE, dtype=np.int64)
    nearest = np.minimum(np.searchsorted(codes, x[there]), codes.size - 1)
    places[there] = np.where(codes[nearest] == x[there], nearest, codes.size)
    return places


def _as_released(release: Release, table: Any, name: str, role: str) -> Column:
    """A column that is released as it is, or with strata merged."""
    declared = release.recipe.schema.kinds.get(name)
    by_order = declared is None or ENCODERS.of(declared).measured
    read = confidential_reading(release.recipe).read(as_polars(table, [name]))
    if by_order and has_order(read, name):
        series = read[name]
        dates = series.dtype.is_temporal() or series.dtype == pl.String
        if series.dtype == pl.String:
            there = series.drop_nulls().replace("", None).drop_nulls()
            dates = not there.is_empty() and not _is_number(there[0])
        numbers = value_numbers(read, name)
        if dates:
            numbers = numbers * microseconds_of(series.dtype)
        kind = "date" if dates and series.dtype != pl.Duration else "numeric"
        return Column(
            name, role, kind, numbers, numbers, of_day=series.dtype == pl.Time
        )
    codes = value_codes(table, name)
    texts = as_polars(table, [name])[name]
    first = np.unique(codes, return_index=True)[1]
    labels = [texts[int(row)] for row in first]
    missing = [c for c, v in enumerate(labels) if v is None or v == "" or v != v]
    keep = np.full(len(labels), NOT_THERE)
    known = [c for c in range(len(labels)) if c not in missing]
    keep[known] = np.arange(len(known))
    shown = [str(labels[c]) for c in known]
    if name in release.recipe.strata and release.n_strata[0] > 0:
        joined = np.array([JOINED in text for text in shown])
        if joined.any():  # a small one would be named in what it was merged into
            first_joined = int(joined.argmax())
            keep[known] = np.where(joined, first_joined, np.arange(len(known)))
            shown[first_joined] = "merged strata"
    places = keep[codes]
    return Column(name, role, "nominal", places, places, shown, len(shown))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def microseconds_of(dtype: Any) -> float:
    """How many a stored date, moment or time of day counts."""
    if dtype == pl.Date:
        return 86_400_000_000.0
    if dtype == pl.Time:
        return 0.001
    unit = getattr(dtype, "time_unit", "us")
    return {"ns": 0.001, "us": 1.0, "ms": 1000.0}[unit]
