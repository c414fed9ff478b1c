"""Work grows with the columns of a table, not with their square or cube."""

import sys
from collections import Counter

import numpy as np
import polars as pl
import pytest

from microcell import Schema, anonymize
from microcell.inspection import inspect
from microcell.recipe import Recipe
from microcell.release import anonymize_file, check_file

MIN_PEOPLE, TIMES = 30, 4
MORE = 1.5 * TIMES  # calls that may be made of so many times the columns; 16 if squared


def wide(n_columns, n_records=40):
    rng = np.random.default_rng(0)
    people = {"age": rng.integers(20, 60, n_records), "sex": ["f", "m"] * 20}
    more = {f"c{i:04}": rng.integers(0, 4, n_records) for i in range(n_columns)}
    return pl.DataFrame(people | more)


def calls_of(work):
    """How often each function is called, those in C as well."""
    calls = Counter()

    def see(frame, event, of_c):
        if event == "call":
            calls[frame.f_code.co_filename, frame.f_code.co_name] += 1
        elif event == "c_call":
            calls["C", of_c.__qualname__] += 1

    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def in_memory(n, folder, **options):
    kept = [f"c{i:04}" for i in range(0, n, 2)]
    schema = Schema(["age", "sex"], confidential=kept, others="keep")
    anonymize(wide(n), schema, k=3, method="mdav", **options)


def in_shards(n, folder):
    in_memory(n, folder, shard=20)


def on_disk(n, folder):
    path = folder / f"{n}.csv"
    wide(n).write_csv(path)
    recipe = Recipe(Schema(["age", "sex"], others="drop"), k=3, method="mdav")
    anonymize_file(path, recipe, folder / f"released{n}", engine="disk", jobs=1)


def inspected(n, folder):
    inspect(wide(n))


def checked(n, folder):
    path = folder / f"{n}.csv"
    wide(n).write_csv(path)
    check_file(path, ["age"], k=1)


@pytest.mark.parametrize("work", [in_memory, in_shards, on_disk, inspected, checked])
def test_calls_grow_with_columns(work, tmp_path):
    work(5, tmp_path)  # what is imported and compiled once
    few = calls_of(lambda: work(MIN_PEOPLE, tmp_path))
    many = calls_of(lambda: work(TIMES * MIN_PEOPLE, tmp_path))
    grown = {
        k: (few[k], n) for k, n in many.items() if n > MORE * few[k] + 4 * MIN_PEOPLE
    }
    assert not grown


def test_names_are_compared_once_for_each_column():
    class Name(str):
        compared = 0

        def __eq__(self, other):
            Name.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    def comparisons(n):
        names = [Name(f"c{i}") for i in range(n)]
        schema = Schema(["c0"], confidential=[f"c{i}" for i in range(1, n)])
        Name.compared = 0
        schema.released(names)
        schema.left_out(names)
        return Name.compared

    assert comparisons(400) < MORE * comparisons(100) + 100
