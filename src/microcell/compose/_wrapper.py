"""PartitionWrapper: a partitioner around another one."""

from dataclasses import replace
from typing import Any

from sklearn.base import clone
from sklearn.utils import Tags, get_tags

from microcell._capabilities import Capabilities, capabilities_of
from microcell.base import BasePartitioner, Columns, Labels, Records, Target, Units
from microcell.compose._refinement import Refinement
from microcell.exceptions import ParameterError


def _as_they_can(name: str) -> Any:
    """What the capabilities of a wrapper say."""
    return property(lambda self: getattr(self.capabilities, name))


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
    start_labels_: Labels | None = None

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

    promises_k = _as_they_can("promises_k")
    takes_codes = _as_they_can("takes_codes")
    refinable = _as_they_can("refinable")
    keeps_more = _as_they_can("keeps_more")

    @property
    def categorical_features(self) -> Columns | None:  # type: ignore[override]
        """Columns that hold codes, as the partitioner inside has them."""
        return self.partition.categorical_features

    @property
    def mismatch_units(self) -> Units | None:  # type: ignore[override]
        """What a mismatch of codes counts, as the partitioner inside has it."""
        return self.partition.mismatch_units

    def _fit_first(self, X: Records, y: Target, fate: str) -> BasePartitioner:
        """The partitioner inside, fitted; one that promises nothing is refused."""
        if not self.capabilities.promises_k:
            raise ParameterError(
                "partition",
                f"must promise k. {type(self.partition).__name__} without a least size "
                f"of cells does not, and all would be {fate} into single records.",
            )
        return clone(self.partition).fit(X, y)

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


def start_labels_of(part: BasePartitioner) -> Labels | None:
    """Cells of a fitted partitioner before a search; None if there was none."""
    return part.start_labels_ if isinstance(part, PartitionWrapper) else None
