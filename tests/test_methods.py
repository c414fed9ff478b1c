"""What the published methods promise beyond the parts that they are made of."""

import numpy as np
import polars as pl
import pytest
from commands import run
from hypothesis import example, given
from hypothesis import strategies as st
from marks import for_each
from tables import tables_and_k

from microcell import METHODS, Schema, anonymize
from microcell.embed import SCALES, Mismatch


def scaled_loss(X, labels, scale):
    """SSE of the scaled columns inside cells."""
    Z = SCALES[scale]().fit_transform(X)
    cells = [Z[labels == c] for c in range(labels.max() + 1)]
    return sum(np.sum((cell - cell.mean(axis=0)) ** 2) for cell in cells)


SQUARE = np.array([[0, 0], [2, 0], [3, 3], [0, 3.0]])


@pytest.mark.parametrize("name", ["pcp", "zscores", "sugeno"])
@given(table=tables_and_k(most_rows=12))
@example(table=(SQUARE, 2))
def test_the_multivariate_cut_is_never_worse_for_the_columns(name, table):
    X, k = table
    losses = {}
    for cost in ("multivariate", "projected"):
        labels = METHODS[name](k, cost=cost).fit(X).labels_
        losses[cost] = scaled_loss(X, labels, "standard")
    assert losses["multivariate"] <= losses["projected"] * (1 + 1e-9) + 1e-12


def mismatch_cost(cell):
    """SSE of a cell in the coordinates of `Mismatch`: pairs that differ, per record."""
    return sum(np.sum(cell != value) for value in cell) / 2 / len(cell)


def least_mismatch(codes, k):
    """Least cost of cutting sorted codes into cells of k to 2k - 1."""
    codes = np.sort(codes)
    best = {0: 0.0}
    for j in range(k, len(codes) + 1):
        sizes = [m for m in range(k, min(2 * k - 1, j) + 1) if j - m in best]
        if sizes:
            best[j] = min(best[j - m] + mismatch_cost(codes[j - m : j]) for m in sizes)
    return best[len(codes)]


@given(codes=st.lists(st.integers(0, 4), min_size=3, max_size=20), k=st.integers(1, 4))
def test_individual_ranking_of_categories_costs_mismatches(codes, k):
    X = np.array(codes, dtype=float)[:, None]
    k = min(k, len(X))
    masked = METHODS["individual-ranking"](k, scale=Mismatch()).fit(X)
    labels = masked.labels_[:, 0]
    found = sum(mismatch_cost(X[labels == c]) for c in range(labels.max() + 1))
    assert found == pytest.approx(least_mismatch(X[:, 0], k), abs=1e-9)


def test_individual_ranking_groups_equal_categories():
    """Each category has at least k records, so none needs to change."""
    colours = ["red", "green", "blue"] * 3 + ["red", "green", "red"]
    table = pl.DataFrame({"colour": colours, "age": range(12)})
    schema = Schema(["colour", "age"])
    release = anonymize(table, schema, k=3, method="individual-ranking")
    assert release.table["colour"].to_list() == colours
    assert sorted(np.bincount(release.labels[:, 0])) == [3, 4, 5]
    assert np.bincount(release.labels[:, 1]).tolist() == [3, 3, 3, 3]


PEOPLE = pl.DataFrame(
    {"age": [31, 62, 35, 58, 20], "pay": [9, 5, 7, 2, 1], "sex": list("fmfmf")}
)


@for_each("columns", [["age", "pay"], ["age", "pay", "sex"]])
@for_each("scale", SCALES)
@for_each("name", ["zscores", "sugeno", "pcp"])
def test_a_scale_that_changes_nothing_is_refused(name, scale, columns):
    options = {"k": 2, "method": name, "scale": scale}
    anonymize(PEOPLE.select(columns), Schema(columns), **options)
    options["cost"] = "projected"
    if scale == "standard" or name == "pcp":
        anonymize(PEOPLE.select(columns), Schema(columns), **options)
        return
    with pytest.raises(ValueError, match=f"'{name}' with cost='projected' .*'scale'"):
        anonymize(PEOPLE.select(columns), Schema(columns), **options)


@for_each("value", [1e200, 10**400, np.float32(1e30), -1e200])
@for_each(
    ("name", "parameter", "allowed"),
    [
        ("lda-mdav", "alpha", "between 1 and 1e"),
        ("lda-vmdav", "alpha", "between 1 and 1e"),
        ("lda-mondrian", "alpha", "between 1 and 1e"),
        ("mdav-sd", "lambda_", "between 0 and 1"),
    ],
)
def test_absurd_parameters(name, parameter, allowed, value):
    X = np.random.default_rng(0).normal(size=(30, 2))
    masked = METHODS[name](3, **{parameter: value})
    with pytest.raises(ValueError, match=f"'{parameter}' parameter .* {allowed}"):
        masked.fit(X, X[:, 0] > 0)


def test_gamma_may_be_large_but_must_be_a_number():
    X = np.random.default_rng(0).normal(size=(30, 2))
    labels = METHODS["vmdav"](3, gamma=1e200).fit(X).labels_
    assert np.array_equal(labels, METHODS["vmdav"](3, gamma=1e9).fit(X).labels_)
    with pytest.raises(ValueError, match="'gamma' parameter must be a number >= 0"):
        METHODS["vmdav"](3, gamma=10**400).fit(X)


@for_each(
    ("method", "given", "part", "attribute"),
    [
        ("ktca", {"collaboration": "in turn"}, "embed", "order"),
        ("ctca++", {"collaboration": "in turn"}, "embed", "order"),
        ("ktca++", {"space": "weighted"}, "aggregate", "space"),
        ("ctca++", {"second_round": True}, "aggregate", "second_round"),
        ("top-down", {"roulette": "distance"}, "partition", "roulette"),
        ("random-aggregation", {"roulette": "distance"}, "partition", "roulette"),
    ],
)
def test_parameters_reach_their_part(method, given, part, attribute):
    plan = METHODS[method](3, **given)
    assert [getattr(getattr(plan, part), attribute)] == list(given.values())


def test_codewords_of_k_means_are_for_records_that_move():
    plan = METHODS["ktca++"](3, membership="reassign", codewords="k-means")
    assert plan.aggregate.codewords == "k-means"
    with pytest.raises(ValueError, match="codewords"):
        METHODS["ktca++"](3, codewords="k-means")


@pytest.mark.parametrize(
    "options",
    [
        "-m sugeno -p function=choquet -p quantifier=sqrt",
        "-m sugeno -p function=owa -p owa_weights=[0.7,0.3]",
        "-m lda-mdav -p discriminant=bayes --target ill",
        "-m lda-mdav -p factors=each --target ill",
        "-m top-down -p c=2 -p roulette=distance",
        "-m ktca++ -p collaboration=in_turn",
        "-m sugeno -p quantifier=all",
    ],
)
def test_options_of_methods_on_the_command_line(options, tmp_path):
    table = tmp_path / "people.csv"
    rows = [f"{30 + i},{50 + (7 * i) % 40},{i % 3}" for i in range(60)]
    table.write_text("\n".join(["age,bmi,ill", *rows]) + "\n")
    given = ["anonymize", table, "-q", "age", "-q", "bmi", "-c", "ill", "-k", "3"]
    given += [*options.split(), "-o", tmp_path / "out.csv"]
    done = run(*given)
    wrong = "in_turn" in options or "=all" in options
    assert done.exit_code == (2 if wrong else 0), done.output
