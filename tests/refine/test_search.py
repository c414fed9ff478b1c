"""The search as a whole: what it promises for any table, any start, any threads."""

import hashlib
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels.hard_tables import KINDS, codes_of, random_tables
from marks import for_each
from numpy.testing import assert_array_equal
from refine.small_cells import (
    assert_sizes,
    slow_least_sse,
    slow_sse,
    small_cells,
    squared_distances,
)
from tables import gaussian

from microcell._progress import listen
from microcell.kernels.codes import no_codes, split_codes
from microcell.partition import MDAV
from microcell.refine import Budget, _neighbours, _search, refined_labels
from microcell.refine._neighbours import near_inside, near_records
from microcell.refine._regions import regions_of
from microcell.refine._search import sum_of_squares

WAYS = ["descent", "annealing", "combined"]


@pytest.fixture(autouse=True)
def combined_with_few_moves(monkeypatch):
    """Else a search so short as those of the tests would anneal once."""
    monkeypatch.setattr(_search, "COMBINED_FROM", 0)


@pytest.fixture
def in_regions(monkeypatch):
    """Regions of a table that is small."""
    monkeypatch.setattr(_search, "SEARCHED_WHOLE", 100)
    monkeypatch.setattr(_search, "REGION", 90)


def refined(X, codes, labels, k, way="annealing", seed=0, moves=100, **options):
    """Cells found with so many moves for each record."""
    budget = Budget(None if way == "descent" else moves * len(X))
    return refined_labels(X, codes, labels, k, budget, seed, way=way, **options)


def table_of(kind, n_samples, scale=1.0, n_coded=0, seed=0):
    rng = np.random.default_rng(seed)
    X = scale * KINDS[kind](rng, n_samples, 3)
    coded = list(range(X.shape[1], X.shape[1] + n_coded))
    return split_codes(np.column_stack([X, codes_of(X, n_coded)]), coded)


