import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import StandardScaler
from tables import gaussian

from microcell import METHODS, Microaggregator
from microcell.embed import (
    LinearDiscriminantRotation,
    StatisticalDependence,
)
from microcell.embed._discriminant_rotation import BayesFactors
from microcell.exceptions import InputError
from microcell.partition import MDAV, Mondrian


def classes(n, n_classes, d, seed=0):
    """Standardised records of overlapping classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = (
        rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
        + 2 * rng.normal(size=(n_classes, d))[y]
    )
    return StandardScaler().fit_transform(X), y


def rotated_and_scaled(X, directions, alpha):
    """The paper's form: a full orthonormal basis, the first components scaled."""
    basis = np.linalg.qr(
        np.hstack([directions, np.eye(X.shape[1])])[:, : 2 * X.shape[1]]
    )[0][:, : X.shape[1]]
    scales = np.ones(X.shape[1])
    scales[: directions.shape[1]] = alpha
    return (X @ basis) * scales


@given(
    seed=st.integers(0, 10**6),
    n_classes=st.integers(2, 5),
    d=st.integers(1, 6),
    alpha=st.sampled_from([1, 2, 7.5, 64]),
)
def test_same_distances_as_rotating_and_scaling(seed, n_classes, d, alpha):
    X, y = classes(60, n_classes, d, seed)
    rotation = LinearDiscriminantRotation(alpha).fit(X, y)
    ours = pdist(rotation.transform(X))
    theirs = pdist(rotated_and_scaled(X, rotation.directions_, alpha))
    assert_allclose(ours, theirs, rtol=1e-10, atol=1e-10)


@given(seed=st.integers(0, 10**6), d=st.integers(1, 6))
def test_direction_is_that_of_scikit_learn(seed, d):
    X, y = classes(80, 2, d, seed)
    ours = LinearDiscriminantRotation(2).fit(X, y).directions_[:, 0]
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, 0]
    theirs /= np.linalg.norm(theirs)
    assert abs(ours @ theirs) == pytest.approx(1, abs=1e-6)


def test_directions_of_many_classes_span_those_of_scikit_learn():
    X, y = classes(300, 4, 5)
    ours = LinearDiscriminantRotation(2).fit(X, y).directions_
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, :3]
    theirs = np.linalg.qr(theirs)[0]
    assert ours.shape == (5, 3)
    assert_allclose(np.linalg.svd(ours.T @ theirs)[1], 1, atol=1e-6)


@pytest.mark.parametrize("plain", ["mdav", "vmdav", "mondrian"])
def test_alpha_of_one_is_the_plain_method_and_others_are_not(plain):
    """Relative widths cancelled alpha: cells of lda-mondrian were all the same."""
    X, y = classes(200, 2, 3)
    method = METHODS[f"lda-{plain}"]
    cells = [method(5, alpha=alpha).fit(X, y).labels_ for alpha in (1, 4, 64)]
    assert_array_equal(cells[0], METHODS[plain](5).fit(X).labels_)
    assert (cells[0] != cells[1]).any() and (cells[1] != cells[2]).any()


@pytest.mark.parametrize(
    "embed", [StatisticalDependence(0.5), LinearDiscriminantRotation(4)], ids=repr
)
def test_relative_widths_are_refused_where_they_undo_the_geometry(embed):
    X, y = classes(200, 2, 3)
    with pytest.raises(InputError, match="Say widths='absolute'"):
        Microaggregator(Mondrian(5), embed=embed).fit(X, y)
    cells = Microaggregator(Mondrian(5, widths="absolute"), embed=embed).fit(X, y)
    assert (cells.labels_ != Mondrian(5, widths="absolute").fit_predict(X)).any()


def test_cells_become_thin_along_the_direction():
    X, y = classes(400, 2, 3)
    rotation = LinearDiscriminantRotation(1).fit(X, y)
    places = X @ rotation.directions_[:, 0]
    widths = []
    for alpha in (1, 8, 64):
        labels = METHODS["lda-mdav"](10, alpha=alpha).fit(X, y).labels_
        widths.append(np.mean([np.ptp(places[labels == c]) for c in range(40)]))
    assert widths[0] > widths[1] > widths[2]


@for_each(
    ("X", "y"),
    [
        (np.column_stack([gaussian(20, 2), np.ones(20)]), np.arange(20) % 2),
        (np.repeat(gaussian(20, 1), 3, axis=1), np.arange(20) % 2),
        (gaussian(10, 30), np.arange(10) % 2),
        (gaussian(20, 2), [0] * 19 + [1]),
        (gaussian(20, 2), [0] * 18 + [1, 2]),
        (np.array([[0.0, 0], [0, 0], [1, 1], [1, 1]]), [0, 0, 1, 1]),
    ],
)
def test_degenerate_tables(X, y):
    Z = LinearDiscriminantRotation(8).fit_transform(X, y)
    assert np.isfinite(Z).all()
    assert Z.shape[1] > X.shape[1]


