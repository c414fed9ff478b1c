"""Recipes as they are written: plain values, files as they are named from a folder."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import tomli_w

from microcell.recipe._recipe_file import MAX_RECIPE_BYTES, is_below, with_files

SEED_WARNING = (
    "# This recipe holds a seed: whoever has it can undo the noise of the release.\n\n"
)
SEED_NAMES = {"random_state", "seed"}  # as parameters of methods and estimators
WRITTEN_SEED = re.compile(r"\b(random_state|seed)=[^,)]+")  # of an estimator


def toml_text(contents: Mapping[str, Any], folder: str | Path | None) -> str:
    """A recipe's dictionaries as TOML, with comments; see `Recipe.to_toml`."""
    contents = with_files(contents, partial(seen_from, folder or ""))
    limits = written_limits(contents, folder or "")
    text = tomli_w.dumps(contents)
    if len(text.encode()) > MAX_RECIPE_BYTES:
        limits.append(
            f"it is larger than {MAX_RECIPE_BYTES} bytes, and is not read again: put "
            "what is long into files, as hierarchies can be"
        )
    for limit in limits if folder is not None else ():
        warnings.warn(f"The recipe: {limit}.", stacklevel=3)
    notes = "".join(f"# {limit}\n" for limit in limits)
    return notes + (SEED_WARNING if "seed" in contents["method"] else "") + text


def published(contents: Mapping[str, Any]) -> dict[str, Any]:
    """A recipe's dictionaries fit to be published; see `Recipe.without_seed`."""
    contents = with_files(contents, public_name)
    method = contents["method"]
    method.pop("seed", None)
    if "estimator" in method:
        method["estimator"] = WRITTEN_SEED.sub(r"\1=withheld", method["estimator"])
    for name in SEED_NAMES & method.get("parameters", {}).keys():
        method["parameters"] = {**method["parameters"], name: "withheld"}
    contents["file"].pop("sheet", None)
    for column in contents["columns"].values():
        if "hierarchy" in column:
            column["hierarchy"] = public_name(column["hierarchy"])
    return contents


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


def written_limits(contents: Mapping[str, Any], folder: str | Path) -> list[str]:
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
    method = contents["method"]["name"]
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
