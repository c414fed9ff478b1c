"""Refine around any partitioner, and its parameters."""

import pickle

import numpy as np
import pytest
from marks import for_each
from numpy.testing import assert_array_equal
from sklearn.base import clone
from tables import gaussian

from microcell._progress import listen
from microcell.aggregate import Centroid
from microcell.compose import (
    ByStratum,
    ByUnit,
    DissolveAndSplit,
    Enforce,
    Refine,
    TClosenessFirst,
)
from microcell.exceptions import ParameterError
from microcell.metrics import sse_loss
from microcell.partition import (
    KTCA,
    MDAV,
    KDECells,
    Mondrian,
    OptimalUnivariate,
)
from microcell.privacy import PSensitivity, TCloseness
from microcell.testing import check_partitioner

STARTS = [
    MDAV(3),
    Mondrian(3),
    Mondrian(3, mode="relaxed"),
    OptimalUnivariate(3),
    KTCA(3),
    KDECells(3),
    Refine(MDAV(3), search="descent"),
]


def loss_of(X, labels):
    return sse_loss(X, Centroid().aggregate(X, labels))


@for_each("start", STARTS)
@for_each("search", ["annealing", "descent", "combined"])
def test_lower_loss_than_any_start(start, search):
    X = gaussian(90, 1 if isinstance(start, OptimalUnivariate) else 3)
    part = Refine(start, search=search, moves=9000).fit(X)
    sizes = np.bincount(part.labels_)
    assert sizes.min() >= 3 and sizes.max() <= 5
    assert part.start_loss_ == pytest.approx(loss_of(X, part.partition_.labels_))
    assert part.loss_ == pytest.approx(loss_of(X, part.labels_))
    assert part.loss_ <= part.start_loss_
    if not isinstance(start, OptimalUnivariate | Refine):
        assert part.loss_ < part.start_loss_
    assert not part.is_interrupted_


def test_optimal_cells_stay():
    """Of one column they can be computed."""
    X = gaussian(200, 1)
    part = Refine(OptimalUnivariate(3)).fit(X)
    assert part.loss_ == pytest.approx(part.start_loss_, rel=1e-12)
    assert Refine(MDAV(3)).fit(X).loss_ >= part.loss_ * (1 - 1e-12)


@pytest.mark.parametrize("part", [KTCA(), KDECells()])
def test_where_k_is_found_cells_stay(part):
    X = gaussian(60, 2)
    assert_array_equal(Refine(part).fit_predict(X), part.fit_predict(X))
    assert not Refine(part).promises_k


def test_large_cells_of_equal_records_are_split_too():
    part = Refine(Mondrian(3)).fit(np.ones((50, 2)))
    assert part.partition_.n_cells_ == 1 and part.n_cells_ == 16
    assert part.start_loss_ == part.loss_ == 0.0


def test_codes_in_any_columns():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 5, 120), rng.normal(size=(120, 2))])
    start = MDAV(3, categorical_features=[0], mismatch_units=[2.0])
    part = Refine(start).fit(X)
    assert part.loss_ < part.start_loss_ and part.takes_codes
    assert part.categorical_features == [0] and part.mismatch_units == [2.0]
    marked = Refine(MDAV(3))
    marked.mark_codes([0], [2.0])
    assert_array_equal(marked.fit_predict(X), part.labels_)
    assert not Refine(Mondrian(3)).takes_codes


def test_the_same_cells_again():
    X = gaussian(150, 3)
    part = Refine(MDAV(3))
    labels = part.fit_predict(X)
    assert_array_equal(clone(part).fit_predict(X), labels)
    assert_array_equal(pickle.loads(pickle.dumps(part)).labels_, labels)
    assert_array_equal(pickle.loads(pickle.dumps(part)).fit_predict(X), labels)
    assert (Refine(MDAV(3), random_state=1).fit_predict(X) != labels).any()
    assert (Refine(MDAV(3), moves=9000).fit_predict(X) != labels).any()


def test_parameters_of_both():
    part = Refine(MDAV(3), moves=10)
    part.set_params(partition__k=4, seconds=2.5, moves=None, search="descent")
    again = clone(part)
    assert again.k == again.partition.k == 4 and again.seconds == 2.5
    assert again.get_params()["search"] == "descent"
    assert not hasattr(again, "labels_")


