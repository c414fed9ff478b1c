"""What the certificate of a file states that the file itself does not show."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from microcell.exceptions import InputError
from microcell.io import sha256
from microcell.privacy import CellModel, Finding, Promise

STATED = "stated by the certificate of this very file"


class NotShown(NamedTuple):
    """A promise that a file does not show, and why."""

    promise: Promise
    why: str

    def __str__(self) -> str:
        return f"{self.promise.name}{self.why}"


def stated_of(
    path: str | Path, certificate: str | Path, hidden: Sequence[NotShown]
) -> tuple[bool, list[Finding], list[NotShown]]:
    """What a certificate states of promises, if it is that of a file by its SHA-256.

    It is only as good as who gave it: the digest says that it is about this file, and
    not that what it states is so.

    Parameters
    ----------
    path : path
        The file.
    certificate : path
    hidden : sequence of NotShown

    Returns
    -------
    is_its_own : bool
    findings : list of Finding
    not_stated : list of NotShown
        Promises that are still not shown.
    """
    document = _read(certificate)
    if document["file"]["sha256"] != sha256(path):
        return False, [], list(hidden)
    findings, rest = [], []
    for each in hidden:
        stated = [f for f in document["findings"] if _is_of(f, each.promise)]
        if not stated:
            rest.append(each)
            continue
        last = stated[-1]  # what was counted on the file stands after the rest
        names = ("promise", "promised", "found", "records_failing")
        findings.append(Finding(**{name: last[name] for name in names}, basis=STATED))
    return True, findings, rest


def _is_of(finding: dict[str, Any], promise: Promise) -> bool:
    """Whether a finding of a certificate is about a promise, at the same level."""
    title = promise.title if isinstance(promise, CellModel) else promise.name
    columns = getattr(promise, "columns", None)
    if columns is not None:
        title += f" of {', '.join(columns)}"
    level = getattr(promise, fields(promise)[0].name)  # type: ignore[arg-type]
    said = finding["promise"]
    same = said == title or said.startswith(f"{title}, counted in ")
    return bool(same and finding["promised"] == level)


def _read(certificate: str | Path) -> dict[str, Any]:
    try:
        document = json.loads(Path(certificate).read_text(encoding="utf-8"))
        known = all(
            {"promise", "promised", "found", "records_failing"} <= set(finding)
            for finding in document["findings"]
        )
        if known and isinstance(document["file"]["sha256"], str):
            return dict(document)
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(
        f"{Path(certificate).name} is not the certificate of a file.",
        option="certificate",
        hint="Name the JSON file that was written beside the release.",
    )
