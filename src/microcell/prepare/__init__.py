"""Tables to arrays and back: the one stage that knows dataframes."""

from microcell.prepare._prepared import Prepared, open_frame, prepare
from microcell.prepare._strata import strata_codes
from microcell.prepare._target import target_values

__all__ = [
    "Prepared",
    "open_frame",
    "prepare",
    "strata_codes",
    "target_values",
]
