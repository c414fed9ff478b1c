"""Parameters of tests of which some are slow."""

import pytest


def slow(*values):
    """A parameter, or one for each name, that only `make test-all` tries."""
    return pytest.param(*values, marks=pytest.mark.slow)


def first_is_quick(values, n_quick=1):
    """Parameters of one fact: the first show it, the others are slow tests."""
    values = list(values)
    return [*values[:n_quick], *map(slow, values[n_quick:])]
