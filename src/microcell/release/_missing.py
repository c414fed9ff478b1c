"""What an owner should know of missing values in a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from microcell.prepare import Prepared
    from microcell.release._recipe import Recipe


def missing_notices(
    prepared: Prepared, recipe: Recipe, plan: Any, units: np.ndarray | None = None
) -> list[str]:
    """Notices on columns with missing values: how many, and of how few a cell speaks.

    Parameters
    ----------
    prepared : Prepared
    recipe : Recipe
    plan : estimator
        With the cells of each record, and of which block of columns they are.
    units : ndarray of shape (n_records,), optional
        Whose record each is; by default everybody has one.
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
        if recipe.missing == "impute":
            continue
        labels = cells_of_column(plan, j)
        people = np.arange(len(labels)) if units is None else units
        observed = people_in_cells(labels, people, ~absent[:, j])
        alone = observed == 1
        if recipe.missing == "category":  # the others publish that it is missing
            shares = np.bincount(labels, weights=~absent[:, j]) / np.bincount(labels)
            alone &= shares >= 0.5
        if alone.any():
            notices.append(
                f"in {int(alone.sum())} cell(s) a single person has a value of "
                f"{name!r}, and it is what the cell publishes"
            )
        if recipe.missing != "ignore":
            continue
        if (observed == 0).any():
            notices.append(
                f"{int(np.sum(observed == 0))} cell(s) have no value of {name!r} and "
                "publish that of all records"
            )
    return notices


def people_in_cells(
    labels: np.ndarray, people: np.ndarray, there: np.ndarray
) -> np.ndarray:
    """How many people of each cell have a value."""
    pairs = np.unique(np.column_stack([labels, people])[there], axis=0)
    return np.bincount(pairs[:, 0], minlength=int(labels.max()) + 1)


def cells_of_column(plan: Any, j: int) -> np.ndarray:
    """The cell of each record in the block of columns that holds column j."""
    labels = np.asarray(plan.labels_)
    if labels.ndim == 1:
        return labels
    block = next(place for place, block in enumerate(plan.blocks_) if j in block)
    return labels[:, block]
