"""Options of the command line, made from the options of a release.

What an option means, its choices and default are said once, beside the field of the
recipe that it fills; here is only how text becomes its value.
"""

from __future__ import annotations

import functools
import inspect
import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microcell.exceptions import absent_column, nearest_name
from microcell.recipe import OPTIONS, PANELS, READING_OPTIONS, help_line, panel_of

if TYPE_CHECKING:
    from microcell.recipe import OptionSpec, Recipe

Names = list[str] | None
REQUIRED = inspect.Parameter.empty
METAVARS = {"names": "NAMES", "count": "NUMBER", "pairs": "NAME=VALUE"}
REPEATED = " Repeat the option for several."
SEVERAL = {  # what the help of an option that takes several says of it
    **dict.fromkeys(("pairs", "texts", "orders", "marks"), REPEATED),
    "names": " Repeat the option or separate names by commas.",
}
FLAGGED = tuple(name for name, spec in OPTIONS.items() if spec.section)
SHORT_PROMISES = {  # flags of promises about confidential columns
    "p": ("p-sensitivity", "at least this many distinct values in a class."),
    "l": ("l-diversity", "at least this many distinct values in a class."),
    "entropy_l": ("entropy-l-diversity", "values as mixed as this many equal ones."),
    "t": ("t-closeness", "no class farther than this from the table."),
    "alpha": ("alpha-k-anonymity", "no value has a larger share of a class."),
    "beta": ("beta-likeness", "no value is likelier by a larger factor, less one."),
    "delta": ("delta-disclosure", "no value is likelier or rarer by a larger log."),
}
TABLE_HELP = (
    "The table: CSV, TSV or other text (also .gz and .zst), Parquet, Arrow, Excel "
    "(FILE.xlsx::SHEET), SPSS, Stata or SAS; or the address of a table in a database."
)
FOLDER_HELP = f"{TABLE_HELP} Or a folder of files of one table, Parquet or text."


def flag(name: str) -> str:
    """The flag of an option, the long one where it has two.

    Examples
    --------
    >>> flag("small_strata"), flag("missing_marks"), flag("k")
    ('--small-strata', '--missing-mark', '-k')
    """
    spec = OPTIONS.get(name)
    if spec is not None and spec.flags:
        return spec.flags[0]
    word = spec.key if spec is not None and spec.by_column else name
    return "--" + word.replace("_", "-")


def parameter(
    name: str,
    help: str,
    *flags: str,
    type: Any = str | None,
    default: Any = None,
    panel: str | None = None,
    **shown: Any,
) -> inspect.Parameter:
    """An option of a command; its flag is made from its name if none is said."""
    shown |= {"help": help, "rich_help_panel": panel}
    said = typer.Option(*(flags or (f"--{name.replace('_', '-')}",)), **shown)
    return _named(name, Annotated[type, said], default)


def argument(
    name: str, help: str, type: Any = str, default: Any = REQUIRED
) -> inspect.Parameter:
    """What a command is told by its place."""
    return _named(name, Annotated[type, typer.Argument(help=help)], default)


