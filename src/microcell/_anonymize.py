"""anonymize: from a table and its roles to a verified release."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from microcell._by_block import ByBlock
from microcell._by_stratum import ByStratum
from microcell._measure import homogeneity_scores, scores_of
from microcell._progress import report
from microcell._recipe import Recipe
from microcell._release import Release, software_versions
from microcell._schema import Schema
from microcell._validation import column_blocks
from microcell.methods import METHODS
from microcell.prepare import Prepared, prepare, strata_codes, target_values
from microcell.privacy import class_sizes, require, verify_blocks


def anonymize(
    table: Any,
    schema: Schema,
    *,
    k: int,
    method: str = "mdav",
    target: str | None = None,
    scale: str = "standard",
    aggregate: str = "mean",
    integers: str = "mean",
    missing: str = "error",
    missing_marks: Sequence[str] = (),
    strata: str | Sequence[str] = (),
    small_strata: str = "error",
    **parameters: Any,
) -> Release:
    """Make a k-anonymous release of a table, and verify it.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table; it is not changed.
    schema : Schema
        Roles and kinds of its columns.
    k : int
        Least number of records that share their released quasi-identifiers; at least 2.
    method : str, default="mdav"
        A name in `microcell.methods.METHODS`.
    target : str, optional
        The confidential attribute that shapes cells, for methods that use one (LDA,
        statistical dependence); by default the only one there is.
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        How numbers, dates and ordered categories get a common scale before distances
        are measured. A mismatch of categories without order is one unit.
    aggregate : {"mean", "median", "interval"}, default="mean"
        What is published of numbers and dates. Ordered categories give their median,
        or their interval; categories without order always their mode.
    integers : {"mean", "round"}, default="mean"
        Whether means of integers stay floats or are rounded to integers.
    missing : {"error", "drop"}, default="error"
        What to do with records that miss a quasi-identifier.
    missing_marks : sequence of str, optional
        Texts that stand for a missing value in a quasi-identifier of text.
    strata : str or sequence of str, optional
        Columns whose values no cell may mix; neither identifiers nor confidential.
    small_strata : {"error", "merge"}, default="error"
        What to do with strata of fewer than k records.
    **parameters
        The method's own parameters, for example ``gamma=0.9`` of "vmdav".

    Returns
    -------
    release : Release
        Its table is of the same kind as the original, with the same order of records
        and columns, index and data types; integers that become means are floats.

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
    recipe = Recipe(
        schema,
        k,
        method=method,
        target=target,
        parameters=parameters,
        scale=scale,
        aggregate=aggregate,
        integers=integers,
        missing=missing,
        missing_marks=missing_marks,
        strata=strata,
        small_strata=small_strata,
    )
    return apply_recipe(table, recipe)


def apply_recipe(table: Any, recipe: Recipe | str | Path) -> Release:
    """Make the release that a recipe describes; see `anonymize`.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table; it is not changed.
    recipe : Recipe or path
        A recipe or the TOML file of one.

    Returns
    -------
    release : Release
    """
    if not isinstance(recipe, Recipe):
        recipe = Recipe.from_toml(recipe)
    prepared = prepare(
        table,
        recipe.schema,
        missing=recipe.missing,
        integers=recipe.integers,
        missing_marks=recipe.missing_marks,
    )
    X = prepared.X
    if X.shape[0] < recipe.k:
        raise ValueError(
            f"The table has {X.shape[0]} record(s) to release, fewer than "
            f"k={recipe.k}. Lower k or add records."
        )
    strata = _strata(prepared, recipe)
    blocks = _blocks(recipe, X.shape[1])
    y = None if recipe.target is None else target_values(prepared.frame, recipe.target)
    parts = [_mask(prepared.take(columns), recipe, strata, y) for columns in blocks]
    X_released = np.hstack([released for released, _ in parts])
    labels = [cells for _, cells in parts]
    table_released = prepared.restore(X_released)

    report(0, None, "verifying and measuring")
    names = [prepared.take(columns).names for columns in blocks]
    findings = verify_blocks(table_released, recipe.k, names)
    require(findings)
    scores = scores_of(
        prepared,
        prepared.released_numbers(table_released, X_released),
        recipe.scale,
        class_sizes(table_released, prepared.names),
    )
    if y is not None:  # cells shaped by an attribute may give it away
        scores |= homogeneity_scores(labels[0], y)
    return Release(
        table=table_released,
        labels=labels[0] if len(labels) == 1 else np.column_stack(labels),
        blocks=names,
        kinds=prepared.kinds,
        findings=findings,
        scores=scores,
        recipe=recipe,
        n_dropped=int(np.sum(~prepared.kept)),
        versions=software_versions(),
    )


def _blocks(recipe: Recipe, n_columns: int) -> list[list[int]]:
    """Columns that the method masks together, in the order of the table."""
    plan = METHODS[recipe.method](recipe.k, **recipe.parameters)
    if isinstance(plan, ByBlock):
        return column_blocks(plan.blocks, n_columns)
    return [list(range(n_columns))]


def _mask(
    part: Prepared, recipe: Recipe, strata: np.ndarray | None, y: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Released numbers and labels of a block of columns."""
    plan = METHODS[recipe.method](
        recipe.k, scale=part.scaler(recipe.scale), **recipe.parameters
    )
    masking = plan.microaggregator if isinstance(plan, ByBlock) else plan
    masking.set_params(aggregate=part.aggregator(recipe.aggregate))
    if strata is not None:
        inside = ByStratum(masking.partition, strata=strata, small=recipe.small_strata)
        masking.set_params(partition=inside)
    X_released = masking.fit_transform(part.X, y)
    if recipe.aggregate == "interval" and X_released.shape == part.X.shape:
        X_released = np.repeat(X_released, 2, axis=1)  # modes: both ends are the same
    return X_released, masking.labels_


def _strata(prepared: Prepared, recipe: Recipe) -> np.ndarray | None:
    """Stratum of each record; one that is too small is an error, unless merged."""
    if not recipe.strata:
        return None
    least = 1 if recipe.small_strata == "merge" else recipe.k
    return strata_codes(prepared.frame, recipe.strata, least)
