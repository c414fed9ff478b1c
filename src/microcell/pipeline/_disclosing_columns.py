"""Columns that are released as they are and give away what is masked beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell._random import ATTACKS, random_generator
from microcell.columns import Marks, is_missing
from microcell.privacy import class_codes
from microcell.recipe import RECORDS, Recipe
from microcell.recognition import KNOWN, exceptions_to, sense_of

RECORDS_COMPARED = 20_000  # records
RECORDS_PROBED = 2_000  # records that refute most pairs
SAID_BUT_FOR = 0.01  # share of records for which a column need not say the masked one
EXCEPTIONS_PROBED = 0.03  # the same, in the probe
SHARE_BY_CHANCE = 0.1  # times the exceptions that there would be by chance
MIN_EXPECTED_EXCEPTIONS = 5  # exceptions by chance; of fewer, nothing is learnt
RECORDS_OF_A_VALUE = 3  # on average; of fewer, any column would say any other
IN_ORDER = 0.999  # rank correlation of numbers from which one says the other


def known_by_name(recipe: Recipe, carried: Sequence[str]) -> dict[str, str]:
    """What is to be decided of columns without a role that others may know."""
    others = recipe.schema.unnamed(carried)
    asked = [n for n in carried if n in (*others, *recipe.schema.kept_by_name)]
    return {
        name: f"{name!r} is released as it is, and is called as what others may know "
        "of people: mask it or leave it out"
        for name in asked
        if name not in recipe.strata and sense_of(name) == KNOWN
    }


def given_away(frame: Any, recipe: Recipe, marks: Marks) -> dict[str, str]:
    """What is to be decided of columns from which a masked one is known.

    The cost is one sort of at most `RECORDS_COMPARED` records for each pair of a column
    that is released as it is and a masked one; few records refute most pairs.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The records that take part, or some of them.
    recipe : Recipe
    marks : Marks
        What stands for a missing value.

    Returns
    -------
    said : dict of str to str
        By the column that is released as it is.
    """
    schema = recipe.schema
    masked = list(schema.quasi_identifiers)
    carried = [n for n in schema.released(frame.columns) if n not in masked]
    said = known_by_name(recipe, carried)
    carried = [name for name in carried if name not in recipe.strata]
    if not carried:
        return said
    if recipe.unit not in (None, RECORDS):  # one record of each person
        unit = str(recipe.unit)
        first = np.unique(_codes(frame[unit], marks), return_index=True)[1]
        frame = frame[np.sort(first).tolist()]
    frame = frame[:: 1 + (len(frame) - 1) // RECORDS_COMPARED]
    hidden = {name: _codes(frame[name], marks) for name in masked}
    for name in carried:
        source = _codes(frame[name], marks)
        known = [
            other
            for other, codes in hidden.items()
            if _follows(source, codes) or _in_order(frame, name, other, source)
        ]
        if known:
            listed = ", ".join(map(repr, known))
            it = "it follows" if len(known) == 1 else "they follow"
            said[name] = (
                f"who knows {name!r} knows {listed} as well: {it} from it; mask it or "
                "leave it out"
            )
    return said


def _codes(series: Any, marks: Marks) -> np.ndarray:
    """A number for each value of a column; -1 is missing."""
    codes = class_codes(series.to_frame().to_native(), [series.name])
    return np.where(is_missing(series, marks), -1, codes)


def _follows(source: np.ndarray, masked: np.ndarray) -> bool:
    """Whether a column says a masked one, for nearly all records and not by chance."""
    there = (source >= 0) & (masked >= 0)
    source, masked = source[there], masked[there]
    if source.size < RECORDS_OF_A_VALUE * np.unique(source).size:
        return False
    if (
        exceptions_to(source[:RECORDS_PROBED], masked[:RECORDS_PROBED])
        > EXCEPTIONS_PROBED
    ):
        return False
    exceptions = exceptions_to(source, masked)
    if exceptions > SAID_BUT_FOR:
        return False
    shuffled = random_generator(0, ATTACKS).permutation(masked)
    by_chance = exceptions_to(source, shuffled)
    enough = by_chance * source.size >= MIN_EXPECTED_EXCEPTIONS
    return bool(enough and exceptions <= SHARE_BY_CHANCE * by_chance)


def _in_order(frame: Any, name: str, masked: str, source: np.ndarray) -> bool:
    """Whether numbers that hardly anybody shares are in the order of masked ones."""
    if source.size >= RECORDS_OF_A_VALUE * np.unique(source).size:
        return False
    ranks = [_ranks(frame[column]) for column in (name, masked)]
    if any(r is None for r in ranks):
        return False
    both = pl.DataFrame({"a": ranks[0], "b": ranks[1]}).drop_nulls()
    if both.height < max(MIN_EXPECTED_EXCEPTIONS, len(frame) // 2):
        return False
    related = both.select(pl.corr("a", "b", method="spearman")).item()
    return related is not None and abs(related) >= IN_ORDER


def _ranks(series: Any) -> pl.Series | None:
    """Numbers and times as numbers; None for all else."""
    values = series.to_frame().to_polars().to_series()
    if values.dtype.is_temporal():
        values = values.to_physical()
    elif series.dtype == nw.String:
        values = values.cast(pl.Float64, strict=False)
        if values.null_count() > values.len() // 2:
            return None
    elif not values.dtype.is_numeric():
        return None
    return values.cast(pl.Float64).fill_nan(None)
