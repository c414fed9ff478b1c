"""Merging against its slow twin, with measures and with codes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from slow_twins import Coded, slow_merge_until_kept

from microcell.compose import Enforce, Microaggregator
from microcell.compose._merging import merge_until_kept
from microcell.compose._promise_check import PromiseCheck
from microcell.embed import ColumnScaler, Mismatch
from microcell.kernels.codes import no_codes, split_codes
from microcell.partition import MDAV
from microcell.privacy import (
    AlphaAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    EntropyLDiversity,
    LDiversity,
    PSensitivity,
    RecursiveDiversity,
    TCloseness,
)

PROMISES = [
    LDiversity(2),
    EntropyLDiversity(1.8),
    RecursiveDiversity(4, 2),
    TCloseness(0.2, distance="equal"),
    TCloseness(0.15, distance="ordered"),
    AlphaAnonymity(0.7),
    DeltaDisclosure(1.5),
    BetaLikeness(1.0),
]


@st.composite
def cells_of_records(draw):
    """A grid, cells of a few records, and values of which each occurs."""
    seed, n_cells = draw(st.integers(0, 10**6)), draw(st.integers(1, 12))
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(n_cells), rng.integers(1, 5, n_cells))
    labels = rng.permutation(np.r_[labels, np.zeros(6, int)])
    values = rng.choice(3, labels.size, p=[0.6, 0.2, 0.2])
    values[:6] = [0, 1, 2, 0, 1, 2]
    X = rng.integers(-3, 4, (labels.size, 3)).astype(float)
    return X, labels, values


@settings(max_examples=120)
@given(
    promise=st.sampled_from(PROMISES),
    problem=cells_of_records(),
    n_coded=st.sampled_from([0, 1, 2, 3]),
    at_once=st.sampled_from([1 / 128, 0.5, 1.0, 3.0]),
)
def test_merging_is_its_twin(promise, problem, n_coded, at_once):
    X, labels, values = problem
    n_measured = 3 - n_coded
    check = PromiseCheck([promise], values[:, None])
    if not check.holds(np.zeros_like(labels)).all():
        return
    table, codes = X, no_codes(3)
    if n_coded:
        table, codes = split_codes(X, range(n_measured, 3))
    found = merge_until_kept(table, labels, check, codes, at_once=at_once)

    def keeps(rows):
        own = np.zeros(len(rows), dtype=int)
        return PromiseCheck([promise], values[rows][:, None], check.totals).holds(own)[
            0
        ]

    twin = Coded(X, n_measured) if n_coded else X
    assert np.array_equal(found, slow_merge_until_kept(twin, labels, keeps, at_once))


@pytest.mark.parametrize("n_coded", [0, 2])
def test_a_large_cell_takes_in_several_at_once(n_coded):
    """By an index, by looking at all, and with codes, as its twin does."""
    rng = np.random.default_rng(3)
    labels = np.r_[np.zeros(400, int), np.repeat(np.arange(1, 301), 2)]
    X = rng.normal(size=(1000, 3)) + labels[:, None] / 100
    X[:, 3 - n_coded :] = rng.integers(0, 3, (1000, n_coded))
    values = np.r_[np.zeros(400, int), rng.integers(0, 5, 600)]
    promise = TCloseness(0.15, distance="ordered")
    check = PromiseCheck([promise], values[:, None])
    table, codes = X, no_codes(3)
    if n_coded:
        table, codes = split_codes(X, range(3 - n_coded, 3))
    found = merge_until_kept(table, labels, check, codes, at_once=1 / 4)

    def keeps(rows):
        own = np.zeros(len(rows), dtype=int)
        return PromiseCheck([promise], values[rows][:, None], check.totals).holds(own)[
            0
        ]

    twin = Coded(X, 3 - n_coded) if n_coded else X
    assert np.array_equal(found, slow_merge_until_kept(twin, labels, keeps, 1 / 4))
    one_by_one = merge_until_kept(table, labels, check, codes, at_once=0)
    assert check.holds(one_by_one).all()
    assert not np.array_equal(found, one_by_one)


def random_mixed(seed, n=120):
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [rng.normal(size=n), rng.integers(0, 7, n), rng.integers(0, 2, n)]
    )
    return X, rng.choice(3, n, p=[0.8, 0.1, 0.1])


@for_each("seed", range(5))
def test_codes_give_the_cells_of_coordinates(seed):
    """As if each category were a coordinate, units included."""
    X, ill = random_mixed(seed)
    units = [2.0, 0.5]
    sides = np.hstack([X[:, :1], Mismatch().fit(X[:, 1:]).transform(X[:, 1:], units)])
    promises = [PSensitivity(2), TCloseness(0.3, distance="equal")]
    inside = MDAV(3, categorical_features=[1, 2], mismatch_units=units)
    by_codes = Enforce(inside, promises).fit(X, ill)
    assert by_codes.n_merged_ > 0
    expanded = Enforce(MDAV(3), promises).fit_predict(sides, ill)
    assert np.array_equal(by_codes.labels_, expanded)


def test_a_plan_hands_codes_through():
    X, ill = random_mixed(0)
    part = Enforce(MDAV(3), PSensitivity(2))
    assert part.takes_codes
    plan = Microaggregator(part, embed=ColumnScaler(nominal=[1, 2], expand=False))
    plan.fit(X, ill)
    assert plan.partition_.categorical_features is not None
    other = Microaggregator(part, embed=ColumnScaler(nominal=[1, 2]))
    codes = plan.partition_.labels_
    assert np.bincount(codes).min() >= 3 and other.fit(X, ill).n_cells_ > 1


def test_several_promises_hold_together():
    X, ill = random_mixed(1, 200)
    pay = np.random.default_rng(2).permutation(200)
    promises = [PSensitivity(2), TCloseness(0.15, distance="ordered")]
    values = np.column_stack([ill, pay])
    labels = Enforce(MDAV(3), promises, values=values).fit_predict(X)
    assert PromiseCheck(promises, values).holds(labels).all()
    with pytest.raises(ValueError, match="each of the 2 promises"):
        Enforce(MDAV(3), promises, values=values[:, [0, 1, 1]]).fit(X)
    with pytest.raises(TypeError, match="must be a promise"):
        Enforce(MDAV(3), ["l"]).fit(X, ill)
