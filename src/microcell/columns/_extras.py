"""Extras: what a user asks of a column beyond its kind, and what is learnt for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microcell.columns._limits import learn_limits
from microcell.columns._steps import Spread, spread_of
from microcell.exceptions import SchemaError

if TYPE_CHECKING:
    import narwhals as nw

    from microcell.columns._kinds import Options


ROUNDED_KINDS = ("numeric", "date")


class Extras(NamedTuple):
    """Rounding and limits of a column.

    Attributes
    ----------
    digits : int or None
        Decimals of released numbers.
    limits : (float, float) or None
        Least and greatest value; what lies beyond is set to them.
    spread : Spread or None
        From which the step of rounded ends follows.
    """

    digits: int | None = None
    limits: tuple[float, float] | None = None
    spread: Spread | None = None

    def merge(self, other: Any) -> Extras:
        """Those of two parts of a table.

        Limits that are quantiles of the parts become the outer of both, which at
        least as many records share.
        """
        limits, spread = self.limits, self.spread
        if limits is not None:
            low = min(limits[0], other.limits[0])
            limits = (low, max(limits[1], other.limits[1]))
        if spread is not None:
            spread = spread.merge(other.spread)
        return Extras(self.digits, limits, spread)

    def to_dict(self) -> dict[str, Any]:
        """What there is, as plain data."""
        shown: dict[str, Any] = {"digits": self.digits, "limits": self.limits}
        if self.spread is not None:
            shown["deviation"] = self.spread.deviation
        return {name: value for name, value in shown.items() if value is not None}


def learn_extras(encoder: Any, series: nw.Series[Any], options: Options) -> Extras:
    """The extras of a column that its encoder was fitted to."""
    if options.digits is not None:
        _check_kind(encoder, "digits", ("numeric",))
    limits = None
    if options.clip is not None:
        _check_kind(encoder, "clip", ("numeric", "date", "ordinal"))
        limits = learn_limits(encoder, encoder.encode(series), options.clip)
    spread = None
    if options.ends == "rounded" and encoder.kind in ROUNDED_KINDS:
        values = encoder.encode(series)
        spread = spread_of(values if limits is None else np.clip(values, *limits))
    return Extras(options.digits, limits, spread)


def _check_kind(encoder: Any, option: Any, kinds: Any) -> None:
    if encoder.kind not in kinds:
        raise SchemaError(
            f"Column {encoder.name!r} is {encoder.kind}, and {option!r} is for columns "
            f"that are {' or '.join(kinds)}.",
            column=encoder.name,
            option=option,
            hint="Leave it out, or declare another kind.",
        )
