"""Prepared: a table as numbers, after what must be refused first, and its masking."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from microcell.columns import (
    Marks,
    Prepared,
    Reading,
    check_reading,
    columns_to_read,
    is_text_table,
    marks_of,
    mixed_offsets,
    open_frame,
    prepare,
    read_text_table,
    refuse_numbers_as_text,
    unused_marks,
)
from microcell.compose import Plan
from microcell.exceptions import InputError
from microcell.io import Layout
from microcell.pipeline import (
    categories_of_people,
    codes_in,
    column_options,
    refuse_own_categories,
)
from microcell.privacy import people_of
from microcell.recipe import RECORDS, Recipe, Schema


class Text(NamedTuple):
    """What is known of a table's text."""

    marks: Marks  # that stand for a missing value
    layouts: dict[str, Layout]  # how columns wrote their numbers and moments
    notices: list[str]


def prepare_for(
    table: Any, recipe: Recipe, schema: Schema, as_text: bool
) -> tuple[Prepared, Text]:
    """The quasi-identifiers as numbers, after what must be refused first.

    Parameters are as in `apply_recipe`; `schema` is that of the recipe.
    """
    frame = open_frame(table)
    schema.released(frame.columns)
    as_text = as_text or is_text_table(frame)
    masked = list(schema.quasi_identifiers)
    reading = Reading(recipe.decimal, recipe.dates)
    check_reading([frame], [*masked, *schema.confidential], reading)
    text = Text(marks_of(recipe.missing_marks, as_text, masked), {}, [])
    kinds = dict(schema.kinds)
    if as_text:
        strata = [n for n in recipe.strata if n not in masked]
        names = [*masked, *strata]
        kinds = dict.fromkeys(strata, "nominal") | kinds
    else:
        names = columns_to_read(frame, masked, kinds, text.marks, reading)
        others = [n for n in masked if n not in names]
        text.notices.extend(refuse_numbers_as_text(frame, others, kinds, text.marks))
    read, layouts = read_text_table(frame, names, kinds, text.marks, reading)
    text.notices.extend(mixed_offsets(layouts))
    text.notices.extend(unused_marks(frame, read, masked, recipe.missing_marks))
    least = None
    if recipe.rare == "merge":
        least = recipe.k if recipe.rare_below is None else recipe.rare_below
    by_unit = recipe.unit not in (None, RECORDS)
    given: dict[str, Any] = {
        "missing": recipe.missing,
        "imputer": recipe.imputer,
        "missing_marks": text.marks,
        "reading": reading,
        "layouts": layouts,
        "options": column_options(recipe),
        "units": codes_in(frame, str(recipe.unit)) if by_unit else None,
    }
    prepared = prepare(read.to_native(), schema, rare_below=least, **given)
    if least is not None:  # what merging loses is part of the loss
        prepared.before = prepare(read.to_native(), schema, **given)
    text = text._replace(layouts=layouts)
    text.notices.extend(prepared.notices)
    whose = np.arange(len(prepared.X))
    if by_unit:
        whose = codes_in(prepared.frame, str(recipe.unit))
    counts = {}
    for j in categories_of_people(prepared, recipe):
        there = ~np.isnan(prepared.X[:, j])
        codes = prepared.X[there, j].astype(np.int64)
        counts[j] = people_of(codes, whose[there], 0)
    refuse_own_categories(prepared, recipe, counts, int(whose.max()) + 1)
    return prepared, text


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
