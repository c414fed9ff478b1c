"""People of leaves, who may be in several: never counted too high."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microcell.pipeline._arrivals import Arrivals

N_LEAVES = 4


def arrivals(pairs):
    people, leaves = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return Arrivals.of(leaves, N_LEAVES, [], people)


@settings(max_examples=60)
@given(
    pairs=st.lists(
        st.tuples(st.integers(-9, 9), st.integers(0, N_LEAVES - 1)), min_size=1
    ),
    chosen=st.sets(st.integers(0, N_LEAVES - 1), min_size=1),
)
def test_people_of_leaves_together_are_never_too_many(pairs, chosen):
    whole = arrivals(pairs)
    people = {leaf: {p for p, own in pairs if own == leaf} for leaf in range(N_LEAVES)}
    assert whole.people.tolist() == [len(people[leaf]) for leaf in range(N_LEAVES)]
    least = whole.least_people(sorted(chosen))
    assert least <= len(set.union(*(people[leaf] for leaf in chosen)))
    assert least >= max(len(people[leaf]) for leaf in chosen)
    everybody = len({person for person, _ in pairs})
    assert whole.least_people(list(range(N_LEAVES))) == everybody
    strata = whole.at(np.arange(N_LEAVES).reshape(2, 2))
    assert strata.least_people([0]) <= len(people[0] | people[2])
    assert strata.least_people([0, 1]) == everybody
    some = [pair for pair in pairs if pair[0] < 0]
    rest = [pair for pair in pairs if pair[0] >= 0]
    both = arrivals(some) + arrivals(rest)
    for name in ("counts", "people", "own"):
        assert getattr(both, name).tolist() == getattr(whole, name).tolist()
