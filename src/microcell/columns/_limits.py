"""Limits of a column: top and bottom coding before anything else."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microcell.columns._steps import spread_of
from microcell.exceptions import SchemaError

if TYPE_CHECKING:
    from microcell.columns._encoder import Encoder

FINER = 5.0  # a limit has a grid of a tenth of a standard deviation


class Clip(NamedTuple):
    """Limits as they were asked for.

    Attributes
    ----------
    low, high : number, str or None
        A value, a percentage ("99%"), or None for no limit on that side.
    k : int
        People that share the limit, if it is a percentage.
    units : ndarray of shape (n_samples,), optional
        Whose value each is; by default every record is a person.
    """

    low: Any
    high: Any
    k: int
    units: np.ndarray | None = None

    @property
    def by_share(self) -> bool:
        """Whether a limit is a percentage."""
        return is_percentage(self.low) or is_percentage(self.high)

    def of_values(self) -> Clip:
        """The limits that are values: percentages need all records."""
        low, high = (None if is_percentage(end) else end for end in self[:2])
        return self._replace(low=low, high=high)


def is_percentage(limit: Any) -> bool:
    """Whether a limit is a share of the records.

    Examples
    --------
    >>> is_percentage("99%"), is_percentage(99)
    (True, False)
    """
    return isinstance(limit, str) and limit.endswith("%")


def learn_limits(
    encoder: Encoder, values: np.ndarray, clip: Clip
) -> tuple[float, float]:
    """Limits of a column in the numbers of its encoder.

    Parameters
    ----------
    encoder : Encoder
    values : ndarray of shape (n_samples,)
        The encoded column; NaN where a value is missing.
    clip : Clip

    Returns
    -------
    limits : (float, float)
        Infinite where there is none.
    """
    there = np.flatnonzero(np.isfinite(values))
    there = there[np.argsort(values[there], kind="stable")]
    known = values[there]
    if clip.units is not None:
        clip = clip._replace(units=clip.units[there])
    if clip.by_share:
        n_people = known.size if clip.units is None else np.unique(clip.units).size
        if n_people < clip.k:
            raise limit_error(
                f"Fewer than {clip.k} people have a value of column {encoder.name!r}, "
                "so no percentage of them can be a limit.",
                encoder,
                "Give a value as the limit, or leave it out.",
            )
    low, high = _both(encoder, known, clip, rounds=True)
    if low > high:  # quantiles that are close may cross only where they are rounded
        exact = _both(encoder, known, clip, rounds=False)
        low = high if exact[0] <= exact[1] else low
    if low > high:
        raise limit_error(
            f"The limits of column {encoder.name!r} cross: the lower one is above the "
            "upper one.",
            encoder,
        )
    return low, high


def _both(
    encoder: Encoder, known: np.ndarray, clip: Clip, rounds: bool
) -> tuple[float, float]:
    low, high = -np.inf, np.inf
    units = np.arange(known.size) if clip.units is None else clip.units
    if is_percentage(clip.low):
        share = float(clip.low[:-1]) / 100
        low = _quantile(encoder, known, share, clip.k, units, rounds)
    elif clip.low is not None:
        low = limit_number(encoder, clip.low)
    if is_percentage(clip.high):  # from above: that of the negative values from below
        share, turned = 1 - float(clip.high[:-1]) / 100, -known[::-1]
        high = -_quantile(encoder, turned, share, clip.k, units[::-1], rounds, True)
    elif clip.high is not None:
        high = limit_number(encoder, clip.high)
    return low, high


def _quantile(
    encoder: Encoder,
    known: np.ndarray,
    share: float,
    k: int,
    units: np.ndarray,
    rounds: bool,
    from_above: bool = False,
) -> float:
    """A limit below which there is a share of the ascending values."""
    # rounding may not add a record: 1 - 0.9 is a little more than a tenth
    place = math.ceil(round(share * known.size, 9)) - 1
    place = min(max(place, place_of_person(units, k), 0), known.size - 1)
    limit = float(known[place])
    sharing = np.unique(units[known == limit]).size
    if not rounds or sharing >= k or not encoder.measured:
        return limit
    last = known[known.size - 1 - place_of_person(units[::-1], k)]
    inside = known[(known >= limit) & (known <= last)]  # without outliers
    spread = spread_of(inside if inside.size else known).deviation
    return _inwards(encoder, limit, float(known[-1]), spread, from_above)


def place_of_person(units: np.ndarray, k: int) -> int:
    """Place at which there are k different people.

    Examples
    --------
    >>> place_of_person(np.array([7, 7, 8, 7, 9]), 3)
    4
    """
    return int(np.sort(np.unique(units, return_index=True)[1])[k - 1])


def _inwards(
    encoder: Any, limit: float, end: float, deviation: float, from_above: bool
) -> float:
    """A limit moved inwards to a round value, since it is one person's own.

    Parameters
    ----------
    limit, end : float
        The limit, and the farthest value on its inner side; both negative, if it is a
        limit from above.
    deviation : float
        Standard deviation of values between them; the grid is a tenth of it, or
        finer where that is too coarse to stay inside.
    """
    for finer in FINER ** np.arange(1, 8):
        rounded = encoder.inwards(limit, deviation / finer, from_above)
        if limit < rounded <= end:
            return float(rounded)
    return min(limit + (encoder.resolution or 0), end)


def limit_number(encoder: Encoder, limit: Any, of_part: bool = False) -> float:
    """The number that a limit stands for in a column; SchemaError if it is none.

    Values of a part of a table may be coarser than those of the whole: `of_part` lets
    a limit be finer than they are.
    """
    try:
        number = encoder.limit(limit)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise limit_error(
            f"The limit {limit!r} of column {encoder.name!r} is no value of its kind, "
            f"{encoder.kind}.",
            encoder,
            encoder.limit_help,
        )
    if encoder.resolution and number % encoder.resolution and not of_part:
        raise limit_error(
            f"The limit {limit!r} is finer than the values of column "
            f"{encoder.name!r}, which would tell who was clipped.",
            encoder,
            "Give a limit that is as coarse as they are.",
        )
    return float(number)


def limit_error(words: str, encoder: Encoder, hint: str = "") -> SchemaError:
    """What is wrong with a limit of a column."""
    return SchemaError(words, column=encoder.name, option="clip", hint=hint)
