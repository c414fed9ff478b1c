"""The application: its commands and its version."""

from __future__ import annotations

import atexit
import os
import sys
import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from microcell import __version__
from microcell._printable import printable
from microcell.cli._anonymize import anonymize_command
from microcell.cli._audit import audit_command
from microcell.cli._check import check_command
from microcell.cli._compare import compare_command
from microcell.cli._demo import demo_command
from microcell.cli._errors import ReportingGroup
from microcell.cli._examples import examples
from microcell.cli._inspect import inspect_command
from microcell.cli._later import import_scikit_learn
from microcell.cli._lists import datasets_command, methods_command
from microcell.cli._measure import measure_command
from microcell.cli._reproduce import reproduce_command
from microcell.cli._serve import app_command
from microcell.cli._signals import end_workers
from microcell.cli._tune import tune_command


class WorkingCommand(TyperCommand):
    """A command that works on tables, and needs the libraries for it."""

    def invoke(self, ctx: Any) -> Any:
        import_scikit_learn()  # not before options are read, for help needs none
        return super().invoke(ctx)


app = typer.Typer(
    cls=ReportingGroup,
    help="k-anonymous releases of tables about people, verified on what is released.",
    epilog=examples("microcell"),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _working(name: str) -> Any:
    return app.command(name, cls=WorkingCommand, epilog=examples(name))


app.command("app", epilog=examples("app"))(app_command)
_working("demo")(demo_command)
_working("inspect")(inspect_command)
_working("anonymize")(anonymize_command)
_working("check")(check_command)
_working("measure")(measure_command)
_working("compare")(compare_command)
_working("tune")(tune_command)
_working("reproduce")(reproduce_command)
_working("audit")(audit_command)
_working("methods")(methods_command)
app.command("datasets", epilog=examples("datasets"))(datasets_command)


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
    said = printable(" ".join(str(message).split()))
    typer.echo(f"note: {said}", err=True)


def run() -> None:
    """Run a command and exit with its code.

    The process ends at once, for the system takes all memory back quicker than Python
    takes its modules apart. After an error it does not even call what libraries want
    called at the end: threads of those that read tables may still be about, and tearing
    them down has been seen to abort.
    """
    warnings.showwarning = _show_note
    try:
        app(prog_name="microcell")
    except SystemExit as stop:
        done = stop.code in (0, None)
        end_workers()
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except OSError:
            if done:  # what was to be read is lost, which Python says
                raise stop from None
        if done:
            atexit._run_exitfuncs()
            os._exit(0)
        os._exit(stop.code if isinstance(stop.code, int) else 1)
