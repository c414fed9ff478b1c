"""StatisticalDependence: the confidential attribute as further coordinates."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from microcell._centre import centred_and_small
from microcell._validation import check_at_least, check_choice
from microcell.base import Records, Target
from microcell.embed._cross_fitted import cross_fitted

TARGETS = ("label", "posterior")
MAX_NUMERIC_CLASSES = 20  # of numbers; more are a measurement
MAX_LAMBDA = 0.999  # at 1 only the confidential attribute counts, and ties decide


class StatisticalDependence(BaseEstimator):
    """Trade distortion of X for distortion of the confidential attribute [1]_.

    Records become (sqrt((1 - lambda) / SST_X) x, sqrt(lambda / SST_Y) y), both about
    their means, so that the SSE of cells is the combined distortion (1 - lambda) SSE_X
    / SST_X + lambda SSE_Y / SST_Y, and any partitioner that keeps SSE low keeps it low.
    Categories of y are one coordinate each; a numeric y is one. With lambda = 0 cells
    are those of X alone.

    The confidential attribute of each record is part of its place, so there is no
    `transform` for records without it. Large values make cells homogeneous in it,
    which is what an intruder hopes for: look at `microcell.metrics.homogeneity`.

    Instead of y itself, its expectation given X can be the further coordinates: class
    probabilities, or expected numbers, that models estimate for each record from other
    records. A record whose y is unlike that of its neighbours then stays with them, so
    cells give less away for what a model learns from them.

    Parameters
    ----------
    lambda_ : float, default=0.5
        Between 0 and 1; above 0.999 it counts as 0.999, so that X breaks ties.
    target : {"label", "posterior"}, default="label"
        "label" takes y as it is, as in the paper; "posterior" its expectation given X,
        by five-fold cross-fitting of a linear model or of boosted trees, whichever is
        better. With fewer than two records of any class every record has the same one.

    Attributes
    ----------
    n_coordinates_ : int
        Columns that the confidential attribute takes.

    References
    ----------
    .. [1] Rebollo-Monedero, Forné, Soriano and Puiggalí Allepuz (2016). k-anonymous
       microaggregation with preservation of statistical dependence. Inf. Sci. 342,
       1-23. The construction as joint coordinates is ours.

    Examples
    --------
    >>> Z = StatisticalDependence(lambda_=0.5).fit_transform([[0.0], [2.0]], [0, 1])
    >>> Z.round(3)
    array([[-0.5  ,  0.354, -0.354],
           [ 0.5  , -0.354,  0.354]])
    """

    def __init__(self, lambda_: float = 0.5, *, target: str = "label") -> None:
        self.lambda_ = lambda_
        self.target = target

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Check the input; there is nothing to learn beyond it."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: ArrayLike, y: Target = None) -> Records:
        """Joint coordinates of the records.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Confidential attributes; several share lambda in equal parts.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_features + n_coordinates_of_y)
        """
        share = min(check_at_least("lambda_", self.lambda_, 0, most=1), MAX_LAMBDA)
        check_choice("target", self.target, TARGETS)
        X, y = validate_data(
            self, X, y, dtype=np.float64, y_numeric=False, multi_output=True
        )
        targets = columns_of(np.asarray(y))
        parts = []
        for target in targets:
            if self.target == "label":
                Y = target_coordinates(target)
            else:
                Y = cross_fitted(X, target, measured=is_measured(np.unique(target)))
            parts.append(np.sqrt(share / len(targets)) * unit_total(Y))
        self.n_coordinates_ = sum(part.shape[1] for part in parts)
        return np.hstack([np.sqrt(1 - share) * unit_total(X), *parts])

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_coordinates_")  # lambda_ only looks like fitted

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags


def columns_of(y: np.ndarray) -> list[np.ndarray]:
    """The confidential attributes, each with values of one kind."""
    if y.ndim == 1:
        return [y]
    return [np.array(column.tolist()) for column in y.T]


def target_coordinates(y: Any) -> np.ndarray:
    """Columns for a confidential attribute: numbers as they are, categories one-hot.

    Numbers with fractions, or with more than 20 values, are numbers; fewer whole
    numbers are categories.

    Examples
    --------
    >>> target_coordinates(np.array(["a", "b", "a"]))
    array([[1., 0.],
           [0., 1.],
           [1., 0.]])
    """
    y = np.asarray(y)
    values, codes = np.unique(y, return_inverse=True)
    if is_measured(values):
        return y[:, None].astype(np.float64)
    return (codes[:, None] == np.arange(values.size)) * 1.0


def is_measured(values: np.ndarray) -> bool:
    """Whether distinct values are those of a measurement rather than of classes."""
    if values.dtype.kind not in "fiu":
        return False
    return values.size > MAX_NUMERIC_CLASSES or bool((values != np.rint(values)).any())


def unit_total(X: Any) -> np.ndarray:
    """X about its mean, divided so that its sum of squares is 1; or 0.

    Examples
    --------
    >>> unit_total(np.array([[2e13], [2e13 + 0.5]])).ravel().round(3)
    array([-0.707,  0.707])
    """
    centred, _ = centred_and_small(X)
    total = np.sum(centred**2)
    return centred / np.sqrt(total) if total > 0 else centred
