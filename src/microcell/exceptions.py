"""Errors that carry what an interface needs to say them in its own words.

An error is a sentence and a way out. Options in the way out are objects, so that
Python says ``missing='drop'`` and the command line ``--missing drop`` of the same
error, and an app can put it beside the field. Nothing heavy is imported here.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterable, Sequence
from string import Formatter
from typing import Any, NamedTuple

__all__ = [
    "Explained",
    "InputError",
    "Notice",
    "Option",
    "OutputExistsError",
    "ParameterError",
    "PrivacyError",
    "SchemaError",
    "absent_column",
    "column_error",
    "in_python",
    "in_words",
    "nearest_name",
    "say",
    "sentence",
]


class Option(NamedTuple):
    """An option as part of a sentence, alone or with the value to give it.

    Examples
    --------
    >>> in_python(Option("missing", "drop")), in_python(Option("strata"))
    ("missing='drop'", 'strata')
    """

    name: str
    value: Any = None


Words = str | Sequence["str | Option"]
Spelling = Callable[[Option], str]


def in_python(option: Option) -> str:
    """An option as an argument of a Python call."""
    if option.value is None:
        return option.name
    return f"{option.name}={option.value!r}"


def say(words: Words, spell: Callable[[Option], str] = in_python) -> str:
    """A sentence with its options spelt for whoever reads it.

    Examples
    --------
    >>> say(["Leave them out with ", Option("missing", "drop"), "."])
    "Leave them out with missing='drop'."
    """
    if isinstance(words, str):
        return words
    return "".join(w if isinstance(w, str) else spell(w) for w in words)


def sentence(text: str, **parts: str | Option) -> list[str | Option]:
    """Words with options where they stand in braces, alone or with a value.

    Parameters
    ----------
    text : str
        A text of ours: names and values of others come as parts.
    **parts
        What stands for a name in braces that is no option.

    Examples
    --------
    >>> say(sentence("Leave them out with {missing='drop'}, or fill {name}.", name="x"))
    "Leave them out with missing='drop', or fill x."
    """
    words: list[str | Option] = []
    for before, field, *_ in Formatter().parse(text):
        words += [before] if before else []
        if field is not None and field not in parts:
            name, said, value = field.partition("=")
            parts[field] = Option(name, ast.literal_eval(value) if said else None)
        words += [] if field is None else [parts[field]]
    return words


class Notice(str):
    """What the owner should know; whoever shows it may add how to say the way out.

    Examples
    --------
    >>> notice = Notice("'sex' may hold codes", Option("kinds", {"sex": "nominal"}))
    >>> str(notice), notice.render(in_python)
    ("'sex' may hold codes", "'sex' may hold codes (kinds={'sex': 'nominal'})")
    """

    hint: tuple[str | Option, ...]

    def __new__(cls, text: str, *hint: str | Option) -> Notice:
        """A notice, and the way out as options and words between them."""
        made = super().__new__(cls, text)
        made.hint = hint
        return made

    def __getnewargs__(self) -> Any:  # the hint survives another process
        return str(self), *self.hint

    def render(self, spell: Spelling) -> str:
        """The notice with the way out, its options spelt by `spell`."""
        return f"{self} ({say(self.hint, spell)})" if self.hint else str(self)


def in_words(notice: str, spell: Spelling | None = in_python) -> str:
    """A notice as an interface shows it; one without options spells none."""
    return notice.render(spell) if spell and isinstance(notice, Notice) else notice


class Explained(Exception):
    """Base of the errors that say what is wrong and the way out.

    Attributes
    ----------
    words : str or sequence of str and Option
        What is wrong.
    column : str or None
        The column that it is about.
    option : str or None
        The option that it is about.
    hint : str or sequence of str and Option
        The way out.
    """

    def __init__(
        self,
        words: Words,
        *,
        column: str | None = None,
        option: str | None = None,
        hint: Words = "",
    ) -> None:
        self.words = words
        self.column = column
        self.option = option
        self.hint = hint
        super().__init__(self.render(in_python))

    def render(self, spell: Callable[[Option], str]) -> str:
        """The error with its options spelt by `spell`."""
        said = say(self.words, spell), say(self.hint, spell).lstrip()
        return " ".join(filter(None, said))

    def __reduce__(self) -> Any:  # keyword arguments survive another process
        return _again, (type(self), self.words, self.column, self.option, self.hint)


class InputError(Explained, ValueError):
    """Something given is not as it should be."""


class OutputExistsError(Explained, FileExistsError):
    """A file is there already and may not be replaced."""


class ParameterError(InputError):
    """The value of one parameter is not allowed.

    Examples
    --------
    >>> str(ParameterError("k", "must be an integer >= 1. Got 0 instead."))
    "The 'k' parameter must be an integer >= 1. Got 0 instead."
    """

    def __init__(self, name: str, requirement: str, *, hint: Words = "") -> None:
        self.requirement = requirement
        super().__init__(requirement, option=name, hint=hint)

    def render(self, spell: Callable[[Option], str]) -> str:
        """The error with its parameter spelt by `spell`."""
        words = f"The {self.option!r} parameter {self.requirement}"
        if spell is not in_python:
            words = f"{spell(Option(str(self.option)))} {self.requirement}"
        return " ".join(filter(None, (words, say(self.hint, spell).lstrip())))

    def __reduce__(self) -> Any:
        return _same_parameter, (self.option, self.requirement, self.hint)


class SchemaError(InputError):
    """The roles or kinds of a table's columns do not fit the table."""


def nearest_name(name: Any, known: Iterable[Any]) -> str:
    """A guess at what was meant, or nothing; letter case does not count.

    Examples
    --------
    >>> nearest_name("AGEE", ["age", "sex"]), nearest_name("x", ["age", "sex"])
    ("Did you mean 'age'?", '')
    """
    if not isinstance(name, str):
        return ""
    folded = {str(other).casefold(): other for other in known}
    near = difflib.get_close_matches(str(name).casefold(), list(folded), n=1)
    return f"Did you mean {folded[near[0]]!r}?" if near else ""


def column_error(
    name: Any, words: str, hint: Words = "", option: str | None = None
) -> SchemaError:
    """The error of a column that is not as it should be.

    Examples
    --------
    >>> print(column_error("age", "is missing in every record.", "Leave it out."))
    Column 'age' is missing in every record. Leave it out.
    """
    return SchemaError(
        f"Column {name!r} {words}", column=name, option=option, hint=hint
    )


def absent_column(name: str, role: str, columns: Sequence[str]) -> SchemaError:
    """The error for a column that is named but not there.

    Examples
    --------
    >>> print(absent_column("agee", "strata", ["age", "sex"]))
    Column 'agee' (strata) is not in the table. Did you mean 'age'? Its columns are
    ['age', 'sex'].
    """
    hint = f"{nearest_name(name, columns)} Its columns are {list(columns)}.".lstrip()
    return column_error(name, f"({role}) is not in the table.", hint)


class PrivacyError(RuntimeError):
    """A promise failed on the released table, so the release is withheld.

    Attributes
    ----------
    findings : list
        What was promised and what was found.
    """

    def __init__(self, message: str, findings: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.findings = list(findings)


def _again(
    kind: type[Explained], words: Words, column: str, option: str, hint: Words
) -> Explained:
    return kind(words, column=column, option=option, hint=hint)


def _same_parameter(name: str, requirement: str, hint: Words) -> ParameterError:
    return ParameterError(name, requirement, hint=hint)
