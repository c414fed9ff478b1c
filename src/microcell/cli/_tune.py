"""microcell tune: the method, the k and the parameters that fit what is asked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import typer

from microcell.cli._compare import (
    GRID,
    JOBS,
    LABEL,
    METHODS,
    NAME,
    SHARED,
    grid_options,
    how_long,
    ks_to_try,
)
from microcell.cli._echo import TextConsole, echo_table, reader_may_leave
from microcell.cli._options import (
    ALLOW_IMPORT,
    AS_JSON,
    OVERWRITE,
    argument,
    parameter,
    several,
    with_options,
)
from microcell.cli._signals import take_workers_along

if TYPE_CHECKING:
    from microcell.selection import Tuned


@with_options(
    argument("table", "The table: CSV, TSV or Parquet."),
    parameter(
        "least",
        "The figure that should be low: loss (default), linkage, t, ...",
        metavar="FIGURE",
    ),
    parameter(
        "highest",
        "Or the one that should be high: accuracy (with --label), p, ...",
        metavar="FIGURE",
    ),
    several(
        "where",
        "What must hold, 'linkage <= 5%', 't <= 0.2', 'k >= 10' (repeat the option).",
        metavar="LIMIT",
    ),
    METHODS,
    ks_to_try(
        "Values of k to begin with; the search goes on between them. By default "
        "3,5,10,25,50 and beyond."
    ),
    GRID,
    LABEL,
    parameter("candidates", "How many to try, at most.", type=int, default=60),
    JOBS,
    parameter(
        "recipe",
        "A recipe (TOML); options given here replace its entries. Its method, k and "
        "parameters are what is searched.",
    ),
    ALLOW_IMPORT,
    parameter("write_recipe", "Where to write the recipe of the best."),
    parameter(
        "out",
        "Folder for all that was tried, with a page and a map; the same command goes "
        "on in it.",
    ),
    OVERWRITE,
    AS_JSON,
    names=SHARED,
)
def tune_command(
    table: str,
    k: list[str] | None,
    methods: list[str] | None,
    grid: list[str] | None,
    recipe: str | None,
    allow_import: bool,
    where: list[str] | None,
    candidates: int,
    jobs: int,
    out: str | None,
    as_json: bool,
    given: dict[str, Any],
    **said: Any,
) -> None:
    """Find the release that is best within limits; nothing is released.

    Says why in a sentence, and what the runners-up would give. If no candidate keeps
    all limits, it says which is in the way and how near the best came, and exits with
    code 2.
    """
    from microcell.cli._progress import shown_progress
    from microcell.selection import to_json, tune_file

    take_workers_along()
    start = time.perf_counter()
    with shown_progress():
        wanted = grid_options(table, recipe, methods, k, grid, given, allow_import)
        for name, asked in (("k", k), ("methods", methods)):
            if asked is None:  # that of the recipe is what is searched
                wanted[name] = None
        if given["parameters"] is None:
            wanted.pop("parameters", None)
        tuned = tune_file(
            table,
            wanted.pop("schema"),
            folder=out,
            where=where or [],
            n_candidates=candidates,
            n_jobs=jobs,
            inputs=[table, recipe],
            **said,
            **wanted,
        )
    seconds = time.perf_counter() - start
    with reader_may_leave():
        if as_json:
            typer.echo(to_json(tuned.to_dict()))
        else:
            show(tuned)
            typer.echo(how_long(tuned.compared, seconds))
            for path in filter(None, (said["write_recipe"], out)):
                typer.echo(f"written             {path}")


def show(tuned: Tuned) -> None:
    """The sentence, the best with its runners-up, and what the reader should know."""
    console = TextConsole(soft_wrap=True)
    console.print(tuned.why)
    rows = tuned.rows()
    echo_table(list(rows[0]), [list(row.values()) for row in rows], NAME)
    for note in (*tuned.notes, *tuned.compared.notes):
        console.print(f"note: {note}")
