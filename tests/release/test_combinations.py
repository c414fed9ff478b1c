"""Generated mixed tables: a verified release or a clear error, never anything else.

Every example draws a table with columns of all kinds, a library, and options of all
sorts. What comes out is counted again here, with nothing of the package.
"""

import datetime as dt
from collections import Counter

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from marks import first_is_quick

from microcell import PrivacyError, Schema, anonymize, measure
from microcell.exceptions import InputError

K = st.integers(2, 4)
HIERARCHY = {
    "flu": ["lungs", "*"],
    "asthma": ["lungs", "*"],
    "gout": ["joints", "*"],
    "break": ["bones", "*"],
}
VALUES = {
    "number": st.integers(-3, 60).map(lambda v: v / 2),
    "count": st.integers(0, 9),
    "date": st.integers(0, 900).map(lambda v: dt.date(1990, 1, 1) + dt.timedelta(v)),
    "grade": st.sampled_from(["low", "mid", "high"]),
    "city": st.sampled_from(["ulm", "bonn", "kiel", "jena", "köln"]),
    "smoker": st.booleans(),
    "zip": st.sampled_from(["03740", "03741", "03840", "10001", "10002"]),
    "icd": st.sampled_from(list(HIERARCHY)),
}
DECLARED = {"grade": ["low", "mid", "high"], "zip": "prefix"}
REPRESENTATIVES = ("mean", "median", "medoid", "mode", "interval", "set", "midpoint")
LIBRARIES = {
    "polars": pl.DataFrame,
    "pandas": pd.DataFrame,
    "pandas of Arrow": lambda columns: pl.DataFrame(columns).to_pandas(
        use_pyarrow_extension_array=True
    ),
    "pandas of objects": lambda columns: pd.DataFrame(  # as pandas 2 has text
        {
            name: pd.Series(values, dtype=object if texts(values) else None)
            for name, values in columns.items()
        }
    ),
    "pyarrow": pa.table,
}


def texts(values):
    """Whether a column holds text."""
    return any(isinstance(value, str) for value in values)


@st.composite
def jobs(draw):
    """A table as columns, its schema and options."""
    k = draw(K)
    n = draw(st.integers(k, 24))
    names = draw(
        st.lists(st.sampled_from(list(VALUES)), min_size=1, max_size=4, unique=True)
    )
    gaps = draw(st.sampled_from([0, 0, 0.3]))

    def column(values):
        some = st.one_of(st.none(), values) if gaps else values
        return draw(st.lists(some, min_size=n, max_size=n))

    columns = {name: column(VALUES[name]) for name in names}
    columns["ill"] = draw(
        st.lists(st.sampled_from(["yes", "no", None]), min_size=n, max_size=n)
    )
    columns["ward"] = draw(
        st.lists(st.sampled_from(["a", "b"]), min_size=n, max_size=n)
    )
    columns["house"] = draw(
        st.lists(st.integers(1, max(1, n // 2)), min_size=n, max_size=n)
    )
    columns["w"] = draw(
        st.lists(st.integers(4, 40).map(lambda v: v / 4), min_size=n, max_size=n)
    )
    schema = Schema(
        names,
        identifiers=["house", "w"],
        confidential="ill",
        others=["ward"],
        kinds={name: DECLARED[name] for name in names if name in DECLARED},
        hierarchies={"icd": HIERARCHY} if "icd" in names else {},
    )
    options = {
        "k": k,
        "unit": draw(st.sampled_from(["records", "records", "house"])),
        "missing": draw(
            st.sampled_from(["error", "drop", "category", "impute", "ignore"])
        ),
        "method": draw(st.sampled_from(["mdav", "mdav", "vmdav", "mondrian"])),
        "scale": draw(st.sampled_from(["standard", "minmax", "robust", "none"])),
    }
    if draw(st.booleans()):
        options["strata"] = ["ward"]
        options["small_strata"] = draw(st.sampled_from(["error", "merge"]))
    if draw(st.booleans()):
        options["weights"] = "w"
    chosen = draw(st.sampled_from(names))
    extra = {
        "representatives": {chosen: draw(st.sampled_from(REPRESENTATIVES))},
        "importance": {chosen: draw(st.sampled_from([0.5, 3]))},
        "clip": {chosen: draw(st.sampled_from(["1:5", ":90%", "10%:"]))},
        "digits": {chosen: draw(st.integers(-1, 2))},
        "rare": "merge",
        "aggregate": draw(st.sampled_from(["median", "interval", "midpoint"])),
        "ends": "rounded",
        "integers": "round",
    }
    for name in draw(st.lists(st.sampled_from(list(extra)), max_size=2, unique=True)):
        options[name] = extra[name]
    if "ends" in options:
        options["aggregate"] = "interval"
    if chosen not in ("number", "count"):
        options.pop("digits", None)
    return columns, schema, options


def values_of(table, name):
    """A column of any library as a list, None for what is missing."""
    column = table[name]
    values = column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()
    return [None if value is None or pd.isna(value) else value for value in values]


@pytest.mark.parametrize("library", first_is_quick(LIBRARIES))
@settings(max_examples=90)
@given(job=jobs())
def test_a_verified_release_or_a_clear_error(library, job):
    columns, schema, options = job
    table = LIBRARIES[library](columns)
    try:
        release = anonymize(table, schema, **options)
    except InputError as error:
        event(f"refused: {error.option}")
        assert len(str(error)) > 40 and str(error).endswith(".")
        return
    except PrivacyError:
        raise AssertionError("a promise failed on the release") from None
    event("released")
    known = [*schema.quasi_identifiers, "ward"]
    if "strata" not in options:
        known = list(schema.quasi_identifiers)
    released = {name: values_of(release.table, name) for name in [*known, "ill"]}
    kept = [True] * len(columns["ill"])
    if options["missing"] == "drop":
        kept = [
            all(columns[name][row] is not None for name in schema.quasi_identifiers)
            for row in range(len(kept))
        ]
    n_released = sum(kept)
    assert len(released["ill"]) == n_released

    rows = list(zip(*(map(str, released[name]) for name in known), strict=True))
    house = [value for value, keep in zip(columns["house"], kept, strict=True) if keep]
    people = house if options["unit"] == "house" else range(n_released)
    sizes = Counter(row for row, _ in set(zip(rows, people, strict=True)))
    assert min(sizes.values()) >= options["k"]

    native = release.table
    shown = native.column_names if library == "pyarrow" else list(native.columns)
    assert set(shown) == {*schema.quasi_identifiers, "ill", "ward"}
    ill = [value for value, keep in zip(columns["ill"], kept, strict=True) if keep]
    assert released["ill"] == ill  # never a changed untouched column
    if options["missing"] in ("error", "drop", "impute", "ignore"):
        for name in schema.quasi_identifiers:
            assert None not in released[name]
    scores = measure(
        table,
        release.table,
        list(schema.quasi_identifiers),
        kinds=schema.kinds,
        hierarchies=schema.hierarchies,
        missing=options["missing"],
        scale=options["scale"],
        aligned=True,
    )
    assert 0 <= scores["sse_loss"] < float("inf")
