"""Models over confidential values: each against its definition, cell by cell."""

import numpy as np
import polars as pl
import pytest
import slow_models as slow
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell.exceptions import ParameterError, SchemaError
from microcell.privacy import (
    PROMISES,
    AlphaAnonymity,
    BetaLikeness,
    CellModel,
    DeltaDisclosure,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    LDiversity,
    PSensitivity,
    RecursiveDiversity,
    TCloseness,
    View,
    cell_values,
)

HIERARCHY = {"a": ["x", "all"], "b": ["x", "all"], "c": ["y", "all"], "d": ["y", "all"]}
ANCESTORS = {value: [value, *above][1:] for value, above in HIERARCHY.items()}
MODELS = {
    "p": (PSensitivity(2, "ill"), slow.distinct),
    "l": (LDiversity(2, "ill"), slow.distinct),
    "entropy": (EntropyLDiversity(1.5, "ill"), slow.entropy_l),
    "recursive 2": (
        RecursiveDiversity(3, 2, "ill"),
        lambda c, t: slow.recursive(c, t, 2),
    ),
    "recursive 3": (
        RecursiveDiversity(3, 3, "ill"),
        lambda c, t: slow.recursive(c, t, 3),
    ),
    "alpha": (AlphaAnonymity(0.5, "ill"), slow.alpha),
    "delta": (DeltaDisclosure(1, "ill"), slow.delta),
    "beta": (BetaLikeness(1, "ill"), slow.beta),
    "enhanced": (EnhancedBetaLikeness(1, "ill"), slow.enhanced_beta),
    "t equal": (
        TCloseness(0.2, "ill", "equal"),
        lambda c, t: slow.earth_movers(c, t, slow.equal_ground),
    ),
    "t ordered": (
        TCloseness(0.2, "ill", "ordered", order="abcd"),
        lambda c, t: slow.earth_movers(c, t, slow.ordered_ground),
    ),
    "t hierarchical": (
        TCloseness(0.2, "ill", "hierarchical", hierarchy=HIERARCHY),
        lambda c, t: slow.earth_movers(c, t, slow.related_ground(ANCESTORS, 2)),
    ),
}
records = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("abcd")), min_size=1, max_size=25
)


@settings(max_examples=200)
@given(name=st.sampled_from(list(MODELS)), records=records)
def test_what_cells_reach_is_the_definition(name, records):
    model, definition = MODELS[name]
    ages, ill = zip(*records, strict=True)
    view = View(pl.DataFrame({"age": ages, "ill": ill}), ["age"], confidential=["ill"])
    by_age = {age: [i for a, i in records if a == age] for age in ages}
    reached = {age: definition(cell, ill) for age, cell in by_age.items()}
    finding = model.verify(view)
    worst = min if model.at_least else max
    assert finding.found == pytest.approx(worst(reached.values()), abs=1e-9)
    assert finding.promised == model.level
    failing = 0
    for age, level in reached.items():
        if abs(level - model.level) < 1e-9:
            keeps = not model.strict
        else:
            keeps = (level > model.level) == model.at_least
        failing += 0 if keeps else len(by_age[age])
    assert finding.records_failing == failing


@settings(max_examples=200)
@given(name=st.sampled_from(list(MODELS)), seed=st.integers(0, 10**6))
def test_the_union_of_two_cells_that_keep_it_keeps_it(name, seed):
    """What lets cells be merged, and makes the whole table the best that is reached."""
    model = MODELS[name][0]
    rng = np.random.default_rng(seed)
    codes, cells = rng.integers(0, 4, 30), np.sort(rng.integers(0, 3, 30))
    cells = np.unique(cells, return_inverse=True)[1]
    totals = np.bincount(codes, minlength=4) + rng.integers(0, 9, 4)
    apart = model.levels(cell_values(cells, codes, totals))
    merged = model.levels(cell_values(np.minimum(cells, 1), codes, totals))
    slack = 1e-12
    if cells.max() == 2 and model.at_least:
        assert merged[1] >= apart[1:].min() - slack
    elif cells.max() == 2:
        assert merged[1] <= apart[1:].max() + slack


def test_bounds_that_are_met_exactly():
    """Non-strict bounds hold when met, strict ones do not."""
    cells = cell_values(np.array([0] * 4 + [1] * 4), np.array([0, 0, 1, 1, 0, 1, 2, 2]))
    assert TCloseness(0.25, distance="equal").cells_hold(cells).all()
    assert not TCloseness(0.2499, distance="equal").cells_hold(cells).any()
    assert AlphaAnonymity(0.5).cells_hold(cells).all()
    assert EntropyLDiversity(2).cells_hold(cells).tolist() == [True, True]
    assert RecursiveDiversity(1, 2).cells_hold(cells).tolist() == [False, False]
    assert RecursiveDiversity(1.01, 2).cells_hold(cells).tolist() == [True, True]
    alone = cell_values(np.zeros(4, int), np.array([0, 0, 1, 1]), np.array([3, 1]))
    assert BetaLikeness(1).cells_hold(alone).all()
    assert not DeltaDisclosure(float(np.log(2))).cells_hold(alone).any()


@pytest.mark.parametrize("n_values", [3, 5, 7, 10])
def test_equally_frequent_values_reach_their_number(n_values):
    cells = cell_values(np.zeros(n_values * 3, int), np.arange(n_values * 3) % n_values)
    assert EntropyLDiversity(n_values).cells_hold(cells).all()


