"""LinearDiscriminantRotation: stretch the directions that tell classes apart."""

import warnings
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from scipy.special import logsumexp
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from microcell._centre import centred_and_small, mean_in_two_parts
from microcell._validation import check_at_least, check_choice, check_records
from microcell.base import Records, Target
from microcell.embed._statistical_dependence import columns_of, is_measured
from microcell.exceptions import ParameterError

RIDGE, STRONG_RIDGE = 1e-6, 1e-3  # shares of the mean variance, added to the diagonal
ILL_CONDITIONED = 1e12
MAX_ALPHA = 1e6  # alpha^2 leaves the other directions four digits
FACTORS = ("same", "each")
DISCRIMINANTS = ("linear", "bayes")
SAME_DIRECTION = 1e-8  # what is left of a unit vector that others span


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
    not rescaled: standardise first. Several confidential attributes have the
    directions of all of them, each stretched once.

    Cells that follow the confidential attribute are more homogeneous in it, which
    helps an intruder: look at `microcell.metrics.homogeneity` beside the utility.

    Parameters
    ----------
    alpha : float, default=4.0
        How much the discriminant directions are stretched: at least 1, and at most
        1e6, because beyond it the other directions are lost in rounding.
    factors : {"same", "each"}, default="same"
        Whether all directions are stretched alike, or each by how much it tells:
        direction j by 1 + (alpha - 1) sqrt(lambda_j / lambda_1), with lambda_j its
        between-class against its within-class variance. Of two classes the same.
    discriminant : {"linear", "bayes"}, default="linear"
        What is stretched: the directions, or the logarithm of the Bayes factor of each
        class against the others, with a Gaussian for each class. The paper's classes
        have one covariance, so that its log Bayes factor is the direction; with
        covariances of their own it bends. Its mean slope is 1, that of a direction.

    Attributes
    ----------
    directions_ : ndarray of shape (n_features, n_directions)
        Orthonormal; no columns if the classes do not differ.
    strengths_ : ndarray of shape (n_directions,)
        Between-class against within-class variance along each.
    classes_ : ndarray, or list of ndarray of several attributes
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

    def __init__(
        self, alpha: float = 4.0, *, factors: str = "same", discriminant: str = "linear"
    ) -> None:
        self.alpha = alpha
        self.factors = factors
        self.discriminant = discriminant

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Find the discriminant directions.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Confidential attributes.
        """
        check_at_least("alpha", self.alpha, 1, most=MAX_ALPHA)
        check_choice("factors", self.factors, FACTORS)
        check_choice("discriminant", self.discriminant, DISCRIMINANTS)
        if self.discriminant == "bayes" and self.factors == "each":
            raise ParameterError(
                "factors",
                "must be 'same' with discriminant='bayes': it has no directions.",
            )
        records, known = validate_data(
            self, X, y, dtype=np.float64, y_numeric=False, multi_output=True
        )
        targets = [np.unique(t, return_inverse=True) for t in columns_of(known)]
        for values, _ in targets:
            check_classes(values)
        found = [values for values, _ in targets]
        self.classes_ = found[0] if known.ndim == 1 else found
        self.mean_, self.rest_ = mean_in_two_parts(records)
        centred = centred_and_small(records)[0]
        directions, strengths = [], []
        for _, codes in targets:
            own = discriminant_directions(centred, codes)
            directions.append(own)
            strengths.append(strengths_of(centred, codes, own))
        self.directions_, self.strengths_ = put_together(directions, strengths)
        n_more = self.directions_.shape[1]
        self._factors = None
        if self.discriminant == "bayes":
            about = (records - self.mean_) - self.rest_
            self._factors = [
                BayesFactors(about, codes)
                for values, codes in targets
                if values.size > 1
            ]
            n_more = sum(each.n_factors for each in self._factors)
        if n_more == 0:
            warnings.warn(
                "The classes do not differ in their means, or there is only one: "
                "cells are formed without them.",
                UserWarning,
                stacklevel=2,
            )
        self._n_features_out = records.shape[1] + n_more
        return self

    def transform(self, X: ArrayLike) -> Records:
        """The columns of X, and the stretched directions beside them."""
        check_is_fitted(self)
        X = check_records(self, X, reset=False)
        alpha = check_at_least("alpha", self.alpha, 1, most=MAX_ALPHA)
        centred = (X - self.mean_) - self.rest_
        if self._factors is not None:
            factors = [each.log_factors(centred) for each in self._factors]
            return np.hstack([X, *(np.sqrt(alpha**2 - 1) * each for each in factors)])
        alphas = np.full(self.strengths_.shape, alpha)
        if self.factors == "each" and self.strengths_.size:
            shares = np.sqrt(self.strengths_ / self.strengths_.max())
            alphas = 1 + (alpha - 1) * shares
        stretch = np.sqrt(alphas**2 - 1)
        return np.hstack([X, stretch * (centred @ self.directions_)])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags


def discriminant_directions(X: np.ndarray, codes: np.ndarray) -> np.ndarray:
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


def check_classes(values: np.ndarray) -> None:
    """Refuse a confidential attribute that is a measurement."""
    fractions = values.dtype.kind == "f" and not (values == np.rint(values)).all()
    if fractions or is_measured(values):
        raise ValueError(
            f"y takes {values.size} values, as a continuous measurement does; LDA "
            "needs classes. Group them, or preserve statistical dependence instead."
        )


def strengths_of(
    X: np.ndarray, codes: np.ndarray, directions: np.ndarray
) -> np.ndarray:
    """Between-class against within-class variance along each direction."""
    sizes = np.bincount(codes)
    places = X @ directions
    sums = [np.bincount(codes, weights=column) for column in places.T]
    means = np.reshape(sums, (directions.shape[1], sizes.size)).T / sizes[:, None]
    between = sizes @ means**2
    within = ((places - means[codes]) ** 2).sum(axis=0)
    return np.asarray(between / np.where(within > 0, within, np.finfo(float).tiny))


def put_together(
    directions: list[np.ndarray], strengths: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Orthonormal directions of all attributes, the strongest first, each once."""
    if len(directions) == 1:
        return directions[0], strengths[0]
    strength = np.concatenate(strengths)
    order = np.argsort(-strength, kind="stable")
    kept: list[np.ndarray] = []
    kept_strength: list[float] = []
    for one in order:
        rest = np.hstack(directions)[:, one]
        for _ in range(2):  # the second time takes what rounding left
            for other in kept:
                rest = rest - (rest @ other) * other
        length = np.linalg.norm(rest)
        if length > SAME_DIRECTION:
            kept.append(rest / length)
            kept_strength.append(strength[one])
    n_features = directions[0].shape[0]
    return np.reshape(kept, (len(kept), n_features)).T, np.array(kept_strength)


