"""A report of a release in parts: that of memory, or of a sample of records."""

import json

import numpy as np
import polars as pl
import pytest
from engines.in_parts import run_in_parts, split
from marks import slow
from pipeline.test_job import CASES, people, recipe_of
from report.planted import SCHEMA, assert_no_trace, planted_table

from microcell import Schema, apply_recipe
from microcell.exceptions import InputError
from microcell.metrics import subset_linkage_risk
from microcell.pipeline import _job, _known_columns, _report_sample
from microcell.pipeline._known_columns import KnownColumns
from microcell.pipeline._sample import COUNT
from microcell.recipe import Recipe
from microcell.release import anonymize_file
from microcell.report import facts_of

N = 700
OF_ENGINES = (
    "created",
    "recipe",
    "decide",
    "notices",
    "versions",
    "answer",
    "findings",
)


def at_most(monkeypatch, n_records):
    for module in (_job, _report_sample):
        monkeypatch.setattr(module, "MAX_RECORDS_REPORTED", n_records)


def comparable(facts):
    """Facts without what engines say of themselves."""
    facts = {name: said for name, said in facts.items() if name not in OF_ENGINES}
    facts["risk"] = {n: f for n, f in facts["risk"].items() if n != "scores"}
    facts["risk"].pop("linkage")  # in shards it is measured on a sample
    return facts


@pytest.mark.parametrize("case", ["kinds", "gaps apart", slow("sets"), slow("blocks")])
def test_a_small_table_has_the_report_of_memory(case):
    quasi_identifiers, options = CASES[case]
    recipe = recipe_of(quasi_identifiers, **dict(options))
    memory = facts_of(apply_recipe(people(N), recipe))
    _, release = run_in_parts(split(people(N), 3), recipe, remember=True)
    parts = facts_of(release)
    assert parts["sampled"] is None
    assert comparable(parts) == comparable(memory)


def test_people_with_several_records_have_the_report_of_memory():
    rng = np.random.default_rng(0)
    table = pl.DataFrame(
        {
            "person": [f"p{number}" for number in rng.integers(0, 150, 300)],
            "age": rng.integers(18, 90, 300).astype(float),
            "sex": rng.choice(["f", "m"], 300),
            "ill": rng.choice(["flu", "gout", "none"], 300),
        }
    )
    schema = Schema(["age", "sex"], identifiers="person", confidential="ill")
    recipe = Recipe(schema, k=4, unit="person", shard=80)
    memory = facts_of(apply_recipe(table, recipe))
    _, release = run_in_parts(split(table, 3), recipe, remember=True)
    parts = facts_of(release)
    assert parts["k_counts"] == "person" and parts["people"] < 150
    assert comparable(parts) == comparable(memory)


def test_rows_of_memory_may_have_any_order():
    quasi_identifiers, options = CASES["kinds"]
    recipe = recipe_of(quasi_identifiers, **dict(options))
    tables = people(N), people(N).sample(N, shuffle=True, seed=1)
    one, other = (comparable(facts_of(apply_recipe(t, recipe))) for t in tables)
    assert one == other


@pytest.fixture
def planted_files(tmp_path):
    planted_table().write_csv(tmp_path / "people.csv")
    return tmp_path


def planted_recipe(**options):
    return Recipe(SCHEMA, k=5, unit="records", shard=100, **options)


def test_a_page_from_disk_leaks_nothing(planted_files):
    page = planted_files / "report.html"
    recipe = planted_recipe(allow_unique=[*SCHEMA.others, "cost"])
    done = anonymize_file(
        planted_files / "people.csv",
        recipe,
        planted_files / "release",
        engine="disk",
        report=page,
        purpose="teaching",
    )
    text = page.read_text()
    assert_no_trace(facts_of(done.release, document=done.certificate))
    assert "teaching" in text and "people.csv" in text
    assert not list(planted_files.glob(".*"))


def test_a_sample_is_the_same_whatever_the_parts(monkeypatch):
    at_most(monkeypatch, 200)
    recipe = recipe_of(*[CASES["kinds"][0]], **dict(CASES["kinds"][1]))
    facts = [
        facts_of(run_in_parts(split(people(N), n, seed), recipe, remember=True)[1])
        for n, seed in ((1, 0), (4, 7))
    ]
    for each in facts:
        del each["created"]
    assert facts[0] == facts[1]
    assert 100 < facts[0]["sampled"] < 300
    assert f"a sample of {facts[0]['sampled']} of {N} records" in str(facts[0])


def test_people_of_classes_are_counted_on_all_records(monkeypatch):
    recipe = recipe_of(*[CASES["kinds"][0]], **dict(CASES["kinds"][1]))
    whole = facts_of(apply_recipe(people(N), recipe))
    at_most(monkeypatch, 200)
    sampled = facts_of(run_in_parts([people(N)], recipe, remember=True)[1])
    for part in ("class_sizes", "attributes", "knowledge"):
        assert sampled["risk"][part] == whole["risk"][part]
    assert sampled["records"] == N
    cells = sampled["utility"]["cells"]
    assert cells["of"] == whole["utility"]["cells"]["of"] > cells["shown"]
    assert min(cells["records"]) >= recipe.k  # those of the cells, not of the sample


def test_classes_that_are_too_many_are_estimated(monkeypatch):
    rng = np.random.default_rng(0)
    table = pl.DataFrame({n: rng.integers(0, 60, 4_000) for n in "abc"})
    groups = table.group_by("a", "b", "c").agg(pl.len().cast(pl.Int64).alias(COUNT))
    known = ["a", "b", "c"]
    parts = [
        KnownColumns.of(part, known, 4_000) for part in (groups[:900], groups[900:])
    ]
    exact = subset_linkage_risk(table, size=3, random_state=0).by_size
    assert [
        (each.worst.columns, each.mean, each.worst.unique)
        for each in (parts[0] + parts[1]).risks()
    ] == [(each.worst.columns, each.mean, each.worst.unique) for each in exact]
    monkeypatch.setattr(_known_columns, "MAX_CLASSES_KEPT", 1_000)
    about = KnownColumns.of(groups, known, 4_000).risks()
    for estimate, counted in zip(about, exact, strict=True):
        assert estimate.mean == pytest.approx(counted.mean, rel=0.1)
        assert estimate.worst.unique == pytest.approx(counted.worst.unique, abs=0.1)


def test_without_a_report_nothing_is_remembered(tmp_path):
    people(N).write_parquet(tmp_path / "people.parquet")
    recipe = recipe_of(*[CASES["one column"][0]], **dict(CASES["one column"][1]))
    made = tmp_path / "people.parquet", recipe, tmp_path / "release"
    release = anonymize_file(*made, engine="disk").release
    assert release.before is None
    with pytest.raises(InputError, match="does not remember its original"):
        release.report(tmp_path / "report.html")
    path = tmp_path / "report.json"
    release = anonymize_file(*made, engine="disk", report=path, overwrite=True).release
    assert json.loads(path.read_text())["source"]["name"] == "people.parquet"
    assert release.plot.classes is not None and len(release.before.X) == N
