"""Tables to arrays and back: the one stage that knows dataframes."""

from microcell.columns._confidential import AS_IT_IS as AS_IT_IS
from microcell.columns._confidential import (
    DECIMAL_BESIDE,
    ConfidentialReading,
    decimal_beside,
)
from microcell.columns._encoder import Encoder
from microcell.columns._extras import Extras as Extras
from microcell.columns._kinds import ENCODERS, Options, fit_encoder
from microcell.columns._kinds import kind_of as kind_of
from microcell.columns._limits import Clip
from microcell.columns._limits import is_percentage as is_percentage
from microcell.columns._limits import learn_limits as learn_limits
from microcell.columns._limits import limit_number as limit_number
from microcell.columns._missing_marks import Marks, as_marks, marks_of, unused_marks
from microcell.columns._open import as_table, open_frame
from microcell.columns._prepared import Prepared, is_missing, prepare
from microcell.columns._prepared import as_written as as_written
from microcell.columns._prepared import encode_columns as encode_columns
from microcell.columns._prepared import missing_values as missing_values
from microcell.columns._prepared import none_left as none_left
from microcell.columns._prepared import own_values as own_values
from microcell.columns._prepared import read_as as read_as
from microcell.columns._prepared import released_values as released_values
from microcell.columns._reading import Reading
from microcell.columns._releasable import check_releasable
from microcell.columns._series import arrow_values as arrow_values
from microcell.columns._series import dictionary as dictionary
from microcell.columns._series import series_like as series_like
from microcell.columns._steps import MANTISSAS as MANTISSAS
from microcell.columns._steps import Spread as Spread
from microcell.columns._steps import Step as Step
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
from microcell.columns._text_types import CODE_WITH_ZERO as CODE_WITH_ZERO
from microcell.columns._text_types import CURRENCY as CURRENCY
from microcell.columns._text_types import DECIMAL_MARKS as DECIMAL_MARKS
from microcell.columns._text_types import LAYOUTS as LAYOUTS
from microcell.columns._text_types import MARKED_NUMBER as MARKED_NUMBER
from microcell.columns._text_types import MISSING_MARKS, read_text, type_columns
from microcell.columns._text_types import OTHER_DATE as OTHER_DATE
from microcell.columns._text_types import TEXT_KINDS as TEXT_KINDS
from microcell.columns._text_types import date_format as date_format
from microcell.columns._text_types import known_texts as known_texts
from microcell.columns._text_types import number_or_none as number_or_none

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
