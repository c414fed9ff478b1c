"""Equivalence classes of a released table."""

import narwhals as nw
import numpy as np


def class_sizes(table, quasi_identifiers):
    """Sizes of the equivalence classes, counted on the table itself.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table.
    quasi_identifiers : sequence of str
        Columns that make records equal; a missing value is a value of its own.

    Returns
    -------
    sizes : ndarray of shape (n_classes,)
        In ascending order.

    Examples
    --------
    >>> import polars as pl
    >>> class_sizes(pl.DataFrame({"age": [30, 30, 41], "sex": ["f", "f", "m"]}),
    ...             ["age", "sex"])
    array([1, 2])
    """
    frame = nw.from_native(table, eager_only=True).select(*quasi_identifiers)
    frame = frame.rename({name: f"q{j}" for j, name in enumerate(frame.columns)})
    counts = frame.group_by(frame.columns, drop_null_keys=False).agg(
        nw.len().alias("records")
    )
    return np.sort(counts["records"].to_numpy()).astype(np.int64)
