"""Tables to arrays and back: the one stage that knows dataframes."""

from microcell.prepare._encoder import Encoder
from microcell.prepare._kinds import ENCODERS, Options, fit_encoder
from microcell.prepare._limits import Clip
from microcell.prepare._prepared import Prepared, is_missing, open_frame, prepare
from microcell.prepare._releasable import check_releasable
from microcell.prepare._strata import strata_codes
from microcell.prepare._target import check_kind, target_values
from microcell.prepare._text_tables import (
    is_text_table,
    marks_of,
    read_text_table,
    refuse_disguised,
)
from microcell.prepare._text_types import MISSING_MARKS, read_text, type_columns

__all__ = [
    "ENCODERS",
    "MISSING_MARKS",
    "Clip",
    "Encoder",
    "Options",
    "Prepared",
    "check_kind",
    "check_releasable",
    "fit_encoder",
    "is_missing",
    "is_text_table",
    "marks_of",
    "open_frame",
    "prepare",
    "read_text",
    "read_text_table",
    "refuse_disguised",
    "strata_codes",
    "target_values",
    "type_columns",
]
