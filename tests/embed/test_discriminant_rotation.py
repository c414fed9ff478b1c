import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
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


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.column_stack([gaussian(20, 2), np.ones(20)]), np.arange(20) % 2),
        (np.repeat(gaussian(20, 1), 3, axis=1), np.arange(20) % 2),
        (gaussian(10, 30), np.arange(10) % 2),
        (gaussian(20, 2), [0] * 19 + [1]),
        (gaussian(20, 2), [0] * 18 + [1, 2]),
        (np.array([[0.0, 0], [0, 0], [1, 1], [1, 1]]), [0, 0, 1, 1]),
    ],
    ids=["constant", "collinear", "wide", "single", "two singles", "no variance"],
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
