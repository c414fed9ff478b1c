"""What a move says that it changes, against the SSE of all pairs before and after."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from pytest import approx
from refine.small_cells import as_sets, assert_consistent, slow_sse, small_cells

from microcell.refine._annealing import anneal
from microcell.refine._cells import (
    distance_between,
    distance_to_cell,
    exchange,
    move,
    rotate,
    sse_of_cells,
)
from microcell.refine._draws import seeded
from microcell.refine._moves import (
    best_rotation,
    best_swap,
    dissolve,
    found,
    if_joined,
    if_left,
)

ALWAYS = 1e6  # a temperature at which nearly all moves are made
NEVER = -1e6
EXACT = {"rel": 1e-11, "abs": 1e-12}
several = small_cells(least_cells=3)
draws = st.randoms(use_true_random=False)


def sse_now(cells, codes):
    return slow_sse(cells.X, codes, cells.labels)


def to_cell(cells, record, cell):
    return distance_to_cell(cells.X, record, cells.centres, cell, cells.n_measured)


def between(cells, record, other):
    return distance_between(cells.X, record, other, cells.n_measured, cells.units)


def record_and_other_cell(cells, draw):
    record = draw.randrange(len(cells.labels))
    others = set(range(int(cells.n_cells[0]))) - {int(cells.labels[record])}
    return record, draw.choice(sorted(others))


def swap_with(cells, record, cell):
    """The best swap with a cell and what it changes."""
    home = cells.labels[record]
    other, change = best_swap(
        cells.X,
        record,
        home,
        cell,
        cells.labels,
        cells.members,
        cells.sizes,
        cells.centres,
        cells.own,
        cells.n_measured,
        cells.units,
        cells.k,
        cells.owners,
    )
    return other, change + to_cell(cells, record, cell) - cells.own[record]


def rotation_by(cells, record, member, third):
    """The best rotation by three cells and what it changes."""
    cell = cells.labels[member]
    last, change = best_rotation(
        cells.X,
        record,
        member,
        third,
        cells.labels[record],
        cells.labels,
        cells.members,
        cells.sizes,
        cells.centres,
        cells.own,
        cells.n_measured,
        cells.units,
        cells.k,
        cells.owners,
    )
    change += to_cell(cells, record, cell) - cells.own[member]
    return last, change - between(cells, record, member) / cells.sizes[cell]


@given(made=several)
def test_cells_begin_consistent(made):
    cells, codes = made
    assert_consistent(cells)
    assert sse_of_cells(cells) == approx(sse_now(cells, codes), **EXACT)


@given(made=several, draw=draws)
def test_transfer(made, draw):
    cells, codes = made
    record, cell = record_and_other_cell(cells, draw)
    home = cells.labels[record]
    assume(cells.sizes[home] > cells.k and cells.sizes[cell] < 2 * cells.k - 1)
    before = sse_now(cells, codes)
    change = if_joined(cells.sizes[cell], to_cell(cells, record, cell))
    change += if_left(cells.sizes[home], cells.own[record])
    move(cells, record, cell)
    assert cells.labels[record] == cell
    assert_consistent(cells)
    assert sse_now(cells, codes) - before == approx(change, **EXACT)


@given(made=several, draw=draws)
def test_swap_is_the_best_and_changes_what_it_says(made, draw):
    cells, codes = made
    record, cell = record_and_other_cell(cells, draw)
    before, home = sse_now(cells, codes), cells.labels[record]
    other, change = swap_with(cells, record, cell)
    changes = []
    for member in np.flatnonzero(cells.labels == cell):
        labels = cells.labels.copy()
        labels[[record, member]] = cell, home
        changes.append(slow_sse(cells.X, codes, labels) - before)
    assert min(changes) == approx(change, **EXACT)
    exchange(cells, record, other)
    assert cells.labels[record] == cell and cells.labels[other] == home
    assert_consistent(cells)
    assert sse_now(cells, codes) - before == approx(change, **EXACT)


@given(made=several, draw=draws)
def test_rotation_is_the_best_and_changes_what_it_says(made, draw):
    """Three records go round, or two pass on and nobody goes back."""
    cells, codes = made
    record, cell = record_and_other_cell(cells, draw)
    home, member = cells.labels[record], draw.choice(cells.members[cell, : cells.k])
    others = set(range(int(cells.n_cells[0]))) - {int(home), cell}
    third = draw.choice(sorted(others))
    before = sse_now(cells, codes)
    last, change = rotation_by(cells, record, member, third)

    def if_closed_by(closing):
        labels = cells.labels.copy()
        labels[[record, member]] = cell, third
        if closing >= 0:
            labels[closing] = home
        return slow_sse(cells.X, codes, labels) - before

    options = [if_closed_by(other) for other in np.flatnonzero(cells.labels == third)]
    if cells.sizes[home] > cells.k and cells.sizes[third] < 2 * cells.k - 1:
        options.append(if_closed_by(-1))
    else:
        assert last >= 0
    assert min(options) == approx(change, **EXACT)
    rotate(cells, record, member, third, last)
    assert_consistent(cells)
    assert sse_now(cells, codes) - before == approx(change, **EXACT)


@given(made=several, draw=draws, temperature=st.sampled_from([ALWAYS, 0.05, NEVER]))
def test_dissolved_cell(made, draw, temperature):
    cells, codes = made
    before, cells_before = sse_now(cells, codes), as_sets(cells.labels)
    n_cells, cell = int(cells.n_cells[0]), draw.randrange(int(cells.n_cells[0]))
    records = frozenset(cells.members[cell, : cells.sizes[cell]].tolist())
    change = dissolve(cells, cell, temperature, seeded(draw.randrange(99)))
    assert_consistent(cells)
    assert sse_now(cells, codes) - before == approx(change, **EXACT)
    if cells.n_cells[0] == n_cells:
        assert change == 0.0 and as_sets(cells.labels) == cells_before
    else:
        assert temperature > 0 and cells.n_cells[0] == n_cells - 1
        assert records not in as_sets(cells.labels)


@given(made=several, draw=draws, temperature=st.sampled_from([ALWAYS, 0.05, NEVER]))
def test_founded_cell(made, draw, temperature):
    cells, codes = made
    before, labels = sse_now(cells, codes), cells.labels.copy()
    n_cells, record = int(cells.n_cells[0]), draw.randrange(len(labels))
    assume(cells.sizes[labels[record]] > cells.k)
    change = found(cells, record, temperature, seeded(draw.randrange(99)))
    assert_consistent(cells)
    assert sse_now(cells, codes) - before == approx(change, **EXACT)
    if cells.n_cells[0] == n_cells:
        assert change == 0.0
        assert_array_equal(cells.labels, labels)
    else:
        assert temperature > 0 and cells.n_cells[0] == n_cells + 1
        assert cells.labels[record] == n_cells and cells.sizes[n_cells] == cells.k


@given(made=several, seed=st.integers(0, 99))
def test_what_gains_only_if_accepted_gains(made, seed):
    """Below zero a temperature is what a move has to gain."""
    cells, codes = made
    before = sse_now(cells, codes)
    for record in range(len(cells.labels)):
        if cells.sizes[cells.labels[record]] > cells.k:
            assert found(cells, record, -1e-9, seeded(seed)) <= 0.0
        assert dissolve(cells, cells.labels[record], -1e-9, seeded(seed)) <= 0.0
    assert_consistent(cells)
    assert sse_now(cells, codes) <= before + 1e-12


@given(
    made=small_cells(),
    temperature=st.sampled_from([10.0, 0.1, 1e-3, 0.0]),
    seed=st.integers(0, 2**62),
)
def test_annealing_changes_what_it_says(made, temperature, seed):
    """Hundreds of moves of all kinds; rounding does not add up."""
    cells, codes = made
    before = sse_now(cells, codes)
    change = anneal(cells, temperature, 300, seeded(seed))
    assert_consistent(cells)
    assert sse_of_cells(cells) == approx(sse_now(cells, codes), **EXACT)
    assert sse_now(cells, codes) - before == approx(change, rel=1e-9, abs=1e-9)
    if temperature == 0.0:
        assert change <= 0.0
