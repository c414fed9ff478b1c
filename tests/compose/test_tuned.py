import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from microcell import METHODS
from microcell.aggregate import Interval
from microcell.compose._tuned import TunedMicroaggregator
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


def test_an_embedding_that_goes_by_names():
    X, y = table(100)
    named = pd.DataFrame(X, columns=["a", "b"])
    scaled = ColumnTransformer([("scaled", StandardScaler(), ["b", "a"])])
    tuned = TunedMicroaggregator(
        MDAV(5),
        embed=make_pipeline(scaled, LinearDiscriminantRotation()),
        parameter="embed__lineardiscriminantrotation__alpha",
        values=(1.0, 4.0),
    )
    by_place = clone(tuned).set_params(
        embed__columntransformer__transformers=[("scaled", StandardScaler(), [1, 0])]
    )
    tuned.fit(named, y)
    assert_array_equal(tuned.accuracies_, by_place.fit(X, y).accuracies_)
    assert tuned.feature_names_in_.tolist() == ["a", "b"]


def test_a_model_learns_from_the_middles_of_intervals():
    X, y = table(100)
    tuned = METHODS["lda-mdav"](5, alpha="auto").set_params(aggregate=Interval())
    tuned.fit(X, y)
    assert 0.5 < tuned.accuracies_.max() <= 1
    assert len(set(tuned.accuracies_)) > 1
