"""tune: the method, the k and the parameters that fit what is asked of a release."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from microcell._progress import part_of
from microcell._validation import check_count, check_k
from microcell.columns import as_table, open_frame
from microcell.exceptions import InputError, Option, ParameterError
from microcell.learning import HOLD_OUTS
from microcell.metrics import EXPENSIVE_FROM, MEASURES
from microcell.privacy import WITHSTANDS_NO_REPLAY, CellModel
from microcell.recipe import RECORDS, Schema, is_random, refuse_of_files
from microcell.selection._bench import Bench
from microcell.selection._candidate import Candidate
from microcell.selection._candidates import Grid, as_list
from microcell.selection._choice import (
    Limit,
    Objective,
    aims_of,
    binding,
    feasible,
    listed,
    nearest,
    no_candidate,
    order_of,
    shown,
    why,
)
from microcell.selection._compared import Compared
from microcell.selection._constraints import Constraint, as_constraints
from microcell.selection._enforceable import (
    greatest_k,
    least_k,
)
from microcell.selection._figures import LEARNT, find_figure, known_figures
from microcell.selection._search import Search, Setting
from microcell.selection._space import Space
from microcell.selection._tuned import NoCandidate, Tuned

BEGIN_KS = (3, 5, 10, 25, 50)
BUDGET = 60  # candidates
RUNNERS_UP = 5
LEAST_K = 3  # unless a smaller one is given
USELESS = 0.9  # of the variation lost
MANY = 10**9  # records that no table in memory has


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
    """Search methods, k and parameters for the best release within limits.

    A coarse grid is run first, then other k and parameters around the best. What is
    returned was run and measured, never guessed. Where a limit can be enforced (t, p,
    uniform cells, the most frequent value), candidates that do so are tried too, and
    their recipe promises it.

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
        Values of parameters to begin with, as in `compare`.
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
    return tuned_on(
        table,
        schema,
        options,
        least=least,
        highest=highest,
        where=where,
        methods=methods,
        k=k,
        grid=grid,
        label=label,
        n_repetitions=n_repetitions,
        n_candidates=n_candidates,
        n_jobs=n_jobs,
        cache=cache,
        as_text=as_text,
    )


