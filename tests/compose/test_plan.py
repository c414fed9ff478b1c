"""What a plan can do follows from its parts, and strangers are adapted once."""

import pickle

import numpy as np
import pytest
from marks import for_each
from sklearn.base import BaseEstimator
from sklearn.pipeline import make_pipeline
from tables import gaussian

from microcell import METHODS, Recipe, Schema
from microcell._capabilities import Capabilities, capabilities_of, check_keeps_rows
from microcell.aggregate import MapPrototype
from microcell.compose import (
    ByBlock,
    ByStratum,
    ByUnit,
    DissolveAndSplit,
    DPMicroaggregator,
    Enforce,
    Microaggregator,
    OrderedCut,
    Refine,
    as_plan,
)
from microcell.embed import StandardScale, StatisticalDependence
from microcell.exceptions import InputError
from microcell.partition import KTCA, MDAV, Mondrian
from microcell.privacy import PSensitivity

BOUNDS = [(0, 1)]
ONE = np.zeros(4, dtype=int)


def can(part):
    return part.capabilities


def test_wrappers_have_what_is_inside_but_for_what_they_change():
    searched = Refine(MDAV(3), seconds=1)
    wrapped = [
        ByStratum(searched, strata=ONE),
        ByUnit(searched, units=ONE),
        Enforce(searched, PSensitivity(2), values=ONE),
    ]
    for part in wrapped:
        assert can(part).searches and can(part).is_timed and can(part).takes_codes
        assert can(part).keeps_more and not can(part).refinable
    assert not can(Refine(MDAV(3))).is_timed
    assert can(DissolveAndSplit(MDAV(3))).takes_codes
    assert not can(OrderedCut(MDAV(3))).takes_codes
    assert not can(ByStratum(MDAV(3), strata=Mondrian(9))).takes_codes
    assert not can(ByStratum(MDAV(3), strata=ONE, small="merge")).takes_codes
    assert not can(DissolveAndSplit(Mondrian(3))).scale_free
    assert not can(OrderedCut(KTCA(1))).promises_k


def test_a_plan_can_what_its_parts_can_together():
    assert can(Microaggregator(MDAV(3))).refinable
    assert not can(Microaggregator(KTCA(3), aggregate=MapPrototype())).refinable
    lines = make_pipeline(StandardScale(), StatisticalDependence())
    plan = ByBlock(Microaggregator(MDAV(3), embed=lines), blocks=1)
    assert can(plan).needs_target and can(plan).takes_several_targets
    assert can(plan).can_be_equipped
    private = DPMicroaggregator(3, epsilon=1.0, bounds=BOUNDS)
    assert not can(private).can_be_equipped and not can(private).refinable


@for_each("name", METHODS)
def test_every_method_says_what_it_can_and_a_recipe_asks_it(name):
    known = can(METHODS[name](5))
    assert known.differentially_private == (name == "dp-microaggregation")
    assert known.searches == (name in ("mdav-refined", "best"))
    learns = name.startswith(("lda", "mdav-sd")) or name.endswith("++")
    assert known.needs_target == learns


class Masks(BaseEstimator):
    """An estimator of somebody else, with nothing but what a plan needs."""

    def fit_transform(self, X, y=None):
        self.labels_ = np.zeros(len(X), dtype=int)
        return np.repeat(X.mean(axis=0, keepdims=True), len(X), axis=0)


def test_a_stranger_is_adapted_once():
    plan = as_plan(Masks(), 4)
    assert as_plan(plan, 4) is plan
    X = gaussian(20, 2)
    assert plan.fit_transform(X).shape == X.shape
    assert plan.labels_.tolist() == [0] * 20 and plan.blocks_ == [[0, 1]]
    assert plan.k == 4 and plan.keeps(2) == {"classes", "cells"}
    assert plan.refinement_ is None and list(plan.notices_) == []
    assert [str(promise.k) for promise in plan.promises(["a", "b"])] == ["4"]
    with pytest.raises(InputError, match="masks by itself"):
        plan.equip(publish=None, group=None)


def test_what_is_inside_of_a_stranger_is_found():
    private = DPMicroaggregator(3, epsilon=1.0, bounds=BOUNDS)
    line = make_pipeline(StandardScale(), private)
    assert capabilities_of(line).differentially_private
    with pytest.raises(InputError, match="another order"):
        check_keeps_rows(line)
    with pytest.raises(InputError, match="private part inside"):
        Recipe(Schema(["a"]), k=3, method=line)
    assert capabilities_of(make_pipeline(StandardScale(), Refine(MDAV(3)))).searches
    assert capabilities_of(None) == Capabilities()


def test_a_recipe_builds_its_plan_once_and_sends_no_plan():
    built = []

    def method(k, *, scale=None):
        built.append(k)
        return Microaggregator(MDAV(k), embed=scale)

    recipe = Recipe(Schema(["age"]), k=3, method=method)
    assert recipe.plan is recipe.plan and built == [3]
    named = Recipe(Schema(["age"]), k=3, method="mdav")
    again = pickle.loads(pickle.dumps(named))
    assert again == named and "plan" not in vars(again)
    assert again.plan.capabilities == named.plan.capabilities
