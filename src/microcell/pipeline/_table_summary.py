"""TableSummary: what a part of a table says of the whole, added up in any order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import polars as pl

from microcell.pipeline._column_summary import ColumnSummary
from microcell.pipeline._sample import COUNT, Sample
from microcell.pipeline._values import Values


@dataclass(frozen=True)
class TableSummary:
    """Statistics of a part of a table; one that counts people has all their records.

    Attributes
    ----------
    n_records, n_kept : int
        Records, and those that take part.
    n_people : int
        People whose they are.
    n_missing : dict
        Missing values of each quasi-identifier, over all records.
    columns : list of ColumnSummary
        Of each quasi-identifier, over records that take part.
    sample : Sample
        Some of the distinct records' quasi-identifiers.
    values : list of Values
        Of columns that something is promised of, in people.
    names : dict of str to Sample
        Hashes of values of columns that may name people.
    strata : polars.DataFrame or None
        Values that name strata, and how many people each has.
    counted : Counter
        What is wrong with units, strata and weights, and how often.
    """

    n_records: int
    n_kept: int
    n_people: int
    n_missing: dict[str, int]
    columns: list[ColumnSummary]
    sample: Sample
    values: list[Values]
    names: dict[str, Sample]
    strata: pl.DataFrame | None = None
    counted: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: TableSummary) -> TableSummary:
        strata = self.strata
        if strata is not None and other.strata is not None:
            both = pl.concat([strata, other.strata], how="vertical_relaxed")
            names = [name for name in both.columns if name != COUNT]
            strata = both.group_by(names).agg(pl.col(COUNT).sum())
        return TableSummary(
            self.n_records + other.n_records,
            self.n_kept + other.n_kept,
            self.n_people + other.n_people,
            {name: n + other.n_missing[name] for name, n in self.n_missing.items()},
            [a + b for a, b in zip(self.columns, other.columns, strict=True)],
            self.sample + other.sample,
            [a + b for a, b in zip(self.values, other.values, strict=True)],
            {name: a + other.names[name] for name, a in self.names.items()},
            strata,
            self.counted + other.counted,
        )
