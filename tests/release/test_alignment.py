"""A release in another order is not measured as if it were in that of the original."""

import json
import pickle
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from marks import slow
from typer.testing import CliRunner

from microcell import Recipe, Schema, anonymize, anonymize_file, measure, measure_files
from microcell.cli._app import app
from microcell.datasets import load_diabetes_patients
from microcell.exceptions import InputError
from microcell.io import read_table
from microcell.metrics import MEASURES

PATIENTS = load_diabetes_patients().frame.select("age", "sex", "bmi", "bp", "s1")
NAMES = ["age", "sex", "bmi", "bp"]
ALIGNED = [m.name for m in MEASURES if m.aligned]
CLASSES = {"prosecutor_max_risk", "prosecutor_average_risk"}
UNORDERED = {*CLASSES, "variance_lost"}
ALONE = Schema(NAMES, others="drop")
BESIDE = Schema(NAMES, others=["s1"])


def in_file_order(release, folder, suffix=".parquet"):
    path = folder / f"o{suffix}"
    release.save(path, overwrite=True)
    return read_table(path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("schema", [ALONE, BESIDE], ids=["alone", "beside"])
def test_a_file_is_noticed_and_its_twin_in_memory_is_not(schema, suffix, tmp_path):
    release = anonymize(PATIENTS, schema, k=5)
    assert measure(PATIENTS, release.table, NAMES) == release.scores
    assert measure(PATIENTS, release.table, NAMES).notice == ""
    written = in_file_order(release, tmp_path, suffix)
    scores = measure(PATIENTS, written, NAMES)
    assert set(scores) == UNORDERED
    assert {n: scores[n] for n in CLASSES}.items() <= release.scores.items()
    assert "another order" in scores.notice and "information loss" in scores.notice
    assert scores.lines()[-1].endswith(scores.notice)
    assert pickle.loads(pickle.dumps(scores)).notice == scores.notice
    assert set(measure(PATIENTS, written, NAMES, measures="quick")) == UNORDERED
    assert measure(PATIENTS, written, NAMES, measures="none").notice == ""
    named = measure(PATIENTS, written, NAMES, measures=["prosecutor_max_risk"])
    assert set(named) == {"prosecutor_max_risk"} and named.notice == ""
    with pytest.raises(InputError, match=r"order='keep'.*aligned=True"):
        measure(PATIENTS, written, NAMES, measures=["sse_loss"])
    assert "sse_loss" in measure(PATIENTS, written, NAMES, aligned=True)


METHODS = {
    "mdav": {},
    "median": {"aggregate": "median"},
    "interval": {"aggregate": "interval"},
    "rounded": {"integers": "round"},
    "mondrian": {"method": "mondrian"},
    "individual-ranking": {"method": "individual-ranking"},
    "noise": {"method": "random-aggregation"},
    "one cell": {"k": 442},
}


@pytest.mark.parametrize("options", METHODS.values(), ids=METHODS)
@pytest.mark.parametrize("schema", [ALONE, BESIDE], ids=["alone", "beside"])
def test_every_way_to_mask(schema, options, tmp_path):
    release = anonymize(PATIENTS, schema, **{"k": 7, **options})
    written = in_file_order(release, tmp_path)
    assert "sse_loss" in measure(PATIENTS, release.table, NAMES)
    # of one cell alone, every order is the same
    same = options.get("k") == 442 and schema is ALONE
    scores = measure(PATIENTS, written, NAMES)
    assert ("sse_loss" in scores) == same
    if same:
        assert scores == pytest.approx(dict(release.scores))


def test_an_original_in_the_order_of_the_release(tmp_path):
    """Sorted by its only column, its release is sorted too, and aligned."""
    table = PATIENTS.select("bmi").sort("bmi")
    for options in ({}, {"aggregate": "median"}, {"aggregate": "interval"}):
        release = anonymize(
            table, Schema("bmi"), k=5, method="individual-ranking", **options
        )
        written = in_file_order(release, tmp_path)
        assert written.equals(release.table)
        assert measure(table, written, "bmi") == release.scores
        backwards = table.reverse()
        assert set(measure(backwards, written, "bmi")) == UNORDERED
        if not options:
            rounded = written.with_columns(pl.col("bmi").round(1))
            assert "sse_loss" in measure(table, rounded, "bmi")
            assert set(measure(backwards, rounded, "bmi")) == UNORDERED


def test_noise_loses_no_less_than_nothing_and_no_more_than_all():
    far = PATIENTS.select((pl.col(n).reverse() * 9).sort() for n in NAMES[2:])
    scores = measure(PATIENTS, far, NAMES[2:])
    assert set(scores) == UNORDERED and scores["variance_lost"] == 1


def test_a_constant_column_is_no_sign(tmp_path):
    table = PATIENTS.select("age", "bmi", year=pl.lit(2024))
    schema = Schema(["age", "bmi"], others=["year"])
    release = anonymize(table, schema, k=5)
    assert measure(table, release.table, ["age", "bmi"]) == release.scores
    written = in_file_order(release, tmp_path)
    assert set(measure(table, written, ["age", "bmi"])) == UNORDERED


def test_a_column_that_is_sorted_in_both_is_no_sign(tmp_path):
    """The release is sorted by it first, and only inside of it in another order."""
    table = PATIENTS.select(group=pl.Series([0, 1] * 221).sort(), age="age", bmi="bmi")
    schema = Schema(["age", "bmi"], others=["group"])
    written = in_file_order(anonymize(table, schema, k=5), tmp_path)
    assert written["group"].equals(table["group"])
    assert set(measure(table, written, ["age", "bmi"])) == UNORDERED


def test_columns_whose_values_were_swapped_are_in_order():
    """Another tool's way to mask: one column in another order, the rows in theirs."""
    rng = np.random.default_rng(0)
    release = anonymize(PATIENTS, BESIDE, k=5).table.with_columns(
        year=pl.Series(rng.integers(0, 9, 442))
    )
    table = PATIENTS.with_columns(release["year"])
    swapped = release.with_columns(s1=pl.Series(rng.permutation(release["s1"])))
    assert "sse_loss" in measure(table, swapped, NAMES)
    alone = swapped.drop("year")  # nothing says that rows are in order
    assert set(measure(table, alone, NAMES)) == UNORDERED
    assert "sse_loss" in measure(table, alone, NAMES, aligned=True)
    both = swapped.with_columns(year=pl.Series(rng.permutation(release["year"])))
    assert set(measure(table, both, NAMES)) == UNORDERED
    shuffled = release[rng.permutation(442)]
    assert set(measure(table, shuffled, NAMES)) == UNORDERED


def test_records_that_were_left_out(tmp_path):
    age = pl.Series([None, *PATIENTS["age"][1:]])
    table = PATIENTS.with_columns(age=age)
    release = anonymize(table, BESIDE, k=5, missing="drop")
    assert measure(table, release.table, NAMES, missing="drop") == release.scores
    written = in_file_order(release, tmp_path)
    assert set(measure(table, written, NAMES, missing="drop")) == UNORDERED


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (".csv", ".parquet"),
        (".parquet", ".csv"),
        slow(".csv", ".csv"),
        slow(".parquet", ".parquet"),
    ],
)
def test_columns_are_known_again_as_text_and_as_what_it_stands_for(
    source, target, tmp_path
):
    days = pl.date_range(pl.date(2024, 1, 1), pl.date(2025, 3, 17), eager=True)
    extra = {
        "day": days,
        "at": days.cast(pl.Datetime) + pl.duration(minutes=7),
        "yes": pl.Series([True, None, False, False, True, None] * 74)[:442],
        "word": pl.Series(["b", None, "a", "c"] * 111)[:442],
    }
    table = PATIENTS.with_columns(**extra)
    path, out = tmp_path / f"t{source}", tmp_path / f"o{target}"
    table.write_csv(path) if source == ".csv" else table.write_parquet(path)
    for name in ["s1", *extra]:
        recipe = Recipe(Schema(NAMES, others=[name, "drop"]), k=5)
        anonymize_file(path, recipe, out, overwrite=True)
        scores = measure_files(path, out, NAMES)
        if name in ("day", "at"):  # which tell all records apart
            assert "sse_loss" in scores and "put beside" in scores.notice
        else:
            assert set(scores) == UNORDERED
        anonymize_file(path, replace(recipe, order="keep"), out, overwrite=True)
        assert "sse_loss" in measure_files(path, out, NAMES)


