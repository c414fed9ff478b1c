"""tune: the method and the k that fit what is asked of a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microcell._progress import part_of
from microcell._validation import check_count, check_k
from microcell.columns import as_table, open_frame
from microcell.exceptions import InputError, Option, ParameterError
from microcell.io import Outbox, check_target
from microcell.learning import HOLD_OUTS
from microcell.metrics import EXPENSIVE_FROM, MEASURES
from microcell.privacy import WITHSTANDS_NO_REPLAY, CellModel
from microcell.recipe import READING_OPTIONS, Recipe, Schema, is_random, refuse_of_files
from microcell.release import errors_in, found_options
from microcell.selection import _choice as choice
from microcell.selection._bench import Bench, needed_by_measures
from microcell.selection._candidate import Candidate
from microcell.selection._choice import Limit, Objective
from microcell.selection._compare import CACHE, KS, begin_in, check_folder, read_to_try
from microcell.selection._compared import Compared
from microcell.selection._constraints import as_constraints
from microcell.selection._enforceable import (
    UNREACHED_RECORDS,
    enforcing,
    k_allowed,
    promises_k,
)
from microcell.selection._figures import (
    LEARNT_NAMES,
    Figure,
    find_figure,
    known_figures,
)
from microcell.selection._grid import Grid, arguments_of, as_list
from microcell.selection._search import Search
from microcell.selection._trial import Trial
from microcell.selection._tuned import NoCandidate, Tuned

BUDGET = 60  # candidates
RUNNERS_UP = 5
MIN_SEARCHED_K = 3  # unless a smaller one is given
USELESS = 0.9  # of the variation lost
NOT_WHOLE = (
    "It does not promise k-anonymity of whole records, so it is tried only if it is "
    "named."
)


def tune(
    table: Any,
    schema: Schema,
    *,
    least: str | None = None,
    highest: str | None = None,
    where: Any = (),
    methods: Any = None,
    k: int | Sequence[int] | None = None,
    grid: Mapping[str, Any] | None = None,
    label: str | None = None,
    n_repetitions: int = HOLD_OUTS,
    n_candidates: int = BUDGET,
    n_jobs: int = -1,
    cache: str | Path | None = None,
    as_text: bool = False,
    **options: Any,
) -> Tuned:
    """Search methods and k for the best release within limits.

    The grid of a comparison is run first, or a part of it where it is large; then k is
    bisected for the best few. What is returned was run and measured. Where a limit can
    be enforced (t, p, uniform cells, the most frequent value), candidates that do so
    are tried too, and their recipe promises it.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table, or a stream of Arrow such as a relation
        of DuckDB, a table of Ibis or a RecordBatchReader; it is not changed.
    schema : Schema
        Roles and kinds of its columns.
    least, highest : str, optional
        The figure that is sought, as `compare` names them: ``least="loss"``, the
        default, or ``highest="accuracy"``.
    where : sequence of str or Constraint, or mapping, optional
        Limits of figures: ``["linkage <= 5%", "t <= 0.2", "k >= 10"]``.
    methods : sequence, optional
        As in `compare`; by default those of `METHODS` that the table and the options
        allow and that promise k-anonymity of whole records.
    k : int or sequence of int, optional
        Values to begin with; the search goes on between them. By default 3, 5, 10, 25
        and 50, and the search may go beyond 50.
    grid : mapping, optional
        Values to try of parameters, as in `compare`.
    label : str, optional
        The column that a model learns, as in `compare`; that of ``"accuracy:income"``
        need not be named twice.
    n_candidates : int, default=60
        Candidates to run, at most.
    n_repetitions, n_jobs, cache, as_text, **options
        As in `compare`.

    Returns
    -------
    tuned : Tuned

    Raises
    ------
    NoCandidate
        If none keeps all limits; it says which is in the way, and how near the best
        came.

    Examples
    --------
    >>> import polars as pl
    >>> from microcell import Schema, tune
    >>> people = pl.DataFrame({"age": list(range(20, 60)), "ill": ["no", "yes"] * 20})
    >>> schema = Schema(["age"], confidential="ill")
    >>> tuned = tune(people, schema, least="loss", where=["t <= 0.1", "k >= 4"],
    ...              methods=["mdav"], n_jobs=1)
    >>> tuned.recipe.k, tuned.best.figures["k"]
    (4, 4.0)
    """
    refuse_of_files(options, "the command: microcell tune FILE ...")
    constraints = as_constraints(where)
    label = _label_of(label, [least, highest, *(c.name for c in constraints)])
    figures = known_figures(schema, label, given=needed_by_measures(options))
    objective = _objective(least, highest, figures)
    limits = []
    for constraint in constraints:
        figure = find_figure(constraint.name, figures, "where")
        limits.append(Limit(constraint.resolved(figure), constraint.name, figure))
    limits = list(dict.fromkeys(limits))
    budget = check_count(n_candidates, 1, "n_candidates")
    ks, (lowest, most) = _ks(k, limits)
    table = as_table(table)  # a stream can be read once
    options = _with_measures(table, options, limits, objective)
    plan = Grid(schema, methods, ks[len(ks) // 2], grid, options, label)
    lines = _lines(plan, all_methods=methods is None)
    given: dict[str, Any] = {"n_repetitions": n_repetitions, "n_jobs": n_jobs}
    given |= {"cache": cache, "as_text": as_text, "label": label}
    with Bench(table, plan, **given) as bench:

        def run(recipes: list[Recipe]) -> list[Candidate]:
            with part_of(len(search.done), budget):
                return bench.candidates(recipes)

        search = Search(
            run,
            lambda candidate: choice.order_of(candidate, limits, objective),
            lines,
            {place: enforcing(line, limits) for place, line in enumerate(lines)},
            ks=ks,
            k_range=(lowest, min(most, max(ks[-1], bench.n_records // 2))),
            budget=budget,
        )
        compared = bench.compared(search.go())
    tried = {candidate.recipe.method_name for candidate in compared.candidates}
    left = sorted({line.method_name for line in lines} - tried)
    return _chosen(compared, limits, objective, left)


def tune_file(
    path: str | Path,
    schema: Schema,
    *,
    folder: str | Path | None = None,
    write_recipe: str | Path | None = None,
    overwrite: bool = False,
    inputs: Sequence[str | Path | None] = (),
    methods: Any = None,
    grid: Any = None,
    **given: Any,
) -> Tuned:
    """Read a table, find the release that is best within limits, and write its recipe.

    Parameters
    ----------
    path : path
        The table.
    schema : Schema
        Roles and kinds of its columns.
    folder : path, optional
        Where all that was tried goes, as in `compare_file`.
    write_recipe : path, optional
        Where the recipe (TOML) goes.
    overwrite : bool, default=False
        Whether files that exist may be replaced.
    inputs : sequence of path
        Files that no output may replace.
    methods, grid, **given
        As in `tune`; `format`, `delimiter`, `encoding` and `sheet` are those of the
        file.

    Returns
    -------
    tuned : Tuned
    """
    if write_recipe is not None:
        target = check_target(write_recipe, overwrite=True)
        if target in [
            Path(one).resolve() for one in (path, *inputs) if one is not None
        ]:
            raise InputError(
                f"The output {write_recipe} is also an input.",
                hint="Choose another name.",
            )
        check_target(target, overwrite)
    shared = {n: v for n, v in given.items() if n not in arguments_of(tune)}
    wanted = {n: v for n, v in given.items() if n not in READING_OPTIONS}
    plan = Grid(schema, methods, given.get("k") or KS, grid, shared, given.get("label"))
    goes_on = False
    if folder is not None:
        check_folder(Path(folder))
    source, noted, as_text = read_to_try(path, plan.recipes[0])
    if folder is not None:
        trial = Trial(source.frame, as_text)
        goes_on = begin_in(Path(folder), trial, plan.recipes[0], overwrite)
        wanted["cache"] = Path(folder) / CACHE
    of_table = {"methods": methods, "grid": grid, "as_text": as_text}
    with errors_in(path):
        tuned = tune(source.frame, noted.schema, **of_table, **wanted)
    read_so = {n: given[n] for n in READING_OPTIONS if given.get(n) is not None}
    read_so |= found_options(source)
    tuned = replace(tuned, recipe=replace(tuned.recipe, **read_so))
    if folder is not None:
        tuned.save(folder, overwrite=goes_on or overwrite)
    if write_recipe is not None:
        with Outbox(overwrite=overwrite) as outbox:
            text = tuned.recipe.to_toml(Path(write_recipe).parent)
            Path(outbox.stage(write_recipe)).write_text(text, encoding="utf-8")
            outbox.publish()
    return tuned


def _lines(plan: Grid, *, all_methods: bool) -> list[Recipe]:
    """The recipes to search; of all methods those that promise k of whole records."""
    lines = []
    for recipe in plan.recipes:
        if all_methods and not promises_k(recipe):
            plan.left_out[recipe.method_name] = NOT_WHOLE
        else:
            lines.append(recipe)
    if not lines:
        raise InputError(
            "No method that is allowed promises k-anonymity of whole records.",
            option="methods",
            hint="Name the methods to try.",
        )
    return lines


def _chosen(
    compared: Compared, limits: list[Limit], objective: Objective, not_tried: list[str]
) -> Tuned:
    """The choice among what was run, or the error that says what is in the way."""
    candidates = compared.candidates
    used: list[Objective | Limit] = [objective, *limits]
    for asked in used:
        if asked.figure not in compared.figures:
            notes = sorted({note for c in candidates for note in c.notes})
            raise InputError(
                " ".join([f"{asked.said!r} was measured on no candidate.", *notes]),
                option="measures",
                hint="" if notes else "Name it among the measures, or ask for another.",
            )
    able = choice.feasible(candidates, limits, objective)
    if not able:
        sets = choice.binding(candidates, limits, objective)
        words, hint = choice.no_candidate(candidates, limits, objective)
        raise NoCandidate(
            words,
            option="where",
            hint=hint,
            binding=sets,
            nearest=[choice.nearest(candidates, limits, s, objective) for s in sets],
            compared=compared,
        )
    best = able[0]
    notes = _notes(best, limits, objective, len(candidates))
    if not_tried:
        notes.append(f"Not tried, for want of candidates: {choice.listed(not_tried)}.")
    return Tuned(
        best=best,
        recipe=best.recipe,
        why=choice.why(best, len(able), len(candidates), limits, objective),
        runners_up=_differing(able)[1 : 1 + RUNNERS_UP],
        compared=compared,
        limits=limits,
        objective=objective,
        notes=notes,
    )


def _differing(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates without those that give the very same as one before them."""
    found: dict[Any, Candidate] = {}
    for candidate in candidates:
        figures = {n: v for n, v in candidate.figures.items() if n != "seconds"}
        found.setdefault(tuple(sorted(figures.items())), candidate)
    return list(found.values())


