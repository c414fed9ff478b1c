"""What the page says when something is wrong: the library's sentence, nothing else."""

from __future__ import annotations

import json
from typing import Any

from microcell._unexplained import of_a_reader, plain_words, without_values
from microcell.exceptions import Explained, InputError, Option, PrivacyError

NO_MEMORY = "There is not enough memory for this table."


class Refused(InputError):
    """A request that is not carried out, with the status to answer it by."""

    def __init__(self, words: str, *, status: int = 400, **more: Any) -> None:
        super().__init__(words, **more)
        self.status = status


def error_of(error: BaseException) -> dict[str, Any]:
    """An error as the page is told of it.

    Returns
    -------
    said : dict
        The message, and the option and the column that it is about, or None; and the
        ways out that are one change of the draft each.

    Examples
    --------
    >>> hint = ["Leave them out with ", Option("missing", "drop"), "."]
    >>> error_of(InputError("Column 'age' has gaps.", column="age", hint=hint))
    {'message': 'Column \\'age\\' has gaps. Leave them out with missing = "drop".',
     'option': None, 'column': 'age', 'ways': [{'option': 'missing', 'value': 'drop'}]}
    >>> error_of(KeyError("Mary Smith"))["message"].startswith("Something went wrong")
    True
    """
    option = column = None
    if isinstance(error, Explained):
        message = error.render(as_in_recipe)
        option, column = error.option, error.column
    elif isinstance(error, PrivacyError):
        message = f"{error} Nothing was released."
    elif isinstance(error, MemoryError):
        message = NO_MEMORY
    elif of_a_reader(error):
        message = without_values(error)
    elif isinstance(error, OSError) and error.strerror:
        message = plain_words(error)
    elif type(error) in (ValueError, TypeError, ImportError, *_SAID):
        message = str(error)
    else:
        message = _unexpected(error)
    said = {"message": message, "option": option, "column": column}
    ways = ways_of(error) if isinstance(error, Explained) else []
    return said | {"ways": ways} if ways else said


_SAID = (FileNotFoundError, IsADirectoryError, NotADirectoryError, OSError)


REPAIRING = (
    "missing", "unit", "small_strata", "decimal", "dates", "kinds", "enforce",
    "allow_unique",
)  # fmt: skip


def ways_of(error: Explained) -> list[dict[str, Any]]:
    """What an error proposes to change in the draft, at one click.

    Examples
    --------
    >>> hint = ["Say ", Option("unit", "home"), ", or name it in ", Option("strata")]
    >>> ways_of(InputError("It repeats.", hint=hint))
    [{'option': 'unit', 'value': 'home'}]
    """
    words = [] if isinstance(error.hint, str) else error.hint
    return [
        {"option": word.name, "value": word.value}
        for word in words
        if isinstance(word, Option)
        and word.name in REPAIRING
        and word.value is not None
    ]


def as_in_recipe(option: Option) -> str:
    """An option as the recipe beside it has it.

    Examples
    --------
    >>> as_in_recipe(Option("missing", "drop")), as_in_recipe(Option("strata"))
    ('missing = "drop"', "'strata'")
    """
    if option.value is None:
        return repr(option.name)
    return f"{option.name} = {json.dumps(option.value, default=str)}"


def _unexpected(error: BaseException) -> str:
    """A fault of ours: where it is, and nothing that may be a value of a record."""
    place, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if "microcell" in file:
            name = file.replace("\\", "/").rpartition("microcell/")[2]
            place = f" in {name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return (
        f"Something went wrong that should not have ({type(error).__name__}{place}). "
        "Nothing was released. Please tell the makers of microcell."
    )
