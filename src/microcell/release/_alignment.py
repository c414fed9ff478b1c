"""Whether the rows of a release lie beside those of its original.

Files are written in the order of their released values, so that row i of a file is
not row i of the original, and what compares them row by row would measure nothing.
Two signs tell: columns that were released as they are hold the same rows in another
order; or the release is sorted and its classes do not stand for the records beside
them. A table that another tool shuffled and left no column as it was shows neither.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import Prepared
from microcell.embed import Levels
from microcell.kernels.codes import NO_CODE
from microcell.kernels.distinct import distinct_records

Pair = tuple[pl.Series, pl.Series]
NOWHERE = 1e300  # of what is missing: no value lies there
CHANCE = 0.9  # of the distance to random rows: what lies beside its own is nearer
NEAR = 0.01  # of a column's standard deviation: what rounding may move a mean


def is_reordered(prepared: Prepared, release: Any, X_released: np.ndarray) -> bool:
    """Whether the rows of a release are in another order than the original's.

    Parameters
    ----------
    prepared : Prepared
        The original, those of its records that take part.
    release : dataframe
        With as many rows.
    X_released : ndarray of shape (n_records, n_quasi_identifiers)
        Its quasi-identifiers in the numbers of the original.
    """
    after = nw.from_native(release, eager_only=True).to_polars()
    pairs = unchanged_columns(prepared.frame.to_polars(), after, prepared.names)
    if pairs:
        before_rows, after_rows = _row_codes(pairs)
        if not np.array_equal(before_rows, after_rows):
            whole = np.array_equal(np.sort(before_rows), np.sort(after_rows))
            return whole or not _one_varies_in_step(pairs)
        if np.unique(after_rows).size == after_rows.size:  # every row is known
            return False
    numbers = dict(zip(prepared.names, X_released.T, strict=True))
    if not is_sorted(after, numbers):
        return False
    beside = stands_for(prepared, X_released) and beats_chance(prepared, X_released)
    return not beside


def aligned_rows(
    prepared: Prepared, release: Any, *, made_here: bool, order: str | None = None
) -> np.ndarray | None:
    """The row of a release that each record of the original became; None if unknown.

    Records are found again by what was released as it is, where that tells all of them
    apart. A release of others that is not sorted may have been made by swapping values,
    and is not put in order.

    Parameters
    ----------
    prepared : Prepared
    release : dataframe
    made_here : bool
        Whether it is a release of this program.
    order : {"sorted", "keep"}, optional
        How its recipe has its rows, if there is one.
    """
    after = nw.from_native(release, eager_only=True).to_polars()
    if after.height != len(prepared.X):
        return None
    if order == "keep":
        X_released = prepared.encode(release)
        in_order = not is_reordered(prepared, release, X_released)
        return np.arange(after.height) if in_order else None
    pairs = unchanged_columns(prepared.frame.to_polars(), after, prepared.names)
    if not pairs:
        return None
    if not made_here:
        X_released = prepared.encode(release)
        if not is_sorted(after, dict(zip(prepared.names, X_released.T, strict=True))):
            return None
    before_rows, after_rows = _row_codes(pairs)
    places = np.argsort(after_rows)
    known = after_rows[places]
    if (np.diff(known) == 0).any() or not np.array_equal(np.sort(before_rows), known):
        return None
    rows: np.ndarray = places[np.searchsorted(known, before_rows)]
    return rows


def unchanged_columns(
    before: pl.DataFrame, after: pl.DataFrame, masked: list[str]
) -> list[Pair]:
    """Columns of both tables, other than the masked, that hold the same values.

    In any order: each pair holds every value equally often.
    """
    shared = [n for n in after.columns if n in before.columns and n not in masked]
    pairs = [comparable(before[name], after[name]) for name in shared]
    return [pair for pair in pairs if pair is not None and _same_values(*pair)]


def comparable(before: pl.Series, after: pl.Series) -> Pair | None:
    """Two columns with one data type, as what a text file writes of them; else None.

    Examples
    --------
    >>> pair = comparable(pl.Series([1.5, None]), pl.Series(["1.50", ""]))
    >>> pair[0].equals(pair[1])
    True
    """
    pair = [_without_categories(series) for series in (before, after)]
    kinds = {series.dtype for series in pair}
    if len(kinds) == 1:
        return pair[0], pair[1]
    try:
        if all(t.is_numeric() or t == pl.String for t in kinds):
            pair = [series.cast(pl.Float64) for series in pair]
        elif pl.String in kinds and pl.Boolean in kinds:
            pair = [series.cast(pl.String).str.to_lowercase() for series in pair]
        elif pl.String in kinds and pl.Date in kinds:
            pair = [series.cast(pl.String).str.to_date("%Y-%m-%d") for series in pair]
        elif all(t in (pl.String, pl.Datetime) for t in kinds):
            pair = [_as_moments(series) for series in pair]
        else:
            return None
    except pl.exceptions.PolarsError:
        return None
    return pair[0], pair[1]


def _without_categories(series: pl.Series) -> pl.Series:
    if series.dtype in (pl.Categorical, pl.Enum):
        series = series.cast(pl.String)
    return series.replace("", None) if series.dtype == pl.String else series


def _as_moments(series: pl.Series) -> pl.Series:
    if series.dtype == pl.String:
        return series.str.to_datetime(time_unit="us", time_zone="UTC", strict=True)
    zone = series.dtype.time_zone  # type: ignore[attr-defined]
    moments = series.dt.replace_time_zone("UTC") if zone is None else series
    return moments.dt.convert_time_zone("UTC").dt.cast_time_unit("us")


def _same_values(before: pl.Series, after: pl.Series) -> bool:
    return before.sort().equals(after.sort(), null_equal=True)


def _row_codes(
    pairs: list[Pair],
) -> tuple[np.ndarray, np.ndarray]:
    """One number for each row of both tables; equal rows have the same."""
    joined = [
        pl.concat([before, after]).alias(str(j))
        for j, (before, after) in enumerate(pairs)
    ]
    rows = pl.DataFrame(joined).select(pl.struct(pl.all()).rank("dense"))
    codes = rows.to_series().to_numpy()
    return codes[: len(codes) // 2], codes[len(codes) // 2 :]


def _one_varies_in_step(pairs: list[Pair]) -> bool:
    """Whether a column that is not sorted is the same row by row.

    Then values of the others were swapped between rows, which stayed where they were.
    """
    return any(
        before.equals(after, null_equal=True) and not before.sort().equals(before)
        for before, after in pairs
    )


def is_sorted(frame: pl.DataFrame, numbers: dict[str, np.ndarray]) -> bool:
    """Whether a table has the order in which files are written.

    Sorted by its columns in turn, each by its numbers or by its text: a text file
    does not say which.

    Parameters
    ----------
    frame : polars.DataFrame
    numbers : dict
        Columns whose text stands for numbers.

    Examples
    --------
    >>> is_sorted(pl.DataFrame({"age": ["9.5", "10.0"]}), {"age": np.array([9.5, 10])})
    True
    >>> is_sorted(pl.DataFrame({"age": [9, 9, 10], "ill": ["b", "a", "c"]}), {})
    False
    """
    tied = np.ones(frame.height - 1, dtype=bool)  # with the row above, so far
    for column in frame.iter_columns():
        series = _without_categories(column)
        read = [pl.Series(numbers[series.name])] if series.name in numbers else []
        if series.dtype == pl.String:
            read.append(series.cast(pl.Float64, strict=False))
        read = [new for new in read if new.null_count() == series.null_count()]
        if not any(_rises(new)[tied].all() for new in (series, *read)):
            return False
        tied &= column[:-1].eq_missing(column[1:]).to_numpy()
    return True


def _rises(series: pl.Series) -> np.ndarray:
    """Whether each value is at least the one above it; missing ones come first."""
    if series.dtype.is_nested():
        ranks = series.to_frame("x").select(pl.struct("x").rank("dense"))
        series = ranks.to_series()
    above, below = series[:-1], series[1:]
    first = above.is_null().to_numpy()
    if first.all():
        return first
    return first | (above <= below).fill_null(False).to_numpy()


def stands_for(prepared: Prepared, X_released: np.ndarray) -> bool:
    """Whether each class is what could be published of the records beside it.

    Of numbers their mean, median or the middle of their range; of categories a most
    frequent one, of codes with a hierarchy also a group of all. A single class stands
    beside any order.
    """
    classes, _ = distinct_records(np.nan_to_num(X_released, nan=NOWHERE))
    if classes.max() == 0:
        return True
    for encoder, x, released in zip(
        prepared.encoders, prepared.original.T, X_released.T, strict=True
    ):
        if encoder.levels is not None and _is_group(encoder.levels, x, released):
            continue
        stands = _is_middle if encoder.ordered else _is_mode
        if not stands(classes, x, released):
            return False
    return True


def beats_chance(prepared: Prepared, X_released: np.ndarray) -> bool:
    """Whether rows lie nearer to those beside them than to rows drawn at random.

    A release of a single class lies beside any order alike.
    """
    scaler = prepared.scaler("standard", expand=False)
    Z, Z_released = scaler.fit_transform(prepared.original), None
    Z_released = scaler.transform(X_released)
    beside = at_random = 0.0
    units = dict(zip(scaler.coded_, scaler.units_, strict=True))
    for j, (x, released) in enumerate(zip(Z.T, Z_released.T, strict=True)):
        if j in units:
            beside += units[j] * np.mean(x != released)
            values, counts = np.unique(x, return_counts=True)
            shares = dict(zip(values.tolist(), counts / x.size, strict=True))
            hit = np.mean([shares.get(value, 0.0) for value in released.tolist()])
            at_random += units[j] * (1 - hit)
        else:
            beside += np.mean((x - released) ** 2)
            apart = (np.mean(x) - np.mean(released)) ** 2
            at_random += np.var(x) + np.var(released) + apart
    constant = not np.ptp(X_released, axis=0).any()
    return bool(constant or beside <= CHANCE * at_random)


def _is_group(levels: Levels, x: np.ndarray, released: np.ndarray) -> bool:
    """Whether each released node is a group of the value beside it, or the value."""
    known = ~np.isnan(x) & ~np.isnan(released)
    values = levels.codes[x[known].astype(np.int64)]
    nodes = levels.codes[released[known].astype(np.int64)]
    n_values = len(levels.codes) if levels.n_values is None else levels.n_values
    return bool(((values == nodes) | (nodes >= n_values)).all())


def _is_middle(classes: np.ndarray, x: np.ndarray, released: np.ndarray) -> bool:
    known = ~np.isnan(x) & ~np.isnan(released)  # a gap may stand beside anything
    if not known.any():
        return True
    classes, x, released = classes[known], x[known], released[known]
    frame = pl.DataFrame({"class": classes, "x": x, "released": released})
    x_of = pl.col("x")
    cells = frame.group_by("class").agg(
        pl.col("released").first(),
        mean=x_of.mean(),
        median=x_of.median(),
        lower=x_of.quantile(0.5, "lower"),
        upper=x_of.quantile(0.5, "higher"),
        middle=(x_of.min() + x_of.max()) / 2,
    )
    near = NEAR * float(np.std(x))
    if (released == np.rint(released)).all():
        near = max(near, 0.5)  # integers are rounded
    close = [
        ((cells["released"] - cells[name]).abs() <= near).to_numpy()
        for name in ("mean", "median", "lower", "upper", "middle")
    ]
    return bool(np.logical_or.reduce(close).all())


def _is_mode(classes: np.ndarray, x: np.ndarray, released: np.ndarray) -> bool:
    x, released = (np.nan_to_num(codes, nan=NO_CODE) for codes in (x, released))
    frame = pl.DataFrame({"class": classes, "x": x, "released": released})
    counts = frame.group_by("class", "x").agg(pl.col("released").first(), pl.len())
    most = counts.filter(pl.col("len") == pl.col("len").max().over("class"))
    hit = most.group_by("class").agg((pl.col("x") == pl.col("released")).any())
    return bool(hit["x"].all())
