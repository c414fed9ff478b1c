"""microcell methods, microcell datasets: what there is."""

from __future__ import annotations

import json
from collections.abc import Sequence

import typer
from rich.console import Console
from rich.table import Table

from microcell.cli._options import AS_JSON, argument, parameter, switch, with_options


@with_options(AS_JSON, names=())
def methods_command(as_json: bool) -> None:
    """List the methods with their parameters."""
    from microcell.methods import method_parameters, methods_table

    if as_json:
        rows = [
            {"name": name, "parameters": method_parameters(name), "summary": summary}
            for name, _, summary in methods_table()
        ]
        typer.echo(json.dumps(rows, indent=2))
        return
    _show(("method", "parameters", "what it does"), methods_table())


@with_options(
    argument("name", "A data set to write to a file.", type=str | None, default=None),
    parameter("output", "Where to write the data set.", "--output", "-o"),
    switch("overwrite", "Replace a file that exists."),
    AS_JSON,
    names=(),
)
def datasets_command(
    name: str | None, output: str | None, overwrite: bool, as_json: bool
) -> None:
    """List the data sets, or write one of them to a file."""
    from microcell.datasets import DATASETS, available, describe
    from microcell.io import save_table

    if name is None:
        if output is not None:
            raise ValueError("Which data set goes to the file? Name it first.")
        rows = describe()
        if as_json:
            typer.echo(json.dumps(rows.to_dicts(), indent=2))
        else:
            _show(tuple(rows.columns), [tuple(map(str, row)) for row in rows.rows()])
        return
    available(name)  # an unknown name is an error that lists the known ones
    dataset = DATASETS[name]()
    if output is None:
        typer.echo(repr(dataset))
        return
    save_table(dataset.frame, output, overwrite=overwrite)
    typer.echo(repr(dataset))
    typer.echo(f"written to {output}")


def _show(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    table = Table(box=None, pad_edge=False)
    for title in header:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*row)
    Console(highlight=False).print(table)
