"""Each option of a release, said once.

An option is a field of a dataclass that carries its section in the recipe file, its
choices, its check, how a command line gives it, and where it does not go. The docstring
of the class explains it; the first sentence is its help. Checks, the layout of the
recipe, the options of the command line and of the app, and what is refused on parts of
a table or beside differential privacy follow from it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from microcell._docstrings import described
from microcell._validation import check_choice, check_count
from microcell.exceptions import InputError, Option, ParameterError, sentence

Given = ParamSpec("Given")
Made = TypeVar("Made")
PANELS = {  # of a help, by section of the recipe
    "roles": "Columns",
    "columns": "Columns",
    "method": "Method",
    "promises": "Promises besides k",
    "records": "Records and people",
    "measures": "Method",
    "file": "How files are read and written",
}
ANY = None  # value of an option goes with differential privacy


class Whole(NamedTuple):
    """Why an option needs the table as a whole.

    Attributes
    ----------
    why : str
        What the option does, as the end of a sentence that begins with it.
    way : str
        What to do instead.
    but : tuple
        Values that do without; the default always does.
    """

    why: str
    way: str = ""
    but: tuple[Any, ...] = ()


def as_it_is(owner: Any, value: Any) -> Any:
    """The check of an option that has nothing to check."""
    return value


@dataclass(frozen=True)
class OptionSpec:
    """What is said of an option.

    Attributes
    ----------
    section : str
        Table of the recipe file that holds it; empty, if others hold its parts.
    help : str
        One sentence for whoever asks: the first that the docstring says of it.
    choices : tuple of str
        The values it may take; any, if empty.
    check : callable, optional
        ``check(recipe, value)`` gives the value as the recipe keeps it, or says what
        is wrong with it. Options that were said before it are checked.
    needs : (str, object), optional
        The option that any value but the default needs, and its value; None for any
        that says something.
    least : int
        The least number of a count.
    form : str
        How a command line gives it: "text", "count", "names" (several), "pairs"
        (NAME=VALUE, several), "texts" (NAME=TEXT, several), "orders" (NAME=A<B,
        several), "marks" or "others".
    flags : tuple of str
        Flags of the command line; by default made from the name.
    metavar : str
        What stands for the value in help texts.
    key : str
        Key in the recipe file; by default the name.
    usual : bool
        Whether almost every release says it: a help shows it first, in no panel.
    group : str
        The group of fields on the page in the browser that shows it, "column" for
        those of each column; empty, if it has a place of its own there.
    of_kind : {"", "measured", "numbers", "moments"}
        What a kind of column must be to have it, as its encoder says.
    by_column : str
        Of an option of a column: the name under which a mapping gives it for several.
    of_file : {"", "read", "written"}
        Whether it is how a table's file is read, or that of its release written.
    of_search : bool
        Whether comparisons and searches have lists of it instead.
    on_parts : Whole, optional
        Why it cannot be honoured where the table is cut into parts.
    with_dp : tuple, optional
        The values that a differentially private release can honour beside the
        default, by default none; `ANY` if it can honour all.
    default : object
        What holds where nothing is said; empty, if something must be.
    """

    section: str
    help: str = ""
    choices: tuple[str, ...] = ()
    check: Callable[[Any, Any], Any] = as_it_is
    needs: tuple[str, Any] | None = None
    least: int = 0
    form: str = "text"
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    key: str = ""
    usual: bool = False
    group: str = ""
    of_kind: str = ""
    by_column: str = ""
    of_file: str = ""
    of_search: bool = False
    on_parts: Whole | None = None
    with_dp: tuple[Any, ...] | None = ()
    default: Any = ()


def option(default: Any, *, shown: Any = None, **said: Any) -> Any:
    """A field of a dataclass that is an option; see `OptionSpec`.

    Parameters
    ----------
    default : object
    shown : object, optional
        What help shows as the default, if the field is None until it is checked.
    **said
        Attributes of its `OptionSpec`.
    """
    metadata = as_option(default=default if shown is None else shown, **said)
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


def as_option(**said: Any) -> dict[str, OptionSpec]:
    """What makes a field an option, for one that must be given."""
    return {"option": OptionSpec(**said)}


def options_of(owner: Any) -> dict[str, OptionSpec]:
    """Options of a dataclass by name, in the order of its fields, with their help."""
    said = described(owner)
    firsts = {name: said.get(name, "").partition(". ") for name in _specs(owner)}
    return {
        name: replace(spec, help=firsts[name][0] + firsts[name][1].rstrip())
        for name, spec in _specs(owner).items()
    }


def _specs(owner: Any) -> dict[str, OptionSpec]:
    marked = [f for f in fields(owner) if "option" in f.metadata]
    return {f.name: f.metadata["option"] for f in marked}


def check_options(values: Any) -> None:
    """Check each option of a dataclass, in order, and keep what its check gives."""
    for name, spec in _specs(values).items():
        value = getattr(values, name)
        if spec.choices:
            check_choice(name, value, spec.choices)
        if spec.needs is not None and value != spec.default:
            _check_need(Option(name, value), values, *spec.needs)
        if spec.form == "count" and not (value is None and spec.default is None):
            value = check_count(value, spec.least, name)
            object.__setattr__(values, name, value)
        if spec.check is not as_it_is:
            object.__setattr__(values, name, spec.check(values, value))
        elif spec.form == "text" and not isinstance(value, str) and value is not None:
            raise ParameterError(name, f"must be text. Got {value!r} instead.")


def _check_need(option: Option, values: Any, other: str, wanted: Any) -> None:
    """Refuse an option that changes nothing without another."""
    there, way = getattr(values, other), Option(other, wanted)
    if wanted is None and not there:
        words = sentence("{option} needs {way}.", option=option, way=way)
        raise InputError(words, option=option.name)
    if wanted is not None and there != wanted:
        words = sentence("{option} goes with {way}. Got ", option=option, way=way)
        raise InputError([*words, f"{there!r} instead."], option=option.name)


def layout(*several: Mapping[str, OptionSpec]) -> dict[str, dict[str, str]]:
    """Sections of a recipe file: for each its keys and the options they stand for."""
    sections: dict[str, dict[str, str]] = {}
    for options in several:
        for name, spec in options.items():
            if spec.section:
                sections.setdefault(spec.section, {})[spec.key or name] = name
    return sections


def panel_of(spec: OptionSpec) -> str | None:
    """The panel of a help that shows an option; none for the usual ones."""
    return None if spec.usual else PANELS[spec.section]


def help_line(spec: OptionSpec, spell: Callable[[Any], str] = str) -> str:
    """Help of an option with its choices and default."""
    line = spec.help
    if spec.choices:
        line += f" One of {', '.join(spec.choices)}."
    if isinstance(spec.default, (str, int, float)) and spec.default != "":
        line += f" Default: {spell(spec.default)}."
    return line


def takes_options_of(
    make: Callable[Given, Any],
) -> Callable[[Callable[..., Made]], Callable[Concatenate[Any, Given], Made]]:
    """Give a function of a table the arguments of what it makes of the others.

    Whoever checks types, completes a call or asks for the signature sees each of them,
    with its type and its default; how files are read is not asked of a table.

    Parameters
    ----------
    make : type
        Its class.

    Examples
    --------
    >>> from microcell import Recipe
    >>> @takes_options_of(Recipe)
    ... def k_of(table, *given, **options):
    ...     return Recipe(*given, **options).k
    >>> list(inspect.signature(k_of).parameters)[:4]
    ['table', 'schema', 'k', 'method']
    """

    def decorate(function: Any) -> Any:
        shown = [next(iter(inspect.signature(function).parameters.values()))]
        specs = options_of(make)
        for name, parameter in inspect.signature(make).parameters.items():
            spec = specs.get(name)
            if spec is None or parameter.default is parameter.empty:
                shown.append(parameter)
            elif spec.of_file != "read":
                shown.append(parameter.replace(default=spec.default))
        function.__signature__ = inspect.Signature(shown)
        return function

    return decorate


def document(owner: type, *parts: type) -> None:
    """Let a docstring that ends with its parameters go on with those of other classes.

    Parameters
    ----------
    owner : type
    *parts : type
        Classes whose docstrings end with their parameters.
    """
    if owner.__doc__ is None:  # Python was told to leave docstrings out
        return
    texts = [inspect.cleandoc(part.__doc__ or "") for part in parts]
    own = inspect.cleandoc(owner.__doc__)
    more = [text.partition("----------\n")[2] for text in texts]
    owner.__doc__ = "\n".join([own, *more])
