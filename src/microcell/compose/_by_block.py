"""ByBlock: the same method on groups of columns, each by itself."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin, clone
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from microcell._capabilities import Capabilities
from microcell._slices import take_columns
from microcell._validation import check_records, column_blocks
from microcell.base import Records, Target
from microcell.compose._microaggregator import Microaggregator, released_names
from microcell.compose._plan import Group, Names, Publish
from microcell.exceptions import InputError
from microcell.privacy import KAnonymity, Promise


class ByBlock(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Apply a microaggregator to blocks of columns independently.

    Cells differ from block to block, so k-anonymity holds for each block alone: two
    blocks taken together can single out a record. A table of one block is the only
    one that is k-anonymous as a whole.

    Parameters
    ----------
    microaggregator : Microaggregator
        What is done to each block. A differentially private one is refused: each block
        would spend epsilon again, and be sorted by itself.
    blocks : int or list of lists of int
        Columns per block, taken in column order with a shorter last block; or the
        columns of each block.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples, n_blocks)
        Cell of each record in each block.
    n_cells_ : list of int
        Number of cells of each block.
    blocks_ : list of lists of int
        Columns of each block.
    microaggregators_ : list
        The fitted microaggregator of each block.

    Examples
    --------
    >>> from microcell import Microaggregator
    >>> from microcell.partition import MDAV
    >>> ByBlock(Microaggregator(MDAV(k=2)), blocks=1).fit_transform(
    ...     [[1, 9], [3, 1], [8, 3], [10, 7]])
    array([[2., 8.],
           [2., 2.],
           [9., 2.],
           [9., 8.]])
    """

    def __init__(self, microaggregator: Microaggregator, blocks: int = 1) -> None:
        self.microaggregator = microaggregator
        self.blocks = blocks

    def equip(self, *, publish: Publish, group: Group) -> Self:
        """Fit this plan to a table; see `Microaggregator.equip`."""
        self._refuse_differentially_private()
        self.microaggregator.equip(publish=publish, group=group)
        return self

    def name_columns(self, names: Names) -> None:
        """Blocks go by the places of columns."""
        self._refuse_differentially_private()

    @property
    def k(self) -> int:
        """Least number of records in a cell of a block."""
        return self.microaggregator.k

    @property
    def capabilities(self) -> Capabilities:
        """Those of what is done to each block."""
        return self.microaggregator.capabilities

    @property
    def refinement_(self) -> None:
        """Searches of blocks have no common figure."""

    @property
    def notices_(self) -> list[str]:
        """What the blocks say of the release, each thing once."""
        said = [n for part in self.microaggregators_ for n in part.notices_]
        return list(dict.fromkeys(said))

    def weighs(self, weights: Sequence[float]) -> bool:
        """Whether these weights of the columns could change cells of a block."""
        blocks = column_blocks(self.blocks, len(weights))
        return any(
            self.microaggregator.weighs([weights[j] for j in block]) for block in blocks
        )

    def keeps(self, n_columns: int) -> set[str]:
        """Whole records are kept alike only if there is one block."""
        one = len(column_blocks(self.blocks, n_columns)) == 1
        return self.microaggregator.keeps(n_columns) if one else set()

    def promises(self, names: Names, beside: Names = ()) -> list[Promise]:
        """k-anonymity of each block alone; that of the whole table is counted."""
        blocks = column_blocks(self.blocks, len(names))
        if len(blocks) == 1:
            return self.microaggregator.promises(names, beside)
        if "classes" not in self.microaggregator.keeps(len(names)):
            return self.microaggregator.promises(names, beside)  # of cells, by block
        if not self.capabilities.promises_k:
            return [KAnonymity(self.k, promised=False)]
        columns = [tuple(names[j] for j in block) + tuple(beside) for block in blocks]
        each = [KAnonymity(self.k, columns=block) for block in columns]
        return [*each, KAnonymity(self.k, promised=False)]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.capabilities.needs_target
        return tags

    def fit(self, X: ArrayLike, y: Target = None) -> Self:
        """Form the cells of each block."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: ArrayLike, y: Target = None) -> Records:
        """Form the cells of each block and return the released records.

        Returns
        -------
        X_released : ndarray of shape (n_samples, n_features * values_per_column)
        """
        self._refuse_differentially_private()
        X = check_records(self, X, ensure_all_finite="allow-nan")
        self.blocks_ = column_blocks(self.blocks, X.shape[1])
        self.microaggregators_ = [
            take_columns(clone(self.microaggregator), block) for block in self.blocks_
        ]
        parts = []
        for columns, part in zip(self.blocks_, self.microaggregators_, strict=True):
            released = np.asarray(part.fit_transform(X[:, columns], y))
            parts.append(released.reshape(X.shape[0], len(columns), -1))
        self._values_per_column = max(part.shape[2] for part in parts)
        X_released = np.empty((*X.shape, self._values_per_column))
        for columns, released in zip(self.blocks_, parts, strict=True):
            X_released[:, columns] = released  # one value fills both ends
        fitted = self.microaggregators_
        self.labels_ = np.column_stack([part.labels_ for part in fitted])
        self.n_cells_ = [part.n_cells_ for part in fitted]
        return X_released.reshape(X.shape[0], -1)

    def _refuse_differentially_private(self) -> None:
        if self.capabilities.differentially_private:
            raise InputError(
                "A differentially private method cannot be applied to blocks: epsilon "
                "would be spent for each, and rows of blocks that are sorted each by "
                "itself are records of nobody.",
                option="method",
                hint="Apply it to all columns at once.",
            )

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the released columns: those of X, with ends for intervals."""
        check_is_fitted(self, "labels_")
        names = super().get_feature_names_out(input_features)
        return released_names(names, self._values_per_column)
