"""Recipe: everything needed to make a release again, as one TOML file.

The command line reads its options from here, so what is heavy is imported where it is
used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, replace
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcell._patterns import EVERY_COLUMN
from microcell.exceptions import InputError, SchemaError, sentence
from microcell.recipe._column import COLUMN_OPTIONS, checked_names, merged
from microcell.recipe._file_options import FileOptions
from microcell.recipe._method_options import MethodOptions
from microcell.recipe._options import check_options, document, layout, options_of
from microcell.recipe._promises import written_promises
from microcell.recipe._recipe_file import flatten, read_options
from microcell.recipe._record_options import RecordOptions
from microcell.recipe._refine import refined
from microcell.recipe._schema import Schema
from microcell.recipe._written import plain, published, toml_text

if TYPE_CHECKING:
    from microcell.compose import Plan


@checked_names
@dataclass(frozen=True)
class Recipe(FileOptions, RecordOptions, MethodOptions):
    """Roles, kinds, method, promises and file dialect of a release.

    Parameters
    ----------
    columns : mapping of str to Column, optional
        What is said of single columns, beside what the schema says of them.
    """

    columns: InitVar[Mapping[str, Any] | None] = None
    representatives = property(attrgetter("schema.representatives"))
    clip = property(attrgetter("schema.clip"))
    digits = property(attrgetter("schema.digits"))
    importance = property(attrgetter("schema.importance"))
    dates = property(attrgetter("schema.dates"))

    def __post_init__(self, columns: Mapping[str, Any] | None) -> None:
        if not isinstance(self.schema, Schema):
            raise TypeError(
                "The second argument is a Schema with the roles of the columns, for "
                "example Schema(['age', 'sex'], identifiers='name'). Got "
                f"{type(self.schema).__name__} instead."
            )
        from microcell.embed import ColumnScaler
        from microcell.recipe._plan_checks import check_plan

        if columns is not None:
            more = replace(self.schema, columns=merged(self.schema.columns, columns))
            object.__setattr__(self, "schema", more)
        check_options(self)
        scale = ColumnScaler(self.scale, importance=self.weights_in_order)
        plan = self.build(scale)  # which may not honour the scale
        check_plan(self, plan)
        self.__dict__["plan"] = plan

    @property
    def targets(self) -> list[str]:
        """The confidential columns that shape cells; names of several have commas."""
        if self.target is None or self.target in self.schema.confidential:
            return [] if self.target is None else [self.target]
        return [name.strip() for name in self.target.split(",")]

    @property
    def weights_in_order(self) -> list[float] | None:
        """Weights of quasi-identifiers in the distances; None if none were given."""
        names, weights = self.schema.quasi_identifiers, self.importance
        return [float(weights.get(name, 1)) for name in names] if weights else None

    @property
    def is_estimator(self) -> bool:
        """Whether the method is an estimator, which has its own geometry."""
        return not isinstance(self.method, str) and not callable(self.method)

    @property
    def method_name(self) -> str:
        """The method as messages name it."""
        from microcell.recipe._method import method_name

        return method_name(self.method)

    @cached_property
    def plan(self) -> Plan:
        """The plan of its method, to be asked: it knows no table."""
        return self.build(None)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "plan"}

    def build(self, scale: Any) -> Plan:
        """The plan of this recipe's method, on attributes scaled by `scale`."""
        from microcell.recipe._method import build_method

        plan = build_method(
            self.method, self.k, scale, self.parameters, self.random_state
        )
        return refined(plan, self)

    def without_seed(self) -> dict[str, Any]:
        """The recipe as plain dictionaries, fit to be published.

        Of a hierarchy and a population it holds the file's name, no folder and no
        values; of a workbook not what its owner calls the sheet.
        """
        return published(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """The recipe as plain dictionaries, in the layout of the TOML file."""
        contents: dict[str, Any] = {}
        for section, keys in LAYOUT.items():
            if section == "columns":
                columns = self.schema.columns.items()
                contents[section] = {name: plain(c.said) for name, c in columns}
                continue
            entries = {}
            for key, name in keys.items():
                value = self._written(name)
                if value is not None:
                    entries[key] = value
            contents[section] = entries.pop(section) if section in keys else entries
        if self.is_estimator:
            contents["method"].pop("scale")
            contents["method"]["estimator"] = repr(self.method)
        return contents

    def _written(self, name: str) -> Any:
        """An option as a file holds it."""
        value = getattr(self.schema if name in SCHEMA_OPTIONS else self, name)
        if name == "method":
            return self.method_name
        if name == "promises":
            return written_promises(value)
        if name == "missing_marks" and isinstance(value, Mapping):
            value = value.get(EVERY_COLUMN)  # others stand under their columns
        return plain(value)

    def to_toml(self, folder: str | Path | None = None) -> str:
        """The recipe as the text of a TOML file.

        Comments say what keeps it from being read again as it is: files outside of its
        folder, a method that is imported.

        Parameters
        ----------
        folder : path, optional
            Where it will be, if not in the current folder: files that it names are
            looked for from there. If it is given, a warning says what the comments do.

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
        name = "mdav-refined"
        ...
        """
        if not isinstance(self.method, str):
            raise InputError(
                f"The method {self.method_name!r} is an object of this program, which "
                "a recipe file cannot hold.",
                option="method",
                hint="Make it a function of a module that can be imported.",
            )
        return toml_text(self.to_dict(), folder)

    @classmethod
    def of(cls, entries: Mapping[str, Any]) -> Recipe:
        """The recipe of options by name, those of the schema among them."""
        rest = dict(entries)
        if "schema" not in rest:
            roles = {n: rest.pop(n) for n in entries if n in SCHEMA_OPTIONS}
            rest["schema"] = Schema(**{"quasi_identifiers": (), **roles})
        if "k" not in rest:
            hint = sentence("Give it with {k}.")
            raise InputError("k is missing.", option="k", hint=hint)
        return cls(**rest)

    @classmethod
    def from_dict(cls, contents: Mapping[str, Any]) -> Recipe:
        """Read what `to_dict` wrote; an unknown or misplaced key is an error."""
        return cls._of_file(flatten(contents, LAYOUT))

    @classmethod
    def from_toml(cls, path: str | Path, *, trusted: bool = False) -> Recipe:
        """Read a recipe file; files that it names are those in its folder.

        A recipe may come from a stranger, so that it connects to nothing, reads nothing
        outside of its folder, and runs no code.

        Parameters
        ----------
        path : path
            The recipe file, of at most 1 MB.
        trusted : bool, default=False
            Whether its method may be a function ("package.module:function"), which is
            imported, and not from the current folder.
        """
        return cls._of_file(read_options(path, LAYOUT, trusted=trusted))

    @classmethod
    def _of_file(cls, flat: dict[str, Any]) -> Recipe:
        if "quasi_identifiers" not in flat:
            raise SchemaError("The recipe names no quasi_identifiers in [roles].")
        if "k" not in flat:
            raise InputError("The recipe has no k in [method].", option="k")
        return cls.of(flat)


document(Recipe, MethodOptions, RecordOptions, FileOptions)
OF_SCHEMA, OF_RECIPE = options_of(Schema), options_of(Recipe)
SCHEMA_OPTIONS = OF_SCHEMA | {  # what a recipe gives its schema
    name: spec for name, spec in COLUMN_OPTIONS.items() if name not in OF_RECIPE
}
OPTIONS = SCHEMA_OPTIONS | OF_RECIPE
LAYOUT = layout(OF_SCHEMA, COLUMN_OPTIONS, OF_RECIPE)
DEFAULTS = {name: spec.default for name, spec in OPTIONS.items()}
READING_OPTIONS = tuple(n for n, spec in OPTIONS.items() if spec.of_file == "read")


def refuse_of_schema(options: Mapping[str, Any]) -> None:
    """Refuse roles, which the schema says."""
    for name in options:
        if name in LAYOUT["roles"] and name in OF_SCHEMA:
            raise InputError(
                f"{name!r} is said in the schema.",
                option=name,
                hint=f"Give it there: Schema(..., {name}=...).",
            )


def refuse_of_files(options: Mapping[str, Any], instead: str) -> None:
    """Refuse options of a table in memory that say how a file is read.

    Parameters
    ----------
    options : mapping
    instead : str
        What takes a file.
    """
    for name in READING_OPTIONS:
        if options.get(name) is not None:
            raise InputError(
                f"{name!r} is how a file is read, and this is a table in memory.",
                option=name,
                hint=f"Leave it out, or let the file be read by {instead}.",
            )
