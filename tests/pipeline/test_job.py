"""A sharded run over parts equals the one in memory, whatever the parts are."""

import datetime as dt
import pickle

import numpy as np
import polars as pl
import pytest
from engines.in_parts import run_in_parts, split
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell import Schema
from microcell.exceptions import InputError, PrivacyError, SchemaError
from microcell.pipeline import _job, _values
from microcell.pipeline._task import Task
from microcell.privacy import (
    AlphaAnonymity,
    KAnonymity,
    LDiversity,
    PSensitivity,
    TCloseness,
)
from microcell.recipe import Recipe
from microcell.release._anonymize import apply_recipe

MEASURED_IN_BOTH = (
    "relative_loss",
    "sse_loss",
    "mse_distortion",
    "prosecutor_max_risk",
    "prosecutor_average_risk",
)
COMPARED_WITH_TABLE = ("table_share", "t_distance_max", "t_distance_mean")


@pytest.fixture(autouse=True)
def small_buckets(monkeypatch):
    monkeypatch.setattr(_job, "IN_A_BUCKET", 300)


def in_order(table):
    return table.sort(table.columns)


def people(n, seed=0):
    """A table with columns of every kind, ties, and missing values."""
    rng = np.random.default_rng(seed)
    days = [
        dt.date(1950, 1, 1) + dt.timedelta(int(d)) for d in rng.integers(0, 9000, n)
    ]
    gaps = rng.random((n, 2)) < 0.08
    return pl.DataFrame(
        {
            "name": [f"p{i}" for i in range(n)],
            "height": rng.normal(size=n),
            "weight": rng.normal(size=n).round(1),
            "sex": rng.integers(1, 3, n),
            "age": rng.integers(18, 90, n),
            "job": rng.choice(["nurse", "cook", "clerk"], n),
            "pain": rng.choice(["no", "some", "much"], n),
            "born": days,
            "pay": [
                None if g else float(v)
                for g, v in zip(gaps[:, 0], rng.normal(size=n), strict=True)
            ],
            "town": [
                None if g else v
                for g, v in zip(gaps[:, 1], rng.choice(["a", "b"], n), strict=True)
            ],
            "ill": rng.choice(["flu", "gout", "cold"], n, p=[0.5, 0.3, 0.2]),
        }
    )


CASES = {
    "numbers": (["height", "weight"], {}),
    "kinds": (["height", "job", "sex", "age", "born"], {}),
    "order": (["weight", "pain"], {"kinds": {"pain": ["no", "some", "much"]}}),
    "gaps apart": (["height", "pay", "town"], {"missing": "category"}),
    "gaps ignored": (["height", "pay", "town"], {"missing": "ignore"}),
    "gaps dropped": (["height", "pay", "town"], {"missing": "drop"}),
    "intervals": (
        ["height", "age"],
        {"aggregate": "interval", "ends": "rounded", "clip": {"age": "20:80"}},
    ),
    "sets": (["job", "age"], {"representatives": {"job": "set"}}),
    "blocks": (["height", "weight"], {"method": "individual-ranking"}),
    "seeded": (["height", "weight"], {"method": "top-down", "random_state": 3}),
    "noise": (["height", "age"], {"method": "random-aggregation", "random_state": 3}),
    "range": (["height", "age"], {"scale": "minmax", "importance": {"age": 3.0}}),
    "one column": (["sex"], {}),
    "values": (["height", "job"], {"promises": [TCloseness(0.4), LDiversity(2)]}),
    "built": (
        ["height", "weight"],
        {"promises": [TCloseness(0.4)], "enforce": "t-first"},
    ),
    "shares": (["weight"], {"promises": [AlphaAnonymity(0.9), PSensitivity(2)]}),
}


def recipe_of(quasi_identifiers, shard=120, k=5, **options):
    schema = Schema(
        quasi_identifiers,
        identifiers="name",
        confidential="ill",
        others="drop",
        kinds=options.pop("kinds", {}),
    )
    return Recipe(schema, k=k, shard=shard, **options)


