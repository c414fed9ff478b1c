"""What the owner should know of columns of numbers, and of a release that says little.

Of columns: codes, and marks of the missing. Nothing is assumed: a column of codes is
masked as the numbers that it holds, and a -999 is a number, until somebody says
otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microcell.exceptions import Notice, Option
from microcell.recipe import Recipe
from microcell.recognition import (
    CLASSIFICATION_WORDS,
    MIN_PEOPLE,
    SIZE_WORDS,
    says,
)

if TYPE_CHECKING:
    from microcell.pipeline._order_statistics import SampledRecords

MIN_CODED_NUMBERS, MAX_CODED_NUMBERS = 3, 10  # distinct whole numbers that may be codes
RECORDS_PER_CODE = 5  # on average
MIN_MARKED_RECORDS = 2  # records; of fewer, a value would be somebody's
APART = 3  # times the largest gap between other values
REACH = 10  # times as far from zero as a negative mark
A_SIZE = 9  # which is a number of people as well
NINES = 10.0 ** np.arange(1, 16) - 1  # 9, 99, 999, ...
USUAL_MARKS = np.array([*-NINES[::-1], -8, -1, *NINES])


class Notices(NamedTuple):
    """What the owner should know, in the order in which it is said."""

    source: Sequence[str] = ()
    people: Sequence[str] = ()
    weights: Sequence[str] = ()
    plans: Sequence[str] = ()
    disclosure: Sequence[str] = ()
    text: Sequence[str] = ()
    columns: Sequence[str] = ()
    codes: Sequence[str] = ()
    confidential: Sequence[str] = ()
    marks: Sequence[str] = ()


MAX_SHARE_LOST = 0.9  # of the variation; beyond, a release says next to nothing


def hardly_anything_left(
    cells: Sequence[int], loss: float | None, n_records: int
) -> list[str]:
    """What is to be decided of a release that keeps its promises by saying nothing.

    Parameters
    ----------
    cells : sequence of int
        Number of cells in each block of columns.
    loss : float or None
        Share of the variation that was lost, where it was measured.
    n_records : int
        Of so few that scores are withheld, the loss is not told.

    Examples
    --------
    >>> print(*hardly_anything_left([1], 1.0, 200))
    all records are in one cell: nothing tells them apart any more; lower k, ...
    >>> hardly_anything_left([40], 0.3, 200)
    []
    """
    ways_out = "; lower k, weaken the promises or mask fewer columns"
    if all(number == 1 for number in cells) and loss != 0:
        one = "all records are in one cell: nothing tells them apart any more"
        return [one + ways_out]
    if loss is not None and loss > MAX_SHARE_LOST and n_records >= MIN_PEOPLE:
        return [f"{100 * loss:.0f} % of what the masked columns say is lost{ways_out}"]
    return []


def said_of_recipe(recipe: Recipe) -> list[str]:
    """What is to be decided of what a recipe sets, whatever the table."""
    decide = []
    if recipe.random_state is not None:
        decide.append(
            "the recipe sets a seed: whoever has it can undo the noise; leave it out, "
            "or keep the recipe to yourself"
        )
    if recipe.order == "keep":
        decide.append(
            "rows are in the order of the source: whoever has a table in that order "
            "can lay them side by side; leave the order out, or be sure nobody has one"
        )
    return decide


def codes_as_numbers(
    encoders: Sequence[Any], records: SampledRecords, recipe: Recipe
) -> list[str]:
    """Notices on columns of few distinct whole numbers that nobody declared."""
    notices: list[str] = []
    for encoder, column in zip(encoders, records.X.T, strict=True):
        there = ~np.isnan(column)
        values = column[there]
        if not encoder.numbers or encoder.name in recipe.schema.kinds:
            continue
        if not (values == np.rint(values)).all():
            continue
        n_values = np.unique(values).size
        few = MIN_CODED_NUMBERS <= n_values <= MAX_CODED_NUMBERS
        often = records.counts[there].sum() >= RECORDS_PER_CODE * n_values
        name = encoder.name
        ways_out = (
            Option("kinds", {name: "nominal"}),
            " or ",
            Option("kinds", {name: "numeric"}),
        )
        if says(name, CLASSIFICATION_WORDS):
            notices.append(
                Notice(
                    f"column {name!r} is called as codes of a classification are, and "
                    "is masked as a number: declare it nominal, or numeric if it is "
                    "one",
                    *ways_out,
                )
            )
        elif few and often:
            notices.append(
                Notice(
                    f"column {name!r} holds {n_values} distinct whole numbers and is "
                    "masked as a number; if they are codes, declare it nominal or "
                    "give its order; if not, numeric says so",
                    *ways_out,
                )
            )
    return notices


def likely_missing(
    encoders: Sequence[Any], records: SampledRecords, k: int
) -> list[str]:
    """Notices on extreme numbers that look like marks of missing values.

    One that fewer than k people have is not told: it may be somebody's.
    """
    notices: list[str] = []
    about = "" if records.complete else "at least "
    for encoder, column in zip(encoders, records.X.T, strict=True):
        if not encoder.numbers:
            continue
        name = encoder.name
        there = ~np.isnan(column)
        for mark, count in proposed_marks(column[there], name, records.counts[there]):
            marked = column == mark
            n_people = count
            if records.people is not None:
                n_people = np.unique(records.people[marked]).size
            if n_people < k:
                notices.append(
                    Notice(
                        f"column {name!r} holds an extreme value that may mark missing "
                        f"ones, of fewer than {k} people; if it does, name it as a "
                        "mark of the missing",
                        Option("missing_marks"),
                    )
                )
                continue
            notices.append(
                Notice(
                    f"column {name!r} holds {mark} in {about}{count} records, apart "
                    "from its other values, and takes it for a number; if it marks a "
                    "missing value, name it as one",
                    Option("missing_marks", {name: [mark]}),
                )
            )
    return notices


def proposed_marks(
    values: np.ndarray, name: str = "", records: np.ndarray | None = None
) -> list[tuple[int, int]]:
    """Whole numbers that may mark missing values, each with its number of records.

    Nines (9, 99, -9, -99, ...), -1 and -8 are looked at if at least two records have
    them and they lie below or above all other values. They stand apart if the gap is
    three times the largest between other values and half of their range. Negative
    ones below numbers that are not need only the gap, or that those are whole and
    reach ten times as far. Nine people or things may be.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
    name : str
        What the column is called.
    records : ndarray of shape (n_samples,), optional
        How often each occurs; by default once.

    Examples
    --------
    >>> ages = np.array([18.0, 25, 31, 40, 47, 55, 62, 70])
    >>> proposed_marks(np.append(ages, [999, 999]))
    [(999, 2)]
    >>> proposed_marks(np.append(ages, [80, 88, 93, 99, 99]))
    []
    """
    if not values.size or not np.isin([values.min(), values.max()], USUAL_MARKS).any():
        return []  # the least and the greatest are none, so none lies outside
    distinct, which = np.unique(values, return_inverse=True)
    return marks_among(distinct, np.bincount(which, records).astype(int), name)


def marks_among(
    distinct: np.ndarray, counts: np.ndarray, name: str = ""
) -> list[tuple[int, int]]:
    """The same of distinct values in ascending order, and their numbers of records."""
    looked_at = np.isin(distinct, USUAL_MARKS)
    rest = distinct[~looked_at]
    if rest.size < 2:
        return []
    outside = (distinct < rest[0]) | (distinct > rest[-1])
    chosen = looked_at & outside & (counts >= MIN_MARKED_RECORDS)
    return [
        (int(value), int(count))
        for value, count in zip(distinct[chosen], counts[chosen], strict=True)
        if _stands_apart(value, rest)
        and not (value == A_SIZE and says(name, SIZE_WORDS))
    ]


def _stands_apart(value: float, rest: np.ndarray) -> bool:
    gap = rest[0] - value if value < rest[0] else value - rest[-1]
    far = gap >= APART * np.diff(rest).max()
    if value < 0 <= rest[0]:
        whole = (rest == np.rint(rest)).all()
        return bool(far or (whole and rest[-1] >= REACH * abs(value)))
    return bool(far and 2 * gap >= rest[-1] - rest[0])
