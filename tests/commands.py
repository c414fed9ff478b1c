"""The command line in this process, as a terminal calls it."""

from typer.testing import CliRunner

from microcell.cli._app import app


def run(*arguments):
    """What a command said, and its exit code."""
    return CliRunner().invoke(app, list(map(str, arguments)), prog_name="microcell")
