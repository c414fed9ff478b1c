from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from tables import any_values, few_values, gaussian

from microcell.aggregate import Centroid
from microcell.metrics import probabilistic_information_loss
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


def families(loss):
    return [
        loss.quantiles,
        loss.means,
        loss.variances,
        loss.covariances,
        loss.correlations,
    ]


def test_rounding_is_no_change():
    """The mean of a standardised column is 1e-17 before and 3e-17 after."""
    X = gaussian(200, 3)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    released = Centroid().aggregate(X, MDAV(5).fit_predict(X))
    assert probabilistic_information_loss(X, released).means == 0.0


def test_shuffled_columns_keep_what_is_of_one_column():
    X = gaussian(500, 2) @ [[1.0, 0.9], [0.0, 0.3]]
    shuffled = np.random.default_rng(1).permuted(X, axis=0)
    loss = probabilistic_information_loss(X, shuffled)
    assert loss.quantiles == loss.means == 0.0
    assert loss.covariances > 0.99 and loss.correlations > 0.99


@given(pair=pairs)
def test_nothing_changed_nothing_lost(pair):
    X, _ = pair
    assert families(probabilistic_information_loss(X, X)) == [0.0] * 5


@given(pair=wild_pairs)
def test_bounds(pair):
    shares = families(probabilistic_information_loss(*pair))
    assert min(shares) >= 0 and max(shares) <= 1


@given(pair=pairs, seed=st.integers(0, 99))
def test_order_of_records_and_columns_has_no_say(pair, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(pair.shape[1])
    moved = pair[:, order][:, :, rng.permutation(pair.shape[2])]
    assert_allclose(
        families(probabilistic_information_loss(*moved)),
        families(probabilistic_information_loss(*pair)),
        atol=1e-12,
    )


def test_loss_in_standard_errors():
    X = gaussian(400, 1)
    one_error = X.std() / 20
    loss = probabilistic_information_loss(X, X + one_error)
    assert loss.means == pytest.approx(0.6827, abs=1e-4)
    assert loss.variances == loss.correlations == 0.0


def test_loss_follows_the_formulas():
    """Moments as in the formulas of the paper, for one pair of columns."""
    X = gaussian(60, 2) @ [[1.0, 0.5], [0.0, 1.0]] + 3
    released = X + 0.2 * gaussian(60, 2, seed=1)
    a, b = (X - X.mean(axis=0)).T

    def m(p, q):
        return np.mean(a**p * b**q)

    r = m(1, 1) / np.sqrt(m(2, 0) * m(0, 2))
    variance = (
        r**2
        / 60
        * (
            m(2, 2) / m(1, 1) ** 2
            + (
                m(4, 0) / m(2, 0) ** 2
                + m(0, 4) / m(0, 2) ** 2
                + 2 * m(2, 2) / (m(2, 0) * m(0, 2))
            )
            / 4
            - m(3, 1) / (m(1, 1) * m(2, 0))
            - m(1, 3) / (m(1, 1) * m(0, 2))
        )
    )
    move = np.corrcoef(released.T)[0, 1] - r
    assert certainty(move, variance) == pytest.approx(
        probabilistic_information_loss(X, released).correlations
    )
    move = np.cov(released.T, ddof=0)[0, 1] - m(1, 1)
    assert certainty(move, (m(2, 2) - m(1, 1) ** 2) / 60) == pytest.approx(
        probabilistic_information_loss(X, released).covariances
    )
    move = released[:, 0].var() - m(2, 0)
    assert certainty(move, (m(4, 0) - m(2, 0) ** 2) / 60) == pytest.approx(
        probabilistic_information_loss(X[:, :1], released[:, :1]).variances
    )


def certainty(move, variance):
    return 2 * NormalDist().cdf(abs(move) / np.sqrt(variance)) - 1


def test_decile_by_hand():
    """100 values 0..99 in 8 bins of 12.375: the density is about 0.0101."""
    X = np.arange(100.0)[:, None]
    counts = np.histogram(X, bins=8)[0]
    expected = []
    for q in np.arange(1, 10) / 10:
        at = round(100 * q) - 1
        density = counts[int(at / 12.375)] / 100 / 12.375
        expected.append(certainty(2.0, q * (1 - q) / (100 * density**2)))
    loss = probabilistic_information_loss(X, X + 2)
    assert loss.quantiles == pytest.approx(np.mean(expected))
