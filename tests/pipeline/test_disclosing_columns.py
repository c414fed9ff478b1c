"""What stands beside masked columns and gives them away is said first."""

import numpy as np
import polars as pl
import pytest
from marks import for_each

from microcell import Schema, anonymize
from microcell.recipe import Recipe
from microcell.release import anonymize_file

N = 400
RNG = np.random.default_rng(0)
AGE = RNG.integers(20, 90, N)
CITY = RNG.integers(0, 20, N)
TABLE = pl.DataFrame(
    {
        "age": AGE,
        "city": [f"city {c}" for c in CITY],
        "income": RNG.lognormal(10, 1, N).round(2),
        "ill": RNG.choice(["flu", "HIV", "cold"], N),
        "gp": [f"{a:x}" for a in AGE // 3],  # says something, but not the age
    }
)
KNOWS = "who knows 'x' knows '{}' as well: it follows from it; mask it or leave it out"
SAYING = {
    "a copy": (AGE, "age"),
    "a function": (2026 - AGE, "age"),
    "nearly": (np.where(np.arange(N) < 3, 50, 2026 - AGE), "age"),
    "other names": ([f"c{c * 7 % 20}" for c in CITY], "city"),
    "finer": ([f"c{c}-{i % 3}" for i, c in enumerate(CITY)], "city"),
    "in an order": (-12.5 * TABLE["income"].to_numpy(), "income"),
}
SILENT = {
    "drawn": RNG.integers(0, 20, N),
    "coarser": CITY // 5,
    "with noise": AGE + RNG.integers(-3, 4, N),
    "constant": np.ones(N),
    "hardly anybody shares": RNG.lognormal(5, 1, N).round(2),
}


def decided(values, role, **options):
    table = TABLE.with_columns(x=pl.Series(values))
    roles = {"confidential": ["ill"], "others": ["drop"]}
    roles[role] = [*roles[role], "x"]
    schema = Schema(["age", "city", "income"], **roles)
    return anonymize(table, schema, k=5, **options).decide


@for_each("role", ["confidential", "others"])
@for_each("what", SAYING)
def test_a_column_that_says_a_masked_one_stands_first(what, role):
    values, masked = SAYING[what]
    named = {} if role == "confidential" else {"allow_unique": ["x"]}
    assert KNOWS.format(masked) in decided(values, role, **named)[: 1 + len(named)]


@for_each("what", SILENT)
def test_a_column_that_does_not_say_it_is_silent(what):
    assert not [d for d in decided(SILENT[what], "confidential") if "follow" in d]


@pytest.mark.parametrize("engine", ["memory", "disk"])
def test_others_that_are_called_as_what_people_know_are_said(tmp_path, engine):
    table = TABLE.rename({"gp": "postcode"})
    table.write_parquet(tmp_path / "in.parquet")
    schema = Schema(["age"], confidential="ill", others=["postcode", "drop"])
    out = tmp_path / ("out" if engine == "disk" else "out.parquet")
    recipe = Recipe(schema, k=5)
    _, document = anonymize_file(tmp_path / "in.parquet", recipe, out, engine=engine)
    assert document["decide"][0].startswith("'postcode' is released as it is, and")
    strata = Schema(["age"], confidential="ill", others=["city", "drop"])
    release = anonymize(table, strata, k=2, strata="city")
    assert not [said for said in release.decide if "'city'" in said]


def test_people_with_many_records_are_compared_once():
    """What is a person's own says everything of the person, which is known."""
    person = np.repeat(np.arange(N), 4)
    cost = RNG.lognormal(5, 1, N)[person]
    table = TABLE[person.tolist()].with_columns(person=person, x=cost)
    schema = Schema(["age"], identifiers="person", confidential="x", others="drop")
    release = anonymize(table, schema, k=5, unit="person")
    assert release.decide == ("who knows 'x' finds 100 % of the people",)
