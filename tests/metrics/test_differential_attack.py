import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from tables import any_values, gaussian, tables_and_k

from microcell.aggregate import Centroid, RandomRho, WrapNoise
from microcell.metrics import (
    centroid_linkage_risk,
    differential_attack,
    distance_linkage_risk,
)
from microcell.partition import MDAV, TopDown


def slow_differential(X, X_released, labels, rho, centre=False):
    """The Bayes attack, record by record and candidate by candidate."""
    errors, without = np.empty(X.shape), np.empty(X.shape)
    for j, column in enumerate(X.T):
        for i in range(len(X)):
            others = column[(labels == labels[i]) & (np.arange(len(X)) != i)]
            without[i, j] = column[i] - others.mean()
        typical = np.sqrt(np.mean(without[:, j] ** 2))
        for i in range(len(X)):
            cell = labels == labels[i]
            others = column[cell & (np.arange(len(X)) != i)]
            shown = X_released[cell, j]
            guesses = others.mean() + np.linspace(-9, 9, 40_001) * typical
            low, high = (
                np.minimum(others.min(), guesses),
                np.fmax(others.max(), guesses),
            )
            mean = (others.sum() + guesses) / cell.sum()
            below, above = rho * (mean - low), rho * (high - mean)
            if centre:
                below = above = np.minimum(below, above)
            possible = (mean - below <= shown.min()) & (shown.max() <= mean + above)
            log = -(((guesses - others.mean()) / typical) ** 2) / 2
            log -= cell.sum() * np.log(below + above)
            chance = np.where(possible, np.exp(log - log[possible].max()), 0)
            errors[i, j] = chance @ guesses / chance.sum() - column[i]
    spread = X.std(axis=0)
    return [np.sqrt(np.mean((e / spread) ** 2)) for e in (errors, without)]


@for_each("rho", [0.3, 0.7, 1.0])
@for_each("centre", [False, True])
def test_differential_attack_equals_slow_twin(rho, centre):
    X = gaussian(24, 2)
    labels = MDAV(4).fit_predict(X)
    noise = RandomRho(rho, centre=centre, random_state=0)
    X_released = noise.aggregate(X, labels)
    found = differential_attack(X, X_released, labels, rho=rho, centre=centre)
    expected = slow_differential(X, X_released, labels, rho, centre)
    assert found == pytest.approx(expected, rel=2e-3)


@given(table=tables_and_k(elements=any_values))
def test_plain_microaggregation_gives_the_last_record_away(table):
    X, k = table
    if len(X) < 2:
        return
    labels = TopDown(max(k, 2)).fit_predict(X)
    found = differential_attack(X, Centroid().aggregate(X, labels), labels)
    assert found.error == 0.0


def test_noise_with_bounds_tells_more_than_no_release():
    """Its error grows with rho, and stays below that of a guess without the release."""
    X = gaussian(400, 3)
    for k in (3, 5, 10):
        labels = TopDown(k).fit_predict(X)
        errors = []
        for rho in (0.0, 0.2, 0.5, 1.0):
            noisy = RandomRho(rho, random_state=0).aggregate(X, labels)
            found = differential_attack(X, noisy, labels, rho=rho)
            errors.append(found.error)
            blind = differential_attack(X, noisy, labels)  # knows no bounds
            assert found.error <= blind.error <= found.error_without
        assert errors == sorted(errors) and errors[0] < 1e-9
        assert errors[2] < 0.8 * found.error_without


def test_wrapped_noise_is_that_of_rho_1():
    X = gaussian(400, 3)
    labels = TopDown(5).fit_predict(X)
    noisy = WrapNoise(random_state=0).aggregate(X, labels)
    found = differential_attack(X, noisy, labels, rho=1.0)
    assert found.error < 0.95 * found.error_without


def test_a_column_without_spread_counts_in_its_own_units():
    found = differential_attack([[3.0], [3.0]], [[4.0], [3.0]], [0, 0])
    assert found == (0.0, 0.0)


def test_cells_of_one_have_nobody_who_knows_the_others():
    with pytest.raises(ValueError, match="fewer than k=2"):
        differential_attack([[1.0], [2.0]], [[1.0], [2.0]], [0, 1])


def slow_centroid_linkage(X, X_released, labels, top):
    found = []
    for label in range(labels.max() + 1):
        cell = np.flatnonzero(labels == label)
        gaps = np.linalg.norm(X[cell] - X[cell].mean(axis=0), axis=1)
        inner = cell[np.argmin(gaps)]
        distances = np.linalg.norm(X - X_released[inner], axis=1)
        own = distances[inner]
        nearer = np.sum(distances < own - 1e-9)
        tied = np.sum(np.abs(distances - own) <= 1e-9)
        found.append(np.clip((top - nearer) / tied, 0, 1))
    return np.mean(found)


@settings(max_examples=40)
@given(top=st.sampled_from([1, 2]), seed=st.integers(0, 50))
def test_centroid_linkage_equals_slow_twin(top, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, size=(40, 2)) / 4.0  # ties, exact sums
    labels = MDAV(4).fit_predict(X)
    for part in (Centroid(), WrapNoise(random_state=seed)):
        X_released = part.aggregate(X, labels)
        risk = centroid_linkage_risk(X, X_released, labels, top=top)
        expected = slow_centroid_linkage(X, X_released, labels, top)
        assert risk == pytest.approx(expected)


def test_untouched_records_are_all_found():
    X = gaussian(50, 2)
    assert centroid_linkage_risk(X, X, np.arange(50) // 5) == 1.0


def test_records_in_the_middle_are_found_more_often_and_noise_protects_them():
    X = gaussian(600, 2)
    labels = TopDown(5).fit_predict(X)
    plain = Centroid().aggregate(X, labels)
    noisy = RandomRho(1.0, random_state=0).aggregate(X, labels)
    in_the_middle = centroid_linkage_risk(X, plain, labels)
    assert in_the_middle > 2 * distance_linkage_risk(X, plain)
    assert centroid_linkage_risk(X, noisy, labels) < in_the_middle / 2
