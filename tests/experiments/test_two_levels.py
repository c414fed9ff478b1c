import json
from functools import cache
from types import SimpleNamespace

import joblib
import numpy as np
import polars as pl
import pytest
from commands import run
from marks import for_each
from sklearn.base import BaseEstimator
from tables import gaussian

import microcell.experiments.two_levels as two_levels
from microcell.compose import Microaggregator
from microcell.experiments import EXPERIMENTS
from microcell.experiments.two_levels import _collaboration, _run
from microcell.experiments.two_levels._claims import (
    best_methods,
    consistent_tables,
    highest_score,
    kde_indices,
    kde_is_best,
    more_than_the_original,
    raised,
    separability_rises,
    utility_rises,
)
from microcell.experiments.two_levels._collaboration import (
    BETAS,
    COLLABORATION_TITLES,
    RADII,
    collaborate,
    collaboration_claims,
)
from microcell.experiments.two_levels._costs import (
    beside_rivals,
    k_anonymous,
    labels_cost_no_privacy,
)
from microcell.experiments.two_levels._figures import TWO_LEVELS_FIGURES, points_of
from microcell.experiments.two_levels._paper import (
    COMBINED_UTILITY,
    DAVIES_BOULDIN,
    PAPER_METHODS,
    PAPER_SETS,
    PRINTED_SCORE,
    SEPARABILITY,
    SEPARABILITY_BEFORE,
    SILHOUETTE,
    impossible_structure,
    mean_difference,
    scores_of,
)
from microcell.experiments.two_levels._readings import FORMS_READ, Recoded
from microcell.experiments.two_levels._run import (
    ASKED_K,
    ORIGINAL,
    WITHOUT_STAB,
    Masking,
    load,
    measured,
    of_the_paper,
    rivals,
    run_task,
    utilities,
)
from microcell.experiments.two_levels._tables import FORMS, nearness, score_table
from microcell.kernels.distinct import distinct_records
from microcell.methods import METHODS
from microcell.metrics import (
    combined_utility_score,
    group_davies_bouldin_loss,
    group_silhouette_score,
    homogeneity,
    reidentification_risk,
)
from microcell.partition import MDAV

# --- the paper's tables --------------------------------------------------------------


def test_tables_are_whole():
    keys = {(method, name) for method in PAPER_METHODS for name in PAPER_SETS}
    for table in (SILHOUETTE, DAVIES_BOULDIN, SEPARABILITY, COMBINED_UTILITY):
        assert set(table) == keys
    assert set(SEPARABILITY_BEFORE) == set(PAPER_SETS)


def test_separability_rises_in_83_per_cent_of_their_tests():
    up, total = raised(SEPARABILITY, tuple(PAPER_SETS))
    assert (len(up), total) == (15, 18)
    down, _ = raised(SEPARABILITY, tuple(PAPER_SETS), falls=True)
    assert {name for _, name in down} == {"electrical"}


def test_their_score_does_not_follow_from_their_table():
    recomputed = scores_of(COMBINED_UTILITY)
    expected = (4.48, 5.33, 4.55, 4.98, 4.27, 5.80)
    assert list(recomputed.values()) == pytest.approx(expected, abs=0.005)
    assert max(recomputed, key=recomputed.get) == "kde++"
    assert max(PRINTED_SCORE, key=PRINTED_SCORE.get) == "ctca++"


def test_their_tables_contradict_each_other():
    assert impossible_structure() == {("kde++", "glass"): pytest.approx(1.077)}


def test_their_claim_of_the_best_holds_on_four_of_six():
    best = best_methods(COMBINED_UTILITY, tuple(PAPER_SETS))
    assert [name for name, method in best.items() if method != "kde++"] == [
        "page-blocks",
        "yeast",
    ]


def test_mean_difference_over_what_both_have():
    theirs = {"a": 1.0, "b": 2.0, "c": 3.0}
    assert mean_difference({"a": 1.5, "b": 1.0, "c": None}, theirs) == (0.75, 2)


