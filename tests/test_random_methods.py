"""Random methods on tables: what is promised, and what it looks like."""

import inspect
import json
import re

import numpy as np
import polars as pl
import pytest
from commands import run
from numpy.testing import assert_array_equal

from microcell import METHODS, Recipe, Schema, anonymize, apply_recipe, compare, tune
from microcell.aggregate import RandomRho, WrapNoise
from microcell.embed import RangeScale
from microcell.methods import methods_table
from microcell.metrics import distance_linkage_risk, sse_loss
from microcell.partition import BottomUp, TopDown

RANDOM = ["top-down", "bottom-up", "random-aggregation", "random-k-anonymity"]
NOISY = RANDOM[2:]
rng = np.random.default_rng(0)
PEOPLE = pl.DataFrame(
    {
        "age": rng.integers(18, 90, size=80).astype(float),
        "pay": rng.normal(50, 9, size=80),
        "sex": ["f", "m"] * 40,
    }
)


@pytest.mark.parametrize("method", NOISY)
def test_noise_promises_cells_and_never_k_anonymity(method, tmp_path):
    release = anonymize(PEOPLE, Schema(["age", "pay", "sex"]), k=4, method=method)
    cells, whole = release.findings
    assert cells.promise == "cells of at least k" and cells.found >= 4
    assert whole.promised is None and whole.found == 1
    assert np.bincount(release.labels).min() >= 4
    assert release.table["pay"].n_unique() == 80  # each record draws its own
    assert set(release.table["sex"]) <= {"f", "m"}  # categories are not averaged
    shown = release.summary()
    assert "cells of at least k: promised 4" in shown
    assert "k-anonymity: promised" not in shown
    path = tmp_path / "certificate.json"
    release.save(tmp_path / "release.csv", certificate=path)
    document = json.loads(path.read_text())
    on = [(f["promise"], f["counted_on"]) for f in document["findings"]]
    assert on == [
        ("cells of at least k", "counted on the cells"),
        ("k of the whole table", "table"),
        ("k of the whole table", "file"),
    ]
    for said in (shown.splitlines()[0], document["decide"][0]):
        assert "not k-anonymity (k found on the released records: 1)" in said
        assert "not differentially private" in said


@pytest.mark.parametrize("engine", ["memory", "disk"])
def test_nothing_is_verified_in_a_file_that_it_cannot_show(engine, tmp_path):
    PEOPLE.write_csv(tmp_path / "people.csv")
    command = ["anonymize", str(tmp_path / "people.csv"), "-q", "age", "-q", "pay"]
    command += ["--others", "drop", "-k", "4", "--method", NOISY[0]]
    command += ["-o", str(tmp_path / "o.csv"), "--engine", engine]
    if engine == "memory":
        command += ["--report", str(tmp_path / "r.html")]
    done = run(*command)
    assert done.exit_code == 0, done.output
    assert "\nverified" not in done.output
    assert "counted in file" in done.output and "found 1" in done.output
    assert "k=4 is not promised: 80 record(s)" in done.output
    if engine == "memory":
        page = " ".join((tmp_path / "r.html").read_text().split())
        assert "not k-anonymity (k found on the released records: 1)" in page
        assert "Released records may be unique" in page
        assert "candidates and cannot tell" not in page
        assert "<b>80</b> of 80 records share their released quasi-id" in page
        assert "Every record shares" not in page


@pytest.mark.parametrize("engine", ["memory", "disk"])
def test_k_of_columns_alone_is_to_be_decided(engine, tmp_path):
    PEOPLE.write_csv(tmp_path / "people.csv")
    command = ["anonymize", str(tmp_path / "people.csv"), "-q", "age", "-q", "pay"]
    command += ["--others", "drop", "-k", "4", "--method", "individual-ranking"]
    command += ["-o", str(tmp_path / "o.csv"), "--engine", engine]
    command += ["--certificate", str(tmp_path / "o.json")]
    done = run(*command)
    assert done.exit_code == 0, done.output
    (said,) = json.loads((tmp_path / "o.json").read_text())["decide"]
    assert re.fullmatch(
        r"k holds for each block .* k is 1, \d+ record\(s\) are .*", said
    )
    assert "to decide           k holds for each block" in done.output


