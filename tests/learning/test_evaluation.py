"""What a model learns from a release: honest splits, every kind of column."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from marks import for_each, slow
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from microcell import Recipe, Schema, anonymize, compare
from microcell.exceptions import InputError
from microcell.learning import _evaluation
from microcell.learning._evaluation import evaluation_of
from microcell.metrics import learning_utility


def people(n=200, seed=0):
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    return pl.DataFrame(
        {
            "name": [f"p{i // 2}" for i in range(n)],
            "age": age,
            "bmi": rng.normal(25, 4, n).round(1),
            "zip": rng.choice(["0371", "0372", "1204", "1299"], n),
            "job": rng.choice(["cook", "smith", "nurse"], n),
            "born": pl.Series(2024 - age).cast(pl.String).str.to_date("%Y"),
            "ill": np.where(age + rng.normal(0, 8, n) > 55, "yes", "no"),
            "cost": age * 10.5 + rng.normal(0, 30, n),
        }
    )


SCHEMA = Schema(["age", "bmi"], confidential=["ill", "cost"], others="drop")
RECIPE = Recipe(SCHEMA, k=5)


def test_the_figures_are_those_of_a_model_trained_by_hand():
    table = people()
    evaluation = evaluation_of(table, RECIPE, "ill")
    found = []
    for train, test in evaluation.splits:
        release = anonymize(table[train.tolist()], SCHEMA, k=5)
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        columns = ["age", "bmi"]
        model.fit(release.table[columns].to_numpy(), release.table["ill"].to_numpy())
        held_out = table[test.tolist()]
        guessed = model.predict(held_out[columns].to_numpy())
        found.append(accuracy_score(held_out["ill"].to_numpy(), guessed))
    assert evaluation.figures(RECIPE)["accuracy:ill"] == round(np.mean(found), 4)


def test_records_held_out_are_in_no_release_that_is_learnt_from(monkeypatch):
    table = people().with_columns(age=pl.int_range(200))
    released = []

    def watched(part, recipe, **given):
        released.append(set(part["age"].to_list()))
        return apply_recipe(part, recipe, **given)

    apply_recipe = _evaluation.apply_recipe
    monkeypatch.setattr(_evaluation, "apply_recipe", watched)
    evaluation = evaluation_of(table, RECIPE, "ill")
    evaluation.figures(RECIPE)
    assert len(released) == 3
    for ages, (train, test) in zip(released, evaluation.splits, strict=True):
        assert ages == set(train.tolist())
        assert not ages & set(test.tolist())
        assert len(ages) + len(test) == 200


def test_the_same_records_are_held_out_for_every_candidate():
    table, other = people(), Recipe(SCHEMA, k=9, method="mondrian")
    one, two = evaluation_of(table, RECIPE, "ill"), evaluation_of(table, other, "ill")
    for (train, test), (also_train, also_test) in zip(
        one.splits, two.splits, strict=True
    ):
        assert train.tolist() == also_train.tolist()
        assert test.tolist() == also_test.tolist()


def test_a_label_of_noise_is_not_learnt():
    rng = np.random.default_rng(99)
    table = people(400).with_columns(ill=pl.Series(rng.choice(["a", "b"], 400)))
    found = evaluation_of(table, RECIPE, "ill", n_repetitions=5).figures(RECIPE)
    assert 0.35 < found["accuracy:ill"] < 0.65


def test_all_records_of_a_person_are_on_one_side():
    schema = Schema(
        ["age", "bmi"], identifiers="name", confidential="ill", others="drop"
    )
    recipe = Recipe(schema, k=5, unit="name")
    table = people()
    for train, test in evaluation_of(table, recipe, "ill").splits:
        names = [set(table["name"][side.tolist()]) for side in (train, test)]
        assert not names[0] & names[1]


def test_a_number_is_predicted_as_one_also_if_it_is_text():
    table = people()
    found = evaluation_of(table, RECIPE, "cost").figures(RECIPE)
    assert set(found) == {"r2:cost"} and found["r2:cost"] > 0.8
    text = table.select(pl.all().cast(pl.String))
    again = evaluation_of(text, RECIPE, "cost", as_text=True).figures(RECIPE)
    assert again["r2:cost"] == pytest.approx(found["r2:cost"])


@for_each(
    ("label", "task"),
    [
        (np.arange(200) % 40, "regression"),
        (np.arange(200) % 15, "classification"),
        ((np.arange(200) % 4) / 2, "regression"),
        (np.arange(200) % 2 == 0, "classification"),
        (np.array([f"x{i % 40}" for i in range(200)]), "classification"),
    ],
)
def test_one_rule_says_what_is_a_number(label, task):
    """40 integers were classes in `learning_utility` and a number in `compare`."""
    table = people().with_columns(pl.Series("ill", label))
    assert evaluation_of(table, RECIPE, "ill").task == task
    X = table.select("age", "bmi").to_numpy()
    assert learning_utility(None, X, label, n_repetitions=1).task == task


MIXED = Schema(
    ["age", "zip", "job", "born"],
    confidential=["ill", "cost"],
    others="drop",
    kinds={"zip": "prefix"},
)


@pytest.mark.parametrize(
    "given",
    [
        {"missing": "category"},
        {"representatives": {"age": "interval", "job": "set"}},
        {"strata": ["job"]},
        slow({}),
        slow({"missing": "ignore"}),
        slow({"missing": "impute"}),
        slow({"missing": "drop"}),
        slow({"representatives": {"born": "interval"}, "ends": "rounded"}),
        slow({"rare": "merge", "rare_below": 60}),
        slow({"clip": {"age": "25:80"}, "digits": {"age": 0}}),
        slow({"weights": "cost"}),
        slow({"aggregate": "median"}),
    ],
    ids=str,
)
def test_every_kind_of_column_and_option(given):
    table = people(240)
    if "missing" in given:
        gap = pl.int_range(240) % 9 == 0
        table = table.with_columns(
            pl.when(gap).then(None).otherwise(name).alias(name)
            for name in ("age", "job", "born")
        )
    compared = compare(
        table, MIXED, methods=["mdav", "lda-mdav"], k=4, target="ill", label="ill",
        n_jobs=1, **given,
    )  # fmt: skip
    assert [c.error for c in compared.candidates] == [None, None]
    assert [c.notes for c in compared.candidates] == [(), ()]
    assert all(0.5 < v <= 1 for v in compared.values("accuracy"))
    assert compared.original["accuracy:ill"] > 0.7


def test_the_same_from_text_and_from_types():
    table = people()
    found = compare(table, MIXED, methods="mdav", k=4, label="ill", n_jobs=1)
    text = table.select(pl.all().cast(pl.String))
    again = compare(text, MIXED, methods="mdav", k=4, label="ill", n_jobs=1)
    assert again.values("accuracy") == pytest.approx(found.values("accuracy"))


def test_records_without_a_label_are_left_out():
    table = people().with_columns(
        ill=pl.when(pl.int_range(200) < 40).then(None).otherwise("ill")
    )
    evaluation = evaluation_of(table, RECIPE, "ill")
    assert evaluation.y.size == 160
    assert "accuracy:ill" in evaluation.figures(RECIPE)


def test_large_tables_are_learnt_from_a_sample(monkeypatch):
    monkeypatch.setattr(_evaluation, "MAX_LEARNT_RECORDS", 100)
    evaluation = evaluation_of(people(), RECIPE, "ill")
    assert evaluation.y.size == 100
    assert "a sample of 100 of 200 records" in evaluation.notes[0]


def test_a_part_without_a_release_is_a_note_and_no_error():
    table = people(24)
    compared = compare(table, SCHEMA, methods="mdav", k=[3, 20], label="ill", n_jobs=1)
    good, bad = compared.candidates
    assert "accuracy:ill" in good.figures and good.notes == ()
    assert bad.error is None and "accuracy:ill" not in bad.figures
    assert "nothing was learnt of 'ill'" in bad.notes[0]


@pytest.mark.parametrize(
    ("column", "values", "words"),
    [
        ("ill", ["no"] * 200, "nothing to learn"),
        ("ill", [f"x{i}" for i in range(200)], "200 values that are no numbers"),
    ],
)
def test_labels_that_cannot_be_learnt(column, values, words):
    table = people().with_columns(pl.Series(column, values))
    with pytest.raises(InputError, match=words):
        evaluation_of(table, replace(RECIPE, allow_unique=["ill"]), column)
