"""A table with one person who is rare in every column, and what would give them away.

For whatever shows a release: report, page, comparison, certificate, log, errors.
"""

import datetime as dt
import json
import logging
import re
from html import unescape

import numpy as np
import polars as pl

from microcell import Schema

N_RECORDS = 300
RARE_ROW = 137
RARE_TEXTS = {
    "name": "Zebulon Quux",
    "job": "zymurgist",
    "zip": "98765",
    "ill": "porphyria",
    "mood": "schadenfroh",
    "ward": "Atlantis",
    "note": "xylophone-77",
}
RARE_NUMBERS = {
    "pay": 83_191_771.0,
    "children": 1_733.0,
    "cost": 47_172_731.5,
    "visits": -6_113_773.25,
}
RARE_DATES = {
    "born": dt.date(1871, 3, 29),
    "admitted": dt.date(2119, 7, 13),
    "moved": dt.date(1763, 11, 23),
}
SCHEMA = Schema(
    ["pay", "children", "born", "job", "zip"],
    identifiers=["name", "house"],
    confidential=["ill", "cost", "admitted"],
    others=["mood", "visits", "moved", "ward", "note"],
    kinds={"zip": "prefix"},
)
LEAST_DIGITS = 5e-4  # relatively: a number that is this near is the planted one
NUMBER = re.compile(
    r"(?<![\w.])-?\d+(?:[ ,_]\d{3})*(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w])"
)


def planted_table():
    """Three hundred ordinary people, and one who is not."""
    rng = np.random.default_rng(11)
    n = N_RECORDS
    start = dt.date(1950, 1, 1)

    def days(least, most):
        return [start + dt.timedelta(int(d)) for d in rng.integers(least, most, n)]

    table = {
        "name": [f"Person {i:03d}" for i in range(n)],
        "house": [f"h{i // 2:03d}" for i in range(n)],
        "pay": rng.normal(3_000, 400, n).round(2),
        "children": rng.integers(0, 5, n).astype(float),
        "born": days(0, 15_000),
        "job": rng.choice(["cook", "smith", "nurse"], n).tolist(),
        "zip": rng.choice(["03740", "03741", "10001", "10002"], n).tolist(),
        "ill": rng.choice(["flu", "gout", "asthma"], n).tolist(),
        "cost": rng.normal(500, 90, n).round(2),
        "admitted": days(20_000, 25_000),
        "mood": rng.choice(["good", "bad"], n).tolist(),
        "visits": rng.integers(1, 30, n).astype(float),
        "moved": days(15_000, 20_000),
        "ward": rng.choice(["north", "south"], n).tolist(),
        "note": rng.choice(["none", "some"], n).tolist(),
    }
    for name, value in (RARE_TEXTS | RARE_NUMBERS | RARE_DATES).items():
        table[name][RARE_ROW] = value
    return pl.DataFrame(table)


def holds(value, text):
    """Whether a value is in a text; a code of digits not inside of longer numbers."""
    value, text = value.lower(), text.lower()
    if value.isdecimal():
        return re.search(rf"(?<![\w.]){value}(?!\w)", text) is not None
    return value in text


def assert_no_trace(text, besides=()):
    """Fail if a planted value is in a text, or a number that gives one away.

    Parameters
    ----------
    text : str or plain data
        Data is looked at as JSON.
    besides : sequence of str
        Columns whose value may be there.
    """
    text = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
    lower = text.lower()
    for column, value in RARE_TEXTS.items():
        if column not in besides:
            assert not holds(value, lower), f"{column} is given away by its text"
    for column, value in RARE_DATES.items():
        if column in besides:
            continue
        for form in ("%Y", "%Y-%m", "%d.%m.%Y", "%m/%d/%Y", "%Y%m%d"):
            form = rf"(?<![\w.]){re.escape(value.strftime(form))}(?!\w)"
            assert not re.search(form, text), f"{column} is given away"
        days = (value - dt.date(1970, 1, 1)).days
        _assert_numbers_are_others(text, column, [days * f for f in _UNITS])
    for column, value in RARE_NUMBERS.items():
        if column not in besides:
            n = N_RECORDS
            derived = [value, value / n, value / n**0.5, value / (n - 1) ** 0.5]
            _assert_numbers_are_others(text, column, derived)


_UNITS = (1, 86_400, 86_400e3, 86_400e6, 86_400e9)  # days, and fractions of seconds


def _assert_numbers_are_others(text, column, planted):
    found = [float(re.sub("[ ,_]", "", n)) for n in NUMBER.findall(text)]
    found = np.array([*found, *(float(n) for n in re.findall(r"\d+\.\d+", text)), 0.0])
    for value in planted:
        near = np.abs(np.abs(found) - abs(value)) <= LEAST_DIGITS * abs(value)
        assert not near.any(), f"{column} is given away by {found[near][0]}"


def words_of(page):
    """What a reader sees or hears: text, and alternative texts."""
    heard = re.findall(r'aria-label="([^"]*)"', page)
    page = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    return unescape(" ".join([re.sub(r"<[^>]+>", " ", page), *heard]))


class Heard(logging.Handler):
    """Everything that is logged, as text."""

    def __init__(self):
        super().__init__(logging.NOTSET)
        self.texts = []

    def emit(self, record):
        self.texts.append(self.format(record))
