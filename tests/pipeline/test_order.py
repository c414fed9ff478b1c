"""The order of rows in a file tells nothing, and everything is counted in it."""

import datetime as dt
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames import LIBRARIES, SCHEMA
from hypothesis import given, settings
from hypothesis import strategies as st

from microcell import PrivacyError, Recipe, Schema, anonymize, anonymize_file
from microcell.io import FORMATS, Dialect, format_of, read_table, write_table
from microcell.pipeline._order import canonical_order
from microcell.release._alignment import is_sorted

NAN = float("nan")
BITS = np.array([0x7FF8000000000001, 0x7FF8000000000002], dtype=np.int64)
COLUMNS = {  # values of every kind that a release may hold, many that compare as equal
    "float": ([0.0, -0.0, NAN, None, 1.5, -1.5], pl.Float64),
    "half": ([0.0, -0.0, NAN, None, 1.5], pl.Float32),
    "payload": (BITS.view(float).tolist(), pl.Float64),
    "integer": ([3, -1, None, 10], pl.Int64),
    "text": (["", None, "b", "a", "10", "9"], pl.String),
    "category": (["b", "a", None, "c"], pl.Categorical),
    "order": (["low", "high", None], pl.Enum(["low", "mid", "high"])),
    "yes": ([True, False, None], pl.Boolean),
    "day": ([dt.date(2024, 1, 2), dt.date(1969, 1, 1), None], pl.Date),
    "fine": ([1, 2, 1001, None], pl.Datetime("ns")),
    "zone": ([1, 2, 10**9, None], pl.Datetime("us", "Europe/Berlin")),
    "time": ([dt.time(1), dt.time(0), None], pl.Time),
    "span": ([dt.timedelta(1), dt.timedelta(-1), None], pl.Duration),
    "bytes": ([b"", b"\xff", b"a", None], pl.Binary),
    "list": ([[0.0], [-0.0], [], None, [None]], pl.List(pl.Float64)),
    "pair": ([[1, 2], [1, None], None], pl.Array(pl.Int64, 2)),
    "structure": (
        [{"a": 0.0, "b": "x"}, {"a": -0.0, "b": "x"}, {"a": None, "b": ""}, None],
        pl.Struct({"a": pl.Float64, "b": pl.String}),
    ),
    "nothing": ([None], pl.Null),
}


@st.composite
def tables(draw):
    """A table of a few columns with few values each, and its rows in another order."""
    names = draw(st.lists(st.sampled_from(list(COLUMNS)), min_size=1, max_size=4))
    n = draw(st.integers(1, 12))
    columns = []
    for j, name in enumerate(names):
        values, dtype = COLUMNS[name]
        places = draw(st.lists(st.integers(0, len(values) - 1), min_size=n, max_size=n))
        column = pl.Series(f"{name}{j}", values, dtype, strict=False)
        columns.append(column[places])
    frame = pl.DataFrame(columns)
    return frame, frame[draw(st.permutations(range(n)))]


OFTEN = ("CSV", "Parquet", "Excel")  # the others are slow ones
WRITTEN = [
    pytest.param(format, marks=() if format.name in OFTEN else pytest.mark.slow)
    for format in FORMATS
    if format.write is not None
]


@pytest.mark.parametrize("format", WRITTEN, ids=lambda format: format.name)
@settings(max_examples=25)
@given(pair=tables())
def test_a_file_depends_on_its_rows_and_not_on_their_order(
    format, pair, tmp_path_factory
):
    written = set()
    for frame in pair:
        keep = [
            n for n in frame.columns if n not in format.cannot_hold(frame, Dialect())
        ]
        if not keep:
            return
        frame = frame.select(keep)
        rows = canonical_order(frame, format.shown(frame, {}))
        assert sorted(rows) == list(range(frame.height))
        path = tmp_path_factory.getbasetemp() / f"order{format.suffixes[0]}"
        write_table(frame[rows], path)
        whole = not format.holds_kinds and format.name != "SAS transport"
        # the others hold the time at which they were written
        written.add(path.read_bytes() if whole else str(read_table(path).rows()))
    assert len(written) == 1


