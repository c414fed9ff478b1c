"""FoundK: cells whose k is found, unless a least one is asked for."""


class FoundK:
    """Mixin of partitioners with `min_k`, which is k where it is more than 1."""

    min_k: int

    @property
    def k(self) -> int:
        """Least number of records in a cell."""
        return self.min_k

    @property
    def promises_k(self) -> bool:
        """Whether k is chosen, not found."""
        return self.min_k > 1
