"""Progress on the terminal; nothing when the output is piped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def progress_bar(*columns: Any) -> Iterator[Callable[..., None]]:
    """A bar on the terminal.

    Yields
    ------
    heard : callable
        Takes how much is done, of how much (None where nobody knows), and the step.
    """
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("reading", total=None)

        def heard(done: int, total: int | None, step: str) -> None:
            if total is None:
                bar.reset(task, total=None, description=step)
            else:
                bar.update(task, completed=done, total=total, description=step)

        yield heard


@contextmanager
def shown_progress() -> Iterator[None]:
    """Show what is being done, and how many records are in cells."""
    from microcell._progress import listen

    percentage = TextColumn("{task.percentage:>3.0f}%")
    with progress_bar(percentage, TimeRemainingColumn()) as heard, listen(heard):
        yield
