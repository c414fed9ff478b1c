import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from tables import gaussian

from microcell import ByStratum
from microcell.partition import MDAV, Mondrian


@given(seed=st.integers(0, 1000), n=st.integers(12, 60))
def test_cells_never_cross_strata(seed, n):
    rng = np.random.default_rng(seed)
    strata = np.arange(n) % 3
    rng.shuffle(strata)
    X = rng.normal(size=(n, 2))
    labels = ByStratum(MDAV(3), strata=strata).fit_predict(X)
    for label in range(labels.max() + 1):
        assert len(set(strata[labels == label])) == 1
    for stratum in range(3):
        inside = MDAV(3).fit_predict(X[strata == stratum])
        mine = labels[strata == stratum]
        assert len(set(zip(inside, mine, strict=True))) == inside.max() + 1


def test_small_strata_are_shown_by_their_patterns():
    X = gaussian(7, 2)
    part = ByStratum(MDAV(3), strata=["a", "a", "a", "a", "b", "b", "C7"])
    with pytest.raises(ValueError, match=r"2 stratum/strata .* like 'A9' \(1\)"):
        part.fit(X)


def test_small_strata_are_merged_with_the_nearest():
    X = np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2], [0.3]])
    part = ByStratum(MDAV(3), strata=list("aaabbbc"), small="merge").fit(X)
    assert_array_equal(part.labels_, [0, 0, 0, 1, 1, 1, 0])


def test_a_merged_stratum_has_a_centroid_of_its_own():
    """a joins b, whose centroid moves from 2 to 4/3: now d is nearer to it than c."""
    values = [0.0] + [2.0] * 2 + [5.0] * 5 + [-2.2] * 5
    X = np.array(values)[:, None]
    strata = list("abb" + 5 * "c" + 5 * "d")
    merged = ByStratum(MDAV(5), strata=strata, small="merge").fit(X).strata_
    assert_array_equal(merged == merged[0], np.array(values) != 5.0)


def test_strata_of_a_coarse_partitioner():
    X = gaussian(400, 2)
    part = ByStratum(MDAV(5), strata=Mondrian(50)).fit(X)
    coarse = Mondrian(50).fit_predict(X)
    pairs = set(zip(part.labels_, coarse, strict=True))
    assert len(pairs) == part.n_cells_
    assert_array_equal(part.strata_, coarse)


def test_strata_must_fit_the_table():
    with pytest.raises(ValueError, match="one value for each of the 3 records"):
        ByStratum(MDAV(1), strata=[0, 1]).fit([[0.0], [1.0], [2.0]])