def test_no_candidate_with_noise_is_named_by_its_k_alone():
    schema = Schema(["age", "pay"], confidential="sex")
    compared = compare(PEOPLE, schema, k=[4], methods=["mdav", NOISY[0], NOISY[1]])
    labels = {c.recipe.method: c.label for c in compared.candidates}
    assert labels["mdav"] == "mdav, k=4"
    for method in NOISY:
        assert labels[method] == f"{method}, k=4 (not k-anonymous)"
    tuned = tune(PEOPLE, schema, k=4, methods=[NOISY[0]], least="loss")
    assert "with k=4 (not k-anonymous)" in tuned.why
    assert "does not give k-anonymity" in tuned.notes[0]


@pytest.mark.parametrize("method", RANDOM[:2])
def test_without_noise_the_promise_is_k_anonymity(method):
    release = anonymize(PEOPLE, Schema(["age", "pay", "sex"]), k=4, method=method)
    assert [finding.promise for finding in release.findings] == ["k-anonymity"]
    assert release.findings[0].found >= 4


@pytest.mark.parametrize("method", NOISY)
def test_docstrings_say_what_is_not_given(method):
    for said in (inspect.getdoc(METHODS[method]), RandomRho.__doc__, WrapNoise.__doc__):
        assert "differential" in said and "any epsilon" in " ".join(said.split())
    summary = {name: line for name, _, line in methods_table()}[method]
    assert "no k-anonymity" in summary


@pytest.mark.parametrize("k", [2, 5])
def test_rho_of_0_is_plain_microaggregation(k):
    X = PEOPLE[["age", "pay"]].to_numpy()
    plain = METHODS["top-down"](k).fit_transform(X)
    assert_array_equal(METHODS["random-aggregation"](k, rho=0).fit_transform(X), plain)


def test_parameters_and_seed_reach_the_parts():
    plan = METHODS["random-aggregation"](
        4, rho=0.3, centre=True, c=7, random_state=5, scale=RangeScale()
    )
    assert isinstance(plan.partition, TopDown) and plan.partition.c == 7
    assert isinstance(plan.embed, RangeScale)
    assert plan.aggregate.get_params() == {
        "rho": 0.3,
        "centre": True,
        "random_state": 5,
    }
    plan = METHODS["random-k-anonymity"](4, c=7, random_state=5)
    assert isinstance(plan.partition, BottomUp) and plan.partition.random_state == 5
    assert isinstance(plan.aggregate, WrapNoise) and plan.aggregate.random_state == 5


@pytest.mark.parametrize("method", RANDOM)
def test_a_seed_gives_the_same_release_again(method):
    X = PEOPLE[["age", "pay"]].to_numpy()

    def released(seed):
        return METHODS[method](4, c=3, random_state=seed).fit_transform(X)

    assert_array_equal(released(1), released(1))
    assert not np.array_equal(released(1), released(2))


def noisy_figures(k, rho):
    """Mean loss and linkage (two nearest) over draws, on a cloud scaled to 0 to 1."""
    X = RangeScale().fit_transform(np.random.default_rng(1).normal(size=(400, 4)))
    loss, linkage = [], []
    for seed in range(8):
        plan = METHODS["random-aggregation"](
            k, rho=rho, random_state=seed, scale=RangeScale()
        )
        X_released = plan.fit_transform(X)
        loss.append(sse_loss(X, X_released))
        linkage.append(distance_linkage_risk(X, X_released, top=2))
    return np.mean(loss), np.mean(linkage)


def test_loss_grows_with_rho_and_k_and_linkage_falls_with_rho():
    at = {(k, rho): noisy_figures(k, rho) for k in (3, 8) for rho in (0, 0.5, 1)}
    for k in (3, 8):
        losses = [at[k, rho][0] for rho in (0, 0.5, 1)]
        linked = [at[k, rho][1] for rho in (0, 0.5, 1)]
        assert losses == sorted(losses) and linked == sorted(linked, reverse=True)
    for rho in (0, 0.5, 1):
        assert at[3, rho][0] < at[8, rho][0]


@pytest.mark.parametrize(
    ("method", "options", "said"),
    [
        (NOISY[0], {"random_state": 3}, "undo the noise"),
        ("mdav", {}, ""),
        ("mdav", {"order": "keep"}, "rows are in the order of the source"),
    ],
)
def test_a_seed_and_the_order_of_the_source_are_to_be_decided(method, options, said):
    """Whoever set them: a recipe may come from somebody else."""
    schema = Schema(["age", "pay"], others="drop")
    recipe = Recipe(schema, k=4, method=method, **options)
    decide = [d for d in apply_recipe(PEOPLE, recipe).decide if "not k-anon" not in d]
    assert len(decide) == bool(said) and said in "".join(decide)
