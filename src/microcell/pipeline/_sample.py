"""Sample: some of the distinct rows of a table, the same from any parts of it.

The rows with the least hashes are kept, with how often each occurs: of a row that is
among them for the whole table, every part has kept all its occurrences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

HASH, COUNT = "\0hash", "\0count"  # no column of a file has such a name
PERSON, WEIGHT = "\0person", "\0weight"  # whose record each is, and for how many
MEAN_WEIGHT = "\0mean weight"  # of all records of a person
RECORDS = "\0records"  # of a person, with a value
HASH_SEED = 17  # any; fixed, so that all parts hash alike


def row_hash(frame: pl.DataFrame) -> pl.Series:
    """A number for each row that depends on its values alone."""
    words = [n for n, t in frame.schema.items() if t in (pl.Categorical, pl.Enum)]
    frame = frame.with_columns(pl.col(words).cast(pl.String)) if words else frame
    return frame.hash_rows(HASH_SEED).alias(HASH)


def person_of(values: pl.Series) -> pl.Series:
    """Whose record each is: a number for each value, which tells no name.

    It is that of the value as text, so that it does not depend on the engine. Two
    people of one number are counted as one, so that k is never counted too high.
    """
    if not (values.dtype.is_nested() or values.dtype == pl.Binary):
        values = values.cast(pl.String)
    return row_hash(values.to_frame()).reinterpret(signed=True).alias(PERSON)


@dataclass(frozen=True)
class Sample:
    """Distinct rows with the least hashes.

    Attributes
    ----------
    rows : polars.DataFrame
        The rows, their hash and their count, ascending by hash.
    size : int
        How many there may be.
    n_records : int
        Records that were looked at.

    Examples
    --------
    >>> table = pl.DataFrame({"age": [30, 30, 41, 52, 30]})
    >>> whole = Sample.of(table, 2)
    >>> parts = Sample.of(table[3:], 2) + Sample.of(table[:3], 2)
    >>> whole.rows.equals(parts.rows)
    True
    """

    rows: pl.DataFrame
    size: int
    n_records: int

    @classmethod
    def of(
        cls,
        frame: pl.DataFrame,
        size: int,
        counts: pl.Series | None = None,
        by: Sequence[str] | None = None,
    ) -> Sample:
        """The sample of a part of a table, whose rows occur so often, or once.

        Rows are told apart by the columns `by`, by default by all.
        """
        n_records = frame.height
        hashes = row_hash(frame if by is None else frame.select(by))
        if counts is not None:
            rows = frame.with_columns(hashes, counts.alias(COUNT))
            return cls(_least(rows, size), size, int(counts.sum()))
        if n_records > 4 * size:  # most rows cannot be among the least
            few = hashes <= int(2**64 * 2 * size / n_records)
            if hashes.filter(few).n_unique() >= size:
                frame, hashes = frame.filter(few), hashes.filter(few)
        rows = frame.with_columns(hashes, pl.lit(1, pl.Int64).alias(COUNT))
        return cls(_least(rows, size), size, n_records)

    def __add__(self, other: Sample) -> Sample:
        both = pl.concat([self.rows, other.rows], how="vertical_relaxed")
        return Sample(
            _least(both, self.size), self.size, self.n_records + other.n_records
        )

    def without_values(self) -> Sample:
        """The hashes and counts alone: of values that must not travel."""
        return replace(self, rows=self.rows.select(HASH, COUNT))

    def shortened(self, name: str, length: int) -> Sample:
        """With texts cut to a length; they are told apart by their hashes."""
        return replace(self, rows=self.rows.with_columns(pl.col(name).str.head(length)))

    @property
    def n_distinct(self) -> float:
        """How many distinct rows there are, by the least hashes if not all are here."""
        if self.complete:
            return self.rows.height
        return (self.size - 1) * 2**64 / int(self.rows[HASH][-1])

    @property
    def complete(self) -> bool:
        """Whether these are all distinct rows that were seen."""
        return self.rows.height < self.size

    @property
    def frame(self) -> pl.DataFrame:
        """The rows alone."""
        return self.rows.drop(HASH, COUNT)


def _least(rows: pl.DataFrame, size: int) -> pl.DataFrame:
    others = [n for n in rows.columns if n not in (HASH, COUNT)]
    joined = {PERSON: pl.min, RECORDS: pl.sum}
    distinct = rows.group_by(HASH).agg(
        *(joined.get(name, pl.first)(name) for name in others),
        pl.col(COUNT).sum(),
    )
    return distinct.sort(HASH).head(size).select(*others, HASH, COUNT)
