"""What the release loses of the records' variance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from microcell._centre import centred_and_small, times_power_of_two
from microcell._validation import check_same_shape, mismatch_units
from microcell.kernels.codes import sums_of_codes

if TYPE_CHECKING:
    from microcell.base import Units


def sse_loss(
    X_original: ArrayLike,
    X_released: ArrayLike,
    *,
    nominal: Sequence[int] = (),
    units: Units | None = None,
) -> float:
    """Share of the variance that the release loses, SSE / SST.

    Best is 0, nothing changed; one centroid for all gives 1; noise can give more.
    Columns count by their variance: standardise both tables with the original's mean
    and standard deviation to give each the same say.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    nominal : sequence of int, optional
        Columns that hold codes: a mismatch counts as one unit, as if each code were a
        coordinate of its own.
    units : sequence of float, optional
        What a mismatch in each of these columns counts instead.

    Returns
    -------
    loss : float
        A constant original has no variance to lose: 0 if nothing changed, else 1.

    Examples
    --------
    >>> sse_loss([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    0.038...
    """
    return _ratio(X_original, X_released, nominal, units, about="shares")


def relative_loss(
    X_original: ArrayLike,
    X_released: ArrayLike,
    *,
    nominal: Sequence[int] = (),
    units: Units | None = None,
) -> float:
    """What the release loses as a share of what one cell of all records would lose.

    Best is 0, nothing changed. 1 is as bad as the mean of each number and the most
    frequent of each category in the place of everybody, or worse: noise, or a
    representative farther away than that, counts 1. Means and most frequent values of
    any cells lose at most 1 by themselves.

    Parameters
    ----------
    X_original, X_released, nominal, units
        As `sse_loss` takes them.

    Returns
    -------
    loss : float
        Of numbers alone it is `sse_loss`, at most 1. A constant original has nothing
        to lose: 0 if nothing changed, else 1.

    Examples
    --------
    >>> relative_loss([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    0.038...
    >>> codes, most_frequent = [[0.0], [0.0], [0.0], [1.0]], [[0.0]] * 4
    >>> relative_loss(codes, most_frequent, nominal=[0])
    1.0
    >>> round(sse_loss(codes, most_frequent, nominal=[0]), 2)
    1.33
    """
    return min(_ratio(X_original, X_released, nominal, units, about="mode"), 1.0)


def _ratio(
    X_original: ArrayLike, X_released: ArrayLike, nominal: Any, units: Any, about: str
) -> float:
    """Squared changes as a share of squared distances to the middle of the table."""
    X_original, X_released = check_same_shape(X_original, X_released)
    units = mismatch_units(nominal, units)
    mismatches, spread = sums_of_codes(X_original, X_released, nominal, units, about)
    if len(list(nominal)) > 0:
        X_original = np.delete(X_original, list(nominal), axis=1)
        X_released = np.delete(X_released, list(nominal), axis=1)
    if X_original.shape[1] == 0:
        return mismatches / spread if spread > 0 else float(mismatches > 0)
    centred, exponent = centred_and_small(X_original)
    before, after = max(exponent, 0), min(exponent, 0)  # neither may overflow
    with np.errstate(over="ignore"):  # a loss beyond all numbers is infinite
        sst = np.sum(np.square(centred, out=centred))
        sst += np.ldexp(spread, -2 * exponent)
        del centred
        changes = times_power_of_two(X_original, -before)
        changes -= times_power_of_two(X_released, -before)
        times_power_of_two(changes, -after, out=changes)
        sse = np.sum(np.square(changes, out=changes))
        sse += np.ldexp(mismatches, -2 * exponent)
    return float(sse / sst) if sst > 0 else float(sse > 0)


def mse_distortion(
    X_original: ArrayLike,
    X_released: ArrayLike,
    *,
    nominal: Sequence[int] = (),
    units: Units | None = None,
    n_attributes: int | None = None,
) -> float:
    """Mean squared change of a value, over all records and columns.

    On columns of unit variance it equals `sse_loss`.

    Parameters
    ----------
    X_original, X_released : array-like of shape (n_samples, n_features)
        Tables with the same records in the same order.
    nominal : sequence of int, optional
        Columns that hold codes: a mismatch is a change of one unit.
    units : sequence of float, optional
        What a mismatch in each of these columns counts instead.
    n_attributes : int, optional
        How many attributes the columns stand for, if one has several; by default each
        column is one.

    Examples
    --------
    >>> mse_distortion([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    1.0
    """
    X_original, X_released = check_same_shape(X_original, X_released)
    with np.errstate(over="ignore"):  # a change beyond all numbers is infinite
        changes = (X_original - X_released) ** 2
    units = mismatch_units(nominal, units)
    changes[:, list(nominal)] = (changes[:, list(nominal)] > 0) * units
    if n_attributes is None:
        return float(np.mean(changes))
    return float(np.sum(changes) / (len(changes) * n_attributes))
