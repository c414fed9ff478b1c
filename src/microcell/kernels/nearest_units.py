"""The nearest of some units (prototypes, centres) to each record, by a full scan.

Squared distances add up in column order and ties go to the earlier unit, whatever the
number of threads. A product of matrices finds the unit; only where rounding leaves a
doubt are all distances added up, 16 units side by side.
"""

import numpy as np

from microcell.kernels.box_tree import LANES
from microcell.kernels.compiled import njit
from microcell.kernels.records import squared_distance
from microcell.kernels.threads import in_slices, one_thread_for_products

DISTANCES_AT_ONCE = 20_000_000  # of a thread: a fraction of a second
PRODUCTS_AT_ONCE = 500_000  # of a thread, so that they stay in its cache
ROUNDING_OF_PRODUCTS = 1e-15  # a few times what a float rounds to


def nearest_units(X, units):
    """Nearest unit of each record, and the squared distance to it.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Quickest about their mean, where products lose least.
    units : ndarray of shape (n_units, n_features)

    Returns
    -------
    nearest : ndarray of shape (n_samples,)
    distances : ndarray of shape (n_samples,)

    Examples
    --------
    >>> nearest_units(np.array([[1.0], [4.0]]), np.array([[0.0], [2.0], [5.0]]))
    (array([0, 2]), array([1., 1.]))
    """
    n_samples, n_features = X.shape
    nearest = np.empty(n_samples, dtype=np.int64)
    squares = np.square(units).sum(axis=1)
    reach = np.sqrt(np.square(X).sum(axis=1)) + np.sqrt(squares.max())
    doubt = ROUNDING_OF_PRODUCTS * (n_features + 4) * reach**2
    is_sure = np.empty(n_samples, dtype=np.bool_)
    columns = np.ascontiguousarray(-2 * units.T)

    def multiply(some):
        products = X[some] @ columns
        least_of_rows(products, squares, doubt[some], nearest[some], is_sure[some])

    with one_thread_for_products():
        in_slices(multiply, n_samples, max(1, PRODUCTS_AT_ONCE // units.shape[0]))
    distances = distances_to(X, units, nearest)
    rows = np.flatnonzero(~is_sure)
    if rows.size:
        nearest[rows], distances[rows] = scanned_units(X[rows], units)
    return nearest, distances


def scanned_units(X, units):
    """The same as `nearest_units` by all distances."""
    nearest = np.empty(X.shape[0], dtype=np.int64)
    distances = np.empty(X.shape[0])
    packed = pack(units)

    def search(some):
        nearest_in_lanes(X[some], packed, nearest[some], distances[some])

    in_slices(search, X.shape[0], max(1, DISTANCES_AT_ONCE // units.shape[0]))
    return nearest, distances


@njit(cache=True, nogil=True)
def least_of_rows(products, squares, doubt, nearest, is_sure):
    """Fill the place of the least product plus square, and whether it is clear."""
    n_units = squares.shape[0]
    for i in range(products.shape[0]):
        best, second, place = np.inf, np.inf, 0
        for j in range(n_units):
            value = products[i, j] + squares[j]
            if value < second:
                if value < best:
                    best, second, place = value, best, j
                else:
                    second = value
        nearest[i] = place
        is_sure[i] = second - best > doubt[i]


@njit(cache=True, nogil=True)
def distances_to(X, units, nearest):
    """Squared distance of each record to its unit."""
    distances = np.empty(X.shape[0])
    for i in range(X.shape[0]):
        distances[i] = squared_distance(X[i], units[nearest[i]])
    return distances


def pack(units):
    """Units in groups of 16, shape (n_groups, n_features, 16); infinity fills up."""
    n_units, n_features = units.shape
    n_groups = -(-n_units // LANES)
    filled = np.full((n_groups * LANES, n_features), np.inf)
    filled[:n_units] = units
    lanes = filled.reshape(n_groups, LANES, n_features).transpose(0, 2, 1)
    return np.ascontiguousarray(lanes)


@njit(cache=True, nogil=True)
def nearest_in_lanes(X, packed, nearest, distances):
    """Fill `nearest` and `distances` for each row of X."""
    n_groups, n_features = packed.shape[0], packed.shape[1]
    best, group_of = np.empty(LANES), np.empty(LANES, dtype=np.int64)
    sums = np.empty(LANES)
    for i in range(X.shape[0]):
        best[:] = np.inf
        group_of[:] = 0
        for group in range(n_groups):
            sums[:] = 0.0
            for j in range(n_features):
                value = X[i, j]
                for lane in range(LANES):
                    gap = packed[group, j, lane] - value
                    sums[lane] += gap * gap
            for lane in range(LANES):
                is_nearer = sums[lane] < best[lane]
                best[lane] = sums[lane] if is_nearer else best[lane]
                group_of[lane] = group if is_nearer else group_of[lane]
        found = 0
        for lane in range(1, LANES):
            if best[lane] < best[found] or (
                best[lane] == best[found] and group_of[lane] < group_of[found]
            ):
                found = lane
        nearest[i] = group_of[found] * LANES + found
        distances[i] = best[found]
