"""Prices of records: the dual of "cover each record once by sets", near its middle.

An interior point method, because it stops among the best prices and not in a corner of
them: sets that are cheap at such prices are soon found all. Its equations are sparse;
no matrix over all pairs of records is made.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csc_array, csr_array, diags_array, eye_array, hstack
from scipy.sparse.linalg import splu

Solve = Callable[[np.ndarray], np.ndarray]


_MOST_STEPS = 80
_SHORT_OF_EDGE = 0.99


def interior_prices(
    sets: np.ndarray,
    costs: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    tolerance: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Prices with the largest sum of which no set costs less than those of its records.

    Parameters
    ----------
    sets : ndarray of shape (n_sets, k)
    costs : ndarray of shape (n_sets,)
    low, high : ndarray of shape (n_samples,)
        Limits of the prices.
    tolerance : float
        Difference of the primal and dual value, as a share, to stop at.

    Returns
    -------
    prices : ndarray of shape (n_samples,)
    weights : ndarray of shape (n_sets,)
        How much of each set a cover takes, at these prices.
    at_limit : ndarray of shape (n_samples,)
        How much a limit holds the price of each record back.
    """
    n_samples, (n_sets, k) = low.shape[0], sets.shape
    unit = float(np.mean(costs)) or 1.0
    covers = csc_array(
        (np.ones(sets.size), sets.ravel(), np.arange(0, sets.size + 1, k)),
        shape=(n_samples, n_sets),
    )
    one = eye_array(n_samples, format="csc")
    A = hstack([covers, one, -one], format="csr")
    c = np.concatenate([costs, high, -low]) / unit
    prices, weights = _path(A, A.T.tocsr(), c, 0.5 * (low + high) / unit, tolerance)
    limits = weights[n_sets:].reshape(2, n_samples)
    return prices * unit, weights[:n_sets], limits.sum(axis=0)


def _path(
    A: csr_array, A_t: Any, c: np.ndarray, prices: np.ndarray, tolerance: float
) -> tuple[np.ndarray, np.ndarray]:
    """Mehrotra's predictor and corrector, from any prices."""
    n_columns = c.shape[0]
    x = np.full(n_columns, A.shape[0] / A.nnz)
    s = np.maximum(c - A_t @ prices, 0.1)
    for _ in range(_MOST_STEPS):
        short, slack, gap = 1 - A @ x, c - A_t @ prices - s, float(x @ s)
        is_close = gap < tolerance * (abs(float(c @ x)) + 1e-6)
        if is_close and np.abs(short).max() < 0.01 * tolerance + 1e-8:
            break
        solve = _factor(A, A_t, x / s)
        ahead = _direction(A, A_t, x, s, short, slack, -x * s, solve)
        far = (x + _step(x, ahead[0]) * ahead[0]) @ (s + _step(s, ahead[1]) * ahead[1])
        centre = (far / gap) ** 3 * gap / n_columns
        aim = centre - x * s - ahead[0] * ahead[1]
        dx, ds, d_prices = _direction(A, A_t, x, s, short, slack, aim, solve)
        if not np.isfinite(d_prices).all():
            break  # as far as numbers of this length go
        x = x + _SHORT_OF_EDGE * _step(x, dx) * dx
        step = _SHORT_OF_EDGE * _step(s, ds)
        s, prices = s + step * ds, prices + step * d_prices
    return prices, x


def _factor(A: csr_array, A_t: Any, scale: np.ndarray) -> Solve:
    scaled = csr_array((A.data * scale[A.indices], A.indices, A.indptr), A.shape)
    normal = scaled @ A_t
    ridge = np.full(A.shape[0], 1e-13 * normal.diagonal().max())
    normal = (normal + diags_array(ridge)).tocsc()
    return splu(
        normal,
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    ).solve


def _direction(
    A: csr_array,
    A_t: Any,
    x: np.ndarray,
    s: np.ndarray,
    short: np.ndarray,
    slack: np.ndarray,
    aim: np.ndarray,
    solve: Solve,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The step that closes what is short, what is slack, and moves x * s by `aim`."""
    d_prices = solve(short + A @ ((x * slack - aim) / s))
    ds = slack - A_t @ d_prices
    return (aim - x * ds) / s, ds, d_prices


def _step(values: np.ndarray, change: np.ndarray) -> float:
    """The longest step of at most 1 that keeps all values positive."""
    falls = change < 0
    return min(1.0, float(np.min(-values[falls] / change[falls], initial=1.0)))
