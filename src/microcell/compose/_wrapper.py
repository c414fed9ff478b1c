"""PartitionWrapper: a partitioner around another one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sklearn.utils import get_tags

from microcell._capabilities import Capabilities, capabilities_of
from microcell.base import BasePartitioner

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sklearn.utils import Tags

    from microcell.base import Columns, Units
    from microcell.compose._refinement import Refinement


class PartitionWrapper(BasePartitioner):
    """Base of partitioners that have one inside, in `partition`.

    Attributes
    ----------
    refinement_ : Refinement or None
        What a search for better cells inside did.
    start_labels_ : ndarray of shape (n_samples,) or None
        Cells before such a search.
    """

    partition: BasePartitioner
    refinement_: Refinement | None = None
    start_labels_: NDArray[np.int64] | None = None

    def __init__(self, partition: BasePartitioner) -> None:
        self.partition = partition

    @property
    def capabilities(self) -> Capabilities:
        """What the partitioner inside can do, but for what is lost around it."""
        return replace(
            capabilities_of(self.partition),
            needs_target=get_tags(self).target_tags.required,
            scale_free=False,
            cells_of_map=False,
        )

    @property
    def k(self) -> int:  # type: ignore[override]
        """What a cell has at least, as the partitioner inside counts it."""
        return self.partition.k

    @property
    def promises_k(self) -> bool:  # type: ignore[override]
        """Whether the partitioner inside promises it."""
        return self.capabilities.promises_k

    @property
    def takes_codes(self) -> bool:  # type: ignore[override]
        """Whether columns may hold codes of categories."""
        return self.capabilities.takes_codes

    @property
    def refinable(self) -> bool:  # type: ignore[override]
        """Whether a search may change the cells."""
        return self.capabilities.refinable

    @property
    def keeps_more(self) -> bool:  # type: ignore[override]
        """Whether the cells keep to more than k."""
        return self.capabilities.keeps_more

    @property
    def categorical_features(self) -> Columns | None:  # type: ignore[override]
        """Columns that hold codes, as the partitioner inside has them."""
        return self.partition.categorical_features

    @property
    def mismatch_units(self) -> Units | None:  # type: ignore[override]
        """What a mismatch of codes counts, as the partitioner inside has it."""
        return self.partition.mismatch_units

    def mark_codes(self, columns: Columns, units: Units | None = None) -> None:
        """Let these columns of X hold codes."""
        self.partition.mark_codes(columns, units)

    def take_share(self, share: float) -> None:
        """Let a search inside spend a share of its budget."""
        if isinstance(self.partition, PartitionWrapper):
            self.partition.take_share(share)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inside = capabilities_of(self.partition)
        tags.target_tags.required = inside.needs_target
        return tags


def refinement_of(part: BasePartitioner) -> Refinement | None:
    """What a search in a fitted partitioner did; None if there was none.

    Examples
    --------
    >>> from microcell.compose import Refine
    >>> from microcell.partition import MDAV
    >>> X = [[0.0], [1.0], [1.2], [2.0], [9.0], [9.1]]
    >>> refinement_of(Refine(MDAV(k=2)).fit(X)).start_loss > 0
    True
    >>> refinement_of(MDAV(k=2).fit(X)) is None
    True
    """
    return part.refinement_ if isinstance(part, PartitionWrapper) else None


def start_labels_of(part: BasePartitioner) -> NDArray[np.int64] | None:
    """Cells of a fitted partitioner before a search; None if there was none."""
    return part.start_labels_ if isinstance(part, PartitionWrapper) else None
