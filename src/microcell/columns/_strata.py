"""Strata: groups of records that must not share a cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from microcell._patterns import pattern_of
from microcell.columns._missing import is_missing
from microcell.columns._series import dictionary
from microcell.exceptions import Option, SchemaError, absent_column, column_error

if TYPE_CHECKING:
    from numpy.typing import NDArray


MAX_SHOWN_STRATA = 100  # that are shown in an error


def strata_codes(
    frame: Any, names: Sequence[str], k: int = 1, people: str = "records"
) -> NDArray[Any]:
    """Stratum of each record, as a number.

    Parameters
    ----------
    frame : narwhals.DataFrame
    names : sequence of str
        Columns whose values together name a stratum.
    k : int
        Least number of records in a stratum; a smaller one is an error that shows the
        pattern of its name.
    people : str
        What is counted, for the error.

    Returns
    -------
    codes : ndarray of shape (n_samples,)
    """
    codes = np.zeros(len(frame), dtype=np.int64)
    for name in names:
        if name not in frame.columns:
            raise absent_column(name, "strata", frame.columns)
        if is_missing(frame[name]).any():
            raise column_error(
                name,
                "makes strata but has missing values.",
                hint="Fill them, or choose other strata.",
                option="strata",
            )
        values, categories = dictionary(frame[name])
        codes = np.unique(codes * len(categories) + values, return_inverse=True)[1]
    sizes = np.bincount(codes)
    small = np.flatnonzero(sizes < k)
    if small.size:
        raise SchemaError(
            f"{small.size} of {sizes.size} strata by {list(names)} with fewer than "
            f"k={k} {people}: {shown_strata(frame, names, codes, small)}.",
            option="strata",
            hint=[
                "Lower k, join strata, or let small ones be merged (",
                Option("small_strata", "merge"),
                ").",
            ],
        )
    return codes


def shown_strata(frame: Any, names: Any, codes: np.ndarray, small: Any) -> str:
    """Patterns of small strata; only their records are counted if they are no groups.

    Columns that have their own value in most strata, or very many strata, tell of
    persons: a name, a number of a record.
    """
    sizes = np.bincount(codes)
    if 2 * small.size > sizes.size or sizes.size > MAX_SHOWN_STRATA:
        return f"{sizes[small].sum()} records in all"
    shown = []
    for stratum in small[:5]:
        row = int(np.argmax(codes == stratum))
        values = ", ".join(f"{n} like {pattern_of(frame[n][row])!r}" for n in names)
        shown.append(f"{values} ({sizes[stratum]})")
    more = f" and {small.size - 5} more" if small.size > 5 else ""
    return f"{'; '.join(shown)}{more}"