# --- claims on rows that are known ---------------------------------------------------

GIVEN_MEASURES = {
    "separability": SEPARABILITY,
    "combined": COMBINED_UTILITY,
    "silhouette": SILHOUETTE,
    "davies_bouldin": DAVIES_BOULDIN,
}


@cache
def measured_names():
    X, y = gaussian(20, 2), np.arange(20) % 2
    found = measured(X, X, y)
    return [*found, *utilities(X, X, y, found, 0)]


def rows_of_the_paper(**more):
    """A run that came to the paper's own figures in every reading."""
    rows = []
    for masking in of_the_paper():
        for name in PAPER_SETS:
            key = (masking.method, name)
            row = {"data": name, "form": masking.form, "method": masking.method}
            row |= {"k": masking.k, "beside": masking.beside, "learnt": 0.5}
            for measure in measured_names():
                table = GIVEN_MEASURES.get(measure.rpartition("_")[0])
                table = GIVEN_MEASURES.get(measure, table)
                row[measure] = table.get(key) if table else 0.5
            if masking.form == "original":
                for reading in ("within", "original"):
                    row[f"separability_{reading}"] = SEPARABILITY_BEFORE[name]
            rows.append(row | more)
    return rows


def test_a_run_like_the_paper_is_at_no_distance():
    for row in nearness(rows_of_the_paper()):
        if row["reading"] != "learnt":
            assert row["mean absolute difference"] == 0
            assert row["entries"] == 36


BY_PAPER, ON_ORIGINAL = "by the paper's measure", "on original records"


def verdicts_of(found, by):
    """Verdicts by one way to measure, once for each reading."""
    own = [claim.verdict for claim in found if claim.reading.endswith(by)]
    assert len(own) == len(FORMS)
    return set(own)


def test_claims_follow_the_figures():
    rows = rows_of_the_paper()
    said = separability_rises(rows)
    assert verdicts_of(said, BY_PAPER) == {"holds"}  # 83 % are enough
    assert verdicts_of(said, ON_ORIGINAL) == {"does not hold"}  # learnt: nothing
    assert said[0].printed == "up in 15 of 18 (83 %)"
    assert said[0].ours.endswith(": up in 15 of 18 (83 %), down in 3")
    assert verdicts_of(kde_is_best(rows), BY_PAPER) == {"holds in part"}
    assert "down for ktca (Electrical), ctca (Ecoli" in utility_rises(rows)[0].printed
    said = more_than_the_original(rows)
    assert said[0].printed == "24 of 36 (67 %)"
    assert said[0].ours.endswith(said[0].printed)
    for row in rows:  # all alike: nothing rises, nobody is above the original
        row |= dict.fromkeys(measured_names(), 0.5)
    for claim in (separability_rises, utility_rises, more_than_the_original):
        assert verdicts_of(claim(rows), BY_PAPER) == {"does not hold"}


def test_scores_of_the_paper_as_a_run():
    said = highest_score(rows_of_the_paper())
    assert [claim.verdict for claim in said[:2]] == ["does not hold", "holds"]
    assert "ctca++ 5.20" in said[0].ours and "kde++ 5.80" in said[1].ours
    assert verdicts_of(said, BY_PAPER) == verdicts_of(said, ON_ORIGINAL) == {"holds"}
    assert "Glass kde++ 1.08" in consistent_tables().ours


def test_indices_of_the_paper_as_a_run():
    said = kde_indices(rows_of_the_paper())
    assert verdicts_of(said, BY_PAPER) == verdicts_of(said, ON_ORIGINAL) == {"holds"}


def test_privacy_follows_the_figures():
    rows = rows_of_the_paper(k_reached=ASKED_K)
    for claim in (*k_anonymous(rows), *labels_cost_no_privacy(rows)):
        assert claim.verdict == "holds"
    for row in rows:
        row["k_reached"] = 1 if row["method"] == "kde++" else ASKED_K
    assert all("30 of 36" in claim.ours for claim in k_anonymous(rows))
    for claim in labels_cost_no_privacy(rows):
        assert claim.verdict == "holds in part"
        assert "smaller k in 6 of 18" in claim.ours


