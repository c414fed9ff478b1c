"""tune: the choice is that of brute force over what was run."""

import numpy as np
import polars as pl
import pytest
from marks import for_each

from microcell import NoCandidate, Recipe, Schema, apply_recipe, tune
from microcell.exceptions import InputError
from microcell.privacy import PSensitivity, TCloseness
from microcell.selection import Constraint
from microcell.selection._figures import figures_of

SCHEMA = Schema(["age", "pay"], confidential="ill")
SHORT = {
    "loss": "relative_loss",
    "linkage": "distance_linkage_risk",
    "t": "t_distance_max",
    "uniform": "homogeneous_records",
}


def people(n=120, seed=0):
    rng = np.random.default_rng(seed)
    ages = rng.integers(20, 80, n)
    return pl.DataFrame(
        {
            "age": ages,
            "pay": rng.integers(10, 99, n),
            "ill": np.where(rng.random(n) < ages / 100, "yes", "no"),
        }
    )


def tuned(where=(), methods=("mdav", "mondrian"), n_candidates=16, **options):
    few = {"n_jobs": 1, "n_candidates": n_candidates}
    return tune(people(), SCHEMA, where=where, methods=methods, **few, **options)


def test_the_choice_is_that_of_brute_force():
    found = tuned(["linkage <= 20%", "uniform <= 5%"])
    able = [
        c
        for c in found.compared.candidates
        if c.error is None
        and c.figures["distance_linkage_risk"] <= 0.2
        and c.figures["homogeneous_records"] <= 0.05
    ]
    assert len(able) < len(found.compared.candidates)
    assert found.best in able
    losses = sorted(c.figures["relative_loss"] for c in able)
    assert found.best.figures["relative_loss"] == losses[0]
    assert all(c in able and c is not found.best for c in found.runners_up)


def test_the_recipe_makes_the_release_that_was_measured():
    found = tuned(["t <= 0.2", "linkage <= 20%"])
    assert found.recipe is found.best.recipe and found.recipe.random_state is None
    figures = figures_of(apply_recipe(people(), found.recipe))
    for name in ("relative_loss", "t_distance_max", "distance_linkage_risk", "k"):
        assert figures[name] == pytest.approx(found.best.figures[name])
    again = Recipe.from_dict(found.recipe.to_dict())
    assert again.k == found.recipe.k and again.promises == found.recipe.promises


def test_limits_are_enforced_where_luck_does_not_keep_them():
    found = tuned(["t <= 0.1"])
    plain = [c for c in found.compared.candidates if not c.recipe.promises]
    kept = [c for c in plain if c.recipe.k < 20 and c.figures["t_distance_max"] <= 0.1]
    assert not kept
    assert TCloseness(0.1) in found.recipe.promises
    assert "t-closeness 0.1" in found.best.label
    ways = {c.recipe.enforce for c in found.compared.candidates if c.enforced}
    assert ways == {"merge", "t-first", "k-first"}


def test_uniform_cells_are_prevented_by_p_sensitivity():
    found = tuned(["uniform <= 0"])
    assert found.best.figures["homogeneous_records"] == 0
    assert PSensitivity(2) in found.recipe.promises


def test_k_is_promised_and_not_found_by_luck():
    found = tuned(["k >= 7"])
    assert found.recipe.k == 7
    assert all(c.recipe.k >= 7 for c in found.compared.candidates)
    found = tuned(["risk <= 10%"])
    assert found.recipe.k >= 10
    assert found.best.figures["prosecutor_max_risk"] <= 0.1


def test_given_k_are_where_it_begins_and_ends():
    found = tuned(["k >= 4"], k=[3, 5, 9])
    assert {c.recipe.k for c in found.compared.candidates} <= set(range(4, 10))
    with pytest.raises(InputError, match="must be at least 20"):
        tuned(["k >= 20"], k=[3, 5])
    with pytest.raises(InputError, match="at least 5 and at most 4"):
        tuned(["k >= 5", "k < 5"])


def test_highest_accuracy_of_a_label():
    found = tuned(["k >= 5"], highest="accuracy:ill", n_candidates=12)
    name = "accuracy:ill"
    best = max(c.figures[name] for c in found.compared.candidates if c.error is None)
    assert found.best.figures[name] == best
    assert found.compared.label == "ill"
    assert any("flatters" in note for note in found.notes)
    assert "highest accuracy of ill" in found.why


