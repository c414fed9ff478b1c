"""What a recipe file holds: TOML, its sections and keys, plain values, promises.

A recipe is data from a stranger: it runs no code, connects to nothing and reads nothing
outside of its folder.
"""

from __future__ import annotations

import os
import re
import tomllib
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from microcell._patterns import EVERY_COLUMN
from microcell.exceptions import InputError, nearest_name, sentence

MAX_RECIPE_BYTES = 1_000_000  # bytes
MAX_KEY_PARTS = 8  # of a dotted key; each takes the parser a table and more
QUOTED = r"""\"(?:[^"\\\n]|\\.)*+(?:"|$)|'[^'\n]*+(?:'|$)"""
KEY_PART = rf"(?:[\w-]+|{QUOTED})"
# a text that is not closed goes on to the end, where the parser stops as well
TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"{3,5}+|\Z)|\'\'\'.*?(?:\'{3,5}+|\Z)|#[^\n]*'
    rf"|(?P<key>{KEY_PART}(?:[ \t]*\.[ \t]*{KEY_PART})*)",
    re.DOTALL | re.MULTILINE,
)


def parse_toml(contents: bytes, name: str | Path) -> dict[str, Any]:
    """What TOML says, if it is no more than a recipe has; `name` is for errors."""
    if len(contents) > MAX_RECIPE_BYTES:
        raise InputError(
            f"{name} is not a recipe: it is larger than {MAX_RECIPE_BYTES} bytes.",
            hint="Put what is long into files, as hierarchies can be.",
        )
    try:
        text = contents.decode("utf-8-sig")  # editors of Windows may mark it
    except UnicodeDecodeError:
        raise InputError(f"{name} is not a TOML file: it is not UTF-8.") from None
    if longest_key(text) > MAX_KEY_PARTS:
        words = f"{name} is not a recipe: a key has more than {MAX_KEY_PARTS} parts."
        raise InputError(words)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError(f"{name} is not a recipe: it is nested too deeply.") from None
    except ValueError as error:
        raise InputError(f"{name} is not a TOML file: {error}") from None


def longest_key(text: str) -> int:
    """Parts of the longest dotted key of a TOML text, before it is parsed.

    Examples
    --------
    >>> longest_key("a.b = 1.5  # a.b.c")
    2
    >>> longest_key("[a . 'b.c'.d]"), longest_key('x = "a.b.c.d.e"')
    (3, 1)
    """
    keys = (found["key"] for found in TOKEN.finditer(text) if found["key"])
    return max((len(re.findall(KEY_PART, key, re.M)) for key in keys), default=0)


def read_toml(path: str | Path) -> dict[str, Any]:
    """Contents of a TOML file, with its name in the error if it is not one."""
    try:
        with open(path, "rb") as file:
            contents = file.read(MAX_RECIPE_BYTES + 1)
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no recipe {path}.") from None
    except IsADirectoryError:
        raise IsADirectoryError(f"{path} is a folder. Name a recipe in it.") from None
    except OSError as error:
        raise OSError(f"The recipe {path} cannot be read: {error.strerror}.") from None
    return parse_toml(contents, path)


def read_options(
    path: str | Path,
    layout: Mapping[str, Mapping[str, str]],
    *,
    trusted: bool = False,
    replaced: Iterable[str] = (),
) -> dict[str, Any]:
    """Options of a recipe file by name; files that it names are those beside it.

    Parameters
    ----------
    path : path
        The recipe file.
    layout : mapping
        See `flatten`.
    trusted : bool, default=False
        Whether its method may be a function to import.
    replaced : iterable of str
        Options that hold whatever the file says of them.
    """
    contents = read_toml(path)
    options = flatten(contents, layout)
    older = [name for name in contents if name in older_sections(layout)]
    if older:
        warnings.warn(
            f"The recipe {path} has {older}: what is said of a column now stands in "
            "[columns.NAME]. It is read as before.",
            DeprecationWarning,
            stacklevel=3,
        )
    for name in replaced:
        options.pop(name, None)
    method = options.get("method")
    if isinstance(method, str) and ":" in method:
        _check_import(path, method, trusted)
    return with_files(options, partial(_beside, path))


def _check_import(path: str | Path, method: str, trusted: bool) -> None:
    """Refuse a method that would run code, unless the user trusts the recipe."""
    from microcell.recipe._method import resolve_method, without_current_folder

    if not trusted:
        raise InputError(
            f"The recipe {path} names the method {method!r}, which would import code "
            "and run it.",
            option="method",
            hint=sentence(
                "Name a method of microcell; or say that you trust the recipe, with "
                "{trusted=True}."
            ),
        )
    with without_current_folder():
        resolve_method(method)


