"""Cells that break a promise join others, nearest first, until all keep it."""

from typing import Any

import numpy as np

from microcell._centre import in_range
from microcell._progress import report
from microcell.compose._nearest_cells_kernel import nearest_coded_cells
from microcell.compose._promise_check import Counts, PromiseCheck
from microcell.kernels.codes import Codes
from microcell.kernels.joining import join_in_turn, joined_sums
from microcell.kernels.nearest_others import nearest_others
from microcell.kernels.records import sums_of_cells
from microcell.kernels.threads import in_slices
from microcell.privacy import cell_values

CELLS_AT_ONCE = 64  # of a thread
MAX_CELLS_WITHOUT_INDEX = 128  # to look from without an index
MAX_SHARE_AT_ONCE = 1 / 128  # of the records of a cell, taken in with one turn
MAX_NEAR_CELLS = 64  # cells to look for


def merge_until_kept(
    X: np.ndarray,
    labels: np.ndarray,
    check: PromiseCheck,
    codes: Codes,
    *,
    at_once: float = MAX_SHARE_AT_ONCE,
) -> np.ndarray:
    """Merge cells until each keeps the promises of a check.

    In rounds: each cell that fails looks for the cell of the nearest centroid, the
    earlier on ties, and they are joined in the order of those distances. A cell that
    took part in the round waits for the next, but one that keeps the promises takes in
    all that come. A cell that has become large takes in the next nearest too, as far as
    they took no part yet and all have at most a small share of its records: one by one
    they would hardly change what it has, and cost a round each.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Measured columns first, then codes.
    labels : ndarray of shape (n_samples,)
        Cell of each record, 0 to n_cells - 1.
    check : PromiseCheck
        Whose promises hold for the table as one cell.
    codes : Codes
        Which columns hold codes.
    at_once : float
        That share.

    Returns
    -------
    labels : ndarray of shape (n_samples,)
    """
    n_measured, n_cells = codes.n_measured, int(labels.max()) + 1
    X = X if codes.units.size else in_range(X)
    total, lost = sums_of_cells(X[:, :n_measured], labels, n_cells)
    of_codes = counts_of(
        np.repeat(labels, codes.units.size), X[:, n_measured:], n_cells
    )
    parts_units = check.parts_units(labels)
    of_values, people = values_and_people(labels, check)
    sizes, cell_of = np.bincount(labels), np.arange(n_cells)
    holds = check.holds_of(of_values, people, np.ones(n_cells, dtype=bool))
    while not holds.all():
        failing = np.flatnonzero(~holds)
        report(n_cells - failing.size, n_cells, "merging cells")
        middles = (total + lost) / sizes[:, None]
        wanted = cells_at_once(sizes, failing, at_once)
        first, near, distances = nearest_cells(
            middles, of_codes, sizes, failing, wanted, codes
        )
        turns = np.argsort(distances[first[:-1]], kind="stable")
        into = join_in_turn(failing, turns, first, near, sizes, holds, at_once)
        is_kept = into == np.arange(into.size)
        new = (np.cumsum(is_kept) - 1)[into]
        n_new = int(is_kept.sum())
        cell_of = new[cell_of]
        total, lost = joined_sums(total, lost, new, n_new)
        of_codes = joined_counts(of_codes, new, n_new)
        sizes = np.bincount(new, sizes).astype(np.int64)
        if parts_units:  # somebody may have been in two cells that are one now
            of_values, people = values_and_people(cell_of[labels], check)
        else:
            of_values = [joined_counts(counts, new, n_new) for counts in of_values]
            people = np.bincount(new, people).astype(np.int64)
        # Only cells that took others in are checked again.
        grown = np.bincount(new) > 1
        holds = holds[is_kept]
        holds[grown] = check.holds_of(of_values, people, grown)
    return cell_of[labels]


def values_and_people(
    labels: np.ndarray, check: PromiseCheck
) -> tuple[list[Counts], np.ndarray]:
    """Values of each cell, for each promise, and the people of each."""
    n_cells = int(labels.max()) + 1
    columns = check.codes.T
    counts = [counts_of(labels, column, n_cells, check.units) for column in columns]
    return counts, check.people(labels, n_cells)


def cells_at_once(sizes: np.ndarray, cells: np.ndarray, at_once: float) -> np.ndarray:
    """How many others each of some cells takes in with one turn at most.

    Examples
    --------
    >>> cells_at_once(np.array([5, 300, 8]), np.array([0, 1]), 1 / 30)
    array([1, 2])
    """
    most = (at_once * sizes[cells] / sizes.min()).astype(np.int64)
    return np.clip(most, 1, min(MAX_NEAR_CELLS, len(sizes) - 1))


def nearest_cells(
    middles: np.ndarray,
    of_codes: Counts,
    sizes: np.ndarray,
    cells: np.ndarray,
    wanted: np.ndarray,
    codes: Codes,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The cells of the nearest centroids for each of some cells, and how far they are.

    A column of codes adds unit / 2 times the sum of squared differences of shares, as
    if each code were a coordinate of its own; only codes that a cell has are kept.

    Returns
    -------
    first, near, distances : ndarray
        The ones of cells[i] stand from first[i] to first[i + 1], nearest first.
    """
    first = np.concatenate([[0], np.cumsum(wanted)])
    near, distances = np.empty(first[-1], dtype=np.int64), np.empty(first[-1])
    asked = np.arange(len(cells))
    alone = asked[wanted == 1]
    if codes.units.size == 0 and alone.size > MAX_CELLS_WITHOUT_INDEX:
        at = first[alone]
        near[at], distances[at] = nearest_others(middles, cells[alone])
        asked = asked[wanted > 1]
    shares = of_codes.count / np.repeat(sizes, np.diff(of_codes.start))
    halves = np.repeat(codes.units / 2, np.diff(codes.starts))
    along = np.zeros(len(sizes))
    if codes.n_measured:
        along = middles[:, np.argmax(middles.std(axis=0))]
    order = np.argsort(along, kind="stable")

    def search(some: Any) -> None:
        nearest_coded_cells(
            middles,
            order,
            along[order],
            of_codes.start,
            of_codes.value,
            shares,
            halves,
            cells[asked[some]],
            first[asked[some]],
            first[asked[some] + 1],
            near,
            distances,
        )

    in_slices(search, len(asked), CELLS_AT_ONCE)
    return first, near, distances


def counts_of(
    labels: np.ndarray,
    values: np.ndarray,
    n_cells: int,
    units: np.ndarray | None = None,
    counts: np.ndarray | None = None,
) -> Counts:
    """How often each cell has each value, or how many of its units have it."""
    values = values.astype(np.int64).ravel()
    found = cell_values(labels, values, counts=counts, units=units)
    start = np.searchsorted(found.cell, np.arange(n_cells + 1))
    return Counts(start, found.value, found.count)


def joined_counts(counts: Counts, new: np.ndarray, n_new: int) -> Counts:
    """Counts of the new cells that old cells are joined into."""
    cells = np.repeat(new, np.diff(counts.start))
    return counts_of(cells, counts.value, n_new, counts=counts.count)
