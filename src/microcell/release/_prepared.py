"""Prepared: a table as numbers, after what must be refused first, and its masking."""

from __future__ import annotations

from typing import Any

import numpy as np

from microcell.columns import (
    Prepared,
    columns_to_read,
    mixed_offsets,
    open_frame,
    prepare,
    read_text_table,
    refuse_numbers_as_text,
    unused_marks,
)
from microcell.compose import Plan
from microcell.exceptions import InputError
from microcell.pipeline import (
    Task,
    TextTypes,
    categories_of_people,
    column_options,
    refuse_own_categories,
    units_of,
)
from microcell.privacy import people_of
from microcell.recipe import Recipe, Schema


def prepare_for(
    table: Any, recipe: Recipe, schema: Schema, as_text: bool
) -> tuple[Prepared, Task]:
    """The quasi-identifiers as numbers, after what must be refused first.

    Parameters are as in `apply_recipe`; `schema` is that of the recipe. The task knows
    what was found out of the table's text.
    """
    frame = open_frame(table)
    task = Task(recipe, frame, as_text)
    masked, kinds, marks = task.masked, dict(schema.kinds), task.marks
    if task.as_text:
        strata = [n for n in recipe.strata if n not in masked]
        names = [*masked, *strata]
        kinds = dict.fromkeys(strata, "nominal") | kinds
    else:
        names = columns_to_read(frame, masked, kinds, marks, task.reading)
        others = [n for n in masked if n not in names]
        task.notices.extend(refuse_numbers_as_text(frame, others, kinds, marks))
    read, layouts = read_text_table(frame, names, kinds, marks, task.reading)
    task.types = TextTypes(layouts=dict(layouts))  # all that was text is read
    task.notices.extend(mixed_offsets(layouts))
    task.notices.extend(unused_marks(frame, read, masked, recipe.missing_marks))
    least = None
    if recipe.rare == "merge":
        least = recipe.k if recipe.rare_below is None else recipe.rare_below
    given: dict[str, Any] = {
        "missing": recipe.missing,
        "imputer": recipe.imputer,
        "missing_marks": marks,
        "reading": task.reading,
        "layouts": layouts,
        "options": column_options(recipe),
        "units": units_of(frame, recipe),
    }
    prepared = prepare(read.to_native(), schema, rare_below=least, **given)
    if least is not None:  # what merging loses is part of the loss
        prepared.before = prepare(read.to_native(), schema, **given)
    task.notices.extend(prepared.notices)
    units = units_of(prepared.frame, recipe)
    whose = np.arange(len(prepared.X)) if units is None else units
    counts = {}
    for j in categories_of_people(prepared, recipe):
        there = ~np.isnan(prepared.X[:, j])
        codes = prepared.X[there, j].astype(np.int64)
        counts[j] = people_of(codes, whose[there], 0)
    refuse_own_categories(prepared, recipe, counts, int(whose.max()) + 1)
    return prepared, task


def masked(plan: Plan, prepared: Prepared, recipe: Recipe, y: Any) -> np.ndarray:
    """What a plan releases; one of somebody else must release what it was given."""
    X_released = np.asarray(plan.fit_transform(prepared.X, y))
    n_records, n_columns = prepared.X.shape
    fits = X_released.ndim == 2 and X_released.shape[0] == n_records
    if not fits or X_released.shape[1] not in (n_columns, 2 * n_columns):
        raise InputError(
            f"Method {recipe.method_name!r} released an array of shape "
            f"{X_released.shape} for {n_records} records of {n_columns} columns.",
            option="method",
        )
    if plan.labels_.shape[:1] != (n_records,):
        raise InputError(
            f"Method {recipe.method_name!r} must have 'labels_', the cell of each "
            "record, after fit_transform.",
            option="method",
        )
    return X_released


def labels_of(plan: Plan) -> np.ndarray:
    """Cell of each record; one column for each block if there are several."""
    labels = np.asarray(plan.labels_)
    return labels[:, 0] if labels.ndim == 2 and labels.shape[1] == 1 else labels
