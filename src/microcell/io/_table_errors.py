"""Errors that both databases share."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from microcell.exceptions import InputError, Option, OutputExistsError
from microcell.io._address import Address


def no_such_table(address: Address, names: Sequence[str]) -> InputError:
    """The error for a table that is not there, with the nearest that is."""
    near = difflib.get_close_matches(str(address.table), names, n=1, cutoff=0.5)
    guess = f"Did you mean {near[0]!r}? " if near else ""
    return InputError(f"There is no table {address}.", hint=guess.strip())


def table_exists(address: Address, kind: str) -> OutputExistsError:
    """The error for an output that is there already."""
    if kind != "table":
        return OutputExistsError(
            f"{address} is there, and it is no table ({kind}).",
            hint="Choose another name.",
        )
    return OutputExistsError(
        f"{address} exists.",
        option="overwrite",
        hint=[
            "Choose another name, or overwrite it with ",
            Option("overwrite", True),
            ".",
        ],
    )
