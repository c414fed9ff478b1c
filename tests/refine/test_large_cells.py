"""Cells of more records than are near each: they are founded as well as dissolved."""

import numpy as np
import pytest
from benchmarks.refine import QUICK, labels_of, merged_k_means
from benchmarks.tables import standardised
from marks import first_is_quick, for_each
from numpy.testing import assert_array_equal
from refine.small_cells import assert_consistent, cells_of
from tables import gaussian

from microcell._progress import listen
from microcell.compose import ByStratum, Refine
from microcell.kernels.box_queries import nearest_in_tree
from microcell.kernels.box_tree import LANES, make_box_tree
from microcell.kernels.codes import no_codes, split_codes
from microcell.partition import MDAV
from microcell.refine import Budget, _neighbours, _region, _search, refined_labels
from microcell.refine._draws import seeded
from microcell.refine._moves import (
    MAX_MEMBERS_COMPARED,
    dissolve,
    found,
    records_around,
    stride_of,
)
from microcell.refine._neighbours import MAX_OPENED_BOXES
from microcell.refine._region import Region
from microcell.refine._search import sum_of_squares


def clusters(n, d):
    rng = np.random.default_rng(1)
    return 3 * rng.normal(size=(8, d))[rng.integers(8, size=n)] + gaussian(n, d)


TABLES = {
    "gaussian": gaussian(1200, 8),
    "clustered": clusters(1200, 4),
    "skewed": np.exp(gaussian(1200, 3)),
}


@pytest.mark.parametrize("k", first_is_quick([50, 42, 100, 200]))
@pytest.mark.parametrize("table", TABLES)
def test_as_many_cells_as_there_can_be_and_less_loss_than_rivals(table, k):
    X, codes = TABLES[table], no_codes(TABLES[table].shape[1])
    part, start = Refine(MDAV(k)).fit(X), MDAV(k).fit_predict(X)
    loss = sum_of_squares(X, codes, part.labels_)
    descended = Refine(MDAV(k), search="descent").fit_predict(X)
    assert loss <= sum_of_squares(X, codes, descended)
    assert loss < sum_of_squares(X, codes, merged_k_means(X, k))
    assert loss < sum_of_squares(X, codes, start)
    assert part.n_cells_ >= 0.75 * (len(X) // k)


@pytest.mark.parametrize("k", first_is_quick([50, 100, 200]))
@pytest.mark.parametrize("table", TABLES)
def test_no_quick_method_loses_less_than_the_default(table, k):
    X, codes = standardised(TABLES[table]), no_codes(TABLES[table].shape[1])
    losses = {n: sum_of_squares(X, codes, labels_of(n, k, X)) for n in QUICK}
    losses["k-means and merge"] = sum_of_squares(X, codes, merged_k_means(X, k))
    assert min(losses, key=losses.get) == "mdav-refined", losses


def test_longer_searches_are_no_worse():
    """Cells once were dissolved and never founded, the more the longer it took."""
    X = TABLES["gaussian"]
    losses = [Refine(MDAV(50), moves=n * len(X)).fit(X).loss_ for n in (30, 300, 1500)]
    assert losses[1] <= losses[0] and losses[2] <= losses[0]


def test_categories_and_strata():
    rng = np.random.default_rng(0)
    X = np.column_stack([gaussian(800, 2), rng.integers(0, 4, (800, 2))])
    part = Refine(MDAV(50, categorical_features=[2, 3])).fit(X)
    assert part.n_cells_ >= 14 and part.loss_ < part.start_loss_
    strata = ByStratum(Refine(MDAV(50)), strata=np.arange(800) % 2).fit(X[:, :2])
    plain = ByStratum(MDAV(50), strata=np.arange(800) % 2).fit(X[:, :2])
    losses = [sum_of_squares(X[:, :2], no_codes(2), p.labels_) for p in (strata, plain)]
    assert losses[0] < losses[1]


def test_a_cell_is_founded_of_the_nearest_that_cells_around_can_spare():
    """Two of 7 spare three each, though the records near one are of its own cell."""
    X = np.concatenate([np.linspace(0, 1, 7), np.linspace(1.2, 2.2, 7)])[:, None]
    cells = cells_of(X, no_codes(1), np.repeat([0, 1], 7), 4, n_near=3)
    others = records_around(cells, 6)
    assert_array_equal(others[:4], [5, 7, 4, 8])
    assert found(cells, 6, 1e9, seeded(0)) != 0.0
    assert_consistent(cells)
    assert set(cells.members[2, :4].tolist()) == {4, 5, 6, 7}
    before = cells.own.sum()
    change = dissolve(cells, 2, 1e9, seeded(0))
    assert cells.own.sum() - before == pytest.approx(change)
    assert_consistent(cells)


def test_what_a_founding_may_cost_is_known_beforehand():
    """Without enough to spare around nothing is sorted and nothing moves."""
    cells = cells_of(gaussian(60, 2), no_codes(2), np.arange(60) % 3, 20, n_near=5)
    assert len(records_around(cells, 0)) == 0
    assert found(cells, 0, 1e9, seeded(0)) == 0.0


@for_each("size", [1, 10, MAX_MEMBERS_COMPARED, 25, 99, 1000, 12345])
def test_a_record_is_compared_with_few_of_a_large_cell(size):
    compared = len(range(0, size, stride_of(size)))
    assert compared <= MAX_MEMBERS_COMPARED
    assert compared == size or compared > MAX_MEMBERS_COMPARED // 2


@pytest.mark.parametrize("k, moves", [(3, 1), (10, 1), (50, 300)])
def test_never_worse_than_a_descent(k, moves):
    """However few moves there are, where cells are small."""
    X, codes = split_codes(np.round(gaussian(500, 3), 1), [])
    start = MDAV(k).fit_predict(X)
    losses = [
        refined_labels(X, codes, start, k, budget, way=way).loss
        for way, budget in [
            ("annealing", Budget(moves * len(X))),
            ("descent", Budget()),
        ]
    ]
    assert losses[0] <= losses[1]


def test_in_regions_too(monkeypatch):
    monkeypatch.setattr(_search, "SEARCHED_WHOLE", 500)
    monkeypatch.setattr(_search, "REGION", 400)
    X = TABLES["gaussian"]
    part = Refine(MDAV(50)).fit(X)
    descended = Refine(MDAV(50), search="descent").fit(X)
    assert part.loss_ <= descended.loss_ and part.n_cells_ >= 20


def test_descents_about_an_annealing_are_bounded():
    """Without a bound they looked at 300,000 moves for each record."""
    X, spent = gaussian(300, 8), []
    descend = Region.descend

    def counted(region, budget, deep):
        before = budget.spent
        descend(region, budget, deep)
        spent.append(budget.spent - before)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Region, "descend", counted)
        patch.setattr(_search, "LOOKS_OF_DESCENT", 2)
        patch.setattr(_region, "LOOKS_AT_ONCE", 300)
        Refine(MDAV(50)).fit(X)
    assert len(spent) == 4 and max(spent[:3]) <= 3 * len(X)


