"""ColumnSummary: what a part of a table says of one quasi-identifier."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import (
    ENCODERS,
    Clip,
    Encoder,
    Extras,
    Options,
    Spread,
    fit_encoder,
    kind_of,
    learn_limits,
    limit_number,
)
from microcell.embed import Moments
from microcell.exceptions import SchemaError
from microcell.pipeline._sample import COUNT, PERSON

VALUE, PEOPLE = "value", "\0people"
A_CODE = 2  # integers of so few values are codes
MAX_LEARNT_CATEGORIES = 1_000_000


@dataclass(frozen=True)
class ColumnSummary:
    """What is learnt of a column from a part of a table, and added up.

    Attributes
    ----------
    name : str
        The column.
    n_missing : int
        Records without a value.
    encoder : Encoder or None
        Of numbers and dates; None if there was no value.
    moments, clipped : Moments
        Of their encoded values, as they are and inside of the limits.
    counts : polars.DataFrame or None
        Of categories each value, how often it occurs, and how many people have it. Of
        integers that nobody declared the three least, which tell whether they are
        codes.
    sets : polars.DataFrame or None
        Categories that a person has together, and how many people have just these,
        where people have several records and rare categories are merged.
    """

    name: str
    n_missing: int
    encoder: Encoder | None = None
    moments: Moments = Moments()
    clipped: Moments = Moments()
    counts: pl.DataFrame | None = None
    sets: pl.DataFrame | None = None

    def __add__(self, other: ColumnSummary) -> ColumnSummary:
        encoder = self.encoder or other.encoder
        if self.encoder is not None and other.encoder is not None:
            _same_kind(self, other)
            encoder = self.encoder.merge(other.encoder)
        counts = _added(self.counts, other.counts)
        if encoder is not None and counts is not None:
            counts = counts.head(A_CODE + 1)
        return replace(
            self,
            n_missing=self.n_missing + other.n_missing,
            encoder=encoder,
            moments=self.moments + other.moments,
            clipped=self.clipped + other.clipped,
            counts=counts,
            sets=_added(self.sets, other.sets, sort=False),
        )


def learn_column(
    series: nw.Series,
    there: np.ndarray,
    kind: Any,
    options: Options,
    records: np.ndarray,
    people: pl.Series | None = None,
    with_sets: bool = False,
    limits: tuple[float, float] | None = None,
) -> tuple[ColumnSummary, np.ndarray]:
    """The summary of a column in a part of a table, and its values where numbers.

    Parameters
    ----------
    series : narwhals.Series
    there : ndarray of shape (n,)
        Which values are not missing.
    kind : str, sequence or None
        The declared kind.
    options : Options
        What was declared of it.
    records : ndarray of shape (n,)
        Number of each record in the table, for errors; 0 where it is not known.
    people : polars.Series, optional
        Whose record each is, where a person may have several.
    with_sets : bool, default=False
        Whether it is counted which categories a person has together.
    limits : (float, float), optional
        Limits that were learnt from all records, where some are percentages.
    """
    name = series.name
    n_missing = int(np.sum(~there))
    values = np.full(len(series), np.nan)
    known = series if there.all() else series.filter(there.tolist())
    if people is not None and not there.all():
        people = people.filter(pl.Series(there))
    if not there.any():
        return ColumnSummary(name, n_missing), values
    of_part = kind
    if kind is None:
        whole = known.dtype.is_integer()
        of_part = "numeric" if whole else kind_of(known)
    if not ENCODERS.of(of_part).measured:
        values[there] = 0.0  # told from what is missing, and nothing else
        sets = _sets(known, people) if with_sets and people is not None else None
        counted = _counts(known, people)
        return ColumnSummary(name, n_missing, counts=counted, sets=sets), values
    plain = options._replace(clip=None, ends="exact")
    encoder = fit_encoder(known, of_part, plain, records[there])
    values[there] = encoder.encode(known) + 0.0
    moments = clipped = Moments.of(values)
    if options.clip is not None:
        if limits is None:
            low, high = (_number(encoder, limit) for limit in options.clip[:2])
            limits = (
                -np.inf if low is None else low,
                np.inf if high is None else high,
            )
        clipped = Moments.of(np.clip(values, *limits))
    counts = None
    if kind is None and known.dtype.is_integer():
        counts = _counts(known, people).head(A_CODE + 1)
    return ColumnSummary(name, n_missing, encoder, moments, clipped, counts), values


def _number(encoder: Encoder, limit: Any) -> float | None:
    return None if limit is None else limit_number(encoder, limit, of_part=True)


def _values(known: nw.Series) -> pl.Series:
    values = known.to_frame().to_polars().to_series().alias(VALUE)
    return values.cast(pl.String) if values.dtype == pl.Categorical else values


def _counts(known: nw.Series, people: pl.Series | None) -> pl.DataFrame:
    """Distinct values, how many records have each, and how many people."""
    frame = pl.DataFrame([_values(known)])
    each = pl.len() if people is None else pl.col(PERSON).n_unique()
    if people is not None:
        frame = frame.with_columns(people)
    counted = frame.group_by(VALUE).agg(pl.len().alias(COUNT), each.alias(PEOPLE))
    return counted.cast({COUNT: pl.Int64, PEOPLE: pl.Int64}).sort(VALUE)


def _sets(known: nw.Series, people: pl.Series) -> pl.DataFrame:
    """Values that a person has, and how many people have just these."""
    pairs = pl.DataFrame([_values(known), people])
    of_person = pairs.unique().group_by(PERSON).agg(pl.col(VALUE).sort())
    return of_person.group_by(VALUE).agg(pl.len().cast(pl.Int64).alias(PEOPLE))


def _added(
    one: pl.DataFrame | None, other: pl.DataFrame | None, sort: bool = True
) -> pl.DataFrame | None:
    both = [frame for frame in (one, other) if frame is not None]
    if not both:
        return None
    rows = pl.concat(both, how="vertical_relaxed")
    added = rows.group_by(VALUE).agg(pl.exclude(VALUE).sum())
    return added.sort(VALUE) if sort else added


def _same_kind(one: ColumnSummary, other: ColumnSummary) -> None:
    kinds = [summary.encoder.kind for summary in (one, other) if summary.encoder]
    if len(set(kinds)) > 1:
        raise SchemaError(
            f"Column {one.name!r} holds {kinds[0]} values in one part of the table "
            f"and {kinds[1]} values in another.",
            column=one.name,
            option="kinds",
            hint="Correct them, or declare its kind.",
        )


def resolved_encoder(summary: ColumnSummary, kind: Any, options: Options) -> Encoder:
    """The encoder of a column of the whole table."""
    name = summary.name
    if summary.encoder is None and summary.counts is None:
        raise SchemaError(
            f"Column {name!r} is missing in every record.",
            column=name,
            hint="Leave it out.",
        )
    codes = (
        summary.encoder is not None
        and summary.encoder.like.dtype.is_integer()
        and summary.counts is not None
        and len(summary.counts) <= A_CODE
    )
    if summary.encoder is not None and not codes:
        return _with_extras(summary, options)
    assert summary.counts is not None
    if len(summary.counts) > MAX_LEARNT_CATEGORIES:
        raise SchemaError(
            f"Column {name!r} has more than {MAX_LEARNT_CATEGORIES} categories.",
            column=name,
            hint="Group them first, or leave the column out.",
        )
    values = nw.from_native(summary.counts[VALUE].alias(name), series_only=True)
    unknown = np.zeros(len(values), dtype=np.int64)  # whose values they are
    return fit_encoder(values, "nominal" if codes else kind, options, unknown)


def _with_extras(summary: ColumnSummary, options: Options) -> Encoder:
    encoder = summary.encoder
    assert encoder is not None
    encoder.layout = options.layout
    limits = spread = None
    if options.clip is not None:
        limits = learn_limits(encoder, np.empty(0), Clip(*options.clip))
    if options.ends == "rounded":
        moments = summary.clipped
        n_values = moments.n_values
        squares = float(moments.variance * n_values)
        spread = Spread(n_values, float(moments.mean), squares)
    encoder.extras = Extras(options.digits, limits, spread)
    return encoder


def code_counts(
    summary: ColumnSummary, encoder: Encoder, of: str = COUNT
) -> tuple[np.ndarray, np.ndarray]:
    """Codes of a column of categories, ascending, and how many records have each.

    Those of people are in the column `PEOPLE`.
    """
    assert summary.counts is not None
    values = nw.from_native(summary.counts[VALUE].alias(summary.name), series_only=True)
    codes = encoder.encode(values)
    order = np.argsort(codes)
    return codes[order], summary.counts[of].to_numpy()[order]