@settings(max_examples=40)
@given(records=st.lists(st.integers(0, 60), min_size=2, max_size=60))
def test_a_bound_at_the_ordered_distance_holds(records):
    """In whole numbers up to one division: no cell fails by rounding."""
    values = np.array(records)
    codes = np.unique(values, return_inverse=True)[1]
    cells = np.arange(values.size) % 2
    reached = TCloseness(1, distance="ordered").levels(cell_values(cells, codes))
    m, n = codes.max() + 1, values.size
    for cell in range(2):
        own = codes[cells == cell]
        gap = sum(
            abs(int((own <= v).sum()) * n - int((codes <= v).sum()) * own.size)
            for v in range(m)
        )
        assert reached[cell] == (gap / (own.size * n * (m - 1)) if m > 1 else 0)


def view_of(**columns):
    table = pl.DataFrame({"age": [30, 30, 41, 41], **columns})
    return View(table, ["age"], confidential=list(columns))


def test_the_order_of_values_is_theirs_and_not_that_of_text():
    numbers = view_of(pay=[9, 10, 100, 11])
    texts = view_of(pay=["9", "10", "100", "11"])
    dates = view_of(pay=["2024-01-09", "2024-01-10", "2024-03-01", "2024-01-11"])
    found = {TCloseness(0.5, "pay").verify(v).found for v in (numbers, texts, dates)}
    assert found == {1 / 3}
    assert "ordered" in TCloseness(0.5, "pay").verify(texts).promise
    enum = pl.Series(["no", "bit", "lot", "lot"], dtype=pl.Enum(["no", "bit", "lot"]))
    assert TCloseness(0.5, "pay", "ordered").verify(view_of(pay=enum)).found == 0.375
    words = view_of(pay=["no", "bit", "lot", "lot"])
    assert (
        TCloseness(0.5, "pay", order=["no", "bit", "lot"]).verify(words).found == 0.375
    )
    assert TCloseness(0.5, "pay").verify(words).promise == "t-closeness of pay (equal)"
    with pytest.raises(SchemaError, match="have no order"):
        TCloseness(0.5, "pay", "ordered").verify(words)
    with pytest.raises(SchemaError, match="leaves out values of 2 record"):
        TCloseness(0.5, "pay", order=["no", "bit"]).verify(words)


def test_a_missing_value_is_a_value_the_last_in_order():
    with_gap = view_of(pay=[1.0, 2.0, None, float("nan")])
    instead = view_of(pay=[1.0, 2.0, 3.0, 3.0])
    for model in (
        TCloseness(0.5, "pay"),
        EntropyLDiversity(2, "pay"),
        BetaLikeness(1, "pay"),
    ):
        assert model.verify(with_gap).found == model.verify(instead).found
    hierarchy = {"1.0": ["x"], "2.0": ["x"]}
    found = TCloseness(0.5, "pay", hierarchy=hierarchy).verify(with_gap).found
    assert found == 0.5  # half of the records are across the root


def test_columns_jointly():
    view = view_of(
        ill=["flu", "flu", "gout", "flu"], job=["cook", "clerk", "cook", "cook"]
    )
    each = [p.verify(view).found for p in LDiversity(2).bind(["ill", "job"])]
    assert each == [1, 1]
    jointly = LDiversity(2, ("ill", "job"))
    assert jointly.bind(["ill", "job"]) == [jointly]
    finding = jointly.verify(view)
    assert finding.holds and finding.promise == "l-diversity of ill and job"
    assert LDiversity.from_dict({"l": 2, "column": ["ill", "job"]}) == jointly
    with pytest.raises(SchemaError, match="'age', which is not confidential"):
        LDiversity(2, ("ill", "age")).bind(["ill", "job"])
    with pytest.raises(SchemaError, match="neither order nor hierarchy"):
        TCloseness(0.2, ("ill", "job"), "ordered")


def test_one_sensitive_value():
    view = view_of(ill=["hiv", "flu", "flu", "flu"])
    assert AlphaAnonymity(0.5, "ill", "hiv").verify(view).found == 0.5
    assert AlphaAnonymity(0.5, "ill").verify(view).found == 1.0
    with pytest.raises(SchemaError, match="is on no record"):
        AlphaAnonymity(0.5, "ill", "HIV").verify(view)
    with pytest.raises(SchemaError, match="of one column"):
        AlphaAnonymity(0.5, value="hiv")


def test_what_a_promise_has_no_use_for_is_refused():
    with pytest.raises(SchemaError, match="no use for order"):
        TCloseness(0.2, distance="equal", order=["a"])
    with pytest.raises(SchemaError, match="needs a hierarchy"):
        TCloseness(0.2, distance="hierarchical")
    with pytest.raises(SchemaError, match="leaves out values of 1 record"):
        view = view_of(ill=["a", "b", "c", "e"])
        TCloseness(0.2, "ill", hierarchy=HIERARCHY).verify(view)
    with pytest.raises(ParameterError, match="which a table resolves"):
        TCloseness(0.2).levels(cell_values(np.zeros(2, int), np.arange(2)))
    for model, wrong in ((LDiversity, 1), (EntropyLDiversity, 0.5), (TCloseness, 2)):
        with pytest.raises(ParameterError):
            model(wrong)


@for_each("promise", [*(model for model, _ in MODELS.values()), LDiversity(3)])
def test_models_can_be_written_down(promise):
    assert isinstance(promise, CellModel)
    assert PROMISES[promise.name].from_dict(promise.to_dict()) == promise
