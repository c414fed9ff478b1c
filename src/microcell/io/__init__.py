"""Files in and out."""

from microcell.io._csv_types import MISSING_MARKS, type_columns
from microcell.io._outbox import Outbox, check_target, sha256
from microcell.io._tables import FORMATS, format_of, read_table, write_table

__all__ = [
    "FORMATS",
    "MISSING_MARKS",
    "Outbox",
    "check_target",
    "format_of",
    "read_table",
    "sha256",
    "type_columns",
    "write_table",
]
