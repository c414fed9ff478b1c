"""Kinds of columns, by name: where the encoder of each is.

Nothing heavy is imported here, because the command line reads the names. A new kind is
a file with its encoder and a line in `ENCODERS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from microcell.columns._encoder import Encoder


class Encoders(Mapping[str, "type[Encoder]"]):
    """The encoder of each kind of column, imported when it is first asked for.

    Attributes
    ----------
    places : dict
        Module and class of each, by its kind.
    """

    def __init__(self, **places: str) -> None:
        self.places = places

    def __getitem__(self, kind: str) -> type[Encoder]:
        module, name = self.places[kind].rsplit(".", 1)
        encoder: type[Encoder] = getattr(import_module(module), name)
        return encoder

    def __contains__(self, kind: object) -> bool:
        return kind in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def of(self, kind: Any) -> type[Encoder]:
        """The encoder of a declared kind; a list of values is an order.

        Of None it is the one that promises nothing.
        """
        from microcell.columns._encoder import Encoder

        if kind is None:
            return Encoder
        return self[kind if isinstance(kind, str) else "ordinal"]

    def that_are(self, quality: str) -> list[str]:
        """Kinds whose encoders have a quality: "ordered", "measured", ..."""
        return [kind for kind, encoder in self.items() if getattr(encoder, quality)]


ENCODERS = Encoders(
    numeric="microcell.columns._numeric.NumericEncoder",
    ordinal="microcell.columns._categories.OrdinalEncoder",
    nominal="microcell.columns._categories.NominalEncoder",
    date="microcell.columns._date.DateEncoder",
    prefix="microcell.columns._prefix.PrefixEncoder",
    hierarchy="microcell.columns._hierarchy.HierarchyEncoder",
)
