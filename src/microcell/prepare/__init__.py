"""Tables to arrays and back: the one stage that knows dataframes."""

from microcell.prepare._confidential import (
    DECIMAL_BESIDE,
    ConfidentialReading,
    decimal_beside,
)
from microcell.prepare._encoder import Encoder
from microcell.prepare._kinds import ENCODERS, Options, fit_encoder
from microcell.prepare._limits import Clip
from microcell.prepare._missing_marks import Marks, as_marks, marks_of, unused_marks
from microcell.prepare._open import as_table, open_frame
from microcell.prepare._prepared import Prepared, is_missing, prepare
from microcell.prepare._reading import Reading
from microcell.prepare._releasable import check_releasable
from microcell.prepare._strata import strata_codes
from microcell.prepare._target import check_kind, target_values
from microcell.prepare._text_tables import (
    check_reading,
    columns_to_read,
    is_text_table,
    mixed_offsets,
    read_text_table,
    refuse_disguised,
)
from microcell.prepare._text_types import MISSING_MARKS, read_text, type_columns

__all__ = [
    "DECIMAL_BESIDE",
    "ENCODERS",
    "MISSING_MARKS",
    "Clip",
    "ConfidentialReading",
    "Encoder",
    "Marks",
    "Options",
    "Prepared",
    "Reading",
    "as_marks",
    "as_table",
    "check_kind",
    "check_reading",
    "check_releasable",
    "columns_to_read",
    "decimal_beside",
    "fit_encoder",
    "is_missing",
    "is_text_table",
    "marks_of",
    "mixed_offsets",
    "open_frame",
    "prepare",
    "read_text",
    "read_text_table",
    "refuse_disguised",
    "strata_codes",
    "target_values",
    "type_columns",
    "unused_marks",
]
