"""Parts cut to some columns or some records of a table.

A part that refers to columns or records by position has a method `take_columns` or
`take_rows`; other parts are asked for their own parts.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def take_columns(part: Any, columns: Sequence[int]) -> Any:
    """A part for a block of the columns; `part` itself is changed where it has parts.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from microcell.embed import ColumnScaler
    >>> line = make_pipeline(ColumnScaler(nominal=[0, 3]))
    >>> take_columns(line, [2, 3]).get_params()["columnscaler__nominal"]
    [1]
    """
    return _take(part, "take_columns", columns)


def take_rows(part: Any, rows: np.ndarray) -> Any:
    """A part for some of the records; `part` itself is changed where it has parts."""
    return _take(part, "take_rows", rows)


def rows_of(values: ArrayLike | None, rows: np.ndarray) -> np.ndarray | None:
    """Entries of some of the records, where there are any."""
    return None if values is None else np.asarray(values)[rows]


def _take(part: Any, method: str, places: Sequence[int] | np.ndarray) -> Any:
    if hasattr(part, method):
        return getattr(part, method)(places)
    if not hasattr(part, "get_params"):
        return part
    parts = part.get_params(deep=False)
    for name, value in part.get_params(deep=True).items():
        if name in parts or name.count("__") == 0:  # steps of a pipeline among them
            taken = _take(value, method, places) if _is_part(value) else value
            if taken is not value:
                part.set_params(**{name: taken})
    return part


def _is_part(value: Any) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)
