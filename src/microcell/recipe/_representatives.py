"""Representatives: what is published of a column's cells, by name.

Nothing heavy is imported here, because the command line reads the names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microcell.columns import ENCODERS
from microcell.exceptions import InputError, column_error, sentence

if TYPE_CHECKING:
    from microcell.columns import Prepared
    from microcell.recipe._recipe import Recipe


class Representative(NamedTuple):
    """A way to publish a column.

    Attributes
    ----------
    aggregator : str
        Its class in `microcell.aggregate`.
    needs : {"", "ordered", "measured", "tree"}
        What a column must be.
    publishes : str
        What it publishes of a real person; empty if nothing.
    form : {"value", "interval", "set"}
        How the released table shows it.
    weighted : bool
        Whether sampling weights change it.
    """

    aggregator: str
    needs: str = ""
    publishes: str = ""
    form: str = "value"
    weighted: bool = False

    def fits(self, kind: str) -> bool:
        """Whether columns of a kind can be published so."""
        return not self.needs or bool(getattr(ENCODERS[kind], self.needs))


REPRESENTATIVES = {
    "mean": Representative("Centroid", "measured", weighted=True),
    "median": Representative(
        "Median",
        "ordered",
        "a median of a cell with an odd number of records is the value of one of them",
        weighted=True,
    ),
    "medoid": Representative(
        "Medoid",
        "",
        "a medoid is the record of a real person, in all columns published so",
    ),
    "mode": Representative(
        "Mode",
        "",
        "a mode is a value that occurs, and where all differ that of one person",
        weighted=True,
    ),
    "interval": Representative(
        "Interval",
        "ordered",
        "the ends of an interval are values of real people",
        form="interval",
    ),
    "set": Representative(
        "Set", publishes="a set lists the values of real people", form="set"
    ),
    "ancestor": Representative("Ancestor", "tree"),
    "midpoint": Representative(
        "Midpoint",
        "measured",
        "a midpoint gives one extreme value away to who knows the other",
    ),
}
WEIGHTED = frozenset(name for name, r in REPRESENTATIVES.items() if r.weighted)
FOR_ALL = tuple(name for name, r in REPRESENTATIVES.items() if r.needs != "tree")


def check_ends(recipe: Any, ends: str) -> str:
    """Refuse ends of intervals where no column is one."""
    chosen = {_asked(recipe, column) for column in recipe.schema.quasi_identifiers}
    if ends == "rounded" and "interval" not in chosen:
        raise InputError(
            sentence("{ends='rounded'} needs a column that is an interval."),
            option="ends",
            hint=sentence("Name one in {representatives}, or leave it out."),
        )
    return ends


def _asked(recipe: Recipe, column: str) -> str:
    """What is to be published of a column, whatever its kind."""
    return str(recipe.representatives.get(column, recipe.aggregate))


def representatives_of(recipe: Recipe, kinds: Mapping[str, str]) -> dict[str, str]:
    """What is published of each column, by name.

    A column's own representative must fit its kind; the one of `aggregate` is taken
    where it does.

    Parameters
    ----------
    recipe : Recipe
    kinds : mapping of str to str
        Kind of each quasi-identifier.
    """
    chosen = {}
    for column, kind in kinds.items():
        own = recipe.representatives.get(column)
        fitting = [n for n, r in REPRESENTATIVES.items() if r.fits(kind)]
        if own is not None and own not in fitting:
            raise column_error(
                column,
                f"is {kind}, so its representative cannot be {own!r}.",
                f"Those that fit are {fitting}.",
                option="representatives",
            )
        if own is None and recipe.aggregate in fitting:
            own = recipe.aggregate
        chosen[column] = own or ENCODERS[kind].representative
    intervals = [c for c, name in chosen.items() if name == "interval"]
    rounds = any(ENCODERS[kinds[c]].measured for c in intervals)
    if recipe.ends == "rounded" and not rounds:
        raise InputError(
            sentence(
                "{ends='rounded'} rounds numbers and dates, and of the columns "
                "{intervals} that are intervals none has them.",
                intervals=str(intervals),
            ),
            option="ends",
            hint="Leave it out.",
        )
    return chosen


def forms_of(recipe: Recipe, kinds: Mapping[str, str]) -> list[str]:
    """How the released table shows each column: as a value, an interval or a set."""
    names = representatives_of(recipe, kinds).values()
    return [REPRESENTATIVES[name].form for name in names]


def stays_whole(recipe: Recipe, column: str) -> bool:
    """Whether what is published of a column of numbers is one of its values."""
    return _asked(recipe, column) in ("mode", "medoid")


def representative_notices(recipe: Recipe, kinds: Mapping[str, str]) -> list[str]:
    """What chosen representatives publish of real people, each said once."""
    of: dict[str, list[str]] = {}
    for column, name in representatives_of(recipe, kinds).items():
        if _asked(recipe, column) == name and REPRESENTATIVES[name].publishes:
            rounded = recipe.ends == "rounded" and ENCODERS[kinds[column]].measured
            if not (name == "interval" and rounded):
                of.setdefault(name, []).append(column)
    return [
        f"{', '.join(map(repr, columns))}: {REPRESENTATIVES[name].publishes}"
        for name, columns in of.items()
    ]


def make_aggregators(
    prepared: Prepared, names: Mapping[str, str], weights: np.ndarray | None
) -> list[tuple[Any, list[int]]]:
    """The aggregators of columns, each with the positions of its columns.

    Parameters
    ----------
    prepared : Prepared
    names : mapping of str to str
        Representatives of the columns that are published so.
    weights : ndarray of shape (n_records,), optional
        Sampling weights.
    """
    groups: dict[tuple[str, Any], list[int]] = {}
    for place, encoder in enumerate(prepared.encoders):
        if encoder.name in names:
            name = names[encoder.name]
            apart = {"median": encoder.measured, "ancestor": place}.get(name)
            groups.setdefault((name, apart), []).append(place)
    return [
        (_make(name, prepared, columns, weights), columns)
        for (name, _), columns in groups.items()
    ]


def _make(
    name: str, prepared: Prepared, columns: list[int], weights: np.ndarray | None
) -> Any:
    import microcell.aggregate

    representative = REPRESENTATIVES[name]
    first = prepared.encoders[columns[0]]
    arguments: dict[str, Any] = {}
    if representative.weighted and weights is not None:
        arguments["weights"] = weights
    if name == "median" and not first.measured:
        arguments["even"] = "lower"  # a category that occurs
    if name == "ancestor":
        arguments["levels"] = first.levels
    if name in ("medoid", "set"):
        ordered = [prepared.encoders[place].ordered for place in columns]
        arguments["nominal"] = list(np.flatnonzero(np.logical_not(ordered)))
    return getattr(microcell.aggregate, representative.aggregator)(**arguments)
