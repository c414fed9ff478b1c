"""How well models that learn from the release do on real records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from threadpoolctl import threadpool_limits

from microcell.learning import HELD_OUT
from microcell.metrics import (
    default_estimator,
    hold_out,
    mean_interval,
    rounded_joint,
    train_and_test,
    wilson_interval,
)
from microcell.report._columns import Column
from microcell.report._geometry import Geometry
from microcell.report._people import People, first_rows
from microcell.report._shown import frequent_codes

if TYPE_CHECKING:
    from microcell.release import Release

MAX_TRAINING_RECORDS = 20_000  # records
MAX_TRAINING_CLASSES = 10
MAX_MODELS = 3
MIN_TRAINING_RECORDS = 50  # records
REPETITIONS = 5  # of regressions, which are cheap
MIN_RECORDS_PER_CLASS = 8  # records, so that each part has some


def models(
    release: Release, columns: list[Column], geometry: Geometry, people: People
) -> list[dict[str, Any]]:
    """One model for each label: the target, or confidential columns of few classes.

    Trained on the released and on the original values of the same records, tested on
    the original values of others. Test records took part in the release: the picture
    is a little too bright for both.
    """
    rows = first_rows(people.n_records, MAX_TRAINING_RECORDS)
    if rows.size < MIN_TRAINING_RECORDS:
        return []
    found = []
    for column in labels_of(release, columns):
        y, use = _values(column, rows, people)
        if y is not None and use.size >= MIN_TRAINING_RECORDS:
            with threadpool_limits(1):  # tables so small only wait for other threads
                found.append(_trained(column, y, use, geometry))
    return found


def labels_of(release: Release, columns: list[Column]) -> list[Column]:
    """What models may predict."""
    by_name = {column.name: column for column in columns}
    target = release.recipe.target
    if target in by_name and by_name[target].role == "confidential":
        return [by_name[target]]
    return [
        column
        for column in columns
        if column.role == "confidential"
        and not column.measured
        and 2 <= column.n_values <= MAX_TRAINING_CLASSES
    ][:MAX_MODELS]


def _values(
    column: Column, rows: np.ndarray, people: People
) -> tuple[np.ndarray | None, np.ndarray]:
    """Values to learn, with what few people have as one class, and whose they are."""
    if column.measured:
        y = column.after[rows]
        rows = rows[~np.isnan(y)]
        y = column.after[rows]
        return (y if np.unique(y).size > 1 else None), rows
    named, _ = frequent_codes(
        column.after, column.n_values, people, MAX_TRAINING_CLASSES
    )
    if not named:
        return None, rows
    codes = np.where(np.isin(column.after, named), column.after, column.n_values)[rows]
    counts = np.bincount(codes)
    rare = np.isin(codes, np.flatnonzero(counts < MIN_RECORDS_PER_CLASS))
    codes[rare] = counts.argmax()
    return (codes if np.unique(codes).size > 1 else None), rows


def _trained(
    column: Column, y: np.ndarray, rows: np.ndarray, geometry: Geometry
) -> dict[str, Any]:
    task = "regression" if column.measured else "classification"
    metric = "r2" if column.measured else "accuracy"
    spread = float(y.std())
    y = (y - y.mean()) / spread if column.measured else y
    original, released = geometry.expanded(geometry.Z[rows], geometry.Z_released[rows])
    guess = DummyRegressor() if column.measured else DummyClassifier()
    model = default_estimator(task)
    scores: dict[str, list[float]] = {"released": [], "original": [], "constant": []}
    n_test = 0
    for seed in range(REPETITIONS if column.measured else 1):
        strata = None if column.measured else y
        train, test = hold_out(rows.size, HELD_OUT, seed, strata=strata)
        n_test = test.size
        for name, table, estimator in (
            ("released", released, model),
            ("original", original, model),
            ("constant", original, guess),
        ):
            tested = train_and_test(
                table[train], y[train], original[test], y[test], estimator, task
            )
            scores[name].append(tested[metric])
    mean = {name: float(np.mean(values)) for name, values in scores.items()}
    if column.measured:
        interval = mean_interval(scores["released"])
    else:
        interval = wilson_interval(mean["released"] * n_test, n_test)
    return {
        "column": column.name,
        "task": task,
        "metric": metric,
        **{name: rounded_joint(value, rows.size) for name, value in mean.items()},
        "interval": [rounded_joint(float(end), rows.size) for end in interval],
        "records_used": int(rows.size),
    }
