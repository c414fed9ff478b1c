"""PromiseCheck: which cells keep some promises, and whether any can."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from microcell.base import Target
from microcell.exceptions import InputError
from microcell.privacy import CellModel, CellValues, cell_values, people_of

Totals = Sequence[np.ndarray]


class Counts(NamedTuple):
    """How often each cell has each value; those of cell c from start[c] on."""

    start: np.ndarray  # (n_cells + 1,)
    value: np.ndarray  # (n_pairs,) ascending in each cell
    count: np.ndarray  # type: ignore[assignment] # (n_pairs,)


class PromiseCheck:
    """Promises about cells, with the values that they are about.

    Parameters
    ----------
    promises : sequence of CellModel
    codes : ndarray of shape (n_samples, n_promises)
        Value of each record as each promise wants values numbered, from 0.
    totals : sequence of ndarray, optional
        People of each value in the whole table, for each promise; by default the
        records here are the whole table.
    units : ndarray of shape (n_samples,), optional
        Whose record each is, from 0; by default every record is a person.
    n_people : int, optional
        People of the whole table, where `totals` counts some of them several times.

    Examples
    --------
    >>> from microcell.privacy import PSensitivity
    >>> ill = np.array([[0], [0], [0], [1]])
    >>> PromiseCheck([PSensitivity(2)], ill).holds(np.array([0, 0, 1, 1]))
    array([False,  True])
    """

    def __init__(
        self,
        promises: Sequence[CellModel],
        codes: np.ndarray,
        totals: Totals | None = None,
        units: np.ndarray | None = None,
        n_people: int | None = None,
    ) -> None:
        self.promises = list(promises)
        self.codes = codes
        self.units = units
        self.totals = totals_of(codes, units) if totals is None else totals
        if n_people is None:
            n_people = n_units(units) if totals is None else None
        self.n_people = n_people

    def holds(self, labels: np.ndarray) -> np.ndarray:
        """Which cells keep every promise, shape (n_cells,)."""
        held = np.ones(int(labels.max()) + 1, dtype=bool)
        for promise, codes, totals in self._each():
            held &= promise.cells_hold(self._cell_values(labels, codes, totals))
        return held

    def people(self, labels: np.ndarray, n_cells: int) -> np.ndarray:
        """How many people each cell has."""
        if self.units is None:
            return np.bincount(labels, minlength=n_cells)
        return people_of(labels, self.units, n_cells)

    def parts_units(self, labels: np.ndarray) -> bool:
        """Whether a unit has records in several cells."""
        n_people = self.people(labels, int(labels.max()) + 1).sum()
        return n_units(self.units) not in (None, n_people)

    def holds_of(
        self, counts: Sequence[Counts], sizes: np.ndarray, asked: np.ndarray
    ) -> np.ndarray:
        """The same for the cells that are `asked` for, from what cells have.

        Parameters
        ----------
        counts : sequence of Counts
            Values of each cell, for each promise.
        sizes : ndarray of shape (n_cells,)
            People of each cell.
        asked : bool ndarray of shape (n_cells,)
        """
        held = np.ones(np.count_nonzero(asked), dtype=bool)
        for promise, of_cells, totals in zip(
            self.promises, counts, self.totals, strict=True
        ):
            n_pairs = np.diff(of_cells.start)
            some = np.repeat(asked, n_pairs)
            cell = np.repeat(np.arange(held.size), n_pairs[asked])
            value, count = of_cells.value[some], of_cells.count[some]
            totals = np.asarray(totals)
            n_people = int(totals.sum()) if self.n_people is None else self.n_people
            cells = CellValues(cell, value, count, sizes[asked], totals, n_people)
            held &= promise.cells_hold(cells)
        return held

    def check_possible(self) -> None:
        """Refuse a promise that all records in one cell do not keep.

        Promises are monotone, so no other cells could do better.
        """
        for promise, codes, totals in self._each():
            whole = self._cell_values(np.zeros_like(codes), codes, totals)
            if promise.cells_hold(whole).all():
                continue
            reached, column = promise.levels(whole)[0].item(), promise.column
            of_column = "" if column is None else f" of {column!r}"
            who = "records" if self.units is None else "people"
            raise InputError(
                f"{promise.name}{of_column} of {promise.level} cannot hold: all "
                f"{whole.sizes[0]} {who} in one cell reach {reached:.6g}, because "
                f"{promise.limit(whole)}.",
                column=column if isinstance(column, str) else None,
                option="promises",
                hint="Promise no more than that, or leave the promise out; inside of "
                "strata it must hold in each.",
            )

    def _cell_values(
        self, labels: np.ndarray, codes: np.ndarray, totals: np.ndarray
    ) -> CellValues:
        return cell_values(
            labels, codes, totals, units=self.units, n_people=self.n_people
        )

    def _each(self) -> Iterator[tuple[CellModel, np.ndarray, np.ndarray]]:
        return zip(self.promises, self.codes.T, self.totals, strict=True)


def totals_of(codes: np.ndarray, units: np.ndarray | None = None) -> list[np.ndarray]:
    """People of each value, for each column of codes."""
    if units is None:
        return [np.bincount(column) for column in codes.T]
    return [people_of(column, units, int(column.max()) + 1) for column in codes.T]


def n_units(units: np.ndarray | None) -> int | None:
    """How many units there are; None if every record is a person."""
    return None if units is None else np.unique(units).size


def as_promises(promises: CellModel | Sequence[CellModel]) -> list[CellModel]:
    """Promises as a list, of one or of several."""
    listed = [promises] if isinstance(promises, CellModel) else list(promises)
    for promise in listed:
        if not isinstance(promise, CellModel):
            raise TypeError(
                "'promises' must be a promise about the values of cells, or several. "
                f"Got {promise!r} instead."
            )
    return listed


def codes_of(
    values: ArrayLike | None, y: Target, n_samples: int, n_promises: int
) -> np.ndarray:
    """Codes for each promise: those given, or the places of y's values in order.

    Parameters
    ----------
    values : array-like of shape (n_samples,) or (n_samples, n_promises), or None
    y : array-like of shape (n_samples,), or None
    """
    given = y if values is None else values
    if given is None:
        raise ValueError(
            "requires y to be passed, but the target y is None: a promise is about "
            "the confidential attribute."
        )
    if values is None:
        codes = np.unique(np.asarray(given), return_inverse=True)[1]
    else:
        codes = np.asarray(values)
    if codes.ndim == 1:
        codes = np.repeat(codes[:, None], n_promises, axis=1)
    if codes.shape != (n_samples, n_promises) or codes.dtype.kind not in "iu":
        raise ValueError(
            f"'values' must hold a whole number, one code for each of the {n_samples} "
            f"records, and each of the {n_promises} promises if they differ. Got shape "
            f"{np.shape(given)} instead."
        )
    return codes.astype(np.int64, copy=False)
