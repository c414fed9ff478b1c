"""Finished tasks of a long run, kept as files, so that it can go on."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any


def finished(file: Any, task: Any) -> Any:
    """Results in a file of the cache, or None if they are not of this very task."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    if not isinstance(kept, dict) or kept.get("task") != task:
        return None
    return kept["results"]


def keep(file: Any, task: Any, results: Any) -> None:
    """Write the results of a task; the file is whole or not there."""
    part = file.with_suffix(".part")
    part.write_text(json.dumps({"task": task, "results": results}), encoding="utf-8")
    part.replace(file)


@cache
def code_digest() -> str:
    """A digest of this package's source: results of other code are not the same task.

    Examples
    --------
    >>> code_digest() == code_digest(), len(code_digest())
    (True, 64)
    """
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        digest.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()
