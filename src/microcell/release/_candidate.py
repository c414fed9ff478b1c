"""Candidate: one way to make a release, and the figures of what it would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from microcell.release._recipe import Recipe


@dataclass(frozen=True)
class Candidate:
    """A recipe that was tried, and what came of it; no value of a record.

    Attributes
    ----------
    recipe : Recipe
        Everything needed to make the release; it holds no seed.
    figures : dict of str to float
        What was measured, by name; see `known_figures`. Empty if it failed.
    seconds : float
        How long the release took to be made, verified and measured.
    error : str or None
        Why there is no release.
    notes : sequence of str
        Why a figure is not among them.

    Examples
    --------
    >>> from microcell import Schema
    >>> recipe = Recipe(Schema(["age"]), k=5, method="vmdav", parameters={"gamma": 0.9})
    >>> Candidate(recipe, {"sse_loss": 0.1}, 0.5).label
    'vmdav gamma=0.9, k=5'
    """

    recipe: Recipe
    figures: dict[str, float]
    seconds: float
    error: str | None = None
    notes: Sequence[str] = ()

    @property
    def label(self) -> str:
        """Method, parameters and k, as a person names it."""
        return f"{self.method}, k={self.recipe.k}"

    @property
    def method(self) -> str:
        """The method with the parameters that it was given."""
        return method_label(self.recipe)

    def to_dict(self) -> dict[str, Any]:
        """The candidate as plain data."""
        return {
            "label": self.label,
            "method": self.recipe.method_name,
            "k": self.recipe.k,
            "parameters": dict(self.recipe.parameters),
            "figures": dict(self.figures),
            "seconds": self.seconds,
            "error": self.error,
            "notes": list(self.notes),
        }


def method_label(recipe: Recipe) -> str:
    """A method and its parameters in a few words."""
    own = [f"{name}={value}" for name, value in recipe.parameters.items()]
    return " ".join([recipe.method_name, *own])
