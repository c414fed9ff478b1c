"""The choice among candidates, against the obvious loops."""

import math
from dataclasses import dataclass, field
from itertools import chain, combinations
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.selection._choice import (
    Limit,
    Objective,
    binding,
    feasible,
    nearest,
    no_candidate,
    rounded,
    shown,
    why,
)
from microcell.selection._constraints import Constraint, as_constraints


class Figure(NamedTuple):
    name: str
    unit: str
    label: str = ""
    better: str = "low"


LOSS = Figure("relative_loss", "share")
LINKAGE = Figure("distance_linkage_risk", "share")
T = Figure("t_distance_max", "number")
UNIFORM = Figure("homogeneous_records", "share")
LEAST_LOSS = Objective(LOSS, "loss", least=True)


@dataclass
class Row:
    """A candidate with nothing behind it."""

    label: str = "mdav, k=5"
    figures: dict = field(default_factory=dict)
    error: str | None = None
    k: int = 5

    @property
    def recipe(self):
        return SimpleNamespace(k=self.k)


def limits_of(*texts):
    figures = {"linkage": LINKAGE, "t": T, "uniform": UNIFORM, "loss": LOSS}
    return [
        Limit(c.resolved(figures[c.name]), c.name, figures[c.name])
        for c in map(Constraint.parse, texts)
    ]


def row(loss, linkage=None, t=None, uniform=None, k=5, label=None):
    named = {
        "relative_loss": loss,
        LINKAGE.name: linkage,
        T.name: t,
        UNIFORM.name: uniform,
    }
    figures = {name: value for name, value in named.items() if value is not None}
    return Row(label or f"mdav, k={k}", figures, k=k)


tenths = st.one_of(st.none(), st.sampled_from([0.0, 0.1, 0.2, 0.3, math.nan]))
rows = st.builds(row, tenths, tenths, tenths, tenths, st.sampled_from([3, 5]))
failed = st.just(Row(error="refused"))
tables = st.lists(st.one_of(rows, failed), max_size=8)
some_limits = st.lists(
    st.sampled_from(
        limits_of("linkage <= 10%", "t <= 0.2", "t < 0.1", "uniform = 0", "loss >= 0.1")
    ),
    unique=True,
    max_size=4,
)


def keeps_all(candidate, limits):
    """The obvious loop."""
    for limit in limits:
        found = candidate.figures.get(limit.constraint.name)
        if (
            found is None
            or math.isnan(found)
            or not limit.constraint.met_by({limit.constraint.name: found})
        ):
            return False
    return candidate.error is None and math.isfinite(
        candidate.figures.get("relative_loss", math.nan)
    )


@given(candidates=tables, limits=some_limits)
def test_choice_is_that_of_the_obvious_loop(candidates, limits):
    able = [c for c in candidates if keeps_all(c, limits)]
    chosen = feasible(candidates, limits, LEAST_LOSS)
    assert sorted(map(id, chosen)) == sorted(map(id, able))
    if able:
        assert chosen[0].figures["relative_loss"] == min(
            c.figures["relative_loss"] for c in able
        )
        losses = [c.figures["relative_loss"] for c in chosen]
        assert losses == sorted(losses)


@given(candidates=tables, limits=some_limits)
def test_highest_is_the_least_of_the_negative(candidates, limits):
    chosen = feasible(candidates, limits, Objective(LOSS, "loss", least=False))
    losses = [c.figures["relative_loss"] for c in chosen]
    assert losses == sorted(losses, reverse=True)


@given(candidates=tables, limits=some_limits)
def test_binding_sets_are_those_of_brute_force(candidates, limits):
    if any(keeps_all(c, limits) for c in candidates):
        return
    sizes = range(1, len(limits) + 1)
    every = chain.from_iterable(combinations(limits, size) for size in sizes)
    admits = [
        left_out
        for left_out in every
        if any(
            keeps_all(c, [limit for limit in limits if limit not in left_out])
            for c in candidates
        )
    ]
    least = min(map(len, admits), default=0)
    meant = [left_out for left_out in admits if len(left_out) == least]
    found = binding(candidates, limits, LEAST_LOSS)
    assert found == meant
    for left_out in found:
        near = nearest(candidates, limits, left_out, LEAST_LOSS)
        assert keeps_all(near, [limit for limit in limits if limit not in left_out])


