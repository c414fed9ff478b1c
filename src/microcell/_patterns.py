"""Shapes of values: what is a number, and what to show instead of a value."""

import itertools
import unicodedata
from typing import Any

# What Python and polars read as a number is more: 1_000, nan, digits of all scripts.
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
WHOLE = r"^[+-]?[0-9]+$"
DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
TIME = r"[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?"
DATE = rf"^{DAY}$"
MOMENT = rf"^{DAY}[T ]{TIME}$"
UTC_MOMENT = rf"^{DAY}[T ]{TIME}(Z|\+00:?00)$"
MAX_EXACT_INTEGER = 2**53  # as a float; a larger one is often a record's number
BEYOND = (
    "holds whole numbers beyond 2**53: does it number the records? Make it an "
    "identifier, declare it nominal, or change the unit."
)

EVERY_COLUMN = "*"  # in place of a column's name: what holds for all of them
MAX_RUN_LENGTH = 5  # of one class of characters: a longer one would tell a length
MAX_PATTERN_LENGTH = 40
CUT = "…"


def pattern_of(value: Any) -> str:
    """The shape of a value: who wrote it recognises it, nobody else learns it.

    Letters become A or a, digits 9, and whatever is no character to be seen becomes
    "?"; spaces, punctuation and signs of currencies stay, because they are what is
    usually wrong. A run of more than five of a kind, and a pattern of more than forty
    characters, is cut, and ends in "…".

    Parameters
    ----------
    value : object
        A value of a record; one that is no text is shown as its text would be.

    Returns
    -------
    pattern : str

    Examples
    --------
    >>> pattern_of("John Smith 35")
    'Aaaa Aaaaa 99'
    >>> pattern_of("12345,67")
    '99999,99'
    >>> pattern_of("Rue de l'Église, 7 €")
    "Aaa aa a'Aaaaaa, 9 €"
    >>> pattern_of("2024-01-01T10:30Z")
    '9999-99-99A99:99A'
    >>> pattern_of("123456789")
    '99999…'
    """
    text = unicodedata.normalize("NFC", str(value)[: 50 * MAX_PATTERN_LENGTH])
    shape = "".join(map(_class_of, text))
    runs = [(mark, len(list(run))) for mark, run in itertools.groupby(shape)]
    pattern = "".join(
        mark * min(n, MAX_RUN_LENGTH) + CUT * (n > MAX_RUN_LENGTH) for mark, n in runs
    )
    if len(pattern) > MAX_PATTERN_LENGTH:
        return pattern[: MAX_PATTERN_LENGTH - 1].rstrip(CUT) + CUT
    return pattern


def place_and_pattern(value: Any, record: int) -> str:
    """Where a value stands that is not as it should be, and its pattern.

    Parameters
    ----------
    value : object
        The value itself is not shown.
    record : int
        Its record, counted from 1; the header of a file is not counted. 0 if it is
        not known.

    Examples
    --------
    >>> place_and_pattern("John Smith 35", 17)
    "a value of the pattern 'Aaaa Aaaaa 99' in record 17"
    >>> place_and_pattern("John Smith 35", 0)
    "a value of the pattern 'Aaaa Aaaaa 99'"
    """
    where = f" in record {record}" if record else ""
    return f"a value of the pattern {pattern_of(value)!r}{where}"


def _class_of(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Lu", "Lt"):
        return "A"
    if category[0] in "LM":
        return "a"
    if category[0] == "N":
        return "9"
    if category == "Zs":
        return " "
    if character.isascii() and character.isprintable():
        return character
    return character if category[0] == "P" or category == "Sc" else "?"
