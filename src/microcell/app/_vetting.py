"""What a browser may say in a recipe: names and numbers, nothing that runs or reads.

A recipe of a program may name a function to import, files anywhere and a seed. One that
comes through the page may not: what it says is data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from microcell.exceptions import InputError, ParameterError

MAX_DRAFT_SIZE = 4_000_000  # characters and values, all together
MAX_TEXT_CHARACTERS = 10_000  # characters of one text
MAX_DRAFT_NUMBER = 10**18
MAX_DRAFT_DEPTH = 8  # tables in tables

SEED_REFUSED = (
    "A seed would stand in the recipe, and whoever has it can undo the noise of the "
    "release."
)


def vet(
    entries: Mapping[str, Any], allowed_path: Callable[[str], Path]
) -> dict[str, Any]:
    """Options of a recipe that came from outside, or an error that says what is wrong.

    Whether they are a recipe is for `Recipe.of` to say.

    Parameters
    ----------
    entries : mapping
        Options by name, as plain data.
    allowed_path : callable
        Gives the file that a text stands for, or raises an `InputError`.

    Returns
    -------
    entries : dict
        The same, with the paths that are allowed.

    Examples
    --------
    >>> vet({"k": 5, "method": "mdav"}, Path)
    {'k': 5, 'method': 'mdav'}
    >>> vet({"k": 5, "method": "os:system"}, Path)
    Traceback (most recent call last):
    ...
    microcell.exceptions.ParameterError: The 'method' parameter must be one of ...
    """
    from microcell.recipe import OPTIONS, check_key, with_files

    if not isinstance(entries, Mapping):
        raise InputError("A draft is a table of options by name.")
    check_plain(entries)
    for name in entries:
        check_key(name, OPTIONS, "The recipe")
    _check_method(entries)
    _check_seed(entries)
    return with_files(entries, lambda source: str(allowed_path(source)))


def _check_method(entries: Mapping[str, Any]) -> None:
    from microcell._default_method import DEFAULT_METHOD
    from microcell.methods import METHODS

    method = entries.get("method", DEFAULT_METHOD)
    if not isinstance(method, str) or method not in METHODS:
        raise ParameterError(
            "method",
            f"must be one of {list(METHODS)}. Got {method!r} instead.",
            hint="Methods of your own can be used in Python and on the command line.",
        )


def _check_seed(entries: Mapping[str, Any]) -> None:
    from microcell.recipe import SEED_NAMES

    own = entries.get("parameters")
    named = [*SEED_NAMES & own.keys()] if isinstance(own, Mapping) else []
    if entries.get("random_state") is not None or named:
        raise InputError(SEED_REFUSED, option="random_state", hint="Leave it out.")


def check_plain(entries: Mapping[str, Any]) -> None:
    """Refuse what is no plain data, or more of it than a recipe has.

    What passes can be kept and shown, be it a recipe or not.

    Examples
    --------
    >>> check_plain({"k": 5, "clip": {"age": [18, None]}})
    """
    size = 0
    todo: list[tuple[int, Any]] = [(0, entries)]
    while todo:
        depth, value = todo.pop()
        if depth > MAX_DRAFT_DEPTH:
            raise InputError("The recipe is nested too deeply.")
        size += 1
        if isinstance(value, str):
            size += _check_text(value)
        elif isinstance(value, Mapping):
            todo += [(depth + 1, each) for pair in value.items() for each in pair]
        elif isinstance(value, (list, tuple)):
            todo += [(depth + 1, each) for each in value]
        elif isinstance(value, float) and not math.isfinite(value):
            raise InputError(f"A number in a recipe is finite. Got {value!r}.")
        elif isinstance(value, int) and abs(value) > MAX_DRAFT_NUMBER:
            raise InputError("A number in the recipe is too large.")
        elif not (value is None or isinstance(value, (bool, int, float))):
            kind = type(value).__name__
            raise InputError(
                f"A recipe holds texts, numbers and tables of them here. Got a {kind}.",
                hint="Write it in quotes.",
            )
        if size > MAX_DRAFT_SIZE:
            raise InputError(
                "The recipe holds too much for the page.",
                hint="Put what is long into a file, as a hierarchy can be, or use the "
                "command line.",
            )


def _check_text(text: str) -> int:
    """Refuse a text that no file can hold; how long it is."""
    if len(text) > MAX_TEXT_CHARACTERS:
        raise InputError(
            f"A text in the recipe has {len(text)} characters, more than "
            f"{MAX_TEXT_CHARACTERS}: {text[:20]!r}..."
        )
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InputError(f"A text in the recipe is no text: {text!r}.")
    return len(text)
