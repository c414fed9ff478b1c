"""Prepared: the quasi-identifiers of a table as an array, and the way back."""

import narwhals as nw
import numpy as np
import pyarrow as pa

from microcell._forked import refuse_polars_after_fork
from microcell.embed import ColumnScaler
from microcell.exceptions import InputError, Option, SchemaError
from microcell.prepare._kinds import PLAIN, fit_encoder
from microcell.prepare._rare import merge_rare
from microcell.prepare._releasable import (
    bare,
    check_releasable,
    with_workable_types,
)
from microcell.prepare._series import (
    arrow_dictionary,
    arrow_values,
    dictionary,
    without_unused_categories,
)
from microcell.prepare._text_types import first_sighting, read_text


class Prepared:
    """The quasi-identifiers of a table, one float per record and attribute.

    Attributes
    ----------
    frame : narwhals.DataFrame
        The records that take part, all columns.
    encoders : list of Encoder
        What was learnt from each quasi-identifier.
    X : ndarray of shape (n_samples, n_quasi_identifiers)
        Numbers as they are, dates in microseconds, categories as codes.
    kept : ndarray of shape (n_samples_in_table,)
        Which records of the table take part.
    notices : list of str
        What was done to values before they were encoded.
    before : Prepared or None
        The same records without what was done to them, where that is part of the loss.
    """

    def __init__(self, frame, encoders, released, kept, notices=()):
        self.frame = frame
        self.encoders = encoders
        self.kept = kept
        self.X = np.column_stack([e.encode(frame[e.name]) for e in encoders])
        self._released = released
        self.notices = list(notices)
        self.before = None

    @property
    def names(self):
        """Names of the quasi-identifiers."""
        return [encoder.name for encoder in self.encoders]

    @property
    def kinds(self):
        """How each quasi-identifier is treated."""
        return {encoder.name: encoder.kind for encoder in self.encoders}

    @property
    def nominal(self):
        """Positions of the nominal attributes."""
        return [j for j, e in enumerate(self.encoders) if e.kind == "nominal"]

    def scaler(self, scale, importance=None, expand=True):
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
        named = importance or {}
        return ColumnScaler(
            scale,
            nominal=self.nominal,
            trees={
                j: e.levels for j, e in enumerate(self.encoders) if e.levels is not None
            },
            importance=[named.get(name, 1.0) for name in self.names],
            expand=expand,
        )

    def restore(self, X_released):
        """The released table, in the library that the table came in."""
        width = X_released.shape[1] // len(self.encoders)
        new = []
        for j, encoder in enumerate(self.encoders):
            ends = X_released[:, j * width : (j + 1) * width]
            if width == 2 and encoder.kind != "nominal" and encoder.levels is None:
                new.append(encoder.decode_intervals(ends))
            else:
                new.append(encoder.decode(ends[:, 0]))
        released = self.frame.with_columns(*new).select(*self._released)
        as_is = [name for name in self._released if name not in self.names]
        compact = [without_unused_categories(released[name]) for name in as_is]
        return bare(released.with_columns(*compact))

    def encode(self, table):
        """Quasi-identifiers of a release of this table, in the numbers of X."""
        frame = open_frame(table)
        if len(frame) != self.X.shape[0]:
            raise InputError(
                f"The release has {len(frame)} record(s), the original "
                f"{self.X.shape[0]}.",
                hint=[
                    "They must be the same records in the same order; leave records "
                    "with missing values out of the comparison with ",
                    Option("missing", "drop"),
                    ".",
                ],
            )
        for name in self.names:
            if name not in frame.columns:
                raise SchemaError(f"The release has no column {name!r}.", column=name)
            if is_missing(frame[name]).any():
                raise SchemaError(
                    f"Column {name!r} of the release has missing values.", column=name
                )
        return np.column_stack(
            [released_values(encoder, frame[encoder.name]) for encoder in self.encoders]
        )

    def released_numbers(self, table, X_released):
        """What the released table holds, as numbers; an interval counts as its middle.

        Read from the table, where integers and dates are rounded.
        """
        if X_released.shape[1] == self.X.shape[1]:
            return self.encode(table)
        pairs = X_released.reshape(X_released.shape[0], self.X.shape[1], -1)
        return pairs.mean(axis=2)


def released_values(encoder, series):
    """A released column in the numbers of the original; an interval is its middle."""
    if series.dtype != nw.String or encoder.levels is not None:
        return encoder.encode(series)
    if encoder.kind == "nominal":
        return encoder.encode(as_written(encoder, series))
    codes, texts = dictionary(series)
    if all(text.startswith("[") and ", " in text for text in texts):
        middles = [encoder.middle(text) for text in texts]
        if None in middles:
            seen = first_sighting(texts, codes, middles.index(None))
            raise SchemaError(
                f"Column {encoder.name!r} of the release holds {seen}, which is no "
                "interval of the original's values.",
                column=encoder.name,
            )
        return np.array(middles)[codes]
    if encoder.kind == "ordinal":
        return encoder.encode(as_written(encoder, series))
    return encoder.encode(read_text(series, encoder.kind))


