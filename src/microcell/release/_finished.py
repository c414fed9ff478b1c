"""From what was counted to a Release, the same way on every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from microcell.metrics import Scores
from microcell.pipeline import (
    Notices,
    Strata,
    Visits,
    hardly_anything_left,
    kept_apart,
    said_of_recipe,
    said_of_visits,
    to_decide,
    to_notice,
)
from microcell.privacy import Finding, Promise, require, weaker_than_k
from microcell.recipe import Recipe
from microcell.release._release import Release, released_columns


def finished(
    recipe: Recipe,
    *,
    names: Sequence[str],
    kinds: Mapping[str, str],
    cells: list[int],
    n_records: int,
    promises: Sequence[Promise],
    findings: list[Finding],
    scores: Scores,
    disclosure: Mapping[str, Scores],
    notices: Notices,
    decide: Sequence[str] = (),
    dominated: Sequence[str] = (),
    strata: Strata | None = None,
    visits: Visits | None = None,
    **known: Any,
) -> Release:
    """The release of a table, whoever held its records.

    Parameters
    ----------
    recipe : Recipe
    names : sequence of str
        Released columns.
    kinds : mapping
        How each quasi-identifier was treated.
    cells : list of int
        Cells of each block of columns.
    n_records : int
    promises, findings : sequence
        What was promised, and what was found.
    scores, disclosure : Scores, mapping of str to Scores
    notices : Notices
    decide : sequence of str
        What is to be decided of columns that are released as they are.
    dominated : sequence of str
        What is to be decided of cells that one person decides.
    strata : Strata, optional
        Those that cells keep to.
    visits : Visits, optional
        What is left to who knows all records of a person.
    **known
        What else a `Release` holds.

    Raises
    ------
    PrivacyError
        If a promise failed; there is no release then.
    """
    require(findings)
    n_strata, found = (0, 0), list(findings)
    if strata is not None:
        n_strata = strata.n_merged, strata.n_before
        if strata.n_merged:
            found.append(kept_apart(strata.n_strata, strata.n_before))
    lost = hardly_anything_left(cells, scores.get("relative_loss"), n_records)
    return Release(
        recipe=recipe,
        kinds=dict(kinds),
        cells=cells,
        columns=released_columns(names, kinds, recipe, n_strata[0] > 0),
        n_records=n_records,
        promises=promises,
        findings=found,
        scores=scores,
        disclosure=disclosure,
        n_strata=n_strata,
        visits=visits,
        decide=(
            *decide,
            *said_of_visits(visits),
            *lost,
            *said_of_recipe(recipe),
            *dominated,
            *to_decide(disclosure),
            *weaker_than_k(promises, found),
        ),
        notices=tuple(chain(*notices._replace(disclosure=to_notice(disclosure)))),
        **known,
    )
