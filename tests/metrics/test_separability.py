import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier
from tables import gaussian

from microcell import METHODS
from microcell.metrics import homogeneity, separability_score


def noise_and_classes(n=120, seed=0):
    """Classes that no column knows."""
    return gaussian(n, 3, seed), np.random.default_rng(seed).integers(0, 3, size=n)


def test_tested_on_the_release_it_is_scikit_learns_cross_validation():
    X, y = noise_and_classes()
    X_released = METHODS["mdav"](4).fit_transform(X)
    folds = StratifiedKFold(10, shuffle=True, random_state=7)
    model = DecisionTreeClassifier(random_state=0)
    expected = np.mean(cross_val_predict(model, X_released, y, cv=folds) == y)
    found = separability_score(X, X_released, y, tested_on="released", random_state=7)
    assert found == expected


def test_tested_on_the_original_by_trees_that_never_saw_the_fold():
    X, y = noise_and_classes()
    X_released = METHODS["mdav"](4).fit_transform(X)
    right = []
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    for train, test in folds.split(X, y):
        tree = DecisionTreeClassifier(random_state=0).fit(X_released[train], y[train])
        right += list(tree.predict(X[test]) == y[test])
    assert separability_score(X, X_released, y) == np.mean(right)


def test_an_unmasked_table_is_tested_alike_on_both():
    X, y = noise_and_classes()
    of_release = separability_score(X, X, y, tested_on="released")
    assert of_release == separability_score(X, X, y)


def test_the_release_itself_can_beat_the_original_without_anything_to_learn():
    """Cells made of one class each, on columns that are pure noise."""
    X, y = noise_and_classes(300)
    X_released = np.empty_like(X)
    for label in range(3):
        own = np.flatnonzero(y == label)
        for cell in np.array_split(own, 10):
            X_released[cell] = X[cell].mean(axis=0)
    assert homogeneity(X_released, y).homogeneous_records == 1
    assert separability_score(X, X_released, y, tested_on="released") == 1
    assert separability_score(X, X, y) < 0.45
    assert separability_score(X, X_released, y) < 0.45


@pytest.mark.parametrize("size", [1, 2, 9])
def test_classes_of_fewer_records_than_folds(size):
    """Each record is tested once; one that is alone in its class is never found."""
    y = np.repeat(["many", "more", "few"], [30, 40, size])
    X = np.repeat([[0.0], [1.0], [2.0]], [30, 40, size], axis=0)
    expected = 1.0 if size > 1 else 70 / 71
    assert separability_score(X, X, y) == pytest.approx(expected)


def test_another_model():
    X, y = noise_and_classes()
    y[:70] = 0
    share = np.mean(y == 0)
    assert separability_score(X, X, y, estimator=DummyClassifier()) == share


def test_what_cannot_be_measured():
    X, y = noise_and_classes(30)
    with pytest.raises(ValueError, match="'y' is 0 in all records"):
        separability_score(X, X, np.zeros(30, dtype=int))
    with pytest.raises(ValueError, match="No class has more than 1 record"):
        separability_score(X, X, np.arange(30))
    with pytest.raises(ValueError, match=r"fewer than n_folds=40.*Lower n_folds"):
        separability_score(X, X, y, n_folds=40)
    with pytest.raises(ValueError, match="'n_folds' parameter must be an integer >= 2"):
        separability_score(X, X, y, n_folds=1)
    with pytest.raises(ValueError, match="'tested_on' parameter must be one of"):
        separability_score(X, X, y, tested_on="both")
