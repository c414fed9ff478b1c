"""Attacks on the cells of a release by those who know much of the original."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from microcell._validation import (
    check_at_least,
    check_count,
    check_labels,
    check_same_shape,
)
from microcell.aggregate import cell_means
from microcell.metrics._distance_linkage import sampled_linkage_risks

SAME = 1e-9  # relative: distances that differ by less are the same
QUADRATURE = (np.arange(24) + 0.5) / 24  # midpoints in an interval of possible values


class DifferentialAttack(NamedTuple):
    """What an attacker learns who knows all records of a cell but one.

    Both figures are root mean square errors over all records and columns, in units of
    the columns' standard deviations: 0 is the exact record.

    Attributes
    ----------
    error : float
        Of the guess with the release.
    error_without : float
        Of the guess without the release: the mean of the known records. What `error`
        is below that is what the release tells this attacker.
    """

    error: float
    error_without: float


def differential_attack(
    X_original: ArrayLike,
    X_released: ArrayLike,
    labels: ArrayLike,
    *,
    rho: float | None = None,
    centre: bool = False,
) -> DifferentialAttack:
    """Error of the best guess of the last record of a cell from all others.

    A Bayes attacker: before the release, the last value is normal around the mean of
    the known ones, as far from it as values of this column are on average. Of plain
    microaggregation the centroid gives it exactly. Of noise with bounds (`rho`), each
    candidate says where all released values of the cell have to lie: those that leave
    one outside are impossible, and those that need less room are more likely. Of other
    noise, the mean of the released values is weighed against the guess without by how
    far it is off on average. The guess is the mean of what is left.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    labels : array-like of shape (n_samples,)
        Cell of each record; cells of two or more.
    rho : float, optional
        Of a release by `RandomRho`; 1 of one by `WrapNoise`. The recipe, which the
        attacker has, says it.
    centre : bool, default=False
        As in `RandomRho`.

    Returns
    -------
    attack : DifferentialAttack

    Examples
    --------
    >>> X = [[790, 55], [710, 44], [720, 33]]
    >>> X_released = [[740, 44], [740, 44], [740, 44]]
    >>> differential_attack(X, X_released, [0, 0, 0]).error
    0.0
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    labels = check_labels(labels, X_original.shape[0], k=2)
    if rho is not None:
        rho = check_at_least("rho", rho, 0, most=1)
    sizes = np.bincount(labels)[labels, None]
    middle = cell_means(X_original, labels)[labels]
    without = (X_original - middle) * sizes / (sizes - 1)  # own - mean of the others
    typical = np.sqrt(np.mean(without**2, axis=0))
    # size * released mean - the others = own + size * (released mean - mean)
    error = sizes * (cell_means(X_released, labels)[labels] - middle)
    off = np.mean(error**2, axis=0)
    trust = typical**2 / np.where(typical > 0, typical**2 + off, 1.0)
    error = trust * error - (1 - trust) * without
    if rho:
        for j, column in enumerate(X_original.T):
            if typical[j] > 0:
                guess = _bounded_guess(
                    column, X_released[:, j], labels, rho, centre, typical[j]
                )
                there = ~np.isnan(guess)
                error[there, j] = (guess - column)[there]
    spread = X_original.std(axis=0)
    spread[np.ptp(X_original, axis=0) == 0] = 1.0
    return DifferentialAttack(
        float(np.sqrt(np.mean((error / spread) ** 2))),
        float(np.sqrt(np.mean((without / spread) ** 2))),
    )