def with_files(
    options: Mapping[str, Any], placed: Callable[[str], str]
) -> dict[str, Any]:
    """Options of a recipe, each file that they name put through `placed`.

    Examples
    --------
    >>> with_files({"hierarchies": {"icd": "icd.csv"}, "k": 5}, str.upper)
    {'hierarchies': {'icd': 'ICD.CSV'}, 'k': 5}
    >>> promises = {"k-map": {"k": 3, "population": "all.csv"}}
    >>> with_files({"promises": promises}, str.upper)["promises"]
    {'k-map': {'k': 3, 'population': 'ALL.CSV'}}
    """

    def of_promise(said: Any) -> Any:
        if isinstance(said, list):
            return [of_promise(each) for each in said]
        if not isinstance(said, Mapping) or "population" not in said:
            return said
        if not isinstance(said["population"], str):
            raise InputError("In a recipe a population is a file.", option="promises")
        return {**said, "population": placed(said["population"])}

    def of_column(said: Any) -> Any:
        if not isinstance(said, Mapping) or "hierarchy" not in said:
            return said
        return {**said, "hierarchy": of_hierarchy(said["hierarchy"])}

    def of_hierarchy(source: Any) -> Any:
        return placed(source) if isinstance(source, str) else source

    made = dict(options)
    parts = {"hierarchies": of_hierarchy, "columns": of_column, "promises": of_promise}
    for name, of_part in parts.items():
        if isinstance(made.get(name), Mapping):
            made[name] = {key: of_part(said) for key, said in made[name].items()}
    return made


def _beside(recipe: str | Path, source: str) -> str:
    """The file that a recipe names, which must be below the recipe's folder."""
    folder = Path(recipe).parent
    if not is_below(folder, source):
        raise InputError(
            f"The recipe {recipe} names {source!r}, and a recipe reads only files "
            "below its own folder.",
            hint="Put the file there and name it from there; or name it yourself, on "
            "the command line or in Python, instead of the recipe.",
        )
    found = folder / source
    if found.exists() and not found.is_file():  # which may lead out, or never end
        raise InputError(
            f"The recipe {recipe} names {source!r}, which is a folder, a pipe or a "
            "device: a recipe reads only files."
        )
    return str(found)


def is_below(folder: str | Path, source: str) -> bool:
    """Whether a text names a file below a folder, from there and not through links.

    Examples
    --------
    >>> is_below(".", "codes/icd.csv"), is_below(".", "../icd.csv")
    (True, False)
    >>> is_below(".", "/icd.csv"), is_below(".", "sqlite:///clinic.db::people")
    (False, False)
    """
    from microcell.io import is_address

    if is_address(source) or os.path.isabs(source) or ".." in Path(source).parts:
        return False
    try:
        root = Path(folder or ".").resolve()
        # a sheet may follow the name of a workbook
        named = {source, source.rpartition("::")[0]}
        return all((root / name).resolve().is_relative_to(root) for name in named)
    except (OSError, ValueError, RuntimeError):  # it is no path, or links in a circle
        return False


def flatten(
    contents: Mapping[str, Any], layout: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """Options by name, after checking that every key has its place.

    Parameters
    ----------
    contents : mapping
        Sections of a recipe file.
    layout : mapping
        Sections that there are: for each its keys and the options they stand for.
    """
    if not isinstance(contents, Mapping):
        raise InputError(f"A recipe is a table of sections. Got {contents!r} instead.")
    flat: dict[str, Any] = {}
    of_columns: list[tuple[str, str, Any]] = []
    older = older_sections(layout)
    for section, entries in contents.items():
        if section not in older:
            check_key(section, layout, "The recipe")
        if not isinstance(entries, Mapping):
            raise InputError(f"[{section}] in the recipe must be a table of keys.")
        if section in older:
            of_columns += [(section, column, v) for column, v in entries.items()]
        elif section == "columns":
            for column, said in entries.items():
                where = f"[columns.{column}] in the recipe"
                if not isinstance(said, Mapping):
                    raise InputError(f"{where} must be a table of keys.", column=column)
                for key, value in said.items():
                    check_key(key, layout[section], where)
                    of_columns.append((layout[section][key], column, value))
        elif section in layout[section]:  # its keys are promises
            flat[section] = dict(entries)
        else:
            for key, value in entries.items():
                check_key(key, layout[section], f"[{section}] in the recipe")
                flat[layout[section][key]] = value
    for name, column, value in of_columns:
        of_all = flat.get(name, {})
        is_mapping = isinstance(of_all, Mapping)
        flat[name] = dict(of_all) if is_mapping else {EVERY_COLUMN: of_all}
        if flat[name].setdefault(column, value) != value:
            raise InputError(
                f"The recipe says {name!r} of column {column!r} twice.",
                column=column,
                option=name,
                hint="Leave one of them out.",
            )
    return flat


def older_sections(layout: Mapping[str, Mapping[str, str]]) -> set[str]:
    """Options of columns that had sections of their own."""
    return {*layout["columns"].values()} - {*layout["records"].values()}


def check_key(key: str, known: Mapping[str, Any], where: str) -> None:
    """Refuse a key that is not known, with the nearest that is."""
    if key not in known:
        guess = nearest_name(key, list(known))
        raise InputError(
            f"{where} has no key {key!r}.",
            hint=f"{guess} Its keys are {list(known)}.".lstrip(),
        )
