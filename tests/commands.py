"""The command line in this process, as a terminal calls it."""

from functools import cache

from typer import testing

from microcell.cli._app import app

# Each call makes all commands, which takes as long as a small release: once is enough.
testing._get_command = cache(testing._get_command)


def run(*arguments):
    """What a command said, and its exit code."""
    runner = testing.CliRunner()
    return runner.invoke(app, list(map(str, arguments)), prog_name="microcell")