def _bounded_guess(
    x: np.ndarray,
    released: np.ndarray,
    labels: np.ndarray,
    rho: float,
    centre: bool,
    typical: float,
) -> np.ndarray:
    """Mean of what the last value may be, given all others and where noise ends.

    The ends of the noise are linear in the unknown value between a few points, so that
    each piece has one interval of possible values; the posterior is summed over those.
    NaN where rounding leaves none.
    """
    sizes = np.bincount(labels)[labels].astype(float)
    others = np.bincount(labels, x)[labels] - x
    low, high = _ends_of_others(x, labels)
    least, most = _ends(released, labels)
    slack = SAME * (np.abs(x).max() + typical)
    prior = others / (sizes - 1)
    far = sizes * (np.maximum(high, most) - np.minimum(low, least)) + 8 * typical

    def ends(value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where noise begins and ends if this is the value, for each record."""
        shape = (-1,) + (1,) * (value.ndim - 1)
        least_of, most_of = low.reshape(shape), high.reshape(shape)
        mean = (others.reshape(shape) + value) / sizes.reshape(shape)
        below = mean - np.minimum(least_of, value)
        above = np.maximum(most_of, value) - mean
        if centre:
            below = above = np.minimum(below, above)
        return mean - rho * below, mean + rho * above

    knots = [prior + step * typical for step in (-8, -4, -2, -1, 0, 1, 2, 4, 8)]
    knots += [prior - far, low, high, prior + far]
    if centre:  # where the nearer end of the range changes
        room = np.maximum(sizes - 2, SAME)
        knots.append(sizes * (low + high) / 2 - others)
        knots += [(2 * others - sizes * end) / room for end in (low, high)]
    pieces = np.sort(np.clip(np.array(knots), prior - far, prior + far), axis=0).T
    begins, stops = ends(pieces)
    first, last = _possible(begins - least[:, None] - slack)
    other_first, other_last = _possible(most[:, None] - stops - slack)
    first, last = np.maximum(first, other_first), np.minimum(last, other_last)
    width = np.diff(pieces, axis=1)
    points = first[..., None] + (last - first).clip(0)[..., None] * QUADRATURE
    points = pieces[:, :-1, None] + width[..., None] * points
    weight = width * (last - first).clip(0)
    begin, stop = ends(points)
    room = np.maximum(stop - begin, slack)
    with np.errstate(divide="ignore"):
        log = np.log(weight)[..., None] - sizes[:, None, None] * np.log(room)
    log -= ((points - prior[:, None, None]) / typical) ** 2 / 2
    top = log.max(axis=(1, 2), keepdims=True)
    with np.errstate(invalid="ignore"):  # nothing is possible: no guess
        chance = np.exp(log - top)
        guess = (chance * points).sum(axis=(1, 2)) / chance.sum(axis=(1, 2))
    return np.where(np.isfinite(top[:, 0, 0]), guess, np.nan)


def _possible(excess: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """From where to where in each piece a linear function is at most 0, as shares."""
    left, right = excess[:, :-1], excess[:, 1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = left / (left - right)
    first = np.where(left <= 0, 0.0, np.where(right <= 0, crossing, 1.0))
    last = np.where(right <= 0, 1.0, np.where(left <= 0, crossing, 0.0))
    return first, last


def _ends(x: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest value of each record's cell."""
    low = np.full(labels.max() + 1, np.inf)
    high = -low
    np.minimum.at(low, labels, x)
    np.maximum.at(high, labels, x)
    return low[labels], high[labels]


def _ends_of_others(x: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest value of each record's cell without its own."""
    order = np.lexsort((x, labels))
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    stops = np.append(starts[1:], len(x)) - 1
    sizes = np.bincount(labels)[labels[order[starts]]]
    low = np.repeat(x[order[starts]], sizes)
    high = np.repeat(x[order[stops]], sizes)
    low[starts], high[stops] = x[order[starts + 1]], x[order[stops - 1]]
    found = np.empty((2, len(x)))
    found[:, order] = low, high
    return found[0], found[1]


def centroid_linkage_risk(
    X_original: ArrayLike, X_released: ArrayLike, labels: ArrayLike, *, top: int = 1
) -> float:
    """Share of the records nearest to their cell's centroid that linkage finds.

    Microaggregation hardly changes the record in the middle of a cell, so the original
    nearest to a centroid is often the right one. Of each cell one record is looked at,
    the one nearest to its centroid, with the intruder of `distance_linkage_risk`: the
    `top` originals nearest to a released record are named, ties in equal shares.

    Best is 0. Distances are Euclidean in the units given: scale both tables in the
    same way first.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    labels : array-like of shape (n_samples,)
        Cell of each record.
    top : int, default=1
        How many candidates the intruder may name.

    Returns
    -------
    risk : float
        Between 0 and 1.

    Examples
    --------
    >>> X = [[0.0], [1.0], [5.0], [20.0], [30.0], [31.0]]
    >>> X_released = [[2.0], [2.0], [2.0], [27.0], [27.0], [27.0]]
    >>> centroid_linkage_risk(X, X_released, [0, 0, 0, 1, 1, 1])
    1.0
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    labels = check_labels(labels, X_original.shape[0], k=1)
    top = min(check_count(top, 1, "top"), X_original.shape[0])
    gaps = np.sum((X_original - cell_means(X_original, labels)[labels]) ** 2, axis=1)
    order = np.lexsort((gaps, labels))
    _, starts = np.unique(labels[order], return_index=True)
    inner = order[starts]
    known = [list(range(X_original.shape[1]))]
    return sampled_linkage_risks(X_original, X_released, inner, known, top=top)[0]
