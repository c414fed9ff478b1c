"""Records with codes: a mismatch of two codes is one unit of squared distance.

Measured columns come first, then columns of codes. Codes are numbered through: those of
the second column go on where those of the first end, so a code is a place in one array
of counts. A centre, the mean of some records, holds the means of the measured columns,
the share of each code, and for each column of codes half of one plus the sum of squared
shares. The squared distance of a record to it is what it would be if each code were a
coordinate of its own, with a mismatch of two codes at distance one: (1 - 2 f + sum of
f^2) / 2 for a record whose code has the share f. Nothing is expanded.
"""

from typing import NamedTuple

import numpy as np

from microcell._validation import check_positive
from microcell.exceptions import ParameterError
from microcell.kernels.compiled import njit
from microcell.kernels.records import add_to_sum, cell_middles
from microcell.kernels.records import join_nearest_cell as join_nearest_measured_cell

NO_CODE = -1.0  # of a missing value that is a category of its own


class Codes(NamedTuple):
    """Which columns hold codes.

    Attributes
    ----------
    n_measured : int
        Measured columns; all after them hold codes.
    starts : ndarray of shape (n_coded + 1,)
        First code of each column of codes, and the number of all.
    units : ndarray of shape (n_coded,)
        What a mismatch in each of them counts, as a squared distance.
    """

    n_measured: int
    starts: np.ndarray
    units: np.ndarray


def no_codes(n_features):
    """All columns are measured."""
    return Codes(n_features, np.zeros(1, dtype=np.int64), np.empty(0))


def with_codes(X, categorical_features, units=None):
    """A table as the kernels take it; see `split_codes`, and errors."""
    if categorical_features is None:
        return X, no_codes(X.shape[1])
    named = np.asarray(categorical_features)
    is_mask = named.dtype == bool and named.shape == (X.shape[1],)
    is_list = named.ndim == 1 and (named.size == 0 or named.dtype.kind in "iu")
    if is_list and named.size:
        is_list = named.min() >= 0 and named.max() < X.shape[1]
    if not is_mask and not is_list:
        raise ParameterError(
            "categorical_features",
            f"must name columns between 0 and {X.shape[1] - 1}, or be a mask of "
            f"{X.shape[1]} columns. Got {categorical_features!r} instead.",
        )
    named = np.flatnonzero(named) if is_mask else named.astype(np.int64)
    if units is not None:
        units = check_positive(
            "mismatch_units", units, named.size, "categorical features"
        )
    return split_codes(X, named, units)


def split_codes(X, categorical_features, units=None):
    """Measured columns first, then codes, numbered through.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    categorical_features : sequence of int
        Columns that hold codes.
    units : sequence of float, optional
        What a mismatch in each of them counts; 1 by default.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
    codes : Codes

    Examples
    --------
    >>> X = np.array([[7.0, 0.1, 3.0], [5.0, 0.2, 3.0], [7.0, 0.3, 4.0]])
    >>> split_codes(X, [0, 2])[0]
    array([[0.1, 1. , 2. ],
           [0.2, 0. , 2. ],
           [0.3, 1. , 3. ]])
    """
    coded = list(dict.fromkeys(int(column) for column in categorical_features))
    measured = [j for j in range(X.shape[1]) if j not in set(coded)]
    n_measured = len(measured)
    ordered = np.empty(X.shape)
    ordered[:, :n_measured] = X[:, measured]
    starts = [0]
    for place, column in enumerate(coded, start=n_measured):
        values, numbers = np.unique(X[:, column], return_inverse=True)
        ordered[:, place] = starts[-1] + numbers
        starts.append(starts[-1] + len(values))
    units = np.ones(len(coded)) if units is None else np.asarray(units, np.float64)
    return ordered, Codes(n_measured, np.array(starts, dtype=np.int64), units)


def sums_of_codes(X_original, X_released, nominal, units, about="shares"):
    """Mismatches of all codes, and how far they are from the middle of the table.

    `about` says from what: from the shares of codes, as squared distances, or from the
    most frequent code ("mode"), as mismatches.
    """
    mismatches = spread = 0.0
    for column, unit in zip(nominal, units, strict=True):
        codes = X_original[:, column]
        mismatches += unit * float(np.sum(codes != X_released[:, column]))
        counts = np.unique(codes, return_counts=True)[1]
        if about == "mode":
            spread += unit * (len(codes) - counts.max())
        else:
            spread += unit * (len(codes) - np.sum(counts * (counts / len(codes)))) / 2
    return float(mismatches), float(spread)


