"""Excel workbooks: one sheet is a table, and cells are values, never formulas.

Calamine reads what the cells hold: text that looks like a number stays text, dates are
dates, whole numbers are integers. A column of several types is read as text, with a
notice. XlsxWriter writes a workbook of one sheet with nothing else in it.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from microcell.exceptions import InputError, Option
from microcell.io._extras import needed
from microcell.io._format import Dialect, Format, Source
from microcell.io._format_limits import (
    COMMON,
    before,
    beyond,
    of_texts,
    shown_without_empty,
)
from microcell.io._header import check_repeated
from microcell.io._notes import whole_as_integers
from microcell.io._unpacked import check_workbook

SHEET = "release"  # what a written sheet is called
MAX_ROWS, MAX_COLUMNS = 1_048_575, 16_384  # of records
MAX_CELL_CHARACTERS = 32_767
FIRST_DAY_OF_EXCEL = datetime.date(1900, 3, 1)  # before it Excel counts a day too many
NEVER = datetime.datetime(2000, 1, 1)  # a workbook must have been made at some time
SHAPES = (
    (pl.Date, "yyyy-mm-dd"),
    (pl.Datetime, "yyyy-mm-dd hh:mm:ss"),
    (pl.Time, "hh:mm:ss"),
)
CELL_TYPES: dict[type, Any] = {
    bool: pl.Boolean,
    float: pl.Float64,
    str: pl.String,
    datetime.date: pl.Date,
    datetime.datetime: pl.Datetime("us"),
    datetime.time: pl.Time,
    datetime.timedelta: pl.Duration("us"),
}
TOGETHER = {  # types of one column that are one type
    frozenset({datetime.date, datetime.datetime}): pl.Datetime("us"),
    frozenset({datetime.time, datetime.timedelta}): pl.Duration("us"),
}


def read_excel(path: str | Path, name: str | Path, dialect: Dialect) -> Source:
    """The table of one sheet; its first row that holds something names the columns."""
    book = _workbook(path, name)
    sheet, cells = _chosen_sheet(book, name, dialect.sheet)
    rows = cells.to_python(skip_empty_area=True)
    header = _header(rows[:1], name)
    rows = rows[1:]
    while rows and all(value == "" for value in rows[-1]):
        rows.pop()
    columns, mixed = [], []
    for place, column in enumerate(header):
        values = [row[place] for row in rows]
        series, several = _column(column, values)
        columns.append(series)
        mixed += [column] * several
    notices = [
        f"column {column!r} of the sheet holds values of several types, and is read as "
        "text"
        for column in mixed
    ]
    sheets = tuple(book.sheet_names)
    if dialect.sheet is None and len(sheets) > 1:
        # without its name, because notices are published with a release
        notices.append("the table is the only sheet that has cells")
    return Source(
        pl.DataFrame(columns),
        Dialect(sheet=sheet),
        notices=tuple(notices),
        sheets=sheets,
    )


def _workbook(path: str | Path, name: str | Path) -> Any:
    calamine = needed("python_calamine", "excel", "Excel files")
    check_workbook(path, name)
    try:  # by its bytes: a staged file has no suffix
        with open(path, "rb") as file:
            return calamine.CalamineWorkbook.from_filelike(file)
    except (calamine.CalamineError, OSError) as error:
        if "assword" in str(error):
            raise InputError(
                f"{name} is protected by a password.", hint="Save it without one."
            ) from None
        raise InputError(f"{name} is not an Excel file, or it is damaged.") from None


def sheet_names(path: str | Path, name: str | Path) -> list[str]:
    """What the sheets of a workbook are called, in their order."""
    return list(_workbook(path, name).sheet_names)


def _chosen_sheet(book: Any, name: str | Path, wanted: str | None) -> tuple[str, Any]:
    """A sheet by its name, or the only one that has cells."""
    names = list(book.sheet_names)
    if wanted is not None and wanted not in names:
        raise InputError(
            f"{name} has no sheet {wanted!r}.",
            option="sheet",
            hint=f"Its sheets are {names}.",
        )
    if wanted is None:
        filled = [n for n in names if book.get_sheet_by_name(n).height > 0]
        if len(filled) > 1:
            raise InputError(
                f"{name} has several sheets: {filled}.",
                option="sheet",
                hint=["Name the one that holds the table in ", Option("sheet"), "."],
            )
        if not filled:
            raise InputError(f"{name} has no sheet that holds something.")
        wanted = filled[0]
    return wanted, book.get_sheet_by_name(wanted)


def _header(rows: list[list[Any]], name: str | Path) -> list[str]:
    """Names of the columns; numbers and dates in the header are text."""
    header = [_as_text(value) or "" for value in rows[0]] if rows else []
    if not any(header):
        raise InputError(f"{name} has no header: its first row is empty.")
    if not any(isinstance(value, str) for value in rows[0]):
        raise InputError(
            f"The first row of {name} holds no text: it looks like a record, not like "
            "column names.",
            hint="Add a row with the names of the columns.",
        )
    unnamed = [place for place, text in enumerate(header, start=1) if not text]
    if unnamed:
        raise InputError(
            f"{name} has columns without a name in its first row (number {unnamed}).",
            hint="Name them, or delete what stands above the table.",
        )
    check_repeated(header, name)
    return header


def _column(name: str, values: list[Any]) -> tuple[pl.Series, bool]:
    """Cells as a column, and whether they were of several types."""
    types = {type(value) for value in values if value != ""}
    if not types:
        return pl.Series(name, [None] * len(values), dtype=pl.String), False
    dtype = CELL_TYPES[next(iter(types))] if len(types) == 1 else None
    dtype = TOGETHER.get(frozenset(types), dtype)
    if dtype is None:
        return pl.Series(name, list(map(_as_text, values)), dtype=pl.String), True
    if dtype == pl.Datetime("us"):
        values = list(map(_as_moment, values))
    elif dtype == pl.Duration("us"):
        values = list(map(_as_duration, values))
    cells = [None if value == "" else value for value in values]
    return whole_as_integers(pl.Series(name, cells, dtype=dtype)), False


def _as_moment(value: Any) -> Any:
    plain_day = type(value) is datetime.date
    return datetime.datetime.combine(value, datetime.time()) if plain_day else value


def _as_duration(value: Any) -> Any:
    if not isinstance(value, datetime.time):
        return value
    return datetime.datetime.combine(NEVER, value) - NEVER


def _as_text(value: Any) -> str | None:
    """A cell as text; a whole number has no point, and an empty cell is missing."""
    if value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def excel_columns(path: str | Path, name: str | Path, dialect: Dialect) -> list[str]:
    """Names of the columns, from the first row that holds something."""
    _, cells = _chosen_sheet(_workbook(path, name), name, dialect.sheet)
    return _header(cells.to_python(skip_empty_area=True, nrows=1), name)


def not_in_excel(frame: pl.DataFrame, dialect: Dialect) -> dict[str, str]:
    """Columns of which Excel would change values."""
    reasons = beyond(frame, LIMITS)
    if frame.height > MAX_ROWS or frame.width > MAX_COLUMNS:
        words = f"more than {MAX_ROWS} records or {MAX_COLUMNS} columns"
        reasons = dict.fromkeys(frame.columns, words)
    return reasons


LIMITS = (
    *COMMON,
    of_texts(
        f"text of more than {MAX_CELL_CHARACTERS} characters",
        lambda texts: texts.str.len_chars() > MAX_CELL_CHARACTERS,
    ),
    before(FIRST_DAY_OF_EXCEL, "dates before March 1900"),
)


def write_excel(
    frame: pl.DataFrame, path: str | Path, layouts: Mapping[str, Any], dialect: Dialect
) -> None:
    """A workbook of one sheet: names in the first row, then the records."""
    xlsxwriter = needed("xlsxwriter", "excel", "Excel files")
    book = xlsxwriter.Workbook(
        str(path),
        {
            "in_memory": True,  # a killed process leaves no temporary file
            "strings_to_formulas": False,
            "strings_to_numbers": False,
            "strings_to_urls": False,
        },
    )
    book.set_properties({"created": NEVER, "author": ""})
    sheet = book.add_worksheet(SHEET, worksheet_class=_exact_sheet())
    columns = list(shown_without_empty(frame, layouts).iter_columns())
    writers = [_writer(book, sheet, series.dtype) for series in columns]
    for place, series in enumerate(columns):
        sheet.write_string(0, place, series.name)
    values = [_as_serials(series).to_list() for series in columns]
    for row, record in enumerate(zip(*values, strict=True), start=1):
        for place, value in enumerate(record):
            if value is not None:
                writers[place](row, place, value)
    book.close()


def _exact_sheet() -> Any:
    """A sheet that writes numbers to the last digit; XlsxWriter's own drops one."""
    from xlsxwriter.worksheet import Worksheet

    class ExactSheet(Worksheet):
        def _xml_number_element(self, number: Any, attributes: Any = ()) -> None:
            said = "".join(f' {key}="{value}"' for key, value in attributes)
            self.fh.write(f"<c{said}><v>{number!r}</v></c>")

    return ExactSheet


