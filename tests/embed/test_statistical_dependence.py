import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import StandardScaler
from tables import gaussian

from microcell import METHODS
from microcell.aggregate import Centroid
from microcell.embed import StatisticalDependence
from microcell.embed._statistical_dependence import target_coordinates
from microcell.metrics import combined_distortion, homogeneity
from microcell.partition import MDAV


@given(
    seed=st.integers(0, 10**6),
    share=st.sampled_from([0.0, 0.1, 0.5, 0.9]),
    kind=st.sampled_from(["binary", "classes", "text", "numbers"]),
)
def test_sse_of_the_coordinates_is_the_combined_distortion(seed, share, kind):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    y = {
        "binary": rng.integers(0, 2, 60),
        "classes": rng.integers(0, 4, 60),
        "text": rng.choice(["a", "b", "c"], 60),
        "numbers": rng.normal(size=60),
    }[kind]
    Z = StatisticalDependence(share).fit_transform(X, y)
    labels = MDAV(5).fit_predict(Z)
    sse = np.sum((Z - Centroid().aggregate(Z, labels)) ** 2)
    released = Centroid().aggregate(X, labels)
    combined = combined_distortion(X, released, target_coordinates(y), lambda_=share)
    assert sse == pytest.approx(combined)


def test_lambda_of_zero_is_plain_mdav():
    X = StandardScaler().fit_transform(gaussian(200, 3))
    y = np.arange(200) % 2
    labels = METHODS["mdav-sd"](5, lambda_=0.0).fit(X, y).labels_
    assert_array_equal(labels, METHODS["mdav"](5).fit(X).labels_)


def test_cells_become_homogeneous():
    """The price that no paper prints."""
    X, y = gaussian(400, 2), np.random.default_rng(1).integers(0, 2, 400)
    shares = []
    for share in (0.0, 0.1, 1.0):
        labels = METHODS["mdav-sd"](10, lambda_=share).fit(X, y).labels_
        shares.append(homogeneity(labels, y).largest_share_mean)
    assert shares[0] < shares[1] < shares[2]


def test_records_settle_ties_of_the_attribute():
    """At 1 only y would count, and cells inside a class would be left to chance."""
    X, y = gaussian(40, 2), np.arange(40) % 2
    Z = StatisticalDependence(1.0).fit_transform(X, y)
    assert_array_equal(Z, StatisticalDependence(0.999).fit_transform(X, y))
    assert np.sum(Z[:, :2] ** 2) == pytest.approx(0.001)
    labels = MDAV(4).fit_predict(Z)
    for label in (0, 1):
        alone = MDAV(4).fit_predict(X[y == label])
        spread = [np.ptp(X[y == label][alone == c], axis=0) for c in range(5)]
        ours = [np.ptp(X[labels == c], axis=0) for c in set(labels[y == label])]
        assert np.mean(ours) < 2 * np.mean(spread)


def test_constant_attributes_are_no_trouble():
    Z = StatisticalDependence(0.5).fit_transform(np.ones((4, 2)), [1, 1, 1, 1])
    assert_allclose(Z, 0)


@pytest.mark.parametrize("share", [-0.1, 1.1, "half"])
def test_bad_lambda(share):
    with pytest.raises(ValueError, match="'lambda_' parameter must be"):
        StatisticalDependence(share).fit(gaussian(4, 2), [0, 1, 0, 1])
    if not isinstance(share, str):
        X = gaussian(4, 2)
        with pytest.raises(ValueError, match="'lambda_' parameter must be"):
            combined_distortion(X, X, [0, 1, 0, 1], lambda_=share)
