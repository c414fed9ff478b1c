"""The option `refine` and the methods that refine: what they do, and refuse."""

import numpy as np
import polars as pl
import pytest
from marks import for_each
from tables import gaussian

from microcell import METHODS, Recipe, Schema, anonymize
from microcell.app._catalogue import catalogue
from microcell.compose import Enforce, Microaggregator, Refine
from microcell.exceptions import InputError, ParameterError
from microcell.metrics import sse_loss
from microcell.partition import MDAV
from microcell.recipe._refine import check_refine, search_budget
from microcell.selection import compare

NUMBERS = ["a", "b", "c"]
SCHEMA = Schema(NUMBERS, confidential="ill")
REFINED = ("mdav", "vmdav", "mondrian", "lda-mdav", "mdav-sd", "top-down")


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    columns = dict(zip(NUMBERS, gaussian(120, 3).T, strict=True))
    return pl.DataFrame(columns | {"ill": rng.choice(["yes", "no"], 120)})


def released(table, schema=SCHEMA, **options):
    return anonymize(table, schema, k=4, **({"measures": ["sse_loss"]} | options))


@for_each(
    ("given", "written", "budget"),
    [
        (True, "yes", (None, None)),
        ("Long", "long", ("long", None)),
        (20_000, "20000 moves", (20_000, None)),
        ("20_000 moves", "20000 moves", (20_000, None)),
        ("2e4", "20000 moves", (20_000, None)),
        ("90s", "90 s", (None, 90.0)),
        ("1.5 min", "90 s", (None, 90.0)),
        ("2 hours", "7200 s", (None, 7200.0)),
    ],
)
def test_each_way_to_say_it_is_written_in_one(given, written, budget):
    recipe = Recipe(SCHEMA, k=4, refine=given)
    assert recipe.refine == written
    assert search_budget(recipe.refine)[:2] == budget
    assert Recipe.from_dict(recipe.to_dict()) == recipe


@pytest.mark.parametrize("given", [False, None, "no"])
def test_no_is_no(given):
    assert search_budget(check_refine(given)) is None


@for_each("given", ["maybe", 0, -3, 2.5, "0 s", "5 parsecs", [1], "1e"])
def test_what_it_cannot_be(given):
    with pytest.raises(ParameterError, match=r"refine.*'10 min'"):
        check_refine(given)


def test_the_method_is_the_option(table):
    by_method = released(table, method="mdav-refined", parameters={"moves": 5000})
    by_option = released(table, refine=5000)
    assert by_method.table.equals(by_option.table)
    assert by_method.refinement == by_option.refinement


@pytest.mark.parametrize("method", REFINED)
def test_cells_lose_less_than_those_of_the_method(method, table):
    options = {"random_state": 0} if method == "top-down" else {}
    release = released(table, method=method, refine=5000, **options)
    assert release.refinement.loss < release.refinement.start_loss
    assert release.findings[0].found >= 4
    if method in ("mdav", "vmdav", "mondrian", "top-down"):  # whose geometry is X
        plain = released(table, method=method, **options)
        assert release.scores["sse_loss"] < plain.scores["sse_loss"]
        assert np.isclose(release.scores["sse_loss"], release.refinement.loss)
        assert np.isclose(plain.scores["sse_loss"], release.refinement.start_loss)


def test_two_releases_are_the_same_byte_for_byte(table, tmp_path):
    for name in ("one.csv", "two.csv"):
        released(table, method="mdav-refined").save(tmp_path / name)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_a_long_search_is_longer():
    plan, quick = METHODS["best"](4), METHODS["mdav-refined"](4)
    assert quick.partition._moves(1000) == 300_000
    assert plan.partition._moves(1000) == 50_000_000
    assert plan.partition._moves(10**6) == 300_000_000
    assert METHODS["best"](4, moves=7).partition._moves(1000) == 7
    assert METHODS["best"](4, seconds=2).partition._moves(1000) is None


def test_what_the_clock_ends_is_said(table):
    release = released(table, refine="0.05 s")
    (said,) = [n for n in release.notices if "clock" in n]
    assert "not give the same cells" in said
    assert said in release.summary(verbose=True)
    assert not [n for n in released(table, refine=500).notices if "same cells" in n]


def test_what_was_gained_is_said(table):
    release = released(table, refine=5000)
    start, found = release.refinement.start_loss, release.refinement.loss
    words = f"SSE / SST of the cells {start:.3g} -> {found:.3g}"
    assert f"cells refined       {words}\n" in release.summary(verbose=True)
    assert release.certificate()["refinement"] == {"start_loss": start, "loss": found}
    assert words.replace(">", "&gt;") in release._repr_html_()
    plain = released(table, method="mdav")
    assert "refined" not in plain.summary(verbose=True)
    assert "refinement" not in plain.certificate()


@pytest.mark.parametrize("given", [{"method": "best"}, {"refine": "long"}])
def test_a_long_search_says_how_far_it_may_be_from_the_optimum(table, given):
    release = released(table[:40], **given)
    said = release.certificate()["refinement"]
    assert 0 < said["lower_bound"] <= said["loss"]
    assert np.isclose(said["gap"], said["loss"] / said["lower_bound"] - 1)
    assert f"at most {100 * said['gap']:.2g} % above the optimum" in release.summary(
        verbose=True
    )


