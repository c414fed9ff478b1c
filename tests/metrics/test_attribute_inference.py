"""Confidential values guessed from a release, from the table, and of strangers."""

from collections import Counter
from statistics import median

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each
from tables import gaussian

from microcell.aggregate import Centroid
from microcell.metrics import attribute_inference_risk, wilson_interval
from microcell.partition import MDAV

people = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=30
)


def chance(value, others, tolerance):
    """Chance of guessing a value from a list of others."""
    if not others:
        return None
    if tolerance is not None:
        return float(abs(median(others) - value) <= tolerance)
    counts = Counter(others)
    best = [v for v in counts if counts[v] == max(counts.values())]
    return (value in best) / len(best)


def slow_rates(classes, y, tolerance):
    """Attack, baseline and guesses from others, record by record."""
    rates = [[], [], []]
    n = len(y)
    for i in range(n):
        cell = [j for j in range(n) if classes[j] == classes[i]]
        rates[0].append(chance(y[i], [y[j] for j in cell], tolerance))
        rates[1].append(chance(y[i], list(y), tolerance))
        found = chance(y[i], [y[j] for j in cell if j != i], tolerance)
        if found is None:
            found = chance(y[i], [y[j] for j in range(n) if j != i], tolerance)
        rates[2].append(found or 0.0)
    return [np.mean(rate) for rate in rates]


def rates_of(found):
    return [found.attack.rate, found.baseline.rate, found.control.rate]


@settings(max_examples=80)
@given(tolerance=st.sampled_from([None, 0, 0.5, 1]), people=people)
def test_rates_equal_slow_twin(tolerance, people):
    classes, y = zip(*people, strict=True)
    found = attribute_inference_risk(classes, y, tolerance=tolerance)
    assert rates_of(found) == pytest.approx(slow_rates(classes, y, tolerance))
    attack, baseline = found.attack.rate, found.baseline.rate
    excess = (attack - baseline) / (1 - baseline) if baseline < 1 else 0
    assert found.risk.risk == pytest.approx(max(excess, 0), abs=1e-12)
    interval = wilson_interval(attack * len(y), len(y))
    assert (found.attack.low, found.attack.high) == pytest.approx(interval)
    assert found.contributions == {} and found.most is None


@given(people=people, strangers=people)
def test_control_by_labels_equals_slow_twin(people, strangers):
    classes, y = zip(*people, strict=True)
    theirs, values = zip(*strangers, strict=True)
    found = attribute_inference_risk(classes, y, control=(theirs, values))
    rates = []
    for label, value in strangers:
        cell = [v for c, v in people if c == label] or list(y)
        rates.append(chance(value, cell, None))
    assert found.control.rate == pytest.approx(np.mean(rates))
    assert found.control.n_attacks == len(strangers)


@given(people=people)
def test_one_class_tells_no_more_than_the_table(people):
    y = [value for _, value in people]
    for tolerance in (None, 1):
        found = attribute_inference_risk([0] * len(y), y, tolerance=tolerance)
        assert found.attack == found.baseline and found.risk.risk == 0


def test_identity_tells_everything_and_only_of_those_who_are_in_it():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    strangers = (np.full(400, -1), rng.integers(0, 2, 400))
    found = attribute_inference_risk(np.arange(400), y, control=strangers)
    assert found.attack.rate == found.risk.risk == 1.0
    assert found.risk_beyond_control.low > 0.9
    assert found.control.rate == pytest.approx(0.5, abs=0.1)


def test_what_holds_of_everybody_is_no_risk_beyond_control():
    """Income follows age; cells of 20 tell it of strangers as well."""
    X = gaussian(2000, 1)
    y = np.where(X[:, 0] > 0, "rich", "poor")
    labels = MDAV(20).fit_predict(X[:1000])
    released = Centroid().aggregate(X[:1000], labels)
    found = attribute_inference_risk(
        released, y[:1000], original=X[:1000], control=(X[1000:], y[1000:])
    )
    assert found.risk.low > 0.8
    assert found.risk_beyond_control.low == 0
    assert found.control.rate > 0.95


def test_linked_to_the_nearest_class():
    released = [[1.0], [1.0], [10.0], [10.0]]
    original = [[0.0], [7.0], [9.0], [11.0]]  # the second is taken for the others
    y = ["a", "a", "b", "b"]
    found = attribute_inference_risk(released, y, original=original)
    assert found.attack.rate == 0.75
    assert attribute_inference_risk(released, y).attack.rate == 1.0
    assert found.control.rate == 0.75


@given(people=st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=20))
def test_contributions_equal_their_definition(people):
    a, b, y = map(np.array, zip(*people, strict=True))
    found = attribute_inference_risk(np.column_stack([a, b]), y)
    everything, baseline, _ = slow_rates(list(zip(a, b, strict=True)), y, None)
    alone = [slow_rates(column, y, None)[0] for column in (a, b)]
    for j in (0, 1):
        expected = (alone[j] - baseline + everything - alone[1 - j]) / 2
        assert found.contributions[j] == pytest.approx(expected, abs=1e-12)
    highest = max(found.contributions.values())
    assert found.contributions.get(found.most, 0) == max(highest, 0)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_tables_of_mixed_columns(library):
    released = library({"age": [31.0, 31.0, 62.0, 62.0], "sex": ["f", "f", "m", "m"]})
    original = library({"age": [30.0, 32.0, 60.0, 64.0], "sex": ["f", "f", "m", "m"]})
    control = library({"age": [29.0, 70.0], "sex": ["f", "x"]})
    y = ["a", "a", "b", "b"]
    found = attribute_inference_risk(
        released, y, original=original, control=(control, ["a", "never seen"])
    )
    assert (found.attack.rate, found.control.rate) == (1.0, 0.5)
    assert set(found.contributions) == {"age", "sex"}


@for_each(
    ("arguments", "options", "message"),
    [
        (([0, 1], ["a", None]), {}, "one kind|missing"),
        (([0, 1], ["a"]), {}, "each of the 2 records"),
        (([0, 1], ["a", "b"]), {"tolerance": 1}, "finite number"),
        (([0, 1], [1, 2]), {"tolerance": -1}, "'tolerance'"),
        (([0, 1], [1, 2]), {"original": [[1], [2]]}, "Labels have no values"),
        (([[0], [1]], [1, 2]), {"control": ([[1]], [1])}, "Give original as well"),
        (([[0], [1]], [1, 2]), {"nominal": [0]}, "Give original as well"),
        (([[0], [1]], [1, 2]), {"original": [[1]]}, "2 records"),
        (([0, 1], [1, 2]), {"control": ([[1]], [1])}, "a label for each"),
        (([0, 1], [1, 2]), {"control": ([1], [1, 2])}, "each of the 1 records"),
    ],
)
def test_bad_input(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        attribute_inference_risk(*arguments, **options)
