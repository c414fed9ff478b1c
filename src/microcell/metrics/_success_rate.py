"""How often an attack succeeds, and how much more often than another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from microcell.exceptions import ParameterError


@dataclass(frozen=True)
class SuccessRate:
    """Share of attacks that succeed, with its Wilson interval.

    Attributes
    ----------
    rate : float
        Successes / attacks; 0 where there was no attack.
    low, high : float
        95 % interval; 0 and 1 where there was no attack.
    n_attacks : int
        How many attacks there were.
    """

    rate: float
    low: float
    high: float
    n_attacks: int


@dataclass(frozen=True)
class ExcessRisk:
    """What an attack gains over another one, as a share of what there is to gain.

    Attributes
    ----------
    risk : float
        (rate - other rate) / (1 - other rate), and 0 where that is negative.
    low, high : float
        95 % interval, kept between 0 and 1.
    """

    risk: float
    low: float
    high: float


@dataclass(frozen=True)
class AttackRisk:
    """An attack beside others, and what it gains over them."""

    attack: SuccessRate
    baseline: SuccessRate
    control: SuccessRate | None
    risk: ExcessRisk
    risk_beyond_control: ExcessRisk | None
    contributions: dict

    @property
    def most(self) -> Any:
        """The column that contributes most, or None."""
        return most_contributing(self.contributions)


def most_contributing(contributions: Mapping[int | str, float]) -> Any:
    """The column that contributes most to a risk, the first of several; or None.

    Examples
    --------
    >>> most_contributing({"age": 0.2, "sex": 0.1}), most_contributing({"age": 0.0})
    ('age', None)
    """
    adding = {name: added for name, added in contributions.items() if added > 0}
    return max(adding, key=adding.__getitem__, default=None)


def wilson_interval(
    successes: float, attacks: int, level: float = 0.95
) -> tuple[float, float]:
    """Interval of a share that holds also for few attacks and shares near 0 or 1 [1]_.

    Parameters
    ----------
    successes : float
        Between 0 and `attacks`; expected successes, where ties are shared, are not
        whole.
    attacks : int
        How many there were.
    level : float, default=0.95
        How often such an interval holds the share.

    Returns
    -------
    low, high : float

    References
    ----------
    .. [1] Wilson (1927). Probable inference, the law of succession, and statistical
       inference. J. Am. Stat. Assoc. 22, 209-212.

    Examples
    --------
    >>> wilson_interval(0, 10)
    (0.0, 0.277...)
    >>> wilson_interval(5, 10)
    (0.236..., 0.763...)
    """
    if not 0 < level < 1:
        raise ParameterError(
            "level", f"must be between 0 and 1. Got {level!r} instead."
        )
    if not 0 <= successes <= attacks * (1 + 1e-12):
        raise ParameterError(
            "successes",
            f"must be between 0 and the {attacks} attacks. Got {successes} instead.",
        )
    if attacks == 0:
        return 0.0, 1.0
    z = float(ndtri((1 + level) / 2))
    rate = min(successes / attacks, 1.0)
    middle = rate + z**2 / (2 * attacks)
    reach = z * np.sqrt(rate * (1 - rate) / attacks + (z / (2 * attacks)) ** 2)
    ends = (middle + np.array([-reach, reach])) / (1 + z**2 / attacks)
    # rounding must not push an end past the share itself
    return float(np.clip(ends[0], 0, rate)), float(np.clip(ends[1], rate, 1))


def success_rate(successes: float, attacks: int) -> SuccessRate:
    """A share of attacks with its interval.

    Examples
    --------
    >>> success_rate(5, 10)
    SuccessRate(rate=0.5, low=0.236..., high=0.763..., n_attacks=10)
    """
    low, high = wilson_interval(successes, attacks)
    rate = min(float(successes / attacks), 1.0) if attacks else 0.0
    return SuccessRate(rate, low, high, int(attacks))


def excess_risk(attack: SuccessRate, other: SuccessRate) -> ExcessRisk:
    """Risk of an attack beyond that of another one [1]_.

    0 where it succeeds no more often than the other; 1 where it always succeeds and the
    other does not. Where the other one always succeeds nothing is left to learn, and
    the risk is 0. The interval moves each rate to the ends of its own interval and adds
    the changes as squares [2]_; rates on the same targets vary together, so it is then
    rather too wide.

    Parameters
    ----------
    attack, other : SuccessRate

    Returns
    -------
    risk : ExcessRisk

    References
    ----------
    .. [1] Giomi, Boenisch, Wehmeyer and Tasnádi (2023). A unified framework for
       quantifying privacy risk in synthetic data. Proc. Priv. Enhanc. Technol. 2023(2),
       312-328.
    .. [2] Zou and Donner (2008). Construction of confidence limits about effect
       measures: a general approach. Stat. Med. 27, 1693-1702.

    Examples
    --------
    >>> excess_risk(success_rate(75, 100), success_rate(50, 100))
    ExcessRisk(risk=0.5, low=0.279..., high=0.669...)
    """
    risk = _excess(attack.rate, other.rate)
    down = np.hypot(
        risk - _excess(attack.low, other.rate), risk - _excess(attack.rate, other.high)
    )
    up = np.hypot(
        _excess(attack.high, other.rate) - risk, _excess(attack.rate, other.low) - risk
    )
    ends = np.clip([risk, risk - down, risk + up], 0, 1)
    return ExcessRisk(*(float(end) for end in ends))


def _excess(rate: float, other: float) -> float:
    return (rate - other) / (1 - other) if other < 1 else 0.0
