"""What is shown of a column comes from k people, and what is left over too."""

import datetime as dt
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from marks import for_each

from microcell.report._people import People
from microcell.report._rulers import (
    Calendar,
    CalendarRuler,
    NumberRuler,
    digits,
    ruler_of,
)
from microcell.report._shown import (
    REST,
    SHOWN_QUANTILES,
    Ordered,
    Values,
    frequent_codes,
    histogram_of,
    merged_edges,
    moments_of,
    quantiles_of,
    shown_categories,
    shown_numbers,
)

numbers = st.one_of(
    st.integers(-4, 4).map(float),
    st.integers(-(10**6), 10**6).map(lambda v: v / 100),
    st.floats(-1e9, 1e9, allow_subnormal=False),
)


@st.composite
def columns(draw, elements=numbers, gaps=True, most=60):
    """A column with missing values, and people with several records each."""
    n = draw(st.integers(1, most))
    some = st.one_of(elements, elements, st.just(math.nan)) if gaps else elements
    x = np.array(draw(st.lists(some, min_size=n, max_size=n)))
    units = None
    if draw(st.booleans()):
        owners = st.integers(0, max(n // 3, 1))
        units = np.array(draw(st.lists(owners, min_size=n, max_size=n)))
        units = np.unique(units, return_inverse=True)[1]
    return x, People(draw(st.integers(2, 6)), n, units)


@st.composite
def moments(draw):
    """Dates in microseconds."""
    days = draw(st.sampled_from([40, 4_000, 40_000]))
    of = st.integers(-days, days).map(lambda d: d * 86_400e6)
    return draw(columns(of))


def people_among(x, people, low, high):
    """The definition: whose values lie from `low` to below `high`."""
    owners = range(len(x)) if people.units is None else people.units
    return len({o for o, v in zip(owners, x, strict=True) if low <= v < high})


def whose(people, mask):
    owners = np.arange(len(mask)) if people.units is None else people.units
    return len(set(owners[mask].tolist()))


@given(columns())
def test_every_bin_has_k_people(drawn):
    check_bins(*drawn, "numeric")


@given(moments())
def test_every_bin_of_dates_has_k_people(drawn):
    check_bins(*drawn, "date")


def check_bins(x, people, kind):
    column = Ordered(x, people)
    found = histogram_of(column, column, ruler_of(x, kind == "date"))
    if found is None:
        return
    edges = [-math.inf, *found["positions"], math.inf]
    assert len(edges) == len(found["before"]) + 1
    assert len(found["edges"]) == len(found["positions"])
    known = x[~np.isnan(x)]
    for low, high in pairwise(edges):
        assert low < high
        assert people_among(x, people, low, high) >= people.k
    few = whose(people, np.isnan(x)) < people.k
    of = known.size + (np.isnan(x).sum() if few else 0)
    counts = [np.sum((known >= a) & (known < b)) for a, b in pairwise(edges)]
    if few:
        counts[int(np.argmax(counts))] += np.isnan(x).sum()
    assert found["before"] == [digits(c / of) for c in counts]
    assert sum(found["before"]) == pytest.approx(1, abs=1e-2)


@given(columns(), st.lists(numbers, min_size=1, max_size=8, unique=True))
def test_edges_are_merged_as_by_hand(drawn, edges):
    x, people = drawn
    edges = np.sort(np.array(edges))
    found = merged_edges(Ordered(x, people), edges)
    assert found.tolist() == slow_edges(x, edges, people)


def slow_edges(x, edges, people):
    """Take in edges while the bin below each has k people; then drop from the end."""
    kept = []
    for edge in edges:
        low = kept[-1] if kept else -math.inf
        if people_among(x, people, low, edge) >= people.k:
            kept.append(edge)
    while kept and people_among(x, people, kept[-1], math.inf) < people.k:
        kept.pop()
    return kept


@given(columns(gaps=False))
def test_a_quantile_is_as_fine_as_k_people_allow(drawn):
    x, people = drawn
    ruler = ruler_of(x)
    assume(people.count(np.arange(people.n_records)) >= people.k)
    low, high = Ordered(x, people).ends()
    assert low == slow_end(x, people) and high == -slow_end(-x, people)
    assume(low < high)
    for p, shown in zip(
        SHOWN_QUANTILES, quantiles_of(Ordered(x, people), ruler), strict=True
    ):
        value = np.sort(x)[round(p * (x.size - 1))]
        assert shown == slow_quantile(x, value, low, high, people, ruler)


def slow_end(x, people):
    """The least value at or below which k people lie."""
    return min(v for v in x if whose(people, x <= v) >= people.k)


def slow_quantile(x, value, low, high, people, ruler):
    """The first step at which k people are in the bucket of the value."""
    for step in ruler.steps(low, high, 1_000):
        bucket = ruler.bucket(step, value)
        if people_among(x, people, bucket.low, bucket.high) >= people.k:
            return bucket.shown
    return None


@given(moments())
def test_quantiles_of_dates_stand_for_k_people(drawn):
    x, people = drawn
    ruler = CalendarRuler()
    known = np.sort(x[~np.isnan(x)])
    found = quantiles_of(Ordered(x, people), ruler)
    for p, shown in zip(SHOWN_QUANTILES, found, strict=True):
        if shown is None:
            continue
        value = known[round(p * (known.size - 1))]
        buckets = [ruler.bucket(step, value) for step in ruler.steps(0, 1e20, 1e15)]
        (bucket,) = [b for b in buckets if b.shown == shown]
        assert people_among(x, people, bucket.low, bucket.high) >= people.k


codes = st.integers(-1, 14)


@given(columns(codes.map(float), gaps=False, most=120))
def test_categories_have_k_people_and_so_has_the_rest(drawn):
    x, people = drawn
    x = x.astype(np.int64)
    labels = [f"value {code}" for code in range(15)]
    found = shown_categories(x, x, labels, people)
    shown = found["categories"]
    named = [labels.index(entry["label"]) for entry in shown if entry["label"] != REST]
    assert len(named) <= 12
    for code in named:
        assert whose(people, x == code) >= people.k
    told = found["missing"]["before"] is not None
    rest = ~np.isin(x, [*named, *([-1] if told else [])])
    left = [entry for entry in shown if entry["label"] == REST]
    assert len(left) == rest.any()
    if (
        rest.any() and people.count(np.arange(people.n_records)) >= people.k
    ):  # else there is nothing to compare
        assert whose(people, rest) >= people.k
    if told and (x == -1).any():
        assert whose(people, x == -1) >= people.k
    total = sum(entry["before"] for entry in shown) + (found["missing"]["before"] or 0)
    assert total == pytest.approx(1, abs=5e-3)
    shares = [entry["before"] for entry in shown if entry["label"] != REST]
    assert people.units is not None or shares == sorted(shares, reverse=True)


@given(columns(codes.map(float), gaps=False))
def test_no_frequent_category_is_left_out_without_need(drawn):
    x, people = drawn
    x = x.astype(np.int64)
    named, told = frequent_codes(x, 15, people, 12)
    often = [c for c in range(15) if whose(people, x == c) >= people.k]
    missed = [c for c in often if c not in named]
    rest = ~np.isin(x, [*named, *([-1] if told else [])])
    if missed and len(often) <= 12:  # the last given up made the rest large enough
        last = min(missed, key=lambda c: -whose(people, x == c))
        assert whose(people, rest & (x != last)) < people.k


def test_what_is_left_of_two_categories_is_not_told():
    x = np.array([0] * 97 + [1] * 3)
    found = shown_categories(x, x, ["no", "yes"], People(5, 100))
    assert found["categories"] == [{"label": REST, "before": 1.0, "after": 1.0}]


def test_what_few_have_beside_what_is_missing_is_not_told():
    x = np.array([-1] * 97 + [1] * 3)
    found = shown_categories(x, x, ["no", "yes"], People(5, 100))
    assert found["missing"]["before"] is None
    assert found["categories"] == [{"label": REST, "before": 1.0, "after": 1.0}]
    values = np.array([math.nan] * 97 + [1.0, 2.0, 3.0])
    shown = shown_numbers(Values(values, values), People(5, 100))
    assert shown["missing"]["before"] is None and shown["mean"]["before"] is None


def test_groups_of_a_release_are_shown():
    before = np.array([0, 0, 0, 1, 1, 1])
    found = shown_categories(
        before, np.full(6, 2), ["flu", "asthma", "lungs"], People(2, 6), 2
    )
    assert found["categories"] == [
        {"label": "flu", "before": 0.5, "after": 0.0},
        {"label": "asthma", "before": 0.5, "after": 0.0},
        {"label": "lungs", "before": 0.0, "after": 1.0},
    ]
    assert found["same"] == 0


@for_each("n_changed", [0, 1, 3, 5, 7, 8])
def test_how_many_kept_their_value_is_told_of_k_people(n_changed):
    before = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    after = np.where(np.arange(8) < n_changed, 1 - before, before)
    same = shown_categories(before, after, ["flu", "asthma"], People(3, 8))["same"]
    assert same == (None if n_changed in (1, 7) else 1 - n_changed / 8)


@pytest.mark.parametrize(("kind", "unit"), [("numeric", 1.0), ("date", 86_400e6)])
def test_a_fraction_that_one_person_has_changes_nothing(kind, unit):
    """Else steps below 1, or hours of a date, would tell that somebody has one."""
    whole = np.arange(60) % 6 * unit
    other = whole.copy()
    other[8] += unit / 4
    shown = [
        shown_numbers(Values(x, whole, kind == "date"), People(3, 60))
        for x in (whole, other)
    ]
    for found in shown:
        del found["mean"], found["sd"]
    assert shown[0] == shown[1]
    other[:12] += unit / 4
    halves = shown_numbers(Values(other, whole, kind == "date"), People(3, 60))
    assert halves["histogram"] != shown[0]["histogram"] or kind == "date"


def test_what_is_all_the_same_has_no_spread():
    x = np.full(60, 0.23341)
    assert moments_of(Ordered(x, People(3, 60)))[1] == 0


@given(columns(gaps=False), st.integers(2, 5))
def test_one_extreme_makes_no_mean(drawn, k):
    x, _ = drawn
    assume(x.size > 1)  # of two values none is the extreme one
    people = People(k, x.size + 1)
    x = np.append(x, 1e15)
    mean, spread = moments_of(Ordered(x, people))
    assert mean is None and spread is None


@given(columns())
def test_a_mean_is_shown_unless_few_make_it_up(drawn):
    x, people = drawn
    known = ~np.isnan(x)
    mean, spread = moments_of(Ordered(x, people))
    if whose(people, known) < people.k:
        assert mean is None and spread is None
        return
    for shown, power, plain in ((mean, 1, np.mean), (spread, 2, np.std)):
        middle = np.sort(x[known])[known.sum() // 2]
        apart = np.abs(x[known] - middle) ** power
        owners = np.arange(x.size) if people.units is None else people.units
        totals = {}
        for owner, each in zip(owners[known], apart, strict=True):
            totals[owner] = totals.get(owner, 0.0) + each
        largest = sorted(totals.values(), reverse=True)[: people.k - 1]
        share = sum(largest) - 0.75 * sum(totals.values())
        if share > 1e-9 * sum(largest):
            assert shown is None
        elif share < -1e-9 * sum(largest) or not sum(largest):
            assert shown == pytest.approx(plain(x[known]))


@given(columns())
def test_people_are_counted_as_by_hand(drawn):
    x, people = drawn
    rows = np.flatnonzero(~np.isnan(x))
    assert people.count(rows) == whose(people, ~np.isnan(x))
    assert people.enough(rows) == (whose(people, ~np.isnan(x)) >= people.k)
    place = people.until_enough(rows)
    owners = np.arange(x.size) if people.units is None else people.units
    reached = [len(set(owners[rows[: i + 1]].tolist())) for i in range(rows.size)]
    expected = [i for i, n in enumerate(reached) if n >= people.k]
    assert place == (expected[0] if expected else -1)


@for_each(
    ("step", "shown"),
    [
        (Calendar("D", 1), "1969-12-28"),
        (Calendar("M", 1), "1969-12"),
        (Calendar("M", 3), "1969-10 to 1969-12"),
        (Calendar("Y", 1), "1969"),
        (Calendar("Y", 10), "1960 to 1969"),
        (Calendar("Y", 100), "1900 to 1999"),
    ],
)
def test_moments_before_1970_fall_into_their_own_bucket(step, shown):
    moment = dt.datetime(1969, 12, 28, tzinfo=dt.UTC).timestamp() * 1e6
    bucket = CalendarRuler().bucket(step, moment)
    assert bucket.shown == shown and bucket.low <= moment < bucket.high


@given(numbers, numbers)
def test_edges_are_round_and_inside(one, other):
    low, high = min(one, other), max(one, other)
    ruler = NumberRuler(whole=False)
    for step in ruler.steps(low, high, 20)[:4]:
        edges = ruler.edges(step, low, high)
        assert ((edges > low) & (edges <= high)).all()
        assert edges == pytest.approx(step.nearest(edges))
        texts = [ruler.text(step, edge) for edge in edges]
        assert len(set(texts)) == len(texts)
