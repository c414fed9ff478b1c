"""What a recipe file holds: TOML, its sections and keys, plain values, promises.

A recipe is data from a stranger: it runs no code, connects to nothing and reads nothing
outside of its folder.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcell.exceptions import InputError, Option, ParameterError, nearest_name

if TYPE_CHECKING:
    from microcell.privacy import Promise

LARGEST_RECIPE = 1_000_000  # bytes
MOST_KEY_PARTS = 8  # of a dotted key; each takes the parser a table and more
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
    if len(contents) > LARGEST_RECIPE:
        raise InputError(
            f"{name} is not a recipe: it is larger than {LARGEST_RECIPE} bytes.",
            hint="Put what is long into files, as hierarchies can be.",
        )
    try:
        text = contents.decode("utf-8-sig")  # editors of Windows may mark it
        if longest_key(text) > MOST_KEY_PARTS:
            raise InputError(
                f"{name} is not a recipe: a key has more than {MOST_KEY_PARTS} parts."
            )
        return tomllib.loads(text)
    except UnicodeDecodeError:
        raise InputError(f"{name} is not a TOML file: it is not UTF-8.") from None
    except RecursionError:
        raise InputError(f"{name} is not a recipe: it is nested too deeply.") from None
    except InputError:
        raise
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
            contents = file.read(LARGEST_RECIPE + 1)
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
    options = flatten(read_toml(path), layout)
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
            hint=[
                "Name a method of microcell; or say that you trust the recipe, with ",
                Option("trusted", True),
                ".",
            ],
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

    made = dict(options)
    if isinstance(made.get("hierarchies"), Mapping):
        made["hierarchies"] = {
            name: placed(source) if isinstance(source, str) else source
            for name, source in made["hierarchies"].items()
        }
    if isinstance(made.get("promises"), Mapping):
        made["promises"] = {n: of_promise(said) for n, said in made["promises"].items()}
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


def seen_from(folder: str | Path, source: str) -> str:
    """A file that a recipe names, as it names it in a folder.

    Examples
    --------
    >>> seen_from("", "icd.csv"), seen_from("recipes", "icd.csv")
    ('icd.csv', '../icd.csv')
    """
    from microcell.io import is_address

    if is_address(source):
        return source
    try:
        seen = os.path.relpath(source, folder or ".")
    except ValueError:  # on another drive
        return source
    return source if os.path.isabs(source) and not is_below(folder, seen) else seen


def written_limits(
    contents: Mapping[str, Any], method: str, folder: str | Path
) -> list[str]:
    """What keeps a recipe that is written from being read again as it is."""
    from microcell.methods import METHODS

    outside: list[str] = []

    def placed(source: str) -> str:
        if not is_below(folder, source):
            outside.append(source)
        return source

    with_files(contents, placed)
    limits = [
        f"{source!r} is not below the folder of this recipe, which reads no other "
        "files: put it there, or name it when the recipe is used"
        for source in outside
    ]
    if method not in METHODS:
        limits.append(
            f"the method {method!r} is imported: the recipe is read with "
            "--allow-import, in Python with trusted=True"
        )
    return limits


def public_name(source: Any) -> str:
    """A file as a certificate names it: without its folder, its values, its server."""
    from microcell.io import is_address

    if not isinstance(source, str):
        return "given as a mapping"
    return "a table of a database" if is_address(source) else Path(source).name


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
    for section, entries in contents.items():
        check_key(section, layout, "The recipe")
        if not isinstance(entries, Mapping):
            raise InputError(f"[{section}] in the recipe must be a table of keys.")
        keys = layout[section]
        if section in keys:  # its keys are columns or promises
            flat[section] = dict(entries)
            continue
        for key, value in entries.items():
            check_key(key, keys, f"[{section}] in the recipe")
            flat[keys[key]] = value
    return flat


def check_key(key: str, known: Mapping[str, Any], where: str) -> None:
    """Refuse a key that is not known, with the nearest that is."""
    if key not in known:
        guess = nearest_name(key, list(known))
        raise InputError(
            f"{where} has no key {key!r}.",
            hint=f"{guess} Its keys are {list(known)}.".lstrip(),
        )


def plain(value: Any) -> Any:
    """A value as a file can hold it: numpy's numbers as Python's, tuples as lists.

    Examples
    --------
    >>> plain({"k": (1, 2)})
    {'k': [1, 2]}
    """
    if isinstance(value, Mapping):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(entry) for entry in value]
    return value.item() if hasattr(value, "item") else value


def as_promises(promises: Any) -> tuple[Promise, ...]:
    """Promises from objects, or from names and parameters as a recipe file has them."""
    from microcell.privacy import PROMISES, Promise

    if isinstance(promises, Mapping):
        made: list[Promise] = []
        for name, values in promises.items():
            if name not in PROMISES:
                raise InputError(
                    f"There is no promise {name!r}.",
                    option="promises",
                    hint=f"{nearest_name(name, list(PROMISES))} There are "
                    f"{list(PROMISES)}.".lstrip(),
                )
            several = isinstance(values, list)
            made += [
                _promise(PROMISES[name], v) for v in (values if several else [values])
            ]
        return tuple(made)
    promises = (promises,) if isinstance(promises, Promise) else promises
    if isinstance(promises, str) or not isinstance(promises, Sequence):
        promises = [promises]
    for promise in promises:
        if not isinstance(promise, Promise):
            raise InputError(
                f"'promises' holds promises. Got {promise!r} instead.",
                option="promises",
                hint=f"There are {list(PROMISES)}.",
            )
    return tuple(promises)


def _promise(model: type[Promise], value: Any) -> Promise:
    try:
        return model.from_dict(value)
    except ParameterError as error:  # a method may have a parameter of that name
        raise InputError(
            f"{error.option!r} of the promise {model.name!r} {error.requirement}",
            option="promises",
            hint=error.hint,
        ) from None
    except TypeError:
        raise InputError(
            f"The promise {model.name!r} cannot be made of {value!r}.",
            option="promises",
            hint=f"{_parameter_guess(model, value)} Give it one parameter, or a table "
            "of its parameters by name.".lstrip(),
        ) from None


def _parameter_guess(model: type[Promise], value: Any) -> str:
    known = [field.name for field in fields(model)]  # type: ignore[arg-type]
    unknown = [n for n in value if n not in known] if isinstance(value, dict) else []
    return nearest_name(unknown[0], known) if unknown else ""


def written_promises(promises: Sequence[Promise]) -> dict[str, Any]:
    """Promises by name; several of one model are a list.

    Examples
    --------
    >>> from microcell.privacy import PSensitivity
    >>> written_promises([PSensitivity(2, "ill"), PSensitivity(3, "job")])
    {'p-sensitivity': [{'p': 2, 'column': 'ill'}, {'p': 3, 'column': 'job'}]}
    """
    written: dict[str, list[Any]] = {}
    for promise in promises:
        written.setdefault(promise.name, []).append(plain(promise.to_dict()))
    return {name: v[0] if len(v) == 1 else v for name, v in written.items()}