@pytest.mark.parametrize("y", [[0] * 10, [0, 1] * 5])
def test_classes_that_do_not_differ(y):
    X = np.repeat(gaussian(5, 2), 2, axis=0)
    with pytest.warns(UserWarning, match="do not differ"):
        Z = LinearDiscriminantRotation(8).fit_transform(X, y)
    assert_array_equal(Z, X)


def test_bad_input():
    X, y = classes(20, 2, 2)
    with pytest.raises(ValueError, match="'alpha' parameter must be a number between"):
        LinearDiscriminantRotation(0.5).fit(X, y)
    with pytest.raises(ValueError, match="continuous"):
        LinearDiscriminantRotation().fit(X, X[:, 0])
    with pytest.raises(ValueError, match="requires y"):
        Microaggregator(MDAV(3), embed=LinearDiscriminantRotation()).fit(X)


# --- a factor for each direction, several attributes, the log Bayes factor -----------


def test_each_direction_has_the_factor_of_its_eigenvalue():
    X, y = classes(300, 4, 5)
    one = LinearDiscriminantRotation(5).fit(X, y)
    each = LinearDiscriminantRotation(5, factors="each").fit(X, y)
    stretched = each.transform(X)[:, 5:] / (X @ one.directions_)
    alphas = np.sqrt(stretched.mean(axis=0) ** 2 + 1)
    strengths = []
    for places in (X @ one.directions_).T:
        within = sum(places[y == c].var() * np.sum(y == c) for c in range(4))
        strengths.append(places.var() * len(X) / within - 1)
    assert_allclose(alphas, 1 + 4 * np.sqrt(strengths / strengths[0]), rtol=1e-6)
    assert alphas[0] == pytest.approx(5) and alphas[1] < 5


def test_two_classes_have_one_factor():
    X, y = classes(80, 2, 3)
    both = [LinearDiscriminantRotation(4, factors=f) for f in ("same", "each")]
    assert_array_equal(*(rotation.fit_transform(X, y) for rotation in both))


def test_several_attributes_have_the_directions_of_all():
    X, y = classes(200, 2, 4)
    other = (X[:, 1] > 0).astype(int)
    both = LinearDiscriminantRotation(3).fit(X, np.column_stack([y, other]))
    found = both.directions_
    assert_allclose(found.T @ found, np.eye(2), atol=1e-12)
    for target in (y, other):
        own = LinearDiscriminantRotation(3).fit(X, target).directions_[:, 0]
        assert np.linalg.norm(found.T @ own) == pytest.approx(1)
    twice = LinearDiscriminantRotation(3).fit(X, np.column_stack([y, 1 - y]))
    alone = LinearDiscriminantRotation(3).fit(X, y)
    assert_allclose(np.abs(twice.directions_), np.abs(alone.directions_))
    cells = METHODS["lda-mdav"](5).fit(X, np.column_stack([y, other])).labels_
    assert np.bincount(cells).min() >= 5


def test_log_bayes_factor_of_one_covariance_is_the_direction():
    """The paper's model: both classes are the same cloud, moved."""
    cloud = gaussian(60, 3)
    X = np.vstack([cloud, cloud + np.array([2.0, 1, 0])])
    y = np.repeat([0, 1], 60)
    linear, bayes = (
        LinearDiscriminantRotation(4, discriminant=d).fit_transform(X, y)[:, 3]
        for d in ("linear", "bayes")
    )
    bayes = np.sign(np.corrcoef(linear, bayes)[0, 1]) * (bayes - bayes.mean())
    assert_allclose(bayes, linear - linear.mean(), atol=1e-4)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_slopes_of_the_log_bayes_factor_are_those_of_differences(n_classes):
    X, y = classes(90, n_classes, 3)
    factors = BayesFactors(X, y)
    for j in range(3):
        step = np.zeros(3)
        step[j] = 1e-5
        up, down = factors.log_factors(X + step), factors.log_factors(X - step)
        expected = (up - down) / 2e-5 * factors.scales
        assert_allclose(factors._slopes(X)[:, :, j], expected, rtol=1e-4, atol=1e-6)


def test_log_bayes_factor_tells_classes_of_one_mean_apart():
    """Where a wide class surrounds a narrow one no direction does."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = rng.normal(size=(400, 2)) * np.where(y, 4.0, 0.5)[:, None]
    Z = LinearDiscriminantRotation(4, discriminant="bayes").fit_transform(X, y)
    places = Z[:, 2]
    assert np.mean((places > np.median(places)) == y) > 0.9


def test_several_attributes_share_lambda():
    X, y = classes(40, 2, 2)
    twice = StatisticalDependence(0.5).fit_transform(X, np.column_stack([y, y]))
    once = StatisticalDependence(0.5).fit_transform(X, y)
    assert_allclose(pdist(twice), pdist(once))
