import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.dummy import DummyClassifier
from sklearn.preprocessing import StandardScaler

from microcell import METHODS
from microcell._tuned import TunedMicroaggregator
from microcell.datasets import make_two_gaussians
from microcell.embed import LinearDiscriminantRotation
from microcell.methods import ALPHAS
from microcell.partition import MDAV


def table(n=400):
    X, y = make_two_gaussians(n, random_state=0).arrays()
    return StandardScaler().fit_transform(X), y


def test_the_chosen_value_makes_the_release():
    X, y = table()
    tuned = METHODS["lda-mdav"](20, alpha="auto").fit(X, y)
    assert tuned.value_ in ALPHAS
    assert tuned.accuracies_.shape == (len(ALPHAS),)
    assert tuned.accuracies_[ALPHAS.index(tuned.value_)] == tuned.accuracies_.max()
    fixed = METHODS["lda-mdav"](20, alpha=tuned.value_).fit(X, y)
    assert_array_equal(tuned.labels_, fixed.labels_)


def test_the_first_value_on_ties():
    X, y = table(100)
    tuned = TunedMicroaggregator(
        MDAV(5),
        embed=LinearDiscriminantRotation(),
        parameter="embed__alpha",
        values=(3.0, 1.0),
        estimator=DummyClassifier(),
    )
    assert tuned.fit(X, y).value_ == 3.0


def test_a_class_too_small_to_choose_by():
    X, y = table(60)
    y = np.where(np.arange(60) == 7, 1, 0)
    assert METHODS["lda-mdav"](5, alpha="auto").fit(X, y).value_ == ALPHAS[0]


def test_y_is_needed():
    with pytest.raises(ValueError, match="y is None"):
        METHODS["mdav-sd"](5, lambda_="auto").fit(table()[0])
