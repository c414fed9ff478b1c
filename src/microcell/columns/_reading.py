"""How text is to be read where it does not say it itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Reading(NamedTuple):
    """What is known of the text of a table.

    Attributes
    ----------
    decimal : {".", ","} or None
        The decimal mark of its numbers; None for plain numbers only.
    dates : mapping of str to str
        Formats of columns with dates, as `strptime` writes them.
    """

    decimal: str | None = None
    dates: Mapping[str, str] = {}

    def kind(self, name: str, kinds: Any) -> Any:
        """The declared kind of a column; one that has a format is a date."""
        return "date" if name in self.dates else kinds.get(name)


PLAIN = Reading()
