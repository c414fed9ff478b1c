"""k-map and delta-presence: who of a population a released class may be."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcell.exceptions import InputError, SchemaError
from microcell.privacy import PROMISES, DeltaPresence, KMap, View
from microcell.privacy._population import match_population

ages = st.integers(0, 9)
people = st.lists(st.tuples(ages, st.sampled_from("abc")), min_size=1, max_size=30)
shown = st.lists(
    st.tuples(
        st.one_of(
            st.tuples(ages, ages).map(lambda e: f"[{min(e)}, {max(e)}]"),
            st.tuples(ages, ages).map(lambda e: f"({min(e)}, {max(e)}]"),
            st.tuples(ages, ages).map(lambda e: f"[{min(e)}, {max(e)})"),
            ages.map(str),
            ages.map(lambda a: f"{a}.0"),
            st.just("*"),
        ),
        st.one_of(
            st.sampled_from("abc"),
            st.just("*"),
            st.sets(st.sampled_from("abcd"), min_size=1).map(
                lambda s: "{" + ", ".join(sorted(s)) + "}"
            ),
        ),
    ),
    min_size=1,
    max_size=10,
)


def age_matches(mark, age):
    if mark == "*":
        return True
    if "," not in mark:
        return float(mark) == age
    low, high = map(float, mark[1:-1].split(","))
    above = age > low if mark[0] == "(" else age >= low
    return above and (age < high if mark[-1] == ")" else age <= high)


def sex_matches(mark, sex):
    return mark in ("*", sex) or (mark[0] == "{" and sex in mark[1:-1].split(", "))


@settings(max_examples=150)
@given(released=shown, population=people)
def test_population_of_each_class_by_hand(released, population):
    release = pl.DataFrame(released, schema=["age", "sex"], orient="row")
    table = pl.DataFrame(population, schema=["age", "sex"], orient="row")
    found = match_population(View(release, ["age", "sex"]), table)
    expected = []
    for age_mark, sex_mark in set(released):
        n = sum(
            age_matches(age_mark, a) and sex_matches(sex_mark, s) for a, s in population
        )
        expected.append((released.count((age_mark, sex_mark)), n))
    pairs = zip(found.released.tolist(), found.population.tolist(), strict=True)
    assert sorted(pairs) == sorted(expected)
    k = min(n for _, n in expected)
    finding = KMap(2, table).verify(View(release, ["age", "sex"]))
    assert finding.found == k
    assert finding.records_failing == sum(c for c, n in expected if n < 2)
    presence = DeltaPresence(0.5, table).verify(View(release, ["age", "sex"]))
    rates = [c / n if n else np.inf for c, n in expected]
    assert presence.found == max(rates)
    failing = sum(c for (c, _), r in zip(expected, rates, strict=True) if r > 0.5)
    assert presence.records_failing == failing


def test_prefixes_of_codes_that_look_like_numbers():
    release = pl.DataFrame({"zip": ["037**", "0371*", "038**", None]})
    table = pl.DataFrame({"zip": ["03701", "03712", "03719", "3701", None]})
    found = match_population(View(release, ["zip"]), table)
    assert sorted(found.population.tolist()) == [0, 1, 2, 3]


def test_who_matches_no_class_is_surely_absent():
    release = pl.DataFrame({"age": [30, 30, 40]})
    table = pl.DataFrame({"age": [30, 30, 30, 40, 40]})
    view = View(release, ["age"])
    assert DeltaPresence(0.7, table, least=0.4).verify(view).holds
    more = pl.DataFrame({"age": [30, 30, 30, 40, 40, 50]})
    finding = DeltaPresence(0.7, more, least=0.4).verify(view)
    assert not finding.holds and finding.found == 0
    assert DeltaPresence(0.7, more).verify(view).holds
    finding = DeltaPresence(0.7, table, least=0.6).verify(view)
    assert finding.found == 0.5 and finding.records_failing == 1


def test_a_population_may_be_a_file(tmp_path):
    path = tmp_path / "people.csv"
    pl.DataFrame({"age": [31, 33, 45], "job": ["a", "b", "c"]}).write_csv(path)
    view = View(pl.DataFrame({"age": ["[30, 40]", "[41, 50]"]}), ["age"])
    promise = KMap(2, str(path))
    assert promise.verify(view).found == 1
    again = PROMISES["k-map"].from_dict(promise.to_dict())
    assert again.verify(view).found == 1
    with pytest.raises(InputError, match="give its path"):
        KMap(2, pl.DataFrame({"age": [1]})).to_dict()
    with pytest.raises(SchemaError, match="is not in the table"):
        KMap(2, path).verify(View(pl.DataFrame({"sex": ["f"]}), ["sex"]))
