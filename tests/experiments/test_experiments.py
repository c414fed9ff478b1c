import itertools
import json
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

import microcell.experiments.lda as lda
import microcell.experiments.price as price
from microcell.datasets import fetch_adult, make_two_gaussians
from microcell.experiments import EXPERIMENTS
from microcell.experiments import _data as data
from microcell.experiments import _readings as readings
from microcell.experiments._curves import (
    best_on_test,
    curve,
    gain,
    mean_and_interval,
    point,
)
from microcell.experiments._data import TITLES, Reading, draw, load, model_of, size_of
from microcell.experiments._experiment import ALL_VALUES, Setting
from microcell.experiments._figures import draw_utility
from microcell.experiments._frontier import frontier, frontier_lines
from microcell.experiments._grid import ks_of, measured, run_task
from microcell.experiments._predictors import (
    correlation,
    jackknifed,
    means_of,
    predictor_lines,
    predictors_table,
    with_one_left_out,
)
from microcell.experiments.lda import LDA
from microcell.experiments.lda import _toy as toy
from microcell.experiments.lda._claims import (
    at_k_50,
    learns_more,
    their_errors,
    their_gain,
)
from microcell.experiments.price import PRICE
from microcell.experiments.price._claims import (
    at_1000,
    claims_on_adult,
    distortions,
    orders,
    predicts_poorly,
)
from microcell.methods import LAMBDAS
from microcell.metrics import split_and_scale
from microcell.report._style import draw_curves, draw_legend, look, panels

TINY = {"full": [("synthetic", 2, (5, 50))], "quick": [("synthetic", 2, (5, 50))]}
OURS = {lda: "LDA", price: "PRICE"}  # where each module describes its experiment


def row(repetition, accuracy, **more):
    return {
        "data": "d",
        "method": "m",
        "honest": False,
        "parameter": None,
        "k": 5,
        "repetition": repetition,
        "accuracy": accuracy,
    } | more


def test_the_papers_choice_is_the_best_in_each_repetition():
    rows = [row(0, 0.7), row(0, 0.9), row(1, 0.8), row(1, 0.6)]
    assert [r["accuracy"] for r in best_on_test(rows, "accuracy")] == [0.9, 0.8]
    points = curve(rows, "d", "m", "accuracy", select="accuracy")
    assert points[0][:2] == (5, pytest.approx(0.85))
    assert curve(rows, "d", "m", "accuracy")[0][1] == pytest.approx(0.75)
    assert curve(rows, "d", "m", "accuracy", honest=True) == []


def test_interval_of_a_mean():
    mean, half = mean_and_interval([1.0, 2.0, 3.0])
    assert mean == 2.0 and half == pytest.approx(2.4841, abs=1e-4)
    assert mean_and_interval([1.0]) == (1.0, 0.0)


def test_intervals_are_shown_from_five_repetitions_on():
    few, enough = [0.5, 0.7, 0.9, 0.7], [0.5, 0.7, 0.9, 0.7, 0.7]
    assert point(few)[0] == pytest.approx(0.7) and np.isnan(point(few)[1])
    assert point(enough) == pytest.approx(mean_and_interval(enough))
    rows = [row(i, value) for i, value in enumerate(few)]
    assert np.isnan(curve(rows, "d", "m", "accuracy")[0][2])


def test_values_of_k_leave_two_cells():
    assert ks_of(100, ALL_VALUES) == [5, 10, 20, 50]


@pytest.mark.parametrize("name", TITLES)
def test_data_of_the_papers(benchmark_data, name):
    X, y = draw(name, 0)
    sizes = {
        "adult": 4522,
        "adult (all)": 45222,
        "breast": 683,
        "heart": 297,
        "synthetic": 1000,
    }
    assert len(X) == len(y) == size_of(name) == sizes[name]
    assert set(np.unique(y)) == {0, 1}


def test_each_repetition_draws_another_tenth_of_adult(benchmark_data):
    everyone, y = load("adult")
    samples = [draw("adult", repetition) for repetition in (0, 1, 0)]
    for _, own in samples:
        assert own.mean() == pytest.approx(y.mean(), abs=2e-4)  # stratified
    assert_array_equal(samples[0][0], samples[2][0])
    assert (samples[0][0] != samples[1][0]).any()
    known = set(map(tuple, everyone))
    assert all(tuple(record) in known for record in samples[1][0][:50])


