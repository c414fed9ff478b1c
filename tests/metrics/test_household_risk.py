import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from microcell.metrics import household_risk

CODES = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from("abcd")), min_size=1, max_size=30
)


@given(records=CODES)
def test_equals_the_slow_twin(records):
    classes, households = zip(*records, strict=True)
    risks = []
    for household in set(households):
        unfound = 1.0
        for cell, own in records:
            if own == household:
                unfound *= 1 - 1 / classes.count(cell)
        risks.append(1 - unfound)
    found = household_risk(classes, households)
    assert_allclose([found.highest, found.average], [max(risks), np.mean(risks)])


def test_households_of_one_are_records():
    classes = [0, 0, 1, 1, 1, 1]
    found = household_risk(classes, range(6))
    assert_allclose([found.highest, found.average], [1 / 2, 1 / 3])


def test_whole_households_in_cells_of_k_households():
    rng = np.random.default_rng(0)
    households = rng.integers(0, 40, 200)
    for k in (2, 5, 10):
        found = household_risk(households // k, households)
        assert found.average <= 1 / k + 1e-12
    with pytest.raises(ValueError, match="inconsistent"):
        household_risk([0, 1], [0])
