"""Figures of candidates: names, and what each is on a small release."""

import numpy as np
import polars as pl
import pytest
from marks import for_each

from microcell import Schema, anonymize
from microcell.exceptions import InputError
from microcell.metrics import interval_disclosure_risk
from microcell.selection._figures import (
    DISCLOSED,
    Figure,
    figures_of,
    find_figure,
    known_figures,
)


def people(n=80):
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "name": [f"p{i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "bmi": rng.normal(25, 4, n),
            "sex": rng.choice(["f", "m"], n),
            "w": rng.integers(1, 30, n),
            "ill": rng.choice(["no", "flu"], n),
            "cost": rng.integers(0, 1000, n),
        }
    )


SCHEMA = Schema(
    ["age", "bmi", "sex"],
    identifiers="name",
    confidential=["ill", "cost"],
    others="drop",
)


@pytest.fixture(scope="module")
def release():
    return anonymize(people(), SCHEMA, k=4)


def test_every_figure_of_a_release_is_known(release):
    names = [figure.name for figure in known_figures(SCHEMA)]
    assert len(set(names)) == len(names)
    assert set(figures_of(release)) <= set(names)


def test_figures_that_need_weights_are_known_where_there_are_some():
    found = figures_of(anonymize(people(), SCHEMA, k=4, weights="w"))
    assert "journalist_max_risk" in found
    names = [f.name for f in known_figures(SCHEMA, given=["weights"])]
    assert set(found) <= set(names)
    assert "journalist_max_risk" not in [f.name for f in known_figures(SCHEMA)]


def test_k_is_that_of_the_smallest_class(release):
    sizes = release.table.group_by("age", "bmi", "sex").len()["len"]
    assert figures_of(release)["k"] == sizes.min()


def test_k_is_counted_on_whole_records_also_where_it_is_not_promised():
    found = figures_of(anonymize(people(), SCHEMA, k=4, method="individual-ranking"))
    assert found["k"] == 1


def test_the_worst_column_stands_for_all(release):
    found = figures_of(release)
    for name, better in ((f.name, f.better) for f in DISCLOSED if f.better):
        worst = max if better == "low" else min
        own = [v for n, v in found.items() if n.startswith(f"{name}:")]
        assert found[name] == worst(own)
    assert found["t_distance_max:ill"] == release.disclosure["ill"]["t_distance_max"]


def test_interval_disclosure_is_that_of_numbers(release):
    columns = ["age", "bmi"]
    original = people()[columns].to_numpy()
    expected = interval_disclosure_risk(original, release.table[columns].to_numpy())
    found = figures_of(release)["interval_disclosure_risk"]
    assert found == round(found, 4) == pytest.approx(expected, abs=5.1e-5)


def test_missing_values_are_left_out_of_what_compares_numbers():
    table = people().with_columns(
        pl.when(pl.int_range(80) % 10 == 0).then(None).otherwise("age").alias("age")
    )
    found = figures_of(anonymize(table, SCHEMA, k=4, missing="ignore"))
    assert 0 <= found["interval_disclosure_risk"] <= 1
    assert np.isfinite(found["correlation_loss"])


@pytest.mark.parametrize("n_there", [3, 4])
def test_numbers_that_few_people_have_are_not_compared(n_there):
    there = pl.int_range(80) < n_there
    table = people().with_columns(age=pl.when(there).then("age"))
    found = figures_of(anonymize(table, SCHEMA, k=4, missing="ignore"))
    assert ("interval_disclosure_risk" in found) == (n_there == 4)


def test_changes_of_spread_are_not_those_of_one_person():
    far = pl.when(pl.int_range(80) == 7).then(5e6).otherwise("bmi").alias("bmi")
    found = figures_of(anonymize(people().with_columns(far), SCHEMA, k=4))
    assert "variance_loss" in found and "correlation_loss" not in found


def test_categories_alone_have_no_such_figures():
    schema = Schema(["sex"], others="drop")
    assert "variance_loss" not in figures_of(anonymize(people(), schema, k=4))


@for_each(
    ("said", "name"),
    [
        ("loss", "relative_loss"),
        ("linkage", "distance_linkage_risk"),
        ("t", "t_distance_max"),
        ("t:cost", "t_distance_max:cost"),
        ("uniform", "homogeneous_records"),
        ("p", "p_sensitivity"),
        ("risk", "prosecutor_max_risk"),
        ("k", "k"),
        ("accuracy", "accuracy:ill"),
        ("accuracy:ill", "accuracy:ill"),
        ("seconds", "seconds"),
    ],
)
def test_names_people_say(said, name):
    assert find_figure(said, known_figures(SCHEMA, "ill")).name == name


@for_each(
    ("said", "words"),
    [
        ("linkege", "Did you mean 'linkage'"),
        ("sse_los", "Did you mean 'sse_loss'"),
        ("accuracy", "name the column that it learns in label"),
        ("t:age", "There is no figure 't:age'"),
        ("xxxxxx", "There are"),
    ],
)
def test_unknown_names_are_errors_with_near_ones(said, words):
    with pytest.raises(InputError, match=words):
        find_figure(said, known_figures(SCHEMA))


def test_values_as_people_read_them():
    shown = {
        unit: Figure("x", "x", unit, "low").shown(0.51234)
        for unit in ("share", "number", "count", "seconds")
    }
    assert shown == {
        "share": "51.23 %",
        "number": "0.5123",
        "count": "1",
        "seconds": "0.5 s",
    }
    assert Figure("x", "x", "share", "low").shown(float("nan")) == "-"
