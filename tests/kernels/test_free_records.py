"""Queries on the index against a sort of all exact distances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.hard_tables import codes_of, random_tables
from numpy.testing import assert_array_equal

from microcell.kernels.codes import split_codes
from microcell.kernels.free_records import (
    farthest_record,
    hide,
    index_records,
    nearest_and_farthest_records,
    nearest_records,
    tighten,
)


def squared_distances(X, point, codes):
    total = np.zeros(len(X))
    for j in range(X.shape[1]):
        if j < codes.n_measured:
            total += (X[:, j] - point[j]) ** 2
        else:
            total += codes.units[j - codes.n_measured] * (X[:, j] != point[j])
    return total


@pytest.mark.parametrize("use_tree", [True, False])
@given(X=random_tables(most_rows=600), n_coded=st.integers(0, 4), data=st.data())
def test_nearest_and_farthest_free_records(use_tree, X, n_coded, data):
    n_measured = X.shape[1] if n_coded < 3 else 0  # or nothing but codes
    X = np.column_stack([X[:, :n_measured], codes_of(X, n_coded)])
    units = data.draw(st.sampled_from([[1.0], [0.25, 3.0], [1e-3, 1e4]]))
    coded = range(n_measured, X.shape[1])
    X, codes = split_codes(X, coded, np.resize(units, len(coded)))
    centre = X[:, :n_measured].mean(axis=0)
    records = index_records(X, centre, codes, use_tree=use_tree)
    if data.draw(st.booleans()):  # outposts wherever a search has begun
        eager = records.tree.outposts._replace(
            cheap=0, cost=data.draw(st.integers(0, 9))
        )
        records = records._replace(tree=records.tree._replace(outposts=eager))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    leaving = rng.permutation(len(X))
    while len(leaving) > 1:
        count = int(rng.integers(1, min(len(leaving), 40)))
        gone, leaving = leaving[:count], leaving[count:]
        for row in gone:
            hide(records, row)
        tighten(records, gone.copy())
        free = np.flatnonzero(records.free)
        exact = squared_distances(X[free], X[gone[0]], codes)
        wanted = int(rng.integers(1, len(free) + 1))
        near, near_rows = np.empty(wanted), np.empty(wanted, dtype=np.int32)
        expected = free[np.argsort(exact, kind="stable")[:wanted]]
        farthest = nearest_and_farthest_records(records, gone[0], near, near_rows)
        assert_array_equal(np.sort(near_rows), np.sort(expected))
        assert farthest == free[np.argmax(exact)]
        nearest_records(records, gone[0], near, near_rows)
        assert_array_equal(np.sort(near_rows), np.sort(expected))
        assert farthest_record(records, gone[0]) == farthest