def tuned_on(
    table: Any,
    schema: Schema,
    options: Mapping[str, Any],
    *,
    least: str | None,
    highest: str | None,
    where: Any,
    methods: Any,
    k: int | Sequence[int] | None,
    grid: Mapping[str, Any] | None,
    label: str | None,
    n_candidates: int,
    n_jobs: int,
    cache: str | Path | None,
    as_text: bool,
    n_repetitions: int = HOLD_OUTS,
) -> Tuned:
    """As `tune`; options may say how the file was read that the table comes from."""
    constraints = as_constraints(where)
    sought = _sought(least, highest)
    label = _label_of(label, [sought[0], *(c.name for c in constraints)])
    given = [n for n in ("weights", "unit") if options.get(n) not in (None, RECORDS)]
    figures = known_figures(schema, label, given=given)
    objective = _objective(*sought, figures)
    limits = _limits(constraints, figures)
    budget = check_count(n_candidates, 1, "n_candidates")
    ks, k_range = _ks(k, limits)
    table = as_table(table)  # a stream can be read once
    options = _with_measures(table, options, limits, objective)
    plan = Grid(schema, methods, ks[len(ks) // 2], grid, options, label)
    space = Space(plan, limits, whole=methods is None)
    with Bench(
        table,
        plan,
        label=label,
        n_repetitions=n_repetitions,
        n_jobs=n_jobs,
        cache=cache,
        as_text=as_text,
    ) as bench:

        def run(settings: list[Setting]) -> list[Candidate]:
            recipes = [space.recipe_of(setting) for setting in settings]
            with part_of(len(search.done), budget):
                return bench.candidates(recipes)

        search = Search(
            run,
            lambda figures, k: order_of(figures, k, limits, objective),
            aims=lambda figures: aims_of(figures, limits, objective),
            ks=ks,
            k_range=(k_range[0], min(k_range[1], max(ks[-1], bench.n_records // 2))),
            grids=space.grid_of,
            defaults=space.defaults_of,
            able=space.allows,
            budget=budget,
        )
        search.go(space.families)
        _come_nearer(search, limits, objective)
        compared = bench.compared(list(search.done.values()))
    return _chosen(compared, limits, objective, space, search)


def _come_nearer(search: Search, limits: Sequence[Limit], objective: Objective) -> None:
    """If nothing keeps all limits, find out how near each that is in the way comes."""
    candidates = list(search.done.values())
    if feasible(candidates, limits, objective):
        return
    for left_out in binding(candidates, limits, objective):
        kept = [limit for limit in limits if limit not in left_out]

        def order(
            figures: Mapping[str, float], k: int, kept: Any = kept, far: Any = left_out
        ) -> tuple[float, float, int]:
            excess, cost, _ = order_of(figures, k, kept, objective)
            away = sum(limit.constraint.excess(figures) for limit in far)
            return excess, away if cost < math.inf else math.inf, -k

        search.order = order
        search.refine()


def _chosen(
    compared: Compared,
    limits: list[Limit],
    objective: Objective,
    space: Space,
    search: Search,
) -> Tuned:
    """The choice among what was run, or the error that says what is in the way."""
    candidates = compared.candidates
    _check_measured(compared, objective)
    for limit in limits:
        _check_measured(compared, limit)
    able = feasible(candidates, limits, objective)
    if not able:
        sets = binding(candidates, limits, objective)
        words, hint = no_candidate(candidates, limits, objective)
        raise NoCandidate(
            words,
            option="where",
            hint=hint,
            binding=sets,
            nearest=[nearest(candidates, limits, s, objective) for s in sets],
            compared=compared,
        )
    best = able[0]
    return Tuned(
        best=best,
        recipe=best.recipe,
        why=why(best, len(able), len(candidates), limits, objective),
        runners_up=_differing(able)[1 : 1 + RUNNERS_UP],
        compared=compared,
        limits=limits,
        objective=objective,
        notes=_notes(best, limits, objective, len(candidates), space, search),
    )


def _check_measured(compared: Compared, asked: Limit | Objective) -> None:
    """Refuse to look for what no candidate has."""
    if asked.figure in compared.figures:
        return
    notes = {note for candidate in compared.candidates for note in candidate.notes}
    words = [f"{asked.said!r} was measured on no candidate.", *sorted(notes)]
    raise InputError(
        " ".join(words),
        option="measures",
        hint="" if notes else "Name it among the measures, or ask for another.",
    )


def _differing(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates without those that give the very same as one before them."""
    found: dict[Any, Candidate] = {}
    for candidate in candidates:
        figures = {n: v for n, v in candidate.figures.items() if n != "seconds"}
        found.setdefault(tuple(sorted(figures.items())), candidate)
    return list(found.values())


def _notes(
    best: Candidate,
    limits: Sequence[Limit],
    objective: Objective,
    n_run: int,
    space: Space,
    search: Search,
) -> list[str]:
    """What the reader should know of the choice."""
    notes = []
    if not best.is_k_anonymous:
        notes.append(
            f"{best.recipe.method_name} does not give k-anonymity: k found on the "
            f"released records is {best.figures['k']:.0f}."
        )
    if any(isinstance(promise, CellModel) for promise in best.recipe.promises):
        notes.append(
            f"What it promises of confidential values is {WITHSTANDS_NO_REPLAY}."
        )
    if is_random(best.recipe.method):
        notes.append(
            f"{best.recipe.method_name} draws random numbers: the figures of the "
            "release will differ a little from these."
        )
    lost = best.figures.get("relative_loss", 0.0)
    if lost >= USELESS:
        notes.append(
            f"It loses {shown(lost, 'share')} of the variation, so hardly anything is "
            "left of the table: the limits ask for too much, or k is too large."
        )
    learnt = [entry[0] for entry in LEARNT]
    used = [objective.figure.name, *(limit.figure.name for limit in limits)]
    if n_run > 1 and any(name.partition(":")[0] in learnt for name in used):
        notes.append(
            "What a model learns was measured on the records that the choice was made "
            "by, so that of the best flatters a little."
        )
    left = sorted(set(space.bases) - {setting.method for setting in search.done})
    if left:
        notes.append(
            f"{listed(left)} {'was' if len(left) == 1 else 'were'} not tried: that "
            "takes more candidates."
        )
    return notes


def _sought(least: str | None, highest: str | None) -> tuple[str, bool]:
    """The figure that is sought, and whether its least is."""
    if least is not None and highest is not None:
        raise InputError(
            "One figure is sought: the least of one, or the highest of one.",
            option="highest",
            hint=["Give the other one a limit in ", Option("where"), "."],
        )
    for name, said in (("least", least), ("highest", highest)):
        if said is not None and not isinstance(said, str):
            raise ParameterError(name, f"must name a figure. Got {said!r} instead.")
    return (highest, False) if highest is not None else (least or "loss", True)


def _objective(said: str, is_least: bool, figures: Sequence[Any]) -> Objective:
    option = "least" if is_least else "highest"
    figure = find_figure(said, figures, option)
    if is_least != (figure.better == "low"):
        other = "highest" if is_least else "least"
        raise InputError(
            f"{said!r} is better {figure.better}, so its {option} is the worst.",
            option=option,
            hint=["Give it as ", Option(other), "."],
        )
    return Objective(figure, said, is_least)


def _limits(constraints: Sequence[Constraint], figures: Sequence[Any]) -> list[Limit]:
    limits = []
    for constraint in constraints:
        figure = find_figure(constraint.name, figures, "where")
        limits.append(Limit(constraint.resolved(figure), constraint.name, figure))
    return list(dict.fromkeys(limits))


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


def _label_of(label: str | None, names: Sequence[str]) -> str | None:
    """The label, or the column of the only "accuracy:column" that is asked for."""
    learnt = [entry[0] for entry in LEARNT]
    parts = [name.partition(":") for name in names]
    columns = {column for head, _, column in parts if head in learnt and column}
    columns |= set() if label is None else {label}
    if len(columns) > 1:
        raise InputError(
            f"Models learn one label, and {listed(sorted(map(repr, columns)))} are "
            "asked for.",
            option="label",
            hint="Ask for figures of one of them.",
        )
    return next(iter(columns), None)


def _ks(k: Any, limits: Sequence[Limit]) -> tuple[list[int], tuple[int, int]]:
    """Values of k to begin with, and how far the search may go."""
    least, most = least_k(limits), greatest_k(limits, MANY)
    given = BEGIN_KS if k is None else [check_k(e, least=2) for e in as_list(k, "k")]
    low, high = (LEAST_K, most) if k is None else (min(given), max(given))
    low, high = max(low, least), min(high, most)
    if low > high:
        asked = f" of {sorted(given)}" if k is not None else ""
        raise InputError(
            f"No k{asked} is allowed: it must be at least {least}"
            + ("." if most == MANY else f" and at most {most}."),
            option="where" if k is None else "k",
            hint="" if k is None else "Give others, or leave k out.",
        )
    ks = {each for each in given if low <= each <= high}
    if not ks or low == least > 2:  # the least that is allowed costs least
        ks.add(low)
    return sorted(ks), (low, high)