def test_what_a_file_cannot_tell_apart_has_no_order():
    """Nanoseconds are not in a text file, and neither is what was empty, what null."""
    fine = pl.Series([2, 1, 3]).cast(pl.Datetime("ns"))
    frame = pl.DataFrame({"at": fine, "ill": ["a", "c", "b"]})
    shown = format_of("t.csv").shown
    assert canonical_order(frame, shown(frame, {})).tolist() == [0, 2, 1]
    assert canonical_order(frame, frame).tolist() == [1, 0, 2]
    frame = pl.DataFrame({"note": ["", None, ""], "ill": ["b", "c", "a"]})
    assert canonical_order(frame, shown(frame, {})).tolist() == [2, 0, 1]


def test_categories_have_the_order_of_their_text():
    for kind in (pl.Categorical, pl.Enum(["low", "mid", "high"])):
        frame = pl.DataFrame(
            {"grade": pl.Series(["low", "high", None, "mid"], dtype=kind)}
        )
        assert canonical_order(frame, frame).tolist() == [2, 1, 0, 3]


@given(pair=tables())
def test_a_sorted_table_is_seen_to_be_sorted(pair):
    frame, _ = pair
    ordered = frame[canonical_order(frame, frame)]
    assert is_sorted(ordered, {})


def test_moments_have_their_own_order_in_any_layout():
    days = pl.Series([dt.datetime(2024, 1, 2), dt.datetime(2023, 5, 31)])
    frame = pl.DataFrame({"at": days})
    shown = format_of("t.csv").shown(frame, {"at": "%d.%m.%Y"})
    assert shown["at"].to_list() == ["02.01.2024", "31.05.2023"]
    assert canonical_order(frame, shown).tolist() == [1, 0]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_memory_keeps_the_order_and_files_do_not(library, suffix, tmp_path):
    release = anonymize(LIBRARIES[library](), SCHEMA, k=3)
    ages = [33.0, 60.0, 33.0, 60.0, 33.0, 60.0]
    assert list(np.asarray(release.table["age"])) == ages
    document = release.save(tmp_path / f"o{suffix}")
    written = read_table(tmp_path / f"o{suffix}")
    assert written["age"].cast(pl.Float64).to_list() == sorted(ages)
    assert "sorted by their released values" in document["row_order"]
    assert f"row order           {document['row_order']}" in release.summary(
        verbose=True
    )

    kept = anonymize(LIBRARIES[library](), SCHEMA, k=3, order="keep")
    document = kept.save(tmp_path / f"k{suffix}")
    written = read_table(tmp_path / f"k{suffix}")
    assert written["age"].cast(pl.Float64).to_list() == ages
    assert "keep the order of the source" in document["row_order"]
    assert document["recipe"]["file"]["order"] == "keep"


def test_an_order_that_is_none():
    with pytest.raises(ValueError, match="'order' parameter must be one of"):
        Recipe(Schema(["age"]), k=3, order="shuffled")


distinct = st.lists(st.integers(0, 500), min_size=4, max_size=16, unique=True)


@settings(max_examples=25)
@given(values=distinct, data=st.data())
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
@pytest.mark.parametrize(
    "suffix", [".csv", pytest.param(".parquet", marks=pytest.mark.slow)]
)
def test_the_order_of_the_source_leaves_no_trace(
    suffix, method, values, data, tmp_path_factory
):
    """One column, spaced so that no two distances tie: cells follow from the values."""
    folder = tmp_path_factory.getbasetemp()
    ages = [2.0 ** (v % 50) + v for v in values]
    frame = pl.DataFrame(
        {"age": ages, "ill": [["flu", "gout", None][v % 3] for v in values]}
    )
    frame = frame.with_columns(pl.col("ill").cast(pl.Categorical))
    moved = frame[data.draw(st.permutations(range(frame.height)))]
    schema = Schema("age", confidential="ill")
    releases = [anonymize(f, schema, k=2, method=method) for f in (frame, moved)]
    tables = [r.table.cast({"ill": pl.String}) for r in releases]
    files = []
    for release in releases:
        path = folder / f"trace{suffix}"
        release.save(path, overwrite=True)
        files.append(path.read_bytes())
    assert tables[0].sort(pl.all()).equals(tables[1].sort(pl.all()))
    assert files[0] == files[1]


def test_categories_are_stored_in_the_order_of_the_file(tmp_path):
    """Numbered as first seen in the source, they would tell whose came first."""
    words = ["zoo", "ant", "cat", "bee"] * 3
    for make in (
        lambda w: pl.DataFrame(
            {"x": range(12), "c": pl.Series(w, dtype=pl.Categorical)}
        ),
        lambda w: pd.DataFrame(
            {"x": range(12), "c": pd.Categorical(w, sorted(set(w)))}
        ),
        lambda w: pa.table({"x": range(12), "c": pa.array(w).dictionary_encode()}),
    ):
        digests = set()
        for order in (words, words[::-1]):
            schema = Schema("x", others=["c"])
            release = anonymize(make(order), schema, k=12)
            release.save(tmp_path / "o.parquet", overwrite=True)
            digests.add((tmp_path / "o.parquet").read_bytes())
        assert len(digests) == 1


