"""A digest of what a table holds, whatever order a database keeps its records in."""

from __future__ import annotations

import polars as pl

from microcell.io import digest_of
from microcell.pipeline import canonical_order

DIGESTED_AT_A_TIME = 100_000  # records


def content_digest(frame: pl.DataFrame, key: bytes | None = None) -> str:
    """Hexadecimal SHA-256 of a table's columns, types and values in sorted order.

    With a key it is HMAC-SHA-256: what holds no release is never published without.

    The digest is that of UTF-8 text: a line for each column with its type and its
    name, an empty line, then the records as CSV, sorted by their values from the first
    column to the last. Text is in quotes and a missing value is nothing at all; bytes
    are hexadecimal.

    Examples
    --------
    >>> one = pl.DataFrame({"age": [33, 60], "ill": ["flu", None]})
    >>> content_digest(one) == content_digest(one.reverse())
    True
    >>> content_digest(one) == content_digest(one.fill_null(""))
    False
    """
    head = "".join(f"{dtype} {name!r}\n" for name, dtype in frame.schema.items())
    digest = digest_of(key, f"{head}\n".encode())
    plain = frame[canonical_order(frame, frame)].with_columns(
        pl.col(pl.Binary).bin.encode("hex")
    )
    for part in plain.iter_slices(DIGESTED_AT_A_TIME):
        text = part.write_csv(include_header=False, quote_style="non_numeric")
        digest.update(text.encode())
    return str(digest.hexdigest())
