import numpy as np
import pytest

from microcell.aggregate import Centroid
from microcell.compose import DPMicroaggregator
from microcell.partition import MDAV
from microcell.testing import audit_privacy_loss, audit_verdicts
from microcell.testing._verdicts import AUDITED_K, NEIGHBOURS, UNIT_BOX

PAIR = np.zeros((2, 1)), np.array([[0.0], [1.0]])


def noisy_total(rng, scale):
    return lambda X: X.sum(axis=0) + rng.laplace(scale=scale, size=1)


def test_false_alarms_are_as_rare_as_stated():
    rng = np.random.default_rng(0)
    losses = [
        audit_privacy_loss(noisy_total(rng, 1.0), PAIR, 1.0, n_runs=200, confidence=0.9)
        for _ in range(200)
    ]
    caught = sum(not loss.holds for loss in losses)
    assert caught <= 33  # 20 are expected at most; 33 is beyond all but 1 in 300


def test_the_bound_is_near_the_truth_and_below_it():
    rng = np.random.default_rng(0)
    for scale, truth in [(1.0, 1.0), (0.5, 2.0), (2.0, 0.5)]:
        loss = audit_privacy_loss(noisy_total(rng, scale), PAIR, 1.0, n_runs=20_000)
        assert 0.8 * truth < loss.epsilon_lower < truth
        assert loss.n_runs == 10_000


def test_noise_of_several_columns_adds_up():
    rng = np.random.default_rng(0)
    pair = np.zeros((1, 4)), np.ones((1, 4))

    def noisy(X):  # each column alone loses 0.5
        return X + rng.laplace(scale=2.0, size=X.shape)

    assert audit_privacy_loss(noisy, pair, 1.0, n_runs=8000).epsilon_lower > 1.0


def test_what_is_certain_is_caught():
    rng = np.random.default_rng(0)

    def plain(X):
        return Centroid().aggregate(X, MDAV(2).fit_predict(X))

    assert not audit_privacy_loss(plain, PAIR, 1.0, n_runs=100).holds
    swapped = np.array([[1.0], [0.0]]), np.array([[1.0], [1.0]])

    def row_order(X):  # noise hides the values, and not that they are equal
        noise = rng.laplace(scale=9.0, size=2)
        return noise[[0, 0]] if X.sum() < 2 else noise

    found = audit_privacy_loss(row_order, swapped, 1.0, n_runs=200)
    assert not found.holds and "distance of rows 0 and 1 <= 0" in found.event


def test_the_worst_of_several_pairs_counts():
    rng = np.random.default_rng(0)
    same = np.zeros((2, 1)), np.zeros((2, 1))
    half = noisy_total(rng, 0.5)
    assert audit_privacy_loss(half, [same], 1.0, n_runs=2000).holds
    assert not audit_privacy_loss(half, [same, PAIR], 1.0, n_runs=2000).holds


def test_low_bits_of_noise_added_to_floats_are_caught():
    rng = np.random.default_rng(0)

    def low_bits(X):  # a sum with 1 in it is a multiple of 2**-53, a small one is not
        return np.ldexp(X.sum() + rng.laplace(size=1), 53) % 1

    assert not audit_privacy_loss(low_bits, PAIR, 1.0, n_runs=2000).holds


def test_words():
    loss = audit_privacy_loss(lambda X: X.sum(axis=0), PAIR, 1.0, n_runs=200)
    assert str(loss).startswith("caught: epsilon 1 stated, at least 2.")
    assert "1.000 against 0.000 of 100 runs" in str(loss)


def test_bad_input():
    with pytest.raises(ValueError, match="pair of tables of one shape"):
        audit_privacy_loss(np.sum, (np.zeros(2), np.zeros(3)), 1.0)
    with pytest.raises(ValueError, match="'n_runs' parameter must be an integer >= 20"):
        audit_privacy_loss(np.cumsum, PAIR, 1.0, n_runs=3)
    with pytest.raises(ValueError, match="confidence must be from"):
        audit_privacy_loss(np.cumsum, PAIR, 1.0, confidence=99)
    with pytest.raises(ValueError, match="always release one shape"):
        audit_privacy_loss(lambda X: np.zeros(1 + int(X.sum())), PAIR, 1.0, n_runs=20)


def test_quick_verdicts():
    private, _, random = audit_verdicts(1.0, n_runs=400)  # too few to catch half
    assert private.loss.holds and not random.loss.holds


@pytest.mark.slow
def test_verdicts():
    verdicts = audit_verdicts(1.0, n_runs=3000)  # fresh noise: fewer may miss half
    assert [(v.mechanism, v.loss.holds) for v in verdicts] == [
        ("dp-microaggregation", True),
        ("noise scaled to half", False),
        ("random aggregation", False),
    ]
    assert all(v.as_expected for v in verdicts)


@pytest.mark.slow
def test_dp_microaggregation_is_not_caught_again_and_again():

    masked = DPMicroaggregator(AUDITED_K, epsilon=1.0, bounds=UNIT_BOX)
    losses = [
        audit_privacy_loss(masked.fit_transform, NEIGHBOURS, 1.0, n_runs=400)
        for _ in range(20)
    ]
    assert sum(not loss.holds for loss in losses) <= 2  # of 20, at 1 in 100 each
