"""The draft of a recipe: what the page sends, checked, with every step to go back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcell.app._errors import error_of
from microcell.recipe import ROLES

if TYPE_CHECKING:
    from microcell.recipe import Recipe

MAX_UNDO_STEPS = 200
ONE_COLUMN = ("unit", "weights", "target")


class Drafts:
    """Drafts in the order in which they were made, and which of them holds now.

    Examples
    --------
    >>> drafts = Drafts()
    >>> drafts.put({"k": 5}), drafts.put({"k": 10}), drafts.put({"k": 10})
    (True, True, False)
    >>> drafts.undo(), drafts.now, drafts.can_undo, drafts.can_redo
    (True, {'k': 5}, False, True)
    >>> drafts.put({"k": 3}), drafts.can_redo
    (True, False)
    """

    def __init__(self) -> None:
        self._all: list[dict[str, Any]] = []
        self._place = -1

    @property
    def now(self) -> dict[str, Any] | None:
        """The draft that holds; None before the first."""
        return self._all[self._place] if self._all else None

    @property
    def can_undo(self) -> bool:
        return self._place > 0

    @property
    def can_redo(self) -> bool:
        return self._place < len(self._all) - 1

    def put(self, entries: Mapping[str, Any]) -> bool:
        """Let a draft hold; whether it is another."""
        if entries == self.now:
            return False
        self._all = [*self._all[: self._place + 1], dict(entries)][-MAX_UNDO_STEPS:]
        self._place = len(self._all) - 1
        return True

    def undo(self) -> bool:
        """Go back by one, if there is one."""
        moved = self.can_undo
        self._place -= moved
        return moved

    def redo(self) -> bool:
        """Go forth again."""
        moved = self.can_redo
        self._place += moved
        return moved


def checked(
    entries: Mapping[str, Any],
    allowed_path: Callable[[str], Path],
    look: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A draft as the text of its recipe, or why it is none.

    Parameters
    ----------
    entries : mapping
        Options of a recipe by name.
    allowed_path : callable
        Turns a path that the page named into one that may be read, or raises.
    look : mapping, optional
        What was found of the table.
    """
    try:
        from microcell.app._vetting import vet
        from microcell.recipe import Recipe

        recipe = Recipe.of(vet(entries, allowed_path))
        return {"toml": recipe.to_toml(), "error": _refused(recipe, look)}
    except Exception as error:
        return {"toml": None, "error": error_of(error)}


def _refused(recipe: Recipe, look: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Why a column is not released as it is, if the recipe does not allow it."""
    inspection = (look or {}).get("inspection")
    if inspection is None:
        return None
    masked = {*recipe.schema.quasi_identifiers, *recipe.allow_unique}
    columns = {column["name"]: column for column in inspection["columns"]}
    for name in recipe.schema.released([*columns]):
        refused = columns[name]["refused"]
        if refused is not None and name not in masked:
            way = {"option": "allow_unique", "value": [*recipe.allow_unique, name]}
            return {**refused, "ways": [way]}
    return None


def carried_over(
    old: Mapping[str, Any], new: Mapping[str, Any], columns: Sequence[str]
) -> dict[str, Any]:
    """What was decided before, for a table that was read in another way.

    Parameters
    ----------
    old : mapping
        The draft so far.
    new : mapping
        What is proposed for the table as it is read now.
    columns : sequence of str
        The table's columns.

    Examples
    --------
    >>> old = {"quasi_identifiers": ["age", "gone"], "k": 10, "encoding": "utf-8"}
    >>> new = {"quasi_identifiers": ["age"], "identifiers": ["name"],
    ...        "k": 5, "encoding": "cp1252"}
    >>> carried_over(old, new, ["age", "name"])
    {'quasi_identifiers': ['age'], 'identifiers': ['name'], 'k': 10,
     'encoding': 'cp1252'}
    """
    from microcell.recipe import OPTIONS

    there = set(columns)
    made = {**new}
    for name, value in old.items():
        spec = OPTIONS[name]
        if spec.of_file == "read" or name in ROLES or name == "decimal":
            continue
        if spec.by_column:
            of_columns = {n: of_it for n, of_it in value.items() if n in there}
            value = {**new.get(name, {}), **of_columns}
        elif name in ONE_COLUMN and value not in there and value != "records":
            continue
        elif name in ("strata", "allow_unique"):
            value = [column for column in value if column in there]
        made[name] = value
    decided = {column for role in ROLES for column in old.get(role, ())}
    for role in ROLES:
        kept = [column for column in old.get(role, ()) if column in there]
        kept += [c for c in new.get(role, ()) if c not in decided]
        if kept or role in new:
            made[role] = [column for column in columns if column in kept]
    return made
