"""Prepared: the quasi-identifiers of a table as an array, and the way back."""

import narwhals as nw
import numpy as np
import pyarrow as pa
from sklearn.compose import ColumnTransformer
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    RobustScaler,
    StandardScaler,
)

from microcell.aggregate import ByColumn, Centroid, Interval, Median, Mode
from microcell.base import SchemaError
from microcell.embed import Mismatch
from microcell.prepare._columns import make_column
from microcell.prepare._releasable import (
    bare,
    check_releasable,
    with_workable_types,
)
from microcell.prepare._series import (
    arrow_dictionary,
    arrow_values,
    dictionary,
    series_like,
    without_unused_categories,
)
from microcell.prepare._text import first_sighting

SCALES = {
    "standard": StandardScaler,
    "minmax": MinMaxScaler,
    "robust": RobustScaler,
    "none": FunctionTransformer,
}
AGGREGATES = ("mean", "median", "interval")


class Prepared:
    """The quasi-identifiers of a table, one float per record and attribute.

    Attributes
    ----------
    frame : narwhals.DataFrame
        The records that take part, all columns.
    X : ndarray of shape (n_samples, n_quasi_identifiers)
        Numbers as they are, dates in microseconds, categories as codes.
    kept : ndarray of shape (n_samples_in_table,)
        Which records of the table take part.
    """

    def __init__(self, frame, columns, released, kept):
        self.frame = frame
        self.kept = kept
        self.X = np.column_stack([column.values for column in columns])
        self._columns = columns
        self._released = released

    def take(self, columns):
        """A block of the quasi-identifiers, by their positions."""
        chosen = [self._columns[j] for j in columns]
        return Prepared(self.frame, chosen, self._released, self.kept)

    @property
    def names(self):
        """Names of the quasi-identifiers."""
        return [column.series.name for column in self._columns]

    @property
    def kinds(self):
        """How each quasi-identifier is treated."""
        return {column.series.name: column.kind for column in self._columns}

    def _of_kind(self, *kinds):
        return [j for j, column in enumerate(self._columns) if column.kind in kinds]

    @property
    def n_nominal(self):
        """Number of nominal attributes."""
        return len(self._of_kind("nominal"))

    def scaler(self, scale):
        """Transformer that gives all attributes a common scale, by name.

        A nominal attribute takes a coordinate for each category.
        """
        return self._by_kind(SCALES[scale](), Mismatch())

    def measured_scaler(self, scale):
        """The same scale, but nominal attributes stay codes, in the last columns."""
        return self._by_kind(SCALES[scale](), "passthrough")

    def _by_kind(self, measured, nominal):
        codes = self._of_kind("nominal")
        if not codes:
            return measured
        ordered = self._of_kind("numeric", "date", "ordinal")
        return ColumnTransformer(
            [("measured", measured, ordered), ("nominal", nominal, codes)],
            sparse_threshold=0,
        )

    def aggregator(self, aggregate):
        """How each kind of attribute is published."""
        of_numbers = {"mean": Centroid(), "median": Median(), "interval": Interval()}
        of_ranks = Interval() if aggregate == "interval" else Median(even="lower")
        parts = [
            (of_numbers[aggregate], self._of_kind("numeric", "date")),
            (of_ranks, self._of_kind("ordinal")),
            (Mode(), self._of_kind("nominal")),
        ]
        return ByColumn([(part, columns) for part, columns in parts if columns])

    def restore(self, X_released):
        """The released table, in the library that the table came in."""
        width = X_released.shape[1] // len(self._columns)
        new = []
        for j, column in enumerate(self._columns):
            ends = X_released[:, j * width : (j + 1) * width]
            if width == 2 and column.kind != "nominal":
                new.append(interval_texts(column, ends))
            else:
                new.append(column.decode(ends[:, 0]))
        released = self.frame.with_columns(*new).select(*self._released)
        as_is = [name for name in self._released if name not in self.names]
        compact = [without_unused_categories(released[name]) for name in as_is]
        return bare(released.with_columns(*compact))

    def encode(self, table):
        """Quasi-identifiers of a release of this table, in the numbers of X."""
        frame = open_frame(table)
        if len(frame) != self.X.shape[0]:
            raise ValueError(
                f"The release has {len(frame)} record(s), the original "
                f"{self.X.shape[0]}. They must be the same records in the same order."
            )
        for name in self.names:
            if name not in frame.columns:
                raise SchemaError(f"The release has no column {name!r}.")
            if is_missing(frame[name]).any():
                raise SchemaError(f"Column {name!r} of the release has missing values.")
        return np.column_stack(
            [
                released_values(column, frame[name])
                for name, column in zip(self.names, self._columns, strict=True)
            ]
        )

    def released_numbers(self, table, X_released):
        """What the released table holds, as numbers; an interval counts as its middle.

        Read from the table, where integers and dates are rounded.
        """
        if X_released.shape[1] == self.X.shape[1]:
            return self.encode(table)
        pairs = X_released.reshape(X_released.shape[0], self.X.shape[1], -1)
        return pairs.mean(axis=2)


