"""Regions of a large table: cells that lie together, searched by themselves."""

import numpy as np

from microcell.kernels.codes import Codes


def regions_of(
    X: np.ndarray, codes: Codes, labels: np.ndarray, most: int, cut: float
) -> list[np.ndarray]:
    """Divide whole cells into regions of at most `most` records.

    The widest column is cut, and the parts on both sides of it in turn.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    codes : Codes
    labels : ndarray of shape (n_samples,)
    most : int
    cut : float
        The share of the cells before a cut. Other shares give other borders.

    Returns
    -------
    regions : list of ndarray
        Records of each region, ascending.

    Examples
    --------
    >>> from microcell.kernels.codes import no_codes
    >>> X = np.array([[5.0], [1.0], [6.0], [2.0], [9.0], [8.0]])
    >>> regions_of(X, no_codes(1), np.array([0, 1, 0, 1, 2, 2]), 4, 0.5)
    [array([1, 3]), array([0, 2, 4, 5])]
    """
    _, firsts, sizes = np.unique(labels, return_index=True, return_counts=True)
    spokesmen = X[firsts]  # a member is near enough to the middle of its cell
    region_of_cell = np.empty(len(firsts), dtype=np.int64)
    stack, n_regions = [np.arange(len(firsts))], 0
    while stack:
        cells = stack.pop()
        if len(cells) == 1 or sizes[cells].sum() <= most:
            region_of_cell[cells] = n_regions
            n_regions += 1
            continue
        column = _widest(spokesmen[cells], codes)
        order = np.argsort(spokesmen[cells, column], kind="stable")
        at = min(max(1, int(cut * len(cells))), len(cells) - 1)
        stack += [np.sort(cells[order[at:]]), np.sort(cells[order[:at]])]
    regions = region_of_cell[labels]
    order = np.argsort(regions, kind="stable")
    return np.split(order, np.cumsum(np.bincount(regions))[:-1])


def _widest(records: np.ndarray, codes: Codes) -> int:
    """The column in which records differ most, as squared distances count it."""
    spread = np.empty(records.shape[1])
    spread[: codes.n_measured] = records[:, : codes.n_measured].var(axis=0)
    for j, unit in enumerate(codes.units, start=codes.n_measured):
        shares = np.unique(records[:, j], return_counts=True)[1] / len(records)
        spread[j] = unit * (1.0 - np.sum(shares * shares)) / 2
    return int(np.argmax(spread))
