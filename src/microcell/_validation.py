"""Checks shared by all parts, each with one wording."""

import numbers
from collections.abc import Collection
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from microcell.exceptions import ParameterError, nearest_name

Value = TypeVar("Value")


def check_count(value: Any, least: int, name: str) -> int:
    """Return a count as an int of at least `least`, or say what is wrong with it.

    Examples
    --------
    >>> check_count(3, 1, "top")
    3
    >>> check_count(2.5, 1, "top")
    Traceback (most recent call last):
    ...
    microcell.exceptions.ParameterError: The 'top' parameter must be an integer >= 1.
    Got 2.5 instead.
    """
    is_bool = isinstance(value, (bool, np.bool_))
    if not isinstance(value, numbers.Integral) or is_bool or value < least:
        raise ParameterError(
            name, f"must be an integer >= {least}. Got {value!r} instead."
        )
    return int(value)


def check_k(k: Any, least: int = 1) -> int:
    """Return k as an int of at least `least`, or say what is wrong with it.

    Examples
    --------
    >>> check_k(5)
    5
    >>> check_k(1, least=2)
    Traceback (most recent call last):
    ...
    microcell.exceptions.ParameterError: The 'k' parameter must be ... Got 1 instead.
    """
    return check_count(k, least, "k")


def check_choice(name: str, value: Value, choices: Collection[Any]) -> Value:
    """Return `value` if it is one of `choices`; else the nearest is named."""
    if value not in choices:
        raise ParameterError(
            name,
            f"must be one of {list(choices)}. Got {value!r} instead.",
            hint=nearest_name(value, choices),
        )
    return value


def check_at_least(
    name: str, value: Any, least: float, most: float | None = None
) -> float:
    """Return `value` as a finite float of at least `least`, and at most `most`.

    Examples
    --------
    >>> check_at_least("gamma", 1, 0)
    1.0
    >>> check_at_least("alpha", 1e200, 1, most=1e6)
    Traceback (most recent call last):
    ...
    microcell.exceptions.ParameterError: The 'alpha' parameter must be a number between
    1 and 1e+06. Got 1e+200 instead.
    """
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    try:
        number = float(value) if is_number else np.nan
    except OverflowError:  # an integer beyond all floats
        number = np.inf
    if not least <= number < np.inf or (most is not None and number > most):
        allowed = f">= {least}" if most is None else f"between {least} and {most:g}"
        raise ParameterError(
            name, f"must be a number {allowed}. Got {value!r} instead."
        )
    return number


def check_labels(labels: ArrayLike, n_samples: int, k: int) -> NDArray[np.int64]:
    """Return `labels` as int64 after counting every cell.

    Labels run from 0 to n_cells - 1 and each cell has at least `k` records.
    """
    labels = np.asarray(labels)
    if labels.shape != (n_samples,) or labels.dtype.kind not in "iu":
        raise ValueError(
            f"labels must be {n_samples} integers, one for each record. Got an array "
            f"of shape {labels.shape} and dtype {labels.dtype} instead."
        )
    labels = labels.astype(np.int64, copy=False)
    if labels.min(initial=0) < 0:
        raise ValueError(f"labels must be >= 0. Got {labels.min()} instead.")
    smallest = np.bincount(labels).min(initial=n_samples)
    if smallest < k:
        raise ValueError(f"A cell has {smallest} record(s), fewer than k={k}.")
    return labels


def check_records(estimator: Any, X: Any, **how: Any) -> NDArray[np.float64]:
    """Records as floats, by scikit-learn's `validate_data`, which has no types."""
    from sklearn.utils.validation import validate_data

    checked: NDArray[np.float64] = validate_data(estimator, X, dtype=np.float64, **how)
    return checked


def check_same_shape(
    X_original: ArrayLike, X_released: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both tables as finite float arrays of one shape."""
    checked = []
    for name, X in (("X_original", X_original), ("X_released", X_released)):
        X = np.asarray(X, dtype=np.float64)
        if X.ndim != 2 or X.shape[0] == 0:
            raise ValueError(
                f"{name} must be a table of records and columns. "
                f"Got shape {X.shape} instead."
            )
        if not np.isfinite(X).all():
            raise ValueError(f"{name} contains NaN or infinity.")
        checked.append(X)
    if checked[0].shape != checked[1].shape:
        raise ValueError(
            "X_original and X_released must have the same shape. "
            f"Got {checked[0].shape} and {checked[1].shape} instead."
        )
    return checked[0], checked[1]


def column_blocks(blocks: Any, n_features: int) -> list[list[int]]:
    """Columns of each block, every column in exactly one.

    Examples
    --------
    >>> column_blocks(2, 5)
    [[0, 1], [2, 3], [4]]
    """
    if isinstance(blocks, numbers.Integral) and not isinstance(blocks, bool):
        if blocks < 1:
            raise ValueError(
                f"A block needs at least one column. Got blocks={blocks} instead."
            )
        size = int(blocks)
        starts = range(0, n_features, size)
        return [list(range(s, min(s + size, n_features))) for s in starts]
    columns = [column for block in blocks for column in block]
    if sorted(columns) != list(range(n_features)) or not all(map(len, blocks)):
        raise ValueError(
            f"'blocks' must hold each of the {n_features} columns once. "
            f"Got {[list(block) for block in blocks]} instead."
        )
    return [list(block) for block in blocks]


def check_weights(weights: ArrayLike, n_samples: int) -> NDArray[np.float64]:
    """Weights as floats; they must be positive, one for each record.

    Examples
    --------
    >>> check_weights([1, 2], 2)
    array([1., 2.])
    """
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (n_samples,):
        raise ParameterError(
            "weights",
            f"must hold one for each of the {n_samples} records. "
            f"Got shape {weights.shape} instead.",
        )
    if not (np.isfinite(weights) & (weights > 0)).all():
        raise ParameterError("weights", "must be positive and finite.")
    return weights


def mismatch_units(nominal: Any, units: Any) -> np.ndarray:
    """What a mismatch in each column of codes counts; one unit by default."""
    n_coded = len(list(nominal))
    units = np.ones(n_coded) if units is None else units
    return check_positive("units", units, n_coded, "nominal columns")


def check_positive(name: str, values: Any, n: int, of: str) -> np.ndarray:
    """Positive numbers, one for each of some columns.

    Examples
    --------
    >>> check_positive("importance", [1, 2], 2, "columns")
    array([1., 2.])
    """
    found = np.asarray(values, dtype=np.float64)
    if found.shape != (n,) or not ((found > 0) & np.isfinite(found)).all():
        raise ParameterError(
            name,
            f"must be a positive number for each of the {n} {of}. Got "
            f"{found.tolist()!r} instead.",
        )
    return found


def check_enough(n_samples: int, k: int) -> None:
    """Refuse a table of fewer than k records."""
    if n_samples < k:
        raise ValueError(
            f"n_samples={n_samples} should be >= k={k}. Lower k or add records."
        )
