"""What the command line prints: text, whatever columns are called.

For a terminal it is as wide as that; for a file or a pipe a line stays a line.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from microcell._printable import printable

WHOLE_LINES = 10_000  # letters of a line in a file or a pipe, at most


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


def echo_table(titles: Sequence[str], rows: Iterable[Sequence[str]], name: str) -> None:
    """Print a table: the column of a name and those before it are of words.

    A file or a pipe gets whole lines.
    """
    n_words = titles.index(name) + 1
    table = Table(box=None, pad_edge=False)
    for place, title in enumerate(titles):
        is_word = place < n_words
        side: Literal["left", "right"] = "left" if is_word else "right"
        table.add_column(title, justify=side, no_wrap=is_word)
    for row in rows:
        table.add_row(*row)
    console = TextConsole()
    (console if console.is_terminal else TextConsole(width=WHOLE_LINES)).print(table)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Print for a reader who may be gone: what was asked for is there all the same."""
    try:
        yield
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
