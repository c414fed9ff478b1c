import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from tables import gaussian
from threadpoolctl import threadpool_info

from microcell import METHODS, Microaggregator
from microcell.aggregate import Centroid
from microcell.embed import StandardScale, StatisticalDependence, _cross_fitted
from microcell.embed._cross_fitted import cross_fitted
from microcell.embed._statistical_dependence import target_coordinates, unit_total
from microcell.metrics import combined_distortion, homogeneity
from microcell.partition import MDAV, VMDAV, Mondrian, TopDown


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
        labels = (
            METHODS["mdav-sd"](10, lambda_=share, target_form="label").fit(X, y).labels_
        )
        shares.append(homogeneity(labels, y).largest_share_mean)
    assert shares[0] < shares[1] < shares[2]


def test_records_break_ties_of_the_attribute():
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


# --- the expectation of the attribute instead of the attribute ------------------------


def slow_posterior(X, y):
    """Class probabilities of each record, by both models, from the other folds."""
    classes = np.unique(y)
    models = {
        "linear": LogisticRegression(max_iter=1000),
        "trees": HistGradientBoostingClassifier(
            max_iter=50, max_leaf_nodes=15, random_state=0
        ),
    }
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    X = StandardScaler().fit_transform(X)
    found = {}
    for name, model in models.items():
        shares = np.zeros((len(y), len(classes)))
        for learn, rest in folds.split(X, y):
            for place, share in zip(
                rest,
                clone(model).fit(X[learn], y[learn]).predict_proba(X[rest]),
                strict=True,
            ):
                shares[place] = share
        own = shares[np.arange(len(y)), np.searchsorted(classes, y)]
        loss = -np.mean(np.log(own))
        found[name] = (loss, shares)
    return min(found.values(), key=lambda pair: pair[0])[1]


def curved(n, seed=0):
    """Classes that trees tell apart and a line cannot."""
    X = gaussian(n, 2, seed)
    return X, ((X**2).sum(axis=1) > 1.4).astype(int)


def straight(n, seed=0):
    X = gaussian(n, 2, seed)
    noise = np.random.default_rng(seed).normal(size=n)
    return X, (X[:, 0] + noise > 0).astype(int)


@pytest.mark.parametrize("make", [curved, straight])
def test_the_posterior_is_that_of_the_better_model(make):
    X, y = make(300)
    Z = StatisticalDependence(0.5, target="posterior").fit_transform(X, y)
    expected = unit_total(slow_posterior(X, y))
    assert_allclose(Z[:, 2:], np.sqrt(0.5) * expected, atol=1e-9)
    assert_allclose(Z[:, :2], np.sqrt(0.5) * unit_total(X), atol=1e-12)
    label = StatisticalDependence(0.5).fit_transform(X, y)
    assert abs(np.corrcoef(Z[:, 2], label[:, 2])[0, 1]) > 0.5


def test_no_record_is_predicted_from_itself():
    """Its own class, changed, does not move its own probabilities much."""
    X, y = straight(200)
    shares = cross_fitted(X, y, measured=False)
    far = int(np.argmax(shares[:, 1]))
    changed = y.copy()
    changed[far] = 1 - changed[far]
    assert abs(cross_fitted(X, changed, measured=False)[far, 1] - shares[far, 1]) < 0.1
    constant = np.zeros((50, 1))
    noise = np.random.default_rng(0).integers(0, 2, 50)
    assert np.ptp(cross_fitted(constant, noise, measured=False)[:, 1]) < 0.1


def test_expected_numbers():
    rng = np.random.default_rng(0)
    X = gaussian(300, 2)
    wave = np.sin(3 * X[:, 0]) + 0.1 * rng.normal(size=300)
    line = X[:, 0] + 0.1 * rng.normal(size=300)
    for y, least in ((wave, 0.9), (line, 0.98)):
        Z = StatisticalDependence(0.5, target="posterior").fit_transform(X, y)
        assert Z.shape == (300, 3)
        assert np.corrcoef(Z[:, 2], y)[0, 1] > least


@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 12),
    kind=st.sampled_from(["two", "many", "text", "constant", "numbers"]),
)
@settings(max_examples=40)
def test_few_records_rare_classes_and_ties(seed, n, kind):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, size=(n, 1)).astype(float)
    y = {
        "two": rng.integers(0, 2, n),
        "many": rng.integers(0, 6, n),
        "text": rng.choice(["a", "b", "c"], n),
        "constant": np.zeros(n, dtype=int),
        "numbers": rng.normal(size=n),
    }[kind]
    Z = StatisticalDependence(0.5, target="posterior").fit_transform(X, y)
    assert Z.shape[0] == n and np.isfinite(Z).all()
    if kind != "numbers":
        shares = cross_fitted(X, y, measured=False)
        assert_allclose(shares.sum(axis=1), 1.0)
        assert shares.shape == (n, np.unique(y).size)


def test_the_same_table_is_learnt_from_once(monkeypatch):
    X, y = straight(60)
    first = cross_fitted(X, y, measured=False)
    assert cross_fitted(X.copy(), y.copy(), measured=False) is first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0
    assert cross_fitted(X + 1, y, measured=False) is not first
    assert_array_equal(cross_fitted(X, y, measured=False), first)


@pytest.mark.parametrize("n", [200, 60_000])
def test_models_learn_on_one_thread(monkeypatch, n):
    """Threads that wait for each other spin: minutes on a busy machine."""
    seen = []

    def numbers(X, y):
        seen.extend(pool["num_threads"] for pool in threadpool_info())
        return y[:, None].copy()

    monkeypatch.setattr(_cross_fitted, "_numbers", numbers)
    cross_fitted(gaussian(n, 1), gaussian(n, 1, seed=1)[:, 0], measured=True)
    assert seen and set(seen) == {1}


@pytest.mark.parametrize(
    "part",
    [
        MDAV(10),
        VMDAV(10),
        Mondrian(10, widths="absolute"),
        TopDown(10, 2, random_state=0),
    ],
    ids=lambda part: type(part).__name__,
)
def test_the_posterior_gives_less_away_with_every_partitioner(part):
    """Records that are unlike their neighbours are not drawn together."""
    X, y = straight(600)
    uniform = {}
    for target in ("label", "posterior"):
        embed = StatisticalDependence(0.5, target=target)
        masked = Microaggregator(part, embed=embed).fit(X, y)
        uniform[target] = homogeneity(masked.labels_, y).homogeneous_records
    assert uniform["posterior"] < uniform["label"] / 2


def test_the_method_takes_the_form_of_the_target():
    X, y = straight(200)
    masked = METHODS["mdav-sd"](10, lambda_=0.3, target_form="posterior").fit(X, y)
    embed = StatisticalDependence(0.3, target="posterior")
    Z = embed.fit_transform(StandardScale().fit_transform(X), y)
    assert_array_equal(masked.labels_, MDAV(10).fit_predict(Z))
    tuned = METHODS["mdav-sd"](10, lambda_="auto", target_form="posterior").fit(X, y)
    assert tuned.embed_[-1].target == "posterior"
    with pytest.raises(ValueError, match="'target_form' parameter must be one of"):
        METHODS["mdav-sd"](10, target_form="odds")
    with pytest.raises(ValueError, match="'target' parameter must be one of"):
        StatisticalDependence(target="odds").fit(X, y)