def test_a_bound_can_be_left_out_and_written_down():
    recipe = Recipe(SCHEMA, k=4, method="best", parameters={"bound": "no"})
    assert 'bound = "no"' in recipe.to_toml()
    assert recipe.build(None).partition.bound is None
    with pytest.raises(ParameterError, match="bound"):
        Recipe(SCHEMA, k=4, method="best", parameters={"bound": None})


def test_of_few_records_no_figure_is_said(table):
    release = released(table[:9], refine=500)
    assert "cells refined       withheld: fewer than" in release.summary(verbose=True)
    assert "refinement" not in release.certificate()


def test_promises_hold_on_refined_cells(table):
    release = released(table, refine=5000, promises={"p-sensitivity": 2})
    assert all(finding.holds for finding in release.findings)
    assert release.refinement.loss < release.refinement.start_loss


def test_promises_are_enforced_around_the_search(table):
    plan = Recipe(SCHEMA, k=4, refine="yes").build(None)
    assert isinstance(plan.partition, Refine)
    assert type(plan.partition.partition) is MDAV

    def enforced(k, *, scale=None):
        return Microaggregator(Enforce(MDAV(k), "not looked at"))

    with pytest.raises(InputError, match="refine='yes' cannot be honoured"):
        Recipe(SCHEMA, k=4, method=enforced, refine="yes")


def test_cells_keep_to_strata_and_units(table):
    n = len(table)
    grouped = table.with_columns(
        region=pl.Series(["north", "south", "south"] * (n // 3)),
        person=pl.Series(np.arange(n) // 2),
    )
    schema = Schema(NUMBERS, identifiers="person", others="keep")
    release = released(grouped, schema, refine=5000, strata=["region"], unit="records")
    regions = grouped["region"].to_numpy()
    for cell in range(release.cells[0]):
        assert len(set(regions[release.labels == cell])) == 1
    assert 0 < release.refinement.loss < release.refinement.start_loss
    people = released(grouped, schema, refine=5000, unit="person")
    pairs = people.labels.reshape(-1, 2)
    assert (pairs[:, 0] == pairs[:, 1]).all()
    assert people.findings[0].found >= 4
    assert people.refinement.loss < people.refinement.start_loss


@for_each("method", [m for m in METHODS if m != "dp-microaggregation"])
def test_the_catalogue_knows_which_methods_can_be_refined(method):
    (entry,) = [m for m in catalogue()["methods"] if m["name"] == method]
    if entry["refinable"]:
        Recipe(SCHEMA, k=4, method=method, refine="yes")
        return
    with pytest.raises(InputError, match="refine='yes'") as caught:
        Recipe(SCHEMA, k=4, method=method, refine="yes")
    assert caught.value.option == "refine"


def test_which_methods_can_be_refined():
    there = {m["name"] for m in catalogue()["methods"] if m["refinable"]}
    learning = {"lda-mdav", "lda-vmdav", "lda-mondrian", "mdav-sd"}
    noisy = {"random-aggregation", "random-k-anonymity"}
    start = {"mdav", "vmdav", "mondrian", "top-down", "bottom-up"}
    assert there == start | learning | noisy


def test_a_differentially_private_release_is_not_refined():
    own = {"epsilon": 1.0, "bounds": {"a": [0, 1]}}
    options = {"method": "dp-microaggregation", "parameters": own}
    with pytest.raises(InputError, match="refine='yes' cannot be honoured"):
        Recipe(Schema(["a"]), k=4, refine=True, **options)


def test_cells_built_for_a_promise_are_not_refined():
    options = {"promises": {"t-closeness": 0.3}, "enforce": "t-first"}
    with pytest.raises(InputError, match=r"enforce='t-first' builds.*enforce='merge'"):
        Recipe(SCHEMA, k=4, refine="yes", **options)
    with pytest.raises(InputError, match=r"twice.*moves"):
        Recipe(SCHEMA, k=4, method="best", refine="yes")


def test_importance_counts_where_a_search_measures():
    weights = {"importance": {"a": 3.0}}
    with pytest.raises(InputError, match="importance"):
        Recipe(SCHEMA, k=4, method="mondrian", **weights)
    Recipe(SCHEMA, k=4, method="mondrian", refine="yes", **weights)


def test_shards_have_moves_and_no_seconds(table):
    release = released(table, shard=40, refine=2000)
    again = released(table, shard=40, refine=2000)
    plain = released(table, shard=40)
    assert release.table.equals(again.table)
    numbers = table.select(NUMBERS).to_numpy()
    tables = (r.table.select(NUMBERS).to_numpy() for r in (release, plain))
    refined_loss, plain_loss = (sse_loss(numbers, released) for released in tables)
    assert refined_loss < plain_loss
    for timed in ({"refine": "1 s"}, {"method": "best", "parameters": {"seconds": 1}}):
        with pytest.raises(InputError, match=r"cut into shards.*number of moves"):
            released(table, shard=40, **timed)


def test_a_comparison_refines_what_can_be_refined(table):
    options = {"k": 4, "refine": 500, "n_jobs": 1, "measures": ["sse_loss"]}
    found = compare(table, SCHEMA, methods=["mdav", "pcp"], **options)
    (mdav,) = found.candidates
    assert mdav.recipe.refine == "500 moves"
    assert "refine" in found.left_out["pcp"]
    assert np.isclose(
        mdav.figures["sse_loss"], released(table, refine=500).scores["sse_loss"]
    )
