"""What the command line prints: text, whatever columns are called.

For a terminal it is as wide as that; for a file or a pipe a line stays a line.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from typing import Any

import typer
from rich.console import Console
from rich.text import Text

from microcell._printable import printable


def echo(line: object) -> None:
    """Print one line."""
    typer.echo(printable(str(line)))


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines of a summary."""
    from microcell.release import folded

    text = printable("\n".join(lines), lines=True)
    if sys.stdout.isatty():
        text = folded(text, shutil.get_terminal_size().columns)
    typer.echo(text)


class TextConsole(Console):
    """A console that reads no markup, emoji or escapes in what it is given."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(printable(text, lines=True), **options)