def test_the_contract():
    check_partitioner(Refine(MDAV(2), moves=500))


@pytest.mark.parametrize("moves", [500, 500.0, np.int64(500), np.float32(500)])
def test_any_kind_of_whole_number(moves):
    X = gaussian(30, 2)
    expected = Refine(MDAV(3), moves=500).fit_predict(X)
    assert_array_equal(Refine(MDAV(3), moves=moves).fit_predict(X), expected)


@for_each(
    "name, value",
    [
        *(("moves", v) for v in (0, -1, 1.5, True, np.nan, np.inf, "9", [9], 1j)),
        *(("seconds", v) for v in (0, -1.0, True, np.nan, np.inf, "x", [1.0], 1j)),
        *(("search", v) for v in ("x", None, 3)),
        *(("bound", v) for v in ("x", True, 0.5)),
        *(("random_state", v) for v in (-1, "x", True)),
    ],
)
def test_what_is_refused_before_anything_is_done(name, value):
    part = Refine(MDAV(3), **{name: value})
    with pytest.raises(ParameterError, match=f"'{name}' parameter"):
        part.fit(gaussian(20, 2))
    assert not hasattr(part, "partition_")


@pytest.mark.parametrize("kind", [float, np.float32, np.float64])
def test_seconds_of_any_kind(kind):
    """Beside moves, which are spent before."""
    part = Refine(MDAV(3), moves=18_000, seconds=kind(1000)).fit(gaussian(60, 2))
    assert part.loss_ < part.start_loss_


@pytest.mark.parametrize("bound", ["neighbours", "columns"])
def test_a_bound_is_below_the_loss(bound):
    part = Refine(MDAV(3), bound=bound).fit(gaussian(60, 2))
    assert 0.0 < part.lower_bound_ <= part.loss_
    assert part.gap_ == pytest.approx(part.loss_ / part.lower_bound_ - 1)
    part.set_params(bound=None).fit(gaussian(60, 2))
    assert part.lower_bound_ is None and part.gap_ is None


def test_an_interrupt_is_told():
    def hear(done, total, step):
        if step.startswith("refining"):
            raise KeyboardInterrupt

    part = Refine(MDAV(3), moves=10**9)
    with listen(hear), pytest.raises(KeyboardInterrupt):  # the second
        part.fit(gaussian(60, 2))
    reports = []

    def hear_once(done, total, step):
        if step.startswith("refining") and not reports:
            reports.append(step)
            raise KeyboardInterrupt

    with listen(hear_once):
        part.fit(gaussian(60, 2))
    assert part.is_interrupted_ and part.loss_ < part.start_loss_


def test_a_part_of_the_records():
    some = Refine(MDAV(3), moves=99).take_rows(np.arange(10, 30))
    assert some.moves == 99 and some.fit(gaussian(20, 2)).n_cells_ >= 2


@pytest.mark.parametrize(
    "part",
    [
        Enforce(MDAV(3), PSensitivity(3), values=np.arange(90) % 3),
        ByStratum(MDAV(3), strata=np.arange(90) % 3),
        TClosenessFirst(TCloseness(0.2), 3),
        DissolveAndSplit(Enforce(MDAV(3), PSensitivity(3), values=np.arange(90) % 3)),
    ],
    ids=lambda part: type(part).__name__,
)
def test_what_cells_keep_to_beside_k_is_not_given_up(part):
    with pytest.raises(ParameterError, match="outside"):
        Refine(part).fit(gaussian(90, 2), np.arange(90) % 3)


def test_units_are_not_torn_apart():
    """k counts them, so they are refined as a whole or not at all."""
    units = np.repeat(np.arange(30), 3)
    X = gaussian(90, 2) + 5 * gaussian(30, 2, seed=1)[units]
    part = ByUnit(Refine(MDAV(3)), units=units).fit(X)
    for cell in range(part.n_cells_):
        assert len(set(units[part.labels_ == cell])) >= 3
    by_unit = ByUnit(MDAV(3), units=units)
    for torn in (Refine(by_unit), Refine(Refine(by_unit))):
        with pytest.raises(ParameterError, match="ByUnit"):
            torn.fit(X)
