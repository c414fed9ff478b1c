"""Equal rows of a table, found by hashing: O(n d) time, O(n) memory."""

import numpy as np

from microcell.kernels.compiled import njit


def hashes_of_rows(bits):
    """A 64-bit hash of each row of 64-bit words.

    Column by column, because products of arrays are modulo 2^64 without a warning,
    compiled or not, and those of numpy's single numbers are not.
    """
    hashes = np.full(bits.shape[0], 0x9E3779B97F4A7C15, dtype=np.uint64)
    for column in bits.T:
        hashes ^= column
        hashes *= np.uint64(0xFF51AFD7ED558CCD)
        hashes ^= hashes >> np.uint64(32)
    return hashes


@njit(cache=True, nogil=True)
def equal_rows(a, b):
    """Whether two rows hold the same words."""
    for j in range(a.shape[0]):
        if a[j] != b[j]:
            return False
    return True


@njit(cache=True, nogil=True)
def classes_of_rows(bits, hashes):
    """Class of each row, numbered as first seen, and the first row of each class."""
    n_rows = bits.shape[0]
    n_slots = 2
    while n_slots < 2 * n_rows:
        n_slots *= 2
    slots = np.full(n_slots, -1, dtype=np.int64)
    classes = np.empty(n_rows, dtype=np.int64)
    first = np.empty(n_rows, dtype=np.int64)
    n_classes = 0
    for i in range(n_rows):
        slot = np.int64(hashes[i] & np.uint64(n_slots - 1))
        while slots[slot] >= 0 and not equal_rows(bits[first[slots[slot]]], bits[i]):
            slot = (slot + 1) & (n_slots - 1)
        if slots[slot] < 0:
            slots[slot] = n_classes
            first[n_classes] = i
            n_classes += 1
        classes[i] = slots[slot]
    return classes, first[:n_classes]


def distinct_records(X):
    """Find the equal records of a table of finite numbers.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)

    Returns
    -------
    classes : ndarray of shape (n_samples,)
        Equivalence class of each record, numbered as first seen.
    first : ndarray of shape (n_classes,)
        The first record of each class.

    Examples
    --------
    >>> distinct_records(np.array([[1.0, 2.0], [0.0, 2.0], [1.0, 2.0], [-0.0, 2.0]]))
    (array([0, 1, 0, 1]), array([0, 1]))
    """
    positive_zeros = np.ascontiguousarray(X, dtype=np.float64) + 0.0  # -0.0 is 0.0
    bits = positive_zeros.view(np.uint64)
    return classes_of_rows(bits, hashes_of_rows(bits))
