"""A lower bound of SSE from the nearest neighbours of each record.

With multipliers q, one for each record, the k - 1 least of d_ij - q_j are those of the
nearest records in a table with one more column, in which record j has the root of
max q - q_j and the record that asks has 0. So the same search that finds neighbours
proves that no other record is missing from the sum.
"""

import math

import numpy as np

from microcell._progress import report
from microcell.bounds._neighbour_bound_kernel import (
    meet_halfway,
    nearest_by_power,
    sums_of_least,
)
from microcell.kernels.box_tree import make_box_tree
from microcell.kernels.codes import Codes
from microcell.kernels.threads import in_slices

_ROUNDS = 12  # between two searches
ASKING_AT_ONCE = 4096  # of a thread
_STEP = "bounding the loss"


def neighbour_bound(X: np.ndarray, codes: Codes, k: int) -> float:
    """Lower bound of the SSE of all partitions of X into cells of at least k.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        At least 2 k records; measured columns first, then codes.
    codes : Codes
    k : int
        At least 2.

    Returns
    -------
    bound : float
        Rounding is taken off.
    """
    return balanced_multipliers(X, codes, k)[0]


def balanced_multipliers(
    X: np.ndarray, codes: Codes, k: int
) -> tuple[float, np.ndarray]:
    """The bound, and the multipliers that gave it.

    Returns
    -------
    bound : float
    q : ndarray of shape (n_samples,)
    """
    n_samples = X.shape[0]
    q = np.zeros(n_samples)
    best, best_q = 0.0, q
    lists = (2 * k + 6, k + 4, k - 1)  # what multipliers move by, and at last the proof
    for done, wanted in enumerate(lists):
        report(done, len(lists), _STEP)
        wanted = min(wanted, n_samples - 1)
        rows, distances, reach = power_neighbours(X, codes, q, wanted)
        value = certified_sum(rows, distances, reach, q, k, X.shape[1])
        if value > best:
            best, best_q = value, q
        if wanted >= k:
            q = balanced(rows, distances, q, k)
    report(len(lists), len(lists), _STEP)
    return best, best_q


def power_neighbours(
    X: np.ndarray, codes: Codes, q: np.ndarray, wanted: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The `wanted` other records j with the least d_ij - q_j, of each record i.

    Returns
    -------
    rows : int32 ndarray of shape (n_samples, wanted)
        In no order.
    distances : ndarray of shape (n_samples, wanted)
        Squared distances to them, without q.
    reach : ndarray of shape (n_samples,)
        Largest d_ij - q_j + max q that the search has decided by.
    """
    n_samples = X.shape[0]
    lifted = np.empty((n_samples, X.shape[1] + 1))
    lifted[:, 0] = np.sqrt(q.max() - q)
    lifted[:, 1:] = X
    lifted_codes = codes._replace(n_measured=codes.n_measured + 1)
    centre = lifted[:, : lifted_codes.n_measured].mean(axis=0)
    tree = make_box_tree(lifted, centre, lifted_codes)
    rows = np.empty((n_samples, wanted), dtype=np.int32)
    distances, reach = np.empty((n_samples, wanted)), np.empty(n_samples)

    def search(some: slice) -> None:
        asking = tree.rows[:n_samples][some]  # neighbours look into the same boxes
        nearest_by_power(tree, X, codes, asking, rows, distances, reach)

    in_slices(search, n_samples, ASKING_AT_ONCE)
    return rows, distances, reach


def balanced(
    rows: np.ndarray, distances: np.ndarray, q: np.ndarray, k: int
) -> np.ndarray:
    """Multipliers after some rounds of meeting the other side halfway."""
    for _ in range(_ROUNDS):
        moved = np.empty_like(q)

        def meet(some: slice, q: np.ndarray = q, moved: np.ndarray = moved) -> None:
            meet_halfway(rows[some], distances[some], q, k, q[some], moved[some])

        in_slices(meet, q.shape[0], ASKING_AT_ONCE)
        q = moved
    return q


def certified_sum(
    rows: np.ndarray,
    distances: np.ndarray,
    reach: np.ndarray,
    q: np.ndarray,
    k: int,
    n_features: int,
) -> float:
    """The bound for lists that hold the k - 1 least of all records, less rounding.

    A squared distance is right to n_features + 3 units of rounding, a sum of k - 1
    differences to k more of what goes into it; the search decides by lifted distances
    that are right to n_features + 8 units of the last that it took.
    """
    sums, sizes = np.empty_like(q), np.empty_like(q)

    def add_up(some: slice) -> None:
        sums_of_least(rows[some], distances[some], q, k, sums[some], sizes[some])

    in_slices(add_up, q.shape[0], ASKING_AT_ONCE)
    unit = float(np.finfo(np.float64).eps)
    rounding = (n_features + k + 8) * unit * math.fsum(sizes)
    rounding += 2 * (k - 1) * (n_features + 9) * unit * math.fsum(reach)
    doubled = (k - 1) * math.fsum(q) + math.fsum(sums) - rounding
    return (doubled - 4 * unit * abs((k - 1) * math.fsum(q))) / (2 * k)
