"""Numbers and lists as a report writes them."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

FILTERS = ("begin", "count", "day", "listed", "number", "share")  # of templates
NO_VALUE = "–"  # noqa: RUF001  a dash where there is no value


def count(value: Any) -> Any:
    """A whole number, in groups of three.

    Examples
    --------
    >>> count(1234567), count(None)
    ('1,234,567', '–')
    """
    if value is None:
        return NO_VALUE
    return f"{round(value):,}"


def number(value: Any) -> Any:
    """A number of four digits.

    Examples
    --------
    >>> number(0.123456), number(27.0), number(None), number(True)
    ('0.1235', '27', '–', 'yes')
    """
    if value is None:
        return NO_VALUE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        return NO_VALUE
    if value == 0 or 1e-4 <= abs(value) < 1e4:
        return f"{value:.4g}"
    if 1e4 <= abs(value) < 1e15:
        return count(float(f"{value:.4g}"))
    return f"{value:.3e}"


def share(value: Any) -> Any:
    """A share in per cent: a digit more where it is small.

    Examples
    --------
    >>> share(0.2), share(0.0123), share(0.00001), share(0), share(None)
    ('20 %', '1.23 %', '< 0.01 %', '0 %', '–')
    """
    if value is None or not math.isfinite(value):
        return NO_VALUE
    percent = 100 * value
    if 0 < percent < 0.01:
        return "< 0.01 %"
    return f"{float(f'{percent:.3g}'):g} %"


def listed(words: Any) -> Any:
    """
    Examples
    --------
    >>> listed(["age"]), listed(["age", "sex", "bmi"])
    ('age', 'age, sex and bmi')
    """
    words = [str(word) for word in words]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def day(moment: Any) -> Any:
    """
    Examples
    --------
    >>> day("2026-11-16T11:25:15+00:00")
    '2026-11-16, 11:25 UTC'
    """
    try:
        read = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return f"{read:%Y-%m-%d, %H:%M} UTC"


def begin(words: Any) -> Any:
    """Words with a capital letter.

    Examples
    --------
    >>> begin("r2 of what")
    'R2 of what'
    """
    return words[:1].upper() + words[1:]
