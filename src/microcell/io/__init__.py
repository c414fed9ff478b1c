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
from microcell.io._format import Dialect, Format, Source
from microcell.io._layouts import Layout, layouts_of
from microcell.io._notes import ColumnNotes, kind_noted
from microcell.io._number_layout import NumberLayout, number_layout
from microcell.io._outbox import Outbox, check_target, digest_of, sha256
from microcell.io._read_back import check_read_back
from microcell.io._table_log import is_folder_of_files
from microcell.io._tables import (
    FORMATS,
    file_and_part,
    format_named,
    format_of,
    read_columns,
    read_source,
    read_table,
    sheets_of,
    writable,
    write_table,
)

__all__ = [
    "FORMATS",
    "ColumnNotes",
    "DateLayout",
    "Dialect",
    "Format",
    "Layout",
    "NumberLayout",
    "Outbox",
    "Source",
    "check_format",
    "check_table_output",
    "check_target",
    "date_layout",
    "digest_of",
    "file_of",
    "format_of",
    "implied_format",
    "is_address",
    "is_folder_of_files",
    "check_read_back",
    "file_and_part",
    "format_named",
    "kind_noted",
    "layouts_of",
    "moments_of",
    "number_layout",
    "pattern_of_format",
    "proposed_formats",
    "read_columns",
    "read_source",
    "read_table",
    "sha256",
    "sheets_of",
    "table_of",
    "write_staged",
    "writable",
    "write_table",
]
