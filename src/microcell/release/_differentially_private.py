"""The road of a differentially private release: nothing of the original beside it."""

from __future__ import annotations

from typing import Any

from microcell._progress import report
from microcell.exceptions import SchemaError
from microcell.io import Source
from microcell.metrics import Scores
from microcell.pipeline import (
    Groups,
    class_size_counts,
    confidential_reading,
    make_plan,
    one_part,
    promises_of,
    refuse_recipe,
    said_of_recipe,
)
from microcell.privacy import View, require, weaker_than_k
from microcell.recipe import (
    Recipe,
    check_private_table,
    numbers_only,
    one_record_each,
    private_layouts,
    private_table,
)
from microcell.release._fingerprint import fingerprint
from microcell.release._prepared import labels_of, masked, prepare_for
from microcell.release._release import Release, released_columns


def private_release(
    table: Any, recipe: Recipe, as_text: bool, source: Source | None, sharded: bool
) -> Release:
    """The release of a recipe whose method is differentially private.

    Parameters are as in `apply_recipe`. All columns are masked, so that there are no
    confidential ones; rows are the mechanism's, and belong to no record.
    """
    if sharded:
        refuse_recipe(recipe)  # says why not
    with numbers_only(recipe) as schema:
        prepared, task = prepare_for(table, recipe, schema, as_text)
    try:
        one_part(task, prepared)
    except SchemaError as error:
        raise one_record_each(error) from None
    plan = make_plan(recipe, prepared, Groups())
    check_private_table(prepared, plan)
    X_released = masked(plan, prepared, recipe, None)
    names = recipe.schema.released(prepared.frame.columns)
    released = private_table(prepared, names, X_released, plan)
    report(0, None, "verifying and measuring")
    promises = promises_of(plan, recipe, [])
    labels = labels_of(plan)
    view = View(
        confidential_reading(recipe).read(released), prepared.names, labels=labels
    )
    findings = [promise.verify(view) for promise in promises]
    require(findings)
    return Release(
        table=released,
        n_records=len(labels),
        n_dropped=0,
        cells=[int(own.max()) + 1 for own in labels.reshape(len(labels), -1).T],
        columns=released_columns(names, prepared.kinds, recipe),
        kinds=prepared.kinds,
        findings=findings,
        scores=Scores(()),
        disclosure={},
        recipe=recipe,
        promises=promises,
        left_out=tuple(recipe.schema.left_out(prepared.frame.columns)),
        decide=(*said_of_recipe(recipe), *weaker_than_k(promises, findings)),
        notices=(
            *(() if source is None else source.notices),
            *plan.notices_,
        ),
        labels=labels,
        known=view.known,
        class_sizes=class_size_counts(view.counts().sizes),
        layouts=private_layouts(recipe),
        fingerprint=fingerprint(released),
    )
