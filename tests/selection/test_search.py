"""The search: what it runs, and that it ends at the best of a smooth surface."""

import math
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell import Recipe, Schema
from microcell.selection._search import Search, between, beyond

LIMIT = 0.05
SCHEMA = Schema(["age", "pay"])
METHODS = {"a": "mdav", "b": "mondrian", "c": "vmdav"}
LETTERS = {method: letter for letter, method in METHODS.items()}


@dataclass
class Row:
    """A candidate with nothing behind it."""

    figures: dict = field(default_factory=dict)
    error: str | None = None
    recipe: Recipe | None = None


def order(row):
    """Least loss with a risk of at most the limit."""
    figures = row.figures
    if row.error is not None or "loss" not in figures:
        return (math.inf, math.inf, -row.recipe.k)
    excess = max(0.0, figures["risk"] - LIMIT) / LIMIT
    return (excess, figures["loss"], -row.recipe.k)


class Recorder:
    """Runs recipes of a surface, a function of letter and k, and remembers them."""

    def __init__(self, surface):
        self.surface = surface
        self.places = []

    def __call__(self, recipes):
        found = []
        for recipe in recipes:
            place = LETTERS[recipe.method], recipe.k
            self.places.append(place)
            row = self.surface(*place)
            found.append(Row(row.figures, row.error, recipe))
        return found


def smooth(letter, k):
    """Loss grows with k, risk falls; methods differ in both."""
    loss, risk = {"a": (0.010, 0.9), "b": (0.012, 0.6), "c": (0.02, 2.0)}[letter]
    return Row({"loss": loss * k, "risk": risk / k})


def search(
    surface, *, letters="abc", ks=(3, 5, 10, 25, 50), budget=60, k_range=(3, 200)
):
    run = Recorder(surface)
    lines = [Recipe(SCHEMA, k=3, method=METHODS[letter]) for letter in letters]
    found = Search(run, order, lines, ks=ks, k_range=k_range, budget=budget)
    assert found.go() == list(found.done.values())
    return found, run


def best_of(found):
    """Letter and k of the best."""
    line, k = min(found.done, key=lambda place: order(found.done[place]))
    return LETTERS[found.lines[line].method], k


def test_every_candidate_was_run_and_once():
    found, run = search(smooth)
    assert len(found.done) == len(run.places) == len(set(run.places)) <= 60


@pytest.mark.parametrize("budget", [1, 2, 5, 17])
def test_the_budget_is_kept(budget):
    found, run = search(smooth, budget=budget)
    assert len(run.places) == len(found.done) == budget


def test_the_least_k_that_keeps_the_limit_is_found():
    found, _ = search(smooth, letters="a")
    least = next(k for k in range(3, 200) if 0.9 / k <= LIMIT)
    assert best_of(found) == ("a", least) and least == 18


@for_each("limit_at", range(4, 50))
def test_bisection_finds_every_place_where_limits_begin_to_be_kept(limit_at):
    """As the obvious loop over all k does."""

    def step(letter, k):
        return Row({"loss": 0.01 * k, "risk": 0.0 if k >= limit_at else 1.0})

    found, run = search(step, letters="a")
    assert best_of(found) == ("a", limit_at)
    assert len(run.places) <= 5 + 5  # the grid, and halving its gaps


def test_a_method_that_only_a_larger_k_makes_feasible_is_not_lost():
    found, _ = search(smooth)
    every = [(0.010 * k, "a", k) for k in range(3, 200) if 0.9 / k <= LIMIT] + [
        (0.012 * k, "b", k) for k in range(3, 200) if 0.6 / k <= LIMIT
    ]
    assert best_of(found) == min(every)[1:]


def test_of_many_lines_what_costs_little_is_tried_at_another_k():
    """The cheapest line keeps the limit only where its k is large."""

    def surface(letter, k):
        risk = 0.0 if letter != "a" or k >= 30 else 1.0
        loss = {"a": 0.001, "b": 0.1, "c": 0.2}[letter]
        return Row({"loss": loss * k, "risk": risk})

    found, run = search(surface, budget=14)
    assert len(run.places) <= 14
    assert best_of(found)[0] == "a"


def test_k_goes_beyond_what_was_given_if_the_range_allows():
    found, _ = search(smooth, letters="c", ks=(3, 5))
    assert best_of(found) == ("c", 40)
    found, _ = search(smooth, letters="c", ks=(3, 5), k_range=(3, 5))
    assert {k for _, k in found.done} <= {3, 4, 5}


def test_a_peak_between_the_given_k_is_found():
    def peaked(letter, k):
        return Row({"loss": abs(math.log(k / 14)), "risk": 0.0})

    found, _ = search(peaked, letters="a", ks=(3, 10, 50))
    assert 11 <= best_of(found)[1] <= 17


def test_failures_cost_no_more_than_one_candidate_each():
    def some_fail(letter, k):
        return Row(error="refused") if letter == "a" else smooth(letter, k)

    found, run = search(some_fail)
    assert sum(letter == "a" for letter, _ in run.places) == 1
    assert best_of(found)[0] in "bc"


def test_all_may_fail():
    found, run = search(lambda letter, k: Row(error="refused"))
    assert len(run.places) == 3
    assert all(row.error for row in found.done.values())


def test_what_enforces_limits_is_run_if_its_method_is_good():
    def some_fail(letter, k):
        return Row(error="refused") if letter == "b" else smooth(letter, k)

    run = Recorder(some_fail)
    lines = [Recipe(SCHEMA, k=3, method=METHODS[letter]) for letter in "ab"]
    better = {0: [Recipe(SCHEMA, k=3, method=METHODS["c"])], 1: [lines[0]]}
    found = Search(run, order, lines, better, ks=(3, 9), k_range=(3, 9), budget=20)
    found.go()
    assert found.lines == [*lines, *better[0]]
    assert {letter for letter, _ in run.places} == set("abc")


@settings(max_examples=40)
@given(data=st.data(), budget=st.integers(1, 40))
def test_any_surface_ends_within_its_budget(data, budget):
    """Noise, gaps and ties: nothing is run twice, and it stops."""
    share = st.sampled_from([0.0, 0.04, 0.05, 0.06, 0.5, math.nan])

    def any_figures(letter, k):
        if data.draw(st.booleans()) and data.draw(st.booleans()):
            return Row(error="refused")
        figures = {"loss": data.draw(share), "risk": data.draw(share)}
        return Row(
            {n: v for n, v in figures.items() if not math.isnan(v)} | {"risk": 0.1}
        )

    found, run = search(any_figures, budget=budget)
    assert len(set(run.places)) == len(run.places) == len(found.done) <= budget
    assert all(3 <= k <= 200 for _, k in run.places)


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
