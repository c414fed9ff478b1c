"""Errors of other libraries, in words that show no value of a record.

Nothing heavy is imported here.
"""

from __future__ import annotations

import re

READERS = ("polars", "pyarrow", "narwhals", "_csv", "csv")
DATABASE_DRIVERS = ("sqlite3", "adbc_driver_manager")


def of_a_reader(error: BaseException) -> bool:
    """Whether an error comes from the libraries that read and convert tables."""
    return _home(error) in (*READERS, *DATABASE_DRIVERS)


def plain_words(error: BaseException) -> str:
    """What an error says, without the system's numbers.

    Examples
    --------
    >>> plain_words(PermissionError(13, "Permission denied", "t.csv"))
    't.csv: permission denied.'
    """
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename is not None else ""
        return f"{place}{error.strerror.lower()}."
    return str(error)


def without_values(error: BaseException) -> str:
    """An error of a library that converts tables: its message may quote a record.

    Examples
    --------
    >>> import csv
    >>> without_values(csv.Error("in column 'age' for 1 value: ['John Smith']"))
    "The table cannot be read or converted (Error of _csv, in column 'age')."
    """
    column = re.search(r"column '[^']*'", str(error))
    where = f", in {column[0]}" if column else ""
    name = type(error).__name__
    return f"The table cannot be read or converted ({name} of {_home(error)}{where})."


def _home(error: BaseException) -> str:
    return type(error).__module__.split(".")[0]
