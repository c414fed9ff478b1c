"""Promises about confidential values count people, of whom each may have several."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell import (
    Schema,
    anonymize,
)
from microcell.compose import ByStratum, ByUnit, Enforce
from microcell.exceptions import InputError
from microcell.metrics import homogeneity
from microcell.partition import MDAV
from microcell.privacy import (
    AlphaAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    LDiversity,
    PSensitivity,
    RecursiveDiversity,
    TCloseness,
    View,
    cell_values,
)

MODELS = [
    LDiversity(3, "ill"),
    PSensitivity(2, "ill"),
    EntropyLDiversity(1.5, "ill"),
    RecursiveDiversity(3, 2, "ill"),
    AlphaAnonymity(0.6, "ill"),
    AlphaAnonymity(0.6, "ill", value="HIV"),
    BetaLikeness(0.8, "ill"),
    EnhancedBetaLikeness(0.5, "ill"),
    DeltaDisclosure(0.9, "ill"),
    TCloseness(0.5, "ill", distance="equal"),
]


def visits(n_sick=12, n_others=48):
    """Patients of one age who all have HIV, flu and cold, and others with one each."""
    rows = [(f"s{p}", 30, ill) for p in range(n_sick) for ill in ("HIV", "flu", "cold")]
    ills = ("HIV", "flu", "cold", "gout")
    rows += [(f"o{p}", 60 + p % 20, ills[p % 4]) for p in range(n_others)]
    return pl.DataFrame(rows, ["id", "age", "ill"], orient="row")


def view_of(table):
    units = table["id"].rank("dense").to_numpy() - 1
    return View(table, ["age"], confidential=["ill"], units=units, unit="id")


@for_each("promise", MODELS)
def test_a_value_that_all_people_of_a_class_have_breaks_a_promise(promise):
    table = visits().with_columns(age=pl.col("age").clip(upper_bound=60))
    finding = promise.verify(view_of(table))
    assert finding.holds is False and finding.records_failing == 12, (
        "people, not visits"
    )
    assert finding.promise.endswith("counted in id")
    one_class = table.with_columns(age=1)
    assert promise.verify(view_of(one_class)).holds, "of a third of all people"


@for_each("promise", MODELS)
def test_cells_are_enforced_as_they_are_verified(promise):
    schema = Schema("age", identifiers="id", confidential="ill")
    plain = anonymize(visits(), schema, k=5, method="mdav", unit="id")
    release = anonymize(
        visits(), schema, k=5, method="mdav", unit="id", promises=[promise]
    )
    own = [promise.verify(plain.view(plain.table)), release.findings[-1]]
    assert [finding.holds for finding in own] == [False, True]


def test_records_that_are_people_are_not_said_to_be_counted():
    schema = Schema("age", confidential="ill", others="drop")
    release = anonymize(
        visits(), schema, k=5, method="mdav", unit="records", promises=[LDiversity(2)]
    )
    assert release.findings[-1].promise == "l-diversity of ill"


def test_one_value_of_each_person_is_counted_as_before():
    rng = np.random.default_rng(0)
    cells, codes = rng.integers(0, 4, 90), rng.integers(0, 5, 90)
    plain = cell_values(cells, codes)
    twice = [np.repeat(a, 2) for a in (cells, codes, np.arange(90))]
    found = cell_values(*twice[:2], units=twice[2])
    for promise in MODELS:
        if promise.names_values:
            continue
        assert np.array_equal(promise.levels(found), promise.levels(plain))
    assert homogeneity(twice[0], twice[1], units=twice[2]) == homogeneity(cells, codes)


@settings(max_examples=60)
@given(
    people=st.lists(
        st.sets(st.integers(0, 3), min_size=1, max_size=3), min_size=1, max_size=5
    )
)
def test_diversity_bounds_any_value_of_each(people):
    records = [(unit, code) for unit, codes in enumerate(people) for code in codes]
    units, codes = np.array(records).T
    cells = cell_values(np.zeros_like(codes), codes, units=units)
    chosen = [np.bincount(choice) for choice in product(*people)]
    chosen = [np.sort(counts[counts > 0])[::-1] for counts in chosen]
    shares = [counts / len(people) for counts in chosen]
    least = min(counts.size for counts in chosen)
    assert LDiversity(2).levels(cells)[0] <= least
    if least == 1:  # a value that all have, and nothing else makes it one
        assert PSensitivity(2).levels(cells)[0] == 1
    entropy = min(np.exp(-np.sum(p * np.log(p))) for p in shares)
    assert EntropyLDiversity(2).levels(cells)[0] <= entropy + 1e-9
    ratios = [c[0] / c[1:].sum() if c.size > 1 else np.inf for c in chosen]
    assert RecursiveDiversity(2, 2).levels(cells)[0] >= max(ratios) - 1e-9
    having = np.bincount(codes, minlength=4)
    assert AlphaAnonymity(0.5).levels(cells)[0] == having.max() / len(people)


def test_what_cannot_count_people_is_refused():
    table = visits().with_columns(pay=pl.int_range(pl.len()))
    schema = Schema("age", identifiers="id", confidential="pay", others="drop")
    with pytest.raises(InputError, match=r"several values of 'pay'.*'ordered'"):
        anonymize(table, schema, k=5, unit="id", promises=[TCloseness(0.2)])


def test_the_table_of_disclosure_counts_people():
    table = visits()
    release = anonymize(
        table,
        Schema("age", identifiers="id", confidential="ill"),
        k=5,
        method="mdav",
        unit="id",
    )
    found = release.disclosure["ill"]
    assert found["p_sensitivity"] == 1 and found["largest_share_max"] == 1
    assert found["homogeneous_records"] == pytest.approx(12 / 60, abs=0.05)
    assert found["table_share"] == 24 / 60


def test_units_stay_whole_where_people_are_counted():
    X, ill = np.arange(8.0)[:, None], [0, 0, 1, 1, 0, 0, 1, 1]
    part = Enforce(MDAV(2), LDiversity(2), values=ill, units=list("abcdabcd"))
    with pytest.raises(ValueError, match="ByUnit"):
        part.fit(X)


def test_strata_are_judged_against_the_people_of_the_table():
    units = np.repeat(np.arange(12), 2)
    ill = np.tile([0, 1, 0, 2], 6)
    strata = np.repeat([0, 1], 12)
    promise = TCloseness(0.3, distance="equal")
    part = Enforce(
        ByUnit(MDAV(3), units=units), promise, values=ill, units=units
    ).take_rows(np.flatnonzero(strata == 0))
    assert part.n_people == 12 and list(part.totals[0]) == [12, 6, 6]
    X = np.arange(24.0)[:, None]
    whole = ByStratum(
        Enforce(ByUnit(MDAV(3), units=units), promise, values=ill, units=units),
        strata=strata,
    ).fit(X)
    reached = promise.levels(cell_values(whole.labels_, ill, units=units))
    assert (reached <= 0.3).all()


def test_an_error_names_no_value_of_one_person():
    table = pl.DataFrame(
        {
            "pid": [0] * 20 + list(range(1, 41)),
            "age": np.arange(60),
            "dx": ["HIV"] * 20 + [f"d{i}" for i in range(40)],
        }
    )
    schema = Schema(["age"], identifiers="pid", confidential="dx")
    promises = [PSensitivity(50)]
    with pytest.raises(InputError, match="cannot hold") as error:
        anonymize(table, schema, k=3, unit="pid", promises=promises, allow_unique="dx")
    assert "HIV" not in str(error.value)


def test_a_column_may_be_called_count():
    table = pl.DataFrame({"age": np.arange(60), "count": ["x"] * 60})
    with pytest.raises(InputError, match="cannot hold: all 60 records"):
        anonymize(
            table, Schema(["age"], confidential="count"), k=5,
            promises=[PSensitivity(2)],
        )  # fmt: skip


def test_all_that_is_missing_is_one_value(tmp_path):
    table = pl.DataFrame({"age": range(20), "c": ["", None] * 10})
    schema = Schema(["age"], confidential="c")
    with pytest.raises(InputError, match="p-sensitivity of 'c' of 2 cannot hold"):
        anonymize(table, schema, k=2, promises=[PSensitivity(2)])
    floats = table.with_columns(c=pl.Series([float("nan"), None] * 10))
    assert anonymize(floats, schema, k=2).disclosure["c"]["homogeneous_records"] == 1
