import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from tables import gaussian

from microcell import METHODS, Microaggregator
from microcell.compose import DPMicroaggregator
from microcell.metrics import (
    learning_utility,
    mean_interval,
    split_and_scale,
    train_and_test,
)
from microcell.metrics._learning_utility import (
    classification_metrics,
    regression_metrics,
)
from microcell.partition import MDAV

CLASSIFICATION = ["accuracy", "f1", "auc", "balanced_accuracy"]


def two_blobs(n=80, seed=0):
    y = np.arange(n) % 2
    return gaussian(n, 3, seed) + 1.5 * y[:, None], y


def held_out(y, test_size, seed, task="auto"):
    """Places of the records that a split trains on and tests on."""
    places = np.arange(len(y))[:, None]
    Z_train, Z_test, *_ = split_and_scale(places, y, test_size, seed, task)
    order = np.argsort(np.argsort(np.concatenate([Z_train, Z_test]).ravel()))
    return order[: len(Z_train)], order[len(Z_train) :]


# --- metrics, against their definitions ----------------------------------------------


@st.composite
def guesses(draw):
    """Classes, guesses and scores full of ties; each class is tested."""
    n_classes = draw(st.integers(2, 4))
    n = draw(st.integers(2 * n_classes, 30))
    codes = st.integers(0, n_classes - 1)
    tested = [*range(n_classes), *draw(st.lists(codes, min_size=n, max_size=n))]
    guessed = draw(st.lists(codes, min_size=len(tested), max_size=len(tested)))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    scores = rng.integers(1, 4, size=(len(tested), n_classes)).astype(float)
    scores /= scores.sum(axis=1, keepdims=True)
    return np.array(tested), np.array(guessed), scores, n_classes


def f1_of(is_class, is_guessed):
    n_right = np.sum(is_class & is_guessed)
    return 2 * n_right / (is_class.sum() + is_guessed.sum())


def auc_of(is_class, scores):
    """Chance that a record of the class has a higher score than another; ties half."""
    differences = scores[is_class][:, None] - scores[~is_class]
    return np.mean((np.sign(differences) + 1) / 2)


@given(guess=guesses())
def test_classification_metrics_follow_their_definitions(guess):
    tested, guessed, scores, n_classes = guess
    found = classification_metrics(tested, guessed, scores, n_classes)
    asked = [1] if n_classes == 2 else range(n_classes)
    assert list(found) == CLASSIFICATION
    assert_allclose(
        list(found.values()),
        [
            np.mean(tested == guessed),
            np.mean([f1_of(tested == c, guessed == c) for c in asked]),
            np.mean([auc_of(tested == c, scores[:, c]) for c in asked]),
            np.mean([np.mean(guessed[tested == c] == c) for c in range(n_classes)]),
        ],
    )


def test_classes_that_are_guessed_and_not_tested():
    tested, guessed = np.array([0, 0, 1, 1]), np.array([0, 2, 1, 1])
    found = classification_metrics(tested, guessed, None, 3)
    assert found["balanced_accuracy"] == 0.75
    assert found["f1"] == pytest.approx((2 / 3 + 1 + 0) / 3)
    alone = classification_metrics(np.zeros(3, int), np.zeros(3, int), None, 2)
    assert alone["f1"] == 0.0 and alone["balanced_accuracy"] == 1.0


numbers = st.lists(st.integers(-9, 9), min_size=2, max_size=20, unique=True)


@given(y=numbers, seed=st.integers(0, 99))
def test_regression_metrics_follow_their_definitions(y, seed):
    y = np.array(y, dtype=float)
    predicted = y + np.random.default_rng(seed).normal(size=y.size)
    found = regression_metrics(y, predicted)
    error = np.mean((y - predicted) ** 2)
    assert found["r2"] == pytest.approx(1 - error / np.var(y))
    assert found["rmse"] == pytest.approx(np.sqrt(error))


