"""Small partitions to be searched, and slow twins that check what was done to them."""

from functools import cache
from itertools import combinations

import numpy as np
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from microcell.kernels.codes import split_codes
from microcell.refine._cells import make_cells
from microcell.refine._neighbours import near_records

UNITS = (1.0, 0.25, 6.0)


def squared_distances(X, codes):
    """Of all pairs of records, a mismatch of codes counted by its unit."""
    total = np.zeros((len(X), len(X)))
    for column in X.T[: codes.n_measured]:
        total += (column[:, None] - column) ** 2
    for column, unit in zip(X.T[codes.n_measured :], codes.units, strict=True):
        total += unit * (column[:, None] != column)
    return total


def slow_sse(X, codes, labels):
    """Pairs of records of a cell, divided by its size."""
    distances, total = squared_distances(X, codes), 0.0
    for cell in np.unique(labels):
        rows = np.flatnonzero(labels == cell)
        total += distances[np.ix_(rows, rows)].sum() / 2 / len(rows)
    return total


def slow_least_sse(X, codes, k):
    """SSE of the best of all partitions into cells of k to 2k - 1 records."""
    distances = squared_distances(X, codes)

    @cache
    def least(left):
        if not left:
            return 0.0
        first, others = left[0], left[1:]
        best = np.inf
        for size in range(k, min(2 * k, len(left) + 1)):
            if 0 < len(left) - size < k:
                continue
            for chosen in combinations(others, size - 1):
                rows = [first, *chosen]
                cost = distances[np.ix_(rows, rows)].sum() / 2 / size
                if cost < best:
                    rest = tuple(i for i in others if i not in chosen)
                    best = min(best, cost + least(rest))
        return best

    return least(tuple(range(len(X))))


def assert_sizes(labels, k):
    """Cells 0 to n_cells - 1, each of k to 2k - 1 records."""
    sizes = np.bincount(labels)
    assert sizes.min() >= k and sizes.max() <= 2 * k - 1


def assert_consistent(cells, tolerance=1e-12):
    """What is kept beside the labels agrees with them; a range of 1 is assumed."""
    n_cells, X = int(cells.n_cells[0]), cells.X
    assert_array_equal(np.unique(cells.labels), np.arange(n_cells))
    assert_sizes(cells.labels, cells.k)
    assert_array_equal(cells.sizes[:n_cells], np.bincount(cells.labels))
    assert not cells.sizes[n_cells:].any()
    for cell in range(n_cells):
        members = cells.members[cell, : cells.sizes[cell]]
        rows = np.flatnonzero(cells.labels == cell)
        assert_array_equal(np.sort(members), rows)
        assert_array_equal(cells.slots[members], np.arange(len(members)))
        assert_centre(cells, cell, rows, tolerance)
    assert X.shape[0] == cells.labels.shape[0]


def assert_centre(cells, cell, rows, tolerance):
    """Means, halves and shares, and each member's distance to them."""
    n_measured, X, centre = cells.n_measured, cells.X[rows], cells.centres[cell]
    means = X[:, :n_measured].mean(axis=0)
    assert_allclose(centre[:n_measured], means, atol=tolerance)
    expected = np.zeros(len(centre) - cells.X.shape[1])
    own = ((X[:, :n_measured] - means) ** 2).sum(axis=1)
    for j, unit in enumerate(cells.units, start=n_measured):
        values, counts = np.unique(X[:, j].astype(int), return_counts=True)
        shares = counts / len(rows)
        expected[values] = unit * shares
        half = unit * (1 + (shares**2).sum()) / 2
        assert_allclose(centre[j], half, atol=tolerance * unit)
        own += half - expected[X[:, j].astype(int)]
    most = max(1.0, *cells.units) if len(cells.units) else 1.0
    assert_allclose(centre[cells.X.shape[1] :], expected, atol=tolerance * most)
    assert_allclose(cells.own[rows], own, atol=tolerance * most)


@st.composite
def small_cells(draw, most_k=4, most_cells=6, least_cells=1, n_near=6):
    """Cells of k to 2k - 1 records at random, in tables full of ties or free of them.

    Columns are measured, codes, or both, with units that differ.
    """
    k = draw(st.integers(2, most_k))
    size = st.integers(k, 2 * k - 1)
    sizes = draw(st.lists(size, min_size=least_cells, max_size=most_cells))
    n_samples = sum(sizes)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_measured, n_coded = draw(
        st.sampled_from([(1, 0), (2, 0), (0, 2), (2, 1), (1, 3)])
    )
    X = rng.normal(size=(n_samples, n_measured)) / 4
    if draw(st.booleans()):
        X = np.round(4 * X) / 3  # ties and equal records
    coded = rng.integers(0, draw(st.integers(1, 9)), size=(n_samples, n_coded))
    columns = list(range(n_measured, n_measured + n_coded))
    X, codes = split_codes(np.column_stack([X, coded]), columns, UNITS[:n_coded])
    labels = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    return cells_of(X, codes, labels, k, n_near), codes


def cells_of(X, codes, labels, k, n_near=16):
    near = near_records(X, codes, min(n_near, len(X) - 1))
    return make_cells(X, codes, near, np.asarray(labels), k)


def as_sets(labels):
    """The cells, whatever their numbers are."""
    return {frozenset(np.flatnonzero(labels == cell)) for cell in np.unique(labels)}
