"""Recipe: everything needed to make a release again, as one TOML file."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

from microcell._schema import Schema, column_names
from microcell._validation import check_choice, check_k
from microcell.base import SchemaError
from microcell.methods import METHODS, method_parameters, uses_target
from microcell.prepare._prepared import AGGREGATES, SCALES

LAYOUT: dict[str, tuple[str, ...]] = {
    "roles": ("identifiers", "quasi_identifiers", "confidential", "others"),
    "kinds": (),  # one key for each column
    "method": ("name", "k", "target", "scale", "aggregate", "integers", "parameters"),
    "records": ("missing", "missing_marks", "strata", "small_strata"),
}


@dataclass(frozen=True)
class Recipe:
    """Roles, kinds, method and parameters of a release.

    Parameters
    ----------
    schema : Schema
        Roles and kinds of the columns.
    k : int
        Least number of records that share their released quasi-identifiers; at least 2.
    method : str, default="mdav"
        A name in `microcell.methods.METHODS`.
    target : str, optional
        The confidential attribute that shapes cells, for methods that use one; by
        default the only one there is.
    parameters : mapping, optional
        The method's own parameters.
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        How attributes get a common scale before distances are measured.
    aggregate : {"mean", "median", "interval"}, default="mean"
        What is published of numbers and dates. Ordered categories give their median,
        or their interval; categories without order always their mode.
    integers : {"mean", "round"}, default="mean"
        Whether means of integers are rounded to integers.
    missing : {"error", "drop"}, default="error"
        What to do with records that miss a quasi-identifier.
    missing_marks : sequence of str, optional
        Texts that stand for a missing value in a quasi-identifier of text.
    strata : sequence of str, optional
        Columns whose values no cell may mix; neither identifiers nor confidential.
    small_strata : {"error", "merge"}, default="error"
        What to do with strata of fewer than k records.
    """

    schema: Schema
    k: int
    method: str = "mdav"
    target: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    scale: str = "standard"
    aggregate: str = "mean"
    integers: str = "mean"
    missing: str = "error"
    missing_marks: Sequence[str] = ()
    strata: Sequence[str] = ()
    small_strata: str = "error"

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", check_k(self.k, least=2))
        check_choice("method", self.method, tuple(METHODS))
        check_choice("scale", self.scale, tuple(SCALES))
        check_choice("aggregate", self.aggregate, AGGREGATES)
        check_choice("integers", self.integers, ("mean", "round"))
        check_choice("missing", self.missing, ("error", "drop"))
        check_choice("small_strata", self.small_strata, ("error", "merge"))
        strata = column_names(self.strata, "strata")
        object.__setattr__(self, "strata", strata)
        marks = column_names(self.missing_marks, "missing_marks")
        object.__setattr__(self, "missing_marks", marks)
        self._check_strata()
        if not strata and self.small_strata == "merge":
            raise ValueError("small_strata='merge' needs strata. Name their columns.")
        if self.aggregate != "mean" and self.integers == "round":
            raise ValueError(
                "integers='round' goes with aggregate='mean'. "
                f"Got aggregate={self.aggregate!r} instead."
            )
        if not isinstance(self.parameters, Mapping):
            raise ValueError(
                "'parameters' must map names to values. "
                f"Got {self.parameters!r} instead."
            )
        plain = {name: _plain(value) for name, value in self.parameters.items()}
        object.__setattr__(self, "parameters", plain)
        self._check_target()
        if strata and "auto" in self.parameters.values():
            raise ValueError(
                "A parameter of 'auto' is chosen on folds of the whole table, which "
                "strata do not allow. Give it a value."
            )
        known = method_parameters(self.method)
        for name in self.parameters:
            if name not in known:
                raise ValueError(
                    f"Method {self.method!r} has no parameter {name!r}. "
                    f"Its parameters are {list(known)}."
                )

    def _check_target(self) -> None:
        confidential = list(self.schema.confidential)
        if not uses_target(self.method):
            if self.target is not None:
                raise ValueError(
                    f"Method {self.method!r} does not use a confidential attribute. "
                    f"Got target={self.target!r}."
                )
            return
        if self.target is None and len(confidential) == 1:
            object.__setattr__(self, "target", confidential[0])
        if self.target not in confidential:
            raise SchemaError(
                f"Method {self.method!r} shapes cells by a confidential attribute: "
                f"name one of {confidential} as target. Got {self.target!r}."
            )

    def _check_strata(self) -> None:
        for name in self.strata:
            if name in self.schema.identifiers:
                raise SchemaError(f"Column {name!r} is an identifier, so no stratum.")
            if name in self.schema.confidential:
                raise SchemaError(
                    f"Column {name!r} is confidential: with it as a stratum, all "
                    "records of a cell would share its value, and everybody's would be "
                    "known. Choose other strata."
                )

    def to_dict(self) -> dict[str, Any]:
        """The recipe as plain dictionaries, in the layout of the TOML file."""
        others = self.schema.others
        target = {} if self.target is None else {"target": self.target}
        contents: dict[str, Any] = {
            "roles": {
                "identifiers": list(self.schema.identifiers),
                "quasi_identifiers": list(self.schema.quasi_identifiers),
                "confidential": list(self.schema.confidential),
                "others": others if isinstance(others, str) else list(others),
            },
            "kinds": {
                name: kind if isinstance(kind, str) else list(kind)
                for name, kind in self.schema.kinds.items()
            },
            "method": {
                "name": self.method,
                "k": self.k,
                **target,
                "scale": self.scale,
                "aggregate": self.aggregate,
                "integers": self.integers,
                "parameters": dict(self.parameters),
            },
            "records": {
                "missing": self.missing,
                "missing_marks": list(self.missing_marks),
                "strata": list(self.strata),
                "small_strata": self.small_strata,
            },
        }
        return contents

    def to_toml(self) -> str:
        """The recipe as the text of a TOML file.

        Examples
        --------
        >>> print(Recipe(Schema(["age"]), k=5).to_toml())
        [roles]
        identifiers = []
        ...
        [method]
        name = "mdav"
        k = 5
        ...
        """
        return tomli_w.dumps(self.to_dict())

    @classmethod
    def from_dict(cls, contents: Mapping[str, Any]) -> Recipe:
        """Read what `to_dict` wrote; an unknown or misplaced key is an error."""
        flat = flatten(contents)
        roles = {name: flat.pop(name) for name in LAYOUT["roles"] if name in flat}
        kinds = flat.pop("kinds", {})
        if "quasi_identifiers" not in roles:
            raise SchemaError("The recipe names no quasi_identifiers in [roles].")
        if "k" not in flat:
            raise ValueError("The recipe has no k in [method].")
        return cls(Schema(**roles, kinds=kinds), **flat)

    @classmethod
    def from_toml(cls, path: str | Path) -> Recipe:
        """Read a recipe file."""
        return cls.from_dict(read_toml(path))


def _plain(value: Any) -> Any:
    """A numpy scalar as the Python number that a file can hold."""
    return value.item() if hasattr(value, "item") else value


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
        raise ValueError(f"{path} is not a TOML file: it is not UTF-8.") from None
    except RecursionError:
        raise ValueError(f"{path} is not a recipe: it is nested too deeply.") from None
    except ValueError as error:
        raise ValueError(f"{path} is not a TOML file: {error}") from None


def flatten(contents: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by name, after checking that every key has its place."""
    flat: dict[str, Any] = {}
    for section, entries in contents.items():
        _check_key(section, LAYOUT, "The recipe")
        if not isinstance(entries, Mapping):
            raise ValueError(f"[{section}] in the recipe must be a table of keys.")
        if section == "kinds":
            flat["kinds"] = dict(entries)
            continue
        for key, value in entries.items():
            _check_key(key, LAYOUT[section], f"[{section}] in the recipe")
            flat["method" if (section, key) == ("method", "name") else key] = value
    return flat


def _check_key(key: str, known: Sequence[str] | Mapping[str, Any], where: str) -> None:
    if key not in known:
        near = difflib.get_close_matches(key, list(known), n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"{where} has no key {key!r}.{hint} Its keys are {list(known)}."
        )
