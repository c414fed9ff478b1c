"""The confidential attribute as numbers, for methods that shape cells by it."""

import numpy as np

from microcell.base import SchemaError
from microcell.prepare._prepared import is_missing
from microcell.prepare._series import dictionary


def target_values(frame, name):
    """Numbers as they are, categories as codes.

    Parameters
    ----------
    frame : narwhals.DataFrame
    name : str
        The attribute; it must have no missing values.

    Returns
    -------
    y : ndarray of shape (n_samples,)
        Floats for numbers with fractions; integers for whole numbers and categories.
    """
    series = frame[name]
    n_missing = int(is_missing(series).sum())
    if n_missing:
        raise SchemaError(
            f"Column {name!r} is to shape cells but has {n_missing} missing value(s). "
            "Fill them, or choose another target or method."
        )
    if series.dtype.is_numeric():
        return np.asarray(series.to_numpy())
    return dictionary(series)[0]
