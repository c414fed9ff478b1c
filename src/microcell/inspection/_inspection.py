"""Inspection: what a table looks like, and what is proposed to do with it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from microcell.exceptions import InputError, absent_column
from microcell.inspection._dependencies import Dependency
from microcell.inspection._recipe_text import recipe_text
from microcell.inspection._roles import CONFIDENTIAL, IDENTIFIERS, QUASI, WEIGHING
from microcell.inspection._singling_out import SetFigures, SinglingOut
from microcell.io import Outbox
from microcell.recipe import Column, Recipe, Schema


@dataclass(frozen=True)
class ColumnProposal:
    """What is proposed for a column.

    Attributes
    ----------
    name : str
    role : str
        "identifier", "quasi-identifier", "confidential", "weights" or "left out".
    confidence : {"sure", "likely", "possible"}
    kind : str or None
        How it would be masked; None if it cannot be.
    declared : bool
        Whether the recipe says the kind, because the data do not.
    reasons : tuple of str
    n_distinct, n_missing : int
    figures : SetFigures
        What it singles out alone.
    added : float or None
        Mean increase of uniqueness when it becomes known after up to two others.
    marks : tuple of str
        What seems to mark missing values, of at least k people each.
    format : str or None
        How its dates are written, if the recipe has to say it.
    shape : dict or None
        How its values are distributed, if that was asked for: no value of fewer
        than k people; see
        `column_shape`.
    """

    name: str
    role: str
    confidence: str
    kind: str | None
    declared: bool
    reasons: tuple[str, ...]
    n_distinct: int
    n_missing: int
    figures: SetFigures
    added: float | None = None
    marks: tuple[str, ...] = ()
    format: str | None = None
    shape: dict[str, Any] | None = None


@dataclass(frozen=True)
class Inspection:
    """What a table looks like, and a recipe that is proposed for it.

    Nothing is applied: write the recipe, read it, correct it, and give it to
    `anonymize_file` or `microcell anonymize`. No value that fewer than k records have
    is in it.

    Attributes
    ----------
    n_records : int
    k : int
    columns : tuple of ColumnProposal
        In the table's order.
    singling_out : SinglingOut
        The sets of columns that single out most.
    dependencies : tuple of Dependency
        Columns that follow from others.
    duplicates : tuple of (str, str)
        Columns that are equal up to the names of their values, the later second.
    unit : str or None
        Whom k should count.
    notices : tuple of str
        What else the owner should know.
    decimal : str or None
        The decimal mark of text.
    file_options : dict
        Options of a recipe that read the file in the same way again.
    """

    n_records: int
    k: int
    columns: tuple[ColumnProposal, ...]
    singling_out: SinglingOut
    dependencies: tuple[Dependency, ...] = ()
    duplicates: tuple[tuple[str, str], ...] = ()
    unit: str | None = None
    unit_reason: str = ""
    notices: tuple[str, ...] = ()
    decimal: str | None = None
    file_options: dict[str, Any] = field(default_factory=dict)
    source: str = field(default="the table", compare=False)

    def names(self, role: str) -> list[str]:
        """Columns that are proposed to have a role."""
        return [c.name for c in self.columns if c.role == role]

    def __getitem__(self, name: str) -> ColumnProposal:
        found = [c for c in self.columns if c.name == name]
        if not found:
            raise absent_column(name, "inspection", [c.name for c in self.columns])
        return found[0]

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe that is proposed."""
        masked = [c for c in self.columns if c.role == QUASI]
        if not masked:
            raise InputError(
                "No column looks like one that others may know, so there is nothing to "
                "mask and no recipe to propose.",
                option="quasi_identifiers",
                hint="Name the quasi-identifiers yourself.",
            )
        weights = self.names(WEIGHING)
        gaps = any(c.n_missing for c in masked)
        return Recipe(
            Schema(
                [c.name for c in masked],
                identifiers=[*self.names(IDENTIFIERS), *weights],
                confidential=self.names(CONFIDENTIAL),
                others="drop",
                columns={
                    c.name: Column(kind=c.kind if c.declared else None, dates=c.format)
                    for c in masked
                },
            ),
            k=self.k,
            missing="category" if gaps else "error",
            missing_marks={c.name: c.marks for c in masked if c.marks} or None,
            unit=self.unit,
            weights=weights[0] if weights else None,
            decimal=self.decimal,
            **self.file_options,
        )

    def to_toml(self) -> str:
        """The recipe as the text of a TOML file, with the reasons as comments."""
        return recipe_text(self)

    def save_recipe(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the recipe to edit."""
        text = self.to_toml()
        with Outbox(overwrite=overwrite) as outbox:
            Path(outbox.stage(path)).write_text(text, encoding="utf-8")
            outbox.publish()

    def to_dict(self) -> dict[str, Any]:
        """The inspection as plain data."""
        return {
            "records": self.n_records,
            "k": self.k,
            "columns": [_column_dict(c) for c in self.columns],
            "sets": [_set_dict(s) for s in self.singling_out.sets],
            "added_counted_on": self.singling_out.n_counted,
            "looked_at_alone": list(self.singling_out.left_out),
            "dependencies": [asdict(d) | {"exact": d.exact} for d in self.dependencies],
            "duplicates": [list(pair) for pair in self.duplicates],
            "unit": self.unit,
            "decimal": self.decimal,
            "notices": list(self.notices),
        }

    def lines(self) -> list[str]:
        """The inspection as a person reads it."""
        from microcell.inspection._as_text import lines_of

        return lines_of(self)

    def __str__(self) -> str:
        return "\n".join(self.lines())


def _column_dict(column: ColumnProposal) -> dict[str, Any]:
    plain = asdict(column)
    shares = plain.pop("figures")
    del shares["columns"]
    plain["reasons"], plain["marks"] = list(column.reasons), list(column.marks)
    plain["distinct"], plain["missing"] = (
        plain.pop("n_distinct"),
        plain.pop("n_missing"),
    )
    return plain | shares


def _set_dict(figures: SetFigures) -> dict[str, Any]:
    return asdict(figures) | {"columns": list(figures.columns)}
