"""MDAV whose cells have k different units: arrays in, arrays out, no checks."""

from typing import NamedTuple

import numpy as np

from microcell.compose._k_anonymity_first_kernel import indexed_in_order
from microcell.kernels.compiled import njit
from microcell.kernels.free_records import farthest_record, hide
from microcell.kernels.records import farthest, record_distance
from microcell.partition import (
    close_cell,
    close_indexed_cell,
    farthest_free,
    farthest_indexed,
    shell_is_old,
)

GROWTH = 2  # how many times more records are looked at when units are missing
MAX_INDEXED_SHARE = 1 / 64  # of the records, to look for by an index


class Owners(NamedTuple):
    """Whose the records are.

    Attributes
    ----------
    unit : ndarray of shape (n_samples,)
        Unit of each row of the table, 0 to n_units - 1.
    left : ndarray of shape (n_units,)
        Free records of each.
    n_left : ndarray of shape (1,)
        Units that have a free record.
    """

    unit: np.ndarray
    left: np.ndarray
    n_left: np.ndarray


@njit(cache=True, nogil=True)
def take_units(owners, rows, cell):
    """Take the records of a cell from those that are left."""
    for position in cell:
        unit = owners.unit[rows[position]]
        owners.left[unit] -= 1
        owners.n_left[0] -= owners.left[unit] == 0


@njit(cache=True, nogil=True)
def nearest_of_each(near, rows, unit, cell):
    """Fill `cell` from `near`, the nearest first, with one record for each unit.

    Returns
    -------
    n_taken : int
        How many there were.
    """
    n_taken = 0
    for position in near:
        own, is_new = unit[rows[position]], True
        for j in range(n_taken):
            is_new &= unit[rows[cell[j]]] != own
        if is_new:
            cell[n_taken] = position
            n_taken += 1
            if n_taken == cell.shape[0]:
                break
    return n_taken


@njit(cache=True, nogil=True)
def scan_for_units(X, is_free, rows, unit, codes, centre, cell, distances):
    """Fill `cell` with `centre` and the nearest record of each of the nearest units.

    Parameters
    ----------
    X : ndarray of shape (n, n_features)
    is_free : bool ndarray of shape (n,)
    rows : ndarray of shape (n,)
        Where each record stands in the table.
    centre : int
        Position of the record in the middle.
    cell, distances : ndarray of shape (k,)
        OUT: positions, the nearest first, ties to the earlier; scratch.
    """
    point, own = X[centre].copy(), unit[rows[centre]]
    cell[0], distances[0] = centre, -1.0
    n_taken, k = 1, cell.shape[0]
    for i in range(X.shape[0]):
        if not is_free[i] or unit[rows[i]] == own:
            continue
        distance = record_distance(X[i], point, codes)
        if n_taken == k and distance >= distances[k - 1]:
            continue
        at = 1
        while at < n_taken and unit[rows[cell[at]]] != unit[rows[i]]:
            at += 1
        if at < n_taken and distances[at] <= distance:
            continue
        if at == n_taken and n_taken < k:
            n_taken += 1
        at = min(at, k - 1)
        while distances[at - 1] > distance:
            cell[at], distances[at] = cell[at - 1], distances[at - 1]
            at -= 1
        cell[at], distances[at] = i, distance


@njit(cache=True, nogil=True)
def apart_rounds(run, owners, pairs_from, until, n_free, n_cells, visits):
    """Close cells while `until` records and k units are free and `visits` are left.

    Parameters
    ----------
    run : PlainRun
        IN, OUT
    owners : Owners
        IN, OUT
    pairs_from : int
        Two cells are closed in a round while so many units are free.
    until, n_free, n_cells, visits : int
        As in `mdav_rounds`.
    """
    free, rows, k, codes = run.free, run.rows, run.k, run.codes
    cell, distances = np.empty(k, dtype=np.int64), np.empty(k)
    is_free = np.ones(n_free, dtype=np.bool_)
    while n_free >= until and owners.n_left[0] >= k and visits > 0:
        visits -= 4 * n_free
        in_pairs = owners.n_left[0] >= pairs_from
        extreme = farthest_free(run, n_free)
        centre = free[extreme].copy()
        opposite = farthest(free, n_free, centre, codes)
        for turn in range(2 if in_pairs else 1):
            if turn == 1:
                before = np.searchsorted(cell, opposite)
                if before < k and cell[before] == opposite:  # all are equally far
                    opposite = farthest(free, n_free, centre, codes)
                else:
                    opposite -= before
                extreme = opposite
            scan_for_units(
                free[:n_free],
                is_free[:n_free],
                rows,
                owners.unit,
                codes,
                extreme,
                cell,
                distances,
            )
            take_units(owners, rows, cell)
            cell.sort()
            n_free = close_cell(run, n_free, cell, n_cells)
            n_cells += 1
    return n_free, n_cells


@njit(cache=True, nogil=True)
def indexed_apart_rounds(run, owners, pairs_from, until, n_free, n_cells, visits):
    """The same by an index."""
    k, unit, records = run.k, owners.unit, run.records
    least_free = max(until, run.stop_at)
    cell, distances = np.empty(k, dtype=np.int64), np.empty(k)
    most_near, usual = MAX_INDEXED_SHARE * run.X.shape[0], k + 1 + k // 4
    visits += records.visits[0]
    while (
        n_free >= least_free
        and owners.n_left[0] >= k
        and records.visits[0] < visits
        and not shell_is_old(run, n_free)
    ):
        in_pairs = owners.n_left[0] >= pairs_from
        extreme = farthest_indexed(run, n_free)
        middle, opposite = extreme, extreme
        if in_pairs:
            opposite = farthest_record(records, extreme)
        for turn in range(2 if in_pairs else 1):
            if turn == 1:
                if not records.free[opposite]:  # it left: all are equally far
                    opposite = farthest_record(records, extreme)
                middle = opposite
            hide(records, middle)
            n_near, n_taken = min(usual, n_free), 0
            while n_taken < k:
                near = indexed_in_order(run, middle, n_near)
                n_taken = nearest_of_each(near, run.rows, unit, cell)
                if n_taken == k:
                    break
                n_near = min(n_free, GROWTH * n_near)
                usual = min(usual + 1, 4 * k)
                if n_near > most_near:
                    scan_for_units(
                        run.X,
                        records.free,
                        run.rows,
                        unit,
                        run.codes,
                        middle,
                        cell,
                        distances,
                    )
                    records.visits[0] += run.X.shape[0]
                    n_taken = k
            take_units(owners, run.rows, cell)
            close_indexed_cell(run, cell, n_cells)
            n_free -= k
            n_cells += 1
            records.visits[0] += k
    return n_free, n_cells
