"""Strata: groups of records that must not share a cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from microcell._patterns import pattern_of
from microcell.columns._missing import is_missing
from microcell.columns._series import dictionary
from microcell.exceptions import SchemaError, absent_column, column_error, sentence

if TYPE_CHECKING:
    from numpy.typing import NDArray


MAX_SHOWN_STRATA = 100  # that are shown in an error


def strata_codes(frame: nw.DataFrame[Any], names: Sequence[str]) -> NDArray[Any]:
    """Stratum of each record, as a number, in the order of their values.

    Parameters
    ----------
    frame : narwhals.DataFrame
    names : sequence of str
        Columns whose values together name a stratum.

    Returns
    -------
    codes : ndarray of shape (n_samples,)
    """
    codes = np.zeros(len(frame), dtype=np.int64)
    for name in names:
        if name not in frame.columns:
            raise absent_column(name, "strata", frame.columns)
        if is_missing(frame[name]).any():
            raise missing_stratum(name)
        values, categories = dictionary(frame[name])
        ascending = sorted(range(len(categories)), key=categories.__getitem__)
        codes = codes * len(categories) + np.argsort(ascending)[values]
        codes = np.unique(codes, return_inverse=True)[1]
    return codes


def missing_stratum(name: str) -> SchemaError:
    """The error of records without a stratum."""
    return column_error(
        name,
        "makes strata but has missing values.",
        hint="Fill them, or choose other strata.",
        option="strata",
    )


def refuse_small_strata(
    frame: Any,
    names: Sequence[str],
    codes: np.ndarray,
    sizes: np.ndarray,
    k: int,
    people: str,
) -> None:
    """Refuse strata of fewer than k people.

    Parameters
    ----------
    frame : narwhals.DataFrame
        At least one record of each stratum.
    names : sequence of str
        Columns whose values together name a stratum.
    codes : ndarray of shape (n_records,)
        Stratum of each record of the frame.
    sizes : ndarray of shape (n_strata,)
        People of each stratum of the table.
    k : int
    people : str
        What is counted.
    """
    small = np.flatnonzero(sizes < k)
    if small.size:
        raise SchemaError(
            f"{small.size} of {sizes.size} strata by {list(names)} with fewer than "
            f"k={k} {people}: {shown_strata(frame, names, codes, sizes, small)}.",
            option="strata",
            hint=sentence(
                "Lower k, join strata, or let small ones be merged "
                "({small_strata='merge'})."
            ),
        )


def shown_strata(
    frame: Any, names: Any, codes: np.ndarray, sizes: np.ndarray, small: Any
) -> str:
    """Patterns of small strata; only their records are counted if they are no groups.

    Columns that have their own value in most strata, or very many strata, tell of
    persons: a name, a number of a record.
    """
    if 2 * small.size > sizes.size or sizes.size > MAX_SHOWN_STRATA:
        return f"{sizes[small].sum()} records in all"
    shown = []
    for stratum in small[:5]:
        row = int(np.argmax(codes == stratum))
        values = ", ".join(f"{n} like {pattern_of(frame[n][row])!r}" for n in names)
        shown.append(f"{values} ({sizes[stratum]})")
    more = f" and {small.size - 5} more" if small.size > 5 else ""
    return f"{'; '.join(shown)}{more}"
