"""PartitionWrapper: a partitioner around another one."""

from __future__ import annotations

from typing import Any

from microcell.base import BasePartitioner
from microcell.compose._microaggregator import needs_target


class PartitionWrapper(BasePartitioner):
    """Base of partitioners that have one inside, in `partition`."""

    @property
    def k(self) -> int:  # type: ignore[override]
        """What a cell has at least, as the partitioner inside counts it."""
        return self.partition.k

    @property
    def promises_k(self) -> bool:  # type: ignore[override]
        """Whether the partitioner inside promises it."""
        return getattr(self.partition, "promises_k", True)

    @property
    def refinable(self) -> Any:  # type: ignore[override]
        """Whether the cells of the partitioner inside are."""
        return getattr(self.partition, "refinable", True)

    @property
    def keeps_more(self) -> Any:  # type: ignore[override]
        """Whether the cells of the partitioner inside do."""
        return getattr(self.partition, "keeps_more", False)

    @property
    def categorical_features(self) -> Any:  # type: ignore[override]
        """Columns that hold codes, as the partitioner inside has them."""
        return getattr(self.partition, "categorical_features", None)

    @property
    def mismatch_units(self) -> Any:  # type: ignore[override]
        """What a mismatch of codes counts, as the partitioner inside has it."""
        return getattr(self.partition, "mismatch_units", None)

    def mark_codes(self, columns: Any, units: Any = None) -> None:
        """Let these columns of X hold codes."""
        self.partition.mark_codes(columns, units)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = needs_target(self.partition)
        return tags
