import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from tables import any_values, few_values, gaussian

from microcell.aggregate import Centroid
from microcell.metrics import information_loss
from microcell.partition import MDAV

pairs = arrays(
    float,
    st.tuples(st.just(2), st.integers(1, 30), st.integers(1, 4)),
    elements=few_values,
)
wild_pairs = arrays(
    float,
    st.tuples(st.just(2), st.integers(1, 20), st.integers(1, 3)),
    elements=any_values,
)


def components(loss):
    return [loss.il1, loss.il2, loss.il3, loss.il4, loss.il5]


def test_worked_by_hand():
    """Centred columns (-3, -1, 0, 4), (-20, 0, -10, 30) become (-2, 2), (-10, 10)."""
    X = [[1.0, 10.0], [3.0, 30.0], [4.0, 20.0], [8.0, 60.0]]
    released = [[2.0, 20.0], [2.0, 20.0], [6.0, 40.0], [6.0, 40.0]]
    loss = information_loss(X, released)
    assert loss.il1 == pytest.approx((1 + 1 / 3 + 1 / 2 + 1 / 4 + 2 * (1 + 1 / 3)) / 8)
    assert loss.il2 == 0.0
    assert loss.il3 == pytest.approx((10 / 26 + 100 / 180 + 1000 / 1400) / 3)
    assert loss.il4 == pytest.approx((10 / 26 + 1000 / 1400) / 2)
    assert loss.il5 == pytest.approx(1 - 180 / np.sqrt(26 * 1400))
    assert loss.loss == pytest.approx(np.mean(components(loss)))


def test_forms_of_il1():
    X, released = [[1.0], [4.0], [10.0]], [[5.0], [5.0], [5.0]]
    assert information_loss(X, released).il1 == pytest.approx((4 + 0.25 + 0.5) / 3)
    capped = information_loss(X, released, il1="capped").il1
    assert capped == pytest.approx((1 + 0.25 + 0.5) / 3)
    scaled = information_loss(X, released, il1="scaled").il1
    assert scaled == pytest.approx(10 / 3 / np.sqrt(2 * 21))  # variance 42 / 2


def test_zeros_that_change_are_left_out_or_count_one():
    X, released = [[0.0], [0.0], [4.0]], [[0.0], [1.0], [3.0]]
    assert information_loss(X, released).il1 == pytest.approx(0.25 / 2)
    assert information_loss(X, released, zero="cap").il1 == pytest.approx(1.25 / 3)


def test_constant_columns():
    X = np.column_stack([gaussian(10, 1), np.full(10, 0.1)])
    noisy = X + [[0.0, 1.0]] * gaussian(10, 1, seed=1)
    assert components(information_loss(X, X)) == [0.0] * 5
    assert information_loss(X, noisy).il4 == 0.0  # only the first column has a variance
    assert information_loss(X, noisy, zero="cap").il4 == 0.5
    only_noise = information_loss(X[:, 1:], noisy[:, 1:])
    assert only_noise.il4 == only_noise.il3 == 1.0


def test_rounding_is_no_change():
    """The mean of a standardised column is 1e-17 before and 3e-17 after."""
    X = gaussian(200, 3)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    released = Centroid().aggregate(X, MDAV(5).fit_predict(X))
    assert information_loss(X, released).il2 == 0.0


def test_shuffled_columns_keep_what_is_of_one_column():
    X = gaussian(500, 2) @ [[1.0, 0.9], [0.0, 0.3]]
    shuffled = np.random.default_rng(1).permuted(X, axis=0)
    loss = information_loss(X, shuffled)
    assert loss.il2 == loss.il4 == 0.0
    assert loss.il1 > 1 and loss.il5 > 0.8


@given(pair=pairs)
def test_nothing_changed_nothing_lost(pair):
    X, _ = pair
    assert components(information_loss(X, X)) == [0.0] * 5


@given(
    pair=wild_pairs,
    il1=st.sampled_from(["relative", "capped", "scaled"]),
    zero=st.sampled_from(["skip", "cap"]),
)
def test_bounds(pair, il1, zero):
    loss = information_loss(*pair, il1=il1, zero=zero)
    assert np.isfinite(components(loss)).all() and min(components(loss)) >= 0
    assert loss.il5 <= 2
    assert il1 != "capped" or loss.il1 <= 1


@given(pair=pairs, seed=st.integers(0, 99))
def test_order_of_records_and_columns_has_no_say(pair, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(pair.shape[1])
    moved = pair[:, order][:, :, rng.permutation(pair.shape[2])]
    assert_allclose(
        components(information_loss(*moved)), components(information_loss(*pair))
    )


def test_bad_choices():
    with pytest.raises(ValueError, match="'il1' parameter must be one of"):
        information_loss([[1.0]], [[1.0]], il1="absolute")
    with pytest.raises(ValueError, match="'zero' parameter must be one of"):
        information_loss([[1.0]], [[1.0]], zero="nan")
