"""microcell tune: the method, the k and the parameters that fit what is asked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microcell.cli._compare import (
    NAME,
    SHARED,
    GridOf,
    Jobs,
    Label,
    Methods,
    grid_options,
    how_long,
)
from microcell.cli._echo import TextConsole, echo_table, reader_may_leave
from microcell.cli._options import AllowImport, AsJson, Overwrite, with_recipe_options
from microcell.cli._signals import take_workers_along

if TYPE_CHECKING:
    from microcell.selection import Tuned


@with_recipe_options(*SHARED)
def tune_command(
    table: Annotated[str, typer.Argument(help="The table: CSV, TSV or Parquet.")],
    least: Annotated[
        str | None,
        typer.Option(
            "--least",
            metavar="FIGURE",
            help="The figure that should be low: loss (default), linkage, t, ...",
        ),
    ] = None,
    highest: Annotated[
        str | None,
        typer.Option(
            "--highest",
            metavar="FIGURE",
            help="Or the one that should be high: accuracy (with --label), p, ...",
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="LIMIT",
            help="What must hold, 'linkage <= 5%', 't <= 0.2', 'k >= 10' (repeat the "
            "option).",
        ),
    ] = None,
    methods: Methods = None,
    k: Annotated[
        list[str] | None,
        typer.Option(
            "-k",
            metavar="NUMBERS",
            help="Values of k to begin with; the search goes on between them. By "
            "default 3,5,10,25,50 and beyond.",
            show_default=False,
        ),
    ] = None,
    grid: GridOf = None,
    label: Label = None,
    candidates: Annotated[
        int, typer.Option("--candidates", help="How many to try, at most.")
    ] = 60,
    jobs: Jobs = -1,
    recipe: Annotated[
        str | None,
        typer.Option(
            "--recipe",
            help="A recipe (TOML); options given here replace its entries. Its method, "
            "k and parameters are what is searched.",
        ),
    ] = None,
    allow_import: AllowImport = False,
    write_recipe: Annotated[
        str | None,
        typer.Option("--write-recipe", help="Where to write the recipe of the best."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            help="Folder for all that was tried, with a page and a map; the same "
            "command goes on in it.",
        ),
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
    **given: Any,
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
            write_recipe=write_recipe,
            least=least,
            highest=highest,
            where=where or [],
            label=label,
            n_candidates=candidates,
            n_jobs=jobs,
            overwrite=overwrite,
            inputs=[table, recipe],
            **wanted,
        )
    seconds = time.perf_counter() - start
    with reader_may_leave():
        if as_json:
            typer.echo(to_json(tuned.to_dict()))
        else:
            show(tuned)
            typer.echo(how_long(tuned.compared, seconds))
            for path in filter(None, (write_recipe, out)):
                typer.echo(f"written             {path}")


def show(tuned: Tuned) -> None:
    """The sentence, the best with its runners-up, and what the reader should know."""
    console = TextConsole(soft_wrap=True)
    console.print(tuned.why)
    rows = tuned.rows()
    echo_table(list(rows[0]), [list(row.values()) for row in rows], NAME)
    for note in (*tuned.notes, *tuned.compared.notes):
        console.print(f"note: {note}")
