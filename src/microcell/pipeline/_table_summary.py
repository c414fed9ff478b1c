"""TableSummary: what a part of a table says of the whole, added up in any order."""

from __future__ import annotations

from dataclasses import dataclass

from microcell.pipeline._adds_up import AddsUp
from microcell.pipeline._beside import Beside
from microcell.pipeline._column_summary import ColumnSummary
from microcell.pipeline._sample import Sample
from microcell.pipeline._values import Values


@dataclass(frozen=True)
class TableSummary(AddsUp):
    """Statistics of a part of a table; one that counts people has all their records.

    Attributes
    ----------
    n_records : int
        Records, also those that do not take part.
    n_missing : dict
        Missing values of each quasi-identifier, over all records.
    columns : list of ColumnSummary
        Of each quasi-identifier, over records that take part.
    sample : Sample
        Some of the distinct records' quasi-identifiers.
    values : list of Values
        Of columns that something is promised of, in people.
    beside : Beside
        What stands beside the quasi-identifiers.
    """

    n_records: int
    n_missing: dict[str, int]
    columns: list[ColumnSummary]
    sample: Sample
    values: list[Values]
    beside: Beside
