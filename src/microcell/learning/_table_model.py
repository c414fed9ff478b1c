"""The plainest model of a table's columns, whatever their kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from microcell.columns import (
    Reading,
    as_written,
    dictionary,
    is_missing,
    is_text_table,
    marks_of,
    open_frame,
    read_as,
)
from microcell.metrics import default_estimator
from microcell.recipe import Recipe

MAX_CATEGORIES_APART = 100  # categories of a column that a model sees apart


def table_model(encoders: Sequence[Any], task: str) -> Any:
    """The plainest model that takes columns of every kind, as `features` has them.

    Parameters
    ----------
    encoders : sequence of Encoder
    task : {"classification", "regression"}
    """
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers: list[int] = []
    codes: list[int] = []
    for encoder in encoders:
        place = len(numbers) + len(codes)
        width = 1 if encoder.levels is None else encoder.levels.codes.shape[1]
        own = numbers if encoder.ordered else codes
        own += range(place, place + width)
    filled = make_pipeline(
        SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler()
    )
    split = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=MAX_CATEGORIES_APART
    )
    columns = make_column_transformer((filled, numbers), (split, codes))
    return make_pipeline(columns, default_estimator(task))


def features(encoders: Sequence[Any], X: np.ndarray) -> np.ndarray:
    """Columns as a model gets them: of codes with a tree one for each level.

    Parameters
    ----------
    encoders : sequence of Encoder
    X : ndarray of shape (n_samples, n_quasi_identifiers)
        In the numbers of the encoders; NaN is missing.
    """
    columns = []
    for encoder, column in zip(encoders, X.T, strict=True):
        if encoder.levels is None:
            columns.append(column[:, None])
            continue
        nodes = np.where(np.isnan(column), 0, column).astype(np.int64)
        levels = encoder.levels.codes[nodes].astype(np.float64)
        levels[np.isnan(column)] = np.nan
        columns.append(levels)
    return np.hstack(columns)


def numbers_of_records(
    encoders: Sequence[Any], table: Any, recipe: Recipe
) -> np.ndarray:
    """Records that were not in the release, in the numbers of its encoders.

    Text is read as the recipe says. What the encoders have never met, and what is
    missing, is NaN.
    """
    frame = open_frame(table)
    names = [encoder.name for encoder in encoders]
    marks = marks_of(recipe.missing_marks, is_text_table(frame), names)
    reading = Reading(recipe.decimal, recipe.dates)
    X = np.full((len(frame), len(encoders)), np.nan)
    for j, encoder in enumerate(encoders):
        there = ~is_missing(frame[encoder.name], marks)
        if there.any():
            series = frame[encoder.name].filter(there.tolist())
            X[there, j] = _numbers(encoder, series, reading)
    return X


def _numbers(encoder: Any, series: Any, reading: Reading) -> np.ndarray:
    text = series.dtype == nw.String
    if encoder.measured:
        return encoder.encode(
            read_as(series, encoder.kind, reading) if text else series
        )
    if text and encoder.levels is None:
        series = as_written(encoder, series, reading)
    seen, values = dictionary(series)
    whole = encoder.like.dtype.is_integer()  # a column with gaps may be one of floats
    found = [_number(encoder, int(v) if whole and v == int(v) else v) for v in values]
    return np.array(found)[seen]


def _number(encoder: Any, value: Any) -> float:
    try:
        return encoder.number(str(value))
    except ValueError:
        return np.nan