@given(values=st.lists(st.floats(-1, 1), min_size=2, max_size=12))
def test_interval_equals_that_of_a_t_test(values):
    if np.std(values) < 1e-9:
        assert_allclose(mean_interval(values), np.mean(values), atol=1e-8)
        return
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert_allclose(mean_interval(values, level=0.9), expected, atol=1e-12)


# --- the split -----------------------------------------------------------------------


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(12, 60),
    test_size=st.sampled_from([0.25, 0.4, 5]),
)
def test_test_records_have_no_say_in_the_training_part(seed, n, test_size):
    y = np.arange(n) % 2
    X = gaussian(n, 2, seed)
    train, test = held_out(y, test_size, seed)
    Z_train, Z_test, y_train, y_test = split_and_scale(X, y, test_size, seed)
    assert_allclose(Z_train, stats.zscore(X[train], ddof=1), atol=1e-12)
    centred = X[test] - X[train].mean(axis=0)
    assert_allclose(Z_test, centred / X[train].std(axis=0, ddof=1), atol=1e-12)
    assert_array_equal(y_train, y[train])
    assert_array_equal(y_test, y[test])
    X[test] = 1e6
    assert_array_equal(split_and_scale(X, y, test_size, seed)[0], Z_train)


def test_split_is_stratified():
    y = np.repeat(["a", "b", "c"], [60, 30, 10])
    _, _, y_train, y_test = split_and_scale(gaussian(100, 1), y, 0.2, 0)
    assert np.unique(y_train, return_counts=True)[1].tolist() == [48, 24, 8]
    assert np.unique(y_test, return_counts=True)[1].tolist() == [12, 6, 2]


def test_a_column_constant_in_training_is_zero():
    y = np.arange(20) % 2
    _, test = held_out(y, 0.25, 0)
    X = np.full((20, 1), 0.1)
    X[test[0]] = 5.0
    Z_train, Z_test, *_ = split_and_scale(X, y, 0.25, 0)
    assert not Z_train.any() and not Z_test.any()


# --- nothing of the test part leaks --------------------------------------------------


class SpyEmbed(TransformerMixin, BaseEstimator):
    seen = []  # noqa: RUF012, clones share it

    def fit(self, X, y=None):
        SpyEmbed.seen.append((X.copy(), y.copy()))
        return self

    def transform(self, X):
        return X


class SpyClassifier(ClassifierMixin, BaseEstimator):
    trained, tested = [], []  # clones share them

    def fit(self, X, y):
        SpyClassifier.trained.append((X.copy(), y.copy()))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        SpyClassifier.tested.append(X.copy())
        return np.full(len(X), self.classes_[0])


def test_every_part_sees_training_records_only():
    SpyEmbed.seen.clear()
    SpyClassifier.trained.clear()
    SpyClassifier.tested.clear()
    X, y = two_blobs()
    masked = Microaggregator(MDAV(4), embed=SpyEmbed())
    learning_utility(
        masked, X, y, estimator=SpyClassifier(), n_repetitions=3, random_state=7
    )
    assert len(SpyEmbed.seen) == 3
    seeds = np.random.RandomState(7).randint(2**31 - 1, size=3)
    for r, seed in enumerate(seeds):
        train, test = held_out(y, 0.25, int(seed))
        Z_train = stats.zscore(X[train], ddof=1)
        embedded, embedded_y = SpyEmbed.seen[r]
        assert_allclose(embedded, Z_train, atol=1e-12)
        assert_array_equal(embedded_y, y[train])
        original, released = SpyClassifier.trained[2 * r : 2 * r + 2]
        assert_allclose(original[0], Z_train, atol=1e-12)
        labels = MDAV(4).fit_predict(embedded)
        means = np.array([Z_train[labels == c].mean(axis=0) for c in labels])
        assert_allclose(released[0], means, atol=1e-12)
        assert_array_equal(released[1], y[train])
        for tested in SpyClassifier.tested[2 * r : 2 * r + 2]:
            scale = X[train].std(axis=0, ddof=1)
            expected = (X[test] - X[train].mean(axis=0)) / scale
            assert_allclose(tested, expected, atol=1e-12)