@for_each("case", CASES)
@for_each("as_text", [False, True])
def test_parts_give_the_release_of_the_table(case, as_text):
    quasi_identifiers, options = CASES[case]
    table = people(700)
    if as_text:
        table = table.select(pl.all().cast(pl.String).fill_null(""))
    recipe = recipe_of(quasi_identifiers, **dict(options))
    whole = apply_recipe(table, recipe)
    expected = in_order(whole.table)
    released, found = run_in_parts(split(table, 5, seed=1), recipe, as_text)
    assert in_order(released).equals(expected.select(released.columns))
    assert found.n_shards > 1 or case == "one column"
    assert [f.found for f in found.findings] == pytest.approx(
        [f.found for f in whole.findings]
    )
    assert found.n_dropped == whole.n_dropped
    assert sum(found.cells) == sum(whole.cells)
    for name in MEASURED_IN_BOTH:
        assert found.scores[name] == pytest.approx(whole.scores[name], rel=1e-9)
    assert_same_disclosure(found.disclosure, whole.disclosure)


def assert_same_disclosure(found, expected):
    """The figures of confidential columns, up to the order of sums."""
    assert list(found) == list(expected)
    for name, scores in expected.items():
        assert dict(found[name]) == pytest.approx(dict(scores), rel=1e-9, abs=1e-12)
        assert [s.label for s in found[name].shown] == [s.label for s in scores.shown]


@pytest.mark.parametrize("as_text", [False, True], ids=["typed", "text"])
def test_parts_show_what_confidential_columns_give_away(as_text, monkeypatch):
    table = people(700)
    if as_text:  # decimal commas: read as numbers only to be counted
        table = table.select(pl.all().cast(pl.String).fill_null(""))
        table = table.with_columns(pl.col("pay").str.replace(".", ",", literal=True))
    columns = ["ill", "pay", "town", "born"]
    schema = Schema(["height", "age"], confidential=columns, others="drop")
    recipe = Recipe(schema, k=5, shard=120)
    expected = apply_recipe(table, recipe).disclosure
    _, found = run_in_parts(split(table, 4), recipe, as_text)
    assert_same_disclosure(found.disclosure, expected)
    assert found.certificate()["disclosure"] == {
        name: dict(scores) for name, scores in found.disclosure.items()
    }
    assert "cells give away" in found.summary() and "  pay " in found.summary()
    assert "t-distance" in found.summary(verbose=True)
    monkeypatch.setattr(_values, "MAX_VALUES_COMPARED", 100)  # pay and born have more
    _, bounded = run_in_parts(split(table, 4), recipe, as_text)
    for name, scores in expected.items():
        few = {n: v for n, v in scores.items() if name in ("ill", "town")}
        whole = {n: v for n, v in scores.items() if n not in COMPARED_WITH_TABLE}
        assert dict(bounded.disclosure[name]) == pytest.approx(whole | few)
    assert "pay" in bounded.summary() and "pay: at least" in bounded.summary(True)


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from("ab"), st.integers(0, 2)),
        min_size=4,
        max_size=80,
    ),
    st.integers(2, 4),
    st.integers(8, 30),
    st.integers(0, 99),
)
def test_ties_and_duplicates_do_not_depend_on_parts(rows, k, shard, seed):
    table = pl.DataFrame(rows, schema=["x", "w", "ill"], orient="row")
    recipe = Recipe(
        Schema(["x", "w"], confidential="ill", kinds={"x": "numeric"}), k=k, shard=shard
    )
    expected = in_order(apply_recipe(table, recipe).table)
    for n_parts in (1, 3):
        released, found = run_in_parts(split(table, n_parts, seed), recipe)
        assert in_order(released).equals(expected)
        assert found.findings[0].found >= k


def test_untouched_columns_stay_with_their_records():
    table = people(600).with_columns(pl.int_range(600).alias("row"))
    recipe = Recipe(
        Schema(["height", "weight"], others=["row", "drop"], identifiers="name"),
        k=5,
        shard=100,
        unit="records",
        allow_unique=["row"],
    )
    released, _ = run_in_parts(split(table, 3), recipe)
    assert released["row"].sort().to_list() == list(range(600))
    both = released.join(table, on="row", suffix="_own")
    gap = (both["height"] - both["height_own"]).abs()
    assert float(gap.mean()) < 0.3  # records at random are 1.1 apart


