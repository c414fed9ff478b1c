"""Progress on the terminal; nothing when the output is piped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def shown_progress() -> Iterator[Callable[[str], None]]:
    """Show what is being done, and how many records are in cells.

    Yields
    ------
    begin : callable
        Takes the name of the step that begins.
    """
    from microcell._progress import listen

    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task("reading", total=None)

        def begin(step: str) -> None:
            progress.reset(task, total=None, description=step)

        def heard(done: int, total: int | None, step: str) -> None:
            if total is None:
                begin(step)
            else:
                progress.update(task, completed=done, total=total, description=step)

        with listen(heard):
            yield begin
