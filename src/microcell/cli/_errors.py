"""What the command line says and returns when something is wrong.

0 done; 2 bad input, nothing written; 3 a promise failed, nothing written;
130 and 143 interrupted, with a line that says what is there.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperGroup

from microcell._interrupts import interrupted_message, partial, written
from microcell._unexplained import of_a_reader, plain_words, without_values
from microcell.cli._options import flag
from microcell.cli._output import TextConsole
from microcell.exceptions import Explained, Option, PrivacyError
from microcell.release._recipe import OPTIONS

BAD_INPUT, PROMISE_FAILED = 2, 3
# flags of commands alone
OWN = (
    "output", "overwrite", "recipe", "allow_import", "certificate", "aligned",
    "report", "purpose", "author",
    "methods", "grid", "label", "x", "y", "jobs",
    "least", "highest", "where", "candidates",
    "port", "host", "name", "folder", "key", "password_file", "upload_limit",
)  # fmt: skip
SPELT = {  # as Python names them
    "n_jobs": "jobs",
    "n_candidates": "candidates",
    "trusted": "allow_import",
}
INTERRUPTED = 130


class ReportingGroup(TyperGroup):
    """Turns the library's errors into a message and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        written.clear()
        partial.clear()
        try:
            return super().invoke(ctx)
        except PrivacyError as error:
            _say(f"{error} Nothing was written.")
            raise typer.Exit(PROMISE_FAILED) from None
        except BrokenPipeError:  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except Explained as error:
            _say(error.render(as_flag))
            raise typer.Exit(BAD_INPUT) from None
        except (ValueError, TypeError, OSError, ImportError) as error:
            _say(plain_words(error))
            raise typer.Exit(BAD_INPUT) from None
        except Exception as error:
            if not of_a_reader(error):
                raise
            _say(without_values(error))
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            _say(interrupted_message())
            raise typer.Exit(INTERRUPTED) from None


def as_flag(option: Option) -> str:
    """An option as the command line spells it.

    Examples
    --------
    >>> as_flag(Option("missing", "drop")), as_flag(Option("quasi_identifiers"))
    ('--missing drop', '--quasi-identifiers')
    >>> as_flag(Option("gamma")), as_flag(Option("overwrite", True))
    ('--parameter gamma', '--overwrite')
    >>> print(as_flag(Option("epsilon", 1.0)), as_flag(Option("bounds", {"a": [0, 9]})))
    --parameter epsilon=1.0 --parameter 'bounds={"a": [0, 9]}'
    >>> as_flag(Option("dates", {"born": "%d/%m/%Y"}))
    '--date born=%d/%m/%Y'
    >>> as_flag(Option("representatives", {"age": "set"}))
    '--representative age=set'
    """
    option = option._replace(name=SPELT.get(option.name, option.name))
    value = option.value
    words = value if isinstance(value, str) else ""
    if isinstance(value, (list, tuple)):
        words = ",".join(map(str, value))
    elif isinstance(value, Mapping):
        pairs = [f"{name}={of_it}" for name, of_it in value.items()]
        words = " ".join(f"'{pair}'" if " " in pair else pair for pair in pairs)
    if option.name not in OPTIONS and option.name not in OWN:  # the method's own
        return _as_parameter(option)
    return " ".join(filter(None, (flag(option.name), words)))


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
