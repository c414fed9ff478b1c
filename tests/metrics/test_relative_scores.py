import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from microcell.metrics import relative_scores

utilities = arrays(
    float,
    st.tuples(st.integers(1, 5), st.integers(1, 5)),
    elements=st.floats(0.01, 1.0),
)


@given(table=utilities)
def test_sum_of_shares_of_the_best(table):
    expected = [
        sum(row[j] / max(other[j] for other in table) for j in range(len(row)))
        for row in table
    ]
    assert_allclose(relative_scores(table), expected)


@given(table=utilities, factor=st.floats(0.1, 10))
def test_how_hard_a_data_set_is_has_no_say(table, factor):
    harder = table.copy()
    harder[:, 0] *= factor
    assert_allclose(relative_scores(harder), relative_scores(table))


def test_the_best_everywhere_scores_one_each():
    assert_allclose(relative_scores([[0.9, 0.8, 0.7], [0.1, 0.2, 0.3]])[0], 3)


@pytest.mark.parametrize("table", [[0.5], [[]], [[np.nan, 1.0]], [[0.0], [-1.0]]])
def test_what_has_no_score(table):
    with pytest.raises(ValueError, match="Utilities"):
        relative_scores(table)
