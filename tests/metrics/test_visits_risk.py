import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from microcell.metrics import visits_risk, visits_values
from microcell.privacy import KOverVisits, View, _visits

RECORDS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from("abcdefg"), st.integers(0, 2)),
    min_size=1,
    max_size=40,
)


def intruder(records, looked_for):
    """Of each person, how many are in all classes: looked for class by class."""
    found = []
    for person in sorted({who for _, who, _ in records}):
        left = {looked_for(record) for record in records}
        for cell, who, _ in records:
            if who == person:
                left &= {looked_for(record) for record in records if record[0] == cell}
        found.append(len(left))
    return found


@pytest.mark.parametrize("at_once", [1, 7, 10**6])
@given(records=RECORDS)
def test_equals_the_intruder_who_tries_everybody(at_once, records):
    classes, people, _ = zip(*records, strict=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_visits, "PAIRS_AT_ONCE", at_once)
        found = visits_risk(classes, people)
    expected = intruder(records, lambda record: record[1])
    assert_array_equal(found.candidates, expected)
    assert (found.least, found.highest) == (min(expected), 1 / min(expected))
    assert found.share_below(3) == np.mean([n < 3 for n in expected])


@given(records=RECORDS)
def test_values_in_all_classes(records):
    first = {who: value for _, who, value in reversed(records)}
    several = len({(who, value) for _, who, value in records}) > len(first)
    assert (visits_values(*zip(*records, strict=True)) is None) == several
    same = [(cell, who, first[who]) for cell, who, _ in records]
    expected = intruder(same, lambda record: record[2])
    assert_array_equal(visits_values(*zip(*same, strict=True)), expected)


def test_records_of_a_person_in_one_class_leave_the_class():
    assert_array_equal(visits_risk([0, 0, 0, 1, 1], list("aabcd")).candidates, [2] * 4)
    with pytest.raises(ValueError, match="inconsistent"):
        visits_risk([0, 1], [0])


def test_one_person_with_a_third_of_all_records():
    rng = np.random.default_rng(0)
    people = np.concatenate([np.zeros(2000, dtype=int), np.arange(1, 4001)])
    classes = rng.integers(0, 1000, people.size)
    found = visits_risk(classes, people)
    assert found.candidates[0] == 1
    others = np.bincount(classes[people > 0], minlength=1000)
    own = others + np.isin(np.arange(1000), classes[:2000])
    assert_array_equal(found.candidates[1:], own[classes[2000:]])


def test_the_promise_counts_records_of_people_with_fewer():
    release = pl.DataFrame({"age": [30, 30, 30, 41, 41, 41]})
    view = View(release, ["age"], units=np.array([5, 1, 2, 5, 1, 3]), unit="who")
    finding = KOverVisits(3).verify(view)
    assert (finding.found, finding.records_failing, finding.holds) == (2, 4, False)
    assert KOverVisits(2).verify(view).holds
    assert KOverVisits(3).verify(View(release, ["age"])).found == 3
    with pytest.raises(ValueError, match="'k'"):
        KOverVisits(0)
