"""Recoded: what is done to values before cells are formed: rare ones, and gaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

from microcell.columns import (
    Encoder,
    check_texts,
    fit_encoder,
    no_nominal,
    rare_values,
    said_of_rare,
)
from microcell.pipeline._column_summary import (
    PEOPLE,
    VALUE,
    ColumnSummary,
    code_counts,
)

if TYPE_CHECKING:
    from microcell.pipeline._table_summary import TableSummary
    from microcell.pipeline._task import Task

OTHER = "other"  # what rare categories become


@dataclass(frozen=True)
class Recoded:
    """From values as they came to those that are masked.

    Attributes
    ----------
    encoders : list of Encoder
        Of the columns as they came.
    codes : dict of int to ndarray
        What each code becomes, in columns with rare categories.
    fills : dict of int to float
        What becomes of missing values, in columns that have some.
    """

    encoders: list[Encoder]
    codes: Mapping[int, np.ndarray]
    fills: Mapping[int, float]

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Records with what rare categories become; gaps stay."""
        for j, codes in self.codes.items():
            X = X.copy()
            there = ~np.isnan(X[:, j])
            X[there, j] = codes[X[there, j].astype(np.int64)]
        return X

    def people(self, j: int, column: ColumnSummary) -> np.ndarray:
        """How many people have each code of a column, in the end."""
        counts = code_counts(column, self.encoders[j], PEOPLE)[1]
        if j not in self.codes:
            return counts
        place, people = _in_sets(column, self.encoders[j])
        after = self.codes[j][place["value"].to_numpy()]
        pairs = np.unique(np.column_stack([after, place["set"].to_numpy()]), axis=0)
        return np.bincount(pairs[:, 0], people[pairs[:, 1]]).astype(np.int64)


def _in_sets(column: ColumnSummary, encoder: Any) -> tuple[pl.DataFrame, np.ndarray]:
    """Categories that people have together, a pair each, and people of each set."""
    if column.sets is None:  # everybody has one
        counts = code_counts(column, encoder, PEOPLE)[1]
        places = np.arange(len(counts))
        return pl.DataFrame({"value": places, "set": places}), counts
    sets = column.sets.sort(VALUE).with_row_index("set")
    pairs = sets.select(VALUE, pl.col("set").cast(pl.Int64)).explode(VALUE)
    codes = encoder.encode(
        nw.from_native(pairs[VALUE].alias(column.name), series_only=True)
    )
    pairs = pairs.select(pl.Series("value", codes.astype(np.int64)), "set")
    return pairs, sets[PEOPLE].to_numpy()


def merged_rare(
    summary: TableSummary, encoders: list[Encoder], task: Task
) -> tuple[list[Encoder], dict[int, np.ndarray], list[str]]:
    """Encoders of columns whose rare categories became one, and what their codes do."""
    recipe, options = task.recipe, task.options()
    least = recipe.k if recipe.rare_below is None else recipe.rare_below
    if not any(encoder.nominal for encoder in encoders):
        raise no_nominal()
    after, codes, notices = list(encoders), {}, []
    for j, encoder in enumerate(encoders):
        if not encoder.nominal:
            continue
        values: list[Any] = list(encoder.code_of)  # type: ignore[attr-defined]
        texts = [str(value) for value in values]
        pairs, people = _in_sets(summary.columns[j], encoder)
        given = pairs["value"].to_numpy(), pairs["set"].to_numpy()
        rare = rare_values(texts, *given, least, people)
        if not rare.any():
            continue
        check_texts(encoder.like, values, int(rare.sum()))
        words = [OTHER if r else v for v, r in zip(values, rare, strict=True)]
        series = nw.from_native(pl.Series(encoder.name, words), series_only=True)
        after[j] = fit_encoder(series, "nominal", options[encoder.name])
        codes[j] = after[j].encode(series).astype(np.int64)
        by_unit = task.unit is not None
        notices.append(said_of_rare(encoder.name, rare, least, by_unit))
    return after, codes, notices
