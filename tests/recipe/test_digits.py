"""Released numbers with so many decimals."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell import Schema, anonymize
from microcell.privacy import class_sizes

N = 40


def table(seed=0):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, N),
            "bmi": rng.normal(26, 4, N),
            "city": rng.choice(["Ulm", "Bonn"], N),
        }
    )


SCHEMA = Schema(["age", "bmi", "city"])
OF_NUMBERS = ["mean", "median", "medoid", "mode", "midpoint"]


@settings(max_examples=25)
@given(
    name=st.sampled_from(OF_NUMBERS),
    digits=st.integers(-2, 6),
    seed=st.integers(0, 3),
)
def test_values_are_rounded(name, digits, seed):
    plain = anonymize(table(seed), SCHEMA, k=5, aggregate=name)
    release = anonymize(
        table(seed), SCHEMA, k=5, aggregate=name, digits={"bmi": digits}
    )
    exact, found = plain.table["bmi"].to_numpy(), release.table["bmi"].to_numpy()
    assert np.abs(found - exact).max() <= 0.5 * 10.0**-digits + 1e-9
    assert all(float(f"{v:.{max(digits, 0)}f}") == v for v in found)
    assert all(v % 10**-digits == 0 for v in found if digits < 0)
    assert class_sizes(release.table, SCHEMA.quasi_identifiers).min() >= 5


@settings(max_examples=25)
@given(digits=st.integers(-2, 4), seed=st.integers(0, 3))
def test_ends_are_rounded_outwards(digits, seed):
    before = table(seed)
    release = anonymize(
        before, SCHEMA, k=5, aggregate="interval", digits={"bmi": digits, "age": -1}
    )
    for column in ("bmi", "age"):
        for text, value in zip(release.table[column], before[column], strict=True):
            low, high = map(float, text[1:-1].split(", "))
            assert low <= value <= high
            if column == "bmi" and digits >= 0:
                assert (low, high) == (round(low, digits), round(high, digits))
            if column == "age":
                assert low % 10 == high % 10 == 0 and "." not in text


@pytest.mark.parametrize("digits", [0, -1])
def test_integers_stay_integers(digits):
    release = anonymize(table(), SCHEMA, k=5, digits={"age": digits})
    assert release.table.schema["age"] == pl.Int64
    assert (release.table["age"] % 10**-digits == 0).all()


def test_it_goes_before_integers():
    release = anonymize(table(), SCHEMA, k=5, integers="round", digits={"age": 1})
    means = anonymize(table(), SCHEMA, k=5).table["age"]
    assert release.table["age"].to_list() == means.round(1).to_list()


def test_a_type_that_is_too_narrow_becomes_wider():
    small = pl.DataFrame({"age": pl.Series([250, 251, 252, 249], dtype=pl.UInt8)})
    release = anonymize(small, Schema(["age"]), k=2, digits={"age": -2})
    assert set(release.table["age"]) == {200, 300} or (
        release.table["age"].to_list() == [300] * 4
    )
    assert release.table.schema["age"] == pl.Int64


def test_cells_may_fall_together():
    release = anonymize(
        table(), Schema(["bmi"], others="drop"), k=2, digits={"bmi": -2}
    )
    assert release.findings[0].found == N


def test_no_noise_in_the_file(tmp_path):
    weights = pl.DataFrame({"kg": [76.11, 76.25, 80.3, 80.1, 76.3, 80.33]})
    release = anonymize(weights, Schema(["kg"]), k=3, digits={"kg": 2})
    release.save(tmp_path / "o.csv")
    lines = (tmp_path / "o.csv").read_text().split()
    assert all(len(line) <= 5 for line in lines[1:])


def test_sets_have_rounded_members():
    release = anonymize(
        table(), SCHEMA, k=5, representatives={"bmi": "set"}, digits={"bmi": 0}
    )
    for text in release.table["bmi"]:
        members = [float(part) for part in text[1:-1].split(", ")]
        assert members == sorted(set(map(round, members)))


@for_each(
    ("digits", "message"),
    [
        ({"bmi": 1.5}, "must be an integer"),
        ({"bmi": "1"}, "must be an integer"),
        ({"bmi": 16}, "at most 15"),
        ({"bmi": -16}, "integer >= -15"),
        ({"city": 1}, "'city' is nominal"),
        ({"cit": 1}, "not a quasi-identifier"),
    ],
)
def test_bad_digits(digits, message):
    with pytest.raises(ValueError, match=message) as caught:
        anonymize(table(), SCHEMA, k=5, digits=digits)
    assert caught.value.option == "digits"
