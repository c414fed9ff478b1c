"""How many records a shard has where nobody says it."""

from __future__ import annotations

from microcell.recipe import Recipe

# Columns up to which a shard has so many records. Cells at a cut are worse than others,
# so shards are as large as their cost allows: near n log n in few columns, n^2 in many.
SHARD_RECORDS = ((5, 2_500_000), (8, 1_000_000))
IN_MANY = 100_000
OVERFULL = 2  # times its records, from which a shard is cut again
MIN_SHARD_PART = 8  # part of its records, below which a shard joins its sibling
MIN_CELLS_OF_SHARD = 4  # of a shard, however small it is meant to be


def shard_size(recipe: Recipe, n_columns: int) -> int:
    """Records that a shard is to have at most.

    Parameters
    ----------
    recipe : Recipe
    n_columns : int
        Columns on the scale of distances.
    """
    if recipe.shard is not None:
        return max(recipe.shard, MIN_CELLS_OF_SHARD * recipe.k)
    for columns, records in SHARD_RECORDS:
        if n_columns <= columns:
            return max(records, MIN_CELLS_OF_SHARD * recipe.k)
    return max(IN_MANY, MIN_CELLS_OF_SHARD * recipe.k)


def least_size(recipe: Recipe, size: int) -> int:
    """Records below which a shard joins its sibling."""
    return max(size // MIN_SHARD_PART, 2 * recipe.k)