def released_values(column, series):
    """A released column in the numbers of the original; an interval is its middle."""
    if column.kind != "nominal" and series.dtype == nw.String:
        codes, texts = dictionary(series)
        if all(text.startswith("[") and ", " in text for text in texts):
            middles = [interval_middle(column, text) for text in texts]
            if None in middles:
                seen = first_sighting(texts, codes, middles.index(None))
                raise SchemaError(
                    f"Column {column.series.name!r} of the release holds {seen}, which "
                    "is no interval of the original's values."
                )
            return np.array(middles)[codes]
    return column.encode(series)


def interval_middle(column, text):
    """Middle of an interval that `interval_texts` wrote; None if it did not."""
    try:
        low, high = (column.number(end) for end in text[1:-1].split(", "))
    except ValueError:
        return None
    return (low + high) / 2


def interval_texts(column, ends):
    """Series of texts ``[low, high]``."""
    pairs, which = np.unique(ends, axis=0, return_inverse=True)
    texts = [f"[{column.text(low)}, {column.text(high)}]" for low, high in pairs]
    return series_like(column.series, np.array(texts, dtype=object)[which], nw.String())


def open_frame(table):
    """The table as a narwhals dataframe.

    Anything but a dataframe with named, distinct columns and at least one record is
    an error.
    """
    try:
        frame = nw.from_native(table, eager_only=True)
    except TypeError:
        raise TypeError(
            "The table must be a pandas, polars or pyarrow dataframe in memory. "
            f"Got {type(table).__name__} instead; collect a lazy one first."
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
    repeated = sorted({str(name) for name in columns if columns.count(name) > 1})
    if repeated:
        raise SchemaError(
            f"Column names must be unique; the table repeats {repeated}. Rename them."
        )
    if len(frame) == 0:
        raise ValueError("The table has no records.")
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


def prepare(table, schema, *, missing="error", integers="mean", missing_marks=()):
    """Check a table against its schema and turn its quasi-identifiers into numbers.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table.
    schema : Schema
        Roles and kinds of its columns.
    missing : {"error", "drop"}
        What to do with records that miss a quasi-identifier.
    integers : {"mean", "round"}
        Whether means of integers are rounded to integers.
    missing_marks : sequence of str
        Texts that stand for a missing value in a quasi-identifier of text.

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
            f"Missing values in the quasi-identifiers: {shown}. Fill them, or leave "
            "those records out with missing='drop'."
        )
    kept = ~np.logical_or.reduce(list(absent.values()))
    if not kept.all():
        frame = frame.filter(kept.tolist())
        if len(frame) == 0:
            raise ValueError("Every record misses a quasi-identifier; none is left.")
    records = np.flatnonzero(kept) + 1
    columns = [
        make_column(frame[name], schema.kinds.get(name), integers, records)
        for name in schema.quasi_identifiers
    ]
    return Prepared(frame, columns, released, kept)


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
