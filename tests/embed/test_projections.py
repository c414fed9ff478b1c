import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import rankdata
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler
from tables import gaussian, grids

from microcell import METHODS
from microcell.embed import (
    ChoquetIntegral,
    OrderedWeightedAverage,
    PrincipalComponentProjection,
    SugenoIntegral,
    ZScoreSum,
)
from microcell.embed._aggregation_functions import QUANTIFIERS, mean_ranks


def test_principal_component_is_that_of_scikit_learn_up_to_sign():
    X = gaussian(50, 4) @ gaussian(4, 4, seed=1)
    ours = PrincipalComponentProjection().fit(X)
    theirs = PCA(1).fit(X)
    assert_allclose(np.abs(ours.loadings_), np.abs(theirs.components_[0]))
    assert ours.loadings_[np.argmax(np.abs(ours.loadings_))] > 0


@pytest.mark.parametrize("X", [np.ones((5, 3)), np.ones((1, 2)), gaussian(3, 30)])
def test_principal_component_of_degenerate_tables(X):
    assert np.isfinite(PrincipalComponentProjection().fit_transform(X)).all()


def test_two_correlated_columns_give_one_order():
    """On standardised columns the component is their sum, as METHODS notes."""
    x = gaussian(40, 1)
    Z = StandardScaler().fit_transform(np.hstack([x, x + gaussian(40, 1, seed=1)]))
    component = PrincipalComponentProjection().fit_transform(Z).ravel()
    assert_array_equal(
        np.argsort(component), np.argsort(ZScoreSum().fit_transform(Z).ravel())
    )


def test_sum_of_z_scores():
    X = gaussian(30, 3) * [1, 10, 0] + 5
    expected = StandardScaler().fit_transform(X).sum(axis=1)
    assert_allclose(ZScoreSum().fit_transform(X).ravel(), expected)


@for_each(
    ("values", "integral"),
    [
        ([0.9, 0.6, 0.3], 0.6),  # max(min(1/3, .9), min(2/3, .6), min(1, .3))
        ([1.0, 0.0, 0.0], 1 / 3),
        ([1.0, 1.0, 0.2], 2 / 3),
        ([0.1, 0.1, 0.1], 0.1),
        ([1.0, 1.0, 1.0], 1.0),
    ],
)
def test_sugeno_by_hand(values, integral):
    X = np.vstack([np.zeros(3), np.ones(3), values])
    result = SugenoIntegral(normalise="minmax", ties="index").fit_transform(X)
    assert result[2, 0] == pytest.approx(integral)


def test_sugeno_with_another_quantifier():
    X = np.vstack([np.zeros(2), np.ones(2), [0.9, 0.5]])
    most = SugenoIntegral(quantifier=lambda x: x**2, normalise="minmax", ties="index")
    assert most.fit_transform(X)[2, 0] == 0.5  # max(min(1/4, .9), min(1, .5))


@given(X=grids(least_rows=2))
def test_ranks_share_ties(X):
    mean = ChoquetIntegral(ties="index").fit_transform(X).ravel()
    ranks = (rankdata(X, axis=0) - 1) / (len(X) - 1)
    assert_allclose(mean, ranks.mean(axis=1), atol=1e-12)


@given(X=grids(least_rows=2), power=st.sampled_from([0.5, 1, 2, 5]))
def test_integrals_lie_between_the_least_and_the_largest_value(X, power):
    for part in (SugenoIntegral, ChoquetIntegral):
        numbers = part(quantifier=lambda x: x**power).fit_transform(X)
        ranks = (rankdata(X, axis=0) - 1) / (len(X) - 1)
        assert (numbers[:, 0] >= ranks.min(axis=1) - 1e-12).all()
        assert (numbers[:, 0] <= ranks.max(axis=1) + 1e-12).all()
        assert_allclose(numbers[:, 1], ranks.mean(axis=1), atol=1e-12)


def test_weights_from_a_quantifier_are_an_owa():
    X = gaussian(20, 3)
    choquet = ChoquetIntegral(quantifier=lambda x: x**2).fit_transform(X)
    owa = OrderedWeightedAverage(np.diff((np.arange(4) / 3) ** 2)).fit_transform(X)
    assert_allclose(choquet, owa)


@pytest.mark.parametrize(
    "quantifier", [lambda x: x + 0.1, lambda x: 0.5 * x, lambda x: x if x != 0.5 else 2]
)
def test_not_a_quantifier(quantifier):
    with pytest.raises(ValueError, match="non-decreasing"):
        SugenoIntegral(quantifier=quantifier).fit(gaussian(5, 2))


@pytest.mark.parametrize("weights", [[1], [0.5, 0.6], [-1, 2]])
def test_bad_weights(weights):
    with pytest.raises(ValueError, match="'weights' must be 2 numbers"):
        OrderedWeightedAverage(weights).fit(gaussian(5, 2))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_ranks_of_a_table_are_those_of_any_other(values):
    """The sweep over the table itself, and the search for the places of others."""
    x = np.sort(np.array(values, dtype=float))
    expected = rankdata(x) - 1
    assert_array_equal(mean_ranks(x, x), expected)
    assert_array_equal(mean_ranks(x, x[::2].copy()), expected[::2])


def test_named_quantifiers():
    X = gaussian(40, 4)
    for part in (SugenoIntegral, ChoquetIntegral):
        named, given_ = (part(quantifier=q) for q in ("square", lambda x: x**2))
        assert_array_equal(named.fit_transform(X), given_.fit_transform(X))
        for name, quantifier in QUANTIFIERS.items():
            levels = [quantifier(x) for x in np.linspace(0, 1, 11)]
            assert levels[0] == 0 and levels[-1] == 1 and min(np.diff(levels)) >= 0
            part(quantifier=name).fit(X)
    with pytest.raises(ValueError, match="quantifier"):
        SugenoIntegral(quantifier="all").fit(X)


def test_functions_of_the_method_are_those_parts():
    X = gaussian(60, 3)
    choquet = METHODS["sugeno"](5, function="choquet", quantifier="sqrt")
    weights = np.diff(np.sqrt(np.arange(4) / 3)).tolist()
    owa = METHODS["sugeno"](5, function="owa", owa_weights=weights)
    cells = [plan.fit(X).labels_ for plan in (choquet, owa, METHODS["sugeno"](5))]
    assert_array_equal(cells[0], cells[1])
    assert (cells[0] != cells[2]).any()
    for wrong in (
        {"function": "owa"},
        {"owa_weights": [1, 0, 0]},
        {"function": "owa", "owa_weights": [1, 0, 0], "quantifier": "most"},
        {"function": "mean"},
        {"quantifier": "all"},
    ):
        with pytest.raises(ValueError, match=r"function|owa|quantifier"):
            METHODS["sugeno"](5, **wrong)
