"""Homogeneity: what a cell gives away about the confidential attribute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike

from microcell._forked import refuse_polars_after_fork
from microcell.kernels.distinct import distinct_records
from microcell.privacy import (
    CellValues,
    cell_values,
    equal_distances,
    ordered_distances,
    read_alike,
)


@dataclass(frozen=True)
class Homogeneity:
    """How alike the confidential values inside a cell are.

    Means count a cell as often as it has people: they are what a person who is in
    the table can expect. Where people have several records and several values, each
    counts once with each value.

    Attributes
    ----------
    p_sensitivity : int
        Fewest distinct values in a cell; 1 means that a cell gives its value away.
        Of people with several values, each has the one that most others have too.
    largest_share_max, largest_share_mean : float
        Share of the most frequent value of a cell, how often an intruder who guesses
        it is right: in the worst cell, and on average.
    homogeneous_records : float
        Share of people in cells with a value that all of it have.
    t_distance_max, t_distance_mean : float
        Distance from the distribution in a cell to that in the whole table: the t of
        t-closeness, and its average; NaN in an order where people have several values.
    """

    p_sensitivity: int
    largest_share_max: float
    largest_share_mean: float
    homogeneous_records: float
    t_distance_max: float
    t_distance_mean: float


@dataclass(frozen=True)
class CellSums:
    """What `Homogeneity` is made of; parts of a table that share no cell add up.

    Attributes
    ----------
    n_records, n_uniform : int
        People, and those in cells with a value that all of it have.
    p_sensitivity : int
        Fewest distinct values in a cell.
    n_largest, largest_share : int, float
        People with the most frequent value of their cell, and their largest share.
    distance, distance_sum : float
        The largest distance to the table, and the sum over all people; NaN where
        the values of the table are not known, or cannot be compared in an order.
    known_values, n_alike : int
        Fewest distinct values in a cell, and people in cells with a single one, where
        what is missing is no value; a cell without any counts as one of a single value.
    """

    n_records: int
    n_uniform: int
    p_sensitivity: int
    n_largest: int
    largest_share: float
    distance: float
    distance_sum: float
    known_values: int
    n_alike: int

    @classmethod
    def of(
        cls,
        cells: CellValues,
        ordered: bool,
        compared: bool = True,
        missing: int | None = None,
    ) -> CellSums:
        """The sums of whole cells; distances only if they are to be `compared`.

        The value numbered `missing` is none.
        """
        counts, sizes = cells.count, cells.sizes
        first = np.searchsorted(cells.cell, np.arange(sizes.size))
        largest = np.maximum.reduceat(counts, first)
        alike = read_alike(cells)
        n_distinct = np.bincount(alike.cell)
        of_known = alike.cell[alike.value != (-1 if missing is None else missing)]
        n_known = np.maximum(np.bincount(of_known, minlength=sizes.size), 1)
        distances = np.full(sizes.size, np.nan)
        if compared and not (ordered and cells.several):
            measured = ordered_distances if ordered else equal_distances
            distances = measured(cells)
        return cls(
            int(sizes.sum()),
            int(sizes[n_distinct == 1].sum()),
            int(n_distinct.min()),
            int(largest.sum()),
            float(np.max(largest / sizes)),
            float(distances.max()),
            float(distances @ sizes),
            int(n_known.min()),
            int(sizes[n_known == 1].sum()),
        )

    def __add__(self, other: CellSums) -> CellSums:
        return CellSums(
            self.n_records + other.n_records,
            self.n_uniform + other.n_uniform,
            min(self.p_sensitivity, other.p_sensitivity),
            self.n_largest + other.n_largest,
            max(self.largest_share, other.largest_share),
            float(np.maximum(self.distance, other.distance)),  # NaN if either is
            self.distance_sum + other.distance_sum,
            min(self.known_values, other.known_values),
            self.n_alike + other.n_alike,
        )

    @property
    def homogeneity(self) -> Homogeneity:
        """The figures of all cells."""
        return Homogeneity(
            p_sensitivity=self.p_sensitivity,
            largest_share_max=self.largest_share,
            largest_share_mean=self.n_largest / self.n_records,
            homogeneous_records=self.n_uniform / self.n_records,
            t_distance_max=self.distance,
            t_distance_mean=self.distance_sum / self.n_records,
        )


def homogeneity(
    labels_or_released: ArrayLike,
    y: ArrayLike,
    *,
    ordered: bool = False,
    units: ArrayLike | None = None,
) -> Homogeneity:
    """Measure how much a record's cell reveals of its confidential value.

    k-anonymity hides which record is whose and not what all records of a cell share
    [1]_. Cells shaped with the help of `y` are useful for learning and tend to be
    homogeneous: print this beside their accuracy.

    Parameters
    ----------
    labels_or_released : array-like or dataframe
        Cell of each record as an integer, shape (n_samples,); or the released
        quasi-identifiers (or labels by block), shape (n_samples, n_columns), whose
        equal rows are the cells that an intruder sees. A pandas, polars or pyarrow
        table may hold numbers, text, dates and missing values, each a value like
        others.
    y : array-like of shape (n_samples,)
        Confidential attribute, numbers or text.
    ordered : bool, default=False
        Whether `y` is a number whose order matters. The distance of two distributions
        p and q over m values is 1/2 sum_i abs(p_i - q_i) if not, and the earth mover's
        distance 1/(m - 1) sum_i abs(sum_{j<=i} p_j - q_j) if so [2]_.
    units : array-like of shape (n_samples,), optional
        Whose record each is: people who have a value are counted. By default every
        record is a person.

    Returns
    -------
    homogeneity : Homogeneity

    References
    ----------
    .. [1] Machanavajjhala et al. (2007). l-diversity: privacy beyond k-anonymity. ACM
       Trans. Knowl. Discov. Data 1(1), 3.
    .. [2] Li, Li and Venkatasubramanian (2007). t-closeness: privacy beyond
       k-anonymity and l-diversity. ICDE, 106-115.

    Examples
    --------
    >>> X_released = [[1.0], [1.0], [1.0], [5.0], [5.0]]
    >>> homogeneity(X_released, ["flu", "flu", "cold", "flu", "flu"])
    Homogeneity(p_sensitivity=1, largest_share_max=1.0, largest_share_mean=0.8,
                homogeneous_records=0.4, t_distance_max=0.2, t_distance_mean=0.16...)
    >>> homogeneity([0, 0, 1, 1], [10, 20, 30, 40], ordered=True).t_distance_max
    0.333...
    """
    cells = cells_of(labels_or_released)
    values, codes = values_and_codes(y, cells.size)
    if ordered and values.dtype.kind not in "biuf":
        raise ValueError(
            "With ordered=True 'y' must hold numbers. "
            f"Got dtype {values.dtype} instead. Give its categories ranks first."
        )
    people = None if units is None else np.unique(units, return_inverse=True)[1]
    return CellSums.of(cell_values(cells, codes, units=people), ordered).homogeneity


def cells_of(labels_or_released: Any) -> np.ndarray:
    """Cell of each record from 0 to n_cells - 1, of labels or of equal rows."""
    table = nw.from_native(labels_or_released, eager_only=True, pass_through=True)
    if isinstance(table, nw.DataFrame):
        if table.implementation.is_polars():
            refuse_polars_after_fork()
        columns = {name: table[name] for name in table.columns}
        return cells_of_columns(columns, len(table))
    cells = np.asarray(labels_or_released)
    if cells.size == 0 or cells.ndim not in (1, 2):
        raise ValueError(
            "Cells are given as labels, one for each record, or as a released table. "
            f"Got shape {cells.shape} instead."
        )
    if cells.ndim == 1:
        if cells.dtype.kind not in "iu":
            raise ValueError(
                f"Labels must be integers. Got dtype {cells.dtype} instead. "
                "A released table of one column has shape (n_samples, 1)."
            )
        return np.unique(cells, return_inverse=True)[1]
    if cells.dtype.kind not in "biuf":
        return cells_of_columns(dict(enumerate(cells.T)), len(cells))
    released = cells.astype(np.float64)
    if not np.isfinite(released).all():
        raise ValueError("The released table contains NaN or infinity.")
    return distinct_records(released)[0]


def cells_of_columns(columns: Any, n_samples: int) -> np.ndarray:
    """Cell of each record of a table of any types, from its columns by name."""
    if not columns or n_samples == 0:
        raise ValueError("The released table has no columns or no records.")
    codes = [value_codes(values, name) for name, values in columns.items()]
    return distinct_records(np.column_stack(codes))[0]


def value_codes(values: Any, name: int | str) -> np.ndarray:
    """Numbers for the values of a column, equal for equal values and for missing ones.

    Examples
    --------
    >>> value_codes(["f", None, "m", "f"], "sex")
    array([0, 1, 2, 0], dtype=int32)
    """
    try:
        of_a_table = isinstance(values, nw.Series)
        values = values.to_arrow() if of_a_table else pa.array(values)
        if isinstance(values, pa.ChunkedArray):
            values = values.combine_chunks()
        if pa.types.is_dictionary(values.type):  # it may list a value twice
            values = values.dictionary_decode()
        if pa.types.is_floating(values.type):
            values = pc.add(values, 0.0)  # -0.0 is 0.0
        encoded = values.dictionary_encode(null_encoding="encode")
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
        raise ValueError(
            f"Column {name!r} of the released table holds values that cannot be told "
            "apart, for example of several types. Convert it to text."
        ) from None
    return encoded.indices.to_numpy(zero_copy_only=False)


def values_and_codes(y: Any, n_samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Distinct values of `y` in order, and the place of each record's among them.

    Examples
    --------
    >>> values_and_codes(["no", "yes", "no"], 3)
    (array(['no', 'yes'], dtype='<U3'), array([0, 1, 0]))
    """
    y = np.asarray(y)
    if y.shape != (n_samples,):
        raise ValueError(
            f"'y' must hold one value for each of the {n_samples} records. "
            f"Got shape {y.shape} instead."
        )
    try:
        is_missing = bool(np.any((y != y) | np.equal(y, None)))  # type: ignore[call-overload]
        values, codes = np.unique(y, return_inverse=True)
    except TypeError as error:  # None, NA or numbers among text have no order
        raise ValueError("'y' must hold values of one kind, none missing.") from error
    if is_missing:
        raise ValueError("'y' holds missing values. Drop or name them first.")
    return values, codes
