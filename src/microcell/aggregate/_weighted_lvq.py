"""WeightedLVQ2: prototypes that move away from records of other classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from microcell._capabilities import capabilities_of
from microcell._centre import centred_and_small, mean_in_two_parts
from microcell._random import CELLS, random_generator
from microcell._validation import check_at_least, check_choice, check_count
from microcell.aggregate._centroid import Centroid
from microcell.aggregate._interval import cell_ends
from microcell.base import BaseAggregator, Labels, Records
from microcell.exceptions import InputError
from microcell.kernels.nearest_units import nearest_units
from microcell.kernels.small_units import empty_small_units
from microcell.kernels.weighted_lvq import (
    LVQSettings,
    class_codes,
    majority_classes,
    moved_prototypes,
)

ROUNDING = 1e-12  # a prototype that moved no more stays where it was


class WeightedLVQ2(BaseAggregator):
    """Release prototypes that learning vector quantisation moved by the classes [1]_.

    Each cell starts with its mean and the class that most of its records have. Records
    are shown in random order. Where the nearest prototype is of another class and the
    second nearest of the record's own, the first is pushed away and the second pulled
    closer, and each column's weight in the distance falls by how little it tells the
    two apart. Cells keep their records, so k holds as before; only what is released
    for a cell moves, on the scale of mean 0 and variance 1.

    Two departures from [2]_. Its printed update has the wrong sign for both prototypes;
    this is the gradient of the cost. And it keeps prototypes in the weighted space, so
    that a column whose weight falls is stretched when they are released, for cells too
    that no record ever moved: on Page Blocks the loss was 38 times the variance. Here
    prototypes live in the space of the records, and weights count in the distance
    alone, the norm of W (x - m). The cost has no lower end, so after each pass the
    weights are kept between 0.01 and 100 with a mean square of 1.

    The released values are tied to the confidential attribute, they lose more than the
    means do, and can leave the range of their cell: how many do is counted, in
    `n_outside_`, and shown. A pass costs O(n m d) for m cells.

    Parameters
    ----------
    start : aggregator, optional
        Where prototypes start, by default ``Centroid()``.
    per_column : bool, default=False
        Whether each column is learnt by itself; cells that start with the same value
        share a prototype there.
    window : float, default=0.3
        Records move prototypes only if the ratio of the two distances is above
        (1 - window) / (1 + window).
    rate : float, default=0.03
        First learning rate; it falls to 0 in equal steps over the passes.
    weight_rate : float, default=0.1
        Learning rate of the weights, as a share of that of the prototypes.
    n_passes : int, default=20
        How often all records are shown.
    second_round : bool, default=False
        Whether a second round follows, ten times as long at a tenth of the rate, as
        [2]_ suggests.
    space : {"records", "weighted"}, default="records"
        Where prototypes live; "weighted" is as printed in [2]_, signs mended, and is
        here to be compared.
    membership : {"fixed", "reassign"}, default="fixed"
        Whether records stay in their cells, or go to the nearest prototype once all
        have moved; cells left with fewer than k records are then emptied into others.
        The cells then depend on the classes. Only where cells are units of a map.
    codewords : {"cells", "k-means"}, default="cells"
        Where prototypes start: from the cells, or, with membership="reassign", from as
        many centres of k-means inside each class, as printed in [2]_.
    random_state : None, int, RandomState or Generator, optional
        For the order of the records.

    Attributes
    ----------
    feature_weights_ : ndarray of shape (n_features,)
        Weight of each column in the distance, with a mean square of 1; all 1 if
        columns are learnt alone.
    n_moves_ : ndarray of shape (n_passes,)
        How often a record moved prototypes in each pass.
    n_outside_ : int
        Cells with a released value outside the range of their records.
    notices_ : list of str
        The same in words.

    References
    ----------
    .. [1] Bennani (1999). Adaptive weighting of pattern features during learning.
       IJCNN 1999.
    .. [2] Zouinina, Bennani, Rogovschi and Lyhyaoui (2020). A two-levels data
       anonymization approach. AIAI, 85-95.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.2], [1.8], [3.0], [4.0]]  # two near the wrong mean
    >>> labels, ill = [0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1]
    >>> moved = WeightedLVQ2(random_state=0).aggregate(X, labels, ill)
    >>> moved[[0, 5]].round(2).ravel()
    array([1.2, 2.8])
    """

    needs_target = True

    def __init__(
        self,
        start: BaseAggregator | None = None,
        *,
        per_column: bool = False,
        window: float = 0.3,
        rate: float = 0.03,
        weight_rate: float = 0.1,
        n_passes: int = 20,
        second_round: bool = False,
        space: str = "records",
        membership: str = "fixed",
        codewords: str = "cells",
        random_state: Any = None,
    ) -> None:
        self.start = start
        self.per_column = per_column
        self.window = window
        self.rate = rate
        self.weight_rate = weight_rate
        self.n_passes = n_passes
        self.second_round = second_round
        self.space = space
        self.membership = membership
        self.codewords = codewords
        self.random_state = random_state

    @property
    def needs_partition(self) -> bool:  # type: ignore[override]
        """Whether the start uses the partitioner."""
        return self.start is not None and self.start.needs_partition

    @property
    def regroups(self) -> bool:  # type: ignore[override]
        """Whether records go to other cells once the prototypes have moved."""
        check_choice("membership", self.membership, ("fixed", "reassign"))
        return self.membership == "reassign"

    def regroup(self, X: Records, labels: Labels, y: Any, partition: Any) -> Labels:
        """Cells of the records that are nearest to each prototype once it has moved.

        The cell with the fewest records is emptied as long as it has fewer than the
        partitioner's k, as in `CTCA`.
        """
        if not capabilities_of(partition).cells_of_map or self.per_column:
            raise InputError(
                "Records go to other prototypes only where cells are units of a map, "
                "not those of strata, units of people, other promises or of single "
                "columns.",
                option="membership",
                hint="Give membership='fixed'.",
            )
        scaled = Scaled(X)
        classes = class_codes(np.asarray(y))
        rng = random_generator(self.random_state, CELLS)
        first, of_class = self._codewords(scaled, X, labels, classes, partition, rng)
        moved, self.feature_weights_, self.n_moves_ = moved_prototypes(
            scaled.Z, classes, first, of_class, self._settings(), rng
        )
        near, far = scaled.Z * self.feature_weights_, moved * self.feature_weights_
        cells = nearest_units(near, far)[0]
        empty_small_units(near, far, cells, partition.k)
        used, labels = np.unique(cells, return_inverse=True)
        self._prototypes = scaled.back(moved[used])
        return labels

    def _codewords(
        self,
        scaled: Scaled,
        X: np.ndarray,
        labels: np.ndarray,
        classes: np.ndarray,
        partition: Any,
        rng: np.random.Generator,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Where prototypes start, and the class of each."""
        check_choice("codewords", self.codewords, ("cells", "k-means"))
        of_class = majority_classes(labels, classes)
        if self.codewords == "cells":
            start = Centroid() if self.start is None else clone(self.start)
            first = start.aggregate(X, labels, partition=partition)
            return scaled.there(
                first[np.unique(labels, return_index=True)[1]]
            ), of_class
        return class_codewords(scaled.Z, classes, np.bincount(of_class), rng)

    def _aggregate(
        self, X: Records, labels: Labels, y: NDArray[Any], partition: Any = None
    ) -> Records:
        if self.regroups:
            X_released = self._prototypes[labels]
        else:
            check_choice("codewords", self.codewords, ("cells",))
            X_released = self._moved_cells(X, labels, y, partition)
        self._count_outside(X, labels, X_released)
        return X_released

    def _moved_cells(
        self, X: np.ndarray, labels: np.ndarray, y: np.ndarray, partition: Any
    ) -> np.ndarray:
        """The moved prototype of the cell of each record."""
        classes = class_codes(y)
        rng = random_generator(self.random_state, CELLS)
        start = Centroid() if self.start is None else clone(self.start)
        first = start.aggregate(X, labels, partition=partition)
        # About the mean, the start and the way from it keep their digits.
        scaled = Scaled(X)
        near = start.aggregate(X - scaled.middle, labels, partition=partition)
        moved = self._moved(scaled.Z, labels, classes, scaled.of_centred(near), rng)
        moved[np.abs(moved) < ROUNDING] = 0
        X_released = scaled.middle + (near + scaled.way(moved))
        return np.where(moved == 0, first, X_released)

    def _moved(
        self,
        Z: np.ndarray,
        labels: np.ndarray,
        classes: np.ndarray,
        first: np.ndarray,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """How far the prototype of each record's cell moves from `first`."""
        columns = [slice(None)]
        if self.per_column:  # cells that start alike share a prototype there
            columns = [slice(j, j + 1) for j in range(Z.shape[1])]
        moved, weights, n_moves = [], [], []
        for some in columns:
            cells = labels
            if self.per_column:
                cells = np.unique(first[:, some], return_inverse=True)[1].ravel()
            start = first[np.unique(cells, return_index=True)[1]][:, some]
            found = moved_prototypes(
                np.ascontiguousarray(Z[:, some]),
                classes,
                start,
                majority_classes(cells, classes),
                self._settings(),
                rng,
            )
            moved.append((found[0] - start)[cells])
            weights.append(found[1])
            n_moves.append(found[2])
        self.feature_weights_ = np.concatenate(weights)
        self.n_moves_ = np.sum(n_moves, axis=0)
        return np.hstack(moved)

    def _settings(self) -> LVQSettings:
        check_choice("space", self.space, ("records", "weighted"))
        return LVQSettings(
            window=check_at_least("window", self.window, 0, most=1),
            rate=check_at_least("rate", self.rate, 0, most=1),
            weight_rate=check_at_least("weight_rate", self.weight_rate, 0),
            n_passes=check_count(self.n_passes, 1, "n_passes"),
            weighted=self.space == "weighted",
            second_round=bool(self.second_round),
        )

    def _count_outside(
        self, X: np.ndarray, labels: np.ndarray, X_released: np.ndarray
    ) -> None:
        low, high = cell_ends(X, labels)
        slack = 1e-9 * (X.max(axis=0) - X.min(axis=0))
        outside = (X_released < low - slack).any(axis=1)
        outside |= (X_released > high + slack).any(axis=1)
        n_cells = int(labels.max()) + 1
        self.n_outside_ = np.unique(labels[outside]).size
        self.notices_ = []
        if self.n_outside_:
            self.notices_ = [
                f"{self.n_outside_} of {n_cells} cells are released outside the range "
                "of their records: their prototypes were moved by the classes"
            ]


def class_codewords(
    Z: np.ndarray, classes: np.ndarray, n_each: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Centres of k-means inside each class, and the class of each centre.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
    classes : ndarray of shape (n_samples,)
    n_each : ndarray
        How many of each class; at least one, and no more than it has records.
    rng : numpy.random.Generator
    """
    from sklearn.cluster import KMeans  # only this start needs it

    centres, of_class = [], []
    for label in range(int(classes.max()) + 1):
        own = Z[classes == label]
        wanted = int(n_each[label]) if label < len(n_each) else 1
        n_centres = min(max(wanted, 1), len(np.unique(own, axis=0)))
        seed = int(rng.integers(2**31))
        means = KMeans(n_centres, n_init=1, random_state=seed).fit(own)
        centres.append(means.cluster_centers_)
        of_class.append(np.full(n_centres, label))
    return np.vstack(centres), np.concatenate(of_class)


class Scaled:
    """Records with mean 0 and variance 1, and the way back, digits kept.

    Attributes
    ----------
    Z : ndarray of shape (n_samples, n_features)
    middle : ndarray of shape (n_features,)
        The mean of the records.
    """

    def __init__(self, X: np.ndarray) -> None:
        self.middle, _ = mean_in_two_parts(X)
        Z, self._exponent = centred_and_small(X)
        spread = Z.std(axis=0)
        self._spread = np.where(spread == 0, 1, spread)
        self._rest = np.ldexp((X - self.middle).mean(axis=0), -self._exponent)
        self.Z = Z / self._spread

    def of_centred(self, near: np.ndarray) -> np.ndarray:
        """Where points stand that are given about the middle."""
        return (np.ldexp(near, -self._exponent) - self._rest) / self._spread

    def there(self, points: np.ndarray) -> np.ndarray:
        """Where points stand."""
        return self.of_centred(points - self.middle)

    def way(self, moved: np.ndarray) -> np.ndarray:
        """A way between two points, in the units of the records."""
        return np.ldexp(moved * self._spread, self._exponent)

    def back(self, points: np.ndarray) -> np.ndarray:
        """Points in the units of the records."""
        return self.middle + (np.ldexp(self._rest, self._exponent) + self.way(points))