class BayesFactors:
    """Logarithms of Bayes factors of Gaussian classes.

    Two classes have one, of the second against the first; more classes have one each,
    against all others together. Each is divided by its mean slope over the records,
    by squares.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Columns about their means.
    codes : ndarray of shape (n_samples,)
    """

    def __init__(self, X: np.ndarray, codes: np.ndarray) -> None:
        sizes = np.bincount(codes)
        self.shares = sizes / sizes.sum()
        self.means = np.array([X[codes == c].mean(axis=0) for c in range(sizes.size)])
        within = X - self.means[codes]
        pooled = within.T @ within / X.shape[0]
        self.inverses, self.determinants = [], []
        for label, size in enumerate(sizes):
            own = within[codes == label]
            n_prior = X.shape[1] + 1  # of few records the covariance is that of all
            spread = (own.T @ own + n_prior * pooled) / (size + n_prior)
            spread = regularised(spread)
            self.inverses.append(np.linalg.inv(spread))
            self.determinants.append(np.linalg.slogdet(spread)[1])
        self.n_factors = 1 if sizes.size == 2 else sizes.size
        squares = (self._slopes(X) ** 2).sum(axis=2).mean(axis=0)
        self.scales = np.sqrt(np.where(squares > 0, squares, 1.0))

    def log_factors(self, X: np.ndarray) -> np.ndarray:
        """One column for each factor."""
        logs = self._logs(X)
        columns = [logs[:, c] - against(logs, self.shares, c) for c in self._classes]
        return np.column_stack(columns) / self.scales

    @property
    def _classes(self) -> list[int]:
        return [1] if self.n_factors == 1 else list(range(self.n_factors))

    def _logs(self, X: np.ndarray) -> np.ndarray:
        """Log densities of the classes, up to a constant."""
        logs = []
        for mean, inverse, determinant in zip(
            self.means, self.inverses, self.determinants, strict=True
        ):
            apart = X - mean
            logs.append(-(((apart @ inverse) * apart).sum(axis=1) + determinant) / 2)
        return np.column_stack(logs)

    def _slopes(self, X: np.ndarray) -> np.ndarray:
        """Gradients of the factors, (n_samples, n_factors, n_features)."""
        logs = self._logs(X)
        own = [
            -(X - m) @ inverse
            for m, inverse in zip(self.means, self.inverses, strict=True)
        ]
        slopes = []
        for c in self._classes:
            others = [o for o in range(len(own)) if o != c]
            weighed = logs[:, others] + np.log(self.shares[others])
            weighed = np.exp(weighed - logsumexp(weighed, axis=1, keepdims=True))
            mixed = sum(
                w[:, None] * own[o] for w, o in zip(weighed.T, others, strict=True)
            )
            slopes.append(own[c] - mixed)
        return np.stack(slopes, axis=1)


def against(logs: np.ndarray, shares: np.ndarray, label: int) -> np.ndarray:
    """Log density of all classes but one, in their shares."""
    others = np.arange(shares.size) != label
    rest = shares[others] / shares[others].sum()
    return np.asarray(logsumexp(logs[:, others] + np.log(rest), axis=1))
