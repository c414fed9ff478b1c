import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import any_values, tables_and_k

from microcell.partition import MDAV


@given(table=tables_and_k(elements=any_values))
def test_cells_have_k_records_and_the_last_at_most_2k_minus_1(table):
    X, k = table
    sizes = np.bincount(MDAV(k).fit_predict(X))
    assert sizes.min() >= k and sizes.max() <= 2 * k - 1
    assert (sizes[:-1] == k).all()


@given(table=tables_and_k(elements=any_values), seed=st.integers(0, 2**32 - 1))
def test_permuting_records_keeps_the_cells_without_ties(table, seed):
    shape, k = table[0].shape, table[1]
    rng = np.random.default_rng(seed)
    X = rng.normal(size=shape)  # no ties, whatever the draw of the table
    order = rng.permutation(len(X))
    cells = {frozenset(np.flatnonzero(m)) for m in one_hot(MDAV(k).fit_predict(X))}
    moved = one_hot(MDAV(k).fit_predict(X[order]))
    assert cells == {frozenset(order[np.flatnonzero(m)]) for m in moved}


def one_hot(labels):
    return [labels == label for label in range(labels.max() + 1)]


def test_too_few_records():
    with pytest.raises(ValueError, match="n_samples=2 should be >= k=3"):
        MDAV(k=3).fit([[0.0], [1.0]])


def test_unknown_rule_for_the_rest():
    with pytest.raises(ValueError, match="'leftover' parameter must be one of"):
        MDAV(k=1, leftover="first").fit([[0.0], [1.0]])
