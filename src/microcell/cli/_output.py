"""What the command line prints: names of columns may be anything, and are only text."""

from __future__ import annotations

from typing import Any

import typer
from rich.console import Console
from rich.text import Text

from microcell._printable import printable


def echo(line: object = "") -> None:
    """Print one line."""
    typer.echo(printable(str(line)))


class TextConsole(Console):
    """A console that reads no markup, emoji or escapes in what it is given."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(printable(text, lines=True), **options)
