"""Numbers of bytes as people say them; nothing heavy is imported here."""

from __future__ import annotations

import re

from microcell.exceptions import InputError

BYTES_IN = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)B?", re.IGNORECASE)


def as_bytes(given: str | int | None, option: str = "memory") -> int | None:
    """A size in bytes.

    Parameters
    ----------
    given : str, int or None
    option : str
        What it is, for the error.

    Examples
    --------
    >>> as_bytes("8GB"), as_bytes("500 MB"), as_bytes(1024)
    (8000000000, 500000000, 1024)
    """
    if given is None or (isinstance(given, int) and not isinstance(given, bool)):
        size = given
    else:
        found = SIZE.fullmatch(str(given).strip())
        size = None
        if found is not None:
            size = int(float(found[1]) * BYTES_IN[found[2].upper()])
    if given is not None and (size is None or size <= 0):
        raise InputError(
            f"{option!r} is a size such as 8GB or 500MB. Got {given!r}.", option=option
        )
    return size


def in_words(size: float) -> str:
    """A number of bytes as people say it.

    Examples
    --------
    >>> in_words(512), in_words(6_300_000_000)
    ('512 bytes', '6.3 GB')
    """
    for unit, name in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size:.0f} bytes"
