"""What intruders gain from a released table: by what they know, and what they guess."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl

from microcell.columns import ConfidentialReading
from microcell.exceptions import InputError
from microcell.metrics import (
    DRAWN_SUBSETS,
    MAX_SUBSET_COLUMNS,
    SUBSETS_SEED,
    attribute_inference_risk,
    labelled,
    marketer_risk,
    shown,
    singling_out_risk,
    subset_linkage_risk,
)
from microcell.privacy import has_order, value_codes, value_numbers

MAX_SUBSETS = 300
NEAR_GUESS = 0.05  # of the range: a guess of a number that is no farther off is right


@dataclass(frozen=True)
class Attacks:
    """Risks of a released table beyond the sizes of its classes.

    Attributes
    ----------
    marketer : MarketerRisk
    subsets : SubsetLinkageRisk
    inference : dict of AttributeInferenceRisk
        Of each confidential column.
    singling_out : SinglingOutRisk or None
        If the original is given.
    """

    marketer: Any
    subsets: Any
    inference: dict[str, Any]
    singling_out: Any = None

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {name: _plain(value) for name, value in vars(self).items()}

    def lines(self) -> list[str]:
        """The figures as a person reads them."""
        lines = []
        for known in self.subsets.by_size:
            how = "" if known.exact else f" (of {known.n_subsets} drawn)"
            worst = known.worst
            lines.append(
                labelled(
                    f"knowing {known.size}",
                    f"average risk {shown(known.mean)}{how}; at worst "
                    f"{shown(worst.average)}, unique {shown(worst.unique)}, by "
                    f"{', '.join(map(str, worst.columns))}",
                )
            )
        lines.append(labelled("tells most", self.subsets.most))
        for name, found in self.inference.items():
            by = "" if found.most is None else f"; by {found.most}"
            lines.append(
                f"{f'guessing {name}':<19} right for {_rate(found.attack)}, without "
                f"the release {_rate(found.baseline)}, strangers "
                f"{_rate(found.control)}; gain {_risk(found.risk)}, beyond strangers "
                f"{_risk(found.risk_beyond_control)}{by}"
            )
        if self.singling_out is not None:
            found = self.singling_out
            lines.append(
                labelled(
                    "singling out",
                    f"{_rate(found.attack)} of {found.attack.n_attacks} predicates, by "
                    f"chance {_rate(found.baseline)}; gain {_risk(found.risk)}",
                )
            )
        return lines


def attacks_of(
    table: pl.DataFrame,
    quasi_identifiers: Sequence[str],
    confidential: Sequence[str] = (),
    original: pl.DataFrame | None = None,
    decimal: str | None = None,
) -> Attacks:
    """Try what intruders would on a released table.

    Parameters
    ----------
    table : polars.DataFrame
        The release, as it was read from a file.
    quasi_identifiers, confidential : sequence of str
    original : polars.DataFrame, optional
        The original, its records in any order, for predicates that single out people.
    decimal : {".", ","}, optional
        The decimal mark of numbers that are text, where it is not found out.
    """
    names = list(quasi_identifiers)
    reading = ConfidentialReading(tuple(names), {}, decimal)
    released = reading.read(table.select(names))
    inference = {
        name: attribute_inference_risk(released, **_values(table, name))
        for name in confidential
    }
    singled = None
    if original is not None:
        before = reading.read(original.select(names))
        try:
            singled = singling_out_risk(before, released, random_state=SUBSETS_SEED)
        except ValueError as error:  # intervals and groups are no values there
            raise InputError(
                f"People cannot be singled out in the original: {error}",
                option="original",
                hint="Leave it out, or columns that are released as text.",
            ) from None
    return Attacks(
        marketer=marketer_risk(released),
        subsets=subset_linkage_risk(
            released,
            size=_size(len(names)),
            n_draws=DRAWN_SUBSETS,
            random_state=SUBSETS_SEED,
        ),
        inference=inference,
        singling_out=singled,
    )


def _size(n_columns: int) -> int:
    """Largest size of subsets of which all can be looked at in good time."""
    size = n_subsets = 0
    for known in range(1, min(MAX_SUBSET_COLUMNS, n_columns) + 1):
        n_subsets += math.comb(n_columns, known)
        if n_subsets <= MAX_SUBSETS or known == 1:
            size = known
    return size


def _values(table: pl.DataFrame, name: str) -> dict[str, Any]:
    """Values of a confidential column, and how far off a guess of a number may be.

    A column of numbers in which some are missing is one of categories.
    """
    if has_order(table, name):
        numbers = value_numbers(table, name)
        if np.isfinite(numbers).all() and np.ptp(numbers) > 0:
            return {"y": numbers, "tolerance": NEAR_GUESS * float(np.ptp(numbers))}
    return {"y": value_codes(table, name)}


def _rate(rate: Any) -> str:
    return _with_interval(rate.rate, rate)


def _risk(risk: Any) -> str:
    return _with_interval(risk.risk, risk)


def _with_interval(share: float, found: Any) -> str:
    return (
        f"{shown(share, decimals=1)} ({100 * found.low:.1f} to {100 * found.high:.1f})"
    )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _plain(entry) for name, entry in value.items()}
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(entry) for name, entry in asdict(value).items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return value.item() if hasattr(value, "item") else value
