"""Files in and out."""

from microcell.io._format import Dialect, Format
from microcell.io._layouts import layouts_of
from microcell.io._outbox import Outbox, check_target, sha256
from microcell.io._tables import (
    FORMATS,
    format_of,
    read_columns,
    read_table,
    write_table,
)

__all__ = [
    "FORMATS",
    "Dialect",
    "Format",
    "Outbox",
    "check_target",
    "format_of",
    "layouts_of",
    "read_columns",
    "read_table",
    "sha256",
    "write_table",
]
