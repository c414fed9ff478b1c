"""Prepared: the quasi-identifiers of a table as an array, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from microcell.columns._date import is_date
from microcell.columns._encoder import NOTHING, Encoder, fit_encoder
from microcell.columns._impute import impute
from microcell.columns._kinds import ENCODERS
from microcell.columns._missing import (
    as_marks,
    is_missing,
    records_to_keep,
)
from microcell.columns._open import open_frame
from microcell.columns._rare import merge_rare
from microcell.columns._releasable import bare, check_releasable
from microcell.columns._series import (
    dictionary,
    spread_out,
    without_unused_categories,
)
from microcell.columns._sets import decode_sets, holds_sets, set_numbers
from microcell.columns._text_types import HOLDS, PLAIN, Reading, read_text, refuse_first
from microcell.embed import ColumnScaler
from microcell.exceptions import (
    InputError,
    SchemaError,
    column_error,
    nearest_name,
    sentence,
)

# Where missing values stand in the geometry of cells, by what is done with them.
PLACES_OF_MISSING = {"category": "category", "impute": "middle", "ignore": "middle"}


@dataclass(eq=False, repr=False)
class Prepared:
    """The quasi-identifiers of a table, one float per record and attribute.

    Attributes
    ----------
    frame : narwhals.DataFrame
        The records that take part, all columns.
    encoders : list of Encoder
        What was learnt from each quasi-identifier.
    X : ndarray of shape (n_samples, n_quasi_identifiers)
        Numbers as they are, dates in microseconds, categories as codes; inside of the
        limits of their columns; NaN is missing.
    original : ndarray of shape (n_samples, n_quasi_identifiers)
        The same before columns were clipped to limits and gaps were filled: what a
        release is compared with.
    kept : ndarray of shape (n_samples_in_table,)
        Which records of the table take part.
    released : list of str
        Columns of the release.
    missing : str
        The policy for missing values.
    reading : Reading
        How the text of a release is read.
    notices : list of str
        What was done to values before they were encoded.
    before : Prepared or None
        The same records without what was done to them, where that is part of the loss.
    learnt : LearntColumns or None
        What is known of the whole table, if this is a part of it.
    """

    frame: nw.DataFrame[Any]
    encoders: Sequence[Encoder]
    released: Sequence[str]
    kept: np.ndarray
    original: np.ndarray
    missing: str
    reading: Reading = PLAIN
    notices: Sequence[str] = ()
    before: Prepared | None = None
    learnt: Any = None

    def __post_init__(self) -> None:
        self.X = self.original
        if any(e.extras.limits is not None for e in self.encoders):
            clipped = zip(self.encoders, self.original.T, strict=True)
            self.X = np.column_stack([e.clip(column) for e, column in clipped])

    @property
    def names(self) -> list[str]:
        """Names of the quasi-identifiers."""
        return [encoder.name for encoder in self.encoders]

    @property
    def kinds(self) -> dict[str, str]:
        """How each quasi-identifier is treated."""
        return {encoder.name: encoder.kind for encoder in self.encoders}

    @property
    def nominal(self) -> list[int]:
        """Positions of the nominal attributes."""
        return [j for j, encoder in enumerate(self.encoders) if encoder.nominal]

    @property
    def coded(self) -> list[int]:
        """Positions of the attributes that hold codes, with a hierarchy or without."""
        return [j for j, e in enumerate(self.encoders) if not e.ordered]

    @property
    def gaps(self) -> bool:
        """Whether values are missing in X."""
        return bool(np.isnan(self.X).any())

    def scaler(self, scale: str, importance: Any = None, expand: bool = True) -> Any:
        """What gives the columns of X a common scale.

        Parameters
        ----------
        scale : str
            As in `ColumnScaler`.
        importance : mapping of str to float, optional
            Weights of columns by name; 1 by default.
        expand : bool
            As in `ColumnScaler`.
        """
        named, levels = importance or {}, [e.levels for e in self.encoders]
        return ColumnScaler(
            scale,
            nominal=self.nominal,
            trees={j: own for j, own in enumerate(levels) if own is not None},
            importance=[named.get(name, 1.0) for name in self.names],
            missing=PLACES_OF_MISSING.get(self.missing, "error"),
            expand=expand,
            learnt=self.learnt,
        )

    def restore(
        self, X_released: np.ndarray, forms: Any = None, cells: Any = None
    ) -> Any:
        """The released table, in the library that the table came in.

        Parameters
        ----------
        X_released : ndarray
            One or two values for each column.
        forms : sequence of {"value", "interval", "set"}, optional
            How each column is shown; by default two values are the ends of an interval
            where the column has an order.
        cells : sequence of ndarray of shape (n_samples,), optional
            Cell of each record in each column, for sets.
        """
        width = X_released.shape[1] // len(self.encoders)
        new, forms = [], self._forms(width, forms)
        for j, encoder in enumerate(self.encoders):
            ends = X_released[:, j * width : (j + 1) * width]
            there = ~np.isnan(ends[:, 0])
            if forms[j] == "interval":
                column = encoder.decode_intervals(ends[there])
            elif forms[j] == "set":
                column = decode_sets(encoder, self.X[there, j], cells[j][there])
            else:
                column = encoder.decode(ends[there, 0])
            new.append(column if there.all() else spread_out(column, there))
        released = self.frame.with_columns(*new).select(*self.released)
        as_is = [name for name in self.released if name not in self.names]
        compact = [without_unused_categories(released[name]) for name in as_is]
        return bare(released.with_columns(*compact))

    def _forms(self, width: int, forms: Sequence[str] | None) -> Sequence[str]:
        """How columns with so many released values are shown, if nobody says it."""
        usual = [
            "interval" if width == 2 and e.ordered else "value" for e in self.encoders
        ]
        return usual if forms is None else forms

    def encode(self, table: Any) -> np.ndarray:
        """Quasi-identifiers of a release of this table, in the numbers of X."""
        frame = open_frame(table)
        if len(frame) != self.X.shape[0]:
            raise InputError(
                f"The release has {len(frame)} record(s), the original "
                f"{self.X.shape[0]}.",
                hint=sentence(
                    "They must be the same records in the same order; leave records "
                    "with missing values out of the comparison with {missing='drop'}."
                ),
            )
        known: Any = {} if self.learnt is None else self.learnt.frequencies
        X = np.full(self.X.shape, np.nan)
        for j, encoder in enumerate(self.encoders):
            name = encoder.name
            if name not in frame.columns:
                raise SchemaError(
                    f"The release has no column {name!r}.",
                    column=name,
                    hint=nearest_name(name, frame.columns),
                )
            empty = () if encoder.has_text("") else ("",)  # in text, a missing value
            there = ~is_missing(frame[name], empty)
            if not there.all() and self.missing in ("error", "drop"):
                way = "Say how it was made, for example with {missing='category'}."
                words = "of the release has missing values."
                raise column_error(name, words, sentence(way), option="missing")
            if there.any():
                series, original = observed(frame[name], there), self.original[:, j]
                X[there, j] = released_values(
                    encoder, series, original, self.reading, known.get(j)
                )
        return X

    def released_numbers(
        self, table: Any, X_released: np.ndarray, forms: Any = None
    ) -> Any:
        """What the released table holds, as numbers; an interval counts as its middle.

        Read from the table, where integers and dates are rounded; of intervals from
        their ends, which need not be read from text.
        """
        pairs = X_released.reshape(X_released.shape[0], self.X.shape[1], -1)
        numbers, forms = self.encode(table), self._forms(pairs.shape[2], forms)
        for j, encoder in enumerate(self.encoders):
            there = ~np.isnan(pairs[:, j, 0])
            if forms[j] == "interval":
                numbers[there, j] = encoder.outer(pairs[there, j]).mean(axis=1)
        return numbers


def released_values(
    encoder: Any,
    series: Any,
    original: np.ndarray,
    reading: Any = PLAIN,
    frequencies: np.ndarray | None = None,
) -> Any:
    """A released column in the numbers of the original; an interval is its middle.

    Parameters
    ----------
    encoder : Encoder
    series : narwhals.Series
        What was released.
    original : ndarray of shape (n_samples,)
        The encoded original, whose frequencies say which category stands for a set.
    reading : Reading
        How its text is read.
    frequencies : (ndarray, ndarray), optional
        Those of the whole table, if the original is a part of it.
    """
    if series.dtype != nw.String:
        return encoder.encode(series)
    if holds_sets(encoder, series):
        return set_numbers(encoder, series, original, frequencies)
    if encoder.levels is not None:
        return encoder.encode(series)
    if not encoder.ordered:
        return encoder.encode(as_written(encoder, series, reading))
    codes, texts = dictionary(series)
    if all(text.startswith("[") and encoder.separator in text for text in texts):
        middles = [encoder.middle(text) for text in texts]
        odd = [middle is None for middle in middles]
        which = "which is no interval of the original's values."
        refuse_first(encoder.name, texts, codes, odd, which, holds=HOLDS)
        return np.array(middles)[codes]
    if not encoder.measured:
        return encoder.encode(as_written(encoder, series, reading))
    return encoder.encode(read_as(series, encoder.kind, reading))


def as_written(encoder: Any, series: Any, reading: Any = PLAIN) -> Any:
    """Text of categories that are numbers or dates in the original, as such."""
    if encoder.like.dtype.is_numeric():
        return read_as(series, "numeric", reading)
    return read_as(series, "date", reading) if is_date(encoder.like) else series


def read_as(series: Any, kind: Any, reading: Any) -> Any:
    """Text of a release as numbers or dates."""
    format = reading.dates.get(series.name)
    return read_text(series, kind, decimal=reading.decimal, format=format)


def prepare(
    table: Any,
    schema: Any,
    *,
    missing: str = "error",
    imputer: str = "simple",
    missing_marks: Any = (),
    reading: Any = PLAIN,
    layouts: Any = None,
    options: Any = None,
    rare_below: int | None = None,
    units: np.ndarray | None = None,
) -> Prepared:
    """Check a table against its schema and turn its quasi-identifiers into numbers.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table.
    schema : Schema
        Roles and kinds of its columns.
    missing : {"error", "drop", "category", "impute", "ignore"}
        What to do with records that miss a quasi-identifier.
    imputer : {"simple", "knn", "iterative"}
        How missing values are filled, if they are imputed.
    missing_marks : Marks or sequence of str
        What stands for a missing value in a quasi-identifier.
    reading : Reading
        How the text of a release of this table is read.
    layouts : mapping, optional
        How columns that were text wrote their numbers and dates.
    options : mapping of str to Options, optional
        What else was declared of quasi-identifiers.
    rare_below : int, optional
        Categories of fewer people become "other"; see `merge_rare`.
    units : ndarray of shape (n_samples_in_table,), optional
        Whose record each is; by default every record is a person.

    Returns
    -------
    prepared : Prepared
    """
    frame = open_frame(table)
    released = schema.released(frame.columns)
    for name in released:
        check_releasable(frame[name])
    absent = {
        name: is_missing(frame[name], missing_marks)
        for name in schema.quasi_identifiers
    }
    kept = records_to_keep(absent, missing)
    if not kept.all():
        frame = frame.filter(kept.tolist())
    absent = {name: mask[kept] for name, mask in absent.items()}
    units = None if units is None else units[kept]
    records = np.flatnonzero(kept) + 1
    read = [  # text that is declared numeric or a date
        read_text(frame[name], kind, as_marks(missing_marks).texts(name), records)
        for name, kind in schema.kinds.items()
        if name in absent and ENCODERS.of(kind).measured
        if frame[name].dtype == nw.String
    ]
    frame = frame.with_columns(*read)
    notices = []
    if rare_below is not None:
        names = schema.quasi_identifiers
        frame, notices = merge_rare(frame, names, schema.kinds, rare_below, units)
    encoders = []
    for name in schema.quasi_identifiers:
        there = ~absent[name]
        if not there.any():
            hint = "Leave it out."
            raise column_error(name, "is missing in every record.", hint=hint)
        declared = (options or {}).get(name, NOTHING)
        declared = declared._replace(
            hierarchy=schema.hierarchies.get(name), layout=(layouts or {}).get(name)
        )
        if units is not None and declared.clip is not None:
            clip = declared.clip._replace(units=units[there])
            declared = declared._replace(clip=clip)
        series, kind = observed(frame[name], there), schema.kinds.get(name)
        encoders.append(fit_encoder(series, kind, declared, records[there]))
    original = encode_columns(encoders, frame, absent)
    prepared = Prepared(
        frame, encoders, released, kept, original, missing, reading, notices
    )
    if missing == "impute" and prepared.gaps:
        ordered = [j for j, e in enumerate(encoders) if e.ordered]
        ranks = [j for j in ordered if not encoders[j].measured]
        prepared.X = impute(prepared.X, ordered, ranks, imputer)
    return prepared


def encode_columns(
    encoders: Any,
    frame: Any,
    absent: Any = None,
    encode: Callable[..., Any] = lambda encoder, series: encoder.encode(series),
) -> Any:
    """Columns of a table as floats, NaN where a value is missing.

    Parameters
    ----------
    encoders : list of Encoder
    frame : narwhals.DataFrame
    absent : dict of ndarray, optional
        Which values of each column are missing; by default what looks so.
    encode : callable, optional
        Takes an encoder and a series without missing values.
    """
    X = np.full((len(frame), len(encoders)), np.nan)
    for j, encoder in enumerate(encoders):
        series = frame[encoder.name]
        there = ~(is_missing(series) if absent is None else absent[encoder.name])
        if there.any():
            X[there, j] = encode(encoder, observed(series, there))
    return X


def observed(series: nw.Series[Any], there: np.ndarray) -> nw.Series[Any]:
    """The values of a column that are there."""
    return series if there.all() else series.filter(there.tolist())
