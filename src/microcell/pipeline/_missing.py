"""What an owner should know of missing values in a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from microcell.recipe import Recipe


class Gaps(NamedTuple):
    """Missing values of a column, and what cells publish of it all the same."""

    n_missing: int
    alone: int = 0  # cells that publish the value of a single person
    empty: int = 0  # cells that have no value of their own

    def notices(self, name: str, recipe: Recipe) -> list[str]:
        """What is said of them."""
        if self.n_missing == 0:
            return []
        done = {
            "impute": f"filled by the imputer {recipe.imputer!r}",
            "ignore": "left out of what cells publish",
            "category": "taken for a value of their own",
        }[recipe.missing]
        notices = [f"{self.n_missing} missing value(s) of {name!r} were {done}"]
        if self.alone:
            notices.append(
                f"in {self.alone} cell(s) a single person has a value of "
                f"{name!r}, and it is what the cell publishes"
            )
        if self.empty:
            notices.append(
                f"{self.empty} cell(s) have no value of {name!r} and publish that of "
                "all records"
            )
        return notices


def gaps_of(
    absent: np.ndarray,
    labels: np.ndarray,
    recipe: Recipe,
    units: np.ndarray | None = None,
) -> Gaps:
    """The gaps of a column, by which of its values are missing and by their cells."""
    n_missing = int(absent.sum())
    if n_missing == 0 or recipe.missing == "impute":
        return Gaps(n_missing)
    people = np.arange(len(labels)) if units is None else units
    observed = people_in_cells(labels, people, ~absent)
    alone = observed == 1
    if recipe.missing == "category":  # the others publish that it is missing
        shares = np.bincount(labels, weights=~absent) / np.bincount(labels)
        alone &= shares >= 0.5
        return Gaps(n_missing, int(alone.sum()))
    return Gaps(n_missing, int(alone.sum()), int(np.sum(observed == 0)))


def people_in_cells(
    labels: np.ndarray, people: np.ndarray, there: np.ndarray
) -> np.ndarray:
    """How many people of each cell have a value."""
    pairs = np.unique(np.column_stack([labels, people])[there], axis=0)
    return np.bincount(pairs[:, 0], minlength=int(labels.max()) + 1)
