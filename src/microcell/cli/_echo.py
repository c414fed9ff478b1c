"""Text for a terminal is as wide as it; for a file or a pipe a line stays a line."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable

import typer


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines of a summary."""
    from microcell.release._summary import folded

    text = "\n".join(lines)
    if sys.stdout.isatty():
        text = folded(text, shutil.get_terminal_size().columns)
    typer.echo(text)
