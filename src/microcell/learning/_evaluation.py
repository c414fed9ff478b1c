"""What a model learns of a label from a release, tested on records held out of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import narwhals as nw
import numpy as np

from microcell._validation import check_count
from microcell.columns import (
    ENCODERS,
    Prepared,
    as_marks,
    dictionary,
    encode_columns,
    is_missing,
    number_or_none,
    open_frame,
    released_values,
    target_values,
)
from microcell.exceptions import InputError, Option, SchemaError, absent_column
from microcell.learning._table_model import features, table_model
from microcell.metrics import LEARNT, hold_out, task_of, train_and_test
from microcell.pipeline import one_part, units_of
from microcell.recipe import Recipe
from microcell.recognition import MIN_PEOPLE
from microcell.release import apply_recipe, prepare_for

MAX_LEARNT_RECORDS = 10_000  # records; of larger tables a sample is learnt from
MAX_LEARNT_LABELS = 100  # classes that are learnt
HELD_OUT = 0.25
HOLD_OUTS = 3  # times that records are


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A label, and splits of the records that are the same for every candidate.

    In each repetition a part of the records is held out, whole people where k counts
    people. The others are released, a model learns the label from their released
    quasi-identifiers, and predicts the label of those held out from what they were.

    Attributes
    ----------
    table : dataframe
        The records that are learnt from.
    as_text : bool
        As in `apply_recipe`.
    label : str
    task : {"classification", "regression"}
    y : ndarray of shape (n_samples,)
        Its values; of classes their numbers.
    prepared : Prepared
        Their quasi-identifiers as they were.
    splits : list of (ndarray, ndarray)
        Records that are released, and those held out.
    notes : list of str
    """

    table: Any = field(repr=False)
    as_text: bool
    label: str
    task: str
    y: np.ndarray = field(repr=False)
    prepared: Prepared = field(repr=False)
    splits: list[tuple[np.ndarray, np.ndarray]] = field(repr=False)
    notes: list[str]

    def figures(self, recipe: Recipe) -> dict[str, float]:
        """What is learnt from releases by a recipe, on average over the splits."""
        recipe = replace(recipe, measures="none")
        frame = open_frame(self.table)
        found = []
        for train, test in self.splits:
            part = frame[train.tolist()].to_native()
            release = apply_recipe(part, recipe, as_text=self.as_text, remember=False)
            found.append(self._tested(self._numbers(release.table, train), train, test))
        return self._means(found)

    def original(self) -> dict[str, float]:
        """The same of a model that learns from the records as they are."""
        X = self.prepared.original
        return self._means(
            [self._tested(X[train], train, test) for train, test in self.splits]
        )

    def _numbers(self, table: Any, rows: np.ndarray) -> np.ndarray:
        """Released quasi-identifiers in the numbers of the originals."""
        original = dict(
            zip(self.prepared.names, self.prepared.original[rows].T, strict=True)
        )
        return encode_columns(
            self.prepared.encoders,
            open_frame(table),
            encode=lambda encoder, series: released_values(
                encoder, series, original[encoder.name], self.prepared.reading
            ),
        )

    def _tested(
        self, X: np.ndarray, train: np.ndarray, test: np.ndarray
    ) -> dict[str, float]:
        encoders = self.prepared.encoders
        model = table_model(encoders, self.task)
        return train_and_test(
            features(encoders, X),
            self.y[train],
            features(encoders, self.prepared.original[test]),
            self.y[test],
            model,
            self.task,
        )

    def _means(self, found: list[dict[str, float]]) -> dict[str, float]:
        known = [figure.name for figure in LEARNT if figure.name in found[0]]
        return {
            f"{name}:{self.label}": round(
                float(np.mean([each[name] for each in found])), 4
            )
            for name in known
        }


