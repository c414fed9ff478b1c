"""Units that k counts: households and patients with several records."""

import numpy as np
import polars as pl
import pytest
from marks import for_each
from tables import seed_of

from microcell import Schema, anonymize, measure
from microcell.exceptions import InputError
from microcell.methods import METHODS
from microcell.privacy import PSensitivity


def visits(n=90, seed=0):
    rng = np.random.default_rng(seed)
    patients = rng.integers(0, n // 3, n)
    return pl.DataFrame(
        {
            "patient": [f"p{number}" for number in patients],
            "age": (patients * 7) % 60 + 20,
            "bmi": rng.normal(25, 4, n).round(1),
            "sex": np.where(patients % 2, "f", "m"),
            "city": rng.choice(["ulm", "bonn", "kiel", "jena"], n),
            "ill": rng.choice(["flu", "gout", "hiv", "no"], n),
        }
    )


SCHEMA = Schema(
    ["age", "bmi", "sex", "city"], identifiers="patient", confidential="ill"
)


def people_of_classes(table, released, columns):
    joined = released.with_columns(table["patient"])
    return joined.group_by(columns).agg(pl.col("patient").n_unique())["patient"]


@for_each("grouped", [False, True])
@for_each("method", METHODS)
def test_every_method_counts_people(method, grouped):
    table, options = visits(), seed_of(METHODS[method])
    if grouped:
        options |= {"strata": ["sex"], "promises": [PSensitivity(2)]}
    if method == "dp-microaggregation":
        options |= {"epsilon": 1.0, "bounds": {"age": [0, 99], "bmi": [9.0, 60.0]}}
    try:
        release = anonymize(
            table, SCHEMA, k=3, method=method, unit="patient", **options
        )
    except InputError as error:
        whole_records = {"individual-ranking", "random-aggregation"}
        whole_records |= {"random-k-anonymity"}
        if method == "dp-microaggregation":
            assert method in str(error) or "'sex'" in str(error)
        else:
            assert grouped and method in whole_records
        return
    assert "patient" not in release.table.columns
    first = release.findings[0]
    assert first.holds and "counted in patient" in first.promise
    labels = np.asarray(release.labels).reshape(len(table), -1)
    for cells in labels.T:
        pairs = set(zip(cells.tolist(), table["patient"].to_list(), strict=True))
        assert np.bincount([cell for cell, _ in pairs]).min() >= 3
        assert len({patient for _, patient in pairs}) == len(pairs)  # one cell each
    if release.findings[0].promise.startswith("k-anonymity,"):
        known = list(SCHEMA.quasi_identifiers)
        assert people_of_classes(table, release.table, known).min() >= 3
        assert release.scores["prosecutor_max_risk"] <= 1 / 3


@pytest.mark.parametrize("method", ["mdav", "vmdav", "mondrian", "individual-ranking"])
def test_measures_count_units_from_the_tables_alone(method):
    table = visits()
    release = anonymize(table, SCHEMA, k=3, method=method, unit="patient")
    names = list(SCHEMA.quasi_identifiers)
    scores = measure(table, release.table, names, unit="patient")
    assert dict(scores) == pytest.approx(dict(release.scores))
    assert "household_max_risk" in scores
    known = people_of_classes(table, release.table, names)
    assert scores["prosecutor_max_risk"] == 1 / known.min()
    records = measure(table, release.table, names)
    assert "household_max_risk" not in records
    assert records["prosecutor_max_risk"] <= scores["prosecutor_max_risk"]


def test_units_need_rows_in_one_order(tmp_path):
    table = visits()
    release = anonymize(table, SCHEMA, k=3, unit="patient")
    release.save(tmp_path / "sorted.parquet")
    names = list(SCHEMA.quasi_identifiers)
    sorted_rows = pl.read_parquet(tmp_path / "sorted.parquet")
    with pytest.raises(InputError, match="is not known"):
        measure(table, sorted_rows, names, unit="patient")
    with pytest.raises(InputError, match="'patients'"):
        measure(table, release.table, names, unit="patients")
    with pytest.raises(InputError, match="needs units of several records"):
        measure(table, release.table, names, measures=["household_max_risk"])
