"""What somebody new to a command reads first."""

import re
import shlex

import typer.main
from marks import for_each
from typer.testing import CliRunner

from microcell.cli._app import app
from microcell.cli._examples import EXAMPLES
from microcell.recipe._recipe import DEFAULTS

GROUP = typer.main.get_command(app)
COMMANDS = sorted(GROUP.commands)


def help_of(*command):
    """The help of a command as one line of words."""
    words = {"COLUMNS": "300", "NO_COLOR": "1", "TERM": "dumb"}
    done = CliRunner().invoke(app, [*command, "--help"], env=words)
    assert done.exit_code == 0
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", done.stdout).split())


@for_each("name", COMMANDS)
def test_every_command_has_examples_that_it_understands(name):
    shown = help_of(name)
    assert EXAMPLES[name]
    for example in EXAMPLES[name]:
        assert " ".join(example.split()) in shown
        program, command, *arguments = shlex.split(example)
        assert (program, command) == ("microcell", name)
        with GROUP.commands[name].make_context(name, arguments):
            pass  # an option that is not there is an error


def test_the_program_shows_where_to_begin():
    shown = help_of()
    for example in EXAMPLES["microcell"]:
        assert example in shown
        command, *arguments = shlex.split(example)[1:]
        with GROUP.commands[command].make_context(command, arguments):
            pass


@for_each("name", COMMANDS)
def test_options_show_their_defaults(name):
    shown = help_of(name)
    for parameter in GROUP.commands[name].params:
        if parameter.param_type_name != "option" or parameter.name == "help":
            continue
        default = parameter.default
        if default in (None, False, (), []):
            default = DEFAULTS.get(parameter.name)
        if not isinstance(default, (str, int, float)) or default == "":
            continue
        flag = max(parameter.opts, key=len)
        ways = (f"Default: {default}.", f"[default: {default}]")
        assert any(way in shown.partition(flag)[2] for way in ways), flag


@for_each("name", COMMANDS)
def test_every_option_and_argument_says_what_it_is(name):
    for parameter in GROUP.commands[name].params:
        assert getattr(parameter, "help", None), parameter.name


@for_each(
    ("name", "flag", "words"),
    [
        ("anonymize", "--quasi-identifiers", "Required, here or in the recipe."),
        ("anonymize", "-k", "Required, here or in the recipe."),
        ("anonymize", "--output", "[required]"),
        ("check", "--quasi-identifiers", "Required, unless a recipe names them."),
        ("measure", "--quasi-identifiers", "Required, unless a recipe names them."),
        ("reproduce", "--out", "[required]"),
        ("inspect", "table", "[required]"),
    ],
)
def test_required_options_say_so(name, flag, words):
    assert words in help_of(name).partition(f" {flag} ")[2]


def test_usual_options_come_first_and_the_rest_has_panels():
    words = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    shown = CliRunner().invoke(app, ["anonymize", "--help"], env=words).stdout
    panels = re.findall(r"╭─ (.+?) ─", shown)
    assert panels[:2] == ["Arguments", "Options"]
    assert {"Columns", "Method", "Promises besides k", "Large tables"} <= set(panels)
    usual = shown[shown.index("─ Options") : shown.index(f"─ {panels[2]}")]
    for flag in ("--output", "--quasi-identifiers", "-k", "--unit", "--others"):
        assert flag in usual
    for flag in ("--seed", "--t ", "--jobs", "--sheet"):
        assert flag in shown and flag not in usual
