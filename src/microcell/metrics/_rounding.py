"""What may be said of a loss: figures that are no equation in somebody's values.

Whoever knows the release, the method and all but two people of a cell knows the sum of
these two from the centroid. A loss with all of its digits gives the sum of their
squares, and so both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

FINEST_STEP = (
    1e-4  # finest step of a figure: shares are read in per cent with two decimals
)
STEPS_IN_A_RECORD = 20  # of a loss, in what one record weighs: 1 / n of the variation
DIGITS_WITHOUT_A_LOSS = 2  # significant ones of a distortion beside which none stands
SHARES_OF_A_VARIATION = (
    "relative_loss",
    "sse_loss",
    "variance_loss",
    "correlation_loss",
)
PLACES_CHANGED = (
    5  # people that may change places within a step of a correlation or accuracy
)
DISTORTION = "mse_distortion"  # the loss in squared units of the columns
SHARES = (  # of records whose original was looked at
    "distance_linkage_risk",
    "distance_linkage_risk_top2",
    "sampled_linkage_risk",
    "interval_disclosure_risk",
)


def loss_step(n_records: int, finest: float = FINEST_STEP) -> float:
    """The step of a published loss: 1, 2 or 5 times a power of ten.

    Examples
    --------
    >>> [loss_step(n) for n in (20, 442, 30_000)]
    [0.005, 0.0002, 0.0001]
    """
    return max(finest, _round_step(1 / (STEPS_IN_A_RECORD * max(n_records, 1))))


def rounded_loss(
    loss: float, n_records: int, finest: float = FINEST_STEP, *, down: bool = False
) -> float:
    """A loss as it may be published; a bound of it is rounded down.

    Examples
    --------
    >>> rounded_loss(0.05691234, 442), rounded_loss(0.05699, 442, down=True)
    (0.057, 0.0568)
    """
    step = loss_step(n_records, finest)
    return _to_step(loss, step, math.floor if down else round)


def rounded_joint(value: float, n_records: int) -> float:
    """A figure of original quasi-identifiers beside confidential values, to publish.

    It is an oracle for who has which value: whoever knows the quasi-identifiers tries
    assignments inside the classes until the figure fits. The step is about what it
    changes by if a few people change places.

    Examples
    --------
    >>> [rounded_joint(0.123456, n) for n in (100, 442, 1_000, 100_000)]
    [0.1, 0.12, 0.125, 0.1235]
    """
    return _to_step(
        value, max(FINEST_STEP, _round_step(PLACES_CHANGED / max(n_records, 1)))
    )


def rounded_figures(figures: Mapping[str, float], n_records: int) -> dict[str, float]:
    """Figures of a release as they may be published.

    What the release alone shows, such as its classes and t-distances, everybody can
    count again: it stays as it is.

    Parameters
    ----------
    figures : mapping
        By the names of measures.
    n_records : int
        Records that they were computed from.

    Examples
    --------
    >>> rounded_figures({"sse_loss": 0.05691234, "mse_distortion": 12.3456789}, 442)
    {'sse_loss': 0.057, 'mse_distortion': 12.35}
    """
    made = dict(figures)
    for name, value in figures.items():
        if name in SHARES_OF_A_VARIATION:
            made[name] = rounded_loss(value, n_records)
        elif name == DISTORTION:
            step = _distortion_step(value, figures, n_records)
            made[name] = _to_step(value, max(FINEST_STEP, step))
        elif name in SHARES:
            made[name] = _to_step(value, FINEST_STEP)
    return made


def _distortion_step(
    value: float, figures: Mapping[str, float], n_records: int
) -> float:
    """As coarse as that of the loss, in the units of the columns."""
    loss = figures.get("sse_loss", figures.get("relative_loss", 0.0))
    if not (value > 0 and math.isfinite(value)):
        return FINEST_STEP
    if loss > 0:
        return _round_step(loss_step(n_records) * value / loss)
    return float(10.0 ** (math.floor(math.log10(value)) + 1 - DIGITS_WITHOUT_A_LOSS))


def _round_step(size: float) -> float:
    """The least of 1, 2 or 5 times a power of ten that is not below `size`."""
    power = math.floor(math.log10(size))
    steps = (float(f"{mantissa}e{power}") for mantissa in (1, 2, 5, 10))
    return next(step for step in steps if step >= size * (1 - 1e-9))


def _to_step(value: float, step: float, whole: Callable[[float], int] = round) -> float:
    if not math.isfinite(value):
        return value
    decimals = max(0, -math.floor(math.log10(step)))
    return round(whole(value / step) * step, decimals)