def test_nothing_is_said_of_collaboration_that_never_happens(monkeypatch):
    monkeypatch.setattr(_collaboration, "load", small_table)
    rows = [
        collaborate("glass", order, beta, radius)
        for order in COLLABORATION_TITLES
        for beta in (0.0, 1.0)
        for radius in RADII
    ]
    assert all(row["index_after"] <= row["index_before"] for row in rows)
    without_effect = [row for row in rows if row["beta"] == 0]
    assert [c.verdict for c in collaboration_claims(without_effect)] == [
        "cannot be told"
    ] * 4
    worse = [row | {"kept": 1, "gained": -0.1} for row in without_effect]
    verdicts = [claim.verdict for claim in collaboration_claims(worse)]
    assert verdicts == ["holds in part", "does not hold"] * 2


def test_collaboration_that_happens_is_measured(benchmark_data):
    for order in COLLABORATION_TITLES:
        row = collaborate("ecoli", order, 0.1, 1.0)
        assert row["kept"] > 0 and row["index_after"] < row["index_before"]
        assert row["gained"] != 0


def test_score_table_has_theirs_and_ours():
    table = {row["method"]: row for row in score_table(rows_of_the_paper())}
    assert table["kde++"]["printed"] == 5.17
    assert table["kde++"]["published, combined"] == pytest.approx(5.80, abs=0.005)


# --- what is run ---------------------------------------------------------------------


@for_each("masking", of_the_paper()[1:])
def test_every_masking_of_a_small_table(masking):
    """With the real methods; where k is promised it is kept."""
    X, y = small_table("glass")
    released = masking.release(X, y, 0)
    assert released.shape == X.shape
    if FORMS_READ.get(masking.form, FORMS_READ["published"]).plain == "promised":
        assert reidentification_risk(released).smallest_class >= ASKED_K
    if masking.draws:
        again = masking.release(X, y, 0)
        assert np.array_equal(released, again)


@pytest.mark.parametrize("method", ["ktca++", "ctca++", "kde++"])
def test_prototypes_given_out_anew(method):
    """Each is one of the released ones, the nearest in the plan's own scale."""
    X, y = small_table("glass")
    kept = Masking(method, "published").release(X, y, 0)
    anew = Masking(method, "nearest").release(X, y, 0)
    for column in range(X.shape[1]):
        assert set(anew[:, column]) <= set(kept[:, column])
    of_class = Masking(method, "own class").release(X, y, 0)
    if method != "kde++":  # by columns, the combinations can be shared
        assert homogeneity(of_class, y).homogeneous_records == 1
    moved = np.abs((X - anew) / X.std(axis=0)).sum()
    assert moved < np.abs((X - of_class) / X.std(axis=0)).sum()


def test_nearest_by_weights():
    """A column of weight 0.1 hardly counts."""

    class Plan(BaseEstimator):
        blocks_ = ((0, 1),)

        def fit_transform(self, X, y):
            self.aggregate_ = SimpleNamespace(feature_weights_=np.array([0.1, 1.0]))
            return np.repeat([[0.0, 0.0], [10.0, 10.0]], 2, axis=0)

    X = np.array([[0.0, 0.0], [0.0, 9.0], [10.0, 1.0], [10.0, 10.0]])
    found = Recoded(Plan()).fit_transform(X, [0, 0, 1, 1])
    assert found[:, 0].tolist() == [0, 10, 0, 10]
    of_class = Recoded(Plan(), own_class=True).fit_transform(X, [0, 0, 1, 1])
    assert of_class[:, 0].tolist() == [0, 0, 10, 10]


