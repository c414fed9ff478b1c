import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from microcell.kernels.codes import split_codes
from microcell.refine import Budget, _search, near_records, refined_labels
from microcell.refine._annealing import anneal
from microcell.refine._cells import make_cells, set_labels, sse_of_cells
from microcell.refine._descent import descend, new_course
from microcell.refine._draws import seeded


def cells_of_units(seed, k, most_extra=4):
    """Cells of k units or more, some with several records of one, some large."""
    rng = np.random.default_rng(seed)
    n_units = k + int(rng.integers(0, 8))
    cells = [rng.permutation(n_units)[:k] for _ in range(rng.integers(2, 7))]
    cells = [
        np.append(cell, rng.integers(0, n_units, rng.integers(0, most_extra + 1)))
        for cell in cells
    ]
    units = np.concatenate(cells)
    labels = np.repeat(np.arange(len(cells)), [len(cell) for cell in cells])
    order = rng.permutation(len(units))
    X = np.column_stack(
        [rng.normal(size=(len(units), 2)), rng.integers(0, 3, len(units))]
    )
    X, codes = split_codes(np.round(X, 1), [2], [0.6])
    return X, codes, units[order], labels[order]


def units_in(labels, units):
    return [np.unique(units[labels == cell]).size for cell in range(labels.max() + 1)]


def check(cells, units, k):
    n_cells = cells.n_cells[0]
    found = units_in(cells.labels, units)
    assert_array_equal(cells.owners.in_cell[:n_cells], found)
    assert not cells.owners.in_cell[n_cells:].any()
    assert min(found) >= k
    assert_array_equal(cells.sizes[:n_cells], np.bincount(cells.labels))


@given(
    seed=st.integers(0, 10_000),
    k=st.integers(2, 5),
    temperature=st.sampled_from([0.0, 0.1, 3.0]),
)
def test_moves_keep_k_units(seed, k, temperature):
    X, codes, units, labels = cells_of_units(seed, k)
    near = near_records(X, codes, min(8, len(X) - 1))
    cells = make_cells(X, codes, near, labels, k, units)
    check(cells, units, k)
    before = sse_of_cells(cells)
    change = anneal(cells, temperature, 200, seeded(seed))
    check(cells, units, k)
    assert sse_of_cells(cells) == pytest.approx(before + change, abs=1e-9)
    before = sse_of_cells(cells)
    change, _ = descend(cells, new_course(cells), 10**5, True, 1e-9, seeded(seed))
    check(cells, units, k)
    assert change <= 0
    assert sse_of_cells(cells) == pytest.approx(before + change, abs=1e-9)
    set_labels(cells, labels)
    check(cells, units, k)


@pytest.mark.parametrize("way", ["descent", "annealing", "combined"])
def test_a_search_finds_what_units_allow(way):
    X, codes, units, labels = cells_of_units(3, 3)
    moves = {"descent": None, "annealing": 300 * len(X), "combined": 20_000 * len(X)}
    if way == "combined" and numba.config.DISABLE_JIT:
        pytest.skip("takes minutes")
    budget = Budget(moves[way])
    found = refined_labels(X, codes, labels, 3, budget, way=way, units=units)
    assert found.loss < found.start_loss
    assert min(units_in(found.labels, units)) >= 3


def test_one_record_each_is_the_search_of_records():
    X, codes, _, labels = cells_of_units(5, 3, most_extra=2)
    plain = refined_labels(X, codes, labels, 3, Budget(5000), way="annealing")
    units = np.arange(len(X))
    apart = refined_labels(
        X, codes, labels, 3, Budget(5000), way="annealing", units=units
    )
    assert_array_equal(plain.labels, apart.labels)


@pytest.mark.parametrize("way", ["descent", "annealing"])
def test_regions_of_a_large_table_keep_k_units(way, monkeypatch):
    monkeypatch.setattr(_search, "SEARCHED_WHOLE", 60)
    monkeypatch.setattr(_search, "REGION", 50)
    parts = [cells_of_units(seed, 3) for seed in range(12)]
    X = np.concatenate([part[0] for part in parts])
    units = np.concatenate([part[2] for part in parts])
    names = [number * len(X) + part[3] for number, part in enumerate(parts)]
    labels = np.unique(np.concatenate(names), return_inverse=True)[1]
    codes = parts[0][1]
    moves = None if way == "descent" else 100 * len(X)
    found = refined_labels(X, codes, labels, 3, Budget(moves), way=way, units=units)
    assert found.loss < found.start_loss
    assert min(units_in(found.labels, units)) >= 3
