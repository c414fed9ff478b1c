"""Find a benchmark file: your folder, the cache, then its source.

Whatever the place, only content with the known sha256 is handed on.
"""

from __future__ import annotations

import hashlib
import os
from http.client import HTTPException
from pathlib import Path
from urllib.request import urlopen

from microcell.datasets._benchmark_tables import Table
from microcell.io import Outbox

BASE_URL = "https://archive.ics.uci.edu/ml/machine-learning-databases/"
TIMEOUT = 30  # seconds without an answer


def fetch(table: Table) -> bytes:
    """Content of a benchmark file, checked.

    It is looked for in the folder `MICROCELL_DATA`, then in the cache
    (`MICROCELL_CACHE`, or `~/.cache/microcell`), then downloaded into the cache.

    Raises
    ------
    FileNotFoundError
        The file is nowhere and cannot be downloaded (now, or at all).
    ValueError
        There is a file, but its content is not the known one.
    """
    found = locate(table)
    if found is None:
        return _download(table)
    _, path = found
    content = path.read_bytes()
    _check_sha256(content, table, f"The file {path}", "Replace or delete it.")
    return content


def locate(table: Table) -> tuple[str, Path] | None:
    """Place ("MICROCELL_DATA" or "cache") and path of the file, None if nowhere."""
    places = {"cache": _cache_folder()}
    if os.environ.get("MICROCELL_DATA"):
        places = {"MICROCELL_DATA": _data_folder(), **places}
    for place, folder in places.items():
        if (folder / table.file).is_file():
            return place, folder / table.file
    return None


def _data_folder() -> Path:
    folder = Path(os.environ["MICROCELL_DATA"]).expanduser()
    if not folder.is_dir():
        raise NotADirectoryError(
            f"MICROCELL_DATA is {str(folder)!r}, which is not a folder. Set it to the "
            "folder with the benchmark files, or unset it."
        )
    return folder


def _cache_folder() -> Path:
    return Path(os.environ.get("MICROCELL_CACHE") or "~/.cache/microcell").expanduser()


def _download(table: Table) -> bytes:
    if not table.urls:
        raise FileNotFoundError(
            f"{table.file} is not in {_places()}, and it cannot be downloaded "
            f"automatically. {_by_hand(table)}"
        )
    urls = [BASE_URL + url for url in table.urls]
    try:
        raw = [_read_url(url) for url in urls]
    except (OSError, HTTPException) as error:
        raise FileNotFoundError(
            f"{table.file} is not in {_places()}, and the download from "
            f"{' and '.join(urls)} failed: {error}. Try again when online. "
            f"{_by_hand(table)}"
        ) from error
    content = table.normalise(*raw)
    _check_sha256(content, table, f"What {' and '.join(urls)} gave", _by_hand(table))
    _write_whole(content, _cache_folder() / table.file)
    return content


def _read_url(url: str) -> bytes:
    with urlopen(url, timeout=TIMEOUT) as answer:
        return answer.read()


def _check_sha256(content: bytes, table: Table, what: str, way_out: str) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != table.sha256:
        raise ValueError(
            f"{what} is not the known {table.file}: as CSV its sha256 is {found}, "
            f"and should be {table.sha256}. {way_out}"
        )


def _write_whole(content: bytes, path: Path) -> None:
    """Write a temporary file, then rename it, so that no part of a file is seen."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with Outbox(overwrite=True) as outbox:
            Path(outbox.stage(path)).write_bytes(content)
            outbox.publish()
    except OSError as error:
        raise OSError(
            f"The cache folder {path.parent} cannot be written: {error}. Set "
            "MICROCELL_CACHE to a folder that can."
        ) from error


def _places() -> str:
    data = os.environ.get("MICROCELL_DATA")
    folder = f"MICROCELL_DATA ({data})" if data else "MICROCELL_DATA (not set)"
    return f"{folder} or the cache ({_cache_folder()})"


def _by_hand(table: Table) -> str:
    return (
        f"By hand: {table.by_hand} Save it as {table.file} (UTF-8, comma separated, "
        "missing values empty, lines ending in \\n, header "
        f"{','.join(table.columns)}; sha256 {table.sha256}) in a folder, and set the "
        "environment variable MICROCELL_DATA to that folder."
    )