def as_written(encoder, series):
    """Text of categories that are numbers or dates in the original, as such."""
    dtype = encoder.like.dtype
    if dtype.is_numeric():
        return read_text(series, "numeric")
    if dtype == nw.Date or dtype == nw.Datetime:
        return read_text(series, "date")
    return series


def open_frame(table):
    """The table as a narwhals dataframe.

    Anything but a dataframe with named, distinct columns and at least one record is
    an error.
    """
    refuse_polars_after_fork()
    try:
        frame = nw.from_native(table, eager_only=True)
    except TypeError:
        raise TypeError(
            "The table must be a pandas, polars or pyarrow dataframe in memory. "
            f"Got {type(table).__name__} instead; collect a lazy one first, and "
            "release a file with anonymize_file."
        ) from None
    if frame.implementation.is_pandas():
        check_index(table.index)
    of_arrow = frame.implementation.is_pyarrow()
    columns = list(table.column_names if of_arrow else table.columns)
    strange = [name for name in columns if not isinstance(name, str)]
    if strange:
        raise SchemaError(
            f"Column names must be text. Got {strange[0]!r} among them; rename it."
        )
    if any("\0" in name for name in columns):
        raise SchemaError("A column name holds a NUL character. Rename it.")
    repeated = sorted({str(name) for name in columns if columns.count(name) > 1})
    if repeated:
        raise SchemaError(
            f"Column names must be unique; the table repeats {repeated}. Rename them."
        )
    if len(frame) == 0:
        raise InputError("The table has no records.")
    return with_workable_types(frame)


def check_index(index):
    """Refuse a pandas index that says more than a number of a row.

    It is a column without a role. Plain numbers of rows, as filtering leaves them,
    are not released: the release is numbered anew.
    """
    plain = index.nlevels == 1 and index.name is None
    if not plain or not (index.dtype.kind in "iu" or len(index) == 0):
        raise SchemaError(
            "The table's index has names or values of its own, and no role. Turn it "
            "into columns with reset_index() and give them a role, or leave it out "
            "with reset_index(drop=True)."
        )


def prepare(
    table,
    schema,
    *,
    missing="error",
    missing_marks=(),
    options=None,
    rare_below=None,
):
    """Check a table against its schema and turn its quasi-identifiers into numbers.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table.
    schema : Schema
        Roles and kinds of its columns.
    missing : {"error", "drop"}
        What to do with records that miss a quasi-identifier.
    missing_marks : sequence of str
        Texts that stand for a missing value in a quasi-identifier of text.
    options : mapping of str to Options, optional
        What else was declared of quasi-identifiers.
    rare_below : int, optional
        Categories with fewer records become "other"; see `merge_rare`.

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
    counts = {name: int(mask.sum()) for name, mask in absent.items() if mask.any()}
    if counts and missing == "error":
        shown = ", ".join(f"{name!r} ({count})" for name, count in counts.items())
        raise SchemaError(
            f"Missing values in the quasi-identifiers: {shown}.",
            column=next(iter(counts)),
            option="missing",
            hint=[
                "Fill them, or leave those records out with ",
                Option("missing", "drop"),
                ".",
            ],
        )
    kept = ~np.logical_or.reduce(list(absent.values()))
    if not kept.all():
        frame = frame.filter(kept.tolist())
        if len(frame) == 0:
            raise InputError("Every record misses a quasi-identifier; none is left.")
    records = np.flatnonzero(kept) + 1
    frame = read_declared(frame, schema, records)
    notices = []
    if rare_below is not None:
        names = schema.quasi_identifiers
        frame, notices = merge_rare(frame, names, schema.kinds, rare_below)
    declared = {name: PLAIN for name in schema.quasi_identifiers} | (options or {})
    for name, source in schema.hierarchies.items():
        declared[name] = declared[name]._replace(hierarchy=source)
    encoders = [
        fit_encoder(frame[name], schema.kinds.get(name), declared[name], records)
        for name in schema.quasi_identifiers
    ]
    return Prepared(frame, encoders, released, kept, notices)


def read_declared(frame, schema, records):
    """Text that is declared numeric or a date, as numbers and dates."""
    read = [
        read_text(frame[name], schema.kinds[name], records=records)
        for name in schema.quasi_identifiers
        if schema.kinds.get(name) in ("numeric", "date")
        and frame[name].dtype == nw.String
    ]
    return frame.with_columns(*read)


def is_missing(series, marks=()):
    """Which values are missing: null, not a number, or a text that marks it."""
    if arrow_dictionary(series) is not None:  # which may hold a null in its dictionary
        series = nw.from_native(
            pa.chunked_array([arrow_values(series)]), series_only=True
        )
    mask = series.is_null().to_numpy()
    if marks and series.dtype == nw.String:
        mask = mask | series.is_in(list(marks)).fill_null(False).to_numpy()
    if series.dtype.is_float():
        mask = mask | series.is_nan().fill_null(False).to_numpy()
    return mask.astype(bool)
