"""The gallery: each example runs, makes one picture, and shows what it says."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from marks import slow

pyplot = pytest.importorskip("matplotlib.pyplot")
FOLDER = Path(__file__).parent.parent / "examples"
EXAMPLES = sorted(FOLDER.glob("plot_*.py"))
HALF_A_DIGIT = 0.05 + 1e-9  # means of whole years are released with one digit


@pytest.fixture
def drawing(monkeypatch):
    """No windows, and the next test finds matplotlib as it was."""
    monkeypatch.setattr(pyplot, "show", lambda: None)
    with pyplot.rc_context({"backend": "agg"}):
        yield
        pyplot.close("all")


def cells(made):
    moved = np.linalg.norm(made.before - made.after, axis=1)
    assert np.unique(made.after, axis=0, return_counts=True)[1].min() >= 10
    assert moved.max() > 4 * np.median(moved)  # those who stand alone move furthest


def codes(made):
    for column in ("postcode", "icd"):
        kept = [made.left[k][column].mean() for k in made.KS]
        assert kept == sorted(kept, reverse=True)
        assert (made.left[3][column] >= 3).mean() > 0.9


def differential_privacy(made):
    for distances in made.found.values():
        assert 0 < np.argmin(distances) < len(made.KS) - 1  # the best k lies between
    assert made.found[4.0][0] < made.found[0.5][0]


def importance(made):
    assert made.losses["age"] == sorted(made.losses["age"], reverse=True)
    for column in ("bmi", "bp"):
        assert made.losses[column] == sorted(made.losses[column])


def intruder(made):
    original, *released = made.risks.values()
    two = original.by_size[1].worst.linkage
    assert two > 0.9
    for risk in released:
        assert max(size.worst.linkage for size in risk.by_size) < 0.4 * two


def missing(made):
    assert made.gone[0] / len(made.patients) == pytest.approx(0.25, abs=0.03)
    assert not made.gone[1:].any()
    assert made.blank[1] > 0 and made.blank.sum() == made.blank[1]


def models(made):
    for name, learnt in made.learnt.items():
        original = np.mean(made.cross_val_score(made.MODELS[name], made.X, made.y))
        assert min(learnt[:3]) > original - 0.03
        assert learnt[-1] < original - 0.1


def noise(made):
    spread = made.compared.values("variance_loss")
    assert spread.min() < spread[0] / 2 and spread.min() < spread[-1]
    assert made.compared.values("loss").argmin() == 0


def optimum(made):
    assert made.bound < made.losses[-1] < 1.03 * made.bound
    assert made.losses == sorted(made.losses, reverse=True)
    assert made.losses[0] < made.start


def overview(made):
    assert made.release.findings[0].found >= 5


def people(made):
    assert (made.households["records"] < made.K).mean() > 0.2
    assert made.households["household"].min() >= made.K


def population(made):
    known, secret = (
        made.compared.values(f"{who}_max_risk") for who in ("prosecutor", "journalist")
    )
    assert (secret < known / 10).all()


def representatives(made):
    ages = made.patients["age"].to_numpy()
    assert np.mean(made.made["mean"]) == pytest.approx(ages.mean(), abs=HALF_A_DIGIT)
    for low, high, place in zip(made.low, made.high, made.first, strict=True):
        own = ages[made.labels == made.labels[place]]
        assert low <= own.min() and own.max() <= high
        assert made.made["median"][place] == np.median(own)
        assert made.made["mean"][place] == pytest.approx(own.mean(), abs=HALF_A_DIGIT)


def shapes(made):
    losses = made.losses
    assert losses["mdav-refined"] < losses["mdav"] < losses["mondrian"] < losses["pcp"]


def singling_out(made):
    alone = {each.columns: each.unique for each in made.sets}
    assert alone["postcode",] < 0.05 and alone["birth year",] < 0.05
    assert alone["postcode", "birth year"] == pytest.approx(0.9, abs=0.02)


def t_closeness(made):
    strict, mild = ({way: losses[i] for way, losses in made.losses.items()} for i in
                    (0, -1))  # fmt: skip
    assert min(strict, key=strict.get) == "t-first"
    assert min(mild, key=mild.get) == "k-first"
    assert mild["k-first"] < 2 * made.plain


def thin_cells(made):
    assert made.uniform["lda-mdav"] > made.uniform["mdav"] + 0.02


def tune(made):
    found = made.tuned.best.figures
    assert found["distance_linkage_risk"] <= 0.05 and found["k"] >= 5
    assert made.release.scores["sse_loss"] == found["sse_loss"]


def uniform_cells(made):
    alone, diverse = made.kept.values()
    shares = alone.values("uniform")
    assert shares[0] > 0.4 and (np.diff(shares) < 0).all()
    assert not diverse.values("uniform").any()
    assert (diverse.values("loss") >= alone.values("loss")).all()


def which_k(made):
    assert (np.diff(made.compared.values("loss")) > 0).all()
    assert (np.diff(made.compared.values("linkage")) < 0).all()


def which_method(made):
    on_it = {c.recipe.method_name for c in made.compared.frontier("linkage", "loss")}
    assert "mdav-refined" in on_it and len(on_it) > 1


CLAIMS = {
    f"plot_{claim.__name__}": claim
    for claim in (
        cells, codes, differential_privacy, importance, intruder, missing, models,
        noise, optimum, overview, people, population, representatives, shapes,
        singling_out, t_closeness, thin_cells, tune, uniform_cells, which_k,
        which_method,
    )
}  # fmt: skip


QUICK = {"plot_overview", "plot_people", "plot_representatives"}


@pytest.mark.parametrize(
    "example",
    [path if path.stem in QUICK else slow(path) for path in EXAMPLES],
    ids=lambda path: path.stem,
)
def test_example(example, drawing):
    if example.stem == "plot_differential_privacy":
        pytest.importorskip("opendp")
    made = SimpleNamespace(**runpy.run_path(str(example)))
    (number,) = pyplot.get_fignums()
    check_picture(pyplot.figure(number))
    CLAIMS[example.stem](made)


def check_picture(figure):
    """It can be drawn, and says what it shows and what its axes are."""
    figure.canvas.draw()
    axes = figure.axes
    assert figure.get_suptitle() or all(each.get_title(loc="left") for each in axes)
    assert figure.get_supxlabel() or any(each.get_xlabel() for each in axes)
    assert figure.get_supylabel() or any(each.get_ylabel() for each in axes)


@pytest.mark.slow
def test_readme_picture(tmp_path, drawing):
    runpy.run_path(str(FOLDER / "readme_picture.py"))["main"](tmp_path / "drawn.svg")
    for picture in (tmp_path / "drawn.svg", FOLDER / "../docs/figures/readme.svg"):
        text = picture.read_text()
        assert len(text) < 100_000
        assert "442 patients" in text and "mdav-refined" in text


def test_examples_ask_a_question_and_use_public_names_alone():
    for example in EXAMPLES:
        text = example.read_text()
        title = text.splitlines()[1]
        assert title.endswith("?") and text.splitlines()[2] == "=" * len(title)
        assert len(text.splitlines()) <= 66, example.stem
        assert "microcell._" not in text and "._" not in text, example.stem
        assert "fetch_" not in text, example.stem
        assert text.count("pyplot.show()") == 1, example.stem
