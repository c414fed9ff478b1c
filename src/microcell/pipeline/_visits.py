"""What is left of k to whoever knows all records of a person, in words and figures."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from microcell.metrics import VisitsRisk, rounded_joint, shown, visits_values
from microcell.privacy import View, people_of, value_codes
from microcell.recipe import APART, Recipe

MUCH_KNOWN = 0.01  # of the people, from which a column is named


class Visits(NamedTuple):
    """What an intruder is left with who knows all records of a person.

    Attributes
    ----------
    candidates_least : int
        The fewest people who are in all classes of somebody's records.
    candidates_mean : float
        Their mean over people.
    below_k : float
        Share of people with fewer than k.
    in_several : float
        Share of people with records in several classes.
    known_values : dict of str to float
        Of each confidential column in which everybody has one value, the share of
        people whose classes have only one in common, rounded to what may be given
        away.
    unit : str
        The column that says whose records are one person's.
    k : int
    """

    candidates_least: int
    candidates_mean: float
    below_k: float
    in_several: float
    known_values: dict[str, float]
    unit: str
    k: int

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            **self._asdict(),
            "candidates_mean": float(f"{self.candidates_mean:.4g}"),
            "below_k": round(self.below_k, 4),
            "in_several": round(self.in_several, 4),
        }

    def sentence(self) -> str:
        """What it means, beside a k that each class keeps."""
        said = (
            f"who knows all records of one {self.unit!r} looks for those who are in "
            f"all of their classes: at least {self.candidates_least}, "
            f"{self.candidates_mean:.3g} on average, and for "
            f"{shown(self.below_k, decimals=1)} of the people fewer than k={self.k}"
        )
        known = [
            f"{name!r} of {shown(share, decimals=1)}"
            for name, share in self.known_values.items()
            if share >= MUCH_KNOWN
        ]
        if known:
            said += f"; one value is in all of their classes: {', '.join(known)}"
        return f"{said}; records of a person together keep k"


def visits_of(view: View, recipe: Recipe) -> Visits | None:
    """That of a release; None where everybody's records are in one class.

    Parameters
    ----------
    view : View
        The release, and whose its records are.
    recipe : Recipe
    """
    if recipe.unit_records != APART:
        return None
    people, classes = view.people, view.classes
    n_classes = people_of(people, classes, view.candidates.size)  # of each person
    if n_classes.max() == 1:
        return None
    risk, known = VisitsRisk(view.candidates), {}
    for name in view.confidential:
        left = visits_values(classes, people, value_codes(view.table, name))
        if left is not None:
            known[name] = rounded_joint(float(np.mean(left == 1)), left.size)
    return Visits(
        risk.least,
        risk.mean,
        risk.share_below(recipe.k),
        float(np.mean(n_classes > 1)),
        known,
        str(recipe.unit),
        recipe.k,
    )


def said_of_visits(visits: Visits | None) -> list[str]:
    """What is to be decided where somebody has fewer than k."""
    return [visits.sentence()] if visits is not None and visits.below_k else []
