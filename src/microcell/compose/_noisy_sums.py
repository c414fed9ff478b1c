"""Sums with noise for differential privacy, in integers from end to end.

Values become whole numbers of steps between their bounds, so that sums and the
sensitivity of sums are exact; the noise is OpenDP's discrete Laplace, which is sampled
exactly from the system's entropy. No step between a record and what is released rests
on a rounded float, the known gap of noise that is added to floats.
"""

import numbers
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from microcell.exceptions import InputError, Option

RESOLUTION = 2**30  # from the low bound to the high one
MIN_EPSILON = 1e-9


def _wrong(name: str, requirement: Any, *, hint: Any = "", column: Any = None) -> Any:
    """The error for a parameter of a method, which no flag of its own gives."""
    words = f"The {name!r} parameter {requirement}"
    return InputError(words, option=name, column=column, hint=hint)


def check_epsilon(epsilon: Any) -> float:
    """Return epsilon as a positive float, or say how to give it."""
    real = isinstance(epsilon, numbers.Real) and not isinstance(epsilon, bool)
    if not real or not MIN_EPSILON <= epsilon < np.inf:
        raise _wrong(
            "epsilon",
            f"must be a number >= {MIN_EPSILON:g}. Got {epsilon!r} instead.",
            hint=[
                "It is the privacy that a release may spend and has no default: give ",
                Option("epsilon", 1.0),
                ".",
            ],
        )
    return float(epsilon)


def check_bounds(bounds: Any, columns: Sequence[str] | int) -> np.ndarray:
    """Bounds of each column in its place, shape (n_columns, 2).

    Parameters
    ----------
    bounds : mapping of column to (low, high), or sequence of (low, high)
        Never computed from the table: its ends would be somebody's values.
    columns : sequence of str, or int
        Names of the columns, or how many there are.

    Examples
    --------
    >>> check_bounds({"bmi": (10, 60), "age": (0, 120)}, ["age", "bmi"])
    array([[  0., 120.],
           [ 10.,  60.]])
    """
    if bounds is None:
        raise _wrong(
            "bounds",
            "must be given, and not computed from the table.",
            hint=[
                "Say between which values each column can lie, whoever is in the "
                "table: ",
                Option("bounds", {"age": [0, 120]}),
                ".",
            ],
        )
    if isinstance(bounds, Mapping):
        pairs: dict[Any, Any] = _by_name(bounds, columns)
    else:
        pairs = dict(enumerate(bounds))
        n_columns = columns if isinstance(columns, int) else len(columns)
        if len(pairs) != n_columns:
            raise _wrong(
                "bounds",
                f"must be {n_columns} pair(s), one for each column. Got {len(pairs)} "
                "instead.",
            )
    return np.array([_check_pair(name, pair) for name, pair in pairs.items()])


def _by_name(
    bounds: Mapping[str, tuple[int, int]], columns: Any
) -> dict[str, tuple[int, int]]:
    if isinstance(columns, int):
        raise _wrong(
            "bounds",
            "goes by name, and the columns have none.",
            hint="Give a list of pairs in the order of the columns.",
        )
    absent = [name for name in columns if name not in bounds]
    unknown = [name for name in bounds if name not in columns]
    if absent or unknown:
        wrong = f"miss {absent}" if absent else f"name {unknown} too"
        raise _wrong(
            "bounds",
            f"must be of the masked columns: they {wrong}.",
            column=(absent or unknown)[0],
            hint=f"Give the low and the high bound of each of {list(columns)}.",
        )
    return {name: bounds[name] for name in columns}


def _check_pair(name: int | str, pair: tuple[int, int]) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in pair)
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if not (np.isfinite(high - low) and low < high):
        raise _wrong(
            "bounds",
            f"must be two numbers, low < high, for each column. Got {pair!r} for "
            f"{name!r} instead.",
        )
    return low, high


def to_steps(X: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Records in whole steps between the bounds, clipped to them.

    Examples
    --------
    >>> ages, bounds = np.array([[-5.0], [30.0], [200.0]]), np.array([[0.0, 120.0]])
    >>> to_steps(ages, bounds) / RESOLUTION
    array([[0.  ],
           [0.25],
           [1.  ]])
    """
    low, high = bounds.T
    share = (np.clip(X, low, high) - low) / (high - low)
    return np.rint(np.clip(share, 0.0, 1.0) * RESOLUTION).astype(np.int64)


def from_steps(sums: np.ndarray, sizes: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Means of cells in the columns' units, clipped to the bounds."""
    low, high = bounds.T
    share = sums / (sizes[:, np.newaxis] * float(RESOLUTION))
    return np.clip(low + share * (high - low), low, high)


def noisy_sums(sums: np.ndarray, sensitivity: int, epsilon: float) -> np.ndarray:
    """Sums with Laplace noise that makes them epsilon-differentially private.

    Parameters
    ----------
    sums : int64 ndarray
        What is to be released.
    sensitivity : int
        The most that all sums together can change, in absolute value, if one record of
        the table is replaced.
    epsilon : float
        Privacy that is spent.

    Returns
    -------
    noisy : float64 ndarray of the shape of `sums`
    """
    laplace = laplace_of(int(sensitivity), epsilon)
    return np.array(laplace(sums.ravel().tolist()), dtype=np.float64).reshape(
        sums.shape
    )


@lru_cache(maxsize=8)  # it holds no state: an audit makes the same one many times
def laplace_of(sensitivity: int, epsilon: float) -> Any:
    """OpenDP's measurement: its own accounting says that epsilon is not exceeded."""
    make_laplace, space = _opendp()
    scale = sensitivity / epsilon
    measurement = make_laplace(*space, scale=scale)
    while measurement.map(sensitivity) > epsilon:  # the quotient was rounded down
        scale = float(np.nextafter(scale, np.inf))
        measurement = make_laplace(*space, scale=scale)
    return measurement


def _opendp() -> tuple[Callable[..., Any], tuple[Any, Any]]:
    try:
        from opendp.domains import atom_domain, vector_domain
        from opendp.measurements import make_laplace
        from opendp.metrics import l1_distance
        from opendp.mod import enable_features
    except ImportError:
        raise ImportError(
            "Noise for differential privacy comes from OpenDP, which is not installed. "
            "Install it with: pip install 'microcell[dp]'."
        ) from None
    enable_features("contrib")
    space = vector_domain(atom_domain(T="i64")), l1_distance(T="i64")
    return make_laplace, space
