"""Releases by maps and densities: k where it is asked for, and said where it is not."""

import numpy as np
import polars as pl
import pytest
from commands import run
from marks import for_each

from microcell import METHODS, Recipe, Schema, anonymize
from microcell.privacy import class_sizes

METHODS_HERE = ("ktca", "ktca++", "ctca", "ctca++", "kde", "kde++")
QUASI = ["age", "bmi", "sex", "town"]


def patients(n=300, seed=0):
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 95, n)
    return pl.DataFrame(
        {
            "age": age,
            "bmi": np.round(rng.gamma(9, 3, n), 1),
            "sex": rng.choice(["f", "m"], n),
            "town": rng.choice(["Aa", "Bo", "Ce", "Du"], n, p=[0.6, 0.2, 0.1, 0.1]),
            "ill": np.where(rng.random(n) < age / 120, "yes", "no"),
        }
    )


def release_of(method, table=None, k=5, **options):
    schema = Schema(QUASI, confidential="ill")
    return anonymize(
        patients() if table is None else table, schema, k=k, method=method, **options
    )


@for_each("k", [2, 5, 40])
@for_each("method", METHODS_HERE)
def test_k_is_promised_and_holds_on_the_released_table(method, k):
    release = release_of(method, k=k)
    assert release.findings[0].promised == k
    assert class_sizes(release.table, QUASI).min() >= k
    assert release.table["ill"].equals(patients()["ill"])


@pytest.mark.parametrize("method", ["ktca", "ktca++", "kde", "kde++"])
def test_as_published_k_is_counted_and_not_promised(method, tmp_path):
    release = release_of(method, min_k=1)
    (finding,) = release.findings
    sizes = class_sizes(release.table, QUASI)
    assert finding.promised is None and finding.holds is None
    assert finding.found == sizes.min() < 5
    below = int(sizes[sizes < 5].sum())
    assert finding.records_failing == below
    assert f"k=5 is not promised: {below} record(s)" in release.summary()
    assert "holds for each block" not in release.summary()
    document = release.save(tmp_path / "o.csv")
    assert {f["holds"] for f in document["findings"]} == {None}


@for_each("min_k", [3, 6, 0, True, "all"])
def test_min_k_is_k_or_one(min_k):
    with pytest.raises(ValueError, match="'min_k' parameter must be k=5"):
        release_of("ktca", min_k=min_k)
    assert release_of("kde", min_k=5).findings[0].promised == 5


def test_moved_prototypes_outside_their_cell_are_a_notice():
    release = release_of("ktca++", k=2, random_state=0)
    shown = [n for n in release.notices if "outside the range" in n]
    assert len(shown) == 1 and shown[0] in release.summary()
    assert shown[0] in release.certificate()["notices"]


def test_a_seed_repeats_a_release():
    one, two = (release_of("ktca++", random_state=7).table for _ in range(2))
    assert one.equals(two)
    assert not one.equals(release_of("ktca++", random_state=8).table)


def test_plain_methods_need_no_target():
    with pytest.raises(ValueError, match="does not use a confidential attribute"):
        release_of("ktca", target="ill")
    table = patients().drop("ill")
    release = anonymize(table, Schema(QUASI), k=5, method="ctca")
    assert release.findings[0].found >= 5
    with pytest.raises(ValueError, match="confidential"):
        anonymize(table, Schema(QUASI), k=5, method="ctca++")


def test_a_measured_target_has_no_classes():
    table = patients().with_columns(ill=pl.Series(np.linspace(0.1, 3.3, 300)))
    with pytest.raises(ValueError, match="learn from classes"):
        release_of("ctca++", table)


def test_views_by_name_in_a_recipe(tmp_path):
    views = [["age", "sex"], ["bmi", "town"]]
    named = release_of("ctca", views=views)
    placed = release_of("ctca", views=[[0, 2], [1, 3]])
    assert named.table.equals(placed.table)
    assert not named.table.equals(release_of("ctca").table)
    path = tmp_path / "recipe.toml"
    path.write_text(named.recipe.to_toml())
    assert Recipe.from_toml(path).parameters["views"] == views
    with pytest.raises(ValueError, match="'height', which is no quasi-identifier"):
        release_of("ctca", views=[["age", "sex", "height"], ["bmi", "town"]])
    with pytest.raises(ValueError, match="each of the 4 columns once"):
        release_of("ctca", views=[["age", "sex"], ["bmi"]])


@for_each("method", METHODS_HERE)
def test_strata_units_and_promises_fit_in(method):
    table = patients().with_columns(
        region=pl.Series(np.arange(300) % 3), person=pl.Series(np.arange(300) // 2)
    )
    schema = Schema(QUASI, confidential="ill", others="region", identifiers="person")
    options = {"k": 4, "method": method}
    release = anonymize(table, schema, strata="region", unit="records", **options)
    assert class_sizes(release.table, [*QUASI, "region"]).min() >= 4
    release = anonymize(table, schema, unit="person", **options)
    assert release.findings[0].found >= 4
    promises = {"p-sensitivity": 2}
    release = anonymize(table, schema, unit="records", promises=promises, **options)
    assert all(finding.holds for finding in release.findings)


@pytest.mark.parametrize("method", ["ktca", "ctca"])
def test_prototypes_of_the_map_need_its_own_cells(method):
    assert release_of(method, code="unit").findings[0].found >= 5
    table = patients().with_columns(region=pl.Series(np.arange(300) % 3))
    schema = Schema(QUASI, confidential="ill", others="region")
    with pytest.raises(ValueError, match="code='mean'"):
        anonymize(table, schema, k=4, method=method, code="unit", strata="region")


@pytest.mark.parametrize("method", ["ktca++", "kde"])
def test_what_is_published_is_said_by_the_method(method):
    with pytest.raises(ValueError, match="says itself what is published"):
        release_of(method, aggregate="median")


@pytest.mark.parametrize("method", METHODS_HERE)
def test_on_the_command_line(method, tmp_path):
    source, out = tmp_path / "patients.csv", tmp_path / "out.csv"
    patients().write_csv(source)
    command = ["anonymize", source, "-q", ",".join(QUASI), "-c", "ill", "-k", 5]
    arguments = map(str, [*command, "-m", method, "-o", out])
    done = run(*arguments)
    assert done.exit_code == 0, done.stderr
    assert class_sizes(pl.read_csv(out), QUASI).min() >= 5


def test_adult_is_released_with_its_mixed_columns(benchmark_data):
    table = pl.read_csv(benchmark_data / "adult.csv").drop_nulls().head(2000)
    quasi = "age,workclass,education,marital-status,race,sex,hours-per-week".split(",")
    for method in ("ktca", "ctca", "ctca++", "kde", "kde++"):
        schema = Schema(quasi, confidential="income", others="drop")
        release = anonymize(table, schema, k=5, method=method)
        assert class_sizes(release.table, quasi).min() >= 5


def test_every_method_of_the_paper_is_there():
    assert set(METHODS_HERE) <= set(METHODS)