few = st.integers(0, 4)
records = st.lists(st.tuples(few, few, few), min_size=4, max_size=20)


@settings(max_examples=25)
@given(records=records, k=st.integers(2, 4), beside=st.booleans())
def test_tables_in_memory_are_always_measured(records, k, beside):
    """No false alarm in tables of small numbers, full of ties and repeated rows."""
    table = pl.DataFrame(records, schema=["a", "b", "c"], orient="row")
    schema = Schema(["a", "b"], others=["c"] if beside else "drop")
    release = anonymize(table, schema, k=k)
    scores = measure(table, release.table, ["a", "b"])
    assert scores == pytest.approx(dict(release.scores)) and scores.notice == ""


@settings(max_examples=30)
@given(
    values=st.lists(
        st.tuples(st.floats(0, 1, width=32), st.floats(0, 1, width=32)),
        min_size=8,
        max_size=30,
        unique_by=(lambda v: v[0], lambda v: v[1]),
    ),
    k=st.integers(2, 4),
    beside=st.booleans(),
)
def test_a_sorted_release_is_measured_only_if_it_stands_beside_its_records(
    values, k, beside, tmp_path_factory
):
    """Whatever is measured of a file is what was measured before it was sorted."""
    table = pl.DataFrame(values, schema=["a", "c"], orient="row").cast(pl.Float64)
    assume(float(table["a"].std()) > 0.1)
    schema = Schema("a", others=["c"] if beside else "drop")
    release = anonymize(table, schema, k=k)
    scores = measure(table, in_file_order(release, tmp_path_factory.getbasetemp()), "a")
    if "sse_loss" in scores:
        assert scores["sse_loss"] == pytest.approx(release.scores["sse_loss"], rel=0.05)
    else:
        assert set(scores) == UNORDERED and scores.notice