def _notes(
    best: Candidate, limits: Sequence[Limit], objective: Objective, n_run: int
) -> list[str]:
    """What the reader should know of the choice."""
    name = best.recipe.method_name
    lost = best.figures.get("relative_loss", 0.0)
    used = [objective.figure.name, *(limit.figure.name for limit in limits)]
    learnt = any(figure.partition(":")[0] in LEARNT_NAMES for figure in used)
    promised = any(isinstance(promise, CellModel) for promise in best.recipe.promises)
    notes = {
        f"{name} does not give k-anonymity: k found on the released records is "
        f"{best.figures['k']:.0f}.": not best.is_k_anonymous,
        f"What it promises of confidential values is {WITHSTANDS_NO_REPLAY}.": promised,
        f"{name} draws random numbers: the figures of the release will differ a little "
        "from these.": is_random(best.recipe.method),
        f"It loses {choice.shown(lost, 'share')} of the variation, so hardly anything "
        "is left of the table: the limits ask for too much, or k is too large.": lost
        >= USELESS,
        "What a model learns was measured on the records that the choice was made by, "
        "so that of the best flatters a little.": learnt and n_run > 1,
    }
    return [note for note, holds in notes.items() if holds]


def _objective(
    least: str | None, highest: str | None, figures: Sequence[Figure]
) -> Objective:
    """The figure that is sought, and whether its least is."""
    for name, said in (("least", least), ("highest", highest)):
        if said is not None and not isinstance(said, str):
            raise ParameterError(name, f"must name a figure. Got {said!r} instead.")
    if least is not None and highest is not None:
        raise InputError(
            "One figure is sought: the least of one, or the highest of one.",
            option="highest",
            hint=["Give the other one a limit in ", Option("where"), "."],
        )
    said = highest or least or "loss"
    option, other = ("highest", "least") if highest else ("least", "highest")
    figure = find_figure(said, figures, option)
    if (figure.better == "low") != (option == "least"):
        raise InputError(
            f"{said!r} is better {figure.better}, so its {option} is the worst.",
            option=option,
            hint=["Give it as ", Option(other), "."],
        )
    return Objective(figure, said, option == "least")


