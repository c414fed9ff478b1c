"""Partitioners with one answer beside slow twins, and what papers print of them."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pytest
from figures import percent_lost
from hypothesis import given
from numpy.testing import assert_array_equal
from slow_twins import (
    slow_cbfs,
    slow_dba,
    slow_maximum_distance,
    slow_mdav,
    slow_tfrp,
    slow_top_down,
)
from tables import any_values, gaussian, tables_and_k

from microcell.compose import DissolveAndSplit
from microcell.datasets import fetch_census, fetch_eia
from microcell.partition import (
    CBFS,
    DBA,
    MDAV,
    TFRP,
    MaximumDistance,
    MuApprox,
    SpanningTree,
    TopDown,
)


class Twin(NamedTuple):
    """How an algorithm is built for a k, and its twin."""

    part: Callable
    slow: Callable


def split_as_a_whole(X, k):
    return slow_top_down(X, k, [0] * len(X))


TWINS = {
    "MDAV": Twin(MDAV, slow_mdav),
    "CBFS": Twin(CBFS, slow_cbfs),
    "DBA": Twin(DBA, slow_dba),
    "MaximumDistance": Twin(MaximumDistance, slow_maximum_distance),
    "TFRP": Twin(TFRP, slow_tfrp),
    "TopDown": Twin(partial(TopDown, c=1), split_as_a_whole),
}
for rule in ("nearest", "each"):
    TWINS[f"MDAV, {rule}"] = Twin(
        partial(MDAV, leftover=rule), partial(slow_mdav, leftover=rule)
    )
every_twin = pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS)


def assert_same_cells(twin, X, k):
    assert_array_equal(twin.part(k).fit_predict(X), twin.slow(X, k))


@every_twin
def test_same_cells_as_slow_twin(twin):
    for k in (1, 2, 3, 7):
        assert_same_cells(twin, gaussian(61, 3), k)


@every_twin
@given(table=tables_and_k())
def test_same_cells_as_slow_twin_on_ties(twin, table):
    assert_same_cells(twin, *table)


@every_twin
@given(table=tables_and_k(elements=any_values))
def test_same_cells_as_slow_twin_on_any_values(twin, table):
    assert_same_cells(twin, *table)


SLICES = {
    MDAV: "_rounds.VISITS_PER_SLICE",
    CBFS: "_rounds.VISITS_PER_SLICE",
    DBA: "_dba.BOXES_PER_SLICE",
    MaximumDistance: "_rounds.VISITS_PER_SLICE",
    TFRP: "_tfrp.BOXES_PER_SLICE",
    MuApprox: "_mu_approx.BOXES_PER_SLICE",
    SpanningTree: "_spanning_tree.VISITS_PER_SLICE",
}


@pytest.mark.parametrize("part", SLICES)
def test_work_in_slices_gives_the_same_cells(part, monkeypatch):
    X = gaussian(300, 2)
    whole = part(3).fit_predict(X)
    monkeypatch.setattr(f"microcell.partition.{SLICES[part]}", 1)
    assert_array_equal(part(3).fit_predict(X), whole)


# Percentages of the variance that are lost, by k, on the data sets Census and EIA.
K = (3, 4, 5, 10)
FIGURES = {
    "MDAV": (
        MDAV,
        (5.692186279, 7.494699833, 9.088435498, 14.155930425),
        (0.482938725, 0.671345141, 1.666675162, 3.839670225),
    ),
    "MDAV, nearest": (
        lambda k: MDAV(k, leftover="nearest"),
        (),
        (None, None, 1.666657361, 3.839670225),
    ),
    "MDAV, each": (
        lambda k: MDAV(k, leftover="each"),
        (5.692186279, 7.494699833, 9.088435498, 14.155930425),
        (0.482938725, 0.671345141, 1.666657361, 3.839664225),
    ),
    "CBFS": (
        CBFS,
        (5.653559396, 7.441418614, 8.884026099, 14.006564476),
        (0.477893447, 0.670860178, 1.739593635, 3.511954647),
    ),
    "DBA": (
        DBA,
        (6.144855154, 9.127883805, 10.842187346, 15.785497322),
        (1.090194828, 0.843469070, 1.895536919, 4.265801303),
    ),
    "DBA, dissolved": (
        lambda k: DissolveAndSplit(DBA(k)),
        (5.581605762, 7.591307664, 9.046162117, 13.521405177),
        (0.421048322, 0.559755523, 0.818498280, 2.080980825),
    ),
    "MaximumDistance": (
        MaximumDistance,
        (5.721044943, 7.637421140, 9.006479260, 14.396537626),
        (0.472317271, 0.771899539, 1.669423441, 3.714077950),
    ),
    "TFRP": (
        TFRP,
        (5.965147247, 7.943731620, 9.268205698, 14.463045591),
        (0.512917898, 0.680258024, 1.769158973, 3.547287503),
    ),
    "TFRP, dissolved": (
        lambda k: DissolveAndSplit(TFRP(k)),
        (5.804273738, 7.645794984, 8.980396010, 13.975213877),
        (),
    ),
    "MuApprox": (
        MuApprox,
        (6.258793735, 8.327729361, 10.438998187, 17.534864449),
        (0.402649862, 0.570836294, 0.835092293, 2.139822938),
    ),
    "SpanningTree": (
        SpanningTree,
        (6.120503786, 8.247082552, 10.267822742, 17.159625062),
        (0.396205692, 0.564430584, 0.796471633, 2.228332451),
    ),
}


@pytest.mark.parametrize(("part", "census", "eia"), FIGURES.values(), ids=FIGURES)
def test_published_losses(benchmark_data, part, census, eia):
    for fetch, figures in ((fetch_census, census), (fetch_eia, eia)):
        X, _ = fetch().arrays()
        for k, published in zip(K, figures, strict=False):
            if published is not None:
                loss = percent_lost(X, part(k))
                assert loss == pytest.approx(published, abs=1e-9), (fetch, k)
