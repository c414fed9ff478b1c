import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import microcell.compose._centroid_list as module
from microcell.compose import dp_centroid_list
from microcell.compose._noisy_sums import RESOLUTION
from microcell.testing import audit_privacy_loss


def exact(sums, sensitivity, epsilon):
    assert sensitivity == RESOLUTION
    return sums.astype(float)


def test_means_of_each_k_sorted_values(monkeypatch):
    monkeypatch.setattr(module, "noisy_sums", exact)
    found = dp_centroid_list([8, 1, 99, 3, 2], epsilon=1.0, k=2, bounds=(0, 10))
    assert_allclose(found, [1.5, (3 + 8 + 10) / 3], atol=1e-6)


@given(
    x=st.lists(st.floats(0, 1), min_size=6, max_size=20),
    new=st.floats(0, 1),
    k=st.integers(1, 5),
)
def test_all_sums_together_move_by_one_range(x, new, k):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "noisy_sums", exact)
        lists = [
            dp_centroid_list(values, epsilon=1.0, k=k, bounds=(0, 1))
            for values in (x, [new, *x[1:]])
        ]
    assert np.abs(lists[0] - lists[1]).sum() <= 1 / k + 1e-9


ROWS = np.array([1.0, 2.0, 3.0, 4.0]), np.array([5.0, 2.0, 3.0, 4.0])


def marginal(x):
    return dp_centroid_list(x, epsilon=1.0, k=2, bounds=(0, 5))


def carried_by_rows(x):
    """What the warning is about: each row with the centroid of its cell."""
    rank = np.argsort(np.argsort(x))
    return marginal(x)[rank // 2]


def test_the_list_is_private_and_rows_that_carry_it_are_not():
    assert audit_privacy_loss(marginal, ROWS, 1.0, n_runs=1000).holds
    found = audit_privacy_loss(carried_by_rows, ROWS, 1.0, n_runs=1000)
    assert not found.holds and "distance of rows" in found.event
    assert "rows that carry it are not" in dp_centroid_list.__doc__


def test_bad_input():
    with pytest.raises(ValueError, match="'bounds' parameter must be given"):
        dp_centroid_list([1, 2], epsilon=1.0, k=1, bounds=None)
    with pytest.raises(ValueError, match="'epsilon' parameter"):
        dp_centroid_list([1, 2], epsilon=0, k=1, bounds=(0, 5))
    with pytest.raises(ValueError, match="finite numbers"):
        dp_centroid_list([1, np.nan], epsilon=1.0, k=1, bounds=(0, 5))
    with pytest.raises(ValueError, match="n_samples=2 should be >= k=3"):
        dp_centroid_list([1, 2], epsilon=1.0, k=3, bounds=(0, 5))
