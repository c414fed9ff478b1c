"""Files in and out."""

from microcell.io._address import address_of as address_of
from microcell.io._address import is_address
from microcell.io._compressed import COMPRESSIONS as COMPRESSIONS
from microcell.io._compressed import compression_of as compression_of
from microcell.io._compressed import create_bytes as create_bytes
from microcell.io._compressed import open_bytes as open_bytes
from microcell.io._compressed import unpacked_size as unpacked_size
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
from microcell.io._encoding import OFTEN_MET as OFTEN_MET
from microcell.io._extras import needed as needed
from microcell.io._format import Dialect, Format, Source
from microcell.io._layouts import Layout, layouts_of
from microcell.io._notes import ColumnNotes, kind_noted
from microcell.io._number_layout import NumberLayout, number_layout
from microcell.io._outbox import Outbox, check_target, digest_of, sha256
from microcell.io._outbox import _stem as _stem
from microcell.io._outbox import exists_already as exists_already
from microcell.io._parquet import PARQUET as PARQUET
from microcell.io._parquet import check_types as check_types
from microcell.io._parquet import converted as converted
from microcell.io._read_back import check_read_back
from microcell.io._staged_table import StagedTable as StagedTable
from microcell.io._table_log import LOGS as LOGS
from microcell.io._table_log import Logged as Logged
from microcell.io._table_log import is_folder_of_files
from microcell.io._table_log import log_in as log_in
from microcell.io._table_log import logged_error as logged_error
from microcell.io._table_log import refuse_logged as refuse_logged
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
from microcell.io._text import TEXTS as TEXTS
from microcell.io._text import UNSEEN as UNSEEN
from microcell.io._text import detected_dialect as detected_dialect
from microcell.io._text import read_header as read_header
from microcell.io._text_blocks import read_blocks as read_blocks

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
