"""The farthest record from a moving centre against a scan of all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from kernels.hard_tables import random_tables

from microcell.kernels.codes import no_codes
from microcell.kernels.outer_shell import (
    chain_equal_records,
    farthest_from_centre,
    make_outer_shell,
)


@given(
    X=random_tables(most_rows=300), batch=st.integers(1, 20), seed=st.integers(0, 99)
)
def test_farthest_free_record_from_a_moving_centre(X, batch, seed):
    rng = np.random.default_rng(seed)
    centre = X.mean(axis=0)
    codes = no_codes(X.shape[1])
    shell = make_outer_shell(X, *chain_equal_records(X), centre, codes)
    free = np.ones(len(X), dtype=np.bool_)
    point = centre.copy()
    while free.any():
        point += rng.normal(size=X.shape[1]) * X.std(axis=0) / 50
        exact = np.zeros(len(X))
        for column, value in zip(X.T, point, strict=True):
            exact += (column - value) ** 2
        exact[~free] = -1.0
        row = farthest_from_centre(shell, X, free, point, batch, codes)
        assert row == np.argmax(exact)
        free[row] = False
        free[rng.integers(len(X))] = False
