import itertools
import json
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import microcell.experiments.lda as lda
import microcell.experiments.price as price
from microcell.cli._app import app
from microcell.datasets import make_two_gaussians
from microcell.experiments import EXPERIMENTS
from microcell.experiments import _data as data
from microcell.experiments._curves import best_on_test, curve, mean_and_interval
from microcell.experiments._data import TITLES, load
from microcell.experiments._experiment import ALL_VALUES
from microcell.experiments._grid import ks_of, run_task
from microcell.experiments.lda import LDA
from microcell.experiments.price import PRICE
from microcell.experiments.price._summary import claims

TINY = {"full": [("synthetic", 2, (5, 50))], "quick": [("synthetic", 2, (5, 50))]}
OURS = {lda: "LDA", price: "PRICE"}  # where each module describes its experiment


def row(repetition, accuracy, **more):
    return {
        "data": "d",
        "method": "m",
        "honest": False,
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


def test_values_of_k_leave_two_cells():
    assert ks_of(100, ALL_VALUES) == [2, 5, 10, 20, 50]


@pytest.mark.parametrize("name", TITLES)
def test_data_of_the_papers(benchmark_data, name):
    X, y = load(name)
    sizes = {
        "adult": 4522,
        "adult (all)": 45222,
        "breast": 683,
        "heart": 297,
        "synthetic": 1000,
    }
    assert len(X) == len(y) == sizes[name]
    assert set(np.unique(y)) == {0, 1}


def test_a_process_reads_a_data_set_once(tmp_path, monkeypatch):
    read = []

    def counted(*args, **options):
        read.append(args)
        return make_two_gaussians(*args, **options)

    load.cache_clear()
    monkeypatch.setattr(data, "make_two_gaussians", counted)
    for k in (5, 50):
        run_task(LDA, "synthetic", 0, k, LDA.settings_of("synthetic")[:1], tmp_path)
    assert len(read) == 1
    with pytest.raises(ValueError, match="read-only"):
        load("synthetic")[0][0] = 0.0


def test_finished_tasks_are_not_run_again(tmp_path):
    task = (LDA, "synthetic", 0, 5, LDA.settings_of("synthetic")[:2])
    first = run_task(*task, tmp_path)
    (file,) = tmp_path.iterdir()
    kept = json.loads(file.read_text()) | {"results": [{"kept": True}]}
    file.write_text(json.dumps(kept))
    assert run_task(*task, tmp_path) == [{"kept": True}]
    assert {r["method"] for r in first} == {"MDAV", "MDAV with LDA"}


def test_finished_tasks_of_other_settings_are_run_again(tmp_path):
    """Even in the same file: another experiment, parameter, model or version."""
    settings = LDA.settings_of("synthetic")[:2]
    task = (LDA, "synthetic", 0, 5)
    run_task(*task, settings, tmp_path)
    fewer = run_task(*task, settings[:1], tmp_path)
    assert [r["method"] for r in fewer] == ["MDAV"]
    again = run_task(*task, settings, tmp_path)
    assert [r["method"] for r in again] == ["MDAV", "MDAV with LDA"]
    (file,) = tmp_path.iterdir()
    kept = json.loads(file.read_text())
    plain = PRICE.settings_of("synthetic")[:1]
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
        monkeypatch.setattr(module, "summary", lambda *_: [])
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
        assert ("MDAV with LDA" in methods) == (name == "lda")
        assert (tmp_path / name / "figure_12.svg").exists() == (name == "price")
    assert len(list(tmp_path.rglob("cache/*/*.json"))) == 4  # none was replaced


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_without_matplotlib_nothing_is_begun(name, tmp_path, monkeypatch):
    monkeypatch.setattr("microcell.experiments.find_spec", lambda _: None)
    done = CliRunner().invoke(
        app, ["reproduce", name, "--out", str(tmp_path / "out")], prog_name="microcell"
    )
    assert done.exit_code == 2 and 'pip install "microcell[experiments]"' in done.stderr
    assert not (tmp_path / "out").exists()
    with pytest.raises(ImportError, match="matplotlib"):
        import_module(EXPERIMENTS[name]).reproduce(tmp_path / "out")


def test_alpha_of_one_is_mdav_in_the_grid(tmp_path):
    settings = [s for s in LDA.settings_of("synthetic") if s.parameter in (None, 1.0)]
    plain, first, _ = run_task(LDA, "synthetic", 0, 20, settings, tmp_path)
    for measure in ("accuracy", "f_measure", "distortion", "largest_share"):
        assert plain[measure] == pytest.approx(first[measure])


@pytest.mark.parametrize(
    ("module", "figures"),
    [
        (lda, ["figure_6", "figure_7", "figure_8", "figure_10", "figure_15"]),
        (price, ["figure_12", "figure_13"]),
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
    assert lines[0] == f"{experiment.paper.title} ({experiment.paper.authors})"
    assert any("mean accuracy over k" in line for line in lines)
    assert any("records in cells of one class" in line for line in lines)
    folder = tmp_path / "out" / experiment.name
    assert folder.joinpath("summary.txt").read_text().splitlines() == lines
    results = pl.read_csv(folder / "results.csv")
    assert set(results["k"]) == {5, 50} and set(results["repetition"]) == {0, 1}
    assert results["accuracy"].is_between(0.5, 1).all()
    for figure in figures:
        assert (folder / f"{figure}.png").stat().st_size > 5000
    homogeneous = pl.read_csv(folder / "homogeneity.csv")
    assert {"largest_share", "p_sensitivity", "t_distance"} <= set(homogeneous.columns)


def test_claims_are_judged():
    def rows_of(accuracy):
        return [
            row(r, accuracy) | {"data": "adult", "method": method, "k": k}
            for r in (0, 1)
            for k in (50, 1000)
            for method in ("MDAV", "V-MDAV", "Mondrian", "MDAV with SD")
        ]

    good, bad = claims(PRICE, rows_of(0.82)), claims(PRICE, rows_of(0.79))
    assert len(good) == len(bad) == 5
    assert all(": holds" in line for line in good)
    assert all("does not hold" in line for line in bad)


def test_every_experiment_can_be_imported():
    for module in EXPERIMENTS.values():
        assert callable(import_module(module).reproduce)


ROOT = Path(__file__).parents[2]
OUR_NUMBER = re.compile(r"[Pp]apers? 0\d\d|\[0\d\d\]|\bS0\d\d\b")


def test_papers_go_by_title_and_authors():
    """Never by a number of ours."""
    assert OUR_NUMBER.search("paper " + "004") and OUR_NUMBER.search("[" + "000]")
    texts = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*")]
    for path in [*texts, *ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py")]:
        found = OUR_NUMBER.search(path.read_text(encoding="utf-8"))
        assert not found, f"{path}: {found.group()}"