def evaluation_of(
    table: Any,
    recipe: Recipe,
    label: str,
    *,
    as_text: bool = False,
    n_repetitions: int = HOLD_OUTS,
) -> Evaluation:
    """Read the label of a table and split its records.

    Parameters
    ----------
    table : dataframe
    recipe : Recipe
        Any of those that are compared: they read the table alike.
    label : str
        A column that is released as it is. Records that miss it are left out here.
    as_text : bool, default=False
        As in `apply_recipe`.
    n_repetitions : int, default=3
        Number of splits.
    """
    n_repetitions = check_count(n_repetitions, 1, "n_repetitions")
    frame = open_frame(table)
    _check_label(label, recipe, frame.columns)
    rows, notes = _sample(frame, label, recipe)
    part = frame if rows is None else frame[rows.tolist()]
    prepared, read = prepare_for(part.to_native(), recipe, recipe.schema, as_text)
    known = ~is_missing(prepared.frame[label], as_marks(read.marks).also(""))
    if not known.all() or not prepared.kept.all():
        there = np.flatnonzero(prepared.kept)[known]
        part = part[there.tolist()]
        prepared, read = prepare_for(part.to_native(), recipe, recipe.schema, as_text)
    if len(part) < MIN_PEOPLE:
        raise InputError(
            f"Only {len(part)} records have a {label!r} to be learnt.", option="label"
        )
    kind = recipe.schema.kinds.get(label)
    y = target_values(prepared.frame, label, kind, read.marks, recipe.decimal)
    task, y = _task(prepared.frame[label], label, kind, y)
    one_part(read, prepared)  # or it says why not
    units = units_of(prepared.frame, recipe)
    return Evaluation(
        table=part.to_native(),
        as_text=as_text,
        label=label,
        task=task,
        y=y,
        prepared=prepared if prepared.before is None else prepared.before,
        splits=[_split(y, task, units, seed) for seed in range(n_repetitions)],
        notes=notes,
    )


def _check_label(label: str, recipe: Recipe, columns: list[str]) -> None:
    if label not in columns:
        raise absent_column(label, "label", columns)
    released = recipe.schema.released(columns)
    if label in recipe.schema.quasi_identifiers or label not in released:
        what = "masked" if label in released else "not released"
        raise SchemaError(
            f"Column {label!r} is {what}, so nobody learns it from a release.",
            column=label,
            option="label",
            hint=["Choose a column of ", Option("confidential"), "."],
        )


def _sample(frame: Any, label: str, recipe: Recipe) -> tuple[Any, list[str]]:
    """Records to learn from, if they are too many; those of a person together."""
    if len(frame) <= MAX_LEARNT_RECORDS:
        return None, []
    rng = np.random.default_rng(0)
    units = units_of(frame, recipe)
    units = np.arange(len(frame)) if units is None else units
    place = rng.permutation(int(units.max()) + 1)[units]
    rows = np.sort(np.argsort(place, kind="stable")[:MAX_LEARNT_RECORDS])
    return rows, [
        f"models learn {label!r} from a sample of {MAX_LEARNT_RECORDS} of {len(frame)} "
        "records, in which cells are wider than in the whole table"
    ]


def _task(series: Any, label: str, kind: Any, y: np.ndarray) -> tuple[str, np.ndarray]:
    """What kind of label it is; classes become numbers."""
    values, codes = np.unique(y, return_inverse=True)
    if values.size < 2:
        raise InputError(
            f"Column {label!r} has one value only: there is nothing to learn.",
            column=label,
            option="label",
        )
    if _measures(series, kind, y):
        numbers = y.astype(np.float64)
        if task_of(np.unique(numbers)) == "regression":
            return "regression", numbers
    if values.size > MAX_LEARNT_LABELS:
        raise InputError(
            f"Column {label!r} takes {values.size} values that are no numbers, more "
            f"than the {MAX_LEARNT_LABELS} classes that a model learns here.",
            column=label,
            option="label",
            hint="Group them first.",
        )
    return "classification", codes


def _measures(series: Any, kind: Any, y: np.ndarray) -> bool:
    """Whether a label holds numbers, also if they are written as text."""
    if kind is not None:
        return ENCODERS.of(kind).measured
    if series.dtype == nw.String:
        written = [number_or_none(value) for value in dictionary(series)[1]]
        return y.dtype.kind == "f" or None not in written
    return bool(series.dtype.is_numeric())


def _split(
    y: np.ndarray, task: str, units: np.ndarray | None, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Records to release and records to hold out, classes in proportion if they can."""
    classes = task == "classification" and np.bincount(y).min() >= 2
    enough = classes and int(HELD_OUT * y.size) >= np.unique(y).size
    strata = y if enough else None
    train, test = hold_out(y.size, HELD_OUT, seed, strata=strata, units=units)
    return np.sort(train), np.sort(test)
