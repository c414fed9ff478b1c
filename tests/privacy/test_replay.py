"""Who knows all quasi-identifiers and runs the method again: what that tells."""

import itertools
import json

import numpy as np
import pytest
from commands import run

from microcell import Recipe, Schema, anonymize_file, tune
from microcell.compose import Enforce, PSensitiveFirst
from microcell.datasets import load_diabetes_patients
from microcell.partition import MDAV
from microcell.privacy import WITHSTANDS_NO_REPLAY, LDiversity, PSensitivity, TCloseness

TWO = PSensitivity(2)
WAYS = {"p-first": PSensitiveFirst(TWO, k=3), "merge": Enforce(MDAV(3), TWO)}


def classes(labels):
    return {tuple(np.flatnonzero(labels == cell)) for cell in labels}


def consistent(X, y, way):
    """Assignments that agree with the classes, and those that also give them."""
    part = WAYS[way]
    shown = classes(part.fit_predict(X, y))
    choices = [itertools.combinations(c, int(y[list(c)].sum())) for c in shown]
    worlds = []
    for ill in itertools.product(*choices):
        world = np.zeros(len(y), dtype=int)
        world[[i for chosen in ill for i in chosen]] = 1
        worlds.append(world)
    return worlds, [w for w in worlds if classes(part.fit_predict(X, w)) == shown]


@pytest.mark.parametrize(("way", "n_worlds", "n_left"), [("p-first", 27, 1),
                                                         ("merge", 84, 3)])  # fmt: skip
def test_cells_that_keep_a_promise_tell_who_has_what(way, n_worlds, n_left):
    """If this fails, the sentence that everybody is shown may be no longer true."""
    rng = np.random.default_rng(33)
    X = rng.choice(np.arange(20, 90), 9, replace=False).astype(float)[:, None]
    y = (rng.random(9) < 0.5).astype(int)
    worlds, left = consistent(X, y, way)
    assert (len(worlds), len(left)) == (n_worlds, n_left)
    assert any((world == y).all() for world in left)


@pytest.mark.parametrize("engine", ["memory", "disk"])
def test_every_place_says_whom_it_does_not_stop(engine, tmp_path):
    """The promise enforced by merging; k alone is counted and says nothing more."""
    source, out = tmp_path / "t.csv", tmp_path / "o.csv"
    frame = load_diabetes_patients().frame.select("age", "bmi", "sex")
    frame.write_csv(source)
    schema = Schema(["age", "bmi"], confidential="sex")
    promised = [LDiversity(2, column="sex"), TCloseness(0.5, column="sex")]
    for promises in (promised, []):
        recipe = Recipe(
            schema, k=5, method="mdav", promises=promises,
            shard=200 if engine == "disk" else None,
        )  # fmt: skip
        asked = {"certificate": tmp_path / "c.json", "overwrite": True}
        if engine == "memory":
            asked["report"] = tmp_path / "r.html"
        done = anonymize_file(source, recipe, out, engine=engine, **asked)
        said = json.loads((tmp_path / "c.json").read_text())["findings"]
        of_values = [f["basis"] for f in said if not f["promise"].startswith("k-")]
        assert of_values == [WITHSTANDS_NO_REPLAY] * len(of_values)
        assert len(of_values) == len(said) * len(promises) // (1 + len(promises))
        shown = [done.release.summary()]
        if engine == "memory":
            shown.append((tmp_path / "r.html").read_text().replace("&#39;", "'"))
        (tmp_path / "recipe.toml").write_text(recipe.to_toml(tmp_path))
        checked = run("check", str(out), "--recipe", str(tmp_path / "recipe.toml"))
        assert checked.exit_code == 0, checked.output
        shown.append(checked.output)
        assert [WITHSTANDS_NO_REPLAY in text for text in shown] == [
            bool(promises)
        ] * len(shown)


def test_a_choice_that_promises_says_whom_it_does_not_stop():
    frame = load_diabetes_patients().frame.select("age", "bmi", "sex")
    schema = Schema(["age", "bmi"], confidential="sex")
    given = {"methods": ["mdav"], "k": 5, "least": "loss", "n_jobs": 1}
    for promises in ([LDiversity(2)], []):
        notes = tune(frame, schema, promises=promises, **given).notes
        said = [note for note in notes if WITHSTANDS_NO_REPLAY in note]
        assert len(said) == len(promises)