def test_codings_of_categories(benchmark_data):
    frame = fetch_adult(drop_missing=True)
    at = frame.schema.quasi_identifiers.index("marital-status")
    text = frame.frame["marital-status"].to_list()
    for coding, order in (
        ("documented order", list(data.CATEGORIES["marital-status"])),
        ("alphabetical", sorted(data.CATEGORIES["marital-status"])),
    ):
        X, _ = load("adult", coding)
        assert X.shape == (45222, 6)
        assert [order.index(value) for value in text[:300]] == X[:300, at].tolist()
    X, _ = load("adult", "one-hot")
    assert X.shape == (45222, 5 + 7)  # sex has two categories, one column
    assert_array_equal(X[:, at : at + 7].sum(axis=1), 1.0)
    assert load("heart", "one-hot")[0].shape[1] == 13 + 3 + 2 + 2 + 2  # cp and others
    with pytest.raises(ValueError, match="'coding' parameter must be one of"):
        load("adult", "random")


def test_honest_choices_where_they_are_not_too_expensive():
    def honest(data, k):
        return [s.method for s in PRICE.settings_of(data, k) if s.honest]

    everyone = ["MDAV with SD", "MDAV with SD, posterior", "MDAV with LDA"]
    assert honest("heart", 10) == honest("adult", 50) == everyone
    assert honest("adult", 10) == honest("adult (all)", 50) == []
    assert len(PRICE.settings_of("adult (all)", 50)) == 3 + len(LAMBDAS)


def test_the_papers_learner_by_default():
    ada = model_of("adult")
    assert ada is data.LEARNERS["AdaBoost"] and ada.n_estimators == 30
    assert ada.estimator.max_leaf_nodes == 20 + 1  # 20 splits
    assert model_of("heart") is data.LEARNERS["logistic regression"]
    assert model_of("heart", "AdaBoost") is ada
    assert len(data.READINGS) == len(set(data.READINGS)) == 4 * 3


def test_a_process_reads_a_data_set_once(tmp_path, monkeypatch):
    read = []

    def counted(*args, **options):
        read.append(args)
        return make_two_gaussians(*args, **options)

    load.cache_clear()
    monkeypatch.setattr(data, "make_two_gaussians", counted)
    for k in (5, 50):
        run_task(LDA, "synthetic", 0, k, LDA.settings_of("synthetic", 5)[:1], tmp_path)
    assert len(read) == 1
    with pytest.raises(ValueError, match="read-only"):
        load("synthetic")[0][0] = 0.0


def test_finished_tasks_are_not_run_again(tmp_path):
    task = (LDA, "synthetic", 0, 5, LDA.settings_of("synthetic", 5)[:2])
    first = run_task(*task, tmp_path)
    (file,) = tmp_path.iterdir()
    kept = json.loads(file.read_text()) | {"results": [{"kept": True}]}
    file.write_text(json.dumps(kept))
    assert run_task(*task, tmp_path) == [{"kept": True}]
    assert {r["method"] for r in first} == {"MDAV", "MDAV with LDA"}


def test_finished_tasks_of_other_settings_are_run_again(tmp_path):
    """Even in the same file: another experiment, parameter, model or version."""
    settings = LDA.settings_of("synthetic", 5)[:2]
    task = (LDA, "synthetic", 0, 5)
    run_task(*task, settings, tmp_path)
    fewer = run_task(*task, settings[:1], tmp_path)
    assert [r["method"] for r in fewer] == ["MDAV"]
    again = run_task(*task, settings, tmp_path)
    assert [r["method"] for r in again] == ["MDAV", "MDAV with LDA"]
    (file,) = tmp_path.iterdir()
    kept = json.loads(file.read_text())
    plain = PRICE.settings_of("synthetic", 5)[:1]
    run_task(PRICE, "synthetic", 0, 5, plain, tmp_path)
    for key in kept["task"]:
        spoiled = {"task": kept["task"] | {key: "other"}, "results": []}
        file.write_text(json.dumps(spoiled))
        assert len(run_task(*task, settings, tmp_path)) == 2
    for damaged in ("[]", "{", '[{"data": "synthetic"}]'):
        file.write_text(damaged)
        assert len(run_task(*task, settings, tmp_path)) == 2


