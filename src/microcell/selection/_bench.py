"""Bench: a table on which recipes are tried, in one round or in several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from microcell._progress import report
from microcell.columns import as_table, open_frame
from microcell.exceptions import InputError
from microcell.learning import HOLD_OUTS, evaluation_of
from microcell.metrics import EXPENSIVE_FROM
from microcell.pipeline import one_part
from microcell.recipe import RECORDS, Recipe
from microcell.recognition import MIN_PEOPLE
from microcell.release import prepare_for, software_versions
from microcell.selection._candidate import Candidate, method_label
from microcell.selection._compared import Compared
from microcell.selection._figures import Figure, known_figures
from microcell.selection._grid import Grid
from microcell.selection._kept import Kept, shared_by
from microcell.selection._trial import Outcome, Trial
from microcell.selection._workers import Workers, longest_first

Watch = Callable[[Compared], None]  # whoever wants to see candidates as they are done


class Bench:
    """A table, what is learnt from it, what is known of it, and who tries recipes.

    Parameters
    ----------
    table : dataframe
    plan : Grid
        Its recipes share all that the table is prepared by.
    label, n_repetitions, n_jobs, cache, as_text
        As in `compare`.

    Attributes
    ----------
    n_records : int
    n_kept : int
        Candidates that were known from before.
    """

    def __init__(
        self,
        table: Any,
        plan: Grid,
        *,
        label: str | None = None,
        n_repetitions: int = HOLD_OUTS,
        n_jobs: int = -1,
        cache: str | Path | None = None,
        as_text: bool = False,
    ) -> None:
        table = as_table(table)  # a stream can be read once
        self.plan = plan
        self.label = label
        self.n_records = _checked(table, plan.recipes[0], as_text)
        self.n_kept = 0
        self.evaluation = None
        if label is None and n_repetitions != HOLD_OUTS:
            raise InputError(
                "Records are held out for the model of a label, and there is none.",
                option="n_repetitions",
                hint="Name a label, or leave it out.",
            )
        if label is not None:
            self.evaluation = evaluation_of(
                table,
                plan.recipes[0],
                label,
                as_text=as_text,
                n_repetitions=n_repetitions,
            )
        seed = 0 if plan.seed is None else plan.seed
        trial = Trial(table, as_text, self.evaluation, seed)
        self.kept = None if cache is None else Kept(cache, trial)
        self.workers = Workers(trial, n_jobs)

    def __enter__(self) -> Bench:
        self.workers.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.workers.__exit__(*error)

    def candidates(
        self, recipes: Sequence[Recipe], watch: Watch | None = None
    ) -> list[Candidate]:
        """Try recipes; what is new is kept as soon as it is there, and watched."""
        found: dict[int, Outcome] = {}

        def tried() -> list[Candidate]:
            return [self._candidate(recipes[i], found[i]) for i in sorted(found)]

        for i, recipe in enumerate(recipes):
            outcome = None if self.kept is None else self.kept.get(recipe)
            if outcome is not None:
                found[i] = outcome
        self.n_kept += len(found)
        todo = [i for i in longest_first(recipes) if i not in found]
        report(len(found), len(recipes), "comparing")
        if watch is not None and found:
            watch(self._side_by_side(tried()))
        for place, outcome in self.workers.outcomes([recipes[i] for i in todo]):
            recipe = recipes[todo[place]]
            found[todo[place]] = outcome
            if self.kept is not None:
                self.kept.put(recipe, outcome)
            report(len(found), len(recipes), f"{method_label(recipe)}, k={recipe.k}")
            if watch is not None:
                watch(self._side_by_side(tried()))
        return tried()

    def _candidate(self, recipe: Recipe, outcome: Outcome) -> Candidate:
        """A candidate that knows what it promises beyond the others."""
        shared = self.plan.recipes[0].promises
        own = [promise for promise in recipe.promises if promise not in shared]
        return Candidate(recipe, **outcome, enforced=own)

    def compared(self, candidates: Sequence[Candidate]) -> Compared:
        """Candidates side by side; an error if all of them failed."""
        if all(candidate.error is not None for candidate in candidates):
            failed = replace(self._side_by_side(candidates), left_out={}).reasons
            said = [f"{'; '.join(labels)}: {why}" for why, labels in failed.items()]
            said = said if len(said) > 1 else [*failed]
            raise InputError(f"No candidate gave a release. {' '.join(said)}")
        return self._side_by_side(candidates)

    def _side_by_side(self, candidates: Sequence[Candidate]) -> Compared:
        return Compared(
            candidates=candidates,
            figures=self._figures(candidates),
            left_out=self.plan.left_out,
            n_records=self.n_records,
            label=self.label,
            original=self._original,
            notes=self._notes(),
            recipe=shared_by(self.plan.recipes[0].without_seed()),
            versions=self._versions,
            n_kept=self.n_kept,
        )

    @cached_property
    def _original(self) -> dict[str, float]:
        """What a model learns of the label from the records as they are."""
        return {} if self.evaluation is None else self.evaluation.original()

    @cached_property
    def _versions(self) -> dict[str, str]:
        return software_versions()

    def _notes(self) -> list[str]:
        """What the reader should know of the figures."""
        notes = [] if self.evaluation is None else list(self.evaluation.notes)
        asked = self.plan.recipes[0].measures
        if asked == "quick" and self.n_records > EXPENSIVE_FROM:
            notes.append(
                f"linkage is not measured on more than {EXPENSIVE_FROM} records "
                "unless all measures are asked for"
            )
        return notes

    def _figures(self, candidates: Sequence[Candidate]) -> list[Figure]:
        """Known figures that at least one candidate has."""
        recipe = self.plan.recipes[0]
        given = needed_by_measures(vars(recipe))
        there = {name for candidate in candidates for name in candidate.figures}
        known = known_figures(recipe.schema, self.label, given=given)
        return [figure for figure in known if figure.name in there]


def needed_by_measures(options: Mapping[str, Any]) -> list[str]:
    """Options that some measures need, and that are there."""
    return [n for n in ("weights", "unit") if options.get(n) not in (None, RECORDS)]


def _checked(table: Any, recipe: Recipe, as_text: bool) -> int:
    """Refuse here what every candidate would refuse; how many records there are."""
    n_records = len(open_frame(table))
    if n_records < MIN_PEOPLE:
        raise InputError(
            f"The table has {n_records} records, and figures of fewer than "
            f"{MIN_PEOPLE} would give their values away.",
            hint="Compare on a larger table.",
        )
    recipe = replace(recipe, k=2)  # a larger one is refused by its candidates
    prepared, task = prepare_for(table, recipe, recipe.schema, as_text)
    one_part(task, prepared)
    return n_records
