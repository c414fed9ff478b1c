"""SelfOrganisingMap: prototypes on a grid whose neighbours stay neighbours."""

import math
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from microcell._centre import centred_and_small, mean_in_two_parts, times_power_of_two
from microcell._progress import report
from microcell._validation import check_at_least, check_count, check_records
from microcell.base import Labels, Records, Target
from microcell.exceptions import ParameterError
from microcell.kernels.nearest_units import nearest_units
from microcell.kernels.threads import one_thread_for_products

UNITS_PER_ROOT = 5  # units of a map for each root of the number of records
LAST_RADIUS = 0.5
TINY_WEIGHT = 1e-200  # a unit that no record reaches with more stays where it is


class SelfOrganisingMap(TransformerMixin, BaseEstimator):
    """A map of units on a rectangular grid, trained in batches [1]_.

    In each epoch every record looks for its nearest unit, the earlier one on ties, and
    every unit moves to the mean of all records, weighted by exp(-g^2 / 2 r^2), where g
    is the distance on the grid to the record's unit. The radius r shrinks
    geometrically. The map starts on the plane of the two main axes of the records.

    Nothing is random, and threads do not change a bit. An epoch costs O(n m d) for m
    units, so n^1.5 d with the default size; memory is O(n + m d) beyond the table.
    Columns are not rescaled.

    Parameters
    ----------
    shape : (int, int), optional
        Units along both sides of the grid. By default about 5 sqrt(n) units, with the
        ratio of the sides that of the records' spread along their two main axes [2]_.
    n_epochs : int, default=50
        How often all records are shown.
    radius : (float or None, float), default=(None, 0.5)
        Width of the neighbourhood in the first and the last epoch. None is half of the
        longer side.

    Attributes
    ----------
    shape_ : tuple of int
        Sides of the grid.
    prototypes_ : ndarray of shape (n_units, n_features)
        Where the units are, row of the grid by row.
    grid_ : Grid
        The grid with the last radius.
    labels_ : ndarray of shape (n_samples,)
        Nearest unit of each record.
    quantisation_errors_ : ndarray of shape (n_epochs + 1,)
        Mean squared distance of the records to their unit, before each epoch and at
        the end.

    References
    ----------
    .. [1] Kohonen (1995). Self-organizing maps. Springer.
    .. [2] Vesanto, Himberg, Alhoniemi and Parhankangas (2000). SOM Toolbox for
       Matlab 5. Helsinki University of Technology, A57.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.1, 0.0], [4.0, 4.1], [4.0, 4.0], [8.0, 8.1]]
    >>> SelfOrganisingMap((1, 3)).fit(X).labels_
    array([0, 0, 1, 1, 2])
    """

    def __init__(
        self,
        shape: tuple[int, int] | None = None,
        *,
        n_epochs: int = 50,
        radius: tuple[None, float] = (None, LAST_RADIUS),
    ) -> None:
        self.shape = shape
        self.n_epochs = n_epochs
        self.radius = radius

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Train the map.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
            There for scikit-learn.

        Returns
        -------
        self
        """
        X = check_records(self, X, order="C")
        n_epochs = check_count(self.n_epochs, 1, "n_epochs")
        # Squares stay in range, and products of matrices are the same on any number
        # of threads.
        small, exponent = centred_and_small(X)
        with one_thread_for_products():
            self.shape_ = self._shape(small)
            units = on_main_plane(small, self.shape_)
            nearest, distances = nearest_units(small, units)
            errors = [distances.mean()]
            for epoch, radius in enumerate(self._radii(n_epochs)):
                grid = Grid(self.shape_, radius)
                units = grid.weighted_means(small, nearest, units)
                nearest, distances = nearest_units(small, units)
                errors.append(distances.mean())
                report(epoch + 1, n_epochs, "training a map")
        self.grid_ = Grid(self.shape_, self.radius[1])
        self.labels_ = nearest
        near, rest = mean_in_two_parts(X)
        self.prototypes_ = near + (rest + np.ldexp(units, exponent))
        self._units, self._exponent = units, exponent
        self._varies = X.max(axis=0) > X.min(axis=0)
        whole = X if self._varies.all() else X[:, self._varies]
        self._middle = mean_in_two_parts(times_power_of_two(whole, -exponent))
        with np.errstate(over="ignore", under="ignore"):  # of squares, far from 1
            self.quantisation_errors_ = np.ldexp(errors, 2 * exponent)
        return self

    def predict(self, X: Any) -> Any:
        """Nearest unit of each record."""
        check_is_fitted(self)
        X = check_records(self, X, order="C", reset=False)
        near, rest = self._middle
        small = np.zeros_like(X)  # where no column varied no unit is nearer
        scaled = np.ldexp(X[:, self._varies], -self._exponent)
        small[:, self._varies] = (scaled - near) - rest
        return nearest_units(small, self._units)[0]

    def fit_predict(self, X: ArrayLike, y: Target = None) -> Labels:
        """Train the map and return the nearest unit of each record, `labels_`."""
        return self.fit(X).labels_

    def transform(self, X: ArrayLike) -> Records:
        """The prototype of each record's unit."""
        nearest = self.predict(X)
        return self.prototypes_[nearest]

    def _shape(self, X: np.ndarray) -> Any:
        if self.shape is None:
            return map_shape(X)
        if isinstance(self.shape, (str, int, float)) or len(self.shape) != 2:
            raise ParameterError(
                "shape", f"must hold two sides. Got {self.shape!r} instead."
            )
        return tuple(check_count(side, 1, "shape") for side in self.shape)

    def _radii(self, n_epochs: int) -> Any:
        if not isinstance(self.radius, (tuple, list)) or len(self.radius) != 2:
            raise ParameterError(
                "radius", f"must hold a first and a last one. Got {self.radius!r}."
            )
        first, last = self.radius
        last = check_at_least("radius", last, 0.01)
        first = max(max(self.shape_) / 2, last) if first is None else first
        first = check_at_least("radius", first, 0.01)
        return np.geomspace(first, last, n_epochs) if n_epochs > 1 else [last]