def started(X, k, seed):
    """Cells of k records or more at random, or one of all."""
    n_cells = np.random.default_rng(seed).integers(1, len(X) // k + 1)
    labels = np.arange(len(X)) % n_cells
    return np.random.default_rng(seed).permutation(labels)


def assert_better(found, X, codes, labels, k):
    assert_sizes(found.labels, k)
    assert 0.0 <= found.loss <= found.start_loss <= 1.0 + 1e-12
    total = sum_of_squares(X, codes, np.zeros(len(X), dtype=int))
    after, before = (sum_of_squares(X, codes, x) for x in (found.labels, labels))
    assert after <= before * (1 + 1e-9)
    if 1e-290 < total < 1e290:
        assert found.start_loss == pytest.approx(before / total, rel=1e-6)
        assert found.loss == pytest.approx(after / total, rel=1e-6, abs=1e-20)


@for_each("n_coded", [0, 2])
@for_each("kind", KINDS)
def test_never_worse_and_no_cell_too_small_or_large(kind, n_coded):
    X, codes = table_of(kind, 90, n_coded=n_coded)
    for k, seed in ((2, 0), (3, 1), (7, 2), (46, 3)):
        labels = started(X, k, seed)
        found = refined(X, codes, labels, k, WAYS[seed % 2])
        assert_sizes(found.labels, k)
        assert found.loss <= found.start_loss


@given(
    X=random_tables(most_rows=120, most_columns=4),
    n_coded=st.integers(0, 2),
    k=st.integers(2, 9),
    seed=st.integers(0, 99),
    way=st.sampled_from(WAYS[:2]),
)
def test_any_table_and_any_start(X, n_coded, k, seed, way):
    k = min(k, len(X))
    coded = list(range(X.shape[1], X.shape[1] + n_coded))
    units = [3.0, 0.2][:n_coded]
    X, codes = split_codes(np.column_stack([X, codes_of(X, n_coded)]), coded, units)
    labels = started(X, k, seed)
    found = refined(X, codes, labels, k, way, seed)
    if k > 1:
        assert_better(found, X, codes, labels, k)
    else:
        assert_array_equal(found.labels, labels)


@for_each("scale", [1e300, 1e200, 1e9, 1e-9, 1e-200, 1e-300, 1e-320])
@for_each("n_coded", [0, 1])
def test_values_of_any_size(scale, n_coded):
    """With codes a mismatch is all there is, or nothing."""
    X, codes = table_of("gaussian", 60, scale, n_coded)
    labels = np.zeros(60, dtype=int)
    found = refined(X, codes, labels, 3)
    assert_sizes(found.labels, 3)
    assert 0.0 <= found.loss < found.start_loss == pytest.approx(1.0)
    if n_coded == 0 and scale > 1e-310:  # below, numbers have few digits
        plain, codes = table_of("gaussian", 60)
        same = refined(plain, codes, labels, 3)
        assert found.loss == pytest.approx(same.loss, rel=0.02)
    if n_coded and scale < 1e-6:
        column = X[:, 3:]
        alone = refined(*split_codes(column, [0]), labels, 3)
        assert found.loss == pytest.approx(alone.loss, abs=1e-6)


def test_far_from_zero_no_digits_are_lost():
    near = np.round(1024 * gaussian(60, 2)) / 1024
    labels = np.zeros(60, dtype=int)
    expected = refined(near, no_codes(2), labels, 3)
    found = refined(near + 2.0**30, no_codes(2), labels, 3)
    assert found.loss == pytest.approx(expected.loss, rel=1e-9)


@for_each("k", [2, 3, 7])
@for_each("way", WAYS)
def test_equal_records_are_no_trouble(k, way):
    labels = np.zeros(100, dtype=int)
    all_equal = np.full((100, 2), 1 / 3)
    but_one = np.vstack([all_equal[1:], [[9.0, 1.0]]])
    two_kinds = np.repeat([[0.1], [1 / 3]], 50, axis=0)
    for X in (all_equal, but_one, two_kinds):
        found = refined(X, no_codes(X.shape[1]), labels, k, way)
        assert_sizes(found.labels, k)
    assert found.loss < 1e-25


@for_each("k, n", [(3, 3), (3, 5), (3, 6), (3, 7), (40, 60), (2, 2)])
def test_few_records(k, n):
    X = gaussian(n, 2)
    found = refined(X, no_codes(2), np.zeros(n, dtype=int), k)
    assert_sizes(found.labels, k)
    assert found.loss == found.start_loss or n >= 2 * k


def test_cells_of_one_stay_what_they_are():
    """There k is found and not promised."""
    labels = np.repeat([0, 1, 2], 10)
    found = refined(gaussian(30, 2), no_codes(2), labels, 1)
    assert_array_equal(found.labels, labels)
    assert found.loss == found.start_loss


def test_codes_of_hundreds_of_categories():
    X, codes = split_codes(np.random.default_rng(0).integers(0, 300, (300, 2)), [0, 1])
    labels = MDAV(3, categorical_features=[0, 1]).fit_predict(X)
    assert_better(refined(X, codes, labels, 3), X, codes, labels, 3)


@settings(max_examples=25)
@given(made=small_cells(most_k=3, most_cells=3), seed=st.integers(0, 2**62))
def test_the_best_of_all_partitions_of_small_tables(made, seed):
    """Never below it, and with enough moves at it."""
    cells, codes = made
    X, k = cells.X, cells.k
    labels = cells.labels.copy()
    least = slow_least_sse(X, codes, k) if len(X) <= 10 else 0.0
    budget = Budget(20_000)
    found = refined_labels(X, codes, labels, k, budget, seed)
    after = slow_sse(X, codes, found.labels)
    assert after >= least - 1e-12
    if len(X) <= 10:
        assert after <= least + 1e-9 * (1 + least)


def test_annealing_is_better_than_descent_that_is_better_than_nothing():
    X, labels = gaussian(400, 3), MDAV(3).fit_predict(gaussian(400, 3))
    by_way = {w: refined(X, no_codes(3), labels, 3, w, moves=2000) for w in WAYS}
    descent, annealing, combined = (by_way[way].loss for way in WAYS)
    assert descent < by_way["descent"].start_loss
    assert annealing < descent
    assert combined < descent


@pytest.mark.parametrize("way", WAYS[:2])
def test_the_same_cells_for_the_same_seed_on_any_number_of_threads(way, in_regions):
    X, codes = table_of("gaussian", 400, n_coded=1)
    labels = MDAV(3, categorical_features=[3]).fit_predict(X)
    found = [
        refined(X, codes, labels, 3, way, seed=5, n_threads=n_threads)
        for n_threads in (1, 2, 3, 2)
    ]
    for other in found[1:]:
        assert_array_equal(other.labels, found[0].labels)
    assert_better(found[0], X, codes, labels, 3)
    assert found[0].loss < found[0].start_loss
    if way == "annealing":
        other = refined(X, codes, labels, 3, way, seed=6)
        assert (other.labels != found[0].labels).any()


@pytest.mark.parametrize("way", WAYS[1:])
def test_seeds_differ_and_repeat(way):
    X, labels = gaussian(200, 3), MDAV(4).fit_predict(gaussian(200, 3))
    a, b, c = (refined(X, no_codes(3), labels, 4, way, seed) for seed in (1, 1, 2))
    assert_array_equal(a.labels, b.labels)
    assert (a.labels != c.labels).any()


@pytest.mark.parametrize("kind", ["grid", "duplicated", "one_outlier", "clustered"])
def test_regions_are_no_worse_than_the_start(kind, in_regions):
    for n_coded in (0, 1):
        X, codes = table_of(kind, 300, n_coded=n_coded)
        for labels in (np.zeros(300, dtype=int), started(X, 3, 1)):
            found = refined(X, codes, labels, 3, n_threads=2)
            assert_sizes(found.labels, 3)
            assert found.loss <= found.start_loss


def test_moves_are_what_may_be_spent():
    """Beside what is looked at at once, and the descent after an annealing."""
    X, labels = gaussian(300, 3), MDAV(3).fit_predict(gaussian(300, 3))
    for moves in (1_000, 100_000):
        budget = Budget(moves)
        refined_labels(X, no_codes(3), labels, 3, budget)
        assert 0.9 * moves < budget.spent < moves + 100_000
        budget = Budget(moves)
        refined_labels(X, no_codes(3), labels, 3, budget, way="combined")
        assert 0.9 * moves < budget.spent < moves + 300_000


@pytest.mark.parametrize("way", WAYS)
def test_seconds_end_a_search(way):
    X, labels = gaussian(100, 3), MDAV(3).fit_predict(gaussian(100, 3))
    budget = Budget(seconds=0.05)
    found = refined_labels(X, no_codes(3), labels, 3, budget, way=way)
    assert_better(found, X, no_codes(3), labels, 3)
    assert not found.is_interrupted and budget.elapsed < 10


def interrupting(times):
    """A listener that is interrupted at its reports of these numbers."""
    numbers = count()

    def hear(done, total, step):
        assert 0 <= done <= total and step.startswith("refining")
        if next(numbers) in times:
            raise KeyboardInterrupt

    return hear


@for_each("way", WAYS)
@for_each("at", [0, 1, 40])
def test_an_interrupt_returns_the_best_so_far(way, at):
    X, labels = gaussian(300, 3), MDAV(3).fit_predict(gaussian(300, 3))
    with listen(interrupting({at})):
        found = refined(X, no_codes(3), labels, 3, way)
    assert_better(found, X, no_codes(3), labels, 3)
    assert found.is_interrupted or (way == "descent" and at > 0)
    assert found.loss < found.start_loss


@pytest.mark.parametrize("way", WAYS[:2])
@pytest.mark.parametrize("at", [0, 1])
def test_an_interrupt_in_regions(way, at, in_regions):
    X, labels = gaussian(300, 3), MDAV(3).fit_predict(gaussian(300, 3))
    with listen(interrupting({at})):
        found = refined(X, no_codes(3), labels, 3, way, n_threads=2)
    assert found.is_interrupted
    assert_better(found, X, no_codes(3), labels, 3)


@pytest.mark.parametrize("way", WAYS[:2])
@pytest.mark.parametrize("is_large", [False, True])
def test_a_second_interrupt_is_raised(way, is_large, monkeypatch):
    if is_large:
        monkeypatch.setattr(_search, "SEARCHED_WHOLE", 100)
        monkeypatch.setattr(_search, "REGION", 90)
    X, labels = gaussian(300, 3), MDAV(3).fit_predict(gaussian(300, 3))
    with listen(interrupting({0, 1})), pytest.raises(KeyboardInterrupt):
        refined(X, no_codes(3), labels, 3, way, n_threads=2)


def interrupted_at(number, function):
    """The same function, interrupted when it is called for the n-th time."""
    numbers = count(1)

    def call(*arguments):
        if next(numbers) == number:
            raise KeyboardInterrupt
        return function(*arguments)

    return call


@pytest.mark.parametrize("number", [1, 2, 5, 18])
def test_an_interrupt_while_regions_are_made(number, in_regions, monkeypatch):
    X, labels = gaussian(300, 3), MDAV(3).fit_predict(gaussian(300, 3))
    monkeypatch.setattr(_search, "regions_of", interrupted_at(number, regions_of))
    found = refined(X, no_codes(3), labels, 3)
    assert found.is_interrupted
    assert_better(found, X, no_codes(3), labels, 3)
    assert found.loss < found.start_loss


def test_an_interrupt_before_there_is_anything(monkeypatch):
    X, labels = gaussian(300, 3), MDAV(3).fit_predict(gaussian(300, 3))
    monkeypatch.setattr(_search, "near_records", interrupted_at(1, near_records))
    found = refined(X, no_codes(3), labels, 3)
    assert found.is_interrupted and found.loss == found.start_loss
    assert_array_equal(found.labels, labels)


def test_what_is_told_falls_to_the_loss_and_grows_to_the_whole():
    X, labels = gaussian(300, 3), MDAV(3).fit_predict(gaussian(300, 3))
    heard = []
    with listen(lambda done, total, step: heard.append((done, step))):
        found = refined(X, no_codes(3), labels, 3)
    done = [d for d, _ in heard]
    assert done == sorted(done)
    assert f"loss {100 * found.loss:.4g} %" in heard[-1][1]


@given(
    X=random_tables(most_rows=200, most_columns=3),
    k=st.integers(1, 9),
    most=st.integers(1, 100),
    cut=st.floats(0.01, 0.99),
    n_coded=st.integers(0, 2),
)
def test_regions_are_whole_cells_and_all_of_them(X, k, most, cut, n_coded):
    k = min(k, len(X))
    coded = list(range(X.shape[1], X.shape[1] + n_coded))
    X, codes = split_codes(np.column_stack([X, codes_of(X, n_coded)]), coded)
    labels = started(X, k, 0)
    regions = regions_of(X, codes, labels, most, cut)
    assert_array_equal(np.sort(np.concatenate(regions)), np.arange(len(X)))
    cells = [set(labels[rows].tolist()) for rows in regions]
    assert sum(map(len, cells)) == labels.max() + 1
    for rows, own in zip(regions, cells, strict=True):
        assert len(rows) <= most or len(own) == 1
        assert_array_equal(rows, np.sort(rows))


@given(X=random_tables(most_rows=150, most_columns=3), n_coded=st.integers(0, 2))
def test_near_records_are_the_nearest(X, n_coded):
    X = X / max(abs(X).max(), 1e-300)
    coded = list(range(X.shape[1], X.shape[1] + n_coded))
    X, codes = split_codes(np.column_stack([X, codes_of(X, n_coded)]), coded)
    near = near_records(X, codes, 5)
    distances = squared_distances(X, codes)
    np.fill_diagonal(distances, np.inf)
    n_near = min(5, len(X) - 1)
    assert near.shape == (len(X), n_near)
    found = np.take_along_axis(distances, near.astype(int), axis=1)
    expected = np.sort(distances, axis=1)[:, :n_near]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-14)
    with pytest.MonkeyPatch.context() as patch:  # by the index, ties alike
        patch.setattr(_neighbours, "MAX_SCANNED_RECORDS", 0)
        assert_array_equal(near_records(X, codes, 5), near)


