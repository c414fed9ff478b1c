"""The search: what it runs, and that it ends at the best of a smooth surface."""

import math
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcell.selection._search import Search, Setting, between, beyond

LIMIT = 0.05


@dataclass
class Row:
    """A candidate with nothing behind it."""

    figures: dict = field(default_factory=dict)
    error: str | None = None


def order(figures, k):
    """Least loss with a risk of at most the limit."""
    if "loss" not in figures:
        return (math.inf, math.inf, -k)
    return (max(0.0, figures["risk"] - LIMIT) / LIMIT, figures["loss"], -k)


def aims(figures):
    return (figures.get("loss", math.inf), figures.get("risk", math.inf))


class Recorder:
    """Runs settings of a surface and remembers them."""

    def __init__(self, surface):
        self.surface = surface
        self.settings = []

    def __call__(self, settings):
        self.settings += settings
        return [self.surface(setting) for setting in settings]


def smooth(setting):
    """Loss grows with k, risk falls; methods differ in both, a parameter in loss."""
    loss, risk = {"a": (0.010, 0.9), "b": (0.012, 0.6), "c": (0.02, 2.0)}[
        setting.method
    ]
    value = dict(setting.parameters).get("gamma", 1.0)
    bend = 1 + math.log(value / 3.0) ** 2 if setting.method == "b" else 1.0
    return Row({"loss": loss * setting.k * bend, "risk": risk / setting.k})


def search(
    surface, *, methods="abc", ks=(3, 5, 10, 25, 50), budget=60, k_range=(3, 200)
):
    run = Recorder(surface)
    found = Search(
        run,
        order,
        aims=aims,
        ks=ks,
        k_range=k_range,
        grids=lambda method: {"gamma": (1.0, 2.0, 4.0)} if method == "b" else {},
        defaults=lambda method: {"gamma": 1.0} if method == "b" else {},
        budget=budget,
    )
    found.go([Setting(method, 0) for method in methods])
    return found, run


def best_of(found):
    return min(found.done, key=lambda s: order(found.done[s].figures, s.k))


def test_every_candidate_was_run_and_once():
    found, run = search(smooth)
    assert list(found.done) == run.settings
    assert len(set(run.settings)) == len(run.settings) <= 60


@pytest.mark.parametrize("budget", [1, 2, 5, 17])
def test_the_budget_is_kept(budget):
    found, run = search(smooth, budget=budget)
    assert len(run.settings) == len(found.done) == budget


def test_the_least_k_that_keeps_the_limit_is_found():
    found, _ = search(smooth, methods="a")
    least = next(k for k in range(3, 200) if 0.9 / k <= LIMIT)
    assert best_of(found).k == least == 18


def test_parameters_are_refined_beyond_their_grid():
    found, _ = search(smooth, methods="b", budget=80)
    best = best_of(found)
    assert best.k == 12
    assert dict(best.parameters)["gamma"] not in (1.0, 2.0, 4.0)
    assert dict(best.parameters)["gamma"] == pytest.approx(3.0, rel=0.2)


def test_a_method_that_only_a_larger_k_makes_feasible_is_not_lost():
    found, _ = search(smooth)
    best = best_of(found)
    every = [(0.010 * k, "a", k) for k in range(3, 200) if 0.9 / k <= LIMIT] + [
        (0.012 * k, "b", k) for k in range(3, 200) if 0.6 / k <= LIMIT
    ]
    assert (
        best.method == min(every)[1] or found.done[best].figures["loss"] < min(every)[0]
    )


def test_k_goes_beyond_what_was_given_if_the_range_allows():
    found, _ = search(smooth, methods="c", ks=(3, 5))
    assert best_of(found).k == 40
    found, _ = search(smooth, methods="c", ks=(3, 5), k_range=(3, 5))
    assert {s.k for s in found.done} <= {3, 4, 5}


def test_a_peak_between_the_given_k_is_found():
    def peaked(setting):
        return Row({"loss": abs(math.log(setting.k / 14)), "risk": 0.0})

    found, _ = search(peaked, methods="a", ks=(3, 10, 50))
    assert 11 <= best_of(found).k <= 17


def test_failures_cost_no_more_than_one_candidate_each():
    def some_fail(setting):
        return Row(error="refused") if setting.method == "a" else smooth(setting)

    found, run = search(some_fail)
    assert sum(s.method == "a" for s in run.settings) == 1
    assert best_of(found).method in "bc"


def test_all_may_fail():
    found, run = search(lambda setting: Row(error="refused"))
    assert len(run.settings) == 3
    assert all(row.error for row in found.done.values())


def test_what_is_not_able_is_not_run():
    run = Recorder(smooth)
    found = Search(
        run,
        order,
        aims=aims,
        ks=(3, 10),
        k_range=(3, 50),
        grids=lambda method: {},
        defaults=lambda method: {},
        able=lambda setting: setting.k % 2 == 0,
        budget=30,
    )
    found.go([Setting("a", 0)])
    assert run.settings
    assert all(s.k % 2 == 0 for s in run.settings)


@settings(max_examples=40)
@given(data=st.data(), budget=st.integers(1, 40))
def test_any_surface_ends_within_its_budget(data, budget):
    """Noise, gaps and ties: nothing is run twice, and it stops."""
    share = st.sampled_from([0.0, 0.04, 0.05, 0.06, 0.5, math.nan])

    def any_figures(setting):
        if data.draw(st.booleans()) and data.draw(st.booleans()):
            return Row(error="refused")
        figures = {"loss": data.draw(share), "risk": data.draw(share)}
        return Row(
            {n: v for n, v in figures.items() if not math.isnan(v)} | {"risk": 0.1}
        )

    found, run = search(any_figures, budget=budget)
    assert len(set(run.settings)) == len(run.settings) <= budget
    assert list(found.done) == run.settings
    assert all(3 <= s.k <= 200 for s in run.settings)


@given(k=st.integers(2, 500), near=st.integers(2, 500))
def test_between_is_inside(k, near):
    found = between(k, near)
    low, high = min(k, near), max(k, near)
    assert (found is None) == (high - low < 2)
    assert found is None or low < found < high


@given(k=st.integers(2, 500), edge=st.integers(2, 500))
def test_beyond_goes_towards_the_edge(k, edge):
    found = beyond(k, edge)
    if found is None:
        assert k == edge
    else:
        assert min(k, edge) <= found <= max(k, edge) and found != k
