"""Document: one table, and everything that was decided and found about it."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcell.app._drafts import Drafts
from microcell.recipe import READING_OPTIONS, ROLES


@dataclass(eq=False)
class Document:
    """A table and what belongs to it.

    Attributes
    ----------
    name : str
        What the user calls the file.
    path : Path
        Where it is.
    folder : Path
        What is removed with the document.
    reading : dict
        How the user says that the file is to be read; None where it is found out.
    look : dict or None
        The preview and the inspection.
    problem : dict or None
        Why there is none.
    proposal : dict or None
        The draft that the inspection proposes.
    confirmed : list or None
        The roles that the user has confirmed.
    revision : int
        How often something changed.
    decided : int
        The revision at which the draft last changed.
    """

    name: str
    path: Path
    folder: Path
    size: int = 0
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    reading: dict[str, Any] = field(
        default_factory=lambda: dict.fromkeys(READING_OPTIONS)
    )
    look: dict[str, Any] | None = None
    problem: dict[str, Any] | None = None
    proposal: dict[str, Any] | None = None
    drafts: Drafts = field(default_factory=Drafts)
    checked: dict[str, Any] | None = None
    confirmed: list[Any] | None = None
    comparison: dict[str, Any] | None = None
    revision: int = 1
    decided: int = 1
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def roles(self) -> list[Any]:
        """What says the role of each column."""
        entries, columns = self.drafts.now or {}, (self.look or {}).get("columns")
        return [columns, *(entries.get(name) for name in (*ROLES, "others"))]

    @property
    def n_records(self) -> int | None:
        return None if self.look is None else self.look["n_records"]

    def brief(self) -> dict[str, Any]:
        """The document in a list."""
        return {
            "id": self.id,
            "name": self.name,
            "size": self.size,
            "n_records": self.n_records,
            "revision": self.revision,
        }

    def to_dict(self) -> dict[str, Any]:
        """The document as the page shows it."""
        comparison = self.comparison
        if comparison is not None:
            outdated = comparison["based_on"] != shared_by_candidates(self.drafts.now)
            comparison = {**comparison, "outdated": outdated}
            del comparison["based_on"]
        return {
            **self.brief(),
            "reading": self.reading,
            "look": self.look,
            "problem": self.problem,
            "draft": self.drafts.now,
            "checked": self.checked,
            "confirmed": self.confirmed == self.roles,
            "can_undo": self.drafts.can_undo,
            "can_redo": self.drafts.can_redo,
            "comparison": comparison,
        }


def shared_by_candidates(entries: Any) -> dict[str, Any]:
    """The settings that a comparison does not vary."""
    varied = ("k", "method", "parameters", "target", "random_state")
    return {n: v for n, v in (entries or {}).items() if n not in varied}
