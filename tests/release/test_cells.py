"""How many cells a release says that it has."""

import polars as pl

from microcell import Schema, anonymize

TABLE = pl.DataFrame({"age": [20, 21, 40, 41, 60, 61], "bmi": [1, 1, 1, 9, 9, 9]})
SCHEMA = Schema(["age", "bmi"], kinds={"bmi": "numeric"})


def test_cells_of_the_whole_table():
    release = anonymize(TABLE, SCHEMA, k=2, method="mdav")
    assert release.cells == release.certificate()["cells"] == [3]
    assert "cells               3\n" in release.summary()


def test_cells_of_each_block():
    release = anonymize(TABLE, SCHEMA, k=3, method="individual-ranking")
    assert release.cells == release.certificate()["cells"] == [2, 2]
    assert "cells               2, 2\n" in release.summary()