def _named(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


switch = functools.partial(parameter, type=bool, default=False)
needed = functools.partial(parameter, type=str, default=REQUIRED)
several = functools.partial(parameter, type=Names)
AS_JSON = switch("as_json", "Print JSON for programs.", "--json")
ALLOW_IMPORT = switch(
    "allow_import",
    "Let the recipe's method be a function (module:function), which is imported: only "
    "for recipes whose author you trust.",
    panel=PANELS["file"],
)
OVERWRITE = switch("overwrite", "Replace output files that exist.")


def with_options(
    *own: inspect.Parameter,
    names: Sequence[str] = FLAGGED,
    required: Mapping[str, str] | None = None,
) -> Callable[[Any], Any]:
    """Give a command its options by name, and those of a release as `given`, as text.

    Parameters
    ----------
    *own : inspect.Parameter
        Arguments and options of the command alone.
    names : sequence of str
        Options of a release; by default all.
    required : mapping, optional
        What the help says of options that a command cannot do without.
    """
    said = required or {}
    added = [_of_release(n, OPTIONS[n], said.get(n, "")) for n in names]
    shorts = SHORT_PROMISES if "promises" in names else {}
    for short, (model, words) in shorts.items():
        words = f"Promise {model}: {words}"
        look: Any = {"metavar": "NUMBER", "panel": PANELS["promises"]}
        added.append(parameter(short, words, show_default=False, **look))

    def decorate(command: Any) -> Any:
        parameters = sorted(  # what is required, what is usual, and the rest
            [*added, *own],
            key=lambda p: (
                p.default is not REQUIRED,
                p.name not in OPTIONS or not OPTIONS[p.name].usual,
            ),
        )

        def run(**values: Any) -> Any:
            if not names:
                return command(**values)
            given = {p.name: values.pop(p.name) for p in added}
            for short, (model, _) in shorts.items():
                level = given.pop(short)
                if level is not None:
                    given["promises"] = [*(given["promises"] or []), f"{model}={level}"]
            return command(given=given, **values)

        run.__doc__, run.__name__ = command.__doc__, command.__name__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        return run

    return decorate


def _of_release(name: str, spec: OptionSpec, required: str) -> inspect.Parameter:
    return parameter(
        name,
        f"{help_line(spec)}{SEVERAL.get(spec.form, '')} {required}".rstrip(),
        *(spec.flags or (flag(name),)),
        type=str | None if spec.form in ("text", "count") else Names,
        panel=panel_of(spec),
        metavar=spec.metavar or METAVARS.get(spec.form),
        show_default=False,
    )


def columns_of(table: str, entries: Mapping[str, Any]) -> list[str]:
    """Columns of a table, read as the options among `entries` say."""
    from microcell.io import is_folder_of_files, read_columns

    if is_folder_of_files(table):
        from microcell.engines import open_parts

        delimiter, encoding = (entries.get(n) for n in ("delimiter", "encoding"))
        return list(open_parts(table, delimiter=delimiter, encoding=encoding).schema)
    from microcell.release import source_format

    dialect = {n: entries[n] for n in READING_OPTIONS if n in entries}
    format = source_format(table, dialect.pop("format", None))
    return read_columns(table, format=format, **dialect)


def options_for(
    table: str,
    given: Mapping[str, Any],
    entries: Mapping[str, Any] | None = None,
    *,
    look: bool = True,
) -> dict[str, Any]:
    """Options for a table: those of a recipe, replaced by those that were typed.

    Names that hold commas and equals signs are known by the table's columns.

    Parameters
    ----------
    table : str
    given : mapping
        Options by name as typer gives them.
    entries : mapping, optional
        Those of the recipe.
    look : bool, default=True
        Whether the table can be read here.
    """
    reading = {name: given[name] for name in READING_OPTIONS if name in given}
    said = {**(entries or {}), **given_options(reading)}
    columns = columns_of(table, said) if look else ()
    return {**said, **given_options(given, columns)}


def recipe_options(
    recipe: str | None, typed: Mapping[str, Any], allow_import: bool
) -> dict[str, Any]:
    """Options that a recipe file says and that were not typed."""
    if recipe is None:
        return {}
    from microcell.recipe import LAYOUT, read_options

    replaced = [name for name, value in typed.items() if value is not None]
    with notes_of_recipes():
        return read_options(recipe, LAYOUT, trusted=allow_import, replaced=replaced)


def read_recipe(recipe: str | None, allow_import: bool) -> Recipe | None:
    """The recipe of a file, if one is named."""
    from microcell.recipe import Recipe

    if recipe is None:
        return None
    with notes_of_recipes():
        return Recipe.from_toml(recipe, trusted=allow_import)


@contextmanager
def notes_of_recipes() -> Iterator[None]:
    """Say what is out of date in a recipe; it is no error, however Python is told."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DeprecationWarning)
        yield
    for each in caught:
        warnings.showwarning(each.message, each.category, each.filename, each.lineno)


def given_options(
    given: Mapping[str, Any], columns: Sequence[str] = ()
) -> dict[str, Any]:
    """Values of the options that were given, read from their text.

    Parameters
    ----------
    given : mapping
        Options by name as typer gives them; None if they were not given.
    columns : sequence of str
        The table's columns: a column's own comma or equals sign is kept.

    Examples
    --------
    >>> given_options({"k": "5", "scale": None, "others": ["city,drop"]})
    {'k': 5, 'others': ['city', 'drop']}
    """
    read = {
        "count": lambda name, text: parse_count(text),
        "names": lambda name, texts: split_names(texts, columns),
        "others": lambda name, texts: one_or_names(texts, columns),
        "marks": lambda name, texts: parse_marks(texts, columns),
        **dict.fromkeys(
            ("pairs", "texts", "orders"),
            lambda name, texts: parse_pairs(name, texts, columns),
        ),
        "text": lambda name, text: text,
    }
    return {
        name: read[OPTIONS[name].form](name, value)
        for name, value in given.items()
        if value is not None
    }


def parse_count(text: str) -> int | str:
    """The number that a text stands for; the library says what is wrong with others."""
    try:
        return int(text)
    except ValueError:
        return text


def split_names(values: Sequence[str] | None, columns: Sequence[str]) -> list[str]:
    """Names from repeated options and comma lists; a column's own comma is kept.

    Examples
    --------
    >>> split_names(["age,sex", "income, net"], ["age", "sex", "income, net"])
    ['age', 'sex', 'income, net']
    """
    names: list[str] = []
    for value in values or []:
        parts = [value] if value in columns else value.split(",")
        names += [part if part in columns else part.strip() for part in parts]
    return [name for name in names if name]


def one_or_names(values: Sequence[str], columns: Sequence[str]) -> str | list[str]:
    """One word as it is, several as a list."""
    names = split_names(values, columns)
    words = ("drop", "keep", "error", "quick", "all", "none")
    return names[0] if len(names) == 1 and names[0] in words else names


def parse_pairs(
    name: str, values: Sequence[str], columns: Sequence[str] = ()
) -> dict[str, Any]:
    """Entries from NAME=VALUE.

    Kinds may be orders, written with <; limits, files and formats of dates stay text.
    Names that are columns may hold an equals sign. Other values are read as JSON where
    they are.

    Examples
    --------
    >>> parse_pairs("kinds", ["zip=nominal", "grade=low<mid<high", "level=1<2<3"])
    {'zip': 'nominal', 'grade': ['low', 'mid', 'high'], 'level': [1, 2, 3]}
    >>> parse_pairs("dates", ["born=%Y%m%d"])
    {'born': '%Y%m%d'}
    >>> parse_pairs("parameters", ["gamma=0.9", "mode=relaxed"])
    {'gamma': 0.9, 'mode': 'relaxed'}
    """
    spec = OPTIONS[name]
    readers: dict[str, Callable[[str], Any]] = {"orders": _kind, "texts": str}
    read = readers.get(spec.form, read_value)
    pairs: dict[str, Any] = {}
    for value in values:
        key, mark, text = value.partition("=")
        column = column_before(value, columns) if spec.by_column else None
        if column is not None:
            key, text = column, value[len(column) + 1 :]
        if not mark or not key or not text:
            what = spec.metavar or METAVARS[spec.form]
            raise ValueError(f"{flag(name)} takes {what}. Got {value!r} instead.")
        pairs[key] = read(text)
    return pairs


def column_before(value: str, columns: Sequence[str]) -> str | None:
    """The column that a text begins with, before an equals sign; the longest."""
    named = [column for column in columns if value.startswith(f"{column}=")]
    return max(named, key=len, default=None)


def parse_marks(
    values: Sequence[str], columns: Sequence[str] = ()
) -> list[str] | dict[str, list[str]]:
    """Marks of all columns, or also of one if NAME=MARK begins with a column.

    Examples
    --------
    >>> parse_marks(["-", "x=1"], ["age"])
    ['', '-', 'x=1']
    >>> parse_marks(["-", "age=999", "age=-9"], ["age"])
    {'*': ['', '-'], 'age': ['999', '-9']}
    """
    common: list[str] = []
    own: dict[str, list[str]] = {}
    for value in values:
        column = column_before(value, columns)
        name, equals, _ = value.partition("=")
        if column is None and equals and nearest_name(name, columns):
            raise absent_column(name, "missing_marks", columns)
        if column is None:
            common.append(value)
        else:
            own.setdefault(column, []).append(value[len(column) + 1 :])
    if not own:
        return ["", *common]
    return ({"*": ["", *common]} if common else {}) | own


def _kind(text: str) -> Any:
    if "<" not in text:
        return text
    values = text.split("<")
    try:
        return [int(value) for value in values]
    except ValueError:
        return values


def read_value(text: str) -> Any:
    """A value that is JSON, and other text as it is."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