class Grid:
    """Weights between the units of a rectangular grid.

    The weight exp(-g^2 / 2 r^2) is that of the rows times that of the columns, so no
    matrix of all pairs of units is needed.

    Parameters
    ----------
    shape : (int, int)
    radius : float
    """

    def __init__(self, shape: tuple[int, int], radius: float) -> None:
        self.shape = shape
        self.radius = radius

    def weighted_means(
        self, X: np.ndarray, nearest: np.ndarray, units: np.ndarray
    ) -> np.ndarray:
        """Mean of all records, weighted by the distance of their unit on the grid.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
        nearest : ndarray of shape (n_samples,)
            Unit of each record.
        units : ndarray of shape (n_units, n_features)
            Where units stay that no record reaches.
        """
        sums = self.smooth(sums_by_place(X, nearest, math.prod(self.shape)))
        return means_of(sums, units)

    def smooth(
        self, table: np.ndarray, *, power: float = 1, steps: int = 1
    ) -> np.ndarray:
        """Sum the rows of a table over places, weighted by the distance to each unit.

        Parameters
        ----------
        table : ndarray of shape (n_places, n_values)
            Places are units, or with steps=2 also the middles between two.
        power : float, default=1
            Of the weight.
        steps : int, default=1
            Places between two neighbouring units, of which a grid of n has
            steps (n - 1) + 1.

        Returns
        -------
        smoothed : ndarray of shape (n_units, n_values)
        """
        weights = []
        for side in self.shape:
            places = np.arange(steps * (side - 1) + 1) / steps
            gaps = (np.arange(side)[:, None] - places) / self.radius
            weights.append(np.exp(-power * gaps**2 / 2))
        rows, columns = weights
        table = table.reshape(rows.shape[1], columns.shape[1], -1)
        smoothed = np.einsum("ar,rcv->acv", rows, table, optimize=True)
        smoothed = np.einsum("bc,acv->abv", columns, smoothed, optimize=True)
        return smoothed.reshape(math.prod(self.shape), -1)


def sums_by_place(
    X: np.ndarray, places: np.ndarray, n_places: int, weights: Any = None
) -> np.ndarray:
    """Columns summed over the records of each place, and their number in the last."""
    sums = np.empty((n_places, X.shape[1] + 1))
    for j, column in enumerate(X.T):
        values = column if weights is None else column * weights
        sums[:, j] = np.bincount(places, weights=values, minlength=n_places)
    sums[:, -1] = np.bincount(places, weights=weights, minlength=n_places)
    return sums


def means_of(sums: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Means from sums and weights; `otherwise` where there is no weight."""
    weights = sums[:, -1:]
    reached = weights > TINY_WEIGHT
    return np.where(reached, sums[:, :-1] / np.where(reached, weights, 1), otherwise)


def map_shape(X: np.ndarray) -> tuple[int, int]:
    """Sides of a map of about 5 sqrt(n) units; the longer one comes last.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Records about their mean.

    Examples
    --------
    >>> map_shape(np.array([[-3.0, 0.0], [3.0, 0.0], [0.0, -1.0], [0.0, 1.0]]))
    (2, 5)
    """
    n_units = math.ceil(UNITS_PER_ROOT * math.sqrt(X.shape[0]))
    first, second = main_axes(X)[0]
    is_line = first <= 0 or second * n_units < first
    ratio = 1.0 if is_line else math.sqrt(first / second)
    short = max(1, min(n_units, round(math.sqrt(n_units / ratio))))
    return short, max(1, round(n_units / short))


def main_axes(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two largest variances along axes of the records, and those axes.

    Signs are such that the largest part of an axis is positive. In one column the
    second axis is null.
    """
    variances, axes = np.linalg.eigh(X.T @ X / X.shape[0])
    variances, axes = np.maximum(variances[::-1][:2], 0), axes.T[::-1][:2]
    if X.shape[1] == 1:
        variances, axes = np.append(variances, 0.0), np.vstack([axes, [0.0]])
    largest = np.argmax(np.abs(axes), axis=1)
    return variances, axes * np.sign(axes[[0, 1], largest] + 0.0)[:, None]


def on_main_plane(X: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Units of a grid spread over one standard deviation along both main axes."""
    variances, (along, across) = main_axes(X)
    short, long = (
        np.linspace(-1, 1, side) if side > 1 else np.zeros(1) for side in shape
    )
    first, second = np.sqrt(variances)
    units = second * short[:, None, None] * across + first * long[:, None] * along
    return units.reshape(-1, X.shape[1])
