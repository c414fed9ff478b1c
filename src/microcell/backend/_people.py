"""Columns that would name people, in a table that is seen part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microcell.backend._lesson import Lesson
from microcell.backend._sample import COUNT, Sample
from microcell.recognition import FEW, share_alone
from microcell.release._people import (
    Held,
    allowed_first,
    repeats_people,
    said_of_released,
    said_of_unnamed,
)

if TYPE_CHECKING:
    from microcell.backend._task import Task


def refuse_people(task: Task, lesson: Lesson) -> tuple[list[str], list[str]]:
    """Refuse identifiers that repeat, and columns that name people.

    Counts are those of the values with the least hashes, so that a table of more
    values than a sample holds may hide that very few of an identifier repeat.

    Returns
    -------
    decide, notices : list of str
        What is to be decided of columns that are released as they are, and what is to
        be known of those without a role.
    """
    recipe, notices, said = task.recipe, [], {}
    numbered = {n for n in recipe.schema.identifiers if n != recipe.weights}
    unique = [
        name
        for name, sample in lesson.names.items()
        if name in numbered and values_of(sample) == lesson.n_kept
    ]
    for name, sample in lesson.names.items():
        n_known, n_values = sample.n_records, values_of(sample)
        if name in numbered and n_known > n_values:
            estimated = "about " if sample.rows.height == sample.size else ""
            raise repeats_people(name, f"{estimated}{n_values}", n_known, unique)
        if name in task.unnamed and lesson.n_kept >= FEW:
            notices += said_of_unnamed(name, n_values, n_known, recipe)
    for name in task.carried:
        sample = lesson.names[name]
        people = sample.rows[COUNT].to_numpy()
        found = share_alone(people) * sample.n_records / max(lesson.n_kept, 1)
        held = Held(sample.frame[name], people, found)
        said[name] = said_of_released(name, held, recipe)
    return allowed_first(said, recipe), notices


def values_of(sample: Sample) -> int:
    """How many distinct values a column has, from some of them."""
    counts = sample.rows[COUNT]
    if sample.rows.height < sample.size:
        return sample.rows.height
    return round(sample.n_records / float(counts.mean()))  # type: ignore[arg-type]
