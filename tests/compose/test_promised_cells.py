"""Parts that build cells for a promise, against slow twins and the promise itself."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_twins import (
    Coded,
    slow_k_anonymity_first,
    slow_p_sensitive_first,
    slow_t_closeness_first,
)

from microcell.compose import (
    ByStratum,
    Enforce,
    KAnonymityFirst,
    PSensitiveFirst,
    TClosenessFirst,
)
from microcell.compose._k_anonymity_first_kernel import (
    Values,
    distance_to_table,
    indexed_k_anonymity_first_rounds,
    k_anonymity_first_rounds,
)
from microcell.compose._p_sensitive_first_kernel import (
    indexed_p_sensitive_first_rounds,
    p_sensitive_first_rounds,
)
from microcell.compose._promise_check import PromiseCheck
from microcell.compose._t_closeness_first import cut_into_subsets, subsets_needed
from microcell.compose._t_closeness_first_kernel import (
    indexed_t_closeness_first_rounds,
    t_closeness_first_rounds,
)
from microcell.exceptions import InputError, ParameterError
from microcell.kernels.codes import split_codes
from microcell.partition import MDAV, Rounds
from microcell.partition._rounds import indexed_cells, plain_cells
from microcell.privacy import (
    AlphaAnonymity,
    LDiversity,
    PSensitivity,
    TCloseness,
    View,
    cell_values,
)


@st.composite
def problems(draw, most_values=4, n_coded=0):
    """Records on a grid with many ties, codes of values that all occur, and a k."""
    seed, n = draw(st.integers(0, 10**6)), draw(st.integers(4, 40))
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (n, draw(st.integers(1, 3)) + n_coded)).astype(float)
    n_values = draw(st.integers(2, most_values))
    values = np.unique(rng.integers(0, n_values, n), return_inverse=True)[1]
    k = draw(st.sampled_from([1, 2, 3, min(5, n), n, (n + 1) // 2]))
    return X, values, k


def without_merging(part):
    """The labels that a part builds before any cell is merged."""
    seen = []

    class Seen(type(part)):
        def _build(self, *given):
            seen.append(super()._build(*given).copy())
            return seen[-1]

    def fit(X, y):
        Seen(**part.get_params(deep=False)).fit(X, y)
        return seen[-1]

    return fit


def reached_by(distance, values, rows):
    model = TCloseness(1, distance=distance)
    totals = np.bincount(values)
    one = cell_values(np.zeros(len(rows), int), values[list(rows)], totals)
    return model.levels(one)[0]


@settings(max_examples=60)
@given(problem=problems(most_values=12), t=st.sampled_from([0.05, 0.2, 0.5]))
def test_t_closeness_first_is_its_twin(problem, t):
    X, values, k = problem
    fit = without_merging(TClosenessFirst(TCloseness(t, distance="ordered"), k))
    needed = subsets_needed(len(X), k, t)
    expected = slow_t_closeness_first(X, values, needed, len(X) // needed)
    assert np.array_equal(fit(X, values), expected)


@settings(max_examples=50)
@given(
    problem=problems(most_values=6),
    t=st.sampled_from([0.0, 0.1, 0.3]),
    candidates=st.sampled_from([0, 3, None]),
    distance=st.sampled_from(["ordered", "equal"]),
)
def test_k_anonymity_first_is_its_twin(problem, t, candidates, distance):
    X, values, k = problem
    promise = TCloseness(t, distance=distance)
    fit = without_merging(KAnonymityFirst(promise, k, candidates=candidates))
    expected = slow_k_anonymity_first(
        X,
        k,
        len(X) if candidates is None else candidates,
        t,
        lambda rows: reached_by(distance, values, rows),
    )
    assert np.array_equal(fit(X, values), expected)


@settings(max_examples=60)
@given(problem=problems(), p=st.integers(2, 4))
def test_p_sensitive_first_is_its_twin(problem, p):
    X, values, k = problem
    p = min(p, values.max() + 1)
    if p < 2 or k < p:
        return
    fit = without_merging(PSensitiveFirst(PSensitivity(p), k))
    assert np.array_equal(fit(X, values), slow_p_sensitive_first(X, values, k, p))


@settings(max_examples=30)
@given(problem=problems(n_coded=2))
def test_codes_are_as_far_as_their_twin_says(problem):
    X, values, k = problem
    n_measured = X.shape[1] - 2
    marks = {"categorical_features": [n_measured, n_measured + 1]}
    coded = Coded(X, n_measured)
    part = TClosenessFirst(TCloseness(0.3, distance="ordered"), k, **marks)
    needed = subsets_needed(len(X), k, 0.3)
    expected = slow_t_closeness_first(coded, values, needed, len(X) // needed)
    assert np.array_equal(without_merging(part)(X, values), expected)
    if values.max() > 0 and k > 1:
        part = PSensitiveFirst(PSensitivity(2), k, **marks)
        expected = slow_p_sensitive_first(coded, values, k, 2)
        assert np.array_equal(without_merging(part)(X, values), expected)


def t_first(values):
    part, extras = cut_into_subsets(values, 7)
    rounds = t_closeness_first_rounds, indexed_t_closeness_first_rounds
    return Rounds(*rounds, 1, (extras,), part)


def k_first(values):
    rounds = k_anonymity_first_rounds, indexed_k_anonymity_first_rounds
    return Rounds(*rounds, 8, (about(values), 0.1, 20))


def p_first(values):
    rounds = p_sensitive_first_rounds, indexed_p_sensitive_first_rounds
    return Rounds(*rounds, 8, (values, np.bincount(values), 3))


def about(values):
    totals = np.bincount(values).astype(float)
    below = np.cumsum(totals)
    area = np.concatenate([[0.0], np.cumsum(below)])
    return Values(values, totals, below, area, True)


@pytest.mark.parametrize("rounds", [t_first, k_first, p_first])
@pytest.mark.parametrize(
    "index", ["auto", pytest.param("table", marks=pytest.mark.slow)]
)
@settings(max_examples=15)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(40, 400),
    grid=st.booleans(),
    n_coded=st.sampled_from([0, 2]),
)
def test_the_index_changes_nothing(rounds, index, seed, n, grid, n_coded):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (n, 4)) if grid else rng.normal(size=(n, 4))
    X = X.astype(float)
    X[:, 4 - n_coded :] = rng.integers(0, 5, (n, n_coded))
    X, codes = split_codes(X, range(4 - n_coded, 4))
    values = np.unique(
        rng.choice(5, n, p=[0.7, 0.2, 0.05, 0.04, 0.01]), return_inverse=True
    )[1]
    options = {"batch": 5, "rebuild_from": 30, "index": index}
    found = indexed_cells(X, 4, codes, rounds(values), **options)
    expected = plain_cells(X, 4, codes, rounds(values))
    assert np.array_equal(found[0], expected[0])
    assert np.array_equal(found[1], expected[1])


PARTS = {
    "t first": lambda k, promise: TClosenessFirst(promise, k),
    "k first": lambda k, promise: KAnonymityFirst(promise, k),
    "merging": lambda k, promise: Enforce(MDAV(k), promise),
}


@settings(max_examples=90)
@given(
    name=st.sampled_from(list(PARTS)),
    distance=st.sampled_from(["ordered", "equal"]),
    problem=problems(most_values=12),
    t=st.floats(0, 0.6),
)
def test_every_cell_is_within_t(name, distance, problem, t):
    X, values, k = problem
    promise = TCloseness(t, "pay", distance=distance)
    part = PARTS[name](k, promise).fit(X, values)
    assert np.bincount(part.labels_).min() >= k
    table = pl.DataFrame({"cell": part.labels_, "pay": values})
    assert promise.verify(View(table, ["cell"], confidential=["pay"])).holds


@settings(max_examples=40)
@given(problem=problems(), p=st.integers(2, 3))
def test_every_cell_has_p_values(problem, p):
    X, values, k = problem
    k = max(k, p)
    if len(X) < k or values.max() + 1 < p:
        return
    part = PSensitiveFirst(LDiversity(p, "ill"), k).fit(X, values)
    assert np.bincount(part.labels_).min() >= k
    for cell in range(part.n_cells_):
        assert np.unique(values[part.labels_ == cell]).size >= p


@settings(max_examples=60)
@given(n=st.integers(2, 400), k=st.integers(1, 30), t=st.floats(0, 0.6))
def test_subsets_hold_every_record_and_at_most_one_extra_a_cell(n, k, t):
    k = min(k, n)
    needed = subsets_needed(n, k, t)
    n_cells = n // needed
    subset, extras = cut_into_subsets(np.arange(n), needed)
    sizes = np.bincount(subset, minlength=needed)
    assert k <= needed <= n and (sizes - extras == n_cells).all()
    assert extras.sum() == n - needed * n_cells < max(n_cells, 1)
    assert (np.diff(subset) >= 0).all()


@settings(max_examples=40)
@given(cells=st.integers(1, 12), k=st.integers(2, 12), seed=st.integers(0, 99))
def test_the_bound_of_the_paper(cells, k, seed):
    """Distinct values and n divisible by k': within (n - k') / (2 (n - 1) k')."""
    n = cells * k
    rng = np.random.default_rng(seed)
    fit = without_merging(TClosenessFirst(TCloseness(1, distance="ordered"), k))
    values = rng.permutation(n)
    labels = fit(rng.normal(size=(n, 2)), values)
    levels = TCloseness(1, distance="ordered").levels(cell_values(labels, values))
    assert levels.max() <= (n - k) / (2 * (n - 1) * k) + 1e-12


@settings(max_examples=60)
@given(
    values=st.lists(st.integers(0, 8), min_size=2, max_size=40),
    size=st.integers(1, 8),
    ordered=st.booleans(),
)
def test_the_distance_of_the_kernel_is_that_of_the_promise(values, size, ordered):
    values = np.unique(values, return_inverse=True)[1]
    totals = np.bincount(values)
    below = np.cumsum(totals).astype(float)
    area = np.concatenate([[0.0], np.cumsum(below)])
    given = Values(values, totals.astype(float), below, area, ordered)
    members = values[:size]
    expected = reached_by(
        "ordered" if ordered else "equal", values, range(len(members))
    )
    assert distance_to_table(members, given) == expected


def test_several_promises_and_strata():
    rng = np.random.default_rng(0)
    X, strata = rng.normal(size=(300, 2)), np.repeat([0, 1], 150)
    pay, ill = rng.permutation(300), rng.choice(3, 300, p=[0.8, 0.1, 0.1])
    close, diverse = TCloseness(0.2, distance="ordered"), PSensitivity(2)
    inside = TClosenessFirst(close, 5, values=pay)
    both = Enforce(inside, [close, diverse], values=np.column_stack([pay, ill]))
    labels = ByStratum(both, strata=strata).fit_predict(X)
    check = PromiseCheck([close, diverse], np.column_stack([pay, ill]))
    assert check.holds(labels).all()
    assert np.bincount(labels).min() >= 5
    for cell in range(labels.max() + 1):
        assert np.unique(strata[labels == cell]).size == 1


def test_what_makes_a_promise_impossible_is_said():
    X, ill = np.arange(10.0)[:, None], np.array([0] * 9 + [1])
    with pytest.raises(InputError, match=r"reach 0\.9, because.*9 of them \(90 %\)"):
        Enforce(MDAV(2), AlphaAnonymity(0.5)).fit(X, ill)
    with pytest.raises(InputError, match=r"reach 2, because they have 2 value\(s\)"):
        PSensitiveFirst(PSensitivity(3), 3).fit(X, ill)


def test_promises_that_a_part_cannot_build_for():
    X, ill = np.arange(10.0)[:, None], np.arange(10) % 3
    with pytest.raises(ParameterError, match="must be a TCloseness"):
        TClosenessFirst(PSensitivity(2)).fit(X, ill)
    with pytest.raises(ParameterError, match="'ordered' or 'equal'"):
        tree = {0: ["x"], 1: ["x"], 2: ["y"]}
        promise = TCloseness(0.5, distance="hierarchical", hierarchy=tree)
        KAnonymityFirst(promise).fit(X, ill)
    with pytest.raises(ParameterError, match="at least the 3 values"):
        PSensitiveFirst(PSensitivity(3), 2).fit(X, ill)
    with pytest.raises(ValueError, match="requires y"):
        PSensitiveFirst(PSensitivity(2), 2).fit(X)
