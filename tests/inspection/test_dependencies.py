from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.columns import open_frame
from microcell.inspection import _dependencies
from microcell.inspection._column import look_at
from microcell.inspection._dependencies import (
    dependencies,
    duplicates,
    exceptions_to,
)

codes = st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 3)), max_size=40)


def slow_exceptions(pairs):
    """Records to leave out so that each first value has one second value."""
    known = [(a, b) for a, b in pairs if a >= 0 and b >= 0]
    kept = 0
    for value in {a for a, _ in known}:
        kept += max(Counter(b for a, b in known if a == value).values())
    return (len(known) - kept) / len(known) if known else 0.0


@given(pairs=codes)
def test_exceptions_are_those_of_a_plain_count(pairs):
    a, b = (np.array([p[j] for p in pairs], dtype=np.int64) for j in (0, 1))
    assert exceptions_to(a, b) == pytest.approx(slow_exceptions(pairs))


@given(pairs=codes)
def test_a_column_follows_without_exception_if_no_value_has_two(pairs):
    known = {(a, b) for a, b in pairs if a >= 0 and b >= 0}
    a, b = (np.array([p[j] for p in pairs], dtype=np.int64) for j in (0, 1))
    follows = len(known) == len({first for first, _ in known})
    assert (exceptions_to(a, b) == 0) == follows


def columns_of(frame):
    frame = open_frame(frame)
    return [look_at(frame[name], 5, as_text=False) for name in frame.columns]


def found_in(frame):
    return {(d.source, d.follows): d for d in dependencies(columns_of(frame))}


def places(n=2000, seed=0):
    rng = np.random.default_rng(seed)
    postcode = rng.integers(0, 100, n)
    return pl.DataFrame(
        {
            "postcode": postcode,
            "city": [f"city {p // 10}" for p in postcode],
            "sex": rng.choice(["f", "m"], n),
            "rare": rng.choice(["no", "yes"], n, p=[0.99, 0.01]),
            "fine": rng.integers(0, 1200, n),
        }
    )


def test_a_city_follows_from_its_postcode():
    found = found_in(places())
    assert set(found) == {("postcode", "city")}
    assert found["postcode", "city"].exact


def test_nearly(monkeypatch):
    frame = places()
    cities = frame["city"].to_list()
    cities[:20] = ["elsewhere"] * 20
    found = found_in(frame.with_columns(pl.Series("city", cities)))
    assert set(found) == {("postcode", "city")}
    assert found["postcode", "city"].exceptions == pytest.approx(0.01)
    cities[:200] = ["elsewhere"] * 200
    assert found_in(frame.with_columns(pl.Series("city", cities))) == {}


def test_missing_values_are_no_exception():
    gaps = [i % 9 == 0 for i in range(2000)]
    frame = places().with_columns(
        pl.when(pl.Series(gaps)).then(None).otherwise(pl.col("city")).alias("city")
    )
    assert found_in(frame)["postcode", "city"].exact


def test_what_chance_gives_is_no_dependency():
    """Of values that two records share, a skewed column seems to follow."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "pairs": np.repeat(np.arange(1000), 2),
            "skewed": rng.choice(["a", "b"], 2000, p=[0.96, 0.04]),
        }
    )
    pairs = frame["pairs"].to_numpy(), (frame["skewed"] == "a").to_numpy().astype(int)
    assert exceptions_to(*pairs) < _dependencies.EXCEPTIONS
    assert found_in(frame) == {}


def test_a_probe_refutes_and_does_not_decide(monkeypatch):
    monkeypatch.setattr(_dependencies, "PROBED", 50)
    assert set(found_in(places())) == {("postcode", "city")}


def test_columns_that_are_equal_up_to_names():
    frame = places().with_columns(
        twin=pl.col("sex").replace({"f": "1", "m": "2"}),
        number=pl.int_range(pl.len()),
        other=pl.int_range(pl.len()).reverse(),
        again=pl.int_range(pl.len()),
    )
    assert duplicates(columns_of(frame)) == [("sex", "twin"), ("number", "again")]
