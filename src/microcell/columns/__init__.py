"""Tables to arrays and back: the one stage that knows dataframes."""

from microcell.columns._confidential import (
    DECIMAL_BESIDE,
    ConfidentialReading,
    decimal_beside,
)
from microcell.columns._encoder import Encoder
from microcell.columns._kinds import ENCODERS, Options, fit_encoder
from microcell.columns._limits import Clip
from microcell.columns._missing_marks import Marks, as_marks, marks_of, unused_marks
from microcell.columns._open import as_table, open_frame
from microcell.columns._prepared import Prepared, is_missing, prepare
from microcell.columns._reading import Reading
from microcell.columns._releasable import check_releasable
from microcell.columns._strata import strata_codes
from microcell.columns._target import check_kind, target_values
from microcell.columns._text_tables import (
    check_reading,
    columns_to_read,
    is_text_table,
    mixed_offsets,
    read_text_table,
    refuse_disguised,
)
from microcell.columns._text_types import MISSING_MARKS, read_text, type_columns

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
