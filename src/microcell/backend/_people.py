"""Columns that would name people, in a table that is seen part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microcell.backend._lesson import Lesson
from microcell.backend._sample import COUNT, Sample
from microcell.release._people import (
    FEW,
    REPEATS,
    SINGLES,
    names_people,
    repeats_people,
)

if TYPE_CHECKING:
    from microcell.backend._task import Task


def refuse_people(task: Task, lesson: Lesson) -> list[str]:
    """Refuse identifiers that repeat, and columns without a role that name people.

    Numbers of distinct values are estimated from those with the least hashes.

    Returns
    -------
    notices : list of str
    """
    notices = []
    schema = task.recipe.schema
    for name, sample in lesson.names.items():
        n_known = sample.n_records
        if not n_known:
            continue
        if name in schema.identifiers:
            if name == task.recipe.weights:
                continue
            per_value = records_per_value(sample)
            if per_value >= REPEATS:
                raise repeats_people(name, per_value)
            if per_value > 1:
                n_values = round(n_known / per_value)
                notices.append(
                    f"the identifier {name!r} has about {n_values} values for "
                    f"{n_known} records; k counts records"
                )
        elif lesson.n_kept >= FEW:
            counts = sample.rows[COUNT].to_numpy()
            singles = float((counts == 1).sum() / counts.sum())
            if singles >= SINGLES:
                raise names_people(name, singles, "records")
    return notices


def records_per_value(sample: Sample) -> float:
    """How many records a value has on average, from some of the values."""
    return float(sample.rows[COUNT].mean())  # type: ignore[arg-type]