def test_a_class_without_a_prototype_gets_the_nearest_of_all():
    X = np.array([[0.0], [1.0], [1.5], [9.0], [10.0], [11.0]])
    plan = Microaggregator(MDAV(3))
    found = Recoded(plan, own_class=True).fit_transform(
        X, ["a", "a", "c", "b", "b", "b"]
    )
    assert found[2] == found[0]


def test_data_of_the_paper(benchmark_data):
    shapes = {name: load(name)[0].shape for name in (*PAPER_SETS, WITHOUT_STAB)}
    assert shapes == {
        "ecoli": (336, 7),  # the paper counts the name of the sequence, 8
        "electrical": (10_000, 13),
        "glass": (214, 9),  # and the number of the record, 10
        "page-blocks": (5473, 10),
        "waveform": (5000, 21),
        "yeast": (1484, 8),
        WITHOUT_STAB: (10_000, 12),
    }
    X, y = load("electrical")
    assert np.array_equal(y, X[:, -1] > 0)


def small_table(name):
    y = np.arange(60) % 3
    X = gaussian(60, 4, seed=len(name)) + y[:, None]
    return X, y


def stand_in(plus):
    """Cells of MDAV by the parameters of the methods; moved if it knows labels."""

    def method(k, *, min_k=None, code="mean", random_state=None, **of_reading):
        plan = METHODS["mdav"](3 if min_k == 1 else k)
        if plus:
            mask = plan.fit_transform
            plan.fit_transform = lambda X, y: mask(X) + plan.labels_[:, None] / 10
        return plan

    return method


@pytest.fixture
def small(monkeypatch):
    for module in (_run, _collaboration):
        monkeypatch.setattr(module, "load", small_table)
    for name in PAPER_METHODS:
        monkeypatch.setitem(METHODS, name, stand_in(name.endswith("++")))
    plan = [("ecoli", 2, 2), ("glass", 2, 2)]
    plans = {"full": plan, "quick": plan}
    monkeypatch.setattr(two_levels, "TWO_LEVELS_PLANS", plans)
    with joblib.parallel_config(backend="sequential"):  # in this process, patched
        yield


@pytest.mark.slow
def test_a_small_run_writes_everything(small, tmp_path):
    steps = []
    lines = two_levels.reproduce(
        tmp_path, quick=True, progress=lambda *news: steps.append(news)
    )
    assert "two-levels" in EXPERIMENTS
    ends = [step[:2] for step in steps if step[0] == step[1]]
    assert ends == [
        (2 * (25 + 6),) * 2,
        (2 * len(COLLABORATION_TITLES) * len(BETAS) * len(RADII),) * 2,
    ]
    folder = tmp_path / "two-levels"
    assert (folder / "summary.txt").read_text().splitlines() == lines
    assert sum("hold" in line for line in lines) >= 12
    results = pl.read_csv(folder / "results.csv")
    assert results.height == 2 * 2 * (25 + 6)
    price = pl.read_csv(folder / "price.csv")
    reached = dict(zip(price["form"], price["k_reached"], strict=True))
    assert reached["published"] >= 3 and reached["promised"] >= ASKED_K
    for table, extra in (
        ("table_2_silhouette", 0),
        ("table_3_davies_bouldin", 0),
        ("table_4_separability", 2),  # before anonymisation
        ("table_5_combined_utility", 0),
    ):
        found = pl.read_csv(folder / f"{table}.csv")
        assert found.height == 12 + extra
        assert found["paper"].null_count() == 0
    for figure in TWO_LEVELS_FIGURES:
        assert (folder / f"{figure}.png").stat().st_size > 5000
        assert (folder / f"{figure}.svg").read_text().startswith("<?xml")


def test_figures_show_rivals_at_the_k_asked_for():
    rows = [
        {"data": "glass", "form": "rival", "method": "mdav", "beside": beside, "x": x}
        for beside, x in (("ctca", 0.25), ("ktca", 0.75))
    ]
    drawn = {title: values for title, _, _, values in points_of(rows, "x", {})}
    assert drawn["rivals, k = 5"] == {("mdav", "glass"): 0.25}


