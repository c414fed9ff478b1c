"""measure: loss and risk of a release, from the two tables alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np

from microcell._validation import check_choice
from microcell.columns import (
    Prepared,
    Reading,
    as_marks,
    as_table,
    check_reading,
    columns_to_read,
    is_text_table,
    marks_of,
    open_frame,
    prepare,
    read_text_table,
)
from microcell.embed import SCALES, ColumnScaler
from microcell.exceptions import InputError, Option, absent_column
from microcell.io import DateLayout, NumberLayout
from microcell.metrics import (
    REORDERED,
    Comparison,
    Scores,
    VisitsRisk,
    compute_scores,
    household_risk,
    journalist_risk,
)
from microcell.pipeline import unit_weights, units_in, weights_of
from microcell.privacy import View
from microcell.recipe import (
    OPTIONS,
    RECORDS,
    Recipe,
    Schema,
    check_decimal,
    given_marks,
)
from microcell.release._alignment import aligned_rows, is_reordered

PUT_IN_ORDER = (
    "rows were put beside those of the original by what was released as it is"
)
NOT_BESIDE = "records are counted, as rows of the release do not say their"


def measure(
    original: Any,
    release: Any,
    quasi_identifiers: str | Sequence[str] = (),
    *,
    recipe: Recipe | str | Path | None = None,
    kinds: Mapping[str, Any] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    scale: str = "standard",
    missing: str = "error",
    missing_marks: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
    measures: str | Sequence[str] = "all",
    decimal: str | None = None,
    dates: Mapping[str, str] | None = None,
    unit: str | None = None,
    weights: str | None = None,
    as_text: bool = False,
    aligned: bool = False,
) -> Scores:
    """Compare a table with its release, whatever tool made it.

    Parameters
    ----------
    original, release : dataframe
        pandas, polars or pyarrow tables with the same records. A release in another
        order, as files are that were sorted by their released values, is put in order
        where what was released as it is tells all records apart. Where it does not,
        nothing is compared row by row: `notice` of the scores says what was not
        measured, and a measure that needs it is an error if it was named.
    quasi_identifiers : str or sequence of str
        The columns that were masked.
    recipe : Recipe or path, optional
        The recipe that the release was made by, instead of what says how it was made.
    kinds : mapping, optional
        How to treat a column where its data type does not say it; see `Schema`.
    hierarchies : mapping, optional
        Groups of the values of a column; see `Schema`.
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        How attributes get a common scale, learnt on the original.
    missing : {"error", "drop", "category", "impute", "ignore"}, default="error"
        How the release was made of records that miss a quasi-identifier, as in
        `anonymize`: "drop" compares the others with a release that left them out. As a
        category, a value that became missing, or was, is a mismatch; else what was
        missing has nothing to lose.
    missing_marks : sequence or mapping, optional
        What stands for a missing value; see `Recipe`.
    measures : "quick", "all", "none" or sequence of str, default="all"
        Which figures; "quick" leaves out what is expensive on a large table.
    decimal : {".", ","}, optional
        The decimal mark of numbers that are text, in both tables; see `Recipe`.
    dates : mapping, optional
        How columns of text write dates, in both tables; see `Recipe`.
    unit : str, optional
        Column of the original that says whose record each is, if risk is to count
        people with several records, or households; "records" if none.
    weights : str, optional
        Column of the original that says how many people each record stands for, for
        the risk in the population.
    as_text : bool, default=False
        Whether text of the original is read as what it stands for even if other
        columns have types. A table whose columns are all text is always read so.
    aligned : bool, default=False
        Whether the rows are known to be in the same order, whatever they look like.

    Returns
    -------
    scores : Scores
        A dict of `relative_loss` (the information loss), `sse_loss`, `mse_distortion`,
        `distance_linkage_risk` (share of released records whose nearest original is
        their own), `distance_linkage_risk_top2` (among the two nearest),
        `prosecutor_max_risk` and `prosecutor_average_risk`. Loss and linkage are
        rounded to what may be given away; functions of `microcell.metrics` are exact.

    Examples
    --------
    >>> import polars as pl
    >>> original = pl.DataFrame({"age": [20, 30, 60, 70]})
    >>> release = pl.DataFrame({"age": [25.0, 25.0, 65.0, 65.0]})
    >>> scores = measure(original, release, "age")
    >>> scores["relative_loss"], scores["prosecutor_max_risk"]
    (0.06, 0.5)
    """
    check_choice("scale", scale, tuple(SCALES))
    check_choice("missing", missing, OPTIONS["missing"].choices)
    strata: list[str] = []
    order = None
    if recipe is not None:
        said = {
            **{"quasi_identifiers": quasi_identifiers, "kinds": kinds, "unit": unit},
            **{"hierarchies": hierarchies, "missing_marks": missing_marks},
            **{"decimal": decimal, "dates": dates, "weights": weights},
            **{"scale": scale != "standard", "missing": missing != "error"},
        }
        _refuse_beside_recipe(said)
        if not isinstance(recipe, Recipe):
            recipe = Recipe.from_toml(recipe)
        quasi_identifiers = recipe.schema.quasi_identifiers
        own = recipe.schema.kinds
        kinds = {name: own[name] for name in quasi_identifiers if name in own}
        hierarchies = recipe.schema.hierarchies
        scale, missing = recipe.scale, recipe.missing
        missing_marks, dates = recipe.missing_marks, recipe.dates
        decimal, order = recipe.decimal, recipe.order
        unit, weights = recipe.unit, recipe.weights
        strata = [name for name in recipe.strata if name not in quasi_identifiers]
    missing = "ignore" if missing == "impute" else missing  # nothing to fill here
    schema = Schema(quasi_identifiers, others="drop").saying(
        kinds=kinds or {}, hierarchies=hierarchies or {}, dates=dates or {}
    )
    frame = open_frame(original)
    schema.released(frame.columns)
    as_text = as_text or is_text_table(frame)
    names = list(schema.quasi_identifiers)
    marks = marks_of(given_marks(missing_marks, schema), as_text, names)
    check_decimal(decimal)
    reading = Reading(decimal, schema.dates)
    release = as_table(release)  # a stream can be read once
    released = open_frame(release)
    check_reading([frame, released], names, reading)
    read = names
    if not as_text:
        read = columns_to_read(frame, names, schema.kinds, marks, reading)
    frame, layouts = read_text_table(frame, read, schema.kinds, marks, reading)
    prepared = prepare(
        frame.to_native(),
        schema,
        missing=missing,
        missing_marks=marks,
        reading=reading,
        layouts=_layouts_of_release(released, names, reading) | layouts,
    )
    X_released = prepared.encode(release)
    notices = []
    if not aligned:
        aligned = not is_reordered(prepared, release, X_released)
        rows = None
        if not aligned:
            made_here = recipe is not None
            rows = aligned_rows(prepared, release, made_here=made_here, order=order)
        if rows is not None:
            released = released[rows.tolist()]
            release, X_released = released.to_native(), X_released[rows]
            aligned = True
            notices.append(PUT_IN_ORDER)
    if recipe is not None and not aligned:
        hidden = [name for name in (unit, weights) if name not in (None, RECORDS)]
        if hidden:
            notices.append(f"{NOT_BESIDE}: {', '.join(map(repr, hidden))}")
        unit = weights = None
    names += [name for name in strata if name in released.columns]
    units = people = None
    if unit not in (None, RECORDS):
        frame = _beside(prepared, unit, "unit", aligned)
        units = units_in(frame, unit, as_marks(marks).also(""))
    if weights is not None:
        frame = _beside(prepared, weights, "weights", aligned)
        people = weights_of(frame, weights, marks, decimal)
    comparison = comparison_of(
        prepared.original,
        X_released,
        prepared.scaler(scale, expand=False),
        View(release, names, units=units),
        people,
    )
    scores = compute_scores(comparison, measures, aligned=aligned)
    notices += [scores.notice] if scores.notice else []
    return Scores(scores.shown, "; ".join(notices))


def comparison_of(
    X: np.ndarray,
    X_released: np.ndarray,
    scaler: ColumnScaler,
    view: View,
    weights: np.ndarray | None,
) -> Comparison:
    """Two tables as measures look at them.

    Parameters
    ----------
    X, X_released : ndarray of shape (n_records, n_quasi_identifiers)
    scaler : ColumnScaler
    view : View
        The release, and whose its records are.
    weights : ndarray of shape (n_records,) or None
        For how many people each record stands.
    """
    household = journalist = visits = None
    if view.units is not None:
        household = household_risk(view.classes, view.units)
        visits = VisitsRisk(view.candidates)
    if weights is not None:
        people = unit_weights(view.classes, weights, view.units)
        journalist = journalist_risk(*people)
    return Comparison(
        X,
        X_released,
        scaler,
        class_sizes=view.counts().sizes,
        journalist=journalist,
        household=household,
        visits=visits,
    )


def _refuse_beside_recipe(said: Mapping[str, Any]) -> None:
    """Refuse what a recipe says, where one is given."""
    for option, given in said.items():
        if given:
            raise InputError(
                "The recipe says how the release was made.",
                option=option,
                hint=["Leave out ", Option(option), ", or the recipe."],
            )


def _beside(prepared: Prepared, name: Any, option: str, aligned: bool) -> Any:
    """The original, whose column is read beside the rows of the release."""
    if name not in prepared.frame.columns:
        raise absent_column(str(name), option, prepared.frame.columns)
    if not aligned:
        raise InputError(
            f"{REORDERED[0].upper()}{REORDERED[1:]}, so that {name!r} of a released "
            "record is not known.",
            option=option,
            hint=["Leave it out, or release with ", Option("order", "keep"), "."],
        )
    return prepared.frame


def _layouts_of_release(release: Any, names: list[str], reading: Any) -> dict[str, Any]:
    """Layouts by which intervals in a release are read, of an original with types."""
    texts = [n for n in names if n in release.columns]
    texts = [n for n in texts if release[n].dtype == nw.String]
    layouts: dict[str, Any] = {}
    if reading.decimal == ",":
        layouts = dict.fromkeys(texts, NumberLayout(reading.decimal))
    return layouts | {
        name: DateLayout(format, format) for name, format in reading.dates.items()
    }
