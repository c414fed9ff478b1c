"""Every option that an error names is one of a command, spelt as it takes it."""

import ast
import inspect
from pathlib import Path

import pytest
import typer

import microcell
from microcell.cli._app import app
from microcell.cli._errors import as_flag
from microcell.compose import DPMicroaggregator
from microcell.exceptions import Option
from microcell.methods import METHODS
from microcell.pipeline._refuse import _WHOLE
from microcell.recipe._differentially_private import OPEN_OPTIONS
from microcell.recipe._recipe import OPTIONS

GROUP = typer.main.get_command(app)
OF_FUNCTIONS = {  # of measures that no command has
    "original",
    "population",
    "tolerance",
    "n_folds",
}
IN_LISTS = {  # given to Option by a name that is not written there
    *(name for name, *_ in _WHOLE),
    *OPEN_OPTIONS,
    *("memory", "jobs", "source_note", "plain_source_hash", "purpose", "author"),
    *("unit", "weights", "least", "highest", "delimiter", "encoding", "sheet"),
}


def named():
    """Names that are given to `Option` anywhere in the sources."""
    for file in Path(microcell.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Option":
                if node.args and isinstance(node.args[0], ast.Constant):
                    yield node.args[0].value


def parameters_of_methods():
    makers = [*METHODS.values(), DPMicroaggregator]
    return {name for maker in makers for name in inspect.signature(maker).parameters}


def flags_of(command):
    return {flag for p in GROUP.commands[command].params for flag in p.opts}


@pytest.mark.parametrize("command", sorted(GROUP.commands))
def test_hints_name_options_that_there_are(command):
    names = {*named(), *IN_LISTS} - OF_FUNCTIONS
    assert len(names) > 50 and {"engine", "memory", "shard", "source_note"} <= names
    for name in sorted(names):
        said = as_flag(Option(name), GROUP, command)
        flag, _, owner = said.removesuffix(")").partition(" (of ")
        if flag.startswith("--parameter "):
            assert name in parameters_of_methods() - set(OPTIONS), said
            flag = "--parameter"
        assert flag in flags_of(owner or command), f"{command}: {said}"
