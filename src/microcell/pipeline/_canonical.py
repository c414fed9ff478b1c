"""The canonical order of a shard's records: by their values, whatever order they had.

Ties of a method go to the earlier record, so cells would depend on the order of the
source. Records that are equal in everything that is released can change places.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from microcell.pipeline._order import canonical_order


def take_rows(frame: pl.DataFrame, rows: np.ndarray) -> pl.DataFrame:
    """Some rows of a table, which may have no columns."""
    return frame[rows] if frame.width else frame


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