def test_on_the_command_line(tmp_path):
    def run(*arguments):
        return CliRunner().invoke(app, [str(a) for a in arguments])

    table, out = tmp_path / "t.csv", tmp_path / "o.csv"
    PATIENTS.write_csv(table)
    arguments = ["-k", 5, "-q", ",".join(NAMES), "--others", "keep", "-o", out]
    assert run("anonymize", table, *arguments).exit_code == 0
    compared = ["measure", table, out, "-q", ",".join(NAMES)]
    done = run(*compared)
    assert done.exit_code == 0 and "notice              the rows" in done.stdout
    assert "information loss " not in done.stdout
    document = json.loads(run(*compared, "--json").stdout)
    assert set(document) == {*UNORDERED, "notice"}
    done = run(*compared, "--measures", "sse_loss")
    assert done.exit_code == 2
    assert "--order keep" in done.stderr and "--aligned" in done.stderr
    assert "--parameter" not in done.stderr
    assert "information loss" in run(*compared, "--aligned").stdout
    assert run("anonymize", table, *arguments, "--order", "keep", "--overwrite").stdout
    assert "notice" not in json.loads(run(*compared, "--json").stdout)


def test_the_measures_that_need_no_order():
    assert {m.name for m in MEASURES if not m.aligned} == CLASSES
    assert ALIGNED


def test_codes_with_a_hierarchy_are_told_from_a_sorted_file(tmp_path):
    rng = np.random.default_rng(0)
    zips = [f"{code:05d}" for code in rng.integers(1000, 9999, 200)]
    table = pl.DataFrame({"zip": zips, "age": rng.integers(18, 90, 200)})
    schema = Schema(["zip", "age"], kinds={"zip": "prefix"})
    for missing in ("error", "ignore"):
        if missing == "ignore":
            gaps = pl.Series(rng.random(200) < 0.2)
            table = table.with_columns(
                pl.when(~gaps).then(pl.col(name)).alias(name) for name in table.columns
            )
        release = anonymize(table, schema, k=5, missing=missing)
        release.save(tmp_path / "out.parquet", overwrite=True)
        sorted_rows = pl.read_parquet(tmp_path / "out.parquet")
        options = {"kinds": schema.kinds, "missing": missing}
        names = ["zip", "age"]
        assert "sse_loss" in measure(table, release.table, names, **options)
        assert "sse_loss" not in measure(table, sorted_rows, names, **options)
        # a source that is sorted so itself stands beside its release
        own = release.table.with_row_index("row").sort(names)["row"]
        beside = measure(table[own], sorted_rows, names, **options)
        assert beside["sse_loss"] == pytest.approx(release.scores["sse_loss"])
