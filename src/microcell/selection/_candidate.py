"""Candidate: one way to make a release, and the figures of what it would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from microcell.privacy import Promise
from microcell.recipe import Recipe, written_promises


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
    enforced : sequence of Promise
        What it promises beyond what all candidates do.

    Examples
    --------
    >>> from microcell import Schema
    >>> recipe = Recipe(Schema(["age"]), k=5, method="vmdav", parameters={"gamma": 0.9})
    >>> Candidate(recipe, {"relative_loss": 0.1}, 0.5).label
    'vmdav gamma=0.9, k=5'
    """

    recipe: Recipe
    figures: dict[str, float]
    seconds: float
    error: str | None = None
    notes: Sequence[str] = ()
    enforced: Sequence[Promise] = ()

    @property
    def label(self) -> str:
        """Method, parameters and k, as a person names it.

        The k of a release that is not k-anonymous is that of its cells alone.
        """
        said = "" if self.is_k_anonymous else " (not k-anonymous)"
        return f"{self.method}, k={self.recipe.k}{said}"

    @property
    def is_k_anonymous(self) -> bool:
        """Whether the k that was asked for was found, as far as it was counted."""
        return self.figures.get("k", self.recipe.k) >= self.recipe.k

    @property
    def method(self) -> str:
        """The method with the parameters that it was given."""
        return method_label(self.recipe, self.enforced)

    def to_dict(self) -> dict[str, Any]:
        """The candidate as plain data."""
        return {
            "label": self.label,
            "method": self.recipe.method_name,
            "k": self.recipe.k,
            "parameters": dict(self.recipe.parameters),
            "promises": written_promises(self.recipe.promises),
            "enforce": self.recipe.enforce,
            "line": self.method,
            "enforced": bool(self.enforced),
            "figures": dict(self.figures),
            "seconds": self.seconds,
            "error": self.error,
            "notes": list(self.notes),
        }


def method_label(recipe: Recipe, enforced: Sequence[Promise] = ()) -> str:
    """A method, its parameters and what is enforced on its cells, in a few words."""
    own = [f"{name}={value}" for name, value in recipe.parameters.items()]
    if enforced:
        way = "" if recipe.enforce in ("auto", "merge") else f" {recipe.enforce}"
        own.append(f"({', '.join(map(_promise_label, enforced))}{way})")
    return " ".join([recipe.method_name, *own])


def _promise_label(promise: Any) -> str:
    """A promise and its level, with the column where it is of one."""
    said = f"{promise.name} {promise.level:g}"
    return said if promise.column is None else f"{said} of {promise.column}"
