"""Every option that an error names is one of a command, spelt as it takes it."""

import ast
import inspect
import re
from itertools import product

import pytest
import typer
from commands import run
from sources import all_nodes

from microcell.cli._app import app
from microcell.cli._errors import as_flag
from microcell.compose import DPMicroaggregator
from microcell.exceptions import Option
from microcell.methods import METHODS
from microcell.recipe._method import own_parameters
from microcell.recipe._recipe import OPTIONS

GROUP = typer.main.get_command(app)
OF_FUNCTIONS = {  # of measures that no command has
    "original",
    "population",
    "tolerance",
    "n_folds",
}
IN_LISTS = {  # given to Option by a name that is not written there
    *(name for name, spec in OPTIONS.items() if spec.section),
    *("memory", "jobs", "source_note", "plain_source_hash", "purpose", "author"),
    *("unit", "weights", "least", "highest", "delimiter", "encoding", "sheet"),
}


def named():
    """Names that are given to `Option` anywhere in the sources."""
    for _, node in all_nodes():
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Option":
            if node.args and isinstance(node.args[0], ast.Constant):
                yield node.args[0].value


def parameters_of_methods():
    makers = [*METHODS.values(), DPMicroaggregator]
    return {name for maker in makers for name in inspect.signature(maker).parameters}


def flags_of(command):
    return {flag for p in GROUP.commands[command].params for flag in p.opts}


def test_hints_name_options_that_there_are():
    names = {*named(), *IN_LISTS} - OF_FUNCTIONS
    assert len(names) > 50 and {"engine", "memory", "shard", "source_note"} <= names
    for command, name in product(sorted(GROUP.commands), sorted(names)):
        said = as_flag(Option(name), GROUP, command)
        flag, _, owner = said.removesuffix(")").partition(" (of ")
        if flag.startswith("--parameter "):
            assert name in parameters_of_methods() - set(OPTIONS), said
            flag = "--parameter"
        assert flag in flags_of(owner or command), f"{command}: {said}"


OF_OTHERS = {"--archives", "--paper", "--version"}  # Spark's, a style's, the program's


def test_flags_in_plain_words_are_those_of_a_command():
    known = {flag for name in GROUP.commands for flag in flags_of(name)} | OF_OTHERS
    for file, node in all_nodes():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            flags = re.findall(r"(?<![\w-])--[a-z][a-z-]+", node.value)
            assert not set(flags) - known, f"{file.name}:{node.lineno}"


def said_of(folder, *options):
    """What is said of a call that cannot be honoured; nothing if it can."""
    (folder / "in.csv").write_text("age,ill\n" + "30,no\n41,yes\n" * 20)
    given = "anonymize in.csv -q age -c ill -k 5 -o out.csv --overwrite --measures none"
    return run(*given.split(), *options).stderr


@pytest.mark.parametrize("method", METHODS)
def test_a_parameter_of_a_method_is_named_as_it_is_typed(method, tmp_path, monkeypatch):
    """Two have an alpha and a beta, which are promises on the command line too."""
    monkeypatch.chdir(tmp_path)
    own = own_parameters(method)
    for name in own:
        said = said_of(tmp_path, "-m", method, "-p", f"{name}=-7")
        if said.startswith("error"):
            flags = re.findall(r"--([a-z-]+) ([a-z_]+)", said)
            assert flags, said
            assert all(f == "parameter" and n in own for f, n in flags), said


@pytest.mark.parametrize(
    ("promise", "name"),
    [
        ('delta-presence={"least": 2, "most": 1, "population": "in.csv"}', "least"),
        ('t-closeness={"t": 0.2, "distance": "far"}', "distance"),
        ('k-map={"k": 0, "population": "in.csv"}', "k"),
        ("l-diversity=0", "l"),
    ],
)
def test_a_parameter_of_a_promise_is_no_option(promise, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = said_of(tmp_path, "--promise", promise)
    model = promise.partition("=")[0]
    assert said.startswith(f"error: {name!r} of the promise {model!r} must be")
