"""How a column of text writes its numbers: 1.234,5 or 1 234.5 % and their like."""

from __future__ import annotations

import re
from typing import NamedTuple

import polars as pl

MARKS = ".,'\u2019 \u00a0\u202f\u2009_"  # that people put between thousands
PERCENT = "([ \u00a0\u202f\u2009]?%)$"
MAX_DIGIT_GROUPS = 110  # of three digits, in the longest number that a float writes out


class NumberLayout(NamedTuple):
    """How numbers are written.

    Attributes
    ----------
    decimal : str
        The mark between whole numbers and fractions.
    thousands : str
        The mark between groups of three digits; none if empty.
    least : int
        Digits of a whole number from which it has marks: 4, or 5 where 1234 is
        written without and 12.345 with one.
    suffix : str
        A percent sign with the space before it; none if empty.

    Examples
    --------
    >>> layout = NumberLayout(",", ".", suffix=" %")
    >>> layout.dress("1234567.5"), layout.number("1.234,5 %")
    ('1.234.567,5 %', 1234.5)
    """

    decimal: str = "."
    thousands: str = ""
    least: int = 4
    suffix: str = ""

    @property
    def pattern(self) -> str:
        """What all texts of the column match; groups of digits must be whole."""
        whole = "[0-9]+"
        if self.thousands:
            mark = re.escape(self.thousands)
            group = f"{mark}[0-9]{{3}}"
            grouped = f"[0-9]{{1,3}}({group})+"
            if self.least == 5:
                grouped = f"[0-9]{{2,3}}({group})+|[0-9]({group}){{2,}}"
            whole = f"({grouped}|[0-9]{{1,{self.least - 1}}})"
        point = re.escape(self.decimal)
        number = rf"({whole}({point}[0-9]*)?|{point}[0-9]+)([eE][+-]?[0-9]+)?"
        return f"^[+-]?{number}{re.escape(self.suffix)}$"

    def plain(self, texts: pl.Series) -> pl.Series:
        """Texts that match the pattern, as programs write numbers."""
        if self.suffix:
            texts = texts.str.strip_suffix(self.suffix)
        if self.thousands:
            texts = texts.str.replace_all(self.thousands, "", literal=True)
        if self.decimal == ".":
            return texts
        return texts.str.replace(self.decimal, ".", literal=True)

    def number(self, text: str) -> float:
        """The number that a text of the column stands for; ValueError if none."""
        if not re.fullmatch(self.pattern, text):
            raise ValueError("no number of this layout")
        return float(self.plain(pl.Series([text]))[0])

    def dress(self, plain: str) -> str:
        """A number that a program wrote, as the column writes it."""
        return str(self.dressed(pl.Series([plain]))[0])

    def dressed(self, plain: pl.Series) -> pl.Series:
        """Numbers that a program wrote, as the column writes them."""
        texts = plain
        if self.decimal != ".":
            texts = texts.str.replace(".", self.decimal, literal=True)
        if self.thousands:
            texts = self._grouped(texts)
        return texts + self.suffix if self.suffix else texts

    def written(self, numbers: pl.Series) -> pl.Series:
        """Numbers as the text of the column."""
        return self.dressed(numbers.cast(pl.String))

    def _grouped(self, texts: pl.Series) -> pl.Series:
        """With marks between thousands; what has an exponent has none to mark."""
        digits = texts.str.extract("^[+-]?([0-9]+)").str.len_bytes()
        long = digits >= self.least
        for _ in range(MAX_DIGIT_GROUPS):  # each round sets the next mark to the left
            more = texts.str.contains("^[+-]?[0-9]{4}") & long
            if not more.any():
                break
            marked = texts.str.replace(
                "^([+-]?[0-9]+)([0-9]{3})", f"${{1}}{self.thousands}${{2}}"
            )
            texts = marked.zip_with(more, texts)
        return texts


def number_layout(known: pl.Series, decimal: str) -> NumberLayout:
    """The layout that most values of a column have.

    Parameters
    ----------
    known : polars.Series
        Texts without missing values and spaces around them.
    decimal : {".", ","}
        The decimal mark, which the data alone cannot tell: 1,234 may be both.

    Examples
    --------
    >>> number_layout(pl.Series(["1 234,5", "12,5"]), ",")
    NumberLayout(decimal=',', thousands=' ', least=4, suffix='')
    """
    suffix = _usual(known.str.extract(PERCENT).fill_null(""))
    others = "".join(mark for mark in MARKS if mark != decimal)
    marks = known.str.extract(f"^[+-]?[0-9]{{1,3}}([{re.escape(others)}])[0-9]{{3}}")
    thousands = _usual(marks.drop_nulls())
    bare = thousands != "" and known.str.contains("^[+-]?[0-9]{4}([^0-9]|$)").any()
    return NumberLayout(decimal, thousands, 5 if bare else 4, suffix)


def _usual(texts: pl.Series) -> str:
    """The most frequent text, the first in order among equals; none if empty."""
    if texts.is_empty():
        return ""
    return str(texts.mode().sort()[0])
