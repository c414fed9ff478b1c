"""What values of columns say: addresses of people by their shape, and what follows."""

from __future__ import annotations

import re

import numpy as np
import polars as pl

MIN_MATCHING_SHARE = 0.9  # share of distinct values from which a column is called so
MIN_SHARE_OF_NAMES = (
    0.8  # share of distinct texts that are names, if some are written otherwise
)
MAX_CHECKED_VALUES = 1000  # distinct values whose check digits are computed

E_MAIL = r"^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$"
UUID = r"^\{?[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\}?$"
URL = r"^(https?|ftp)://\S+$|^www\.\S+\.\S+$"
IP = (
    r"^((25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})$"
    r"|^([0-9A-Fa-f]{0,4}:){3,7}[0-9A-Fa-f]{0,4}$"
)
PHONE = r"^(\+|00)[0-9][0-9 ()/.-]{6,18}$|^\(?0[0-9]{1,5}[)/ -]+[0-9][0-9 /-]{3,14}$"
IBAN_SHAPE = r"^[A-Z]{2}[0-9]{2}[ ]?([0-9A-Z]{4}[ ]?){2,7}[0-9A-Z]{0,4}$"
PATTERNS = {
    "e-mail addresses": E_MAIL,
    "UUIDs": UUID,
    "web addresses": URL,
    "IP addresses": IP,
    "IBANs": IBAN_SHAPE,
    "phone numbers": PHONE,
}
_WORD = r"[\p{Lu}\p{Lo}][\p{L}\p{M}'\u2019.-]*"
_PARTICLE = r"\p{Ll}[\p{Ll}'\u2019]{0,3}"  # van, de la, von
FULL_NAME = (
    rf"^({_WORD}|{_PARTICLE}\s+{_WORD}),?(\s+({_PARTICLE}\s+){{0,2}}{_WORD}){{1,4}}$"
)
ICD = r"^[A-TV-Z][0-9]{2}(\.?[0-9A-Z]{1,4})?$"


def is_iban(text: str) -> bool:
    """Whether the check digits of an account number are right (ISO 13616).

    Examples
    --------
    >>> is_iban("DE89 3704 0044 0532 0130 00"), is_iban("DE88 3704 0044 0532 0130 00")
    (True, False)
    """
    plain = text.replace(" ", "").upper()
    if not re.fullmatch(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}", plain):
        return False
    moved = plain[4:] + plain[:4]
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1


def shape_of(texts: pl.Series) -> str | None:
    """What nearly all distinct texts of a column are, or None.

    Parameters
    ----------
    texts : polars.Series
        Distinct, without missing ones.

    Examples
    --------
    >>> shape_of(pl.Series(["ann@example.org", "bob@example.com"]))
    'e-mail addresses'
    >>> shape_of(pl.Series(["DE88370400440532013000"])) is None  # wrong check digits
    True
    """
    if texts.is_empty():
        return None
    first = texts.head(MAX_CHECKED_VALUES)
    for called, pattern in PATTERNS.items():
        if (
            share_of(first, pattern) < MIN_MATCHING_SHARE
            or share_of(texts, pattern) < MIN_MATCHING_SHARE
        ):
            continue
        if called == "IBANs":
            right = [is_iban(text) for text in first.to_list()]
            if sum(right) < MIN_MATCHING_SHARE * len(right):
                continue
        return called
    return None


def share_of(texts: pl.Series, pattern: str) -> float:
    """Share of texts that a pattern matches, without the spaces around them."""
    if texts.is_empty():
        return 0.0
    return float(texts.str.strip_chars().str.contains(pattern).mean())  # type: ignore[arg-type]


def reads_as_full_names(texts: pl.Series) -> bool:
    """Whether most texts are two to five words that begin with capitals.

    Examples
    --------
    >>> reads_as_full_names(pl.Series(["Anna Schmidt", "OKRI, Ben", "Jan van Os"]))
    True
    >>> reads_as_full_names(pl.Series(["heart failure", "Asthma", "Flu"]))
    False
    """
    return share_of(texts, FULL_NAME) >= MIN_SHARE_OF_NAMES


def exceptions_to(source: np.ndarray, follows: np.ndarray) -> float:
    """Share of the records without the most frequent second code of their first one.

    Parameters
    ----------
    source, follows : ndarray of shape (n_records,)
        Codes; records that miss one, -1, do not count.

    Examples
    --------
    >>> exceptions_to(np.array([0, 0, 0, 1]), np.array([5, 5, 6, 6]))
    0.25
    """
    there = (source >= 0) & (follows >= 0)
    if not there.all():
        source, follows = source[there], follows[there]
    if source.size == 0:
        return 0.0
    n_codes = int(follows.max()) + 1
    pairs, counts = np.unique(source * n_codes + follows, return_counts=True)
    starts = np.flatnonzero(np.diff(pairs // n_codes, prepend=-1))
    kept = int(np.maximum.reduceat(counts, starts).sum())
    return float((source.size - kept) / source.size)