def test_who_binds_and_how_near_is_said():
    with pytest.raises(NoCandidate) as caught:
        tuned(["loss <= 1%", "linkage <= 50%"], methods=["mdav"])
    error = caught.value
    assert isinstance(error, InputError) and error.option == "where"
    ((limit,),) = error.binding
    assert limit.said == "loss"
    assert "Without the limit of loss" in str(error)
    nearest = error.nearest[0].figures["relative_loss"]
    able = [
        c.figures["relative_loss"]
        for c in error.compared.candidates
        if c.figures.get("distance_linkage_risk", 1) <= 0.5
    ]
    assert nearest == min(able)
    assert f"{100 * nearest:.3g} %" in str(error)


def test_the_way_out_works():
    with pytest.raises(NoCandidate) as caught:
        tuned(["loss <= 1%"], methods=["mdav"])
    allowed = caught.value.hint.split("'")[1]
    assert tuned([allowed], methods=["mdav"]).best.figures["relative_loss"] > 0.01


def test_methods_without_k_anonymity_are_tried_only_if_named():
    found = tuned(methods=None, n_candidates=25)
    names = {c.recipe.method_name for c in found.compared.candidates}
    assert "individual-ranking" not in names and "random-aggregation" not in names
    assert "only if it is named" in found.compared.left_out["individual-ranking"]
    named = tuned(methods=["individual-ranking"], k=[3])
    assert named.recipe.method == "individual-ranking"


def test_parameters_that_were_given_are_kept():
    found = tuned(methods=["vmdav"], gamma=0.3, n_candidates=15)
    assert {c.recipe.parameters["gamma"] for c in found.compared.candidates} == {0.3}
    found = tuned(methods=["vmdav"], grid={"gamma": [0.1, 0.3]}, n_candidates=15)
    values = {c.recipe.parameters.get("gamma") for c in found.compared.candidates}
    assert values == {0.1, 0.3}


@for_each(
    ("given", "said"),
    [
        ({"least": "los"}, "Did you mean 'loss'"),
        ({"least": "loss", "highest": "k"}, "One figure is sought"),
        ({"least": "k"}, "is better high"),
        ({"highest": "loss"}, "is better low"),
        ({"highest": "accuracy"}, "label"),
        ({"highest": "accuracy:ill", "label": "sex"}, "one label, and 'ill' and 'sex'"),
        (
            {"highest": "accuracy:ill", "where": "f1:sex >= 10%"},
            "one label, and 'ill' and 'sex'",
        ),
        ({"where": ["linkige <= 5%"]}, "Did you mean 'linkage'"),
        ({"where": ["linkage <= 5"]}, "Did you mean 5%"),
        ({"n_candidates": 0}, "n_candidates"),
        ({"least": 3}, "must name a figure"),
    ],
)
def test_bad_input_is_said(given, said):
    with pytest.raises(InputError, match=said):
        tune(people(), SCHEMA, n_jobs=1, **given)


def test_what_nobody_measured_is_said():
    with pytest.raises(InputError, match="'loss' was measured on no candidate"):
        tuned(measures="none", n_candidates=3)
    with pytest.raises(InputError, match="'linkage' was measured on no candidate"):
        tuned(["linkage <= 5%"], measures=["relative_loss"], n_candidates=3)


def test_expensive_measures_that_are_asked_for_are_measured(monkeypatch):
    from microcell.metrics import _measures
    from microcell.selection import _tune

    monkeypatch.setattr(_measures, "EXPENSIVE_FROM", 100)
    monkeypatch.setattr(_tune, "EXPENSIVE_FROM", 100)
    found = tuned(["linkage <= 50%"], methods=["mdav"], n_candidates=3)
    assert found.best.figures["distance_linkage_risk"] <= 0.5
    without = tuned(methods=["mdav"], n_candidates=3)
    assert "distance_linkage_risk" not in without.best.figures


def test_a_cache_changes_nothing(tmp_path):
    once = tuned(["linkage <= 20%"], cache=tmp_path, n_candidates=12)
    again = tuned(["linkage <= 20%"], cache=tmp_path, n_candidates=12)
    assert again.why == once.why
    assert again.compared.n_kept == len(again.compared.candidates)


def test_constraints_may_be_objects():
    found = tuned([Constraint("k", ">=", 6)], methods=["mdav"], n_candidates=5)
    assert found.recipe.k == 6


def test_plain_data_of_the_choice():
    found = tuned(["linkage <= 20%"], n_candidates=8)
    document = found.to_dict()
    assert document["why"] == found.why
    assert document["candidates_run"] == 8
    assert document["where"] == ["distance_linkage_risk <= 0.2"]
    rows = found.rows()
    assert rows[0]["candidate"] == found.best.label
    assert list(rows[0]) == ["candidate", "loss", "linkage", "seconds"]
