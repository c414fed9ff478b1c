"""Coarse parts of a table, by k-means++, before cells are formed inside each."""

import numpy as np
from threadpoolctl import threadpool_limits

from microcell._validation import check_choice, check_count
from microcell.base import Records
from microcell.kernels.distinct import distinct_records

CENTRES_FROM = (
    20_000  # records on which centres are learnt, or 50 a part if that is more
)
RECORDS_PER_PART = 5_000
ROULETTES = ("squared", "distance")
LLOYD_ROUNDS = 100
RECORDS_AT_ONCE = 100_000  # that are given to their nearest centres


def number_of_parts(c: int | None, n_samples: int, k: int) -> int:
    """How many parts to make: `c`, or as many as keeps the cost near linear.

    Examples
    --------
    >>> number_of_parts(None, 4092, 3), number_of_parts(None, 1_000_000, 3)
    (1, 200)
    >>> number_of_parts(50, 60, 3)  # none can have fewer than k records on average
    20
    """
    if c is None:
        c = max(1, round(n_samples / RECORDS_PER_PART))
    return min(check_count(c, 1, "c"), n_samples // k)


def kmeans_parts(
    X: np.ndarray, n_parts: int, rng: np.random.Generator, roulette: str = "squared"
) -> np.ndarray:
    """Part of each record: that of the nearest of `n_parts` centres.

    Centres start by k-means++ and move by Lloyd's rounds, both of scikit-learn, on a
    sample where the table is large. One thread, so that the parts do not depend on
    how many there are.

    By the `roulette` of k-means++ each further centre is drawn by squared distance to
    the nearest one, and the best of several draws is kept; "distance" draws by the
    distance itself, once, as Yang describes it.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    n_parts : int
    rng : Generator

    Returns
    -------
    parts : ndarray of shape (n_samples,)
        From 0 to at most `n_parts` - 1; numbers may be missing.
    """
    from sklearn.cluster import KMeans

    check_choice("roulette", roulette, ROULETTES)
    if n_parts == 1:
        return np.zeros(X.shape[0], dtype=np.int64)
    X = X - X.mean(axis=0)  # distances by matrix products lose what lies far from 0
    most = max(CENTRES_FROM, 50 * n_parts)
    sample = X if len(X) <= most else X[np.sort(rng.choice(len(X), most, False))]
    n_distinct = len(distinct_records(sample)[1])
    n_centres = min(n_parts, n_distinct)
    model = KMeans(
        n_centres,
        init="k-means++" if roulette == "squared" else drawn(sample, n_centres, rng),
        n_init=1,
        max_iter=LLOYD_ROUNDS,
        random_state=int(rng.integers(2**31)),
    )
    with threadpool_limits(limits=1):
        model.fit(sample)
        starts = range(0, len(X), RECORDS_AT_ONCE)
        parts = [model.predict(X[start : start + RECORDS_AT_ONCE]) for start in starts]
    return np.concatenate(parts).astype(np.int64)


def drawn(X: np.ndarray, n_centres: int, rng: np.random.Generator) -> Records:
    """Records drawn one after the other, by the distance to the nearest one so far.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        With at least `n_centres` distinct records.
    n_centres : int
    rng : Generator
    """
    centres = [X[rng.integers(len(X))]]
    nearest = np.full(len(X), np.inf)
    while len(centres) < n_centres:
        nearest = np.minimum(nearest, np.linalg.norm(X - centres[-1], axis=1))
        centres.append(X[rng.choice(len(X), p=nearest / nearest.sum())])
    return np.array(centres)


def merge_small_parts(X: np.ndarray, parts: np.ndarray, k: int) -> np.ndarray:
    """Parts of at least `k` records, numbered without gaps.

    The smallest part joins the one with the nearest centroid, until none is too small.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [8.0], [9.0]])
    >>> merge_small_parts(X, np.array([0, 0, 2, 3, 3]), k=2)
    array([0, 0, 0, 1, 1])
    """
    _, parts = np.unique(parts, return_inverse=True)
    sizes = np.bincount(parts)
    sums = np.column_stack([np.bincount(parts, weights=column) for column in X.T])
    part_of = np.arange(len(sizes))
    while sizes.min() < k:
        small = int(np.argmin(sizes))
        others = np.flatnonzero(np.arange(len(sizes)) != small)
        middles = sums[others] / sizes[others, None]
        gaps = np.sum((middles - sums[small] / sizes[small]) ** 2, axis=1)
        into = others[np.argmin(gaps)]
        sizes[into] += sizes[small]
        sums[into] += sums[small]
        part_of[part_of == small] = into
        part_of[part_of > small] -= 1
        sizes, sums = np.delete(sizes, small), np.delete(sums, small, axis=0)
    return part_of[parts]
