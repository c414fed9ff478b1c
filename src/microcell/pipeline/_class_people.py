"""People and records of the classes of a release, side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from microcell.columns import Marks, is_missing
from microcell.pipeline._people import NUMBERED, codes_in
from microcell.privacy import View, people_of
from microcell.recipe import Recipe
from microcell.recognition import (
    HOUSEHOLD_WORDS,
    IDENTIFIER,
    MIN_PEOPLE,
    says,
    sense_of,
)


def said_of_classes(frame: Any, recipe: Recipe, view: View, marks: Marks) -> list[str]:
    """What classes hold beside what k counts, if that may be people or persons.

    Where k counts records, the different values of each identifier of which a value
    repeats; of other columns a notice says whether they may number people. Where it
    counts households, their records.

    Parameters
    ----------
    frame : dataframe
        The original's records that were released, with all of its columns.
    recipe : Recipe
    view : View
        The release.
    marks : Marks
        What stands for a missing value; who has none is somebody else.
    """
    n_records = np.bincount(view.classes)
    if view.classes.size < MIN_PEOPLE:
        return []
    if view.units is not None:
        if not says(view.unit, HOUSEHOLD_WORDS):
            return []
        return [
            f"k counts households, the values of {view.unit!r}: a class holds at least "
            f"{view.counts().sizes.min()} of them, and at least {n_records.min()} "
            "records; if each record is a person, that is the k of persons"
        ]
    said = []
    for name in _numbering(recipe):
        there = ~is_missing(frame[name], marks)
        codes = codes_in(frame, name)
        n_values, n_known = np.unique(codes[there]).size, int(there.sum())
        called = sense_of(name) == IDENTIFIER
        if not (n_known > n_values and (called or n_values >= NUMBERED * n_known)):
            continue
        codes[~there] = codes.max() + 1 + np.arange(len(codes) - n_known)
        numbers = people_of(view.classes, codes, n_records.size)
        said.append(
            f"k counts records, and values of {name!r} repeat ({n_values} for "
            f"{n_known} records): a class holds at least {n_records.min()} records "
            f"and {numbers.min()} different values, fewer than k={recipe.k} of them "
            f"in {np.sum(numbers < recipe.k)} of {numbers.size} classes"
        )
    return said


def _numbering(recipe: Recipe) -> list[str]:
    """Identifiers that may number people: not names, which people share."""
    given = [n for n in recipe.schema.identifiers if n != recipe.weights]
    return [n for n in given if sense_of(n) in (None, IDENTIFIER)]
