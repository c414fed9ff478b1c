"""Sampling weights of a release."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell import Recipe, Schema, SchemaError, anonymize, check_file
from microcell.exceptions import InputError, ParameterError
from microcell.privacy import class_codes

N = 40
COLUMNS = ["age", "bmi", "grade", "city"]
LEVELS = ["low", "mid", "high"]


def table(seed=0):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, N),
            "bmi": rng.normal(26, 4, N),
            "grade": rng.choice(LEVELS, N),
            "city": rng.choice(["Ulm", "Bonn", "Kiel"], N),
            "w": rng.integers(10, 50, N) + 0.5,
        }
    )


SCHEMA = Schema(COLUMNS, identifiers="w", kinds={"grade": LEVELS})


@settings(max_examples=25)
@given(seed=st.integers(0, 20), k=st.sampled_from([2, 5, 20]))
def test_weighted_totals_are_kept(seed, k):
    before = table(seed)
    release = anonymize(before, SCHEMA, k=k, weights="w", digits={"age": 9})
    for column in ("age", "bmi"):
        total = (before["w"] * before[column]).sum()
        assert (before["w"] * release.table[column]).sum() == pytest.approx(total)
    assert "w" not in release.table.columns


def test_medians_and_modes_are_weighted():
    before = table()
    release = anonymize(before, SCHEMA, k=5, weights="w", aggregate="median")
    weights = before["w"].to_numpy()
    for cell in range(release.labels.max() + 1):
        rows = np.flatnonzero(release.labels == cell)
        half = weights[rows].sum() / 2
        grades = np.array([LEVELS.index(g) for g in before["grade"][rows]])
        middle = next(g for g in range(3) if weights[rows][grades <= g].sum() >= half)
        assert release.table["grade"][int(rows[0])] == LEVELS[middle]
        cities = before["city"][rows].to_numpy()
        heaviest = max(set(cities), key=lambda c: weights[rows][cities == c].sum())
        assert release.table["city"][int(rows[0])] == heaviest


def test_equal_weights_change_nothing_but_the_risk():
    before = table().with_columns(w=pl.lit(7.0))
    plain = anonymize(before, SCHEMA, k=5, unit="records")
    weighted = anonymize(before, SCHEMA, k=5, weights="w")
    np.testing.assert_allclose(weighted.table["bmi"], plain.table["bmi"])
    assert weighted.table["city"].equals(plain.table["city"])
    scores = weighted.scores
    assert scores["journalist_max_risk"] == pytest.approx(
        scores["prosecutor_max_risk"] / 7
    )
    assert "journalist_max_risk" not in plain.scores
    assert "highest, population" in weighted.summary(verbose=True)
    assert "journalist_average_risk" in weighted.certificate()["scores"]


def test_risk_of_the_population():
    before = table()
    release = anonymize(before, SCHEMA, k=5, weights="w")
    classes = class_codes(release.table, COLUMNS)
    sums = np.bincount(classes, weights=before["w"].to_numpy())
    assert release.scores["journalist_max_risk"] == pytest.approx(1 / sums.min())
    average = np.mean(1 / sums[classes])
    assert release.scores["journalist_average_risk"] == pytest.approx(average)


def test_a_unit_counts_with_its_mean_weight():
    before = pl.concat([table(), table()]).with_columns(
        who=pl.Series([*range(N), *range(N)])
    )
    schema = Schema(COLUMNS, identifiers=["w", "who"], kinds={"grade": LEVELS})
    release = anonymize(before, schema, k=5, weights="w", unit="who")
    classes = class_codes(release.table, COLUMNS)[:N]
    sums = np.bincount(classes, weights=before["w"].to_numpy()[:N])
    assert release.scores["journalist_max_risk"] == pytest.approx(1 / sums.min())


@pytest.mark.parametrize(
    "role", [{"identifiers": "w"}, {"others": ["w"]}, {"others": "drop"}]
)
def test_any_role_but_a_quasi_identifier(role):
    schema = Schema(COLUMNS, kinds={"grade": LEVELS}, **role)
    release = anonymize(table(), schema, k=5, weights="w")
    if role == {"others": ["w"]}:
        assert release.table["w"].equals(table()["w"])
    else:
        assert "w" not in release.table.columns
    with pytest.raises(SchemaError, match="is a quasi-identifier"):
        anonymize(table(), Schema([*COLUMNS, "w"]), k=5, weights="w")


def test_records_that_are_left_out_take_their_weights_along():
    before = table().with_columns(
        bmi=pl.when(pl.int_range(N) % 7 == 0).then(None).otherwise(pl.col("bmi"))
    )
    dropped = anonymize(before, SCHEMA, k=5, weights="w", missing="drop")
    kept = anonymize(before.drop_nulls(), SCHEMA, k=5, weights="w")
    assert dropped.table.equals(kept.table)
    assert dropped.scores == kept.scores


def test_weights_in_strata():
    release = anonymize(
        table(), SCHEMA, k=3, weights="w", strata="city", digits={"age": 9}
    )
    before = table()
    total = (before["w"] * before["age"]).sum()
    assert (before["w"] * release.table["age"]).sum() == pytest.approx(total)


@pytest.mark.parametrize(
    "of", [pl.DataFrame.to_pandas, pl.DataFrame.to_arrow, lambda t: t.cast(pl.String)]
)
def test_every_kind_of_table(of):
    release = anonymize(of(table()), SCHEMA, k=5, weights="w")
    expected = anonymize(table(), SCHEMA, k=5, weights="w")
    ages = release.table["age"]
    ages = ages.to_pylist() if isinstance(release.table, pa.Table) else list(ages)
    np.testing.assert_allclose(ages, expected.table["age"])
    assert isinstance(release.table, (pd.DataFrame, pa.Table, pl.DataFrame))


def test_weights_below_one_get_a_notice():
    before = table().with_columns(w=pl.lit(0.5))
    release = anonymize(before, SCHEMA, k=5, weights="w")
    assert "40 records have a weight below 1" in release.notices[0]
    assert release.scores["journalist_max_risk"] <= 1


@for_each(
    ("values", "message"),
    [
        (pl.lit(0.0), "40 record\\(s\\) have one that is not positive"),
        (pl.lit(-1.0), "not positive"),
        (pl.lit(float("inf")), "not positive and finite"),
        (pl.lit(None, dtype=pl.Float64), "40 record\\(s\\) have none"),
        (pl.lit(float("nan")), "have none"),
        (pl.lit("heavy"), "Numbers are read as"),
        (pl.lit(True), "no numbers"),
    ],
)
def test_bad_weights(values, message):
    with pytest.raises(SchemaError, match=message):
        anonymize(table().with_columns(w=values), SCHEMA, k=5, weights="w")


def test_what_cannot_be_honoured_is_refused():
    with pytest.raises(SchemaError, match="not in the table"):
        anonymize(table(), SCHEMA, k=5, weights="v", unit="records")
    with pytest.raises(ParameterError, match="must be a column's name"):
        anonymize(table(), SCHEMA, k=5, weights=3, unit="records")
    with pytest.raises(ParameterError, match="needs sampling weights"):
        anonymize(
            table(), SCHEMA, k=5, measures=["journalist_max_risk"], unit="records"
        )
    with pytest.raises(InputError, match="says itself what is published") as caught:
        anonymize(table(), SCHEMA, k=5, weights="w", method="random-k-anonymity")
    assert caught.value.option == "weights" and "mdav" in str(caught.value)


@for_each(
    ("heavy", "options", "said"),
    [
        (1e9, {}, "refused"),
        (1e9, {"aggregate": "median"}, "refused"),
        (16.0, {}, "decide"),
        (8.0, {}, ""),
        (1e9, {"aggregate": "medoid"}, ""),  # weights say nothing there
        (6.0, {"unit": "who"}, "decide"),  # three visits of one patient
        (1.0, {"unit": "who"}, ""),
    ],
)
def test_a_person_whose_weight_dominates_a_cell(heavy, options, said):
    before = pl.DataFrame(
        {
            "age": [30, 30, 30, 31, 32, 33, 34, 60, 61, 62, 63, 64],
            "w": [heavy] * (3 if "unit" in options else 1)
            + [1.0] * (9 if "unit" in options else 11),
            "who": list("aaabcdefghij") if "unit" in options else list("abcdefghijkl"),
        }
    )
    schema = Schema("age", identifiers=["w", "who"], kinds={"age": "numeric"})
    make = dict(k=5, weights="w", method="mdav", **options)
    if said == "refused":
        with pytest.raises(InputError, match=r"1 cell\(s\) one person .* 90 % .* 'w'"):
            anonymize(before, schema, **make)
        return
    release = anonymize(before, schema, **make)
    dominated = [said for said in release.decide if "70 %" in said]
    assert len(dominated) == (said == "decide")


@for_each("aggregate", ["mean", "median", "medoid"])
@for_each(("visits", "said"), [(60, "90 %"), (12, "70 %"), (3, "")])
def test_a_person_whose_records_dominate_a_cell(aggregate, visits, said):
    """Rows are what means and medians weigh, also where k counts people."""
    before = pl.DataFrame(
        {
            "age": [*range(60, 68), *[30] * visits, 31, 32, 33, 34],
            "who": [*range(8), *[99] * visits, *range(20, 24)],
        }
    )
    schema = Schema("age", identifiers="who", kinds={"age": "numeric"})
    make = dict(k=4, unit="who", method="mdav", aggregate=aggregate)
    if said == "90 %" and aggregate != "medoid":
        with pytest.raises(InputError, match=r"one person .* 90 % of the rec") as e:
            anonymize(before, schema, **make)
        assert e.value.option == "unit" and "raise k" in str(e.value)
        return
    decide = anonymize(before, schema, **make).decide
    assert ["70 % of the records" in each for each in decide] == (
        [True] if said and aggregate != "medoid" else []
    )


def test_a_check_sees_weights_that_are_released(tmp_path):
    ages = pl.DataFrame({"age": [32.0] * 5 + [62.0] * 5, "w": [1.0] * 9 + [1e6]})
    ages.write_csv(tmp_path / "release.csv")
    schema = Schema("age", others=["w"], kinds={"age": "numeric"})
    recipe = Recipe(schema, k=5, weights="w")
    found = check_file(tmp_path / "release.csv", recipe=recipe)
    assert not found.holds and found.findings[-1].records_failing == 5
    medoids = replace(recipe, aggregate="medoid")
    assert check_file(tmp_path / "release.csv", recipe=medoids).holds
