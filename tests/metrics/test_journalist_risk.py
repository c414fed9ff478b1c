"""Population risk of a weighted sample."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.metrics import journalist_risk
from microcell.metrics._reidentification import risk_of_class_sizes

people = st.lists(
    st.tuples(st.integers(0, 5), st.floats(0.01, 1e4)), min_size=1, max_size=30
)


@given(people=people)
def test_risk_equals_slow_twin(people):
    classes, weights = zip(*people, strict=True)
    risks = [min(1, 1 / sum(w for c, w in people if c == own)) for own, _ in people]
    found = journalist_risk(classes, weights)
    assert found.journalist_max == pytest.approx(max(risks))
    assert found.journalist_average == pytest.approx(np.mean(risks))


@given(classes=st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_weights_of_one_give_the_prosecutor_risk(classes):
    found = journalist_risk(classes, np.ones(len(classes)))
    known = risk_of_class_sizes(np.unique(classes, return_counts=True)[1])
    assert found.journalist_max == pytest.approx(known.prosecutor_max)
    assert found.journalist_average == pytest.approx(known.prosecutor_average)


@pytest.mark.parametrize(
    ("classes", "weights", "message"),
    [([0], [0.0], "positive"), ([0, 1], [1.0], "must hold one"), ([], [], "one entry")],
)
def test_bad_input(classes, weights, message):
    with pytest.raises(ValueError, match=message):
        journalist_risk(classes, weights)