@pytest.mark.slow
def test_quick_run_from_the_command_line(benchmark_data, tmp_path):
    arguments = ["reproduce", "two-levels", "--quick", "--out", str(tmp_path)]
    done = run(*arguments)
    assert done.exit_code == 0, done.stderr
    assert "A Two-Levels Data Anonymization Approach (Zouinina" in done.stdout
    folder = tmp_path / "two-levels"
    price = pl.read_csv(folder / "price.csv")
    promised = price.filter(pl.col("form") == "promised")
    assert promised.height == 18 and promised["k_reached"].min() >= ASKED_K
    table = pl.read_csv(folder / "table_4_separability.csv")
    before = table.filter(pl.col("method") == "original")
    ours = dict(before.select("data", "published, separability_within").iter_rows())
    for name in ("glass", "ecoli"):
        assert ours[name] == pytest.approx(SEPARABILITY_BEFORE[name], abs=0.05)


def test_rivals_have_the_k_of_what_they_stand_beside(small):
    rows = [
        {"data": "ecoli", "form": "published", "method": method, "mean_class": size}
        for method, size in (("ktca", 7.4), ("kde", 1.0), ("ctca", 9.0))
    ]
    found = {(rival.beside, rival.method): rival.k for rival in rivals(rows, "ecoli")}
    assert found == {
        (beside, method): k
        for beside, k in {"ctca": ASKED_K, "ktca": 7, "kde": 2}.items()
        for method in ("mdav", "lda-mdav")
    }


def test_rivals_are_summed_up_at_their_own_k(small, tmp_path):
    rows = _run.run([("ecoli", 1, 1)], tmp_path, lambda *_: None)
    lines = beside_rivals(rows)
    for beside in ("ktca", "ctca", "kde"):
        title = "k = 5" if beside == "ctca" else f"mean class size of {beside}"
        start = lines.index(f"At {title}, means over data sets:")
        line = next(x for x in lines[start:] if x.startswith("  mdav, rival"))
        own = [r for r in rows if (r["method"], r["beside"]) == ("mdav", beside)]
        assert f"on the release {own[0]['combined']:.3f}" in line


def test_finished_tasks_are_not_run_again(small, tmp_path):
    task = ("ecoli", Masking("ktca++", "published"), 1, 1, tmp_path)
    first = run_task(*task)
    (file,) = tmp_path.iterdir()
    kept = json.loads(file.read_text())
    file.write_text(json.dumps(kept | {"results": ["kept"]}))
    assert run_task(*task) == ["kept"]
    for key in kept["task"]:
        other = kept["task"] | {key: "other"}
        file.write_text(json.dumps({"task": other, "results": ["kept"]}))
        assert run_task(*task) == first


def test_measures_of_a_release():
    X, y = small_table("glass")
    released = METHODS["mdav"](6).fit_transform(X)
    found = measured(X, released, y)
    found |= utilities(X, released, y, found, 3)
    assert found["k_reached"] == found["mean_class"] == 6 and found["alone"] == 0
    cells = distinct_records(released)[0]
    assert found["silhouette_cells"] == group_silhouette_score(released, cells) == 1
    assert found["davies_bouldin_cells"] == pytest.approx(
        group_davies_bouldin_loss(released, cells), abs=1e-12
    )
    assert found["silhouette_original"] < 1
    same_folds = {"random_state": 3}
    assert found["combined"] == combined_utility_score(
        X, released, y, tested_on="released", **same_folds
    )
    assert found["combined_original"] == combined_utility_score(
        X, released, y, **same_folds
    )
    untouched = measured(X, ORIGINAL.release(X, y, 0), y)
    assert untouched["alone"] == untouched["structural"] == 1
    assert untouched["silhouette_cells"] == group_silhouette_score(X, np.arange(60))
    one = measured(X, np.tile(X.mean(axis=0), (60, 1)), y)
    assert one["silhouette_cells"] is None and one["k_reached"] == 60