def test_chunks_of_the_source_leave_no_trace(tmp_path):
    """Row groups of a large file once had the borders of the source's pieces."""
    whole = pl.DataFrame({"age": range(700_000)})
    parts = pl.concat([whole[:333_333], whole[333_333:]], rechunk=False)
    assert parts.n_chunks() == 2
    for name, table in (("a", whole), ("b", parts)):
        write_table(table, tmp_path / f"{name}.parquet")
    a, b = ((tmp_path / f"{name}.parquet").read_bytes() for name in "ab")
    assert a == b


@settings(max_examples=25)
@given(
    patients=st.lists(st.integers(0, 7), min_size=8, max_size=30),
    k=st.integers(2, 3),
)
def test_people_are_counted_with_the_rows_of_the_file(patients, k, tmp_path_factory):
    """Units and cells move along with the rows that they belong to."""
    n_people = len(set(patients))
    if n_people < k:
        return
    rng = np.random.default_rng(len(patients))
    ages = [float(p * p) for p in patients]
    frame = pl.DataFrame({"id": [f"p{p}" for p in patients], "age": ages}).with_columns(
        note=pl.Series(rng.permutation(len(patients)))
    )
    schema = Schema("age", identifiers="id", others=["note"])
    path = tmp_path_factory.getbasetemp() / "people.csv"
    for method in ("mdav", "random-aggregation"):  # counts classes, counts cells
        release = anonymize(frame, schema, k=k, unit="id", method=method)
        document = release.save(path, overwrite=True)
        on_table = [f.found for f in release.findings if f.shows_in_table]
        on_file = [
            f["found"] for f in document["findings"] if f["counted_on"] == "file"
        ]
        assert on_file == on_table
        written = pl.read_csv(path)
        assert written["age"].is_sorted()
        # who is who is known by the note, which nobody else has
        people = frame.select("id", "note")
        counted = written.join(people, on="note").group_by("age")
        if method == "mdav":
            assert counted.agg(pl.col("id").n_unique())["id"].min() == on_file[0]


def test_units_in_the_order_of_the_source_would_be_counted_wrong(tmp_path, monkeypatch):
    """The check above can fail: two people, each with a class of their own."""
    import microcell.release._release as module

    frame = pl.DataFrame({"id": list("abababab"), "age": [1, 1, 1, 1, 9, 9, 9, 9]})
    schema = Schema("age", identifiers="id")
    release = anonymize(frame, schema, k=2, unit="id")
    release.save(tmp_path / "o.csv")

    def careless(frame, written):
        return np.array([0, 2, 4, 6, 1, 3, 5, 7])

    ages = [2.0 if u else 1.0 for u in release.units]
    spoiled = replace(release, table=pl.DataFrame({"age": ages}))
    monkeypatch.setattr(type(release), "_check_unchanged", lambda self: None)
    monkeypatch.setattr(module, "canonical_order", careless)
    with pytest.raises(PrivacyError, match="found 1"):
        spoiled.save(tmp_path / "p.csv")


def test_a_private_release_has_no_order_to_keep():
    table = pl.DataFrame({"age": range(40)})
    options = {"epsilon": 1.0, "bounds": {"age": [0, 120]}, "k": 20}
    method = "dp-microaggregation"
    release = anonymize(table, Schema("age"), method=method, **options)
    assert "sorted" in release.certificate()["row_order"]
    with pytest.raises(ValueError, match="cannot honour order"):
        anonymize(table, Schema("age"), method=method, order="keep", **options)


def test_an_order_in_a_recipe_file(tmp_path):
    source, toml = tmp_path / "t.csv", tmp_path / "r.toml"
    source.write_text("age\n60\n30\n62\n32\n")
    toml.write_text(Recipe(Schema(["age"]), k=2, order="keep").to_toml())
    sidecar = tmp_path / "c.json"
    anonymize_file(source, toml, tmp_path / "o.csv", certificate=sidecar)
    assert (tmp_path / "o.csv").read_text().split()[1:] == ["61.0", "31.0"] * 2
    assert "order of the source" in json.loads(sidecar.read_text())["row_order"]
