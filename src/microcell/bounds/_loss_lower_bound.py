"""What no partition can do better than: a lower bound of SSE / SST."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from microcell._centre import centred_and_small
from microcell._validation import (
    check_at_least,
    check_choice,
    check_k,
    check_labels,
    mismatch_units,
)
from microcell.base import Units
from microcell.bounds._column_generation import column_bound
from microcell.bounds._neighbour_bound import neighbour_bound
from microcell.exceptions import InputError, ParameterError
from microcell.kernels.codes import Codes, split_codes, sums_of_codes

LOWER_BOUNDS = ("auto", "columns", "neighbours")
COLUMNS_UP_TO = {5: 5_000, 10: 1_500}  # records, by k
_EPSILON = float(np.finfo(np.float64).eps)


def loss_lower_bound(
    X: ArrayLike,
    k: int,
    *,
    nominal: Sequence[int] = (),
    units: Units | None = None,
    method: str = "auto",
    labels: ArrayLike | None = None,
    seconds: float | None = None,
) -> float:
    """Share of the variance that every partition into cells of k loses, SSE / SST.

    No partition of these records into cells of at least `k`, found or not, has a
    smaller `sse_loss` when each record is published as the centroid of its cell. The
    distance of a partition's loss to the bound is the most that a better search could
    still gain. The value lies between 0 and 1; 0 says nothing.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Records in the geometry that losses are counted in: standardise first to give
        each column the same say.
    k : int
        Least number of records in a cell; 1 loses nothing.
    nominal : sequence of int, optional
        Columns that hold codes: two that differ are at a squared distance of one unit,
        and a cell loses the sum over its pairs, divided by its size. A release of the
        most frequent code loses at least as much.
    units : sequence of float, optional
        What a mismatch in each of these columns counts instead.
    method : {"auto", "columns", "neighbours"}, default="auto"
        "neighbours" counts how far each record is from its nearest neighbours, with
        multipliers that keep a record from being everybody's neighbour: seconds for
        100,000 records. "columns" is the value of the linear programme that covers the
        records by sets of k, and the highest of the two: for some thousands of records
        and small k. "auto" takes "columns" for up to 5,000 records with k up to 5, for
        up to 1,500 with k up to 10, and else "neighbours".
    labels : array-like of shape (n_samples,), optional
        A good partition into cells of at least k, from which "columns" starts; only a
        help, the bound holds for all partitions.
    seconds : float, optional
        When "columns" ends with the best bound so far. By default it ends when nothing
        is gained, and the bound is the same each time.

    Returns
    -------
    bound : float
        Fewer than 2 k records are one cell, and the bound is 1. A constant table has
        no variance to lose, and the bound is 0.

    Notes
    -----
    A cell of more than k records is a mix of its subsets of k at no higher cost, so
    only these count. A set G of k records loses the sum over its pairs of
    :math:`d_{ij} / k`, with squared distances d. For any multipliers q, one for each
    record, each of its members i pays at least half of its k - 1 least
    :math:`(d_{ij} - q_j) / k`, over all other records j, so

    .. math:: 2k\\,SSE \\ge (k - 1) \\sum_j q_j + \\sum_i \\min_{|N| = k - 1}
              \\sum_{j \\in N, j \\ne i} (d_{ij} - q_j).

    Good multipliers are the balance between both sides: q_i, and the k-th least of
    :math:`d_{ij} - q_j`, meet halfway, which never lowers the bound where the lists of
    neighbours are long enough. Whatever they are, the sum is over all records. It costs
    three searches of up to 2 k + 6 neighbours for each record: near n log n in few
    columns, n squared at worst.

    "columns" gives each record a price, so that no set of k loses less than the prices
    of its records: the sum of prices is a bound [1]_. An interior point method finds
    prices for the sets known so far, and a search by branch and bound the sets that
    undercut them. Let a set with the root i, the member that is nearest to the others,
    undercut prices :math:`p` by at most :math:`u_i \\ge 0`. Then, for any prices,

    .. math:: SSE \\ge \\sum_i p_i - \\max_{|R| = n / k} \\sum_{i \\in R} u_i,

    so a search that is cut short still gives a bound. Each round costs n squared
    distances, and branches that grow quickly with k.

    Rounding is subtracted: all that it can add to the sums, by the usual count of
    operations, and to the table when it is centred.

    References
    ----------
    .. [1] Aloise, Hansen, Rocha and Santi (2014). Column generation bounds for
       numerical microaggregation. J. Global Optim. 60, 165-182.

    Examples
    --------
    >>> from microcell.metrics import sse_loss
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> round(loss_lower_bound(X, 3, method="neighbours"), 4)
    0.026
    >>> round(sse_loss(X, [[1.0], [1.0], [1.0], [11.0], [11.0], [11.0]]), 4)
    0.026
    """
    check_choice("method", method, LOWER_BOUNDS)
    k = check_k(k)
    X = _checked(X)
    if X.shape[0] < k:
        raise InputError(
            f"n_samples={X.shape[0]} should be >= k={k}. Lower k or add records.",
            option="k",
        )
    if method == "neighbours" and (labels is not None or seconds is not None):
        name = "labels" if labels is not None else "seconds"
        raise ParameterError(
            name, "is for the method 'columns'. Leave it out, or choose that method."
        )
    if labels is not None:
        labels = check_labels(np.asarray(labels), X.shape[0], k)
    if seconds is not None:
        seconds = check_at_least("seconds", seconds, 0)
    records, codes, sst = loss_geometry(X, nominal, units)
    if k == 1 or not sst > 0:
        return 0.0
    if X.shape[0] < 2 * k:
        return 1.0  # one cell
    if _takes_columns(X.shape[0], k, method):
        found = column_bound(records, codes, k, labels=labels, seconds=seconds)
        return certified_share(found.bound, sst)
    return certified_share(neighbour_bound(records, codes, k), sst)


def _takes_columns(n_samples: int, k: int, method: str) -> bool:
    most = [records for most_k, records in COLUMNS_UP_TO.items() if k <= most_k]
    return method == "columns" or (
        method == "auto" and n_samples <= max(most, default=0)
    )


def _checked(X: ArrayLike) -> NDArray[np.float64]:
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or 0 in X.shape:
        raise InputError(
            f"X must be a table of records and columns. Got shape {X.shape} instead."
        )
    if not np.isfinite(X).all():
        raise InputError("X contains NaN or infinity.")
    return X


def loss_geometry(
    X: np.ndarray, nominal: Iterable[int] = (), units: Units | None = None
) -> tuple[np.ndarray, Codes, float]:
    """A table whose squared distances and their sums stay in range.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    nominal, units
        As `sse_loss` takes them.

    Returns
    -------
    records : ndarray of shape (n_samples, n_features)
        Measured columns about their mean, times a power of two; then codes.
    codes : Codes
    sst : float
        Squared distances to the centre of all records, in units of the same power.
    """
    nominal = [int(column) for column in nominal]
    if len(set(nominal)) < len(nominal) or not set(nominal) <= set(range(X.shape[1])):
        raise ParameterError(
            "nominal",
            f"must name different columns between 0 and {X.shape[1] - 1}. "
            f"Got {nominal} instead.",
        )
    units = mismatch_units(nominal, units)
    spread = sums_of_codes(X, X, nominal, units)[1]
    records, codes = split_codes(X, nominal, units)
    exponent = 0
    if codes.n_measured > 0:
        measured, exponent = centred_and_small(records[:, : codes.n_measured])
        if len(nominal) > 0:  # codes may be far more, or far less, than measures
            least = math.frexp(float(units.max()))[1] // 2
            measured = np.ldexp(measured, exponent - max(exponent, least))
            exponent = max(exponent, least)
        records[:, : codes.n_measured] = measured
    codes = codes._replace(units=np.ldexp(units, -2 * exponent))
    squares = np.square(records[:, : codes.n_measured])
    sst = float(np.sum(squares)) + float(np.ldexp(spread, -2 * exponent))
    return records, codes, sst


def certified_share(sse: float, sst: float) -> float:
    """A lower bound of SSE / SST, with the rounding of table and total taken off.

    Centring moves the records by no more than 3 epsilon of their spread, so the root of
    SSE by no more than that of the root of SST; the total is right to far better than
    1e-13.
    """
    if not sse > 0:
        return 0.0
    root = math.sqrt(sse / sst) - 4 * _EPSILON
    return min(1.0, root * root * (1 - 1e-13)) if root > 0 else 0.0
