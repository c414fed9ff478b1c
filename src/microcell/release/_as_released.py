"""Whether what is released as it is has the values of the original.

Masked columns are not compared: how they came about, a file does not show. Rows of
the two need no common order, so each column is compared by how often it has a value.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from microcell.columns import ConfidentialReading
from microcell.io import Source
from microcell.pipeline import confidential_reading
from microcell.privacy import Finding
from microcell.recipe import Recipe
from microcell.release._alignment import Pair, comparable
from microcell.release._prepared import prepare_for

BESIDE_ORIGINAL = "compared with the original"


def compared_with(
    source: Source, frame: pl.DataFrame, recipe: Recipe
) -> tuple[list[Finding], list[str]]:
    """The number of records of a file, and its columns that were released as they are.

    Parameters
    ----------
    source : Source
        The original.
    frame : polars.DataFrame
        The file.
    recipe : Recipe
        By which it was made of the original.

    Returns
    -------
    findings : list of Finding
        Of records how many there are; of a column how many values are in both.
    not_compared : list of str
        Columns whose types differ, so that nothing was compared.
    """
    if recipe.plan.capabilities.differentially_private:  # columns are drawn anew
        return [], []
    before = source.frame
    if recipe.missing == "drop":
        as_text = source.format is not None and not source.format.typed
        prepared, _ = prepare_for(before, recipe, recipe.schema, as_text)
        before = prepared.frame.to_polars()
    findings = [_found("number of records", before.height, frame.height)]
    masked = recipe.schema.quasi_identifiers
    joined = recipe.strata if recipe.small_strata == "merge" else ()
    reading = confidential_reading(recipe)
    hidden = []
    for name in recipe.schema.released(before.columns):
        if name in masked or name in joined:
            continue
        if name not in frame.columns:
            findings.append(_found(f"column {name!r}, as it was", before.height, 0))
            continue
        of_column = reading._replace(names=(name,), kinds={})
        common = _in_common(before.select(name), frame.select(name), of_column)
        if common is None:
            hidden.append(f"column {name!r}: its type is not that of the original")
        else:
            findings.append(
                _found(f"column {name!r}, as it was", before.height, common)
            )
    return findings, hidden


def _found(what: str, promised: int, found: int) -> Finding:
    return Finding(what, promised, found, abs(promised - found), BESIDE_ORIGINAL)


def _in_common(
    before: pl.DataFrame, after: pl.DataFrame, reading: ConfidentialReading
) -> int | None:
    """Values that two columns share, each as often as both have it; None if unlike.

    As they stand, or as what their text stands for, whichever is more: a typed file
    may hold numbers where the original has text.
    """
    read = [_column(reading.read(table), reading) for table in (before, after)]
    pairs = [comparable(_column(before), _column(after)), comparable(*read)]
    return max((_shared(pair) for pair in pairs if pair is not None), default=None)


def _column(table: Any, reading: ConfidentialReading | None = None) -> pl.Series:
    series: pl.Series = table.to_series()
    if reading is not None and series.dtype == pl.String:
        series = series.replace(list(reading.marks), None)
    return series


def _shared(pair: Pair) -> int:
    first, second = (series.alias("value").value_counts() for series in pair)
    both = first.join(second, on="value", nulls_equal=True)
    return int(both.select(pl.min_horizontal("count", "count_right").sum()).item())
