"""Records of a release beside their originals, as many as its report looks at.

Each record has a number that depends on its values alone, so that the same are taken
whatever the engine, the parts and their order; where the table has no more than
`MAX_RECORDS_REPORTED`, they are all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from microcell.pipeline._canonical import canonical_rows
from microcell.pipeline._sample import COUNT, HASH, HASH_SEED, PERSON

MAX_RECORDS_REPORTED = 20_000  # about: of a larger table those of the least hashes
BEFORE, AFTER = "\0before", "\0after"  # no column of a file has such a name


def record_hashes(X: np.ndarray, X_released: np.ndarray) -> np.ndarray:
    """A number for each record, by its values and how many equal ones came before.

    Examples
    --------
    >>> X = np.array([[30.0], [41.0], [30.0]])
    >>> hashes = record_hashes(X, X).tolist()
    >>> len({*hashes}), hashes[1] in record_hashes(X[1:], X[1:])
    (3, True)
    """
    values = np.column_stack([X, X_released]) + 0.0  # -0.0 is 0.0
    frame = pl.DataFrame(values, schema=[str(j) for j in range(values.shape[1])])
    hashed = frame.hash_rows(HASH_SEED).alias(HASH).to_frame()
    numbered = hashed.with_columns(pl.int_range(pl.len()).over(HASH).alias(COUNT))
    return numbered.hash_rows(HASH_SEED).to_numpy()


def hash_order(
    X: np.ndarray, X_released: np.ndarray, carried: pl.DataFrame
) -> np.ndarray:
    """Rows by ascending hash, whatever order they came in.

    Parameters
    ----------
    X, X_released : ndarray of shape (n_records, n_columns)
        Quasi-identifiers before and after.
    carried : polars.DataFrame
        What is released as it is.
    """
    rows = canonical_rows(X, carried)
    return rows[np.argsort(record_hashes(X[rows], X_released[rows]), kind="stable")]


def report_sample(
    X: np.ndarray,
    X_released: np.ndarray,
    table: pl.DataFrame,
    cell_sizes: np.ndarray,
    n_records: int,
    people: pl.Series | None = None,
) -> pl.DataFrame:
    """The records of a shard that a report of the whole table looks at.

    Parameters
    ----------
    X, X_released : ndarray of shape (n_here, n_columns)
        Quasi-identifiers before and after, of records in canonical order.
    table : polars.DataFrame
        What is released of them.
    cell_sizes : ndarray of shape (n_here,)
        People of the cell of each.
    n_records : int
        Records of the whole table.
    people : polars.Series, optional
        Whose each is, where a person may have several.

    Returns
    -------
    sample : polars.DataFrame
        The hash and the cell of each record, its owner, its numbers, and its released
        values.
        Samples of shards are put one below the other.
    """
    hashes = record_hashes(X, X_released)
    rows = np.arange(len(hashes))
    if n_records > MAX_RECORDS_REPORTED:
        rows = np.flatnonzero(hashes < int(2**64 / n_records * MAX_RECORDS_REPORTED))
    words = [n for n, t in table.schema.items() if t in (pl.Categorical, pl.Enum)]
    columns = [pl.Series(HASH, hashes[rows]), pl.Series(COUNT, cell_sizes[rows])]
    for side, numbers in ((BEFORE, X), (AFTER, X_released)):
        columns += [
            pl.Series(f"{side}{j}", numbers[rows, j]) for j in range(X.shape[1])
        ]
    if people is not None:
        columns.append(people[rows])
    released = table[rows].with_columns(pl.col(words).cast(pl.String))
    return pl.DataFrame(columns).hstack(released)


def sampled_sides(sample: pl.DataFrame, names: Sequence[str]) -> dict[str, Any]:
    """A sample in ascending order of hashes, taken apart.

    Parameters
    ----------
    sample : polars.DataFrame
    names : sequence of str
        Released columns.

    Returns
    -------
    sides : dict
        `table`, what was released; `X` and `X_released`, quasi-identifiers before and
        after; `cell_sizes`; and `units`, None where every record is a person.
    """
    sample = sample.sort(HASH)
    X, X_released = (
        np.ascontiguousarray(sample.select(pl.selectors.starts_with(side)).to_numpy())
        for side in (BEFORE, AFTER)
    )
    units = None
    if PERSON in sample.columns:
        units = np.unique(sample[PERSON].to_numpy(), return_inverse=True)[1]
    return {
        "table": sample.select(names),
        "X": X,
        "X_released": X_released,
        "cell_sizes": sample[COUNT].to_numpy(),
        "units": units,
    }
