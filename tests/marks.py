"""Parameters of tests: of which some are slow, and many of one fact in one test."""

import functools
import inspect

import pytest


def slow(*values):
    """A parameter, or one for each name, that only `make test-all` tries."""
    return pytest.param(*values, marks=pytest.mark.slow)


def first_is_quick(values, n_quick=1):
    """Parameters of one fact: the first show it, the others are slow tests."""
    values = list(values)
    return [*values[:n_quick], *map(slow, values[n_quick:])]


def for_each(names, values):
    """As `pytest.mark.parametrize`, in one test: for many values of one fact.

    The first that fails is named. Fixtures are those of the one test.
    """
    is_one = isinstance(names, str) and "," not in names
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",")]
    rows = [[value] if is_one else value for value in values]
    assert rows, f"there are no values of {names}"

    def decorate(test):
        @functools.wraps(test)
        def run(**others):
            for row in rows:
                one = dict(zip(names, row, strict=True))
                try:
                    test(**others, **one)
                except BaseException as error:
                    error.add_note(f"with {one}"[:1000])
                    raise

        signature = inspect.signature(test)
        kept = [p for n, p in signature.parameters.items() if n not in names]
        run.__signature__ = signature.replace(parameters=kept)
        return run

    return decorate
