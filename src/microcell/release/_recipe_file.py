"""What a recipe file holds: TOML, its sections and keys, plain values, promises."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcell.exceptions import InputError, nearest_name

if TYPE_CHECKING:
    from microcell.privacy import Promise


def read_toml(path: str | Path) -> dict[str, Any]:
    """Contents of a TOML file, with its name in the error if it is not one."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no recipe {path}.") from None
    except IsADirectoryError:
        raise IsADirectoryError(f"{path} is a folder. Name a recipe in it.") from None
    except OSError as error:
        raise OSError(f"The recipe {path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a TOML file: it is not UTF-8.") from None
    except RecursionError:
        raise InputError(f"{path} is not a recipe: it is nested too deeply.") from None
    except ValueError as error:
        raise InputError(f"{path} is not a TOML file: {error}") from None


def read_recipe(path: str | Path) -> dict[str, Any]:
    """Contents of a recipe file; files that it names are those beside it."""
    contents = read_toml(path)
    named = contents.get("hierarchies")
    if isinstance(named, dict):
        folder = Path(path).parent
        contents["hierarchies"] = {
            name: str(folder / source) if isinstance(source, str) else source
            for name, source in named.items()
        }
    return contents


def seen_from(folder: str | Path, named: Mapping[str, Any]) -> dict[str, Any]:
    """Files that a recipe names, as it names them in a folder.

    Examples
    --------
    >>> seen_from("", {"icd": "icd.csv"}), seen_from("recipes", {"icd": "icd.csv"})
    ({'icd': 'icd.csv'}, {'icd': '../icd.csv'})
    """
    return {
        name: os.path.relpath(source, folder or ".")
        if isinstance(source, str) and not os.path.isabs(source)
        else plain(source)
        for name, source in named.items()
    }


def public_name(source: Any) -> str:
    """A hierarchy as a certificate names it: without its folder and its values."""
    return Path(source).name if isinstance(source, str) else "given as a mapping"


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
    except TypeError:
        raise InputError(
            f"The promise {model.name!r} cannot be made of {value!r}.",
            option="promises",
            hint="Give it one parameter, or a table of its parameters by name.",
        ) from None


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
