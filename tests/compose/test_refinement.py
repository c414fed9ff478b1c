"""What is said of a refinement, through wrappers and strata."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tables import gaussian

from microcell._interrupts import searches_ended
from microcell.compose import (
    ByBlock,
    ByStratum,
    ByUnit,
    Enforce,
    Microaggregator,
    Refine,
)
from microcell.compose._refinement import Refinement
from microcell.compose._wrapper import refinement_of
from microcell.partition import MDAV
from microcell.privacy import PSensitivity

X = gaussian(90, 2)
STRATA = np.repeat([0, 1, 2], [20, 30, 40])


def refine(**options):
    return Refine(MDAV(3), **({"moves": 3000} | options))


def loss_of(table, labels):
    """SSE / SST, said slowly."""
    sse = sum(
        ((table[labels == cell] - table[labels == cell].mean(axis=0)) ** 2).sum()
        for cell in range(labels.max() + 1)
    )
    return sse / ((table - table.mean(axis=0)) ** 2).sum()


def test_strata_are_added_up():
    part = ByStratum(refine(), strata=STRATA).fit(X)
    start = ByStratum(MDAV(3), strata=STRATA).fit(X)
    said = refinement_of(part)
    assert_allclose(said.loss, loss_of(X, part.labels_))
    assert_allclose(said.start_loss, loss_of(X, start.labels_))
    assert said.loss < said.start_loss
    assert refinement_of(start) is None


def test_strata_of_codes_are_added_up():
    table = np.column_stack([X, np.arange(90) % 4])
    part = ByStratum(refine(), strata=STRATA)
    part.mark_codes([2], np.array([2.0]))
    said = refinement_of(part.fit(table))
    one_hot = np.column_stack([X, np.eye(4)[table[:, 2].astype(int)]])
    assert_allclose(said.loss, loss_of(one_hot, part.labels_))


def test_wrappers_pass_it_on():
    units = np.arange(90) // 2
    said = refinement_of(ByUnit(refine(), units=units).fit(X))
    assert 0 < said.loss < said.start_loss
    values = np.arange(90) % 2
    kept = Enforce(refine(), PSensitivity(2), values=values).fit(X)
    assert refinement_of(kept) == refinement_of(refine().fit(X))


def test_units_in_strata_have_no_common_figure():
    units = np.arange(90) // 2
    inside = ByUnit(refine(moves=None, seconds=0.05), units=units)
    said = refinement_of(ByStratum(inside, strata=STRATA).fit(X))
    assert said.loss is None and said.words == "" and said.gap is None
    assert said.is_timed


def test_a_microaggregator_says_what_its_parts_know():
    plan = Microaggregator(refine(moves=None, seconds=0.05))
    plan.fit_transform(X)
    assert plan.refinement_ == refinement_of(plan.partition_)
    (said,) = plan.notices_
    assert "clock" in said
    blocks = ByBlock(plan, blocks=1)
    blocks.fit_transform(X)
    assert blocks.notices_ == [said]


def test_the_gap_is_above_a_lower_bound():
    said = Refinement(0.06, 0.05, lower_bound=0.04)
    assert_allclose(said.gap, 0.25)
    assert (
        said.words
        == "SSE / SST of the cells 0.06 -> 0.05, at most 25 % above the optimum"
    )
    assert said.to_dict()["lower_bound"] == 0.04
    assert Refinement(0.06, 0.0, lower_bound=0.0).gap is None
    part = refine().fit(X)
    part.lower_bound_ = part.loss_ / 2
    assert_allclose(refinement_of(part).gap, 1.0)


def test_strata_share_a_budget():
    def quarter(part):
        part.take_share(0.25)
        return part

    kept = quarter(Enforce(refine(moves=1000, seconds=3.0), PSensitivity(2)))
    assert kept.partition.moves == 250 and kept.partition.seconds == 0.75
    assert quarter(refine(moves="long")).moves == "long"
    assert quarter(refine(moves=None)).moves is None


def test_a_budget_that_is_none_is_refused_in_strata():
    with pytest.raises(ValueError, match="moves"):
        ByStratum(refine(moves="many"), strata=STRATA).fit(X)


def test_a_search_after_an_interrupt_ends_at_once():
    searches_ended.set()
    try:
        part = refine(moves=10**12).fit(X)
    finally:
        searches_ended.clear()
    assert part.is_interrupted_
    assert part.loss_ <= part.start_loss_
    assert "interrupted" in refinement_of(part).notices[0]
    assert not refine().fit(X).is_interrupted_
