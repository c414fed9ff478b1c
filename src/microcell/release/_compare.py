"""compare: many recipes on one table, and what each would give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from microcell._progress import report
from microcell.exceptions import InputError
from microcell.prepare import open_frame
from microcell.release._anonymize import prepare_for
from microcell.release._candidate import Candidate, method_label
from microcell.release._candidates import Grid
from microcell.release._compared import Compared
from microcell.release._figures import known_figures
from microcell.release._kept import Kept
from microcell.release._lesson import lesson_of
from microcell.release._people import FEW, units_of
from microcell.release._recipe import RECORDS, Recipe
from microcell.release._release import software_versions
from microcell.release._schema import Schema
from microcell.release._trial import Outcome, Trial
from microcell.release._workers import longest_first, outcomes


def compare(
    table: Any,
    schema: Schema,
    *,
    methods: Any = None,
    k: int | Sequence[int] = (3, 5, 10, 25, 50),
    grid: Mapping[str, Any] | None = None,
    label: str | None = None,
    n_repetitions: int = 3,
    n_jobs: int = -1,
    cache: str | Path | None = None,
    as_text: bool = False,
    **options: Any,
) -> Compared:
    """Try methods, parameters and values of k on a table, and measure what each gives.

    Nothing is released: figures are all that is kept. A candidate that fails is one
    with an error. Methods that draw do so from a fixed seed here, the same in each
    comparison, which no recipe or file holds; a release draws anew.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table; it is not changed.
    schema : Schema
        Roles and kinds of its columns.
    methods : sequence, optional
        Names of methods, functions or estimators, as in `anonymize`; by default all of
        `METHODS` that the table and the options allow.
    k : int or sequence of int, default=(3, 5, 10, 25, 50)
    grid : mapping, optional
        Values to try of parameters: ``{"vmdav": {"gamma": [0.1, 0.5]}}``, or
        ``{"gamma": [0.1, 0.5]}`` for every method that has one of this name.
    label : str, optional
        A column released as it is: how well a model that learns it from the released
        quasi-identifiers predicts records that were held out of the release.
    n_repetitions : int, default=3
        How often records are held out; the same ones for all candidates.
    n_jobs : int, default=-1
        Number of processes; -1 takes all cores.
    cache : path, optional
        A folder for finished candidates, so that a comparison that was interrupted
        goes on where it was. It holds figures, and no value of a record.
    as_text : bool, default=False
        As in `apply_recipe`.
    **options
        Options of the release that all share, as in `anonymize`; `target`,
        `random_state` and parameters of methods go to the methods that use them.

    Returns
    -------
    compared : Compared

    Examples
    --------
    >>> import polars as pl
    >>> from microcell import Schema, compare
    >>> people = pl.DataFrame({"age": list(range(20, 60)), "ill": ["no", "yes"] * 20})
    >>> schema = Schema(["age"], confidential="ill")
    >>> compared = compare(people, schema, methods=["mdav", "mondrian"], k=[4, 10],
    ...                    n_jobs=1)
    >>> compared.table.select("candidate", "k", "homogeneous_records")["k"].to_list()
    [4.0, 10.0, 5.0, 10.0]
    >>> [candidate.label for candidate in compared.frontier("risk", "loss")]
    ['mdav, k=10', 'mondrian, k=10', 'mondrian, k=4', 'mdav, k=4']
    """
    plan = Grid(schema, methods, k, grid, options)
    n_records = _checked(table, plan.recipes[0], as_text)
    lesson = None
    if label is not None:
        lesson = lesson_of(
            table, plan.recipes[0], label, as_text=as_text, n_repetitions=n_repetitions
        )
    trial = Trial(table, as_text, lesson, 0 if plan.seed is None else plan.seed)
    kept = None if cache is None else Kept(cache, trial)
    found, n_kept = _tried(trial, plan.recipes, n_jobs, kept)
    candidates = [
        Candidate(recipe, o.figures, o.seconds, o.error, o.notes)
        for recipe, o in zip(plan.recipes, found, strict=True)
    ]
    _refuse_all_failed(candidates)
    return Compared(
        candidates=candidates,
        figures=_figures(candidates, schema, label),
        left_out=plan.left_out,
        n_records=n_records,
        label=label,
        original={} if lesson is None else lesson.original(),
        notes=() if lesson is None else lesson.notes,
        recipe=_shared(plan.recipes[0]),
        versions=software_versions(),
        n_kept=n_kept,
    )


def _checked(table: Any, recipe: Recipe, as_text: bool) -> int:
    """Refuse here what every candidate would refuse; how many records there are."""
    n_records = len(open_frame(table))
    if n_records < FEW:
        raise InputError(
            f"The table has {n_records} records, and figures of fewer than {FEW} would "
            "give their values away.",
            hint="Compare on a larger table.",
        )
    prepared, text = prepare_for(table, recipe, recipe.schema, as_text)
    units_of(prepared.frame, recipe, text.marks)
    return n_records


def _tried(
    trial: Trial, recipes: Sequence[Recipe], n_jobs: int, kept: Kept | None
) -> tuple[list[Outcome], int]:
    """What came of each recipe, and of how many it was known.

    What is new is kept as soon as it is there.
    """
    found: dict[int, Outcome] = {}
    for i, recipe in enumerate(recipes):
        outcome = None if kept is None else kept.get(recipe)
        if outcome is not None:
            found[i] = outcome
    n_kept = len(found)
    todo = [i for i in longest_first(recipes) if i not in found]
    report(len(found), len(recipes), "comparing")
    with closing(outcomes(trial, [recipes[i] for i in todo], n_jobs)) as running:
        for place, outcome in running:
            recipe = recipes[todo[place]]
            found[todo[place]] = outcome
            if kept is not None:
                kept.put(recipe, outcome)
            report(len(found), len(recipes), f"{method_label(recipe)}, k={recipe.k}")
    return [found[i] for i in range(len(recipes))], n_kept


def _figures(
    candidates: Sequence[Candidate], schema: Schema, label: str | None
) -> list[Any]:
    """Known figures that at least one candidate has."""
    given = needed_by_measures(candidates[0].recipe)
    there = {name for candidate in candidates for name in candidate.figures}
    return [f for f in known_figures(schema, label, given=given) if f.name in there]


def needed_by_measures(recipe: Recipe) -> list[str]:
    """Options that some measures need, and that a recipe has."""
    names = ("weights", "unit")
    return [name for name in names if getattr(recipe, name) not in (None, RECORDS)]


def _refuse_all_failed(candidates: Sequence[Candidate]) -> None:
    if any(candidate.error is None for candidate in candidates):
        return
    by_error: dict[str, list[str]] = {}
    for candidate in candidates:
        by_error.setdefault(str(candidate.error), []).append(candidate.label)
    said = [f"{'; '.join(labels)}: {error}" for error, labels in by_error.items()]
    if len(said) == 1:
        said = [*by_error]
    raise InputError(f"No candidate gave a release. {' '.join(said)}")


def _shared(recipe: Recipe) -> dict[str, Any]:
    """What all candidates have in common, as a recipe file has it."""
    contents = recipe.without_seed()
    for key in ("name", "k", "parameters", "target", "estimator"):
        contents["method"].pop(key, None)
    return contents
