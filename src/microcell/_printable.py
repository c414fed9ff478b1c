"""Names of columns as text that steers no terminal and turns no line round."""

from __future__ import annotations

import unicodedata
from typing import Any

STEERING = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, marks of direction, ends of lines
JOINERS = "\u200c\u200d"  # which words and emoji are written with


def printable(text: str, *, lines: bool = False) -> str:
    """A text with what steers a terminal or a page spelt out.

    Parameters
    ----------
    text : str
    lines : bool, default=False
        Whether it may have several lines.

    Examples
    --------
    >>> print(printable("a\\x1b[31m"), printable("kept\\nfound"), printable("größe ☺"))
    a\\x1b[31m kept\\nfound größe ☺
    """
    if text.isprintable():
        return text
    kept = JOINERS + "\n\t" * lines
    return "".join(
        c.encode("unicode_escape").decode()
        if unicodedata.category(c) in STEERING and c not in kept
        else c
        for c in text
    )


def printable_value(value: Any) -> Any:
    """What a template shows; markup of our own stays as it is."""
    plain = isinstance(value, str) and not hasattr(value, "__html__")
    return printable(value, lines=True) if plain else value
