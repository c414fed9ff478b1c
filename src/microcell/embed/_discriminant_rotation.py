"""LinearDiscriminantRotation: stretch the directions that tell classes apart."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy.linalg import eigh
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted, validate_data

from microcell._centre import centred_and_small, mean_in_two_parts
from microcell._validation import check_at_least, check_records
from microcell.embed._statistical_dependence import is_measured

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


RIDGE, STRONG_RIDGE = 1e-6, 1e-3  # shares of the mean variance, added to the diagonal
ILL_CONDITIONED = 1e12
LARGEST_ALPHA = 1e6  # alpha^2 leaves the other directions four digits


class LinearDiscriminantRotation(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    """Geometry of "rotate by LDA, then scale the discriminant directions" [1]_.

    Cells become thin along the directions in which the classes of the confidential
    attribute differ. Rotating so that those directions come first and multiplying
    them by `alpha` gives the squared distances

    .. math:: \\|z - z'\\|^2 + (\\alpha^2 - 1) \\|U^T (z - z')\\|^2,

    with U an orthonormal basis of the directions; so the columns
    sqrt(alpha^2 - 1) (Z - mean) U are appended to Z, which is the same without a
    rotation. With alpha = 1 nothing changes.

    Two classes have one direction, Fisher's; L classes have up to L - 1, the leading
    eigenvectors of the between-class against the within-class covariance. Columns are
    not rescaled: standardise first.

    Cells that follow the confidential attribute are more homogeneous in it, which
    helps an intruder: look at `microcell.metrics.homogeneity` beside the utility.

    Parameters
    ----------
    alpha : float, default=4.0
        How much the discriminant directions are stretched: at least 1, and at most
        1e6, because beyond it the other directions are lost in rounding.

    Attributes
    ----------
    directions_ : ndarray of shape (n_features, n_directions)
        Orthonormal; no columns if the classes do not differ.
    classes_ : ndarray
    mean_, rest_ : ndarray of shape (n_features,)
        Mean of each column, and what its rounding left.

    References
    ----------
    .. [1] Rodríguez-Hoyos, Rebollo-Monedero, Estrada-Jiménez, Forné and
       Urquiza-Aguiar (2019). Preserving empirical data utility in k-anonymous
       microaggregation via linear discriminant analysis. Preprint.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.0, 1.0], [3.0, 0.0], [3.0, 1.0]]
    >>> LinearDiscriminantRotation(alpha=2).fit_transform(X, [0, 0, 1, 1]).round(3)
    array([[ 0.   ,  0.   , -2.598],
           [ 0.   ,  1.   , -2.598],
           [ 3.   ,  0.   ,  2.598],
           [ 3.   ,  1.   ,  2.598]])
    """

    def __init__(self, alpha: float = 4.0) -> None:
        self.alpha = alpha

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Find the discriminant directions."""
        check_at_least("alpha", self.alpha, 1, most=LARGEST_ALPHA)
        records, known = validate_data(self, X, y, dtype=np.float64, y_numeric=False)
        self.classes_, codes = np.unique(known, return_inverse=True)
        fractions = known.dtype.kind == "f" and not (known == np.rint(known)).all()
        if fractions or is_measured(self.classes_):
            raise ValueError(
                f"y takes {self.classes_.size} values, as a continuous measurement "
                "does; LDA needs classes. Group them, or preserve statistical "
                "dependence instead."
            )
        self.mean_, self.rest_ = mean_in_two_parts(records)
        self.directions_ = discriminant_directions(centred_and_small(records)[0], codes)
        if self.directions_.shape[1] == 0:
            warnings.warn(
                "The classes do not differ in their means, or there is only one: "
                "cells are formed without them.",
                UserWarning,
                stacklevel=2,
            )
        self._n_features_out = records.shape[1] + self.directions_.shape[1]
        return self

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """The columns of X, and the stretched directions beside them."""
        check_is_fitted(self)
        X = check_records(self, X, reset=False)
        alpha = check_at_least("alpha", self.alpha, 1, most=LARGEST_ALPHA)
        stretch = np.sqrt(alpha**2 - 1)
        centred = (X - self.mean_) - self.rest_
        return np.hstack([X, stretch * (centred @ self.directions_)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def discriminant_directions(X: np.ndarray, codes: np.ndarray) -> NDArray[Any]:
    """Orthonormal basis of the directions in which class means differ most.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Columns about their means.
    codes : ndarray of shape (n_samples,)
        Classes, 0 to n_classes - 1.

    Returns
    -------
    directions : ndarray of shape (n_features, n_directions)
    """
    sizes = np.bincount(codes)
    sums = np.column_stack([np.bincount(codes, weights=c) for c in X.T])
    means = sums / sizes[:, None]
    within = X - means[codes]
    spread = regularised(within.T @ within / X.shape[0])
    apart = means * np.sqrt(sizes / X.shape[0])[:, None]
    if np.all(np.abs(apart) <= 1e-12 * np.abs(X).max(axis=0)):
        return np.empty((X.shape[1], 0))
    if sizes.size == 2:
        vectors = np.linalg.solve(spread, means[1] - means[0])[:, None]
    else:
        n_directions = min(sizes.size - 1, X.shape[1])
        values, vectors = eigh(apart.T @ apart, spread)
        kept = values > 1e-12 * values[-1]
        vectors = vectors[:, kept][:, ::-1][:, :n_directions]
    return np.linalg.qr(vectors)[0]


def regularised(covariance: np.ndarray) -> np.ndarray:
    """A within-class covariance that can be inverted.

    A part of the mean variance is added to the diagonal, more if that leaves it
    ill-conditioned. Without any variance inside classes all directions count alike.
    """
    n_features = covariance.shape[0]
    variance = np.trace(covariance) / n_features
    if variance == 0:
        return np.eye(n_features)
    for ridge in (RIDGE, STRONG_RIDGE):
        spread = covariance + ridge * variance * np.eye(n_features)
        if np.linalg.cond(spread) < ILL_CONDITIONED:
            break
    return spread
