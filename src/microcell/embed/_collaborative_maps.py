"""CollaborativeMaps: maps of views of the columns that learn from each other."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from microcell._centre import MAX_RANGE_EXPONENT, centred_and_small, exponents_of_ranges
from microcell._progress import report
from microcell._random import CELLS, random_generator
from microcell._slices import take_columns
from microcell._validation import (
    check_at_least,
    check_choice,
    check_count,
    check_records,
)
from microcell.base import Records, Target
from microcell.embed._self_organising_map import (
    LAST_RADIUS,
    Grid,
    SelfOrganisingMap,
    map_shape,
    means_of,
    sums_by_place,
)
from microcell.exceptions import ParameterError, nearest_name
from microcell.kernels.nearest_units import nearest_units
from microcell.kernels.threads import one_thread_for_products
from microcell.kernels.weighted_lvq import (
    LVQSettings,
    class_codes,
    majority_classes,
    moved_prototypes,
)

MIN_RADIUS = 0.1  # of less, no unit hears of its neighbours
ROWS_AT_ONCE = 256  # of distances between units


class CollaborativeMaps(TransformerMixin, BaseEstimator):
    """Code each record by what the maps of its views say of it [1]_.

    The columns are divided into views. Each view trains a `SelfOrganisingMap` of its
    own, all on the same grid. Then they collaborate: where maps A and B place a record
    i at different units, its weight for unit j of map A grows by (K_ji^A - K_ji^B)^2,
    K the weight of the neighbourhood, and each unit moves to the weighted mean of the
    view's records. After a pass a view keeps its new map only if that lowers the
    Davies-Bouldin index of its units, and the collaboration ends when no view does.
    Finally each record is coded, view by view, by its unit.

    This shapes the space in which cells are formed; it is no release. A pass costs
    O(n m d) for maps of m units, like an epoch of a map; memory is O(n d + m d).

    Parameters
    ----------
    views : int or list of lists of int, default=2
        How many blocks of consecutive columns, of as equal size as can be; or the
        columns of each view, all columns once. One view has nobody to learn from.
    scale : transformer, optional
        The scale of the columns of each view; by default as they are.
    beta : float, default=1.0
        Weight of what other views say; 0 is no collaboration.
    code : {"unit", "mixture"}, default="unit"
        The prototype of the record's unit, or the mean of all prototypes, weighted by
        the neighbourhood of that unit.
    shape : (int, int), optional
        The grid; by default that of a `SelfOrganisingMap` of all columns.
    n_epochs : int, default=50
        Epochs of each map before they collaborate.
    n_passes : int, default=20
        Most passes of collaboration.
    order : {"together", "in turn"}, default="together"
        Whether all views learn from the same maps of the others, or one after the
        other, each from what those before it have become.
    radius : float, default=0.5
        Width of the neighbourhood in the last epoch and while maps collaborate. With
        a small one maps agree or do not; with a wide one they speak of regions.
    labelled : bool, default=False
        Whether the classes of `y` move the units once the maps have collaborated, by
        wLVQ2 inside of each view [2]_; records are coded by the units that are then
        nearest. Which records share a cell then depends on the classes.
    random_state : None, int, RandomState or Generator, optional
        For the order in which records move units.

    Attributes
    ----------
    views_ : list of lists of int
        Columns of each view.
    shape_ : tuple of int
        The grid of all maps.
    prototypes_ : list of ndarray
        Of each view, shape (n_units, n_columns).
    labels_ : ndarray of shape (n_samples, n_views)
        Unit of each record in each view.
    davies_bouldin_ : list of list of float
        For each view the index after training and after each pass that it kept.
    n_rejected_ : int
        New maps that were not kept because the index did not fall.

    References
    ----------
    .. [1] Grozavu and Bennani (2010). Topological collaborative clustering.
       Australian Journal of Intelligent Information Processing Systems 12(3).
    .. [2] Zouinina, Bennani, Rogovschi and Lyhyaoui (2020). A two-levels data
       anonymization approach. AIAI, 85-95.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.1, 1.0], [5.0, 4.0], [5.1, 4.2]]
    >>> CollaborativeMaps(shape=(1, 2)).fit_transform(X).round(1)
    array([[0.6, 1.4],
           [0.6, 1.4],
           [4.5, 3.7],
           [4.5, 3.7]])
    """

    def __init__(
        self,
        views: Any = 2,
        *,
        scale: Any = None,
        beta: float = 1.0,
        code: str = "unit",
        shape: tuple[int, int] | None = None,
        n_epochs: int = 50,
        n_passes: int = 20,
        order: str = "together",
        radius: float = LAST_RADIUS,
        labelled: bool = False,
        random_state: Any = None,
    ) -> None:
        self.views = views
        self.scale = scale
        self.beta = beta
        self.code = code
        self.shape = shape
        self.n_epochs = n_epochs
        self.n_passes = n_passes
        self.order = order
        self.radius = radius
        self.labelled = labelled
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Train the maps and let them collaborate."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: ArrayLike, y: Target = None) -> Records:
        """Train the maps and return the coded records, views side by side.

        Returns
        -------
        coded : ndarray of shape (n_samples, n_coordinates)
        """
        check_choice("code", self.code, ("unit", "mixture"))
        beta = check_at_least("beta", self.beta, 0)
        check_at_least("radius", self.radius, MIN_RADIUS)
        X = self._checked(X, reset=True)
        self.views_ = column_views(self.views, X.shape[1])
        self.scales_ = [
            None if self.scale is None else take_columns(clone(self.scale), view)
            for view in self.views_
        ]
        self._exponent = 0
        tables = self._tables(X, fit=True)
        self.shape_ = self.shape
        if self.shape_ is None:
            self.shape_ = map_shape(centred_and_small(np.hstack(tables))[0])
        maps = [
            SelfOrganisingMap(
                self.shape_, n_epochs=self.n_epochs, radius=(None, self.radius)
            ).fit(table)
            for table in tables
        ]
        self.shape_ = maps[0].shape_
        views = [
            View(table, m.prototypes_) for table, m in zip(tables, maps, strict=True)
        ]
        grid = maps[0].grid_
        with one_thread_for_products():
            self._collaborate(views, grid, beta)
        if self.labelled:
            views = self._moved_by(y, views)
        self._weights = [view.weights for view in views]
        self.prototypes_ = [view.units for view in views]
        self._codes = [self._coded(units, grid) for units in self.prototypes_]
        self.labels_ = np.column_stack([view.nearest for view in views])
        coded = [
            codes[view.nearest] for codes, view in zip(self._codes, views, strict=True)
        ]
        return np.ldexp(np.hstack(coded), self._exponent)

    def name_columns(self, names: Sequence[str]) -> None:
        """Let views that name columns mean those of a table."""
        if isinstance(self.views, numbers.Integral):
            return
        place_of = {name: place for place, name in enumerate(names)}
        named = [[view] if isinstance(view, str) else list(view) for view in self.views]
        for column in (column for view in named for column in view):
            if isinstance(column, str) and column not in place_of:
                raise ParameterError(
                    "views",
                    f"names the column {column!r}, which is no quasi-identifier.",
                    hint=nearest_name(column, names),
                )
        self.views = [[place_of.get(c, c) for c in view] for view in named]

    def transform(self, X: ArrayLike) -> Records:
        """Code each record by its nearest units."""
        check_is_fitted(self)
        X = self._checked(X)
        coded = [
            codes[nearest_units(table * weights, units * weights)[0]]
            for table, units, weights, codes in zip(
                self._tables(X),
                self.prototypes_,
                self._weights,
                self._codes,
                strict=True,
            )
        ]
        return np.ldexp(np.hstack(coded), self._exponent)

    def _checked(self, X: Any, reset: bool = False) -> np.ndarray:
        """Missing values may pass where the scale has a place for them."""
        gaps = self.scale is not None and get_tags(self.scale).input_tags.allow_nan
        finite = "allow-nan" if gaps else True
        return check_records(self, X, reset=reset, ensure_all_finite=finite)

    def _tables(self, X: np.ndarray, fit: bool = False) -> list[np.ndarray]:
        """The columns of each view, scaled, with squares in range."""
        tables = [X[:, view] for view in self.views_]
        for place, scale in enumerate(self.scales_):
            if scale is not None:
                scaled = scale.fit_transform if fit else scale.transform
                tables[place] = scaled(tables[place])
        if fit:
            exponent = int(np.max(exponents_of_ranges(np.hstack(tables))))
            self._exponent = exponent if abs(exponent) > MAX_RANGE_EXPONENT else 0
        return [
            np.ascontiguousarray(np.ldexp(table, -self._exponent)) for table in tables
        ]

    def _collaborate(self, views: list[View], grid: Grid, beta: float) -> None:
        self.davies_bouldin_ = [[view.index] for view in views]
        self.n_rejected_ = 0
        if beta == 0 or len(views) < 2:
            return
        n_passes = check_count(self.n_passes, 1, "n_passes")
        check_choice("order", self.order, ("together", "in turn"))
        for done in range(n_passes):
            as_before, improved = list(views), False
            for place, one in enumerate(as_before):
                others = others_of(
                    as_before if self.order == "together" else views, one
                )
                new = View(one.table, taught(one, others, grid, beta))
                if new.index < one.index:
                    views[place], improved = new, True
                    self.davies_bouldin_[place].append(new.index)
                else:
                    self.n_rejected_ += 1
            report(done + 1, n_passes, "letting maps collaborate")
            if not improved:
                return

    def _moved_by(self, y: Any, views: list[View]) -> list[View]:
        """Views whose units the classes of their records have moved."""
        if y is None:
            raise ValueError(
                "CollaborativeMaps requires y to be passed, but the target y is None: "
                "labelled=True moves units by the classes."
            )
        classes = class_codes(np.asarray(y))
        rng = random_generator(self.random_state, CELLS)
        moved = []
        for view in views:
            used, cells = np.unique(view.nearest, return_inverse=True)
            units, weights, _ = moved_prototypes(
                view.table,
                classes,
                view.units[used],
                majority_classes(cells, classes),
                LVQSettings(),
                rng,
            )
            everywhere = view.units.copy()
            everywhere[used] = units
            moved.append(View(view.table, everywhere, weights))
        return moved

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.labelled is True
        return tags

    def _coded(self, units: np.ndarray, grid: Grid) -> np.ndarray:
        """What stands for each unit."""
        if self.code == "unit":
            return units
        ones = np.ones((len(units), 1))
        return means_of(grid.smooth(np.hstack([units, ones])), units)


class View:
    """Some columns of the table and a map of them.

    Attributes
    ----------
    table : ndarray of shape (n_samples, n_columns)
    units : ndarray of shape (n_units, n_columns)
    nearest : ndarray of shape (n_samples,)
        Unit of each record.
    weights : ndarray of shape (n_columns,)
        Of the columns, where records look for their unit.
    index : float
        The Davies-Bouldin index of the units that have records.
    """

    def __init__(
        self, table: np.ndarray, units: np.ndarray, weights: np.ndarray | None = None
    ) -> None:
        self.table = table
        self.units = units
        self.weights = np.ones(table.shape[1]) if weights is None else weights
        near, far = table * self.weights, units * self.weights
        self.nearest, distances = nearest_units(near, far)
        self.index = davies_bouldin(np.sqrt(distances), self.nearest, far)


def others_of(views: Sequence[View], one: View) -> list[View]:
    """The views beside one."""
    return [view for view in views if view is not one]


def taught(view: View, others: Sequence[View], grid: Grid, beta: float) -> np.ndarray:
    """Where the units of a view go after a pass of collaboration.

    The weight K_A + beta (K_A - K_B)^2 of a record is K_A + beta (K_A^2 + K_B^2 -
    2 K_A K_B), and K_A K_B, a product of two bells, is a bell around the middle of the
    two units, so all sums go over the grid and none over pairs of records and units.

    Parameters
    ----------
    view : View
    others : list of View
    grid : Grid
    beta : float
    """
    table, n_units = view.table, math.prod(grid.shape)
    own = sums_by_place(table, view.nearest, n_units)
    sums = grid.smooth(own) + beta * len(others) * grid.smooth(own, power=2)
    for other in others:
        theirs = sums_by_place(table, other.nearest, n_units)
        sums += beta * grid.smooth(theirs, power=2)
        places, weights, n_places = middles(view.nearest, other.nearest, grid)
        both = sums_by_place(table, places, n_places, weights)
        sums -= 2 * beta * grid.smooth(both, power=2, steps=2)
    return means_of(sums, view.units)


def middles(
    units: np.ndarray, other_units: np.ndarray, grid: Grid
) -> tuple[np.ndarray, np.ndarray, int]:
    """The middle between two units of each record, and what their distance leaves.

    Returns
    -------
    places : ndarray of shape (n_samples,)
        On the grid with middles between units.
    weights : ndarray of shape (n_samples,)
    n_places : int
    """
    one = np.divmod(units, grid.shape[1])
    two = np.divmod(other_units, grid.shape[1])
    apart = (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2
    rows, columns = (2 * side - 1 for side in grid.shape)
    places = (one[0] + two[0]) * columns + one[1] + two[1]
    return places, np.exp(-apart / (4 * grid.radius**2)), rows * columns


def davies_bouldin(distances: np.ndarray, nearest: np.ndarray, units: Any) -> float:
    """Mean over units of the worst ratio of spread to separation; lower is better.

    Units without records do not count; nor do pairs at the same place.

    Parameters
    ----------
    distances : ndarray of shape (n_samples,)
        Of each record to its unit.
    nearest : ndarray of shape (n_samples,)
        Unit of each record.
    units : ndarray of shape (n_units, n_features)
    """
    counts = np.bincount(nearest, minlength=len(units))
    used = np.flatnonzero(counts)
    spread: Any = np.bincount(nearest, weights=distances, minlength=len(units))[used]
    spread, units = spread / counts[used], units[used]
    worst = np.zeros(used.size)
    for start in range(0, used.size, ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        gaps = np.zeros((len(units[some]), used.size))
        for column in units.T:
            gaps += (column[some, None] - column) ** 2
        apart = gaps > 0
        ratios = np.where(apart, spread[some, None] + spread, 0)
        ratios /= np.sqrt(np.where(apart, gaps, 1))
        worst[some] = ratios.max(axis=1)
    return float(worst.mean())


def column_views(views: Any, n_features: int) -> list[list[int]]:
    """Columns of each view, every column in exactly one.

    Examples
    --------
    >>> column_views(2, 5)
    [[0, 1, 2], [3, 4]]
    """
    if isinstance(views, numbers.Integral) and not isinstance(views, bool):
        n_views = min(check_count(views, 1, "views"), n_features)
        return [block.tolist() for block in np.array_split(range(n_features), n_views)]
    try:
        named = [list(view) for view in views]
        complete = sorted(column for view in named for column in view)
    except TypeError:
        named, complete = [], None
    if complete != list(range(n_features)) or not all(named):
        raise ParameterError(
            "views",
            f"must hold each of the {n_features} columns once. Got {views!r} instead.",
        )
    return named
