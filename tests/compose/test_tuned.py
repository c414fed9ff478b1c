import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from marks import first_is_quick, for_each
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from tables import gaussian

from microcell import METHODS
from microcell.aggregate import Centroid, Interval
from microcell.compose import ByStratum
from microcell.compose._tuned import (
    TunedMicroaggregator,
    brier_score,
    choose,
    with_k,
)
from microcell.datasets import fetch_heart_cleveland, make_two_gaussians
from microcell.embed import LinearDiscriminantRotation
from microcell.methods import ALPHAS
from microcell.metrics import split_and_scale
from microcell.partition import MDAV, Mondrian

shares = st.integers(0, 10).map(lambda tenths: tenths / 10)


def table(n=400):
    X, y = make_two_gaussians(n, random_state=0).arrays()
    return StandardScaler().fit_transform(X), y


def test_the_chosen_value_makes_the_release():
    X, y = table()
    tuned = METHODS["lda-mdav"](20, alpha="auto").fit(X, y)
    assert tuned.value_ in ALPHAS
    assert tuned.scores_["accuracy"].shape == (len(ALPHAS), 5)
    means = tuned.scores_["accuracy"].mean(axis=1)
    assert means[ALPHAS.index(tuned.value_)] == pytest.approx(means.max())
    fixed = METHODS["lda-mdav"](20, alpha=tuned.value_).fit(X, y)
    assert_array_equal(tuned.labels_, fixed.labels_)


def rotated(k, values=(1.0, 4.0), **options):
    return TunedMicroaggregator(
        MDAV(k),
        embed=LinearDiscriminantRotation(),
        parameter="embed__alpha",
        values=values,
        **options,
    )


class SpyMDAV(MDAV):
    seen = []  # noqa: RUF012, clones share it

    def _partition(self, X, y):
        SpyMDAV.seen.append((self.k, len(X)))
        return super()._partition(X, y)


@pytest.mark.parametrize(
    ("k", "n_folds", "inside"), [(100, 5, 80), (10, 2, 5), (2, 5, 2), (1, 5, 1)]
)
def test_cells_of_a_fold_are_as_coarse_as_those_of_the_release(k, n_folds, inside):
    """A fold has fewer records: with the same k it could be a single cell."""
    SpyMDAV.seen.clear()
    X, y = table(200)
    tuned = rotated(k, n_folds=n_folds).set_params(partition=SpyMDAV(k))
    tuned.fit(X, y)
    *in_folds, whole = SpyMDAV.seen
    assert whole == (k, 200)
    n_inside = 200 - 200 // n_folds
    assert in_folds == [(inside, n_inside)] * (2 * n_folds)


def test_the_k_of_a_wrapped_partitioner():
    part = ByStratum(MDAV(50), strata=Mondrian(150))
    assert with_k(part, 40).k == 40 and part.k == 50
    assert with_k(MDAV(50), 40).k == 40


