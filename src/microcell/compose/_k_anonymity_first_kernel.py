"""Rounds of k-anonymity first: arrays in, arrays out, no checks, no randomness."""

from typing import NamedTuple

import numpy as np

from microcell.kernels.compiled import njit
from microcell.kernels.free_records import hide, nearest_records
from microcell.kernels.records import keep_nearest, sort_heap
from microcell.partition import (
    close_cell,
    close_indexed_cell,
    farthest_free,
    farthest_indexed,
    shell_is_old,
)


class Values(NamedTuple):
    """Confidential values, and how the table has them.

    Attributes
    ----------
    code : ndarray of shape (n_samples,)
        Value of each row of the table, 0 to n_values - 1.
    totals : float ndarray of shape (n_values,)
        Records of each value in the table.
    below : float ndarray of shape (n_values,)
        Records of this value or an earlier one.
    area : float ndarray of shape (n_values + 1,)
        Sums of `below`.
    ordered : bool
        Whether the distance goes by the order of values.
    """

    code: np.ndarray
    totals: np.ndarray
    below: np.ndarray
    area: np.ndarray
    ordered: bool


@njit(cache=True, nogil=True)
def equal_distance(members, values):
    """Distance of a cell, whose codes are ascending, to the table."""
    size, n_samples, excess, i = members.shape[0], values.below[-1], 0.0, 0
    while i < size:
        j = i
        while j < size and members[j] == members[i]:
            j += 1
        more = (j - i) * n_samples - values.totals[members[i]] * size
        excess += more if more > 0 else 0.0
        i = j
    return excess / (size * n_samples)


@njit(cache=True, nogil=True)
def turns_of(size, values):
    """Where the table has as large a share as the first 0 to `size` of a cell."""
    turns, n_samples = np.empty(size + 1, dtype=np.int64), values.below[-1]
    for j in range(size + 1):
        turns[j] = np.searchsorted(values.below, np.ceil(j * n_samples / size))
    return turns


@njit(cache=True, nogil=True)
def ordered_distance(members, turns, values):
    """The same for the ordered distance; see `ordered_distances`."""
    size, n_values = members.shape[0], values.below.shape[0]
    if n_values == 1:
        return 0.0
    n_samples, i = values.below[-1], 0
    total = values.area[members[0]] * size
    while i < size:
        start, j = members[i], i
        while j < size and members[j] == start:
            j += 1
        end = members[j] if j < size else n_values
        step = j * n_samples
        turn = min(max(turns[j], start), end)
        total += step * (turn - start) - (values.area[turn] - values.area[start]) * size
        total += (values.area[end] - values.area[turn]) * size - step * (end - turn)
        i = j
    return total / (size * n_samples * (n_values - 1))


@njit(cache=True, nogil=True)
def sorted_distance(in_order, turns, values):
    """Distance of a cell to the table, from the codes of its members, ascending."""
    if values.ordered:
        return ordered_distance(in_order, turns, values)
    return equal_distance(in_order, values)


@njit(cache=True, nogil=True)
def distance_to_table(members, values):
    """Distance of a cell to the table, from the codes of its members in any order."""
    return sorted_distance(np.sort(members), turns_of(members.shape[0], values), values)


@njit(cache=True, nogil=True)
def exchange_code(in_order, leaves, comes, exchanged):
    """Fill `exchanged` with ascending codes, of which one leaves and another comes."""
    i, size = 0, in_order.shape[0]
    while i < size and in_order[i] < leaves and in_order[i] < comes:
        exchanged[i] = in_order[i]
        i += 1
    if leaves < comes:
        while i + 1 < size and in_order[i + 1] < comes:
            exchanged[i] = in_order[i + 1]
            i += 1
        exchanged[i] = comes
        i += 1
    else:
        exchanged[i] = comes
        while in_order[i] != leaves:
            exchanged[i + 1] = in_order[i]
            i += 1
        i += 1
    exchanged[i:] = in_order[i:]


