"""The kind that a column is proposed to have, and whether it must be said."""

from __future__ import annotations

from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import ENCODERS, fit_encoder
from microcell.exceptions import InputError
from microcell.pipeline import MAX_CODED_NUMBERS, MIN_CODED_NUMBERS, RECORDS_PER_CODE
from microcell.recognition import (
    CATEGORY_WORDS,
    CLASSIFICATION_WORDS,
    COUNT_WORDS,
    ICD,
    MIN_SHARE_ALONE,
    PREFIX_WORDS,
    says,
    share_of,
)

CODE = r"^[0-9A-Za-z][0-9A-Za-z .-]{2,11}$"
LIKE_CODES = 0.9  # share of distinct texts
MIN_DISTINCT_FOR_CODES = 10
MAX_DISTINCT_OF_MIXED = 20  # distinct values of a mixed column that can be categories


class KindProposal(NamedTuple):
    """A kind, and what is to be said of it.

    Attributes
    ----------
    kind : str or None
        None if the column cannot be masked as it is.
    declared : bool
        Whether a recipe must say so, because the data do not.
    reason : str
        Why, if it must.
    """

    kind: str | None
    declared: bool = False
    reason: str = ""


def propose_kind(column: Any, as_text: bool) -> KindProposal:
    """What a column is to be masked as.

    Parameters
    ----------
    column : Column
    as_text : bool
        Whether the table is one of text, whose columns are read without a word.
    """
    if column.reading is not None and column.reading.mixed:
        return _of_mixed(column)
    if column.kind is None:
        return KindProposal(None, reason="its data type cannot be masked")
    if _is_prefix(column):
        return KindProposal("prefix", True, "codes whose first characters are groups")
    if _is_classification(column):
        return KindProposal("nominal", True, "codes, whose means mean nothing")
    few = _few_whole_numbers(column)
    if few and _are_codes(column):
        return KindProposal(
            "nominal",
            True,
            f"{column.n_distinct} distinct whole numbers that look like codes",
        )
    if column.text and not as_text and column.encoder.measured:
        what = "dates" if column.encoder.moments else "numbers"
        formats = column.reading.formats  # which say that it is a date
        return KindProposal(column.kind, not formats, f"text that stands for {what}")
    reason = ""
    if few and not says(column.called, COUNT_WORDS):
        reason = (
            f"{column.n_distinct} distinct whole numbers: if codes, make it nominal"
        )
    return KindProposal(column.kind, reason=reason)


def resolved_kind(column: Any, proposal: KindProposal) -> KindProposal:
    """The kind, if an encoder takes the values so; else by the data, or none.

    Parameters
    ----------
    column : Column
    proposal : KindProposal
    """
    if proposal.kind is None or _can_be(column, proposal.kind):
        return proposal
    if column.kind not in (None, proposal.kind) and _can_be(column, column.kind):
        return KindProposal(column.kind)
    return KindProposal(None, reason="its values cannot be masked as they are")


def _of_mixed(column: Any) -> KindProposal:
    what = column.reading.mixed
    reason = f"holds {what} and other text, which may mark missing values"
    if what == "numbers" and column.reading.decimals:
        reason = "holds numbers with another decimal mark than the table"
    if column.n_distinct <= MAX_DISTINCT_OF_MIXED:
        return KindProposal("nominal", True, reason)
    return KindProposal(None, reason=reason)


def _is_prefix(column: Any) -> bool:
    """Whether values are codes that have something in common at the beginning."""
    if not column.text:
        return False  # as numbers, codes have lost their leading zeros
    named = says(column.called, PREFIX_WORDS)
    if column.values.dtype != pl.String:
        return named and _digits_of_one_length(column)
    texts = column.values.str.strip_chars()
    if named and column.n_distinct >= MIN_CODED_NUMBERS:
        with_digits = share_of(texts, "[0-9]") >= LIKE_CODES
        return with_digits and share_of(texts, CODE) >= LIKE_CODES
    if column.n_distinct < MIN_DISTINCT_FOR_CODES or column.alone >= MIN_SHARE_ALONE:
        return False
    if share_of(texts, ICD) >= LIKE_CODES:
        return True
    lengths = texts.str.len_chars()
    one_length = lengths.n_unique() == 1 and int(lengths[0]) >= 3
    return bool(one_length and texts.str.contains("^[0-9]+$").all())


def _is_classification(column: Any) -> bool:
    """Whether numbers are codes of a classification, by what the column is called."""
    if not column.encoder.numbers:
        return False
    called = (column.name, column.label)
    if any(says(name, CLASSIFICATION_WORDS) for name in called):
        return True
    return column.whole and any(says(name, PREFIX_WORDS) for name in called)


def _digits_of_one_length(column: Any) -> bool:
    if not column.whole or column.n_distinct < MIN_CODED_NUMBERS:
        return False
    numbers = column.values.cast(pl.Float64).to_numpy()
    lengths = np.floor(np.log10(np.maximum(np.abs(numbers), 1)))
    return bool((numbers > 0).all() and lengths.min() == lengths.max() >= 2)


def _few_whole_numbers(column: Any) -> bool:
    """Whether a column holds so few whole numbers, so often, that they may be codes."""
    few = MIN_CODED_NUMBERS <= column.n_distinct <= MAX_CODED_NUMBERS
    often = column.n_known >= RECORDS_PER_CODE * column.n_distinct
    return bool(column.encoder.numbers and few and often and column.whole)


def _are_codes(column: Any) -> bool:
    """Whether few whole numbers are codes: by their name, or because they have gaps."""
    if says(column.called, COUNT_WORDS):
        return False
    numbers = column.values.cast(pl.Float64).to_numpy()
    gaps = np.ptp(numbers) >= column.n_distinct
    return says(column.called, CATEGORY_WORDS) or bool(gaps)


def _can_be(column: Any, kind: str) -> bool:
    """Whether an encoder takes the values as this kind."""
    values = column.values
    encoder = ENCODERS[kind]
    if not encoder.ordered and column.text and values.dtype != pl.String:
        values = values.cast(pl.String)  # a declared kind leaves text as it is
    ranks = encoder.ordered and not encoder.measured
    if ranks or (encoder.nominal and values.dtype == pl.String):
        return True  # by its data type
    try:
        fit_encoder(nw.from_native(values, series_only=True), kind)
    except (InputError, ValueError, TypeError):
        return False
    return True
