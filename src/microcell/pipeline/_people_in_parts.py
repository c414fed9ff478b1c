"""Columns that would name people, in a table that is seen part by part."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from microcell.pipeline._disclosing_columns import known_by_name
from microcell.pipeline._people import (
    Held,
    allowed_first,
    refuse_no_unit,
    repeats_people,
    said_of_released,
    said_of_spelling,
    said_of_unnamed,
)
from microcell.pipeline._sample import COUNT, PERSON, Sample
from microcell.pipeline._table_summary import TableSummary
from microcell.recognition import MIN_PEOPLE, share_alone

if TYPE_CHECKING:
    from microcell.pipeline._task import Task

NUMBERS_AT_ONCE = 20_000_000  # hashes of identifiers in memory
# What is counted of the unit in a part of a table.
NO_UNIT, SPELT_DIFFERENTLY = "no unit", "spelt differently"


def refuse_people(task: Task, summary: TableSummary) -> tuple[list[str], list[str]]:
    """Refuse identifiers that repeat, and columns that name people.

    Counts are those of the values with the least hashes: of a table of more values
    than a sample holds, `sampled_numbers` says which identifiers are to be looked
    through.

    Returns
    -------
    decide, notices : list of str
        What is to be decided of columns that are released as they are, and what is to
        be known of those without a role.
    """
    recipe, notices, said = task.recipe, [], {}
    if task.unit is not None:
        refuse_no_unit(task.unit, summary.counted[NO_UNIT])
        notices += said_of_spelling(task.unit, summary.counted[SPELT_DIFFERENTLY])
    numbered = {n for n in recipe.schema.identifiers if n != recipe.weights}
    unique = [
        name
        for name, sample in summary.names.items()
        if name in numbered and values_of(sample) == summary.n_kept
    ]
    for name, sample in summary.names.items():
        n_known, n_values = sample.n_records, values_of(sample)
        if name in numbered and n_known > n_values:
            estimated = "" if sample.complete else "about "
            raise repeats_people(name, f"{estimated}{n_values}", n_known, unique)
        if name in task.unnamed and summary.n_kept >= MIN_PEOPLE:
            notices += said_of_unnamed(name, n_values, n_known, recipe)
    for name in task.carried:
        sample = summary.names[name]
        found = _share_found(sample, summary.n_people)
        held = Held(sample.frame[name], sample.rows[COUNT].to_numpy(), found)
        said[name] = said_of_released(name, held, recipe)
    beside = known_by_name(recipe, task.carried)
    return allowed_first(said, recipe, beside), notices


def _share_found(sample: Sample, n_people: int) -> float:
    """Share of all people who are alone with a value of theirs."""
    people = sample.rows[COUNT].to_numpy()
    found = share_alone(people) * sample.n_records
    if PERSON in sample.rows.columns and sample.complete:  # some have several values
        found = sample.rows.filter(people == 1)[PERSON].n_unique()
    return min(found / max(n_people, 1), 1.0)


def sampled_numbers(task: Task, summary: TableSummary) -> list[str]:
    """Identifiers with more values than a sample holds: any may repeat unseen."""
    numbered = [n for n in task.recipe.schema.identifiers if n != task.recipe.weights]
    held = [(n, summary.names[n]) for n in numbered if n in summary.names]
    return [name for name, sample in held if not sample.complete]


def refuse_repeats(name: str, files: Sequence[Path]) -> None:
    """Refuse an identifier of which two hashes are equal, in the files of all parts.

    Of a thousand million values that differ, two have one hash with a chance of 3 %.

    Parameters
    ----------
    name : str
    files : sequence of Path
        Hashes in ascending order, as numpy writes them.
    """
    parts = [np.load(file, mmap_mode="r") for file in files]
    n_known = sum(part.size for part in parts)
    n_ranges = -(-n_known // NUMBERS_AT_ONCE)
    ends = [2**64 * place // n_ranges for place in range(1, n_ranges)]
    cuts = [np.searchsorted(part, np.array(ends, dtype=np.uint64)) for part in parts]
    for place in range(n_ranges):
        some = [
            part[slice(*np.concatenate([[0], cut, [part.size]])[place : place + 2])]
            for part, cut in zip(parts, cuts, strict=True)
        ]
        hashes = np.sort(np.concatenate(some))
        if (hashes[1:] == hashes[:-1]).any():
            raise repeats_people(name, f"fewer than {n_known}", n_known)


def values_of(sample: Sample) -> int:
    """How many distinct values a column has, from some of them."""
    counts = sample.rows[COUNT]
    if sample.complete:
        return sample.rows.height
    return round(sample.n_records / float(counts.mean()))  # type: ignore[arg-type]
