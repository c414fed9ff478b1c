"""Raw UCI files to the CSV form whose sha256 is known: bytes in, bytes out.

Each function adds the header, strips spaces and writes a missing "?" as an empty
field; order of records and text of numbers stay. Nothing is checked here: the sha256
of the result is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from microcell.datasets._columns import COLUMNS


def normalise_adult(train: Any, test: Any) -> Any:
    """CSV of `adult.data` and `adult.test`, in this order.

    The test file begins with a comment line, and its labels end with a dot.
    """
    records = _records(train) + _records(test)
    for record in records:
        record[-1] = record[-1].removesuffix(".")
    return _csv("adult", records)


def normalise_breast_cancer_wisconsin(raw: Any) -> Any:
    """CSV of `breast-cancer-wisconsin.data`."""
    return _csv("breast-cancer-wisconsin", _records(raw))


def normalise_ecoli(raw: bytes) -> bytes:
    """CSV of `ecoli.data`, which is separated by spaces.

    Examples
    --------
    >>> raw = b"AAT_ECOLI   0.49  0.29  0.48  0.50  0.56  0.24  0.35   cp"
    >>> print(normalise_ecoli(raw).decode())
    sequence_name,mcg,gvh,lip,chg,aac,alm1,alm2,class
    AAT_ECOLI,0.49,0.29,0.48,0.50,0.56,0.24,0.35,cp
    <BLANKLINE>
    """
    return _csv("ecoli", _records(raw, separator=None))


def normalise_glass(raw: Any) -> Any:
    """CSV of `glass.data`."""
    return _csv("glass", _records(raw))


def normalise_heart_cleveland(raw: Any) -> Any:
    """CSV of `processed.cleveland.data`; 63.0 becomes 63, except in oldpeak."""
    oldpeak = COLUMNS["heart-cleveland"].index("oldpeak")
    records = [
        [text if i == oldpeak else text.removesuffix(".0") for i, text in enumerate(r)]
        for r in _records(raw)
    ]
    return _csv("heart-cleveland", records)


def normalise_yeast(raw: Any) -> Any:
    """CSV of `yeast.data`, which is separated by spaces."""
    return _csv("yeast", _records(raw, separator=None))


def _records(raw: bytes, separator: str | None = ",") -> list[list[str]]:
    lines = raw.decode("utf-8", errors="replace").splitlines()
    return [
        ["" if text.strip() == "?" else text.strip() for text in line.split(separator)]
        for line in lines
        if line.strip() and not line.startswith("|")
    ]


def _csv(name: str, records: Sequence[list[str]]) -> bytes:
    lines = [COLUMNS[name], *records]
    return "".join(",".join(line) + "\n" for line in lines).encode()