def test_tuning_happens_inside_the_training_part():
    SpyClassifier.trained.clear()
    SpyClassifier.tested.clear()
    X, y = two_blobs()
    tuned = GridSearchCV(SpyClassifier(), {}, cv=3)
    learning_utility(None, X, y, estimator=tuned, n_repetitions=1, random_state=7)
    seed = np.random.RandomState(7).randint(2**31 - 1)
    _, Z_test, y_train, _ = split_and_scale(X, y, 0.25, int(seed))
    assert [len(y) for _, y in SpyClassifier.trained] == [40, 40, 40, len(y_train)]
    test_records = set(map(tuple, Z_test))
    for Z, _ in SpyClassifier.trained:
        assert test_records.isdisjoint(map(tuple, Z))
    for Z in SpyClassifier.tested[:-1]:  # validation folds; the last is the test
        assert test_records.isdisjoint(map(tuple, Z))
    assert_array_equal(SpyClassifier.tested[-1], Z_test)


# --- the protocol --------------------------------------------------------------------


def test_known_answers_on_real_tables():
    X, y = load_breast_cancer(return_X_y=True)
    found = learning_utility(METHODS["mdav"](10), X, y, n_repetitions=4, random_state=0)
    assert list(found.released) == CLASSIFICATION
    assert found.mean("accuracy", "constant") == pytest.approx(0.627, abs=0.005)
    assert found.mean("auc", "constant") == 0.5
    assert found.mean("balanced_accuracy", "constant") == 0.5
    assert found.mean("accuracy", "original") > 0.96
    assert 0.9 < found.mean("accuracy") <= found.mean("accuracy", "original") + 0.02


def test_many_classes_as_text_or_numbers():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    by_code, by_name, by_object = (
        learning_utility(METHODS["mdav"](5), X, kind, n_repetitions=2, random_state=1)
        for kind in (y, names, pd.Series(names, dtype=object))
    )
    for metric in CLASSIFICATION:
        assert_array_equal(by_code.released[metric], by_name.released[metric])
        assert_array_equal(by_code.released[metric], by_object.released[metric])
    assert by_name.mean("f1") > 0.85


def test_regression():
    X, y = load_diabetes(return_X_y=True)
    found = learning_utility(
        METHODS["mdav"](5), X, y, task="regression", n_repetitions=3, random_state=0
    )
    assert list(found.released) == ["r2", "rmse"]
    assert found.mean("r2", "constant") <= 0 < found.mean("r2")
    assert found.mean("rmse") < found.mean("rmse", "constant")
    assert found.mean("r2", "original") == pytest.approx(0.48, abs=0.1)


def test_no_masking_and_cells_of_one_give_the_original():
    X, y = two_blobs()
    settings = {"n_repetitions": 2, "random_state": 3}
    for microaggregator in (None, Microaggregator(MDAV(1))):
        found = learning_utility(microaggregator, X, y, **settings)
        for metric in CLASSIFICATION:
            assert_allclose(found.released[metric], found.original[metric])


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), k=st.integers(1, 30))
@pytest.mark.slow
def test_one_seed_means_the_same_splits_for_all_methods(seed, k):
    X, y = two_blobs(40, seed)
    asked = {
        "estimator": KNeighborsClassifier(3),
        "n_repetitions": 2,
        "random_state": seed,
    }
    found = learning_utility(METHODS["mondrian"](k), X, y, **asked)
    plain = learning_utility(None, X, y, **asked)
    for metric, values in found.original.items():
        assert_array_equal(values, plain.original[metric])
        assert ((values >= 0) & (values <= 1)).all()


def test_one_cell_teaches_nothing():
    X, y = two_blobs(80)
    found = learning_utility(
        Microaggregator(MDAV(60)), X, y, n_repetitions=2, random_state=0
    )
    assert found.mean("balanced_accuracy") == 0.5


