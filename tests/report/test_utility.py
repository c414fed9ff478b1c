"""Utility in a report: associations, the picture of cells, models, costs."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

import microcell.report._models as learning
import microcell.report._utility as utility
from microcell import Schema, anonymize
from microcell.metrics import association_matrix, relative_loss
from microcell.metrics._rounding import loss_step, rounded_joint
from microcell.partition import MDAV
from microcell.privacy import class_codes
from microcell.report._columns import columns_of
from microcell.report._geometry import Geometry
from microcell.report._models import models
from microcell.report._people import People

rng = np.random.default_rng(6)
N = 240
AGE = rng.normal(50, 15, N)
TABLE = pl.DataFrame(
    {
        "age": AGE,
        "pay": AGE * 60 + rng.normal(0, 300, N),
        "job": np.where(AGE > 60, "retired", rng.choice(["cook", "smith"], N)),
        "ill": np.where(AGE + rng.normal(0, 5, N) > 50, "yes", "no"),
        "score": AGE / 9 + rng.normal(0, 0.3, N),
    }
)
SCHEMA = Schema(["age", "pay", "job"], confidential=["ill", "score"])


def release_of(table=TABLE, schema=SCHEMA, **options):
    return anonymize(table, schema, k=4, **options)


@pytest.fixture(scope="module")
def release():
    return release_of()


def test_costs_are_shares_of_all_that_is_lost(release):
    geometry = Geometry(release.before)
    costs = geometry.costs()
    assert sum(c["share"] for c in costs) == pytest.approx(1)
    total = release.scores["relative_loss"]
    assert total == pytest.approx(
        relative_loss(
            geometry.Z,
            geometry.Z_released,
            nominal=geometry.codes,
            units=geometry.units,
        ),
        abs=loss_step(N) / 2 + 1e-9,
    )
    assert min(c["loss"] for c in costs) <= total <= max(c["loss"] for c in costs)


def test_the_picture_shows_the_release_alone(release):
    classes = class_codes(release.table, release.known)
    geometry = Geometry(release.before)
    found = utility.picture_of_cells(geometry, classes)
    geometry.Z = None  # of the original, which it does not look at
    assert utility.picture_of_cells(geometry, classes) == found
    assert found["shown"] == found["of"] == release.cells[0] == len(found["x"])
    assert sum(found["records"]) == N
    assert 0 < found["explained"][1] <= found["explained"][0] <= 1
    spread = np.average(np.square(found["x"]), weights=found["records"])
    other = np.average(np.square(found["y"]), weights=found["records"])
    assert spread >= other


@pytest.mark.parametrize("scale", ["standard", "minmax", "robust"])
def test_the_picture_does_not_tell_the_scale_of_the_original(scale):
    """Divided by the original's range, places would tell how far its extremes are."""
    release = release_of(scale=scale, aggregate="median")
    classes = class_codes(release.table, release.known)
    found = utility.picture_of_cells(Geometry(release.before), classes)
    X = release.before.X.copy()
    X[0, :2] = 1e6
    scaler = clone(release.before.scaler).fit(X)
    other = replace(release.before, X=X, scaler=scaler)
    assert utility.picture_of_cells(Geometry(other), classes) == found


def test_what_does_not_vary_is_not_in_the_picture():
    table = TABLE.select("age", flat=pl.lit(0.1))
    release = anonymize(table, Schema(["age", "flat"]), k=7)
    classes = class_codes(release.table, release.known)
    found = utility.picture_of_cells(Geometry(release.before), classes)
    assert found["explained"] == [1.0, 0.0]


def test_some_cells_stand_for_many(release, monkeypatch):
    monkeypatch.setattr(utility, "MAX_PICTURED_CELLS", 7)
    classes = class_codes(release.table, release.known)
    found = utility.picture_of_cells(Geometry(release.before), classes)
    assert found["shown"] == len(found["x"]) == 7 < found["of"]
    assert found["x"] == sorted(found["x"])


def test_one_cell_makes_no_picture():
    release = anonymize(TABLE.head(12), SCHEMA, k=12)
    classes = class_codes(release.table, release.known)
    assert utility.picture_of_cells(Geometry(release.before), classes) is None


def test_associations_of_the_release_are_near(release):
    found = utility.associations(columns_of(release, release.before), People(4, N))
    assert found["names"] == ["age", "pay", "job", "ill", "score"]
    before, after = np.array(found["before"]), np.array(found["after"])
    expected = np.corrcoef(TABLE["age"], TABLE["pay"])[0, 1]
    assert before[0, 1] == pytest.approx(expected, abs=0.03)
    assert before[3, 4] == after[3, 4]  # released as they are
    assert found["largest_change"] == pytest.approx(
        np.abs(after - before).max(), abs=1e-4
    )


def related(table, names, **options):
    release = anonymize(table, Schema(names), k=5, **options)
    return utility.associations(
        columns_of(release, release.before), People(5, len(table))
    )


def one_of(value, others):
    """A column in which record 17 has another value than all others."""
    return pl.Series([value, *others]).gather([*range(1, 18), 0, *range(18, N)])