def _writer(book: Any, sheet: Any, dtype: Any) -> Callable[[int, int, Any], Any]:
    """What writes the cells of a column; text is never read as anything else."""
    if dtype == pl.Boolean:
        return sheet.write_boolean
    if dtype == pl.String or dtype == pl.Null:
        return sheet.write_string
    shape = next((shape for kind, shape in SHAPES if dtype == kind), None)
    if shape is None:
        return sheet.write_number
    style = book.add_format({"num_format": shape})
    return lambda row, place, value: sheet.write_number(row, place, value, style)


def _as_serials(series: pl.Series) -> pl.Series:
    """Dates and times as Excel counts them: in days since the end of 1899."""
    if series.dtype == pl.Date:
        return series.cast(pl.Int64) + 25569
    if series.dtype == pl.Datetime:
        return series.dt.timestamp("us") / 86_400_000_000 + 25569
    if series.dtype == pl.Time:
        return series.cast(pl.Int64) / 86_400_000_000_000
    return series


EXCEL = Format(
    name="Excel",
    suffixes=(".xlsx",),
    typed=True,
    read=read_excel,
    columns=excel_columns,
    write=write_excel,
    shown=shown_without_empty,
    cannot_hold=not_in_excel,
    reader="python-calamine",
    open_to=("sheet",),
    sheets=sheet_names,
)
OTHER_WORKBOOKS = replace(
    EXCEL,
    name="Excel of other kinds, OpenDocument",
    suffixes=(".xls", ".xlsb", ".xlsm", ".ods"),
    write=None,
)
