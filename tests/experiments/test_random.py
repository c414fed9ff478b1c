import numpy as np
import polars as pl
import pytest
from commands import run

import microcell.experiments.random as random
from microcell.embed import RangeScale
from microcell.experiments import EXPERIMENTS
from microcell.experiments.random import _run
from microcell.experiments.random._claims import claims, lower_at_rho_08
from microcell.experiments.random._figures import FIGURES, curves
from microcell.experiments.random._run import (
    EPSILONS,
    RHOS,
    Setting,
    build,
    impossible_share,
    literal_loss,
    load,
    settings,
)
from microcell.metrics import sse_loss


def small_table(name):
    seed = {"breast": 0, "diabetes": 1}[name]
    X = np.random.default_rng(seed).normal(size=(60, 3))
    return RangeScale().fit_transform(X)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(_run, "load", small_table)
    monkeypatch.setattr(
        random, "RANDOM_PLANS", {"full": ((3, 6), 2), "quick": ((3, 6), 2)}
    )


def test_command_writes_results_figures_and_claims(small, tmp_path):
    assert "random" in EXPERIMENTS
    out = tmp_path / "results"
    done = run("reproduce", "random", "--quick", "--out", out)
    assert done.exit_code == 0, done.output
    out = out / "random"
    rows = pl.read_csv(out / "results.csv")
    assert rows.height == 2 * 2 * 2 * len(settings())
    means = pl.read_csv(out / "means.csv")
    assert means.height == 2 * 2 * len(settings())
    assert means["loss_half_interval"].is_nan().all()  # of two repetitions
    for figure in FIGURES:
        assert (out / f"{figure}.png").stat().st_size > 0
        assert (out / f"{figure}.svg").stat().st_size > 0
    said, printed = (
        " ".join(text.split())  # lines are wrapped
        for text in ((out / "summary.txt").read_text(), done.stdout)
    )
    for claim in ("(figure 4)", "(figure 5)", "(figure 6)", "(figure 7)", "privacy"):
        assert claim in said and claim in printed
    assert said.count("hold") >= 10


def test_figures_are_means_of_repetitions(small):
    rows, _ = _run.run(((3, 6), 2), lambda *_: None)
    label = "random aggregation, rho = 0.5"
    own = [r for r in rows if (r["data"], r["label"]) == ("breast", label)]
    points = curves(rows, "breast", "loss", "noise", 100)[label]
    assert [k for k, _, _ in points] == [3, 6]
    expected = 100 * np.mean([r["loss"] for r in own if r["k"] == 3])
    assert points[0][1] == pytest.approx(expected)
    assert len({r["loss"] for r in own}) == 4  # each repetition draws anew


def test_rho_of_0_and_top_down_are_the_same(small):
    rows, _ = _run.run(((5,), 1), lambda *_: None)
    losses = {row["label"]: row["loss"] for row in rows if row["data"] == "diabetes"}
    assert losses["random aggregation, rho = 0"] == losses["top-down, c = 1"]


def test_the_private_method_is_measured_beside_its_records():
    chosen = [setting for setting in settings() if setting.epsilon is not None]
    assert [setting.epsilon for setting in chosen] == list(EPSILONS)
    assert chosen[0].label == "differentially private, epsilon = 0.1"
    X = small_table("breast")
    plan = build(Setting(chosen[0].method, epsilon=1e6), 5, 3)
    released = plan.fit_transform(X)
    assert np.bincount(plan.labels_).min() >= 5
    for cell in range(plan.labels_.max() + 1):  # so little noise that means are seen
        rows = plan.labels_ == cell
        expected = np.tile(X[rows].mean(axis=0), (rows.sum(), 1))
        np.testing.assert_allclose(released[rows], expected, atol=1e-2)


def fake_rows(value):
    """Rows in which a measure is a function of table, setting and k."""
    rows = []
    measures = ("seconds", "loss", "linkage", "centroid_linkage", "attack_error")
    for name in ("breast", "diabetes"):
        for setting in settings():
            for k in (3, 6):
                found = {measure: value(measure, setting, k) for measure in measures}
                row = {"data": name, "k": k, "method": setting.method, "repetition": 0}
                without = {"attack_error_without": 1.0}
                rows.append(row | {"label": setting.label} | found | without)
    return rows


STRIPS = {name: {0.5: (0.3, 0.9)} for name in ("breast", "diabetes")}


def verdicts(rows):
    return [claim.verdict for claim in claims(rows, STRIPS)]


def test_verdicts_follow_the_figures():
    def as_claimed(measure, setting, k):
        rho = setting.rho or 0.0
        sign = -1 if "linkage" in measure else 1
        if measure == "attack_error":
            return 2 * rho + 1
        top_down = setting.method == "top-down"
        return 10 + sign * (rho + k / 10) - top_down

    found = verdicts(fake_rows(as_claimed))
    assert found == ["holds"] * 10 + ["does not hold"] * 2 + ["holds"] * 2 + [
        "does not hold"
    ]
    against = verdicts(fake_rows(lambda *a: -as_claimed(*a)))
    assert against[6:10] == ["does not hold"] * 4
    assert against[0] == "does not hold" and against[10] == "holds"


def test_single_runs_show_what_means_do_not():
    """In one of three runs rho = 0.8 is linked less, by little; in others far more."""
    rows = []
    for repetition, change in ((0, -0.1), (1, 3.0), (2, 3.0)):
        rows += [
            row | {"repetition": repetition}
            for row in fake_rows(
                lambda measure, setting, k: 10 + change * (setting.rho == 0.8)  # noqa: B023
            )
        ]
    of_means, of_runs = lower_at_rho_08(rows)
    assert of_means.verdict == "does not hold"
    assert of_runs.verdict == "holds in part" and "1 of 3 runs" in of_runs.ours


def test_the_papers_roulette_is_read_beside_ours():
    (chosen,) = [setting for setting in settings() if setting.roulette]
    assert chosen.label == "top-down, c = 10, drawn by distance"
    assert build(chosen, 5, 0).partition.roulette == "distance"


def test_share_of_impossible_outputs():
    """One cell of 0 and 0.5; its greatest value moves to 1: half is new for rho = 1."""
    X = np.array([[0.0], [0.5], [1.0], [1.0]])
    assert impossible_share(X, 2, 1.0) == pytest.approx((0.5, 0.5))
    assert impossible_share(X, 2, 0.5)[0] > 0


def test_literal_formula_takes_no_squares():
    X, X_released = np.array([[0.0], [4.0]]), np.array([[1.0], [4.0]])
    assert literal_loss(X, X_released) == pytest.approx(1 / 4)
    assert sse_loss(X, X_released) == pytest.approx(1 / 8)


def test_tables_of_the_paper(benchmark_data):
    """Complete records; the paper counts 13 attributes and 769 records."""
    assert load("breast").shape == (683, 9)
    assert load("diabetes").shape == (768, 8)
    for name in ("breast", "diabetes"):
        X = load(name)
        assert (X.min(axis=0) == 0).all() and (X.max(axis=0) == 1).all()


def test_settings_cover_the_paper():
    assert {s.rho for s in settings() if s.rho is not None} == set(RHOS)
    assert Setting("random-k-anonymity").label == "random k-anonymity"