@pytest.mark.parametrize(
    "told",
    [
        one_of(5e6, rng.normal(50, 5, N - 1)),
        one_of("countess", ["cook"] * (N - 1)),
        one_of("countess", ["cook", "smith", "cook"] * 79 + ["cook", "cook"]),
    ],
    ids=["extreme", "only one", "one of three"],
)
def test_associations_do_not_tell_what_one_person_has(told):
    """Whatever the person's other value is, the page says the same before."""
    ages = rng.integers(40, 60, N)
    shown = []
    for age in (20, 90):
        ages[17] = age
        table = pl.DataFrame({"told": told, "age": ages, "pay": TABLE["pay"]})
        found = related(table, ["told", "age", "pay"])
        places = [found["names"].index(n) for n in found["names"] if n != "age"]
        others = np.array(found["before"])[np.ix_(places, places)]
        with_age = found["before"][found["names"].index("age")]
        spread = table["age"].std() * np.sqrt(N - 1)
        derived = [table["age"].mean() + r * spread for r in with_age if r is not None]
        assert not any(abs(d - age) < 1 for d in derived)
        shown.append((found["names"], others.tolist()))
    assert shown[0] == shown[1]


def test_associations_of_few_people_are_not_told():
    few = [1.0, 2.0, 30.0, *[None] * (N - 3)]
    some = [None] * 3 + TABLE["age"].to_list()[3:20] + [None] * (N - 20)
    both = TABLE.select("age", "pay").with_columns(
        few=pl.Series(few), some=pl.Series(some)
    )
    found = related(both, ["age", "pay", "few", "some"], missing="ignore")
    assert found["names"] == ["age", "pay", "some"]
    apart = both.with_columns(age=pl.Series([None] * 16 + TABLE["age"].to_list()[16:]))
    found = related(apart.drop("few"), ["age", "pay", "some"], missing="ignore")
    assert found["before"][0][2] is None and found["after"][0][2] is None
    assert found["before"][0][1] is not None and found["largest_change"] is not None


def learn(release, table=TABLE):
    people = People(release.recipe.k, len(table), release.units)
    return models(
        release, columns_of(release, release.before), Geometry(release.before), people
    )


def test_models_of_few_classes(release):
    (model,) = learn(release)
    assert (model["column"], model["metric"]) == ("ill", "accuracy")
    assert model["constant"] < 0.7 < model["released"] <= model["original"] + 0.1
    assert model["records_used"] == N


def test_a_model_of_the_target_alone():
    release = release_of(method="mdav-sd", target="score")
    (model,) = learn(release)
    assert (model["column"], model["metric"]) == ("score", "r2")
    assert model["original"] > 0.9 and model["constant"] <= 0.05
    assert model["interval"][0] <= model["released"] <= model["interval"][1]


def test_models_are_tested_on_records_as_they_were(release, monkeypatch):
    tested = []

    def spy(train, y_train, test, y_test, estimator, task):
        tested.append((train, test))
        return {"accuracy": 0.5}

    monkeypatch.setattr(learning, "train_and_test", spy)
    learn(release)
    geometry = Geometry(release.before)
    original, released = geometry.expanded(geometry.Z, geometry.Z_released)
    (trained, test), (on_original, same_test), _ = tested
    rows = {tuple(row) for row in original.tolist()}
    assert {tuple(row) for row in test.tolist()} <= rows
    assert np.array_equal(test, same_test)
    assert {tuple(row) for row in trained.tolist()} <= set(
        map(tuple, released.tolist())
    )
    held_out = {tuple(row) for row in test.tolist()}
    assert not held_out & {tuple(row) for row in on_original.tolist()}


def test_rare_classes_are_not_learnt_by_name():
    ill = TABLE["ill"].to_list()
    ill[0] = "porphyria"
    table = TABLE.with_columns(ill=pl.Series(ill))
    (model,) = learn(release_of(table), table)
    assert model["records_used"] == N


def test_a_sample_is_learnt(release, monkeypatch):
    monkeypatch.setattr(learning, "MAX_TRAINING_RECORDS", 100)
    (model,) = learn(release)
    assert model["records_used"] == 100


def test_too_few_records_teach_nothing(monkeypatch):
    table = TABLE.head(40)
    assert learn(release_of(table), table) == []


def test_categories_have_coordinates_of_their_own(release):
    geometry = Geometry(release.before)
    original, released = geometry.expanded(geometry.Z, geometry.Z_released)
    assert original.shape == released.shape == (N, 2 + 3)
    distance = np.sum((original[:, 2:] - released[:, 2:]) ** 2, axis=1)
    differ = geometry.Z[:, 2] != geometry.Z_released[:, 2]
    assert distance == pytest.approx(differ * geometry.units[0])


def test_an_association_does_not_say_who_of_a_class_is_ill():
    """Six of 200 are ill: whoever knows the ages tries who of their classes it is."""
    draw = np.random.default_rng(0)
    known = draw.normal(size=(200, 3))
    labels = MDAV(5).fit_predict(known)
    ill = np.zeros(200)
    ill[draw.choice(200, 6, replace=False)] = 1

    def shown(who, rounded):
        table = association_matrix(np.column_stack([known, who]))[3, :3]
        return tuple(rounded_joint(x, 200) for x in table) if rounded else tuple(table)

    def other_world():
        who = np.zeros(200)
        for cell in np.unique(labels[ill == 1]):
            there = np.flatnonzero(labels == cell)
            who[draw.choice(there, int(ill[there].sum()), replace=False)] = 1
        return who

    worlds = [other_world() for _ in range(500)]
    others = [w for w in worlds if (w != ill).any()]
    for rounded in (False, True):
        fit = np.mean([shown(w, rounded) == shown(ill, rounded) for w in others])
        assert fit > 0.05 if rounded else fit == 0
