"""compare: many recipes on one table, and what each would give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from microcell.learning import HOLD_OUTS
from microcell.recipe import Schema, refuse_of_files
from microcell.selection._bench import Bench, Watch
from microcell.selection._candidates import Grid
from microcell.selection._compared import Compared


def compare(
    table: Any,
    schema: Schema,
    *,
    methods: Any = None,
    k: int | Sequence[int] = (3, 5, 10, 25, 50),
    grid: Mapping[str, Any] | None = None,
    label: str | None = None,
    n_repetitions: int = HOLD_OUTS,
    n_jobs: int = -1,
    cache: str | Path | None = None,
    as_text: bool = False,
    watch: Watch | None = None,
    **options: Any,
) -> Compared:
    """Try methods, parameters and values of k on a table, and measure what each gives.

    Nothing is released: figures are all that is kept. A candidate that fails is one
    with an error. Methods that draw do so from a fixed seed here, the same in each
    comparison, which no recipe or file holds; a release draws anew.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table, or a stream of Arrow such as a relation
        of DuckDB, a table of Ibis or a RecordBatchReader; it is not changed.
    schema : Schema
        Roles and kinds of its columns.
    methods : sequence, optional
        Names of methods, functions or estimators, as in `anonymize`; by default all of
        `METHODS` that the table and the options allow, but "best", which takes long.
    k : int or sequence of int, default=(3, 5, 10, 25, 50)
    grid : mapping, optional
        Values to try of parameters: ``{"vmdav": {"gamma": [0.1, 0.5]}}``, or
        ``{"gamma": [0.1, 0.5]}`` for every method that has one of this name.
    label : str, optional
        A column released as it is: how well a model that learns it from the released
        quasi-identifiers predicts records that were held out of the release. Methods
        that shape cells by a confidential column take it, unless `target` is another.
    n_repetitions : int, default=3
        How often records are held out; the same ones for all candidates.
    n_jobs : int, default=-1
        Number of processes; -1 takes all cores.
    cache : path, optional
        A folder for finished candidates, so that a comparison that was interrupted
        goes on where it was. It holds figures, and no value of a record.
    as_text : bool, default=False
        As in `apply_recipe`.
    watch : callable, optional
        Called with a `Compared` of all candidates that are done, in their order, each
        time another one is, and first with those that `cache` holds. It sees what will
        be returned as it grows, and changes nothing of it; an error in it ends the
        comparison.
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
    >>> compared = compare(people, schema, methods=["mdav"], k=[4, 10], n_jobs=1,
    ...                    watch=lambda so_far: print(len(so_far.candidates)))
    1
    2
    """
    refuse_of_files(options, "compare_file(path, ...)")
    plan = Grid(schema, methods, k, grid, options, label)
    return compared_on(
        table,
        plan,
        watch,
        label=label,
        n_repetitions=n_repetitions,
        n_jobs=n_jobs,
        cache=cache,
        as_text=as_text,
    )


def compared_on(
    table: Any, plan: Grid, watch: Watch | None = None, **given: Any
) -> Compared:
    """Try the recipes of a plan on a table; what is given is as in `Bench`."""
    with Bench(table, plan, **given) as bench:
        return bench.compared(bench.candidates(plan.recipes, watch))