def test_ties_go_to_the_larger_k():
    assert feasible([row(0.1, k=3), row(0.1, k=5)], [], LEAST_LOSS)[0].k == 5


def test_one_sentence_says_why():
    limits = limits_of("linkage <= 5%", "t <= 0.2")
    best = row(0.123, 0.042, 0.18, k=7)
    said = why(best, 31, 60, limits, LEAST_LOSS)
    assert said == (
        "mdav with k=7 has the least loss (12.3 %) among the 31 of 60 candidates with "
        "linkage at most 5 % (4.2 %) and t at most 0.2 (0.18)."
    )
    accuracy = Figure("accuracy:income", "share", better="high")
    highest = Objective(accuracy, "accuracy", least=False)
    said = why(Row(figures={"accuracy:income": 0.8}), 1, 1, [], highest)
    assert said == (
        "mdav with k=5 has the highest accuracy (80 %) among the 1 of 1 candidates."
    )


def test_the_binding_limit_is_named_with_the_nearest():
    limits = limits_of("linkage <= 5%", "t <= 0.2")
    rows = [row(0.1, 0.04, 0.4, k=5), row(0.2, 0.04, 0.2312, k=9), row(0.1, 0.5, 0.9)]
    words, hint = no_candidate(rows, limits, LEAST_LOSS)
    assert (
        "None of the 3 candidates has linkage at most 5 % and t at most 0.2." in words
    )
    assert "Without the limit of t 2 candidates would do; nearest comes" in words
    assert "mdav with k=9, with t 0.231 instead of <= 0.2." in words
    assert "limit of linkage" not in words
    assert hint.startswith("Allow 't <= 0.24'")


def test_three_limits_that_bind_together():
    limits = limits_of("linkage <= 5%", "t <= 0.2", "loss <= 1%")
    words, _ = no_candidate([row(0.1, 0.06, 0.3)], limits, LEAST_LOSS)
    assert "Without the limit of linkage, t and loss 1 candidate would do" in words


def test_limits_that_bind_together():
    limits = limits_of("linkage <= 5%", "t <= 0.2")
    words, hint = no_candidate([row(0.1, 0.06, 0.3)], limits, LEAST_LOSS)
    assert "Without the limit of linkage and t 1 candidate would do" in words
    assert "linkage 6 % instead of <= 5 % and t 0.3 instead of <= 0.2" in words
    assert "'linkage <= 6%' and 't <= 0.3'" in hint


def test_each_of_two_may_bind():
    limits = limits_of("linkage <= 5%", "t <= 0.2")
    rows = [row(0.1, 0.01, 0.3), row(0.1, 0.06, 0.1)]
    words, hint = no_candidate(rows, limits, LEAST_LOSS)
    assert "limit of t 1" in words and "limit of linkage 1" in words
    assert "'linkage <= 6%' or 't <= 0.3'" in hint


def test_what_was_not_measured_is_said():
    limits = limits_of("t <= 0.2")
    words, hint = no_candidate([row(0.1)], limits, LEAST_LOSS)
    assert "t not measured instead of" in words and "'no t'" in hint


@given(candidates=tables.filter(bool), limits=some_limits.filter(bool))
def test_the_way_out_lets_the_nearest_in(candidates, limits):
    sets = binding(candidates, limits, LEAST_LOSS)
    if feasible(candidates, limits, LEAST_LOSS) or not sets:
        return
    _, hint = no_candidate(candidates, limits, LEAST_LOSS)
    near = nearest(candidates, limits, sets[0], LEAST_LOSS)
    first = hint.removeprefix("Allow ").split("'")[1]
    if not first.startswith("no "):
        (allowed,) = as_constraints(first)
        assert allowed.met_by({allowed.name: near.figures[sets[0][0].figure.name]})


@given(
    value=st.floats(1e-6, 1e6), up=st.booleans(), scale=st.sampled_from([1.0, 100.0])
)
def test_rounding_keeps_its_side_and_is_near(value, up, scale):
    found = rounded(value, up=up, scale=scale)
    assert found / scale >= value if up else found / scale <= value
    assert found / scale == pytest.approx(value, rel=0.12)


@given(value=st.floats(0, 1), limit=st.floats(0, 1))
def test_a_figure_never_looks_like_a_limit_that_it_is_not(value, limit):
    if f"{value:.12g}" != f"{limit:.12g}":
        assert shown(value, "share", limit) != shown(limit, "share", value)
