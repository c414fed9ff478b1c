"""Inner loops of Mondrian: arrays in, arrays out, no checks, no randomness."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.columns import widest
from microcell.kernels.compiled import njit


class Cuts(NamedTuple):
    """Mondrian in progress.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
    spans : ndarray of shape (n_features,)
        What the widths of each column are divided by; 0 for a constant column.
    rows : ndarray of shape (n_samples,)
        The records, those of a part next to each other.
    stack : ndarray of shape (n, 2)
        Start and stop in `rows` of the parts still to do, the next one last.
    labels : ndarray of shape (n_samples,)
        Cell of each record that has one.
    relaxed : bool
        Whether records at a median are dealt out.
    k : int
    """

    X: np.ndarray
    spans: np.ndarray
    rows: np.ndarray
    stack: np.ndarray
    labels: np.ndarray
    relaxed: bool
    k: int


@njit(cache=True, nogil=True)
def smallest(values, rank):
    """The value with `rank` smaller or equal ones before it; `values` is reordered.

    Quickselect with three-way partitioning, so equal values cost nothing extra, and
    pivots from scattered places, so no order of the table is a bad one.
    """
    low, high = 0, values.shape[0] - 1
    place = 882450377
    while low < high:
        span = high - low + 1
        a, place = values[low + place % span], 48271 * place % 0x7FFFFFFF
        b, place = values[low + place % span], 48271 * place % 0x7FFFFFFF
        c, place = values[low + place % span], 48271 * place % 0x7FFFFFFF
        pivot = max(min(a, b), min(max(a, b), c))
        i, less, more = low, low, high
        while i <= more:
            value = values[i]
            if value < pivot:
                values[i], values[less] = values[less], value
                i += 1
                less += 1
            elif value > pivot:
                values[i], values[more] = values[more], value
                more -= 1
            else:
                i += 1
        if rank < less:
            high = less - 1
        elif rank > more:
            low = more + 1
        else:
            return pivot
    return values[rank]


@njit(cache=True, nogil=True)
def column_widths(X, rows, spans, widths):
    """Fill `widths` with each column's range over `rows`, relative to `spans`."""
    for j in range(X.shape[1]):
        widths[j] = 0.0
        if spans[j] > 0:
            low = high = X[rows[0], j]
            for row in rows:
                low, high = min(low, X[row, j]), max(high, X[row, j])
            widths[j] = (high - low) / spans[j]


@njit(cache=True, nogil=True)
def cut(X, rows, column, relaxed, k, scratch, spare):
    """Reorder `rows` into lower and upper part at the median of `column`.

    Each part keeps the order of the table. Returns the size of the lower part, or 0
    if the cut would leave a part with fewer than k records.
    """
    size = rows.shape[0]
    half = size // 2
    for i in range(size):
        scratch[i] = X[rows[i], column]
    median = smallest(scratch[:size], half - 1)
    n_less, n_equal = 0, 0
    for row in rows:
        n_less += X[row, column] < median
        n_equal += X[row, column] == median
    equal_below = half - n_less if relaxed else n_equal
    n_lower = n_less + equal_below
    if n_lower < k or size - n_lower < k:
        return 0
    lower, upper = 0, n_lower
    for row in rows:
        below = X[row, column] < median
        if X[row, column] == median and equal_below > 0:
            equal_below -= 1
            below = True
        if below:
            spare[lower] = row
            lower += 1
        else:
            spare[upper] = row
            upper += 1
    rows[:] = spare[:size]
    return n_lower


@njit(cache=True, nogil=True)
def mondrian_cells(cuts, depth, n_cells, visits):
    """Cut parts of the table until none is left or `visits` are spent.

    Parameters
    ----------
    cuts : Cuts
        IN, OUT
    depth, n_cells : int
        Parts on the stack; cells so far.
    visits : int
        How many values may be looked at; the part in progress is finished.

    Returns
    -------
    depth, n_cells, n_done : int
        Parts on the stack; cells so far; records put into cells by this call.
    """
    X, rows, stack, k = cuts.X, cuts.rows, cuts.stack, cuts.k
    n_done = 0
    widths = np.empty(X.shape[1])
    scratch, spare = np.empty(rows.shape[0]), np.empty_like(rows)
    while depth > 0 and visits > 0:
        depth -= 1
        start, stop = stack[depth]
        part = rows[start:stop]
        visits -= part.shape[0] * (X.shape[1] + 4)
        n_lower = 0
        if part.shape[0] >= 2 * k:
            column_widths(X, part, cuts.spans, widths)
            while n_lower == 0:
                column = widest(widths)
                if widths[column] == 0.0:
                    break
                n_lower = cut(X, part, column, cuts.relaxed, k, scratch, spare)
                widths[column] = 0.0
        if n_lower == 0:
            cuts.labels[part] = n_cells
            n_cells += 1
            n_done += part.shape[0]
        else:  # the lower part is done first, so it goes on top
            stack[depth] = start + n_lower, stop
            stack[depth + 1] = start, start + n_lower
            depth += 2
    return depth, n_cells, n_done