def test_summary_and_single_repetition():
    found = learning_utility(None, *two_blobs(), n_repetitions=1, random_state=0)
    mean, low, high = found.summary()["original"]["accuracy"]
    assert mean == found.original["accuracy"][0]
    assert np.isnan(low) and np.isnan(high)
    several = learning_utility(None, *two_blobs(), n_repetitions=4, random_state=0)
    assert several.summary()["released"]["f1"] == (
        several.mean("f1"),
        *several.interval("f1"),
    )


# --- estimators of all kinds ---------------------------------------------------------


@for_each("load", [load_breast_cancer, load_iris])
@for_each("estimator", [SVC(), RidgeClassifier(), GaussianNB()])
def test_auc_of_probabilities_or_decisions(estimator, load):
    part = split_and_scale(*load(return_X_y=True), 0.25, 0)
    Z_train, Z_test, y_train, y_test = part
    found = train_and_test(
        Z_train, y_train, Z_test, y_test, estimator, "classification"
    )
    assert found["auc"] > 0.85
    if load is load_breast_cancer and not isinstance(estimator, GaussianNB):
        scores = estimator.fit(Z_train, y_train).decision_function(Z_test)
        expected = auc_of(y_test == 1, scores)
        assert found["auc"] == pytest.approx(expected)


def test_auc_of_an_estimator_without_scores_is_nan():
    found = learning_utility(
        None, *two_blobs(), estimator=SpyClassifier(), n_repetitions=2, random_state=0
    )
    assert np.isnan(found.mean("auc")) and np.isnan(found.interval("auc")).all()
    assert found.mean("accuracy") == 0.5


def test_a_class_that_was_not_trained_or_not_tested():
    Z, names = np.arange(6.0)[:, None], np.array(["a", "a", "b", "b", "c", "c"])
    found = train_and_test(Z[:4], names[:4], Z, names, GaussianNB(), "classification")
    assert found["accuracy"] == pytest.approx(4 / 6)
    assert 0.5 <= found["auc"] < 1
    found = train_and_test(
        Z, names, Z[:2], names[:2], KNeighborsClassifier(1), "classification"
    )
    assert np.isnan(found.pop("auc"))
    assert list(found.values()) == [1.0, 1.0, 1.0]
    found = train_and_test(Z, Z.ravel(), Z[:1], [0.0], Ridge(), "regression")
    assert np.isnan(found["r2"])


def test_the_estimator_given_stays_as_it_is():
    estimator, masked = LogisticRegression(), Microaggregator(MDAV(3))
    learning_utility(masked, *two_blobs(), estimator=estimator, n_repetitions=1)
    assert not hasattr(estimator, "coef_") and not hasattr(masked, "labels_")


@for_each(
    ("y", "task"),
    [
        ([0, 1] * 6, "classification"),
        ([True, False] * 6, "classification"),
        ([1.0, 2.0] * 6, "classification"),
        (["a", "b"] * 6, "classification"),
        ([0.5, 1.0] * 6, "regression"),
    ],
)
def test_task_follows_from_y(y, task):
    found = learning_utility(None, gaussian(12, 2), y, n_repetitions=1, random_state=0)
    assert found.task == task


@for_each(
    ("y", "asked", "message"),
    [
        ([0, 1, 0], {}, "one value for each of the 6 records"),
        ([1] * 6, {}, "'y' is 1 in all records"),
        (["a"] * 6, {}, "'y' is a in all records"),
        ([0.5] * 6, {"task": "regression"}, "'y' is 0.5 in all records"),
        ([0, 0, 0, 0, 0, 1], {}, "Class 1 has 1 record, fewer than the 2"),
        ([0, 1, np.nan, 0, 1, 0], {}, "missing"),
        (["a", "b"] * 3, {"task": "regression"}, "must hold finite numbers"),
        ([0, 1] * 3, {"task": "ranking"}, "'task' parameter must be one of"),
        ([0, 1] * 3, {"n_repetitions": 0}, "'n_repetitions' parameter must be"),
        ([0, 1] * 3, {"estimator": Ridge()}, "task is classification and Ridge"),
        ([0.5, 1.5] * 3, {"estimator": SVC()}, "task is regression and SVC"),
        ([0, 1] * 3, {"test_size": 1.5}, "test_size"),
        ([0, 1] * 3, {"test_size": 1}, "number of classes"),
    ],
)
def test_bad_input(y, asked, message):
    with pytest.raises(ValueError, match=message):
        learning_utility(None, gaussian(6, 2), y, **asked)