def test_identical_records_of_an_overfull_shard():
    table = pl.DataFrame({"x": [1.0] * 400, "y": [2.0] * 400, "ill": list(range(400))})
    recipe = Recipe(
        Schema(["x", "y"], confidential="ill"), k=3, shard=20, allow_unique="ill"
    )
    released, found = run_in_parts(split(table, 3), recipe)
    assert released["x"].unique().to_list() == [1.0]
    assert found.findings[0].found == 400
    assert in_order(released).equals(in_order(apply_recipe(table, recipe).table))


def test_a_skewed_shard_is_cut_again():
    rng = np.random.default_rng(5)
    x = np.concatenate([np.zeros(300), rng.normal(size=300)])
    table = pl.DataFrame({"x": x, "y": rng.normal(size=600).round(2)})
    recipe = Recipe(Schema(["x", "y"]), k=3, shard=50)
    released, found = run_in_parts(split(table, 4), recipe)
    assert found.findings[0].found >= 3
    assert in_order(released).equals(in_order(apply_recipe(table, recipe).table))


def test_a_promise_joins_shards_that_could_not_keep_it():
    n = 400
    rng = np.random.default_rng(0)
    x = np.sort(rng.normal(size=n))
    table = pl.DataFrame({"x": x, "ill": ["flu"] * (n // 2) + ["gout"] * (n // 2)})
    plain = Recipe(Schema(["x"], confidential="ill"), k=4, shard=60)
    promising = Recipe(
        Schema(["x"], confidential="ill"), k=4, shard=60, promises=[TCloseness(0.3)]
    )
    assert run_in_parts(split(table, 2), plain)[1].n_shards > 2
    _, found = run_in_parts(split(table, 2), promising)
    assert found.n_shards == 1
    assert found.findings[1].found <= 0.3


def test_classes_of_two_shards_are_one_class():
    """Released values may be the same in two shards: classes are counted over all."""
    table = pl.DataFrame({"x": [0.4, 0.4, 0.6, 0.6, 5.0, 5.0, 9.0, 9.0] * 4})
    recipe = Recipe(Schema(["x"]), k=2, shard=8, digits={"x": 0}, scale="none")
    released, found = run_in_parts(split(table, 2), recipe)
    counted = released.group_by("x").len()["len"]
    assert found.findings[0].found == counted.min()


def test_a_promise_that_fails_withholds_the_release(monkeypatch):
    from microcell.pipeline import _masking

    def careless(self, prepared, seed, groups):
        n_records = len(prepared.X)
        return _masking.Cells(prepared.X, np.arange(n_records)[:, None], [[0]], [])

    monkeypatch.setattr(_masking.Masking, "mask", careless)
    table = pl.DataFrame({"x": np.arange(50.0)})
    with pytest.raises(PrivacyError, match="withheld"):
        run_in_parts([table], Recipe(Schema(["x"]), k=2, shard=20))


def test_a_table_that_changes_is_noticed():
    table = people(200)
    task = Task(recipe_of(["height"]), dict(table.schema))
    job = task.plan(task.learn(table.select(task.needs)))
    routed = job.route(table.select(task.needs)[:199])
    with pytest.raises(RuntimeError, match="199 records came, but 200"):
        job.merged(job.arrivals(routed))


def test_no_records_but_a_sample_travel():
    table = people(300)
    task = Task(recipe_of(["height"]), dict(table.schema))
    summary = task.learn(table.select(task.needs))
    job = task.plan(summary)
    import pickle

    text = pickle.dumps(job)
    assert b"p17" not in text  # a name
    assert b"p17" in pickle.dumps(table)


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"missing": "impute", "imputer": "knn"}, "imputer"),
        ({"order": "keep"}, "order"),
        ({"method": "lda-mdav"}, "method"),
        (
            {
                "method": "dp-microaggregation",
                "parameters": {"epsilon": 1.0, "bounds": {"height": [-4, 4]}},
            },
            "method",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_shards_cannot_do_is_refused_before_any_work(options, option):
    table = people(100)
    schema = {"confidential": "ill", "others": "drop", "identifiers": "name"}
    if options.get("method") == "dp-microaggregation":
        schema = {"others": "drop"}
    recipe = Recipe(Schema(["height"], **schema), k=5, shard=50, **options)
    with pytest.raises(InputError, match="shards") as caught:
        Task(recipe, dict(table.schema))
    assert caught.value.option == option
    assert "elease the table as a whole, without engine and shard" in str(caught.value)
    with pytest.raises(InputError):
        apply_recipe(table, recipe)


def test_identifiers_that_repeat_are_refused():
    table = people(400).with_columns(
        pl.Series("name", [f"p{i // 4}" for i in range(400)])
    )
    with pytest.raises(SchemaError, match="100 values for 400 records"):
        run_in_parts(split(table, 3), recipe_of(["height"]))


def test_a_column_without_role_that_names_people_is_refused():
    table = people(400).drop("name").with_columns(pl.int_range(400).alias("case"))
    recipe = Recipe(
        Schema(["height"], confidential="ill", others="keep"),
        k=5,
        shard=100,
        missing="drop",
    )
    with pytest.raises(SchemaError, match="'case' has no role, and 100 %"):
        run_in_parts(split(table.select("height", "ill", "case"), 3), recipe)


def test_missing_values_are_refused_with_their_number():
    table = people(500)
    n_missing = table["pay"].null_count()
    with pytest.raises(SchemaError, match=rf"'pay' \({n_missing}\)"):
        run_in_parts(split(table, 4), recipe_of(["height", "pay"]))


def test_text_that_does_not_fit_names_its_record(monkeypatch):
    from microcell.pipeline import _task

    monkeypatch.setattr(_task, "SAMPLED", 20)
    texts = [str(i / 10) for i in range(500)]
    texts[400] = "12a"
    table = pl.DataFrame({"x": texts})
    task = Task(Recipe(Schema(["x"]), k=5, shard=100), dict(table.schema), True)
    task = task.typed(task.first_pass(table[:400]))
    task.learn(table[:300])
    with pytest.raises(SchemaError, match="record 401"):
        task.learn(table[300:], first=300)


def test_codes_with_zeros_among_numbers_are_refused():
    table = pl.DataFrame({"zip": ["10115", "20095", "01067"] * 50})
    task = Task(Recipe(Schema(["zip"]), k=5, shard=100), dict(table.schema), True)
    task = task.typed(task.first_pass(table.filter(pl.col("zip") != "01067")))
    with pytest.raises(SchemaError, match="zero in front"):
        task.learn(table)


def test_k_of_blocks_is_counted_for_each():
    table = people(300)
    recipe = recipe_of(["height", "weight"], method="individual-ranking")
    _, found = run_in_parts(split(table, 3), recipe)
    promises = [p for p in found.promises if isinstance(p, KAnonymity)]
    assert [p.columns for p in promises][:2] == [("height",), ("weight",)]
    assert all(f.found >= 5 for f in found.findings if f.promised)


def test_seeds_of_shards_differ_and_stay_out_of_the_certificate():
    table = people(300)
    recipe = recipe_of(["height"], method="random-aggregation", random_state=12345678)
    task = Task(recipe, dict(table.schema))
    job = task.plan(task.learn(table.select(task.needs)))
    job = job.merged(job.arrivals(job.route(table.select(task.needs))))
    assert len(set(job.seeds)) == job.n_shards > 1
    _, found = run_in_parts([table], recipe)
    assert "12345678" not in str(found.certificate())
    assert not any(str(seed) in str(found.certificate()) for seed in job.seeds)


def test_fresh_noise_is_fresh():
    table = people(200)
    recipe = recipe_of(["height"], method="random-aggregation")
    one, two = (run_in_parts([table], recipe)[0] for _ in range(2))
    assert not in_order(one).equals(in_order(two))


def test_the_recipe_says_the_shards():
    table = people(300)
    _, found = run_in_parts([table], recipe_of(["height"], shard=None))
    assert found.recipe.shard == 2_500_000
    assert found.n_shards == 1
    assert "shards              1" in found.summary(verbose=True)
    assert found.certificate()["shards"] == 1


def test_notices_are_those_of_the_table():
    table = people(700)
    recipe = recipe_of(
        ["height", "age", "pay", "town", "job"],
        k=3,
        missing="ignore",
        clip={"age": "25:80"},
        representatives={"height": "median", "job": "set"},
    )
    whole = apply_recipe(table, recipe)
    _, found = run_in_parts(split(table, 4, 1), recipe)
    said = [n for n in whole.notices if "shard" not in n and "left out, has" not in n]
    assert len(said) >= 5
    assert sorted(found.notices) == sorted(said)


def test_what_travels_holds_no_identifier():
    table = people(200).with_columns(name=pl.format("Ann{}", pl.col("height")))
    task = Task(recipe_of(["age"]), dict(table.schema))
    summary = task.learn(table.select(task.needs), None)
    assert summary.beside.names["name"].rows.height == 200
    assert b"Ann" not in pickle.dumps(summary)
    assert not summary.beside.names["name"].frame.columns


@pytest.mark.parametrize("missing", ["error", "category"])
def test_text_that_is_mostly_numbers_is_refused(missing):
    bad = pl.Series(["unknown", *["31", "44", "70"] * 100])
    table = people(301).with_columns(town=bad)
    recipe = recipe_of(["height", "town"], missing=missing)
    with pytest.raises(SchemaError, match="looks like numbers"):
        apply_recipe(table, recipe)
    with pytest.raises(SchemaError, match="looks like numbers") as caught:
        run_in_parts(split(table, 3), recipe)
    assert caught.value.column == "town"
    assert "unknown" not in str(caught.value)


@pytest.mark.parametrize("kind", ["numeric", ["no", "some"]])
def test_an_error_names_no_record_that_it_does_not_know(kind):
    table = people(60).with_columns(pain=pl.lit("no"))
    table[50, "pain"] = "what"
    recipe = recipe_of(["height", "pain"], kinds={"pain": kind})
    with pytest.raises(SchemaError, match=r"in record (51|1)\b"):
        apply_recipe(table, recipe)
    with pytest.raises(SchemaError, match="pattern") as caught:
        run_in_parts(split(table, 3), recipe)
    assert "in record" not in str(caught.value)


def test_text_that_is_all_numbers_is_named():
    table = people(300).with_columns(town=pl.Series(["31", "44", "70"] * 100))
    recipe = recipe_of(["height", "town"])
    _, found = run_in_parts(split(table, 3), recipe)
    whole = apply_recipe(table, recipe)
    said = [n for n in whole.notices if "stands for numbers" in n]
    assert len(said) == 1
    assert said[0] in found.notices


def test_a_few_numbers_among_texts_are_texts():
    towns = pl.Series(["a", *map(str, range(20)), *["b"] * 280])
    table = people(301).with_columns(town=towns)
    recipe = recipe_of(["height", "town"])
    expected = in_order(apply_recipe(table, recipe).table)
    released, _ = run_in_parts(split(table, 3), recipe)
    assert in_order(released).equals(expected.select(released.columns))


def test_text_is_read_once_where_shards_are_in_memory():
    table = people(600).select("height", "born", "ill")
    day = pl.col("born").dt.strftime("%d.%m.%Y")
    comma = (
        pl.col("height").round(3).cast(pl.String).str.replace(".", ",", literal=True)
    )
    schema = Schema(["height", "born"], confidential="ill", dates={"born": "%d.%m.%Y"})
    recipe = Recipe(schema, k=5, shard=150, decimal=",", unit="records")
    text = table.with_columns(day, comma)
    whole = apply_recipe(text, recipe)
    released, _ = run_in_parts(split(text, 3), recipe, as_text=True)
    assert in_order(released).equals(in_order(whole.table).select(released.columns))


def test_objects_that_number_people_can_be_anything():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    ages = rng.integers(20, 60, 60)
    for name in (lambda i: (i // 2, "x"), lambda i: f"p{i // 2}" if i % 4 else i):
        table = pd.DataFrame({"who": [name(i) for i in range(60)], "age": ages})
        schema = Schema(["age"], identifiers="who")
        with pytest.raises(SchemaError, match="identifier with"):
            apply_recipe(table, Recipe(schema, k=3))
        kept = apply_recipe(table, Recipe(schema, k=3, unit="records"))
        assert list(kept.table.columns) == ["age"]