@njit(cache=True, nogil=True)
def add_record(total, lost, record, sign, n_measured):
    """Add a record to the running sum: its measures, and one to each of its codes."""
    add_to_sum(total[:n_measured], lost[:n_measured], record[:n_measured], sign)
    for j in range(n_measured, record.shape[0]):
        total[n_measured + np.int64(record[j])] += sign


@njit(cache=True, nogil=True)
def sum_of_records(X, codes):
    """Running sum of all records, as the pair (total, lost)."""
    length = codes.n_measured + codes.starts[-1]
    total, lost = np.zeros(length), np.zeros(length)
    for i in range(X.shape[0]):
        add_record(total, lost, X[i], 1.0, codes.n_measured)
    return total, lost


@njit(cache=True, nogil=True)
def centre_of(total, lost, count, codes):
    """Centre of the records behind a running sum."""
    n_shares, n_coded = total.shape[0], codes.starts.shape[0] - 1
    centre = np.empty(n_shares + n_coded)
    for place in range(n_shares):
        centre[place] = (total[place] + lost[place]) / count
    for column in range(n_coded):
        squares = 0.0
        for code in range(codes.starts[column], codes.starts[column + 1]):
            share = centre[codes.n_measured + code]
            squares += share * share
        centre[n_shares + column] = 0.5 + 0.5 * squares
    return centre


@njit(cache=True, nogil=True)
def distance_to_centre(record, centre, codes):
    """Squared distance of a record to a centre."""
    total, n_measured = 0.0, codes.n_measured
    for j in range(n_measured):
        difference = record[j] - centre[j]
        total += difference * difference
    halves = centre.shape[0] - record.shape[0]  # where those of column j begin
    for j in range(n_measured, record.shape[0]):
        share = centre[n_measured + np.int64(record[j])]
        total += codes.units[j - n_measured] * (centre[halves + j] - share)
    return total if total > 0.0 else 0.0


@njit(cache=True, nogil=True)
def distance_of_centres(a, b, codes):
    """Squared distance of two centres."""
    n_measured, total = codes.n_measured, 0.0
    for j in range(n_measured):
        difference = a[j] - b[j]
        total += difference * difference
    for column in range(codes.units.shape[0]):
        squares = 0.0
        for code in range(codes.starts[column], codes.starts[column + 1]):
            difference = a[n_measured + code] - b[n_measured + code]
            squares += difference * difference
        total += codes.units[column] * 0.5 * squares
    return total


def distances_to_centre(X, centre, codes):
    """Squared distance of each record to a centre, as `distance_to_centre` adds up."""
    n_measured = codes.n_measured
    distances = np.zeros(X.shape[0])
    for column, value in zip(X.T[:n_measured], centre, strict=False):
        distances += (column - value) ** 2
    halves = centre.shape[0] - X.shape[1]
    for j in range(n_measured, X.shape[1]):
        shares = centre[n_measured + X[:, j].astype(np.int64)]
        distances += codes.units[j - n_measured] * (centre[halves + j] - shares)
    return np.maximum(distances, 0.0)


def join_nearest_cell(X, rows, labels, n_cells, codes):
    """Label each of a few `rows` with the cell of the nearest centre; see `records`."""
    if codes.starts.shape[0] == 1:
        join_nearest_measured_cell(X, rows, labels, n_cells)
        return
    placed = np.flatnonzero(labels >= 0)
    cells, n_measured, n_codes = labels[placed], codes.n_measured, codes.starts[-1]
    sizes = np.bincount(cells, minlength=n_cells)
    middles = cell_middles(X[:, :n_measured], labels, sizes)
    distances = np.zeros((len(rows), n_cells))
    for j in range(n_measured):
        distances += (X[rows, j, None] - middles[:, j]) ** 2
    for j in range(n_measured, X.shape[1]):
        numbers = X[:, j].astype(np.int64)
        pairs, counts = np.unique(cells * n_codes + numbers[placed], return_counts=True)
        squares = np.bincount(
            pairs // n_codes, (counts / sizes[pairs // n_codes]) ** 2, n_cells
        )
        for place, code in enumerate(numbers[rows]):
            own = cells[numbers[placed] == code]
            shares = np.bincount(own, minlength=n_cells) / sizes
            gaps = 0.5 + 0.5 * squares - shares
            distances[place] += codes.units[j - n_measured] * gaps
    labels[rows] = np.argmin(distances, axis=1)