def test_bad_names():
    found = learning_utility(None, *two_blobs(), n_repetitions=1)
    with pytest.raises(ValueError, match="'metric' parameter must be one of"):
        found.mean("r2")
    with pytest.raises(ValueError, match="'model' parameter must be one of"):
        found.interval("f1", "baseline")
    with pytest.raises(ValueError, match="'level' parameter"):
        found.interval("f1", level=95)
    with pytest.raises(ValueError, match="NaN"):
        learning_utility(None, [[np.nan], [1.0]], [0, 1])


# --- tables --------------------------------------------------------------------------


def mixed(n=120):
    rng = np.random.default_rng(0)
    job = rng.choice(["cook", "nurse", "smith"], n)
    age = rng.integers(20, 70, n)
    noise = rng.normal(size=n)
    ill = np.where((job == "cook") + (age - 45) / 20 + noise > 0.5, "yes", "no")
    return {"age": age, "job": job, "sex": rng.choice([1, 2], n), "ill": ill}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_tables_of_mixed_columns(make):
    columns = mixed()
    asked = {"n_repetitions": 3, "random_state": 0}
    table = make(columns)
    found = learning_utility(METHODS["mdav"](5), table, "ill", **asked)
    job = columns["job"][:, None] == np.array(["cook", "nurse", "smith"])
    X = np.column_stack([columns["age"], job, columns["sex"] == 2]).astype(float)
    expected = learning_utility(METHODS["mdav"](5), X, columns["ill"], **asked)
    for metric in CLASSIFICATION:
        assert_allclose(found.released[metric], expected.released[metric])
    without = make({name: columns[name] for name in ("age", "job", "sex")})
    apart = learning_utility(METHODS["mdav"](5), without, columns["ill"], **asked)
    assert_array_equal(apart.released["auc"], found.released["auc"])


def test_bad_tables():
    table = pl.DataFrame(mixed())
    with pytest.raises(ValueError, match=r"'il' \(y\) is not in the table.*'ill'"):
        learning_utility(None, table, "il")
    missing = table.with_columns(age=pl.Series([None, *range(1, 120)]))
    with pytest.raises(ValueError, match="Column 'age' has missing values"):
        learning_utility(None, missing, "ill")


def test_it_prints_a_small_table():
    found = learning_utility(None, *two_blobs(), n_repetitions=3, random_state=0)
    lines = str(found).splitlines()
    assert repr(found) == str(found) and len(lines) == 4
    assert lines[0].split() == ["learnt", "from", *CLASSIFICATION]
    low, high = found.interval("accuracy", "original")
    middle = f"{found.mean('accuracy', 'original'):.3f} +- {(high - low) / 2:.3f}"
    assert lines[2].startswith("the original") and middle in lines[2]
    once = learning_utility(None, *two_blobs(), n_repetitions=1, random_state=0)
    assert "+-" not in str(once) and "nan" not in str(once)


def test_a_sorted_release_is_refused():
    X = gaussian(80, 2)
    private = DPMicroaggregator(5, epsilon=1e9, bounds=[(-9.0, 9.0)] * 2)
    for plan in (private, make_pipeline(StandardScaler(), private)):
        with pytest.raises(ValueError, match="another order than the records"):
            learning_utility(plan, X, X[:, 0])
