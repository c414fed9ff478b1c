"""Records looked up in a shard, against the measure of all records."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import grids

from microcell.metrics import distance_linkage_risk
from microcell.pipeline._canonical import canonical_rows
from microcell.pipeline._sampled_linkage import found_among


@given(grids(most_rows=25), st.booleans(), st.integers(0, 5))
def test_all_records_looked_up_give_the_risk(Z, is_sorted, seed):
    if is_sorted:
        Z = Z[np.argsort(Z[:, 0], kind="stable")]
    Z_released = Z.copy()
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, 4, len(Z))
    for cell in range(4):
        Z_released[cells == cell] = (
            Z[cells == cell].mean(axis=0) if (cells == cell).any() else 0
        )
    found = found_among(Z, Z_released, np.arange(len(Z)))
    risk = distance_linkage_risk(Z, Z_released)
    assert found / len(Z) == pytest.approx(risk, abs=1e-9)


def test_codes_count_by_their_units():
    rng = np.random.default_rng(2)
    Z = np.column_stack([rng.normal(size=60).round(1), rng.integers(0, 3, 60)])
    Z_released = np.column_stack([Z[:, 0].round(), rng.integers(0, 3, 60)])
    found = found_among(Z, Z_released, np.arange(60), [1], [0.5])
    risk = distance_linkage_risk(Z, Z_released, nominal=[1], units=[0.5])
    assert found / 60 == pytest.approx(risk, abs=1e-9)


@given(grids(least_rows=2), st.integers(0, 9))
def test_the_canonical_order_does_not_depend_on_that_of_the_source(X, seed):
    rng = np.random.default_rng(seed)
    carried = pl.DataFrame({"ill": rng.choice(["flu", "gout"], len(X))})
    rows = canonical_rows(X, carried)
    shuffled = rng.permutation(len(X))
    again = shuffled[canonical_rows(X[shuffled], carried[shuffled])]
    assert np.array_equal(X[rows], X[again])
    assert carried[rows].equals(carried[again])
    assert sorted(rows.tolist()) == list(range(len(X)))
    keys = [
        (*x, ill) for x, ill in zip(X[rows].tolist(), carried[rows]["ill"], strict=True)
    ]
    assert keys == sorted(keys)
