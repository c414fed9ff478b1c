"""What the command line says and returns when something is wrong.

0 done; 2 bad input, nothing written; 3 a promise failed, nothing written;
4 of what a recipe promises, nothing could be checked;
130 and 143 interrupted, with a line that says what is there.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

import typer
from typer.core import TyperGroup

from microcell import _interrupts
from microcell._unexplained import of_a_reader, plain_words, without_values
from microcell.cli._echo import TextConsole
from microcell.cli._options import SHORT_PROMISES
from microcell.exceptions import Explained, Option, PrivacyError

BAD_INPUT, PROMISE_FAILED, NOTHING_CHECKED = 2, 3, 4
# Commands with options that others may name, and options as Python names them.
OWNERS = ("anonymize", "measure", "compare", "tune", "app")
SPELT = {"n_jobs": "jobs", "n_candidates": "candidates", "trusted": "allow_import"}
INTERRUPTED = 130


class ReportingGroup(TyperGroup):
    """Turns the library's errors into a message and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        _interrupts.written.clear()
        _interrupts.partial.clear()
        try:
            return super().invoke(ctx)
        except PrivacyError as error:
            _say(f"{error} Nothing was written.")
            raise typer.Exit(PROMISE_FAILED) from None
        except BrokenPipeError:  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except Explained as error:
            spell = partial(as_flag, group=self, command=str(ctx.invoked_subcommand))
            _say(error.render(spell))
            raise typer.Exit(BAD_INPUT) from None
        except Exception as error:
            if of_a_reader(error):  # some of which are ValueErrors
                _say(without_values(error))
            elif isinstance(error, (ValueError, TypeError, OSError, ImportError)):
                _say(plain_words(error))
            else:
                raise
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            _say(_interrupts.interrupted_message())
            raise typer.Exit(INTERRUPTED) from None


def as_flag(option: Option, group: Any = None, command: str = "anonymize") -> str:
    """An option as the command line spells it.

    Parameters
    ----------
    option : Option
    group : Command, optional
        The commands; by default those of the application.
    command : str
        The one that says it. An option that it lacks is said with one that has it.

    Examples
    --------
    >>> as_flag(Option("missing", "drop")), as_flag(Option("quasi_identifiers"))
    ('--missing drop', '--quasi-identifiers')
    >>> as_flag(Option("gamma")), as_flag(Option("overwrite", True))
    ('--parameter gamma', '--overwrite')
    >>> as_flag(Option("alpha"))
    '--parameter alpha'
    >>> as_flag(Option("engine", "disk")), as_flag(Option("order"), command="measure")
    ('--engine disk', '--order (of anonymize)')
    >>> print(as_flag(Option("epsilon", 1.0)), as_flag(Option("bounds", {"a": [0, 9]})))
    --parameter epsilon=1.0 --parameter 'bounds={"a": [0, 9]}'
    >>> as_flag(Option("dates", {"born": "%d/%m/%Y"}))
    '--date born=%d/%m/%Y'
    >>> as_flag(Option("representatives", {"age": "set"}))
    '--representative age=set'
    >>> as_flag(Option("missing_marks", {"age": [999]}))
    '--missing-mark age=999'
    """
    if group is None:
        from microcell.cli._app import app

        group = typer.main.get_command(app)
    flags = {name: _flags_of(known) for name, known in group.commands.items()}
    name = SPELT.get(option.name, option.name)
    owners = [owner for owner in (command, *OWNERS) if name in flags[owner]]
    if owners and name not in SHORT_PROMISES:  # lda-mdav has an alpha of its own
        owner = owners[0]
        said = " ".join(filter(None, (flags[owner][name], _words_of(option.value))))
    else:  # the method's own
        owner = command if "parameters" in flags[command] else OWNERS[0]
        said = _as_parameter(option)
    return said if owner == command else f"{said} (of {owner})"


def _flags_of(command: Any) -> dict[str, str]:
    """The flags of a command, the long ones where there are two."""
    options = [p for p in command.params if p.param_type_name == "option"]
    return {p.name: p.opts[0] for p in options}


def _words_of(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    if isinstance(value, Mapping):
        pairs = [
            f"{name}={each}"
            for name, of_it in value.items()
            for each in (of_it if isinstance(of_it, list) else [of_it])
        ]
        return " ".join(f"'{pair}'" if " " in pair else pair for pair in pairs)
    return value if isinstance(value, str) else ""


def _as_parameter(option: Option) -> str:
    if option.value is None:
        return f"--parameter {option.name}"
    value = option.value
    said = value if isinstance(value, str) else json.dumps(value)
    return f"--parameter {shlex.quote(f'{option.name}={said}')}"


def _say(message: str) -> None:
    console = TextConsole(stderr=True, soft_wrap=True)
    console.print("error:", style="bold red", end=" ")
    console.print(message)
