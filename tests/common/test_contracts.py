"""The contracts, run over every part: a newcomer to the lists is tested at once."""

import inspect

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import microcell.aggregate
import microcell.metrics
import microcell.partition
from microcell import METHODS, ByBlock, ByStratum, ByUnit, Microaggregator
from microcell.aggregate import ByColumn, Centroid, Interval, Median, Mode
from microcell.base import BaseAggregator, BasePartitioner
from microcell.embed import (
    ChoquetIntegral,
    LinearDiscriminantRotation,
    Mismatch,
    NoScale,
    PrincipalComponentProjection,
    QuartileScale,
    RangeScale,
    StandardScale,
    StatisticalDependence,
    SugenoIntegral,
    ZScoreSum,
)
from microcell.partition import (
    MDAV,
    VMDAV,
    Insensitive,
    Mondrian,
    OptimalUnivariate,
)
from microcell.testing import check_aggregator, check_metric, check_partitioner


class EachRecordAUnit(ByUnit):
    """Units that fit any table, for the checks that bring their own."""

    def __init__(self, partition):
        self.partition = partition

    def _unit_codes(self, n_samples):
        return np.arange(n_samples)


PARTITIONERS = [
    Insensitive(3),
    MDAV(3),
    MDAV(4, leftover="nearest"),
    VMDAV(3, gamma=1.1),
    Mondrian(3),
    Mondrian(3, mode="relaxed"),
    OptimalUnivariate(3),
    ByStratum(MDAV(3), strata=Mondrian(7), small="merge"),
    EachRecordAUnit(MDAV(3)),
]
AGGREGATORS = [
    Centroid(),
    Median(),
    Median(even="lower"),
    Mode(),
    Interval(),
]
METRICS = [
    "sse_loss",
    "mse_distortion",
    "distance_linkage_risk",
    "interval_disclosure_risk",
    "probabilistic_linkage_risk",
]
ESTIMATORS = [
    *PARTITIONERS,
    ChoquetIntegral(),
    LinearDiscriminantRotation(),
    StatisticalDependence(),
    Mismatch(),
    NoScale(),
    PrincipalComponentProjection(),
    QuartileScale(),
    RangeScale(),
    StandardScale(),
    SugenoIntegral(),
    ZScoreSum(),
    Microaggregator(MDAV(3), embed=StandardScaler()),
    ByBlock(Microaggregator(Mondrian(3)), blocks=2),
]


def cannot_hold(estimator):
    """scikit-learn's checks that a part cannot pass, with the reason."""
    if isinstance(estimator, BasePartitioner):
        few = "three blobs are to be three clusters; cells have about k records"
        return {"check_clustering": few}
    if isinstance(estimator, Mismatch):
        new = "transforms records with categories that were not there in fit"
        return {"check_fit_idempotent": new}
    return {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=cannot_hold)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("partitioner", PARTITIONERS, ids=repr)
def test_partitioner(partitioner):
    check_partitioner(partitioner)


@pytest.mark.parametrize("aggregator", AGGREGATORS, ids=repr)
def test_aggregator(aggregator):
    check_aggregator(aggregator)


@pytest.mark.parametrize("name", METRICS)
def test_metric(name):
    check_metric(getattr(microcell.metrics, name))


REQUIRED = {"dp-microaggregation": {"epsilon": 1.0, "bounds": [(-3, 3), (-3, 3)]}}


@pytest.mark.parametrize("name", METHODS)
def test_method_in_a_pipeline(name):
    X = [[20, 1], [60, 9], [24, 3], [62, 9], [64, 12]]
    y = [0, 1, 0, 1, 1]
    plan = METHODS[name](2, **REQUIRED.get(name, {}))
    released = make_pipeline(StandardScaler(), plan).fit_transform(X, y)
    assert released.shape == (5, 2)


def public(module, base):
    members = [getattr(module, name) for name in module.__all__]
    return {m for m in members if inspect.isclass(m) and issubclass(m, base)}


def test_every_part_is_in_the_lists():
    listed = {type(part) for part in PARTITIONERS}
    assert public(microcell.partition, BasePartitioner) <= listed
    listed = {type(part) for part in AGGREGATORS} | {ByColumn}  # it needs columns
    assert public(microcell.aggregate, BaseAggregator) <= listed
    names = set(microcell.metrics.__all__)
    assert {n for n in names if n.endswith(("_loss", "_risk", "_distortion"))} - {
        "combined_distortion",  # it takes a confidential attribute
        "disclosure_risk",  # these three give more than a number
        "probabilistic_information_loss",
        "information_loss",
        "reidentification_risk",  # of one table
    } == set(METRICS)


@pytest.mark.parametrize("k", [0, -3, 2.5, "five", True, None])
@pytest.mark.parametrize("part", [MDAV, VMDAV, Mondrian])
def test_bad_k(part, k):
    with pytest.raises(ValueError, match="'k' parameter must be an integer >= 1"):
        part(k).fit([[0.0], [1.0]])
