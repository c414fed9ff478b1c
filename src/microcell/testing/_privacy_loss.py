"""An audit of privacy loss: a lower bound on epsilon from many runs of a mechanism.

It can convict and never acquits: a mechanism that is caught is not differentially
private at the stated epsilon, one that passes was not caught on these tables, with
these events, in this many runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import beta

from microcell._validation import check_count

N_THRESHOLDS = 64  # for each statistic, at quantiles of what was seen


@dataclass(frozen=True)
class PrivacyLoss:
    """What an audit found.

    Attributes
    ----------
    epsilon : float
        What was stated.
    epsilon_lower : float
        With the stated confidence, the mechanism's epsilon is at least this.
    confidence : float
        One minus the chance that a mechanism which keeps epsilon is caught.
    event : str
        The event that tells the two tables apart best.
    frequencies : (float, float)
        Share of the runs of each table in which it was seen, the likelier first.
    n_runs : int
        Runs of each table that the bound rests on.
    """

    epsilon: float
    epsilon_lower: float
    confidence: float
    event: str
    frequencies: tuple[float, float]
    n_runs: int

    @property
    def holds(self) -> Any:
        """Whether the runs are compatible with the stated epsilon."""
        return self.epsilon_lower <= self.epsilon

    def __str__(self) -> str:
        word = "passes" if self.holds else "caught"
        often, seldom = self.frequencies
        return (
            f"{word}: epsilon {self.epsilon:g} stated, at least "
            f"{self.epsilon_lower:.2f} with confidence {self.confidence:g} "
            f"({self.event}: {often:.3f} against {seldom:.3f} of {self.n_runs} runs)"
        )


def audit_privacy_loss(
    mechanism: Callable[..., Any],
    neighbours: Any,
    epsilon: float,
    *,
    n_runs: int = 4000,
    confidence: float = 0.99,
) -> PrivacyLoss:
    """Run a mechanism on neighbouring tables and bound its epsilon from below [1]_.

    Events are thresholds on statistics of the output: each value as it stands, each
    column in ascending order (so its extremes, and how many values lie above a
    threshold), the distances of rows that follow each other, and a likelihood ratio
    fitted to Laplace noise. The event is chosen on every second run and tested on the
    others, so that choosing it does not spoil the bound, which is that of Clopper and
    Pearson for the two frequencies.

    Parameters
    ----------
    mechanism : callable
        Called with a table, returns an array of one or two dimensions and always one
        shape. It draws fresh noise at each call.
    neighbours : pair of tables, or list of pairs
        Tables that differ in one record; the worst that can be thought of.
    epsilon : float
        What the mechanism is stated to keep.
    n_runs : int, default=4000
        Runs of each table, half of them for the choice.
    confidence : float, default=0.99
        Of the bound.

    Returns
    -------
    loss : PrivacyLoss

    References
    ----------
    .. [1] Ding, Wang, Wang, Zhang and Kifer (2018). Detecting violations of
       differential privacy. CCS 2018, 475-489.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> def total(X, scale=1.0):
    ...     return X.sum(axis=0) + rng.laplace(scale=scale, size=1)
    >>> pair = np.zeros((3, 1)), np.array([[0.0], [0.0], [1.0]])
    >>> audit_privacy_loss(total, pair, epsilon=1.0).holds
    True
    >>> audit_privacy_loss(lambda X: total(X, 0.5), pair, epsilon=1.0).holds
    False
    """
    n_half = check_count(n_runs, least=20, name="n_runs") // 2
    if not 0.5 <= confidence < 1:
        raise ValueError(f"confidence must be from 0.5 to 1. Got {confidence} instead.")
    alpha = (1 - confidence) / 2  # one for each frequency
    chosen: Any = None
    for one, other in _pairs(neighbours):
        runs = _runs(mechanism, one, other, 2 * n_half)
        event = _choose(_statistics([r[::2] for r in runs], runs), n_half, alpha)
        if chosen is None or event.promise > chosen.promise:
            chosen = event
    often, seldom = chosen.tested
    lower = _log_ratio(np.array(often), np.array(seldom), n_half, alpha)
    return PrivacyLoss(
        epsilon=float(epsilon),
        epsilon_lower=max(0.0, float(lower)),
        confidence=confidence,
        event=chosen.name,
        frequencies=(often / n_half, seldom / n_half),
        n_runs=n_half,
    )


@dataclass(frozen=True)
class _Event:
    """An event, what its choosing runs promise, and its counts in the other runs."""

    name: str
    promise: float
    tested: tuple[int, int]


def _pairs(neighbours: Any) -> Any:
    pairs = neighbours if isinstance(neighbours, list) else [neighbours]
    for pair in pairs:
        if len(pair) != 2 or np.shape(pair[0]) != np.shape(pair[1]):
            raise ValueError(
                "'neighbours' must be a pair of tables of one shape, or a list of such "
                "pairs."
            )
    return [(np.asarray(one), np.asarray(other)) for one, other in pairs]


def _runs(mechanism: Any, one: Any, other: Any, n_runs: Any) -> Any:
    """Outputs of both tables in turn, each of shape (n_runs, n_rows, n_columns)."""
    outputs: list[list[Any]] = [[], []]
    for _ in range(n_runs):
        for table, seen in zip((one, other), outputs, strict=True):
            released = np.asarray(mechanism(table.copy()), dtype=np.float64)
            seen.append(released.reshape(len(released), -1))
    shapes = {released.shape for seen in outputs for released in seen}
    if len(shapes) > 1:
        raise ValueError(
            f"The mechanism must always release one shape. Got {sorted(shapes)}, and a "
            "shape that depends on the table gives it away."
        )
    return [np.array(seen) for seen in outputs]


def _statistics(choosing: Any, runs: Any) -> Any:
    """Names of statistics and their values in all runs, (n_runs, n_statistics) each.

    What is fitted is fitted to the choosing runs.
    """
    n_rows, n_columns = runs[0].shape[1:]
    places = [f"row {i}, column {j}" for i in range(n_rows) for j in range(n_columns)]
    names = [f"value in {place}" for place in places]
    names += [f"ordered value in {place}" for place in places]
    names += [f"distance of rows {i} and {i + 1}" for i in range(n_rows - 1)]
    names += ["likelihood ratio"]
    ratio = _laplace_ratio(*choosing)
    values = [
        np.column_stack(
            [
                outputs.reshape(len(outputs), -1),
                np.sort(outputs, axis=1).reshape(len(outputs), -1),
                np.abs(np.diff(outputs, axis=1)).max(axis=2),
                ratio(outputs),
            ]
        )
        for outputs in runs
    ]
    return names, values


def _laplace_ratio(one: Any, other: Any) -> Any:
    """Logarithm of how much likelier the other table is, if noise is Laplace.

    Centres are medians and scales are mean distances from them; the values of a run
    are taken as independent. Whatever it is fitted to, it is a statistic. Beyond the
    centres it is constant, and clipped so that rounding does not tear that apart: all
    that lies beyond is the event that tells most.
    """
    centres = np.median(one, axis=0), np.median(other, axis=0)
    scale = np.mean(np.abs(one - centres[0]), axis=0)
    scale[scale == 0] = 1.0
    low, high = np.minimum(*centres), np.maximum(*centres)
    weight = np.sign(centres[1] - centres[0]) / scale

    def ratio(outputs: Any) -> Any:
        return (weight * np.clip(outputs, low, high)).sum(axis=(1, 2))

    return ratio


def _choose(statistics: Any, n_half: Any, alpha: Any) -> Any:
    """The event whose bound is highest in the choosing runs, with its other counts."""
    names, (one, other) = statistics
    best = _Event("nothing", -np.inf, (0, 0))
    for name, a, b in zip(names, one.T, other.T, strict=True):
        seen = np.concatenate([a[::2], b[::2]])
        thresholds = np.unique(
            np.quantile(seen, np.linspace(0, 1, N_THRESHOLDS), method="nearest")
        )
        for sign, relation in ((1.0, ">="), (-1.0, "<=")):
            counts = [_at_least(sign * x[::2], sign * thresholds) for x in (a, b)]
            for likelier, rarer in ((0, 1), (1, 0)):
                bound = _log_ratio(counts[likelier], counts[rarer], n_half, alpha)
                at = int(np.argmax(bound))
                if bound[at] > best.promise:
                    least = sign * thresholds[at : at + 1]
                    tested = [int(_at_least(sign * x[1::2], least)[0]) for x in (a, b)]
                    event = f"{name} {relation} {thresholds[at]:.4g}"
                    best = _Event(event, bound[at], (tested[likelier], tested[rarer]))
    return best


def _at_least(values: np.ndarray, thresholds: Any) -> Any:
    """How many values reach each threshold."""
    return values.size - np.searchsorted(np.sort(values), thresholds, side="left")


def _log_ratio(often: Any, seldom: Any, n_runs: Any, alpha: Any) -> Any:
    """Lower bound on the logarithm of a ratio of frequencies (Clopper and Pearson)."""
    lower = np.where(often > 0, beta.ppf(alpha, often, n_runs - often + 1), 0.0)
    upper = np.where(
        seldom < n_runs, beta.ppf(1 - alpha, seldom + 1, n_runs - seldom), 1.0
    )
    with np.errstate(divide="ignore"):
        return np.log(lower / upper)