@njit(cache=True, nogil=True)
def nearest_in_order(run, n_free, centre, distances, near):
    """Fill `near` with the free records nearest to the one at `centre`, it first."""
    near[0], distances[0] = centre, -1.0
    keep_nearest(run.free, n_free, centre, near[1:], distances[1:], run.codes)
    sort_heap(distances[1:], near[1:])


@njit(cache=True, nogil=True)
def indexed_in_order(run, centre, n_near):
    """The hidden record `centre` and the free ones nearest to it, nearest first."""
    heap, found = np.empty(n_near - 1), np.empty(n_near - 1, dtype=np.int32)
    nearest_records(run.records, centre, heap, found)
    sort_heap(heap, found)
    near = np.empty(n_near, dtype=np.int64)
    near[0] = centre
    for i in range(n_near - 1):
        near[i + 1] = found[i]
    return near


@njit(cache=True, nogil=True)
def exchange(run, values, t, near, cell):
    """Fill `cell` with the first of `near`, exchanged for later ones until within t."""
    k = cell.shape[0]
    members = np.empty(k, dtype=np.int64)
    for i in range(k):
        cell[i] = near[i]
        members[i] = values.code[run.rows[near[i]]]
    in_order, exchanged = np.sort(members), np.empty_like(members)
    turns = turns_of(k, values)
    reached = sorted_distance(in_order, turns, values)
    for place in range(k, near.shape[0]):
        if reached <= t:
            return
        code = values.code[run.rows[near[place]]]
        best, leaves = reached, -1
        for i in range(1, k):  # the centre stays
            if members[i] == code:
                continue
            exchange_code(in_order, members[i], code, exchanged)
            distance = sorted_distance(exchanged, turns, values)
            if distance < best or (distance == best and leaves >= 0):
                best, leaves = distance, i  # on ties the farthest leaves
        if leaves >= 0:
            for i in range(leaves, k - 1):  # the nearest stay first
                members[i], cell[i] = members[i + 1], cell[i + 1]
            members[k - 1], cell[k - 1], reached = code, near[place], best
            in_order = np.sort(members)


@njit(cache=True, nogil=True)
def k_anonymity_first_rounds(run, values, t, candidates, n_free, n_cells, visits):
    """Close cells until fewer than 2k records are free or `visits` are spent.

    Parameters
    ----------
    run : PlainRun
        IN, OUT
    values : Values
    t : float
    candidates : int
        Records that may be exchanged into a cell.
    n_free, n_cells, visits : int
        As in `mdav_rounds`.
    """
    k = run.k
    cell = np.empty(k, dtype=np.int64)
    while n_free >= 2 * k and visits > 0:
        visits -= 2 * n_free
        extreme = farthest_free(run, n_free)
        n_near = min(n_free, k + candidates)
        near, distances = np.empty(n_near, dtype=np.int64), np.empty(n_near)
        nearest_in_order(run, n_free, extreme, distances, near)
        exchange(run, values, t, near, cell)
        cell.sort()
        n_free = close_cell(run, n_free, cell, n_cells)
        n_cells += 1
    return n_free, n_cells


@njit(cache=True, nogil=True)
def indexed_k_anonymity_first_rounds(
    run, values, t, candidates, n_free, n_cells, visits
):
    """The same by an index; more than k records are looked for only where needed."""
    k, least_free = run.k, max(2 * run.k, run.stop_at)
    cell = np.empty(k, dtype=np.int64)
    visits += run.records.visits[0]
    while n_free >= least_free and run.records.visits[0] < visits:
        extreme = farthest_indexed(run, n_free)
        hide(run.records, extreme)
        exchange(run, values, t, indexed_in_order(run, extreme, k), cell)
        if k > 1 and candidates > 0:
            members = np.empty(k, dtype=np.int64)
            for i in range(k):
                members[i] = values.code[run.rows[cell[i]]]
            if distance_to_table(members, values) > t:
                n_near = min(n_free, k + candidates)
                near = indexed_in_order(run, extreme, n_near)
                exchange(run, values, t, near, cell)
        close_indexed_cell(run, cell, n_cells)
        n_free -= k
        n_cells += 1
        run.records.visits[0] += k
        if shell_is_old(run, n_free):
            break
    return n_free, n_cells