@pytest.mark.slow
def test_two_experiments_in_one_folder(tmp_path, monkeypatch):
    """They leave each other's tables, figures and finished tasks alone."""
    tiny = [("synthetic", 1, (50,))]
    for module, name in OURS.items():
        short = replace(getattr(module, name), plans={"full": tiny, "quick": tiny})
        monkeypatch.setattr(module, name, short)
        for said in ("summary", "claims"):
            monkeypatch.setattr(module, said, lambda *_: [])
    monkeypatch.setattr(lda, "draw_toy", lambda *_: None)
    monkeypatch.setattr(lda, "compare_models", lambda *_: [{"data": "synthetic"}])
    written = {}
    for module, quick in itertools.product((lda, price), (True, False)):
        module.reproduce(tmp_path, quick=quick)
        for path, before in written.items():
            assert path.read_bytes() == before
        if not quick:
            written |= {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    for name in ("lda", "price"):
        methods = set(pl.read_csv(tmp_path / name / "results.csv")["method"])
        assert ("MDAV with SD" in methods) == (name == "price")
        assert (tmp_path / name / "figure_12.svg").exists() == (name == "price")
    assert len(list(tmp_path.rglob("cache/*/*.json"))) == 4  # none was replaced


def test_alpha_of_one_is_mdav_in_the_grid(tmp_path):
    settings = [s for s in LDA.published_settings() if s.parameter in (None, 1.0)]
    plain, first = run_task(LDA, "synthetic", 0, 20, settings, tmp_path)
    for measure in ("accuracy", "f_measure", "distortion", "largest_share"):
        assert plain[measure] == pytest.approx(first[measure])


@pytest.mark.parametrize(
    ("module", "figures"),
    [
        pytest.param(
            lda,
            ["figure_6", "figure_7", "figure_8", "figure_10", "figure_15"],
            marks=pytest.mark.slow,
        ),
        pytest.param(price, ["figure_12", "figure_13"], marks=pytest.mark.slow),
    ],
    ids=["lda", "price"],
)
def test_a_small_run_writes_everything(module, figures, tmp_path, monkeypatch):
    experiment = replace(getattr(module, OURS[module]), plans=TINY)
    monkeypatch.setattr(module, OURS[module], experiment)
    steps = []
    lines = module.reproduce(
        tmp_path / "out", quick=True, progress=lambda *news: steps.append(news)
    )
    assert steps[-1][0] == steps[-1][1] == 4
    said = " ".join(" ".join(lines).split())  # lines are wrapped
    assert said.startswith(f"{experiment.paper.title} ({experiment.paper.authors})")
    assert "mean accuracy over k = 5, 50" in said
    assert "records in cells of one class" in said
    folder = tmp_path / "out" / experiment.name
    assert folder.joinpath("summary.txt").read_text().splitlines() == lines
    results = pl.read_csv(folder / "results.csv")
    assert set(results["k"]) == {5, 50} and set(results["repetition"]) == {0, 1}
    assert results["accuracy"].is_between(0.5, 1).all()
    for figure in figures:
        assert (folder / f"{figure}.png").stat().st_size > 5000
    homogeneous = pl.read_csv(folder / "homogeneity.csv")
    assert {"largest_share", "p_sensitivity", "t_distance"} <= set(homogeneous.columns)


def adult_rows(accuracies, repetitions=6, **more):
    """Rows of Adult in which repetitions differ by a thousandth."""
    return [
        row(r, accuracy + r / 1000, method=method, data="adult", k=k) | more
        for r in range(repetitions)
        for k in (5, 50, 1000)
        for method, accuracy in accuracies.items()
    ]


METHODS_OF_PRICE = ("MDAV", "V-MDAV", "Mondrian", "MDAV with SD")


def test_claims_on_adult_are_judged():
    for accuracy, word in ((0.82, "holds"), (0.78, "does not hold")):
        rows = adult_rows(dict.fromkeys(METHODS_OF_PRICE, accuracy))
        found = claims_on_adult(PRICE, "adult", rows)
        assert [claim.verdict for claim in found] == [word] * 5
    spread = adult_rows(dict.fromkeys(METHODS_OF_PRICE, 0.7975))
    assert claims_on_adult(PRICE, "adult", spread)[-1].verdict == "cannot be told"
    two = adult_rows(dict.fromkeys(METHODS_OF_PRICE, 0.9), repetitions=2)
    assert claims_on_adult(PRICE, "adult", two)[0].verdict == "cannot be told"


def test_distortions_and_orders_are_judged():
    accuracies = {"MDAV": 0.8, "V-MDAV": 0.7, "Mondrian": 0.6, "MDAV with SD": 0.9}
    rows = adult_rows(accuracies, combined=0.1)
    for place, found in enumerate(rows):
        own = {"MDAV": 0.245, "V-MDAV": 0.249, "Mondrian": 0.418}
        found["distortion"] = own.get(found["method"], 0.3) + place / 1e6
    said = {claim.reading: claim for claim in distortions(PRICE, rows)}
    assert said["MDAV"].verdict == said["Mondrian"].verdict == "holds"
    assert said["V-MDAV"].verdict == "does not hold"
    assert said["V-MDAV"].printed == "V-MDAV more than 40 %"
    assert said[PRICE.tuned.as_published].ours.startswith("10.0")  # the combined one
    verdicts = {
        c.claim.split(" (")[0]: c.verdict for c in orders(PRICE, rows, ["adult"])
    }
    assert verdicts["MDAV with SD learns most"] == "holds"
    assert verdicts["MDAV learns second best, V-MDAV and Mondrian least"] == "holds"
    upside_down = adult_rows({m: -a for m, a in accuracies.items()}, distortion=0.2)
    said = orders(PRICE, [r | {"combined": 0.3} for r in upside_down], ["adult"])
    assert said[0].verdict == said[1].verdict == "does not hold"


def predicted_rows():
    """Along k distortion tells all; at one k the number of cells does, and not it."""
    rng = np.random.default_rng(0)
    rows = []
    for repetition, k in itertools.product(range(6), (5, 10, 20, 50)):
        for place, method in enumerate(METHODS_OF_PRICE):
            accuracy = 1 - k / 100 - place / 1000
            chance = rng.random() / 1000
            rows.append(
                row(repetition, accuracy, method=method, k=k)
                | {"distortion": k + chance, "n_cells": 1000 / k - place / 1000}
            )
    return rows


def ranked(rows, measure):
    cases, pairs = means_of(rows, "d", measure)
    return cases, pairs.mean(axis=0)


def test_intervals_of_rank_correlations_are_those_of_the_jackknife():
    """Of a mean the jackknife gives the interval of a mean."""
    values = np.array([1.0, 2, 4, 4, 7])
    left = [values.mean(), *(np.delete(values, i).mean() for i in range(5))]
    assert jackknifed(left) == pytest.approx(mean_and_interval(values))
    assert np.isnan(jackknifed(left[:4])[1])


def test_chance_of_single_runs_does_not_hide_what_means_show():
    rows = predicted_rows()
    rng = np.random.default_rng(1)
    for found in rows:
        found["accuracy"] += rng.normal() / 3
    alone = [
        correlation(
            *ranked([r for r in rows if r["repetition"] == i], "n_cells"), "within"
        )
        for i in range(6)
    ]
    assert with_one_left_out(rows, ["d"], "n_cells", "within")[0] > np.mean(alone)


def test_which_measure_predicts():
    rows = predicted_rows()
    assert correlation(*ranked(rows, "distortion"), "within") == pytest.approx(-1)
    assert correlation(*ranked(rows, "n_cells"), "across") == pytest.approx(1)
    table = {(r["way"], r["measure"]): r for r in predictors_table(rows, ["d"])}
    assert table["within", "distortion"]["half interval"] == pytest.approx(0, abs=1e-9)
    assert abs(table["across", "distortion"]["correlation"]) < 0.5
    lines = predictor_lines(rows, ["d"])
    assert "number of cells tells best" in lines[-1]
    verdicts = [claim.verdict for claim in predicts_poorly(PRICE, rows, ["d"])]
    assert verdicts[0] == "does not hold" and verdicts[1] != "does not hold"


def table_of(values):
    """Rows of two repetitions: {(method, honest): accuracy, share in uniform cells}."""
    return [
        row(r, accuracy + r / 100, method=method, honest=honest, homogeneous=share)
        | {"k": k, "parameter": None if method == "MDAV" or honest else 2.0}
        for (method, honest), (accuracy, share) in values.items()
        for r in range(2)
        for k in (5, 50)
    ]


GAINS = {
    ("MDAV", False): (0.8, 0.1),
    ("MDAV with SD", False): (0.9, 0.9),
    ("MDAV with SD", True): (0.82, 0.6),
    ("MDAV with SD, posterior", True): (0.83, 0.2),
    ("MDAV with LDA", True): (0.81, 0.15),
}


def test_gains_are_paired_by_repetition():
    rows = table_of(GAINS)
    assert gain(rows, "d", "MDAV with SD", honest=True)[0] == pytest.approx(0.02)
    assert gain(rows, "d", "MDAV with SD", honest=False)[0] == pytest.approx(0.1)
    against = {"honest": True, "over": "MDAV with SD", "measure": "homogeneous"}
    found = gain(rows, "d", "MDAV with SD, posterior", **against)
    assert found[0] == pytest.approx(-0.4)
    many = [
        r | {"repetition": i} for i in range(6) for r in rows if not r["repetition"]
    ]
    assert gain(many, "d", "MDAV with SD", honest=True)[1] == pytest.approx(0, abs=1e-9)
    assert np.isnan(gain(rows, "d", "none", honest=True)).all()


def test_the_frontier_holds_honest_choices_only():
    lines = frontier(PRICE, table_of(GAINS), "d")
    assert list(lines) == [
        method for method, honest in GAINS if honest or "SD" not in method
    ]
    share, accuracy, k = lines["MDAV with SD"][0]
    assert (share, accuracy, k) == (pytest.approx(60), pytest.approx(82.5), 5)
    said = frontier_lines(PRICE, table_of(GAINS), ["d"])
    gains = "SD +2.0 (+50.0); SD, posterior +3.0 (+10.0); LDA +1.0 (+5.0)"
    assert gains in said[0]
    assert "posterior against MDAV with SD" in said[1] and "-40.0" in said[1]


def test_figures_have_ticks_at_k_hollow_points_and_no_interval_of_two():
    rows = [
        r | {"data": "adult", "method": m, "f_measure": 0.6, "parameter": p}
        for r in table_of({("MDAV", False): (0.8, 0.1)})
        for m, p in (("MDAV", None), ("MDAV with LDA", 2.0))
    ]
    figure = draw_utility(LDA, rows, "adult")
    left, right = figure.axes
    assert left.get_xticks().tolist() == [5, 50] == right.get_xticks().tolist()
    assert not left.collections  # no band
    hollow = [line for line in left.lines if line.get_markerfacecolor() == "white"]
    assert [line.get_xydata().tolist() for line in hollow] == [
        [[50, 81.8]],
        [[50, 83.9]],
    ]
    assert figure.get_suptitle().startswith("UCI Adult, 10 % sample: MDAV with LDA")
    assert left.get_legend() is None and len(figure.legends) == 1
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts[0] == "MDAV" and texts[-1] == "as printed in the paper"


def test_bands_of_known_intervals_and_looks_that_differ():
    figure, (axes,) = panels(1, "A sentence. " * 20)
    lines = {
        "a": [(2, 1.0, 0.5), (4, 1.0, 0.5)],
        "b": [(2, 1.0, float("nan"))],
        "c": [],
    }
    draw_curves(axes, lines, x_label="k", y_label="y")
    draw_legend(figure, [axes])
    assert len(axes.collections) == 1 and len(axes.lines) == 2
    assert figure.get_suptitle().count("\n") >= 2
    looks = [tuple(look(place).items()) for place in range(8)]
    assert len(set(looks)) == 8 and look(8) == look(0)


def test_a_reading_may_mask_the_test_records():
    X, y = make_two_gaussians(400, random_state=1).arrays()
    split = split_and_scale(X, y, random_state=0)
    model = model_of("synthetic")
    found = [
        measured(LDA, Setting("MDAV"), 40, model, split, Reading(masks_test=masked))
        for masked in (False, True)
    ]
    assert found[0]["accuracy"] != found[1]["accuracy"]
    assert found[0]["distortion"] == found[1]["distortion"]
    whole = Reading(masks_test=True)
    alone = measured(LDA, Setting("MDAV"), 60, model, split, whole)  # one cell of test
    assert alone["accuracy"] == pytest.approx(0.5, abs=0.02)


def test_readings_are_run_once_and_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(readings, "READING_PLANS", {"quick": (1, (50,))})
    chosen = [Reading("logistic regression"), Reading("AdaBoost", "one-hot")]
    monkeypatch.setattr(readings, "READINGS", chosen)
    monkeypatch.setattr(readings, "MASKED_TEST", [Reading("AdaBoost", masks_test=True)])
    synthetic = make_two_gaussians(400, random_state=1).arrays()
    monkeypatch.setattr("microcell.experiments._grid.draw", lambda *_: synthetic)
    monkeypatch.setattr("microcell.experiments._tasks.Parallel", one_after_the_other)
    rows = readings.run_readings(LDA, "quick", tmp_path, lambda *_: None)
    table = readings.readings_table(LDA, rows)
    assert [(r["learner"], r["coding"], r["masks_test"]) for r in table] == [
        ("logistic regression", "documented order", False),
        ("AdaBoost", "one-hot", False),
        ("AdaBoost", "documented order", True),
    ]
    for found in table:
        assert found["gain"] == pytest.approx(found["MDAV with LDA"] - found["MDAV"])
        assert found["gain"] >= -1e-9  # alpha = 1 is MDAV
    lines = readings.reading_lines(LDA, table)
    assert len(lines) == 3 + 2 and "test records masked too" in lines[2]
    folders = {path.parent.name for path in tmp_path.rglob("*.json")}
    assert len(folders) == 3


def one_after_the_other(**_):
    return lambda jobs: (function(*args, **more) for function, args, more in jobs)


def reading_row(gained, half, level, k=50, masked=False):
    row = {"learner": "l", "coding": "c", "k": k, "masks_test": masked, "gain": gained}
    tuned = {"MDAV with SD": level + gained, "MDAV with SD +-": half}
    return row | {"gain +-": half, "MDAV": level} | tuned


def test_their_figures_are_judged_by_every_reading():
    rows = [reading_row(0.3, 0.2, 82), reading_row(1.0, 0.3, 81)]
    (said,) = their_gain(LDA, rows)
    assert said.verdict == "does not hold" and "+0.3 to +1.0 points" in said.ours
    both = their_gain(LDA, [*rows, reading_row(2.0, 0.5, 78, masked=True)])
    assert both[1].verdict == "cannot be told" and "from 78.0" in both[1].ours
    assert their_gain(LDA, []) == [] == at_1000(PRICE, rows)
    (said,) = at_1000(
        PRICE, [reading_row(2, 0.1, 79, 1000), reading_row(0.5, 0.1, 79, 1000)]
    )
    assert said.verdict == "holds in part" and "holds by 1" in said.ours


def test_their_errors_do_not_follow_from_their_accuracies():
    said = their_errors(LDA)
    assert (
        said.verdict == "does not hold" and "18.2 to 16.1 %, 11.5 % less" in said.ours
    )


def test_gains_of_lda_are_judged_by_both_choices():
    rows = [
        row(r, accuracy + r / 1000, method=m, honest=h, k=50, data="adult", parameter=p)
        for r in range(6)
        for m, h, p, accuracy in (
            ("MDAV", False, None, 0.815),
            ("MDAV with LDA", False, 4.0, 0.9),
            ("MDAV with LDA", True, None, 0.8),
        )
    ]
    best, honest = learns_more(LDA, rows, ["adult"])
    assert (best.verdict, honest.verdict) == ("holds", "does not hold")
    levels = {claim.reading: claim.verdict for claim in at_k_50(LDA, rows)}
    assert levels == {"MDAV": "holds", LDA.tuned.as_published: "does not hold"}


def test_every_experiment_can_be_imported():
    for module in EXPERIMENTS.values():
        assert callable(import_module(module).reproduce)


ROOT = Path(__file__).parents[2]
OUR_NUMBER = re.compile(r"[Pp]apers? 0\d\d|\[0\d\d\]|\bS0\d\d\b")


def test_papers_go_by_title_and_authors():
    """Never by a number of ours."""
    assert OUR_NUMBER.search("paper " + "004") and OUR_NUMBER.search("[" + "000]")
    texts = [
        ROOT / "README.md",
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("examples/**/*.*"),
    ]
    for path in [*texts, *ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py")]:
        found = OUR_NUMBER.search(path.read_text(encoding="utf-8"))
        assert not found, f"{path}: {found.group()}"


def test_figures_of_the_toy_have_a_key():
    X, y = make_two_gaussians(200, random_state=0).arrays()
    figure = toy.draw(X, y, "Cells", labels=np.arange(200) // 100)
    (key,) = figure.legends
    said = [text.get_text() for text in key.get_texts()]
    assert said == ["class 0", "class 1", f"cells of {toy.K}"]
    assert len(toy.draw(X, y, "Arrow", arrow=X[0]).legends[0].get_texts()) == 3
