"""Missing values filled by what the rest of the table says: scikit-learn's imputers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from microcell.embed import ObservedScale

if TYPE_CHECKING:
    from numpy.typing import NDArray


def impute(
    X: np.ndarray,
    measured: Sequence[int],
    ordinal: Sequence[int],
    imputer: str = "simple",
) -> NDArray[Any]:
    """Fill the missing values (NaN) of a table.

    Categories become the most frequent one, whatever the imputer. Ordered categories
    are filled as numbers, and then become the nearest one that occurs.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Each column has at least one value.
    measured : sequence of int
        Columns of numbers, dates and ordered categories.
    ordinal : sequence of int
        Those of ordered categories.
    imputer : {"simple", "knn", "iterative"}
        Numbers become the median of the column; the mean of the five records nearest
        in the others (n^2 distances); or what a ridge regression on the others says.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)

    Examples
    --------
    >>> impute(np.array([[1.0, 2], [np.nan, 2], [5, np.nan], [9, 7]]), [0], [])
    array([[1., 2.],
           [5., 2.],
           [5., 2.],
           [9., 7.]])
    """
    from sklearn.impute import SimpleImputer

    filled = X.copy()
    codes = [j for j in range(X.shape[1]) if j not in set(measured)]
    if codes:
        frequent = SimpleImputer(strategy="most_frequent")
        filled[:, codes] = frequent.fit_transform(X[:, codes])
    if len(measured):
        filled[:, measured] = _numbers(X[:, measured], imputer)
    for j in ordinal:
        known = np.unique(X[~np.isnan(X[:, j]), j])
        nearest = np.searchsorted((known[1:] + known[:-1]) / 2, filled[:, j])
        filled[:, j] = known[nearest]
    return filled


def _numbers(X: np.ndarray, imputer: str) -> np.ndarray:
    from sklearn.impute import SimpleImputer

    if imputer == "simple":
        return SimpleImputer(strategy="median").fit_transform(X)
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer, KNNImputer

    by_others = KNNImputer()
    if imputer == "iterative":
        by_others = IterativeImputer(random_state=0, max_iter=20, tol=1e-2)
    gaps, scale = np.isnan(X), ObservedScale().fit(X)
    Z = by_others.fit_transform(np.where(gaps, np.nan, scale.transform(X)))
    return np.where(gaps, scale.means_ + Z * np.nanstd(X, axis=0), X)
