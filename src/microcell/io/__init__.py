"""Files in and out."""

from microcell.io._address import is_address
from microcell.io._database import (
    check_table_output,
    file_of,
    table_of,
    write_staged,
)
from microcell.io._date_format import check_format, moments_of, pattern_of_format
from microcell.io._date_layout import (
    DateLayout,
    date_layout,
    implied_format,
    proposed_formats,
)
from microcell.io._format import Dialect, Format
from microcell.io._layouts import Layout, layouts_of
from microcell.io._number_layout import NumberLayout, number_layout
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
    "DateLayout",
    "Dialect",
    "Format",
    "Layout",
    "NumberLayout",
    "Outbox",
    "check_format",
    "check_table_output",
    "check_target",
    "date_layout",
    "file_of",
    "format_of",
    "implied_format",
    "is_address",
    "layouts_of",
    "moments_of",
    "number_layout",
    "pattern_of_format",
    "proposed_formats",
    "read_columns",
    "read_table",
    "sha256",
    "table_of",
    "write_staged",
    "write_table",
]
