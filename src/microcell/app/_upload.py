"""Uploads: counted while they come, under a name that is safe everywhere."""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path

from microcell._bytes import in_words
from microcell.app._errors import Refused
from microcell.app._workspace import for_me_alone

MAX_NAME_CHARACTERS = 100  # characters
KEPT_FREE_BYTES = 200 * 10**6  # bytes of the disk that an upload leaves alone


async def receive(
    chunks: AsyncIterator[bytes], target: Path, limit: int, declared: int | None = None
) -> int:
    """Write what comes to a new file, and stop as soon as it is more than the limit.

    Parameters
    ----------
    chunks : asynchronous iterator of bytes
    target : path
        A new file; it is gone again if anything goes wrong.
    limit : int
        Bytes that it may have.
    declared : int, optional
        Bytes that the sender says it has, to refuse it at once.

    Returns
    -------
    size : int
    """
    free = shutil.disk_usage(target.parent).free - KEPT_FREE_BYTES
    if declared is not None:
        _check(declared, limit, free)
    size = 0
    try:
        with open(target, "xb", opener=for_me_alone) as file:
            async for chunk in chunks:
                size += len(chunk)
                _check(size, limit, free)
                file.write(chunk)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    if not size:
        target.unlink()
        raise Refused("The file is empty.")
    return size


def _check(size: int, limit: int, free: int) -> None:
    if size > limit:
        raise Refused(
            f"The file is larger than {in_words(limit)}.",
            status=413,
            hint="Start the app with a larger --upload-limit, or open the file where "
            "it is with --folder FOLDER.",
        )
    if size > free:
        raise Refused(
            "The disk of temporary files has too little space for the file.", status=413
        )


def safe_name(name: str) -> str:
    """A file name without anything that a system, a header or a shell takes amiss.

    Examples
    --------
    >>> safe_name("../../etc/passwd"), safe_name("C:\\\\data\\\\Über uns.xlsx")
    ('passwd', 'Über uns.xlsx')
    >>> safe_name("a\\r\\nb::c<svg onload=x>.csv"), safe_name("..."), safe_name("")
    ('a_b_c_svg onload=x_.csv', 'table', 'table')
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    kept = "".join(
        c if c.isprintable() and c not in ':<>"|?*`$' else "\n" for c in last
    )
    kept = re.sub(r"\n+", "_", kept).strip(" .")
    stem, dot, suffix = kept.rpartition(".")
    if len(kept) > MAX_NAME_CHARACTERS:
        kept = f"{stem[: MAX_NAME_CHARACTERS - 20]}{dot}{suffix[:19]}"
    while len(kept.encode()) > 200:
        stem, dot, suffix = kept.rpartition(".")
        kept = f"{stem[:-1]}{dot}{suffix}" if stem else kept[:-1]
    return kept or "table"
