"""The canonical order of a shard's records: by their values, whatever order they had.

Ties of a method go to the earlier record, so cells would depend on the order of the
source. Records that are equal in everything that is released can change places.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from microcell.pipeline._order import canonical_order


def take_rows(frame: pl.DataFrame, rows: np.ndarray) -> pl.DataFrame:
    """Some rows of a table, which may have no columns."""
    return frame[rows] if frame.width else frame


def side_by_side(*frames: pl.DataFrame) -> pl.DataFrame:
    """Columns of the same records together; a frame may have none."""
    some = [frame for frame in frames if frame.width]
    return pl.concat(some, how="horizontal") if some else pl.DataFrame()


def as_they_came(X: np.ndarray) -> pl.DataFrame:
    """Records before rare categories were merged, to tell apart equal ones by."""
    return pl.DataFrame({f"\0came {j}": column for j, column in enumerate(X.T)})


def canonical_rows(X: np.ndarray, carried: pl.DataFrame) -> np.ndarray:
    """Row numbers that sort records by their quasi-identifiers, then by the rest.

    Parameters
    ----------
    X : ndarray of shape (n_records, n_columns)
    carried : polars.DataFrame
        What is released as it is.

    Examples
    --------
    >>> X = np.array([[2.0, 1.0], [1.0, 5.0], [2.0, 0.0]])
    >>> canonical_rows(X, pl.DataFrame({"ill": ["flu", "gout", "flu"]}))
    array([1, 2, 0])
    """
    order = np.argsort(X[:, 0], kind="stable")  # NaN comes last
    first = X[order, 0]
    same = (first[1:] == first[:-1]) | (np.isnan(first[1:]) & np.isnan(first[:-1]))
    tied = np.zeros(len(order), dtype=bool)
    tied[1:] |= same
    tied[:-1] |= same
    if tied.any():  # only these need the other columns, and they stay where they are
        rows = order[tied]
        columns = [pl.Series(f"\0{j}", X[rows, j]) for j in range(X.shape[1])]
        keys = pl.DataFrame(columns).hstack(take_rows(carried, rows))
        order[tied] = rows[canonical_order(keys, keys)]
    return order


def means_of_people(
    Z: np.ndarray, people: np.ndarray, coded: Sequence[int] = ()
) -> np.ndarray:
    """A record for each person: the means, and in columns of codes the most frequent.

    It does not depend on the order of records to the last digit: values are added in
    their own order, and of codes that are equally frequent the least is taken.

    Parameters
    ----------
    Z : ndarray of shape (n_records, n_columns)
    people : ndarray of shape (n_records,)
        Whose record each is, from 0.
    coded : sequence of int
        Columns that hold codes.

    Examples
    --------
    >>> Z = np.array([[1.0, 7.0], [4.0, 5.0], [3.0, 5.0]])
    >>> means_of_people(Z, np.array([0, 1, 0]), coded=[1])
    array([[2., 5.],
           [4., 5.]])
    """
    sizes = np.bincount(people)
    starts = np.cumsum(sizes) - sizes
    means = np.empty((len(sizes), Z.shape[1]))
    for j, column in enumerate(Z.T):
        order = np.lexsort((column, people))
        if j not in coded:
            means[:, j] = np.add.reduceat(column[order], starts) / sizes
            continue
        pairs, counts = np.unique(
            np.column_stack([people, column]), axis=0, return_counts=True
        )
        best = np.lexsort((pairs[:, 1], -counts, pairs[:, 0]))
        first = np.searchsorted(pairs[best, 0], np.arange(len(sizes)))
        means[:, j] = pairs[best[first], 1]
    return means
