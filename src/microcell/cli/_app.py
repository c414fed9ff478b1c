"""The application: its commands and its version."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from typing import Annotated, Any

import typer

from microcell import __version__
from microcell.cli._anonymize import anonymize_command
from microcell.cli._audit import audit_command
from microcell.cli._check import check_command
from microcell.cli._compare import compare_command
from microcell.cli._errors import ReportingGroup
from microcell.cli._lists import datasets_command, methods_command
from microcell.cli._measure import measure_command
from microcell.cli._reproduce import reproduce_command

app = typer.Typer(
    cls=ReportingGroup,
    help="k-anonymous releases of tables about people, verified on what is released.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("anonymize")(anonymize_command)
app.command("check")(check_command)
app.command("measure")(measure_command)
app.command("compare")(compare_command)
app.command("reproduce")(reproduce_command)
app.command("audit")(audit_command)
app.command("methods")(methods_command)
app.command("datasets")(datasets_command)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"microcell {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    pass


def _show_note(message: Warning | str, *where: Any, **more: Any) -> None:
    """A warning in one line, without a place in our source."""
    typer.echo(f"note: {' '.join(str(message).split())}", err=True)


def run() -> None:
    """Run a command and exit with its code.

    After an error the process ends at once: threads of the libraries that read tables
    may still be about, and tearing them down has been seen to abort.
    """
    warnings.showwarning = _show_note
    try:
        app(prog_name="microcell")
    except SystemExit as stop:
        if stop.code in (0, None):
            raise
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(stop.code if isinstance(stop.code, int) else 1)
