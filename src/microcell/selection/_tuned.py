"""Tuned: the release that was chosen, why, and what the runners-up would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcell.exceptions import InputError, Words
from microcell.recipe import Recipe
from microcell.selection._candidate import Candidate
from microcell.selection._choice import Limit, Objective, found_by, shown
from microcell.selection._compared import Compared, to_json


class NoCandidate(InputError):
    """No candidate that was run keeps all limits.

    Attributes
    ----------
    binding : list of tuple of Limit
        The smallest sets of limits without which a candidate could be chosen.
    nearest : list of Candidate
        For each set, the candidate that comes nearest.
    compared : Compared or None
        All that were run.
    """

    def __init__(
        self,
        words: Words,
        *,
        binding: Sequence[tuple[Limit, ...]] = (),
        nearest: Sequence[Candidate] = (),
        compared: Compared | None = None,
        **more: Any,
    ) -> None:
        super().__init__(words, **more)
        self.binding = list(binding)
        self.nearest = list(nearest)
        self.compared = compared


@dataclass(frozen=True, eq=False)
class Tuned:
    """The result of `tune`.

    Attributes
    ----------
    best : Candidate
        Of those that keep all limits, the one with the best of what was asked for.
    recipe : Recipe
        Ready for `apply_recipe`; it holds no seed.
    why : str
        One sentence.
    runners_up : list of Candidate
        The next best that keep all limits.
    compared : Compared
        All candidates that were run.
    limits : list of Limit
        What was asked to hold.
    objective : Objective
        What was sought.
    notes : list of str
        What the reader should know of the choice.
    """

    best: Candidate
    recipe: Recipe
    why: str
    runners_up: list[Candidate]
    compared: Compared
    limits: list[Limit]
    objective: Objective
    notes: list[str]

    def __repr__(self) -> str:
        return f"<Tuned: {self.why}>"

    def rows(self) -> list[dict[str, str]]:
        """The best and the runners-up, with what each would give, as text."""
        return [self._row(c) for c in (self.best, *self.runners_up)]

    def _row(self, candidate: Candidate) -> dict[str, str]:
        figure = self.objective.figure
        sought = shown(candidate.figures[figure.name], figure.unit)
        row = {"candidate": candidate.label, self.objective.said: sought}
        for limit in self.limits:
            row.setdefault(limit.said, found_by(candidate, limit))
        return row | {"seconds": f"{candidate.seconds:.1f}"}

    def to_dict(self) -> dict[str, Any]:
        """The choice as plain data; candidates by their labels."""
        return {
            "why": self.why,
            "sought": str(self.objective),
            "where": [str(limit.constraint) for limit in self.limits],
            "best": self.best.to_dict(),
            "recipe": self.recipe.without_seed(),
            "runners_up": [candidate.to_dict() for candidate in self.runners_up],
            "candidates_run": len(self.compared.candidates),
            "notes": list(self.notes),
        }

    @property
    def axes(self) -> tuple[str, str]:
        """Figures of its map: the first limited one, and the one that was sought."""
        sought = self.objective.figure.name
        limited = [limit.figure.name for limit in self.limits]
        others = [name for name in limited if name not in (sought, "k")]
        x, y = self.compared.axes
        return others[0] if others else (x if x != sought else y), sought

    def plot(
        self, x: str | None = None, y: str | None = None, *, figure: Any = None
    ) -> Any:
        """Draw the map of two figures with the choice and the limits marked.

        Parameters
        ----------
        x, y, figure
            As in `Compared.plot`; the figures are by default those of `axes`.
        """
        from microcell.report import draw_map

        x, y = x or self.axes[0], y or self.axes[1]
        return draw_map(
            self.compared, x, y, best=self.best, limits=self.limits, figure=figure
        )

    def files(self, folder: str | Path = "") -> dict[str, bytes]:
        """The recipe and the choice, by the names of their files in a folder."""
        made = {"choice.json": (to_json(self.to_dict()) + "\n").encode()}
        if isinstance(self.recipe.method, str):  # others no file can hold
            made["recipe.toml"] = self.recipe.to_toml(folder).encode()
        return made

    def save(self, folder: str | Path, *, overwrite: bool = False) -> list[Path]:
        """Write the comparison with the choice marked; see `Compared.save`."""
        x, y = self.axes
        return self.compared.save(folder, x=x, y=y, overwrite=overwrite, choice=self)