def test_near_in_a_region_are_places_in_it():
    near = near_records(gaussian(50, 2), no_codes(2), 6)
    region_of = np.arange(50) % 3
    place = np.arange(50) // 3
    rows = np.flatnonzero(region_of == 1)
    for at, inside in enumerate(near_inside(near, rows, place, region_of)):
        for n, other in enumerate(inside):
            is_outside = near[rows[at], n] % 3 != 1
            assert rows[other] == (rows[at] if is_outside else near[rows[at], n])


def test_results_have_not_changed():
    """Digests as computed once, on one machine: whoever changes them should mean to.

    Sums, products and draws are the same on every machine, so these are too.
    """
    labels, digests = np.arange(150) // 5, []
    for way, kind in [("descent", "clustered_grid"), ("annealing", "gaussian")]:
        X, codes = table_of(kind, 150, n_coded=1)
        found = refined(X, codes, labels, 5, way, seed=4)
        digests.append(hashlib.sha256(found.labels.astype("<i8")).hexdigest()[:12])
    assert digests == ["b04fa7dae250", "0643d39d629b"]


def test_a_short_search_is_one_annealing(monkeypatch):
    monkeypatch.setattr(_search, "COMBINED_FROM", 20_000)
    X, labels = gaussian(60, 2), np.arange(60) // 3
    once = refined(X, no_codes(2), labels, 3, "annealing", moves=1000)
    short = refined(X, no_codes(2), labels, 3, "combined", moves=1000)
    assert_array_equal(short.labels, once.labels)
