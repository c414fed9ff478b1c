"""What separates the fields of a text file that does not say it."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from microcell.exceptions import InputError, Option

DELIMITERS = (",", ";", "\t", "|")
DELIMITER_RECORDS = 1000  # records


def detect_delimiter(
    records: Callable[[str], AbstractContextManager[Any]], own: str, name: str | Path
) -> str:
    """The mark by which all records have the header's number of fields.

    Parameters
    ----------
    records : callable
        Opens the file's records, separated by a mark.
    own : str
        The mark that the format is named after, which is taken where none fits: it
        may have one column, or the reader says what is wrong with it.
    name : path
        What the file is called in errors.

    Returns
    -------
    delimiter : str
        The format's own where it gives most fields, or the only one that fits; what
        can be read in two ways is an error.
    """
    widths = {mark: _width(records, mark) for mark in DELIMITERS}
    most = max(widths.values())
    if most < 2:
        return own
    best = [mark for mark, width in widths.items() if width == most]
    if len(best) == 1 and (best == [own] or widths[own] < 2):
        return best[0]
    both = sorted({*best, *([own] if widths[own] > 1 else [])})
    raise InputError(
        f"The fields of {name} can be separated by {' or by '.join(map(repr, both))}.",
        option="delimiter",
        hint=["Name the ", Option("delimiter"), "."],
    )


def _width(records: Callable[[str], AbstractContextManager[Any]], mark: str) -> int:
    """Fields of each of the first records; 0 if they have not all as many."""
    try:
        with records(mark) as reader:
            widths = {
                len(row) for row in itertools.islice(reader, DELIMITER_RECORDS) if row
            }
    except csv.Error:  # a quote that does not close
        return 0
    return widths.pop() if len(widths) == 1 else 0