def test_where_nothing_is_left_to_gain_the_search_ends(monkeypatch):
    """Few combinations of many records: a descent finds cells that lose nothing."""
    rng = np.random.default_rng(0)
    X, codes = split_codes(rng.integers(0, 3, (2_000, 3)).astype(float), [0, 1])
    monkeypatch.setattr(Region, "anneal", None)
    start = MDAV(5, categorical_features=[1, 2]).fit_predict(X)
    found = refined_labels(X, codes, start, 5, Budget(300 * 2_000))
    assert found.start_loss > 1e-3 and found.loss < 1e-28


def test_neighbours_among_ties_cost_no_more_than_a_few_boxes():
    """Where most records are equally far an exact search would open every box."""
    table = np.random.default_rng(0).integers(0, 15_000, (20_000, 3)).astype(float)
    X, codes = split_codes(table, [0, 1, 2])
    tree, exact = make_box_tree(X, np.empty(0), codes), []
    near, rows = np.empty(17), np.empty(17, dtype=np.int64)
    for record in range(0, 20_000, 997):
        leaf = tree.place[record] // LANES
        exact.append(nearest_in_tree(tree, X[record], leaf, near, rows))
        opened = nearest_in_tree(tree, X[record], leaf, near, rows, MAX_OPENED_BOXES)
        assert opened <= MAX_OPENED_BOXES and np.isfinite(near).all()
    assert np.mean(exact) > 2 * MAX_OPENED_BOXES


def test_finding_neighbours_is_a_phase_of_its_own(monkeypatch):
    monkeypatch.setattr(_neighbours, "QUERIES_BETWEEN_REPORTS", 400)
    heard = []
    with listen(lambda done, total, step: heard.append((step.split(",")[0], done))):
        Refine(MDAV(3), moves=1000).fit(gaussian(1000, 2))
    assert [done for step, done in heard if step == "finding neighbours"] == [
        0,
        400,
        800,
    ]
    steps = [step for step, _ in heard]
    assert steps[0] == "grouping records" and steps[-1] == "refining cells"
