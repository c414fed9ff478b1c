"""anonymize: from a table and its roles to a verified release."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from microcell._by_stratum import ByStratum
from microcell._measure import scores_of
from microcell._recipe import Recipe
from microcell._release import Release, software_versions
from microcell._schema import Schema
from microcell.methods import METHODS
from microcell.prepare import prepare, strata_codes
from microcell.privacy import KAnonymity, class_sizes, require


def anonymize(
    table: Any,
    schema: Schema,
    *,
    k: int,
    method: str = "mdav",
    scale: str = "standard",
    aggregate: str = "mean",
    integers: str = "mean",
    missing: str = "error",
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
    strata : str or sequence of str, optional
        Columns whose values no cell may mix.
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
        parameters=parameters,
        scale=scale,
        aggregate=aggregate,
        integers=integers,
        missing=missing,
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
        table, recipe.schema, missing=recipe.missing, integers=recipe.integers
    )
    X = prepared.X
    if X.shape[0] < recipe.k:
        raise ValueError(
            f"The table has {X.shape[0]} record(s) to release, fewer than "
            f"k={recipe.k}. Lower k or add records."
        )
    scaler = prepared.scaler(recipe.scale)
    masking = METHODS[recipe.method](recipe.k, scale=scaler, **recipe.parameters)
    masking.set_params(aggregate=prepared.aggregator(recipe.aggregate))
    if recipe.strata:
        merge = recipe.small_strata == "merge"
        codes = strata_codes(prepared.frame, recipe.strata, 1 if merge else recipe.k)
        masking.set_params(
            partition=ByStratum(
                masking.partition, strata=codes, small=recipe.small_strata
            )
        )
    X_released = masking.fit_transform(X)
    released = prepared.restore(X_released)

    quasi_identifiers = recipe.schema.quasi_identifiers
    findings = [KAnonymity(recipe.k).verify(released, quasi_identifiers)]
    require(findings)
    scores = scores_of(
        X,
        prepared.released_numbers(released, X_released),
        scaler,
        class_sizes(released, quasi_identifiers),
    )
    return Release(
        table=released,
        labels=masking.labels_,
        findings=findings,
        scores=scores,
        recipe=recipe,
        n_dropped=int(np.sum(~prepared.kept)),
        versions=software_versions(),
    )
