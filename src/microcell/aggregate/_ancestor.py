"""Ancestor: what the values of a cell have in common in a hierarchy."""

import numpy as np

from microcell.base import BaseAggregator, Labels, Records
from microcell.embed import Levels


class Ancestor(BaseAggregator):
    """Release the lowest common ancestor of each cell, column by column.

    A cell whose records share a value keeps it. No record's own value is released
    where they differ.

    Parameters
    ----------
    levels : Levels
        The hierarchy whose nodes X holds; its groups are what cells may release.

    Examples
    --------
    >>> from microcell.embed import Levels
    >>> codes = np.array([[0, 0], [0, 1], [2, 2], [3, 3], [0, 4]])
    >>> zips = Levels(codes, np.array([0.5, 0.5]), n_values=3)  # and two groups
    >>> X = [[0], [1], [2], [2], [1], [2]]
    >>> Ancestor(zips).aggregate(X, [0, 0, 1, 1, 2, 2]).ravel()
    array([4., 4., 2., 2., 3., 3.])
    """

    takes_missing = True

    def __init__(self, levels: Levels) -> None:
        self.levels = levels

    def _aggregate(self, X: Records, labels: Labels) -> Records:
        known = ~np.isnan(X)
        nodes = np.where(known, X, 0).astype(np.int64)
        if (nodes != np.where(known, X, 0)).any() or not _within(nodes, self.levels):
            raise ValueError("X must hold numbers of nodes of the hierarchy.")
        order = np.argsort(labels, kind="stable")
        starts = np.searchsorted(labels[order], np.arange(labels.max() + 1))
        released = [
            self._of_cells(nodes[order, j], known[order, j], starts)
            for j in range(X.shape[1])
        ]
        return np.column_stack(released)[labels]

    def _of_cells(
        self, nodes: np.ndarray, known: np.ndarray, starts: np.ndarray
    ) -> np.ndarray:
        """Ancestor of each cell of sorted records; NaN where none is known."""
        codes = np.where(known[:, None], self.levels.codes[nodes], np.nan)
        lowest = np.fmin.reduceat(codes, starts, axis=0)  # which pass over NaN
        alike = lowest == np.fmax.reduceat(codes, starts, axis=0)
        depth = np.logical_and.accumulate(alike, axis=1).sum(axis=1)
        shared = np.fmax.reduceat(np.where(known, nodes, np.nan), starts)
        mixed = (depth < codes.shape[1]) & ~np.isnan(shared)
        if mixed.any():
            shared[mixed] = self._groups(depth[mixed], lowest[mixed])
        return shared

    def _groups(self, depth: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """The groups that have these codes down to a depth, and their own below."""
        levels = self.levels
        n_values = len(levels.codes) if levels.n_values is None else levels.n_values
        depths = levels.group_depths
        keys = _keys(depths, levels.codes[n_values:], len(levels.codes))
        wanted = _keys(depth, codes, len(levels.codes))
        if not np.isin(wanted, keys).all():
            raise ValueError("'levels' lacks a group that a cell needs.")
        order = np.argsort(keys)
        return n_values + order[np.searchsorted(keys, wanted, sorter=order)]


def _keys(depth: np.ndarray, codes: np.ndarray, width: int) -> np.ndarray:
    """One number for a depth and the code on the last level above it."""
    last = codes[np.arange(depth.size), np.maximum(depth - 1, 0)]
    return depth * width + np.where(depth > 0, last, 0).astype(np.int64)


def _within(nodes: np.ndarray, levels: Levels) -> bool:
    return nodes.min(initial=0) >= 0 and nodes.max(initial=0) < len(levels.codes)
