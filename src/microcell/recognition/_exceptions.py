"""How far one column follows from another."""

from __future__ import annotations

import numpy as np


def exceptions_to(source: np.ndarray, follows: np.ndarray) -> float:
    """Share of the records without the most frequent second code of their first one.

    Parameters
    ----------
    source, follows : ndarray of shape (n_records,)
        Codes; records that miss one, -1, do not count.

    Examples
    --------
    >>> exceptions_to(np.array([0, 0, 0, 1]), np.array([5, 5, 6, 6]))
    0.25
    """
    there = (source >= 0) & (follows >= 0)
    if not there.all():
        source, follows = source[there], follows[there]
    if source.size == 0:
        return 0.0
    n_codes = int(follows.max()) + 1
    pairs, counts = np.unique(source * n_codes + follows, return_counts=True)
    starts = np.flatnonzero(np.diff(pairs // n_codes, prepend=-1))
    kept = int(np.maximum.reduceat(counts, starts).sum())
    return float((source.size - kept) / source.size)
