"""Figures of a candidate: one flat list of what releases can be compared by."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from microcell.exceptions import InputError, Option, Words
from microcell.metrics import (
    COMPARED,
    DISCLOSED,
    FOUND_K,
    LEARNT,
    MEASURES,
    SECONDS,
    Figure,
    information_loss,
    interval_disclosure_risk,
    rounded_figures,
)
from microcell.recipe import Schema
from microcell.release import Release

SHORT_NAMES = {
    "loss": "relative_loss",
    "distortion": "mse_distortion",
    "linkage": "distance_linkage_risk",
    "risk": "prosecutor_max_risk",
    "t": "t_distance_max",
    "uniform": "homogeneous_records",
    "p": "p_sensitivity",
    "interval": "interval_disclosure_risk",
}
LEARNT_NAMES = tuple(figure.name for figure in LEARNT)


def known_figures(
    schema: Schema, label: str | None = None, *, given: Collection[str] = ()
) -> list[Figure]:
    """Every figure that a candidate can have.

    Parameters
    ----------
    schema : Schema
        Its confidential columns have figures of their own.
    label : str, optional
        The column that a model learns from the release.
    given : collection of str
        Options that some measures need, and that were given: "weights", "unit".

    Examples
    --------
    >>> from microcell import Schema
    >>> figures = known_figures(Schema(["age"], confidential="ill"), label="ill")
    >>> [figure.name for figure in figures][:3]
    ['k', 'relative_loss', 'sse_loss']
    >>> find_figure("accuracy", figures).name
    'accuracy:ill'
    """
    figures = [FOUND_K]
    figures += [
        Figure(measure.name, measure.label, measure.unit, measure.better)
        for measure in MEASURES
        if not measure.needs or measure.needs in given
    ]
    figures += COMPARED
    disclosed = [figure for figure in DISCLOSED if figure.better]
    if schema.confidential:
        figures += disclosed
    for column in schema.confidential:
        figures += [figure.of(column) for figure in disclosed]
    if label is not None:
        figures += [figure.of(label, " of ") for figure in LEARNT]
    return [*figures, SECONDS]


def find_figure(name: str, figures: Sequence[Figure], option: str = "") -> Figure:
    """The figure of a name, or of a short one that people say.

    Parameters
    ----------
    name : str
        For example "distance_linkage_risk", "linkage", "t:income", or "accuracy" for
        that of the label.
    figures : sequence of Figure
    option : str
        The option that gave the name, for the error.
    """
    by_name = {figure.name: figure for figure in figures}
    head, colon, column = name.partition(":")
    full = SHORT_NAMES.get(head, head) + colon + column
    if full in by_name:
        return by_name[full]
    learnt = [f for f in figures if f.name.startswith(f"{full}:")]
    if full in LEARNT_NAMES and len(learnt) == 1:
        return learnt[0]
    words = [*by_name, *(s for s, of in SHORT_NAMES.items() if of in by_name)]
    near = difflib.get_close_matches(name, words, n=3)
    hint: Words
    if full in LEARNT_NAMES:
        hint = [
            "It is that of a model: name the column that it learns in ",
            Option("label"),
            ".",
        ]
    elif near:
        hint = f"Did you mean {' or '.join(map(repr, near))}?"
    else:
        hint = f"There are {words}."
    raise InputError(f"There is no figure {name!r}.", option=option or None, hint=hint)


def figures_of(release: Release) -> dict[str, float]:
    """Everything that can be counted on a release and compared with its original.

    Rounded to what may be given away.

    Examples
    --------
    >>> import polars as pl
    >>> from microcell import Schema, anonymize
    >>> ages = pl.DataFrame({"age": list(range(20, 60)), "ill": ["no", "yes"] * 20})
    >>> release = anonymize(ages, Schema(["age"], confidential="ill"), k=5)
    >>> found = figures_of(release)
    >>> found["k"], found["homogeneous_records"], found["relative_loss"]
    (5.0, 0.0, 0.016)
    """
    found = {"k": float(release.view(release.table).counts().sizes.min())}
    measured = {measure.name for measure in MEASURES}
    found |= {n: float(v) for n, v in release.scores.items() if n in measured}
    if release.before is not None and release.recipe.measures != "none":
        found |= _of_numbers(release)
    found |= _disclosed(release.disclosure)
    return rounded_figures(found, release.n_records)


def _of_numbers(release: Release) -> dict[str, float]:
    """How closely numbers and dates are pinned down, and what their spread lost.

    Of records that miss none of them, before and after, if k people have such.
    """
    before: Any = release.before
    columns = [j for j, encoder in enumerate(before.encoders) if encoder.measured]
    X, X_released = before.X[:, columns], before.X_released[:, columns]
    whole = ~(np.isnan(X) | np.isnan(X_released)).any(axis=1)
    whose = np.arange(whole.size) if release.units is None else release.units
    if not columns or np.unique(whose[whole]).size < release.recipe.k:
        return {}
    X, X_released = X[whole], X_released[whole]
    found = {"interval_disclosure_risk": interval_disclosure_risk(X, X_released)}
    varies = (X.min(axis=0) < X.max(axis=0)) & ~_told_by_few(X, whole, release)
    if varies.any():
        loss = information_loss(X[:, varies], X_released[:, varies])
        found["variance_loss"] = float(loss.il4)
        if varies.sum() > 1:
            found["correlation_loss"] = float(loss.il5)
    return found


def _told_by_few(X: np.ndarray, whole: np.ndarray, release: Release) -> np.ndarray:
    """Columns whose spread fewer than k people make up.

    Who knows the release could compute from changes of their correlations what these
    people have in other columns.
    """
    from microcell.report import People

    people = People(release.recipe.k, whole.size, release.units)
    apart = (X - np.median(X, axis=0)) ** 2
    rows = np.flatnonzero(whole)
    return np.array([people.dominated(column, rows) for column in apart.T])


def _disclosed(disclosure: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """What cells give away of each confidential column, and of the worst."""
    found: dict[str, float] = {}
    for figure in DISCLOSED:
        if not figure.better:
            continue
        name = figure.name
        values = {c: s[name] for c, s in disclosure.items() if name in s}
        if values:
            found[name] = max(values.values(), key=figure.cost)
        found |= {f"{name}:{column}": value for column, value in values.items()}
    return found
