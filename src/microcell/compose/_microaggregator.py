"""Microaggregator: embed, partition and aggregate an array in one estimator."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin, clone
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from microcell._capabilities import Capabilities, capabilities_of
from microcell._validation import check_records
from microcell.aggregate import Centroid
from microcell.base import BaseAggregator, BasePartitioner, Records, Target
from microcell.compose._plan import GoesByNames, Group, Names, Publish
from microcell.compose._refinement import Refinement
from microcell.compose._wrapper import refinement_of
from microcell.embed import ColumnScaler
from microcell.exceptions import InputError
from microcell.privacy import CellSize, KAnonymity, Promise


class Microaggregator(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Replace records by what their cell publishes.

    Distances live in the embedded space; the release is made from X itself. There is
    no `transform` for unseen records: a release belongs to its table. In a `Pipeline`
    it is therefore the last step, through `fit_transform`.

    Parameters
    ----------
    partition : partitioner
        How cells are formed, for example ``MDAV(k=5)``.
    embed : transformer, optional
        The geometry in which cells are formed, for example ``StandardScale()`` of
        `microcell.embed`, or a scaler of scikit-learn. By default X as it is.
    aggregate : aggregator, optional
        What is published for a cell, by default ``Centroid()``.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cell of each record.
    n_cells_ : int
        Number of cells.
    embed_, partition_, aggregate_ : estimators
        The fitted parts; `embed_` is None without an embedding.

    Examples
    --------
    >>> from microcell.embed import StandardScale
    >>> from microcell.partition import MDAV
    >>> masked = Microaggregator(MDAV(k=2), embed=StandardScale())
    >>> masked.fit_transform([[20, 1], [60, 9], [24, 3], [62, 9], [64, 12]])
    array([[22.,  2.],
           [62., 10.],
           [22.,  2.],
           [62., 10.],
           [62., 10.]])
    """

    def __init__(
        self,
        partition: BasePartitioner,
        *,
        embed: Any = None,
        aggregate: BaseAggregator | None = None,
    ) -> None:
        self.partition = partition
        self.embed = embed
        self.aggregate = aggregate

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Form the cells.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Quasi-identifiers.
        y : array-like of shape (n_samples,), optional
            Confidential attribute, for the parts that use it.

        Returns
        -------
        self
        """
        self._fit(X, y)
        return self

    def fit_transform(self, X: ArrayLike, y: Target = None) -> Records:
        """Form the cells and return the released records.

        Returns
        -------
        X_released : ndarray
            One row per record, in the order of X.
        """
        X = self._fit(X, y)
        return self.aggregate_.aggregate(X, self.labels_, y, partition=self.partition_)

    def _aggregator(self) -> BaseAggregator:
        return Centroid() if self.aggregate is None else clone(self.aggregate)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the released columns: those of X, with ends for intervals."""
        check_is_fitted(self, "labels_")
        names = super().get_feature_names_out(input_features)
        return released_names(names, self._values_per_column)

    def equip(self, *, publish: Publish, group: Group) -> Self:
        """Fit this plan to a table.

        Parameters
        ----------
        publish : callable
            Takes the aggregator (or None), returns the one to use.
        group : callable
            Takes the partitioner, returns the one to use.
        """
        self._check_geometry_counts()
        self.aggregate = publish(self.aggregate)
        self.partition = group(self.partition)
        return self

    def name_columns(self, names: Names) -> None:
        """Tell the parts that go by them the names of the columns."""
        if isinstance(self.embed, GoesByNames):
            self.embed.name_columns(names)

    @property
    def k(self) -> int:
        """Least number of records in a cell."""
        return self.partition.k

    @property
    def capabilities(self) -> Capabilities:
        """What its parts can do together."""
        inside = capabilities_of(self.partition)
        parts = (self.embed, self.partition, self.aggregate)
        needing = [each for each in map(capabilities_of, parts) if each.needs_target]
        # A pipeline has steps; its class would be imported for this question alone.
        scaled = getattr(self.embed, "steps", ())[1:]
        scale_free = any(capabilities_of(step).scale_free for _, step in scaled)
        by_records = self.aggregate is None or not self.aggregate.needs_partition
        return replace(
            inside,
            scale_free=inside.scale_free or scale_free,
            refinable=inside.refinable and inside.promises_k and by_records,
            needs_target=bool(needing),
            takes_several_targets=bool(needing)
            and all(each.takes_several_targets for each in needing),
            can_be_equipped=True,
        )

    @property
    def notices_(self) -> list[str]:
        """What the owner of the release should know."""
        refined = self.refinement_
        said = [] if refined is None else refined.notices
        return [*said, *self.partition_.notices_, *self.aggregate_.notices_]

    @property
    def refinement_(self) -> Refinement | None:
        """What a search for better cells did; see `Refinement`."""
        return refinement_of(self.partition_)

    def weighs(self, weights: Sequence[float]) -> bool:
        """Whether these weights of the columns could change the cells."""
        return len(set(weights)) > 1 and not self.capabilities.scale_free

    def keeps(self, n_columns: int) -> set[str]:
        """What a promise may be about: classes of the release, or cells behind it."""
        alike = self.aggregate is None or self.aggregate.constant_within_cells
        return {"classes", "cells"} if alike else {"cells"}

    def promises(self, names: Names, beside: Names = ()) -> list[Promise]:
        """What a release of this plan promises.

        Parameters
        ----------
        names : sequence of str
            The columns that it masks.
        beside : sequence of str
            Released columns that an intruder may know as well.
        """
        if "classes" not in self.keeps(len(names)):
            return [CellSize(self.k), KAnonymity(self.k, promised=False)]
        return [KAnonymity(self.k, promised=self.capabilities.promises_k)]

    @property
    def blocks_(self) -> list[list[int]]:
        """Columns that are masked together: all of them."""
        return [list(range(self.n_features_in_))]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        known = self.capabilities
        tags.target_tags.required = known.needs_target
        tags.target_tags.multi_output = known.takes_several_targets
        return tags

    def _check_geometry_counts(self) -> None:
        """Refuse a geometry shaped by y before cells that no geometry changes."""
        scale_free = capabilities_of(self.partition).scale_free
        if scale_free and capabilities_of(self.embed).needs_target:
            raise InputError(
                f"{type(self.partition).__name__} by relative widths undoes what "
                f"{self.embed!r} stretches: its parameter would change nothing.",
                hint="Say widths='absolute'.",
            )

    def _fit(self, X: Any, y: Any) -> np.ndarray:
        self._check_geometry_counts()
        named = X if hasattr(X, "columns") else None  # an embedding may go by names
        # An embedding may have a place for missing values; partitioners have none.
        X = check_records(self, X, ensure_all_finite="allow-nan")
        embedding: Any = None if self.embed is None else clone(self.embed)
        self.embed_ = embedding
        self.partition_ = clone(self.partition)
        by_codes = isinstance(embedding, ColumnScaler)
        by_codes = by_codes and capabilities_of(self.partition_).takes_codes
        Z = X
        if self.embed_ is not None:
            embed = embedding.keep_codes() if by_codes else embedding
            Z = embed.fit_transform(X if named is None else named, y)
        if by_codes and embedding.coded_:
            self.partition_.mark_codes(embedding.coded_, embedding.units_)
        self.partition_.fit(Z, y)
        self.labels_ = self.partition_.labels_
        self.n_cells_ = self.partition_.n_cells_
        self.aggregate_ = self._aggregator()
        if self.aggregate_.regroups:
            self.labels_ = self.aggregate_.regroup(X, self.labels_, y, self.partition_)
            self.n_cells_ = int(self.labels_.max()) + 1
        self._values_per_column = self.aggregate_.values_per_column
        return X


def released_names(names: np.ndarray, values_per_column: int) -> np.ndarray:
    """Names of the released columns, with ends for intervals.

    Examples
    --------
    >>> released_names(np.array(["age", "bmi"]), 2)
    array(['age_low', 'age_high', 'bmi_low', 'bmi_high'], dtype=object)
    """
    if values_per_column == 1:
        return names
    ends = [f"{name}_{end}" for name in names for end in ("low", "high")]
    return np.array(ends, dtype=object)
