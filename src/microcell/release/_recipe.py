"""Recipe: everything needed to make a release again, as one TOML file.

The command line reads its options from here, so what is heavy is imported where it is
used.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from microcell._validation import check_k
from microcell.exceptions import InputError, Option, SchemaError
from microcell.release._options import (
    NAMES_HELP,
    check_choices,
    layout,
    option,
    options_of,
)
from microcell.release._schema import Schema, column_names

if TYPE_CHECKING:
    from microcell.privacy import Promise

RECORDS = "records"  # the unit of a table whose records are people


@dataclass(frozen=True)
class Recipe:
    """Roles, kinds, method, promises and file dialect of a release.

    Parameters
    ----------
    schema : Schema
        Roles and kinds of the columns.
    k : int
        Least number of people that share their released quasi-identifiers; at least 2.
    method : str, callable or estimator, default="mdav"
        A name in `microcell.methods.METHODS`; a function that is called with k, scale
        and the parameters and returns a plan; or an estimator with `fit_transform` and
        `labels_`. A recipe file holds a function by its import path ("package.module:
        function") and cannot hold an estimator.
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
    promises : sequence of Promise, optional
        What is promised besides k-anonymity, for example ``PSensitivity(2)``: it is
        enforced on the cells and verified on the release.
    missing : {"error", "drop"}, default="error"
        What to do with records that miss a quasi-identifier.
    missing_marks : sequence of str, optional
        Texts that stand for a missing value in a quasi-identifier of text. By default
        none, and the usual ones (NA, null, ...) in a table that is all text, as a CSV
        file is.
    unit : str, optional
        Whom k counts: an identifier whose records belong to one person (all of them
        get one cell), or "records" if every record is a person. It must be said where
        an identifier repeats.
    strata : sequence of str, optional
        Columns whose values no cell may mix; neither identifiers nor confidential.
    small_strata : {"error", "merge"}, default="error"
        What to do with strata of fewer than k people.
    measures : "quick", "all", "none" or sequence of str, default="quick"
        Which loss and risk to measure; "quick" leaves out what is dear on a large
        table.
    delimiter, encoding : str, optional
        Dialect of a text file.
    """

    schema: Schema
    k: int = option(
        section="method",
        help="Least number of people that look alike.",
        form="count",
        flags=("-k",),
        metavar="NUMBER",
    )
    method: Any = option(
        "mdav",
        section="method",
        key="name",
        help="See `microcell methods`, or module:function.",
        flags=("--method", "-m"),
    )
    target: str | None = option(
        None,
        section="method",
        help="The confidential column that shapes cells (lda, sd).",
    )
    scale: str = option(
        "standard",
        section="method",
        help="Common scale of columns.",
        choices=("standard", "minmax", "robust", "none"),
    )
    aggregate: str = option(
        "mean",
        section="method",
        help="What numbers become.",
        choices=("mean", "median", "interval"),
    )
    integers: str = option(
        "mean", section="method", help="Means of integers.", choices=("mean", "round")
    )
    parameters: Mapping[str, Any] = option(
        {},
        section="method",
        help="A parameter of the method, for example gamma=0.9.",
        form="pairs",
        flags=("--parameter", "-p"),
        metavar="NAME=VALUE",
    )
    promises: Sequence[Promise] = option(
        (),
        section="promises",
        help=f"A promise besides k, for example p-sensitivity=2 ({NAMES_HELP}).",
        form="pairs",
        flags=("--promise",),
        metavar="NAME=VALUE",
    )
    missing: str = option(
        "error",
        section="records",
        help="Records with a missing quasi-identifier.",
        choices=("error", "drop"),
    )
    missing_marks: Sequence[str] | None = option(
        None,
        section="records",
        help="Text that stands for a missing value, besides an empty field; "
        "by default NA, N/A, NaN, nan, null and NULL.",
        form="marks",
        flags=("--missing-mark",),
        metavar="TEXT",
    )
    unit: str | None = option(
        None,
        section="records",
        help="Whom k counts: an identifier that repeats, or `records` if every record "
        "is a person.",
        metavar="NAME|records",
    )
    strata: Sequence[str] = option(
        (),
        section="records",
        help=f"Columns whose values no cell may mix ({NAMES_HELP}).",
        form="names",
    )
    small_strata: str = option(
        "error",
        section="records",
        help="Strata of fewer than k.",
        choices=("error", "merge"),
    )
    measures: str | Sequence[str] = option(
        "quick",
        section="measures",
        key="shown",
        help="Loss and risk to measure: quick, all, none, or names.",
        form="others",
        metavar="quick|all|none|NAMES",
    )
    delimiter: str | None = option(
        None, section="file", help="What separates fields in a text table."
    )
    encoding: str = option("utf-8", section="file", help="Encoding of a text table.")

    def __post_init__(self) -> None:
        if not isinstance(self.schema, Schema):
            raise TypeError(
                "The second argument is a Schema with the roles of the columns, for "
                "example Schema(['age', 'sex'], identifiers='name'). Got "
                f"{type(self.schema).__name__} instead."
            )
        from microcell.metrics import check_measures
        from microcell.release._method import resolve_method

        self._set("k", check_k(self.k, least=2))
        self._set("method", resolve_method(self.method))
        check_choices(self)
        self._set("strata", column_names(self.strata, "strata"))
        if self.missing_marks is not None:
            marks = column_names(self.missing_marks, "missing_marks")
            self._set("missing_marks", marks)
        self._set("measures", check_measures(self.measures))
        self._set("promises", as_promises(self.promises))
        self._check_parameters()
        self._check_strata()
        self._check_unit()
        self._check_target()
        self._check_together()

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _check_parameters(self) -> None:
        if not isinstance(self.parameters, Mapping):
            raise InputError(
                "'parameters' must map names to values. "
                f"Got {self.parameters!r} instead.",
                option="parameters",
            )
        plain = {name: _plain(value) for name, value in self.parameters.items()}
        self._set("parameters", plain)
        from microcell.release._method import method_parameters

        known = method_parameters(self.method)
        for name in plain:
            if name not in known:
                raise InputError(
                    f"Method {self.method_name!r} has no parameter {name!r}.",
                    option=name,
                    hint=f"Its parameters are {list(known)}.",
                )

    def _check_strata(self) -> None:
        for name in self.strata:
            if name in self.schema.identifiers:
                raise SchemaError(
                    f"Column {name!r} is an identifier, so no stratum.", column=name
                )
            if name in self.schema.confidential:
                raise SchemaError(
                    f"Column {name!r} is confidential: with it as a stratum, all "
                    "records of a cell would share its value, and everybody's would be "
                    "known.",
                    column=name,
                    hint="Choose other strata.",
                )
        if not self.strata and self.small_strata == "merge":
            raise InputError(
                [Option("small_strata", "merge"), " needs strata."],
                option="small_strata",
                hint="Name their columns.",
            )

    def _check_unit(self) -> None:
        if self.unit in (None, RECORDS):
            return
        if not isinstance(self.unit, str) or self.unit not in self.schema.identifiers:
            raise SchemaError(
                f"The unit that k counts must be an identifier or {RECORDS!r}, and "
                f"{self.unit!r} is neither.",
                option="unit",
                hint=["Name its column in ", Option("identifiers"), " too."],
            )

    def _check_target(self) -> None:
        from microcell.release._method import uses_target

        confidential = list(self.schema.confidential)
        if not uses_target(self.method):
            if self.target is not None:
                raise InputError(
                    f"Method {self.method_name!r} does not use a confidential "
                    f"attribute. Got target={self.target!r}.",
                    option="target",
                )
            return
        if self.target is None and len(confidential) == 1:
            self._set("target", confidential[0])
        if self.target not in confidential:
            raise SchemaError(
                f"Method {self.method_name!r} shapes cells by a confidential "
                f"attribute: name one of {confidential} as target. Got "
                f"{self.target!r}.",
                option="target",
            )

    def _check_together(self) -> None:
        """Options that exclude each other, and promises that the plan cannot keep."""
        if self.aggregate != "mean" and self.integers == "round":
            raise InputError(
                [
                    Option("integers", "round"),
                    " goes with ",
                    Option("aggregate", "mean"),
                    f". Got {self.aggregate!r} instead.",
                ],
                option="integers",
            )
        grouped = self.strata or self.unit not in (None, RECORDS) or self.promises
        if grouped and "auto" in self.parameters.values():
            raise InputError(
                "A parameter of 'auto' is chosen on folds of the whole table, which "
                "strata, units and promises do not allow.",
                hint="Give it a value.",
            )
        from microcell.embed import ColumnScaler
        from microcell.release._sealed import check_sealed, is_sealed

        names = list(self.schema.quasi_identifiers)
        plan = self.build(ColumnScaler(self.scale))  # which may not honour the scale
        if is_sealed(plan):
            check_sealed(self, plan)
        for promise in self.promises:
            promise.bind(self.schema.confidential)
            if not keeps(plan, promise, names):
                raise InputError(
                    f"Method {self.method_name!r} cannot promise {promise.name}: "
                    f"{UNKEPT[promise.over]}.",
                    option="promises",
                    hint=KEEPERS[promise.over],
                )

    @property
    def method_name(self) -> str:
        """The method as messages name it."""
        from microcell.release._method import method_name

        return method_name(self.method)

    def build(self, scale: Any) -> Any:
        """The plan of this recipe's method, on attributes scaled by `scale`."""
        from microcell.release._method import build_method

        return build_method(self.method, self.k, scale, self.parameters)

    def to_dict(self) -> dict[str, Any]:
        """The recipe as plain dictionaries, in the layout of the TOML file."""
        contents: dict[str, Any] = {}
        for section, keys in LAYOUT.items():
            entries = {}
            for key, name in keys.items():
                value = self._written(name)
                if value is not None:
                    entries[key] = value
            contents[section] = entries.pop(section) if section in keys else entries
        return contents

    def _written(self, name: str) -> Any:
        """An option as a file holds it."""
        value = getattr(self.schema if hasattr(self.schema, name) else self, name)
        if name == "method":
            return self.method_name
        if name == "promises":
            return {promise.name: promise.to_dict() for promise in value}
        return _plain(value)

    def to_toml(self) -> str:
        """The recipe as the text of a TOML file.

        Examples
        --------
        >>> print(Recipe(Schema(["age"]), k=5).to_toml())
        [roles]
        quasi_identifiers = [
            "age",
        ]
        ...
        [method]
        k = 5
        name = "mdav"
        ...
        """
        if not isinstance(self.method, str):
            raise InputError(
                f"The method {self.method_name!r} is an object of this program, which "
                "a recipe file cannot hold.",
                option="method",
                hint="Make it a function of a module that can be imported.",
            )
        return tomli_w.dumps(self.to_dict())

    @classmethod
    def of(cls, entries: Mapping[str, Any]) -> Recipe:
        """The recipe of options by name, those of the schema among them."""
        roles = {n: v for n, v in entries.items() if n in SCHEMA_OPTIONS}
        rest = {n: v for n, v in entries.items() if n not in SCHEMA_OPTIONS}
        if "schema" not in rest:
            roles.setdefault("quasi_identifiers", ())
            rest["schema"] = Schema(**roles)
        if "k" not in rest:
            raise InputError(
                "k is missing.", option="k", hint=["Give it with ", Option("k"), "."]
            )
        return cls(**rest)

    @classmethod
    def from_dict(cls, contents: Mapping[str, Any]) -> Recipe:
        """Read what `to_dict` wrote; an unknown or misplaced key is an error."""
        flat = flatten(contents)
        if "quasi_identifiers" not in flat:
            raise SchemaError("The recipe names no quasi_identifiers in [roles].")
        if "k" not in flat:
            raise InputError("The recipe has no k in [method].", option="k")
        return cls.of(flat)

    @classmethod
    def from_toml(cls, path: str | Path) -> Recipe:
        """Read a recipe file."""
        return cls.from_dict(read_toml(path))


SCHEMA_OPTIONS = options_of(Schema)
OPTIONS = SCHEMA_OPTIONS | options_of(Recipe)
LAYOUT = layout(OPTIONS)
DEFAULTS = {
    f.name: () if f.default is MISSING else f.default
    for owner in (Schema, Recipe)
    for f in fields(owner)
    if f.name in OPTIONS
}


NO_CLASSES = "what it releases has no classes of k records that could keep it"
UNKEPT = {
    "classes": NO_CLASSES,
    "cells": NO_CLASSES,
    "construction": "it was not made to keep it",
}
WHOLE_RECORDS = "Choose a method that masks whole records, such as mdav."
KEEPERS = {
    "classes": WHOLE_RECORDS,
    "cells": WHOLE_RECORDS,
    "construction": "Choose the method dp-microaggregation, which promises it itself.",
}


def keeps(plan: Any, promise: Promise, names: Sequence[str]) -> bool:
    """Whether what a plan releases can keep a promise.

    Plans of others that say nothing may try what can be counted; nobody can count how
    a release was made.
    """
    if not hasattr(plan, "keeps"):
        return promise.over != "construction"
    return promise.over in plan.keeps(len(names))


def as_promises(promises: Any) -> tuple[Promise, ...]:
    """Promises from objects, or from names and parameters as a recipe file has them."""
    from microcell.privacy import PROMISES, Promise

    if isinstance(promises, Mapping):
        made = []
        for name, value in promises.items():
            _check_key(name, PROMISES, "[promises] in the recipe")
            made.append(PROMISES[name].from_dict(value))
        return tuple(made)
    promises = (promises,) if isinstance(promises, Promise) else tuple(promises)
    for promise in promises:
        if not isinstance(promise, Promise):
            raise InputError(
                f"'promises' holds promises. Got {promise!r} instead.",
                option="promises",
                hint=f"There are {list(PROMISES)}.",
            )
    return promises


def _plain(value: Any) -> Any:
    """A value as a file can hold it: numpy's numbers as Python's, tuples as lists."""
    if isinstance(value, (tuple, list)):
        return [_plain(entry) for entry in value]
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
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
        raise InputError(f"{path} is not a TOML file: it is not UTF-8.") from None
    except RecursionError:
        raise InputError(f"{path} is not a recipe: it is nested too deeply.") from None
    except ValueError as error:
        raise InputError(f"{path} is not a TOML file: {error}") from None


def flatten(contents: Mapping[str, Any]) -> dict[str, Any]:
    """Options by name, after checking that every key has its place."""
    flat: dict[str, Any] = {}
    for section, entries in contents.items():
        _check_key(section, LAYOUT, "The recipe")
        if not isinstance(entries, Mapping):
            raise InputError(f"[{section}] in the recipe must be a table of keys.")
        keys = LAYOUT[section]
        if section in keys:  # its keys are columns or promises
            flat[section] = dict(entries)
            continue
        for key, value in entries.items():
            _check_key(key, keys, f"[{section}] in the recipe")
            flat[keys[key]] = value
    return flat


def _check_key(key: str, known: Mapping[str, Any], where: str) -> None:
    if key not in known:
        near = difflib.get_close_matches(key, list(known), n=1)
        guess = f"Did you mean {near[0]!r}? " if near else ""
        raise InputError(
            f"{where} has no key {key!r}.", hint=f"{guess}Its keys are {list(known)}."
        )