def _with_measures(
    table: Any,
    options: Mapping[str, Any],
    limits: Sequence[Limit],
    objective: Objective,
) -> dict[str, Any]:
    """Options that measure what is asked for, which is expensive on a large table."""
    names = {objective.figure.name, *(limit.figure.name for limit in limits)}
    expensive = [measure.name for measure in MEASURES if measure.expensive]
    if "measures" in options or not names & set(expensive):
        return dict(options)
    large = len(open_frame(table)) > EXPENSIVE_FROM
    return {**options, "measures": "all"} if large else dict(options)


def _label_of(label: str | None, names: Sequence[Any]) -> str | None:
    """The label, or the column of the only "accuracy:column" that is asked for."""
    parts = [name.partition(":") for name in names if isinstance(name, str)]
    columns = {column for head, _, column in parts if head in LEARNT_NAMES and column}
    columns |= set() if label is None else {label}
    if len(columns) > 1:
        raise InputError(
            f"Models learn one label, and {choice.listed(sorted(map(repr, columns)))} "
            "are asked for.",
            option="label",
            hint="Ask for figures of one of them.",
        )
    return next(iter(columns), None)


def _ks(k: Any, limits: Sequence[Limit]) -> tuple[list[int], tuple[int, int]]:
    """Values of k to begin with, and how far the search may go."""
    least, most = k_allowed(limits)
    given = KS if k is None else [check_k(e, least=2) for e in as_list(k, "k")]
    low, high = (MIN_SEARCHED_K, most) if k is None else (min(given), max(given))
    low, high = max(low, least), min(high, most)
    if low > high:
        asked = f" of {sorted(given)}" if k is not None else ""
        raise InputError(
            f"No k{asked} is allowed: it must be at least {least}"
            + ("." if most == UNREACHED_RECORDS else f" and at most {most}."),
            option="where" if k is None else "k",
            hint="" if k is None else "Give others, or leave k out.",
        )
    ks = {each for each in given if low <= each <= high}
    if not ks or low == least > 2:  # the least that is allowed costs least
        ks.add(low)
    return sorted(ks), (low, high)
