"""What an owner should know of missing values in a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from microcell.prepare import Prepared
    from microcell.release._recipe import Recipe


def missing_notices(prepared: Prepared, recipe: Recipe, plan: Any) -> list[str]:
    """Notices on columns with missing values: how many, and of how few a cell speaks.

    Parameters
    ----------
    prepared : Prepared
    recipe : Recipe
    plan : estimator
        With the cells of each record, and of which block of columns they are.
    """
    notices = []
    absent = np.isnan(prepared.original)
    for j, name in enumerate(prepared.names):
        n_missing = int(absent[:, j].sum())
        if n_missing == 0:
            continue
        done = {
            "impute": f"filled by the imputer {recipe.imputer!r}",
            "ignore": "left out of what cells publish",
            "category": "taken for a value of their own",
        }[recipe.missing]
        notices.append(f"{n_missing} missing value(s) of {name!r} were {done}")
        if recipe.missing != "ignore":
            continue
        labels = cells_of_column(plan, j)
        observed = np.bincount(labels, weights=~absent[:, j])
        alone = int(np.sum(observed == 1))
        if alone:
            notices.append(
                f"in {alone} cell(s) a single record has a value of {name!r}, and it "
                "is what the cell publishes"
            )
        if (observed == 0).any():
            notices.append(
                f"{int(np.sum(observed == 0))} cell(s) have no value of {name!r} and "
                "publish that of all records"
            )
    return notices


def cells_of_column(plan: Any, j: int) -> np.ndarray:
    """The cell of each record in the block of columns that holds column j."""
    labels = np.asarray(plan.labels_)
    if labels.ndim == 1:
        return labels
    block = next(place for place, block in enumerate(plan.blocks_) if j in block)
    return labels[:, block]
