"""What needs more than sums: people, strata, weights, gaps and rare values in parts."""

import numpy as np
import polars as pl
import pytest
from engines.in_parts import run_in_parts, split
from marks import for_each

from microcell import Schema
from microcell.exceptions import InputError, SchemaError
from microcell.pipeline import _job, _order_statistics, _task
from microcell.privacy import LDiversity, TCloseness
from microcell.recipe import Recipe
from microcell.release._anonymize import apply_recipe


@pytest.fixture(autouse=True)
def small_buckets(monkeypatch):
    monkeypatch.setattr(_job, "IN_A_BUCKET", 100)


def visits(n=600, seed=0):
    """Several records of most people, small strata, gaps and rare categories."""
    rng = np.random.default_rng(seed)
    person = rng.integers(0, n // 2, n)
    ward = np.where(person < 4, "tiny", np.where(person % 3, "north", "south"))
    frame = pl.DataFrame(
        {
            "person": [f"p{number}" for number in person],
            "age": rng.integers(18, 90, n),
            "pay": rng.lognormal(8, 1, n).round(1),
            "job": rng.choice(
                ["nurse", "cook", "clerk", "smith"], n, p=[0.5, 0.3, 0.17, 0.03]
            ),
            "pain": rng.choice(["no", "some", "much"], n),
            "ward": ward,
            "weight": rng.uniform(0.9, 2, n).round(3),
            "ill": rng.choice(["flu", "gout", "cold"], n, p=[0.5, 0.3, 0.2]),
        }
    )
    known = pl.Series(rng.random(n) > 0.06)
    return frame.with_columns(
        gap=pl.when(known).then(pl.Series(rng.normal(size=n).round(2))),
        town=pl.when(known.reverse()).then(pl.Series(rng.choice(["a", "b", "c"], n))),
    )


PEOPLE = {"unit": "person"}
RECORDS = {"unit": "records"}
GAPS = {"quasi": ["age", "gap", "town"], "missing": "impute"}
BY_WARD = {"strata": ["ward"], "small_strata": "merge"}
RARE = {"quasi": ["age", "job"], "rare": "merge", "rare_below": 40}
SHARES = {"quasi": ["age", "pay"], "clip": {"pay": "2%:95%", "age": ":99%"}}
APART = PEOPLE | {"unit_records": "apart"}
CASES = {
    "people": PEOPLE,
    "people and promises": PEOPLE | {"promises": [LDiversity(2), TCloseness(0.4)]},
    "people in blocks": PEOPLE | {"method": "individual-ranking"},
    "strata": RECORDS | {"strata": ["ward"], "k": 3},
    "strata that are released": RECORDS | BY_WARD | {"others": ["ward", "drop"]},
    "strata of people": PEOPLE | BY_WARD | {"others": ["ward", "drop"]},
    "weights": RECORDS | {"weights": "weight"},
    "weights of people": PEOPLE | {"weights": "weight", "k": 8},
    "gaps": RECORDS | GAPS,
    "gaps in order": RECORDS | GAPS | {"quasi": ["age", "pain"], "pain": True},
    "apart": APART,
    "apart with promises": APART | {"promises": [LDiversity(2), TCloseness(0.4)]},
    "apart with weights": APART | {"weights": "weight", "k": 8},
    "apart with limits and rare categories": APART
    | RARE
    | {"quasi": ["age", "pay", "job"], "clip": {"pay": "2%:95%", "age": ":60"}},
    "apart in strata that change within people": APART
    | {
        "quasi": ["age", "pay"],
        "strata": ["job"],
        "small_strata": "merge",
        "k": 20,
        "others": ["job", "drop"],
    },
    "rare categories": RECORDS | RARE,
    "rare categories of people": PEOPLE | RARE,
    "shares": RECORDS | SHARES,
    "shares of people": PEOPLE | SHARES,
    "quartiles": RECORDS
    | {"scale": "robust", "quasi": ["age", "gap"], "missing": "ignore"},
    "quartiles of what was clipped": PEOPLE
    | GAPS
    | SHARES
    | {"scale": "robust", "quasi": ["age", "pay", "gap"]},
}
EVERYTHING = (
    PEOPLE
    | BY_WARD
    | {
        "quasi": ["age", "pay", "gap", "job"],
        "missing": "impute",
        "rare": "merge",
        "rare_below": 40,
        "scale": "robust",
        "clip": {"pay": "2%:95%"},
        "weights": "weight",
        "others": ["ward", "drop"],
        "promises": [LDiversity(2)],
    }
)


def recipe_of(*, quasi=("age", "pay", "job"), shard=120, k=5, others="drop", **options):
    kinds = {"pain": ["no", "some", "much"]} if options.pop("pain", False) else {}
    schema = Schema(
        quasi, identifiers="person", confidential="ill", others=others, kinds=kinds
    )
    return Recipe(schema, k=k, shard=shard, **options)


def table_of(case):
    table = visits()
    if case.get("pain"):
        gap = pl.Series(np.random.default_rng(1).random(table.height) < 0.1)
        table = table.with_columns(pain=pl.when(~gap).then("pain"))
    return table if case.get("small_strata") else table.filter(pl.col("ward") != "tiny")


def assert_same_release(released, found, whole, losses=True):
    """The records, what was promised, what is given away and lost, and what is said."""
    columns = whole.table.columns
    assert released.select(columns).sort(columns).equals(whole.table.sort(columns))
    assert [str(f) for f in found.findings] == [str(f) for f in whole.findings]
    assert list(found.disclosure) == list(whole.disclosure)
    for name, scores in whole.disclosure.items():
        assert dict(found.disclosure[name]) == pytest.approx(dict(scores), rel=1e-9)
    shared = set(found.scores) & set(whole.scores)
    assert {"relative_loss", "prosecutor_average_risk"} <= shared
    if whole.units is not None:
        assert "household_max_risk" in shared
    if whole.recipe.weights is not None:
        assert "journalist_average_risk" in shared
    for name in shared if losses else ():
        assert found.scores[name] == pytest.approx(whole.scores[name], rel=1e-9)
    assert found.n_people == whole.n_people
    assert found.n_strata == whole.n_strata
    assert found.columns == whole.columns
    uncounted = "who knows all records of one"  # counted in memory alone

    def decided(release):
        return [said for said in release.decide if not said.startswith(uncounted)]

    assert decided(found) == decided(whole)
    if whole.recipe.unit_records == "apart":
        assert any(said.startswith(uncounted) for said in found.decide)


@for_each("case", CASES)
def test_parts_give_the_release_of_the_table(case):
    options = CASES[case]
    table = table_of(options)
    recipe = recipe_of(**options)
    whole = apply_recipe(table, recipe)
    released, found = run_in_parts(split(table, 4, seed=1), recipe)
    assert found.n_shards > 1
    assert_same_release(released, found, whole)


@for_each("form", ["together", "apart"])
def test_everything_at_once(form):
    recipe = recipe_of(**EVERYTHING, unit_records=form)
    table = visits()
    whole = apply_recipe(table, recipe)
    released, found = run_in_parts(split(table, 3), recipe)
    assert_same_release(released, found, whole)
    said = [n for n in whole.notices if "the table was cut" not in n]
    assert list(found.notices) == said


def test_records_of_a_person_share_a_cell_and_strata_keep_apart():
    recipe = recipe_of(**PEOPLE, strata=["ward"], others=["ward", "drop"])
    table = table_of({}).with_columns(mark=pl.col("person"))
    schema = Schema(
        ["age", "pay"], identifiers="person", others=["ward", "mark", "drop"]
    )
    recipe = Recipe(
        schema, k=5, shard=120, **PEOPLE, strata=["ward"], allow_unique=["mark"]
    )
    released, _ = run_in_parts(split(table, 3), recipe)
    cells = released.group_by("mark").agg(pl.struct("age", "pay").n_unique())
    assert cells["age"].max() == 1
    people = released.group_by("age", "pay").agg(
        pl.col("mark").n_unique(), pl.col("ward").n_unique()
    )
    assert people["mark"].min() >= 5 and people["ward"].max() == 1


def test_of_many_distinct_records_a_sample_tells_the_same_everywhere(monkeypatch):
    for module in (_task, _order_statistics):
        monkeypatch.setattr(module, "SAMPLED", 150)
    monkeypatch.setattr("microcell.pipeline._sampled.SAMPLED", 150)
    options = CASES["quartiles of what was clipped"]
    recipe = recipe_of(**options)
    table = visits()
    whole = apply_recipe(table, recipe)
    released, found = run_in_parts(split(table, 3), recipe)
    # Memory knows the quartiles that losses are counted by from all records.
    assert_same_release(released, found, whole, losses=False)
    assert any("of a sample of 150 distinct records" in n for n in found.notices)
    assert any("of a sample of 150 distinct records" in n for n in whole.notices)


@for_each(
    ("change", "options", "said"),
    [
        ({"person": None}, PEOPLE, "is the unit that k counts, but 5 record"),
        ({"weight": None}, RECORDS | {"weights": "weight"}, r"5 record\(s\) have none"),
        ({"weight": 0.0}, RECORDS | {"weights": "weight"}, "not positive and finite"),
        ({"ward": None}, RECORDS | {"strata": ["ward"]}, "has missing values"),
        (
            {"ward": "x"},
            RECORDS | {"strata": ["ward"], "k": 6},
            "fewer than k=6 records",
        ),
        ({"ward": "x"}, PEOPLE | {"strata": ["ward"], "k": 3}, "more than one stratum"),
    ],
)
def test_what_memory_refuses_is_refused_in_parts(change, options, said):
    ((name, value),) = change.items()
    table = table_of({})
    some = pl.int_range(table.height) < 5
    table = table.with_columns(
        pl.when(some).then(pl.lit(value)).otherwise(name).alias(name)
    )
    recipe = recipe_of(**options)
    errors = []
    for run in (apply_recipe, lambda t, r: run_in_parts(split(t, 3), r)):
        with pytest.raises(SchemaError, match=said) as caught:
            run(table, recipe)
        errors.append(str(caught.value))
    assert errors[0] == errors[1]


def test_fewer_people_than_k_are_refused():
    recipe = recipe_of(**PEOPLE, k=400)
    with pytest.raises(InputError, match=r"value\(s\) of 'person' to release, fewer"):
        run_in_parts(split(visits(), 3), recipe)


def test_a_person_who_decides_a_cell_is_refused():
    table = visits()
    one = pl.col("person") == table["person"][0]
    table = table.with_columns(weight=pl.when(one).then(1e9).otherwise("weight"))
    recipe = recipe_of(**PEOPLE, weights="weight")
    with pytest.raises(InputError, match=r"In 1 cell\(s\) one person has more than 90"):
        run_in_parts(split(table, 3), recipe)


@pytest.mark.parametrize(
    ("options", "option"),
    [
        (RECORDS | GAPS | {"imputer": "knn"}, "imputer"),
        (PEOPLE | {"method": "random-aggregation"}, "unit"),
    ],
)
def test_what_needs_all_records_is_refused(options, option):
    recipe = recipe_of(**options)
    with pytest.raises(InputError, match="cannot be cut into shards") as caught:
        run_in_parts([visits()], recipe)
    assert caught.value.option == option


def test_the_limit_of_a_share_is_shared_by_k_people():
    table = visits()
    high = table.filter(pl.col("person") == table["person"][0])
    table = pl.concat([table, high.with_columns(pay=pl.lit(1e7))] * 1)
    recipe = recipe_of(**PEOPLE, quasi=["pay"], clip={"pay": ":99.9%"}, method="mdav")
    released, _ = run_in_parts(split(table, 3), recipe)
    assert released["pay"].max() < 1e6


def test_what_travels_names_nobody():
    import pickle

    table = visits().with_columns(person="Ann " + pl.col("person"))
    task = _task.Task(recipe_of(**PEOPLE), dict(table.schema))
    summary = task.learn(table.select(task.needs), None)
    job = task.plan(summary)
    routed = job.route(table.select(task.needs), None)
    for thing in (summary, job, routed):
        assert b"Ann" not in pickle.dumps(thing)
