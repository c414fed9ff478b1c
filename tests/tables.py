"""Hypothesis strategies: small tables that break careless algorithms."""

import inspect

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

few_values = st.integers(-3, 3).map(float)  # many ties and duplicates
any_values = st.floats(-1e6, 1e6, allow_subnormal=False, width=32)


def grids(least_rows=4, most_rows=40, most_columns=3):
    """Integer grids full of ties; sums on them are exact."""
    shape = st.tuples(st.integers(least_rows, most_rows), st.integers(1, most_columns))
    return arrays(float, shape, elements=few_values)


@st.composite
def tables_and_k(draw, elements=few_values, most_rows=40):
    """A table with n records and a k between 1 and n, often at an edge."""
    n = draw(st.integers(1, most_rows))
    k = draw(st.integers(1, n))
    n = draw(st.sampled_from([n, k, min(2 * k - 1, most_rows), min(2 * k, most_rows)]))
    n = max(n, k)
    shape = st.tuples(st.just(n), st.integers(1, 4))
    return draw(arrays(float, shape, elements=elements)), k


def gaussian(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def seed_of(method):
    """A seed for a method that draws, and few moves for the one that searches long."""
    draws = "random_state" in inspect.signature(method).parameters
    few = {"moves": 1000} if method.__name__ == "best" else {}
    return few | ({"random_state": 0} if draws else {})
