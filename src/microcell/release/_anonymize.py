"""anonymize: from a table and its roles to a verified release."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np

from microcell._memory import give_back
from microcell._progress import report
from microcell.columns import (
    Marks,
    Prepared,
    as_marks,
    check_kind,
    target_values,
)
from microcell.io import ColumnNotes, Source
from microcell.kernels.compiled import said_if_it_compiles
from microcell.kernels.threads import meanwhile
from microcell.metrics import (
    Scores,
    cell_scores,
    compute_scores,
)
from microcell.pipeline import (
    Cells,
    Counted,
    Groups,
    Notices,
    SampledRecords,
    Strata,
    all_promises,
    class_size_counts,
    codes_as_numbers,
    confidential_reading,
    disclosure_of,
    dominated_cells,
    likely_missing,
    make_plan,
    masked_in_shards,
    one_part,
    promises_of,
    refuse_recipe,
    said_of_classes,
    units_of,
    visits_of,
    weights_of,
)
from microcell.privacy import CellModel, View, people_of, require
from microcell.recipe import (
    OPTIONS,
    Recipe,
    forms_of,
    refuse_of_files,
    refuse_of_schema,
    takes_options_of,
)
from microcell.release._before import Before
from microcell.release._differentially_private import private_release
from microcell.release._fingerprint import fingerprint
from microcell.release._finished import finished
from microcell.release._measure import comparison_of
from microcell.release._prepared import (
    masked,
    prepare_for,
)
from microcell.release._release import Release


@takes_options_of(Recipe)
def anonymize(table: Any, *given: Any, **options: Any) -> Release:
    """Make a k-anonymous release of a table, and verify it.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table, or a stream of Arrow such as a relation
        of DuckDB, a table of Ibis or a RecordBatchReader; it is not changed. In a
        table whose columns are all text, as a text file has them, quasi-identifiers
        are read as what they stand for: numbers, dates or categories.
    schema : Schema
        Roles and kinds of its columns.
    k : int
        Least number of people that share their released quasi-identifiers; at least 2.
    **options
        All other options of a `Recipe`, which explains them, but how files are read:
        ``method="vmdav"``, ``columns={"age": Column(digits=0)}``, ``unit="records"``.
        Parameters of the method are in `parameters`, for example
        ``parameters={"gamma": 0.9}``; deprecated: beside the others, ``gamma=0.9``.

    Returns
    -------
    release : Release
        Its table is of the same kind as the original, with the same order of records
        and columns and the same data types; integers that become means are floats. A
        differentially private one has its records in the order of their values.

    Raises
    ------
    PrivacyError
        If the released table does not keep what was promised; there is no release.
    SchemaError, ValueError
        If the table or an argument is not as it should be.

    Examples
    --------
    >>> import polars as pl
    >>> from microcell import Schema, anonymize
    >>> patients = pl.DataFrame({
    ...     "name": ["Ann", "Bob", "Cid", "Dee"],
    ...     "age": [31, 62, 35, 58],
    ...     "sex": ["f", "m", "f", "m"],
    ...     "diagnosis": ["flu", "gout", "flu", "asthma"],
    ... })
    >>> schema = Schema(["age", "sex"], identifiers="name", confidential="diagnosis")
    >>> release = anonymize(patients, schema, k=2)
    >>> release.table.rows()
    [(33.0, 'f', 'flu'), (60.0, 'm', 'gout'), (33.0, 'f', 'flu'), (60.0, 'm', 'asthma')]
    >>> print(release.findings[0])
    k-anonymity: promised 2, found 2
    """
    refuse_of_schema(options)
    refuse_of_files(options, "anonymize_file(path, ...)")
    own = {n: options.pop(n) for n in [*options] if n not in (*OPTIONS, "schema")}
    parameters = options.get("parameters", {})
    if own and isinstance(parameters, Mapping):  # the recipe refuses what is none
        options["parameters"] = {**parameters, **own}
    recipe = Recipe(*given, **options)
    with said_if_it_compiles():
        return apply_recipe(table, recipe)


def apply_recipe(
    table: Any,
    recipe: Recipe | str | Path,
    *,
    as_text: bool = False,
    remember: bool = True,
    source: Source | None = None,
    engine: str | None = None,
    jobs: int | None = None,
) -> Release:
    """Make the release that a recipe describes; see `anonymize`.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table; it is not changed.
    recipe : Recipe or path
        A recipe or the TOML file of one.
    as_text : bool, default=False
        Whether columns of text are read as what they stand for even if other columns
        have types. A table whose columns are all text is always read so.
    remember : bool, default=True
        Whether the release remembers the original's quasi-identifiers, in memory alone,
        for its report and its pictures.
    source : Source, optional
        The file that the table was read from: what it notes of columns and what was
        found out in it.
    engine : {"memory"}, optional
        Cut the table into shards also where the recipe does not say it.
    jobs : int, optional
        Shards that are masked at the same time; by default one for each processor.

    Returns
    -------
    release : Release
    """
    if not isinstance(recipe, Recipe):
        recipe = Recipe.from_toml(recipe)
    sharded = recipe.shard is not None or engine == "memory"
    if recipe.plan.capabilities.differentially_private:
        return private_release(table, recipe, as_text, source, sharded)
    if sharded:
        refuse_recipe(recipe)
    prepared, task = prepare_for(table, recipe, recipe.schema, as_text)
    del table  # its text has been read
    give_back()
    part, found = one_part(task, prepared)
    units = units_of(prepared.frame, recipe)
    n_people = len(prepared.X) if units is None else int(units.max()) + 1
    strata = found.strata and found.strata.of_table(prepared, recipe, units)
    weights = None
    if recipe.weights is not None:
        given = (recipe.weights, task.marks, recipe.decimal)
        weights = weights_of(prepared.frame, *given)
    y = _target(prepared, recipe, task.marks)

    groups = _groups(prepared, recipe, units, strata, weights)
    plan = make_plan(recipe, prepared, groups)
    if sharded:
        cells = masked_in_shards(task, part, prepared, jobs)
    else:
        cells = Cells.of(plan, prepared, masked(plan, prepared, recipe, y))
    X_released = cells.X_released
    labels = cells.labels[:, 0] if cells.labels.shape[1] == 1 else cells.labels
    equipped = plan.capabilities.can_be_equipped
    forms = forms_of(recipe, prepared.kinds) if equipped else None
    counted = Counted.of(prepared, cells, forms, recipe, units, weights)
    dominated = dominated_cells(counted.dominated, recipe.weights)
    by_column = cells.by_column(len(prepared.names))
    table_released = prepared.restore(X_released, forms, by_column)
    beside = [n for n in recipe.strata if n in _kept_as_is(prepared, recipe)]
    if strata is not None:
        frame = nw.from_native(table_released, eager_only=True)
        frame = strata.with_common_values(frame, beside, strata.kept)
        table_released = frame.to_native()

    report(0, None, "verifying and measuring")
    promises = promises_of(plan, recipe, beside)
    view = View(
        confidential_reading(recipe).read(table_released),
        [*prepared.names, *beside],
        confidential=recipe.schema.confidential,
        units=units,
        unit=recipe.unit or "",
        labels=labels,
    )
    findings = [promise.verify(view) for promise in promises]
    require(findings)
    refinement = None if sharded else plan.refinement_  # shards have their own
    before = _before(prepared, recipe, table_released, X_released, forms, units)
    with meanwhile(partial(fingerprint, table_released)) as known_by:
        scores = _scores(before, recipe, view, weights, y)
    records = SampledRecords.of_table(prepared.original, units)
    return finished(
        recipe,
        names=nw.from_native(table_released, eager_only=True).columns,
        kinds=prepared.kinds,
        cells=[int(own.max()) + 1 for own in cells.labels.T],
        n_records=len(labels),
        promises=promises,
        findings=findings,
        scores=scores,
        disclosure=disclosure_of(view),
        notices=Notices(
            source=() if source is None else source.notices,
            people=[
                *found.people,
                *([] if sharded else _classes(prepared, recipe, view, task.marks)),
            ],
            weights=found.weights,
            plans=counted.said_by_plans(),
            text=task.notices,
            columns=counted.said_of_columns(
                prepared.encoders, recipe, forms is not None
            ),
            codes=codes_as_numbers(prepared.encoders, records, recipe),
            confidential=confidential_reading(recipe).notices(
                prepared.frame.to_native()
            ),
            marks=likely_missing(prepared.encoders, records, recipe.k),
        ),
        decide=found.decide,
        dominated=dominated,
        strata=strata,
        visits=visits_of(view, recipe),
        table=table_released,
        n_dropped=int(np.sum(~prepared.kept)),
        n_people=None if units is None else n_people,
        labels=labels,
        known=view.known,
        left_out=tuple(recipe.schema.left_out(prepared.frame.columns)),
        units=units,
        class_sizes=_class_sizes(view),
        layouts={**_notes(prepared, source), **task.layouts},
        fingerprint=known_by(),
        before=before if remember else None,
        refinement=refinement and refinement.rounded(len(X_released)),
    )


def _classes(prepared: Prepared, recipe: Recipe, view: View, marks: Any) -> list[str]:
    given = as_marks(marks).also("")
    return said_of_classes(prepared.frame, recipe, view, given)


def _notes(prepared: Prepared, source: Source | None) -> dict[str, ColumnNotes]:
    """What the file notes of released columns, record by record where it does."""
    if source is None:
        return {}
    rows = np.flatnonzero(prepared.kept)
    encoders = {encoder.name: encoder for encoder in prepared.encoders}
    return {
        name: note.of_masked(not (encoders[name].measured or encoders[name].tree))
        if name in encoders
        else note.at(rows)
        for name, note in source.notes.items()
    }


def _target(prepared: Prepared, recipe: Recipe, marks: Marks) -> np.ndarray | None:
    """The confidential attribute that shapes cells; declared kinds must fit."""
    kinds = recipe.schema.kinds
    for name in recipe.schema.confidential:
        if name in kinds and name not in recipe.targets:
            check_kind(prepared.frame, name, kinds[name], marks, recipe.decimal)
    found = [
        target_values(prepared.frame, name, kinds.get(name), marks, recipe.decimal)
        for name in recipe.targets
    ]
    return found[0] if len(found) == 1 else np.column_stack(found) if found else None


def _kept_as_is(prepared: Prepared, recipe: Recipe) -> list[str]:
    released = recipe.schema.released(prepared.frame.columns)
    return [name for name in released if name not in prepared.names]


def _groups(
    prepared: Prepared, recipe: Recipe, units: Any, strata: Strata | None, weights: Any
) -> Groups:
    native = confidential_reading(recipe).read(prepared.frame.to_native())
    resolved = [
        promise.resolve(native)
        for promise in all_promises(recipe)
        if isinstance(promise, CellModel)
    ]
    return Groups(
        strata=None if strata is None else strata.kept,
        units=units,
        values=[(promise, promise.codes(native)) for promise in resolved],
        weights=weights,
    )


def _before(
    prepared: Prepared,
    recipe: Recipe,
    table: Any,
    X_released: np.ndarray,
    forms: Any,
    units: np.ndarray | None,
) -> Before:
    """The original, before anything was done to it, beside what was released."""
    original = prepared if prepared.before is None else prepared.before
    return Before(
        encoders=original.encoders,
        X=original.original,
        X_released=original.released_numbers(table, X_released, forms),
        scaler=original.scaler(recipe.scale, expand=False),
        table=table,
        units=units,
    )


def _class_sizes(view: View) -> dict[int, tuple[int, int]]:
    records, people = np.bincount(view.classes), None
    if view.units is not None:
        people = people_of(view.classes, view.units, records.size)
    return class_size_counts(records if people is None else people, records)


def _scores(before: Before, recipe: Recipe, view: View, weights: Any, y: Any) -> Scores:
    sides = before.X, before.X_released, before.scaler
    comparison = comparison_of(*sides, view, weights)
    scores = compute_scores(comparison, recipe.measures)
    if y is not None:  # cells shaped by an attribute may give it away
        labels = np.asarray(view.labels)
        cells = labels if labels.ndim == 1 else view.classes
        shown = cell_scores(cells, y).shown
        scores = Scores((*scores.shown, *shown))
    return scores
