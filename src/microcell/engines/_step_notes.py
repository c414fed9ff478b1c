"""What finished steps say, as JSON: nothing that is read can run code.

Counts and sums are plain values of a few types, which are listed here; frames and
arrays are Arrow inside. A job is not kept: it is learnt again, which is quick beside
masking, and so no seed of a method that draws is ever on the disk.
"""

from __future__ import annotations

import base64
import io
import json
from collections import Counter
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from microcell.embed import Moments
from microcell.exceptions import Notice, Option
from microcell.pipeline import (
    Arrivals,
    CheckedFinding,
    Counted,
    Dominated,
    Gaps,
    Tally,
    Vague,
)
from microcell.privacy import Finding

KEPT_TYPES = (
    Arrivals,
    Tally,
    CheckedFinding,
    Finding,
    Gaps,
    Dominated,
    Counted,
    Vague,
    Moments,
    Option,
    Notice,
)
RECORDS_OF = {kind.__name__: kind for kind in KEPT_TYPES}


def to_text(value: Any) -> str:
    """A value as text.

    Examples
    --------
    >>> text = to_text({0: Fraction(1, 3), "n": np.array([1, 2])})
    >>> from_text(text)
    {0: Fraction(1, 3), 'n': array([1, 2])}
    >>> from_text(to_text(Notice("built", Option("enforce", "t-first")))).hint
    (Option(name='enforce', value='t-first'),)
    """
    return json.dumps(_plain(value))


def from_text(text: str | bytes) -> Any:
    """The value that `to_text` wrote."""
    return _value(json.loads(text))


def _plain(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind is list:
        return [_plain(each) for each in value]
    if kind is tuple:
        return {"tuple": [_plain(each) for each in value]}
    if kind in (dict, Counter):
        pairs = [[_plain(key), _plain(held)] for key, held in value.items()]
        return {kind.__name__.lower(): pairs}
    if kind is Fraction:
        return {"fraction": [str(value.numerator), str(value.denominator)]}
    if kind is np.ndarray:
        return {"array": _plain(pl.DataFrame({"array": value}))}
    if kind is pl.DataFrame:
        buffer = io.BytesIO()
        value.write_ipc(buffer)
        return {"frame": base64.b64encode(buffer.getvalue()).decode("ascii")}
    if isinstance(value, np.generic):
        return _plain(value.item())
    if kind is Notice:
        return {"Notice": [_plain(each) for each in (str(value), *value.hint)]}
    if RECORDS_OF.get(kind.__name__) is kind:
        return {kind.__name__: [_plain(getattr(value, n)) for n in _names(kind)]}
    raise TypeError(f"{kind.__name__} is not kept as text.")


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_value(each) for each in plain]
    if not isinstance(plain, dict):
        return plain
    ((kind, held),) = plain.items()
    if kind == "frame":
        return pl.read_ipc(io.BytesIO(base64.b64decode(held)))
    if kind == "fraction":
        return Fraction(*map(int, held))
    held = _value(held)
    if kind == "array":
        return held["array"].to_numpy()
    if kind in ("dict", "counter"):
        pairs = dict(map(tuple, held))
        return pairs if kind == "dict" else Counter(pairs)
    return tuple(held) if kind == "tuple" else RECORDS_OF[kind](*held)


def _names(kind: Any) -> list[str]:
    if is_dataclass(kind):
        return [each.name for each in fields(kind)]
    return list(kind._fields)
