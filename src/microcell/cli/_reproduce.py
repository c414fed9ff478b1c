"""microcell reproduce: a paper's experiment, their figures beside ours."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import typer
from rich.progress import MofNCompleteColumn

from microcell._interrupts import partial
from microcell.cli._options import argument, needed, switch, with_options
from microcell.cli._progress import progress_bar
from microcell.cli._signals import take_workers_along


@with_options(
    argument("name", "The experiment: projections, lda, price, random or two-levels."),
    needed("out", "Folder for tables and figures."),
    switch("quick", "A small part of it, within two minutes."),
    names=(),
)
def reproduce_command(name: str, out: str, quick: bool) -> None:
    """Run a paper's experiment and write its table and figures, theirs beside ours."""
    from microcell._validation import check_choice
    from microcell.experiments import EXPERIMENTS

    module = EXPERIMENTS[check_choice("name", name, tuple(EXPERIMENTS))]
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{out} is a file. Name a folder.")
    if not folder.parent.is_dir():
        raise FileNotFoundError(
            f"The folder {folder.parent} does not exist. Create it first."
        )
    partial.append(out)
    take_workers_along()
    with progress_bar(MofNCompleteColumn()) as progress:
        experiment = import_module(module)
        lines = experiment.reproduce(folder, quick=quick, progress=progress)
    for line in lines:
        typer.echo(line)
    typer.echo(f"written to {out}")
