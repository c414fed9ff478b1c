"""A plan is fitted to a table in place, and handed on."""

import pytest

from microcell.aggregate import Median
from microcell.compose import ByBlock, Microaggregator
from microcell.partition import MDAV, VMDAV


@pytest.mark.parametrize("in_blocks", [False, True])
def test_equip_changes_the_parts_and_returns_the_plan(in_blocks):
    inner = Microaggregator(MDAV(3))
    plan = ByBlock(inner, blocks=1) if in_blocks else inner
    seen = []

    def publish(aggregator):
        seen.append(aggregator)
        return Median()

    def group(partition):
        seen.append(type(partition))
        return VMDAV(4)

    assert plan.equip(publish=publish, group=group) is plan
    assert seen == [None, MDAV]
    assert isinstance(inner.aggregate, Median) and plan.k == 4
