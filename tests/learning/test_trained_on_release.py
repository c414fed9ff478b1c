"""Models that learn from a release: they fit into scikit-learn, and see no more."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from marks import for_each, slow
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator
from tables import gaussian

from microcell import METHODS, ReleaseClassifier, ReleaseRegressor, Schema, anonymize
from microcell.compose import DPMicroaggregator, Microaggregator
from microcell.partition import MDAV
from microcell.privacy import PSensitivity


@pytest.mark.parametrize(
    "estimator",
    [
        ReleaseClassifier(
            DecisionTreeClassifier(random_state=0), method="mondrian", k=3
        ),
        ReleaseRegressor(),
        slow(ReleaseClassifier()),
        slow(ReleaseRegressor(Ridge(), method="mdav-sd", k=3)),
    ],
    ids=repr,
)
def test_scikit_learn_checks(estimator):
    check_estimator(estimator, on_skip=None)


class Spy(ClassifierMixin, BaseEstimator):
    learnt, asked = [], []  # clones share them

    def fit(self, X, y):
        Spy.learnt.append((X, y))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        Spy.asked.append(X)
        return np.full(len(X), self.classes_[0])


@pytest.fixture
def spy():
    Spy.learnt.clear()
    Spy.asked.clear()
    return Spy


def straight(n=120):
    X = gaussian(n, 3)
    return X, (X[:, 0] > 0).astype(int)


def test_the_estimator_learns_from_the_release_and_predicts_raw_records(spy):
    X, y = straight()
    model = ReleaseClassifier(Spy(), method="lda-mdav", k=10, parameters={"alpha": 2})
    model.fit(X, y)
    ((learnt, labels),) = spy.learnt
    expected = METHODS["lda-mdav"](10, alpha=2).fit_transform(X, y)
    assert_allclose(learnt, expected)
    assert_array_equal(labels, y)
    assert np.bincount(model.labels_).min() >= 10
    model.predict(X[:7])
    assert_array_equal(spy.asked[0], X[:7])


def people(n=200, seed=0):
    rng = np.random.default_rng(seed)
    job = rng.choice(["cook", "nurse", "smith"], n)
    age = rng.integers(20, 70, n)
    hours = rng.normal(38, 6, n)
    rich = (job == "nurse") * 1.5 + (age - 45) / 15 + rng.normal(size=n) > 0.5
    table = {"age": age, "job": job, "hours": hours}
    return table, np.where(rich, "rich", "poor")


MAKERS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.mark.parametrize("library", MAKERS)
def test_a_table_is_released_as_anonymize_does(spy, library):
    columns, y = people()
    table = MAKERS[library](columns)
    model = ReleaseClassifier(Spy(), k=4).fit(table, y)
    ((learnt, _),) = spy.learnt
    assert type(learnt) is type(table)
    frame = pl.DataFrame(columns).with_columns(rich=pl.Series(y))
    schema = Schema(["age", "job", "hours"], confidential="rich")
    expected = anonymize(frame, schema, k=4).table
    assert_allclose(np.asarray(learnt["hours"]), expected["hours"].to_numpy())
    assert np.asarray(learnt["job"]).tolist() == expected["job"].to_list()
    assert model.release_.findings[0].holds
    model.predict(table)
    assert spy.asked[0] is table


def mixed_model(**options):
    numbers = make_column_selector(dtype_include="number")
    columns = ColumnTransformer(
        [
            ("text", OneHotEncoder(handle_unknown="ignore"), ["job"]),
            ("numbers", StandardScaler(), numbers),
        ]
    )
    learner = make_pipeline(columns, LogisticRegression(max_iter=1000))
    return ReleaseClassifier(learner, **options)


def test_search_over_k_alpha_and_method_on_a_mixed_table():
    columns, y = people(300)
    table = pd.DataFrame(columns, index=[f"p{i}" for i in range(300)])
    grid = [
        {"method": ["mdav", "mondrian"], "k": [5, 40]},
        {"method": ["lda-mdav"], "alpha": [2.0, 8.0]},
    ]
    search = GridSearchCV(mixed_model(k=5), grid, cv=2).fit(table, y)
    assert len(search.cv_results_["params"]) == 6
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()
    assert search.best_score_ > 0.65
    best = search.best_estimator_
    assert best.get_params()["k"] == search.best_params_.get("k", 5)
    if "alpha" in search.best_params_:
        assert best.parameters == {"alpha": search.best_params_["alpha"]}
    assert_array_equal(search.predict(table), best.predict(table))


def test_a_column_transformer_may_come_first():
    columns, y = people(300)
    table = pd.DataFrame(columns)
    numbers = make_column_selector(dtype_include="number")
    before = ColumnTransformer(
        [("text", OneHotEncoder(), ["job"]), ("numbers", StandardScaler(), numbers)],
        sparse_threshold=0,
    )
    line = make_pipeline(before, ReleaseClassifier(k=10, method="mdav-sd"))
    assert cross_val_score(line, table, y, cv=3).mean() > 0.65
    grid = {"releaseclassifier__k": [5, 10], "releaseclassifier__lambda_": [0.0, 0.2]}
    search = GridSearchCV(line, grid, cv=2).fit(table, y)
    assert set(search.best_params_) == set(grid)


def test_probabilities_and_decisions_are_those_of_the_model():
    X, y = load_breast_cancer(return_X_y=True)
    model = ReleaseClassifier(k=10).fit(X, y)
    assert_allclose(model.predict_proba(X), model.estimator_.predict_proba(X))
    assert_allclose(model.decision_function(X), model.estimator_.decision_function(X))
    found = cross_val_predict(model, X, y, method="predict_proba", cv=3)
    assert found.shape == (len(X), 2)
    without = ReleaseClassifier(LinearSVC(), k=10)
    assert not hasattr(without, "predict_proba")
    assert hasattr(without, "decision_function")


@pytest.mark.parametrize("method", ["mdav", "mondrian", "mdav-sd", "pcp"])
def test_cells_of_nearly_all_records_teach_little(method):
    X, y = load_diabetes(return_X_y=True)
    scores = [
        cross_val_score(ReleaseRegressor(method=method, k=k), X, y, cv=4).mean()
        for k in (2, 150)
    ]
    assert scores[0] > 0.35 > scores[1]


def test_many_classes_are_no_measurement():
    """Numbers with more than 20 values would be; classes are not."""
    y = np.repeat(np.arange(25), 8)
    X = gaussian(200, 2) + y[:, None]
    model = ReleaseClassifier(method="lda-mdav", k=4).fit(X, y)
    assert model.classes_.tolist() == list(range(25))
    assert ReleaseClassifier(method="mdav-sd", k=4).fit(X, y).predict(X).shape == (200,)


def test_own_methods_and_plans():
    X, y = straight()

    def wide(k, *, scale=None, gamma=0.2):
        return METHODS["vmdav"](k, gamma=gamma, scale=scale)

    model = ReleaseClassifier(method=wide, k=5).set_params(gamma=1.1).fit(X, y)
    same = ReleaseClassifier(method="vmdav", k=5, parameters={"gamma": 1.1}).fit(X, y)
    assert_array_equal(model.labels_, same.labels_)
    plan = ReleaseClassifier(method=Microaggregator(MDAV(7)), k=5).fit(X, y)
    assert np.bincount(plan.labels_).min() == 7
    twice = [
        ReleaseClassifier(method="top-down", k=5, seed=1, parameters={"c": 4})
        .fit(X, y)
        .labels_
        for _ in range(2)
    ]
    assert_array_equal(*twice)


def test_clones_and_parameters():
    model = ReleaseClassifier(Ridge(), method="lda-mdav", k=7, parameters={"alpha": 2})
    again = clone(model)
    assert again.get_params()["parameters"] == {"alpha": 2}
    again.set_params(alpha=4.0, estimator__alpha=0.5, k=9)
    assert again.parameters == {"alpha": 4.0} and model.parameters == {"alpha": 2}
    assert again.estimator.alpha == 0.5 and again.k == 9


@for_each(
    ("options", "message"),
    [
        ({"k": 1}, "'k' parameter must be an integer >= 2"),
        ({"k": 500}, "n_samples=120 should be >= k=500"),
        ({"method": "medav"}, "'method' parameter must be one of"),
        ({"scale": "huge"}, "'scale' parameter must be one of"),
        (
            {"kinds": {"a": "nominal"}},
            "'kinds' parameter is of a table with named columns",
        ),
        ({"parameters": {"alpha": 2}}, "'alpha' parameter is no parameter of Release"),
        ({"seed": 3}, "'seed' parameter changes nothing"),
    ],
)
def test_what_cannot_be(options, message):
    with pytest.raises(ValueError, match=message):
        ReleaseClassifier(**options).fit(*straight())


def test_parameters_of_another_method():
    with pytest.raises(
        ValueError, match="'alpha' parameter is no parameter of Release"
    ):
        ReleaseClassifier().set_params(alpha=3)
    columns, y = people()
    with pytest.raises(TypeError, match="learnt from a table with named columns"):
        mixed_model().fit(pd.DataFrame(columns), y).predict([[1, 2, 3]])
    with pytest.raises(ValueError, match="y is None"):
        ReleaseClassifier().fit(*straight()[:1], None)


@pytest.mark.parametrize("library", MAKERS)
def test_the_default_model_encodes_text_by_itself(library):
    """Categories that it never met, gaps and dates among them."""
    columns, y = people(300)
    columns["born"] = np.datetime64("1990-01-01") + 365 * columns["age"]
    columns["job"][0] = "astronaut"
    table = MAKERS[library](columns)
    model = ReleaseClassifier(k=5).fit(table, y)
    assert model.score(table, y) > 0.7
    gone = dict(columns, job=np.full(300, "poet"), hours=np.full(300, np.nan))
    assert model.predict(MAKERS[library](gone)).shape == (300,)
    assert model.predict_proba(table).shape == (300, 2)
    guess = ReleaseRegressor(k=5).fit(table, columns["hours"] + columns["age"])
    assert guess.score(table, columns["hours"] + columns["age"]) > 0.5


def test_tables_elsewhere_are_refused_and_streams_of_arrow_are_tables():
    columns, y = people(300)
    table = pl.DataFrame(columns)
    model = ReleaseClassifier(k=5, method="mdav").fit(table, y)
    again = clone(model).fit(table.to_arrow().to_reader(), y)
    assert_array_equal(
        again.predict(table.to_arrow().to_reader()), model.predict(table)
    )
    with pytest.raises(TypeError, match="collect"):
        clone(model).fit(table.lazy(), y)
    with pytest.raises(TypeError, match="collect"):
        model.predict(table.lazy())


def test_a_model_of_text_alone_reads_numbers():
    columns, y = people(300)
    table = pd.DataFrame(columns).astype(str)
    model = ReleaseClassifier(k=5).fit(table, y)
    assert model.release_.kinds["age"] == "numeric"
    assert_array_equal(
        model.predict(table),
        ReleaseClassifier(k=5).fit(pd.DataFrame(columns), y).predict(table),
    )


def test_codes_that_gaps_turn_into_floats_are_the_same_codes():
    flag = np.tile([0, 1], 60)
    table = pd.DataFrame({"flag": flag, "age": np.arange(120) % 7})
    model = ReleaseClassifier(k=4).fit(table, flag)
    assert model.release_.kinds["flag"] == "nominal"
    assert model.score(table.astype(float), flag) == model.score(table, flag) == 1.0


def test_codes_of_a_tree_are_learnt_level_by_level():
    codes = np.array([f"{a}{b}{c}" for a in "12" for b in "345" for c in "6789"] * 10)
    y = np.char.startswith(codes, "1")
    table = pl.DataFrame({"code": codes, "age": np.arange(len(codes)) % 50})
    model = ReleaseClassifier(k=5, kinds={"code": "prefix"}).fit(table, y)
    assert model.score(table, y) > 0.95


def test_options_of_a_release():
    """Those of `anonymize`, in the constructor, in set_params and in a grid."""
    rng = np.random.default_rng(1)
    columns, y = people(300)
    age = columns["age"].astype(float)
    age[::7] = np.nan
    table = pd.DataFrame(
        {**columns, "age": age, "who": np.arange(300) // 2, "w": rng.random(300) + 1}
    )
    options = {"missing": "category", "unit": "who", "weights": "w"}
    model = ReleaseClassifier(k=4, **options).fit(table, y)
    recipe = model.release_.recipe
    assert (recipe.missing, recipe.unit, recipe.weights) == ("category", "who", "w")
    assert recipe.schema.quasi_identifiers == ("age", "job", "hours")
    assert model.predict(table).shape == (300,)
    again = clone(model)
    assert again.get_params()["unit"] == "who" and again.get_params()["rare"] is None
    with pytest.raises(ValueError, match="missing='category'"):
        again.set_params(missing=None).fit(table, y)
    grid = {"missing": ["category", "impute"], "rare": ["keep", "merge"]}
    search = GridSearchCV(again, grid, cv=2).fit(table, y)
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()
    promised = ReleaseClassifier(k=4, promises=[PSensitivity(2)])
    promised.fit(table[["job", "hours"]], y)
    assert [f.holds for f in promised.release_.findings] == [True, True]


def test_records_that_are_left_out_take_their_target_along(spy):
    columns, y = people()
    age = columns["age"].astype(float)
    age[::5] = np.nan
    table = pl.DataFrame({**columns, "age": age}).with_columns(
        pl.col("age").fill_nan(None)
    )
    ReleaseClassifier(Spy(), k=4, missing="drop").fit(table, y)
    ((learnt, target),) = spy.learnt
    assert len(learnt) == len(target) == 160
    assert_array_equal(target, y[~np.isnan(age)])


def test_columns_that_are_kept_as_they_are_reach_the_estimator(spy):
    columns, y = people()
    table = pl.DataFrame(columns)
    model = ReleaseClassifier(
        Spy(), k=4, identifiers="job", others=["hours"], unit="records"
    )
    model.fit(table, y).predict(table)
    assert spy.learnt[0][0].columns == spy.asked[0].columns == ["age", "hours"]
    assert_array_equal(spy.learnt[0][0]["hours"], columns["hours"])


def test_an_option_that_is_none():
    with pytest.raises(TypeError, match=r"no option 'misssing'.*'missing'"):
        ReleaseClassifier(misssing="drop")
    with pytest.raises(TypeError, match=r"promised: .* a parameter of \['lda-mdav'"):
        ReleaseClassifier(alpha=4)
    with pytest.raises(TypeError, match="no option 'delimiter'"):
        ReleaseClassifier(delimiter=";")


def test_a_sorted_release_is_refused():
    """Rows of a differentially private release are not those of y."""
    X, y = straight()
    own = {"epsilon": 1e9, "bounds": [(-9.0, 9.0)] * 3}
    named = {"epsilon": 1e9, "bounds": {"a": (-9.0, 9.0), "b": (-9.0, 9.0)}}
    table = pl.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    for records, parameters in ((X, own), (table, named)):
        for model in (ReleaseClassifier, ReleaseRegressor):
            private = model(method="dp-microaggregation", parameters=parameters)
            with pytest.raises(ValueError, match="another order than the records"):
                private.fit(records, y)
    plan = DPMicroaggregator(5, **own)
    with pytest.raises(ValueError, match="another order than the records"):
        ReleaseRegressor(method=make_pipeline(StandardScaler(), plan)).fit(X, y)


def test_a_pickled_model_predicts_as_before():
    """Its release leaves the original behind; what reads new records stays."""
    columns, y = people()
    table = pl.DataFrame(columns)
    model = ReleaseClassifier(k=4, identifiers="job", others="drop", unit="records")
    expected = model.fit(table, y).predict(table)
    again = pickle.loads(pickle.dumps(model))
    assert again.release_.before is None
    assert_array_equal(again.predict(table), expected)
