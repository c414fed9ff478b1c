import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from tables import any_values, gaussian, seed_of, tables_and_k

from microcell import METHODS, Microaggregator
from microcell.aggregate import Interval, Median
from microcell.partition import MDAV, Mondrian


def test_distances_live_in_the_embedding_and_the_release_in_the_table():
    X = gaussian(60, 2) * [1, 1000]
    masked = Microaggregator(MDAV(3), embed=MinMaxScaler())
    released = masked.fit_transform(X)
    assert_array_equal(
        masked.labels_, MDAV(3).fit_predict(MinMaxScaler().fit_transform(X))
    )
    assert_allclose(released.mean(axis=0), X.mean(axis=0))


def test_an_embedding_may_be_a_pipeline():
    X = gaussian(60, 4)
    line = make_pipeline(StandardScaler(), PCA(1))
    assert Microaggregator(MDAV(3), embed=line).fit(X).n_cells_ == 20


def test_another_aggregator():
    X = gaussian(9, 1)
    released = Microaggregator(MDAV(9), aggregate=Median()).fit_transform(X)
    assert_allclose(released, np.median(X))


def test_clone_keeps_parameters_and_leaves_parts_alone():
    masked = Microaggregator(MDAV(4), embed=StandardScaler())
    masked.fit(gaussian(20, 2))
    assert not hasattr(masked.partition, "labels_")
    assert clone(masked).get_params()["partition__k"] == 4
    assert clone(masked).set_params(partition__k=5).partition.k == 5


# Noise, peaks and moved prototypes: means hold on average at best.
MOVES_MEANS = {"random-aggregation", "random-k-anonymity", "kde"}
MOVES_MEANS |= {name for name in METHODS if name.endswith("++")}
# Rows of a private release are not those of X.
ROW_BY_ROW = [name for name in METHODS if name != "dp-microaggregation"]


@settings(max_examples=20)  # each runs all methods
@given(table=tables_and_k(elements=any_values))
def test_every_method_keeps_column_means_and_k(table):
    X, k = table
    y = np.arange(len(X)) % 2
    for name in ROW_BY_ROW:
        few = {"moves": 100} if name == "best" else {}  # it takes long by default
        masked = METHODS[name](k, **few)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # classes may not differ
            released = masked.fit_transform(X, y)
        for labels in masked.labels_.reshape(len(X), -1).T:  # one for each block
            assert np.bincount(labels).min() >= k
        if name not in MOVES_MEANS:
            expected = X.mean(axis=0)
            assert_allclose(released.mean(axis=0), expected, rtol=1e-9, atol=1e-6)


@for_each(
    ("name", "parameters", "expected"),
    [
        ("vmdav", {"gamma": 0.7}, {"partition__gamma": 0.7}),
        ("mondrian", {"mode": "relaxed"}, {"partition__mode": "relaxed"}),
        ("pcp", {"cost": "projected"}, {"partition__cost": "first"}),
        ("pcp", {"cost": "multivariate"}, {"partition__cost": "rest"}),
        ("sugeno", {"v": 3}, {"blocks": 3, "microaggregator__partition__k": 4}),
        ("individual-ranking", {}, {"blocks": 1}),
    ],
)
def test_method_parameters_reach_the_parts(name, parameters, expected):
    built = METHODS[name](4, **parameters).get_params()
    assert expected.items() <= built.items()


def test_blocks_need_a_column():
    with pytest.raises(ValueError, match="'v' parameter must be an integer >= 1"):
        METHODS["pcp"](3, v=0)


def test_frames_in_and_out():
    X = pd.DataFrame(gaussian(30, 2), columns=["age", "bmi"], index=range(5, 35))
    embed = ColumnTransformer([("scaled", StandardScaler(), ["bmi"])])
    masked = Microaggregator(MDAV(3), embed=embed).set_output(transform="pandas")
    released = masked.fit_transform(X)
    assert released.columns.tolist() == ["age", "bmi"]
    assert released.index.equals(X.index)
    masked.set_params(aggregate=Interval())
    assert masked.fit_transform(X).columns.tolist() == [
        "age_low",
        "age_high",
        "bmi_low",
        "bmi_high",
    ]


def test_values_too_large_for_a_mean():
    X = [[1.7e308], [1.6e308]]
    with pytest.raises(ValueError, match="overflow"), np.errstate(all="ignore"):
        Microaggregator(Mondrian(2)).fit_transform(X)


def test_y_must_fit():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        MDAV(2).fit(gaussian(5, 2), y=[1, 2, 3])


@given(table=tables_and_k(), factor=st.sampled_from([-1.0, 0.0, 0.5, 3.0]))
def test_constant_and_collinear_columns_survive(table, factor):
    X, k = table
    X = np.column_stack([X, factor * X[:, 0], np.full(len(X), 7.0)])
    for name in ("mdav", "vmdav", "mondrian", "pcp", "zscores", "sugeno"):
        released = METHODS[name](k).fit_transform(X)
        assert (released[:, -1] == 7.0).all()
        assert_allclose(released[:, -2], factor * released[:, 0], atol=1e-12)


ENDS = ["age_low", "age_high", "bmi_low", "bmi_high"]
PEOPLE = pd.DataFrame(gaussian(30, 2), columns=["age", "bmi"], index=range(5, 35))
CLASSES = np.arange(30) % 2
AUTO = [("lda-mdav", {"alpha": "auto"}), ("mdav-sd", {"lambda_": "auto"})]
EVERY_METHOD = [
    *((name, seed_of(METHODS[name])) for name in ROW_BY_ROW),
    ("pcp", {"v": 1}),
]


@for_each(("name", "parameters"), EVERY_METHOD)
def test_names_of_every_method(name, parameters):
    masked = METHODS[name](3, **parameters)
    masked.fit(PEOPLE, CLASSES)
    assert masked.get_feature_names_out().tolist() == ["age", "bmi"]
    masked.fit(PEOPLE.to_numpy(), CLASSES)
    assert masked.get_feature_names_out().tolist() == ["x0", "x1"]
    assert masked.get_feature_names_out(["a", "b"]).tolist() == ["a", "b"]
    part = getattr(masked, "microaggregator", masked)
    part.set_params(aggregate=Interval())
    masked.fit(PEOPLE, CLASSES)  # names are known without a release
    assert masked.get_feature_names_out().tolist() == ENDS
    released = masked.set_output(transform="pandas").fit_transform(PEOPLE, CLASSES)
    assert released.columns.tolist() == ENDS
    assert released.index.equals(PEOPLE.index)
    assert (released["age_low"] <= PEOPLE["age"]).all()
    assert (PEOPLE["bmi"] <= released["bmi_high"]).all()


@for_each(("name", "parameters"), [*EVERY_METHOD, *AUTO])
def test_frames_between_parts_change_nothing(name, parameters):
    X = PEOPLE.to_numpy()
    plain = METHODS[name](3, **parameters).fit_transform(X, CLASSES)
    for output in (
        ("pandas",) if "auto" in parameters.values() else ("pandas", "polars")
    ):
        with config_context(transform_output=output):
            released = METHODS[name](3, **parameters).fit_transform(X, CLASSES)
        assert_array_equal(np.asarray(released), plain)
