"""Constraints: how they are read, kept, and missed."""

import math
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import for_each

from microcell.exceptions import InputError
from microcell.selection._constraints import COMPARE, Constraint, as_constraints

SHARE = SimpleNamespace(name="distance_linkage_risk", label="", unit="share")
NUMBER = SimpleNamespace(name="t_distance_max", label="", unit="number")


@for_each(
    ("text", "name", "op", "value"),
    [
        ("linkage <= 5%", "linkage", "<=", 0.05),
        ("t<=0.2", "t", "<=", 0.2),
        ("k >= 10", "k", ">=", 10),
        ("accuracy:income > 0.8", "accuracy:income", ">", 0.8),
        ("uniform <= 0.1", "uniform", "<=", 0.1),
        (" p = 2 ", "p", "=", 2),
        ("p == 2", "p", "=", 2),
        ("loss < 12.5 %", "loss", "<", 0.125),
        ("loss ≤ .5", "loss", "<=", 0.5),
        ("loss ≥ 1e-3", "loss", ">=", 0.001),
        ("r2:pay > -0.5", "r2:pay", ">", -0.5),
        ("t:monthly pay <= 0.2", "t:monthly pay", "<=", 0.2),
        ("t:pay<=50K <= 0.2", "t:pay<=50K", "<=", 0.2),
        ("t:a and b <= 0.2", "t:a and b", "<=", 0.2),
    ],
)
def test_reads_what_people_write(text, name, op, value):
    assert as_constraints([text]) == [Constraint(name, op, value)]


@for_each(
    "text",
    ["", "linkage", "linkage <=", "<= 5", "linkage <= five", "linkage 5", "k => 3"],
)
def test_refuses_what_is_none(text):
    with pytest.raises(InputError, match="where"):
        as_constraints([text])


def test_several_in_one_text():
    assert as_constraints("linkage <= 5%, t <= 0.2; uniform<=1% and k >= 10") == [
        Constraint("linkage", "<=", 0.05),
        Constraint("t", "<=", 0.2),
        Constraint("uniform", "<=", 0.01),
        Constraint("k", ">=", 10),
    ]


def test_forms_are_the_same():
    both = [Constraint("linkage", "<=", 0.05), Constraint("k", ">=", 10)]
    assert as_constraints({"linkage": "<=5%", "k": (">=", 10)}) == both
    assert as_constraints(["linkage<=5%", both[1]]) == both
    assert as_constraints(both[0]) == both[:1]
    assert as_constraints(None) == []


@pytest.mark.parametrize("where", [5, {"k": 10}, [None, 3], {"k": (">=", "ten")}])
def test_refuses_other_forms(where):
    with pytest.raises(InputError, match="where"):
        as_constraints(where)


def test_a_mapping_takes_any_name():
    name = "t:pay, in <b>"
    assert as_constraints({name: "<= 20%"}) == [Constraint(name, "<=", 0.2)]


@pytest.mark.parametrize("value", [math.nan, math.inf, True, None])
def test_limit_is_a_number(value):
    with pytest.raises(InputError, match="number"):
        Constraint("k", ">=", value)


def test_a_share_is_at_most_one():
    with pytest.raises(InputError, match=r"Did you mean 5%\?"):
        Constraint.parse("linkage <= 5").resolved(SHARE)
    with pytest.raises(InputError, match="from 0 to 1"):
        Constraint.parse("linkage <= -1").resolved(SHARE)
    assert Constraint.parse("t <= 5").resolved(NUMBER).name == "t_distance_max"


numbers = st.floats(-100, 100)


@given(op=st.sampled_from(sorted(COMPARE)), value=numbers, found=numbers)
def test_met_or_missed(op, value, found):
    constraint = Constraint("t", op, value)
    meant = {
        "<=": found <= value,
        "<": found < value,
        ">=": found >= value,
        ">": found > value,
        "=": found == value,
    }[op]
    assert constraint.met_by({"t": found}) == meant
    assert (constraint.excess({"t": found}) == 0) == meant
    assert math.isfinite(constraint.excess({"t": found}))


@pytest.mark.parametrize("figures", [{}, {"t": math.nan}, {"other": 0.0}])
def test_what_is_not_measured_is_not_met(figures):
    constraint = Constraint("t", "<=", 1.0)
    assert not constraint.met_by(figures)
    assert constraint.excess(figures) == math.inf


@given(name=st.sampled_from(["t", "t:a b", "k"]), op=st.sampled_from(sorted(COMPARE)))
def test_text_reads_back(name, op):
    constraint = Constraint(name, op, 0.25)
    assert as_constraints(str(constraint)) == [constraint]
