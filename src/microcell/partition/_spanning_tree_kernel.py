"""A minimum spanning tree, and forests that are left of it: no checks, no randomness.

A tree is kept as an order in which records join it, and for each record the one that
it joins (its parent) and the squared length of that edge. The edge of a record is the
one to its parent; the first record has none.
"""

import numpy as np

from microcell.kernels.box_queries import nearest_in_tree
from microcell.kernels.box_tree import LANES
from microcell.kernels.compiled import njit
from microcell.kernels.records import sort_heap, squared_distance


@njit(cache=True, nogil=True)
def grow_tree(X, outside, gaps, nearest, n_outside, last, order, parent, edge, visits):
    """Let records join the tree until all have or `visits` are spent.

    The record nearest to the tree joins next, the earlier one on ties; of records of
    the tree at the same distance it joins the one that was there first.

    Parameters
    ----------
    outside, gaps, nearest : ndarray of shape (n_samples,)
        IN, OUT: the first `n_outside` are the rows outside, in the order of the table,
        the squared distance of each to the tree, and the record there.
    last : int
        The record that joined last; those outside have not been compared with it.
    order, parent, edge : ndarray of shape (n_samples,)
        OUT

    Returns
    -------
    n_outside, last : int
    """
    n_samples = X.shape[0]
    while n_outside > 0 and visits > 0:
        visits -= n_outside
        best = 0
        for i in range(n_outside):
            gap = squared_distance(X[outside[i]], X[last])
            if gap < gaps[i]:
                gaps[i], nearest[i] = gap, last
            if gaps[i] < gaps[best]:
                best = i
        last = outside[best]
        order[n_samples - n_outside] = last
        parent[last], edge[last] = nearest[best], gaps[best]
        n_outside -= 1
        for i in range(best, n_outside):
            outside[i] = outside[i + 1]
            gaps[i], nearest[i] = gaps[i + 1], nearest[i + 1]
    return n_outside, last


@njit(cache=True, nogil=True)
def cut_edges(order, parent, by_length, is_cut, k):
    """Cut edges, the first of `by_length` first, that leave k records on both sides.

    Parameters
    ----------
    by_length : ndarray
        Records whose edges to cut.
    is_cut : bool ndarray of shape (n_samples,)
        IN, OUT: whether the edge of each record is cut; the first record has none.
    """
    n_samples = order.shape[0]
    sizes = np.ones(n_samples, dtype=np.int64)  # of what hangs on each record
    for i in range(n_samples - 1, 0, -1):
        row = order[i]
        if not is_cut[row]:
            sizes[parent[row]] += sizes[row]
    for row in by_length:
        if is_cut[row] or sizes[row] < k:
            continue
        top = row
        while not is_cut[top]:
            top = parent[top]
        if sizes[top] - sizes[row] < k:
            continue
        is_cut[row] = True
        above = row
        while above != top:
            above = parent[above]
            sizes[above] -= sizes[row]


@njit(cache=True, nogil=True)
def joined_to(joined, row):
    """The record that stands for the tree of a record."""
    while joined[row] != row:
        joined[row] = joined[joined[row]]
        row = joined[row]
    return row


@njit(cache=True, nogil=True)
def grow_forest(tree, X, start, joined, sizes, tops, parent, edge, k, visits):
    """Let each tree of less than k records join another, from record `start` on.

    The one record of a tree that has no parent joins the nearest record of another
    tree, the earlier one on ties; the tree of the earliest record goes first.

    Parameters
    ----------
    joined, sizes, tops : ndarray of shape (n_samples,)
        IN, OUT: which records are in one tree, its size, and its record without parent.
    parent, edge : ndarray of shape (n_samples,)
        OUT

    Returns
    -------
    row : int
        The first record whose tree was not looked at.
    """
    near, near_rows = np.empty(k), np.empty(k, dtype=np.int32)
    for row in range(start, X.shape[0]):
        if visits <= 0:
            return row
        own = joined_to(joined, row)
        while sizes[own] < k:
            top = tops[own]
            leaf = tree.place[top] // LANES
            visits -= nearest_in_tree(tree, X[top], leaf, near, near_rows)
            sort_heap(near, near_rows)
            i = 0  # fewer than k are in the tree, so one of k is not
            while joined_to(joined, near_rows[i]) == own:
                i += 1
            parent[top], edge[top] = near_rows[i], near[i]
            other = joined_to(joined, near_rows[i])
            joined[own] = other
            sizes[other] += sizes[own]
            own = other
        visits -= 1
    return X.shape[0]


@njit(cache=True, nogil=True)
def label_trees(order, parent, is_cut, labels):
    """Number the trees of a forest in the order in which they begin."""
    n_trees = 0
    for row in order:
        if is_cut[row]:
            labels[row] = n_trees
            n_trees += 1
        else:
            labels[row] = labels[parent[row]]
    return n_trees
