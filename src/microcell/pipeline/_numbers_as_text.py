"""Text among typed columns that seems to be numbers, in a table seen part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import narwhals as nw
import polars as pl

from microcell.columns import refuse_numbers_as_text
from microcell.exceptions import SchemaError
from microcell.pipeline._column_summary import VALUE, ColumnSummary
from microcell.pipeline._sample import COUNT
from microcell.pipeline._table_summary import TableSummary

if TYPE_CHECKING:
    from microcell.pipeline._task import Task

MAX_REPEATED_TEXTS = 1_000_000  # texts at most, or as many as are distinct


def refuse_numbers_as_text_in_parts(task: Task, summary: TableSummary) -> list[str]:
    """What `refuse_numbers_as_text` finds in categories, by how often each occurs.

    Returns
    -------
    notices : list of str
    """
    if task.as_text:
        return []
    read = () if task.types is None else task.types.kinds
    notices = []
    for column in summary.columns:
        if column.counts is None or column.name in read:
            continue
        if column.counts.schema[VALUE] == pl.String:
            notices += _looked_at(task, column, column.counts)
    return notices


def _looked_at(task: Task, column: ColumnSummary, counts: pl.DataFrame) -> list[str]:
    total = int(counts[COUNT].sum())
    fewer = max(1, total / MAX_REPEATED_TEXTS)
    often = (pl.col(COUNT) / fewer).ceil().cast(pl.UInt32)
    texts = counts.select(pl.col(VALUE).repeat_by(often).explode().alias(column.name))
    table = nw.from_native(texts, eager_only=True)
    kinds = task.recipe.schema.kinds
    try:
        return refuse_numbers_as_text(table, [column.name], kinds, task.marks)
    except SchemaError as error:  # which record it was, is not known any more
        raise SchemaError(
            f"Column {column.name!r} looks like numbers or dates in most records, but "
            "not in all.",
            column=column.name,
            hint=error.hint,
        ) from None