def test_half_of_the_records_in_a_cell_is_enough_to_choose_by():
    """Two cells: only a stretched direction can tell two classes apart."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = np.column_stack([3 * rng.normal(size=200), y + 0.3 * rng.normal(size=200)])
    tuned = rotated(100, values=(1.0, 16.0)).fit(X, y)
    assert tuned.value_ == 16.0
    plain, stretched = tuned.scores_["accuracy"].mean(axis=1)
    assert stretched > plain + 0.05


@pytest.mark.parametrize("name", first_is_quick(["lda-mdav", "mdav-sd"]))
def test_heart_disease_with_a_hundred_records_in_a_cell(benchmark_data, name):
    """With k = 100 in folds of 178 every value taught the majority class, 54 %."""
    X, y = fetch_heart_cleveland(drop_missing=True).arrays()
    y = (y > 0).astype(int)
    parameter = {"lda-mdav": "alpha", "mdav-sd": "lambda_"}[name]
    accuracies = []
    for seed in range(4):
        Z, Z_test, y_train, y_test = split_and_scale(X, y, random_state=seed)
        masked = METHODS[name](100, **{parameter: "auto"})
        released = masked.fit_transform(Z, y_train)
        assert masked.n_cells_ == 2
        model = LogisticRegression(max_iter=1000).fit(released, y_train)
        accuracies.append(model.score(Z_test, y_test))
    assert np.mean(accuracies) > 0.78


def test_columns_are_scaled_by_the_records_and_not_by_their_cells():
    """Two cells say little of how far records spread."""
    X, y = table(200)
    seen = []

    class Spy(LogisticRegression):
        def fit(self, X, y):
            seen.append(X)
            return super().fit(X, y)

    far = X * [1, 1000] + 7
    rotated(100, values=(1.0,), estimator=Spy(), scale=StandardScaler()).fit(far, y)
    for (learn, _), learnt in zip(StratifiedKFold(5).split(X, y), seen, strict=True):
        Z = LinearDiscriminantRotation(1.0).fit_transform(far[learn], y[learn])
        released = Centroid().aggregate(far[learn], MDAV(80).fit_predict(Z))
        expected = StandardScaler().fit(far[learn]).transform(released)
        np.testing.assert_allclose(learnt, expected, atol=1e-9)


@pytest.mark.parametrize(("k", "n"), [(60, 100), (100, 100), (99, 100), (500, 300)])
def test_a_single_cell_is_said_and_not_guessed_from(k, n):
    with pytest.raises(
        ValueError, match=f"With k={k} the folds of n_samples={n} .*one"
    ):
        rotated(k).fit(*table(n))


@for_each("seed", range(6))
def test_any_two_cells_can_be_chosen_by(seed):
    """n = 2k is the smallest table of two cells, in its folds as well."""
    k = 5 * (1 + seed % 6)
    X, y = gaussian(2 * k, 2, seed), np.arange(2 * k) % 2
    assert rotated(k, values=(1.0, 64.0)).fit(X, y).value_ in (1.0, 64.0)


def test_ties_go_to_the_value_that_discloses_least():
    X, y = table(100)
    options = {"estimator": DummyClassifier(), "rule": "best"}
    tuned = rotated(5, values=(64.0, 1.0, 8.0), **options).fit(X, y)
    assert len(set(tuned.scores_["accuracy"].mean(axis=1))) == 1
    assert tuned.disclosures_.argmin() == 1  # not the first, and not in order
    assert tuned.value_ == 1.0


def test_disclosure_is_counted_in_the_cells_of_the_folds():
    X, y = table(200)
    tuned = rotated(10, values=(1.0, 64.0)).fit(X, y)
    expected = []
    for learn, _ in StratifiedKFold(5).split(X, y):
        Z = LinearDiscriminantRotation(64.0).fit_transform(X[learn], y[learn])
        labels = MDAV(8).fit_predict(Z)
        cells = [y[learn][labels == c] for c in range(labels.max() + 1)]
        single = sum(len(cell) for cell in cells if len(set(cell)) == 1)
        expected.append(single / len(learn))
    assert tuned.disclosures_[1] == pytest.approx(np.mean(expected))


def slow_brier(model, X, y):
    """Squared error of the probabilities, record by record."""
    total = 0.0
    for x, label in zip(X, y, strict=True):
        found = model.predict_proba([x])[0]
        for value, share in zip(model.classes_, found, strict=True):
            total += (share - (1.0 if value == label else 0.0)) ** 2
    return total / len(y)


@pytest.mark.parametrize("names", [["a", "b"], ["c", "a", "b"]])
def test_brier_score(names):
    X, y = gaussian(60, 2), np.array(names)[np.arange(60) % len(names)]
    model = LogisticRegression().fit(X, y)
    assert brier_score(model, X, y) == pytest.approx(slow_brier(model, X, y))
    assert np.isnan(brier_score(LinearSVC().fit(X, y), X, y))


def test_the_criterion_decides():
    """The accuracy counts sides, the Brier score how sure the model is."""
    scores = {
        "accuracy": np.array([[0.8, 0.8], [0.9, 0.8]]),
        "brier": np.array([[0.2, 0.2], [0.3, 0.2]]),
    }
    none = np.zeros(2)
    assert choose(scores, none, "accuracy", "best") == 1
    assert choose(scores, none, "brier", "best") == 0
    X, y = table()
    values = {}
    for criterion in ("accuracy", "brier"):
        options = {"criterion": criterion, "rule": "best"}
        tuned = rotated(10, values=ALPHAS, **options).fit(X, y)
        sign = {"accuracy": 1, "brier": -1}[criterion]
        good = sign * tuned.scores_[criterion].mean(axis=1)
        assert tuned.value_ == ALPHAS[good.argmax()]
        values[criterion] = tuned.value_
    assert values["accuracy"] != values["brier"]


gains = arrays(float, st.tuples(st.integers(2, 4), st.integers(2, 6)), elements=shares)


@given(good=gains)
def test_the_first_value_is_left_only_for_a_gain_beyond_its_error(good):
    none = np.zeros(len(good))
    best = choose({"accuracy": good}, none, "accuracy", "best")
    kept = choose({"accuracy": good}, none, "accuracy", "one-standard-error")
    assert good[best].mean() >= good.mean(axis=1).max() - 1e-9
    gain = good[best] - good[0]
    beyond = gain.mean() > np.std(gain, ddof=1) / np.sqrt(len(gain))
    assert kept == (best if beyond else 0)


def test_probabilities_are_needed_for_the_brier_score():
    with pytest.raises(ValueError, match="'criterion' parameter is 'brier'"):
        rotated(5, criterion="brier", estimator=LinearSVC()).fit(*table(60))
    assert "brier" not in rotated(5, estimator=LinearSVC()).fit(*table(60)).scores_


@pytest.mark.parametrize(
    ("option", "value"), [("criterion", "f1"), ("rule", "first"), ("n_folds", 1)]
)
def test_bad_options(option, value):
    with pytest.raises(ValueError, match=f"'{option}' parameter must be"):
        rotated(5, **{option: value}).fit(*table(60))


@pytest.mark.parametrize("rare", [0, 1])
def test_a_class_too_small_to_choose_by(rare):
    X, _ = table(60)
    y = (np.arange(60) < rare).astype(int)
    with pytest.raises(ValueError, match="cannot be chosen by what a model learns"):
        METHODS["lda-mdav"](5, alpha="auto").fit(X, y)


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
    by_place.fit(X, y)
    assert_array_equal(tuned.scores_["brier"], by_place.scores_["brier"])
    assert tuned.feature_names_in_.tolist() == ["a", "b"]


def test_a_model_learns_from_the_middles_of_intervals():
    X, y = table(100)
    tuned = METHODS["lda-mdav"](5, alpha="auto").set_params(aggregate=Interval())
    tuned.fit(X, y)
    means = tuned.scores_["accuracy"].mean(axis=1)
    assert 0.5 < means.max() <= 1
    assert len(set(means)) > 1
