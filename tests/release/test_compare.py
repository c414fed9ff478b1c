"""compare: which candidates there are, what they are measured by, and the frontier."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell import METHODS, Schema, compare
from microcell.exceptions import InputError
from microcell.release._pareto import efficient


def people(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "bmi": rng.normal(25, 4, n).round(1),
            "sex": rng.choice(["f", "m"], n),
            "ill": rng.choice(["no", "flu", "gout"], n),
        }
    )


SCHEMA = Schema(["age", "bmi", "sex"], confidential="ill")


def slow_efficient(x, y):
    """Point by point: is there one that is no worse in both and better in one?"""
    points = list(zip(x, y, strict=True))
    return [
        not (np.isnan(a) or np.isnan(b))
        and not any(c <= a and d <= b and (c < a or d < b) for c, d in points)
        for a, b in points
    ]


few_values = st.sampled_from([0.0, 1.0, 2.0, 3.0, np.inf, np.nan])


@given(st.lists(st.tuples(few_values, few_values), max_size=12))
def test_same_frontier_as_slow_twin(points):
    x, y = np.array(points, dtype=float).reshape(-1, 2).T
    assert efficient(x, y).tolist() == slow_efficient(x, y)


def test_candidates_are_methods_times_parameters_times_k():
    compared = compare(
        people(),
        SCHEMA,
        methods=["mdav", "vmdav"],
        k=[3, 6],
        grid={"vmdav": {"gamma": [0.1, 0.9]}},
        n_jobs=1,
    )
    assert [c.label for c in compared.candidates] == [
        "mdav, k=3",
        "mdav, k=6",
        "vmdav gamma=0.1, k=3",
        "vmdav gamma=0.9, k=3",
        "vmdav gamma=0.1, k=6",
        "vmdav gamma=0.9, k=6",
    ]
    assert all(c.error is None for c in compared.candidates)
    assert compared.values("k").min() >= 3


def test_default_methods_are_those_that_apply_and_the_others_have_reasons():
    compared = compare(people(), SCHEMA, k=5, n_jobs=1)
    tried = {c.recipe.method_name for c in compared.candidates}
    assert tried | set(compared.left_out) == set(METHODS)
    assert "differentially private" in compared.left_out["dp-microaggregation"]
    assert tried == set(METHODS) - {"dp-microaggregation"}


def test_unknown_parameter_of_the_grid():
    with pytest.raises(InputError, match="parameter 'gama'"):
        compare(people(), SCHEMA, methods=["vmdav"], grid={"gama": [0.1]})
