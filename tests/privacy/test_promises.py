import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.exceptions import PrivacyError, SchemaError
from microcell.privacy import (
    PROMISES,
    CellSize,
    Finding,
    KAnonymity,
    PSensitivity,
    View,
    cell_values,
    require,
)

TABLE = pl.DataFrame(
    {
        "age": [30, 30, 30, 41, 41],
        "sex": ["f", "f", "m", "m", "m"],
        "ill": ["flu", "flu", "gout", "flu", None],
    }
)


def view(**more):
    return View(TABLE, ["age"], confidential=["ill"], **more)


def test_k_anonymity_counts_classes():
    finding = KAnonymity(3).verify(view())
    assert (finding.found, finding.records_failing, finding.holds) == (2, 2, False)
    assert finding.basis == "counted on the released table"
    assert KAnonymity(2).verify(view()).holds
    assert KAnonymity(2, columns=("age", "sex")).verify(view()).found == 1
    assert KAnonymity(9, promised=False).verify(view()).holds is None


def test_k_anonymity_counts_units():
    finding = KAnonymity(2).verify(view(units=np.array([0, 0, 0, 1, 2]), unit="id"))
    assert finding.found == 1 and "counted in id" in finding.promise


def test_p_sensitivity_counts_values_and_missing_is_one():
    assert PSensitivity(2, "ill").verify(view()).holds
    finding = PSensitivity(3, "ill").verify(view())
    assert finding.found == 2 and finding.records_failing == 5


def test_values_are_counted_in_classes_and_not_in_cells():
    """Cells whose records are released apart are several classes, and the reverse."""
    apart = PSensitivity(2, "ill").verify(
        View(TABLE, ["age", "sex"], confidential=["ill"], labels=np.zeros(5, int))
    )
    assert (apart.found, apart.records_failing) == (1, 3)
    alike = PSensitivity(2, "ill").verify(view(labels=np.arange(5)))
    assert (alike.found, alike.records_failing) == (2, 0)


def test_a_promise_of_zero_is_a_promise():
    broken = Finding("t-closeness of ill", 0.0, 0.3, 4)
    assert broken.holds is False and "promised 0, found 0.3" in str(broken)
    with pytest.raises(PrivacyError, match=r"fails for 4 record\(s\)"):
        require([broken])
    assert Finding("t-closeness of ill", 0.0, 0.0, 0).holds is True


def test_p_sensitivity_is_of_each_confidential_column():
    bound = PSensitivity(2).bind(["ill", "sex"])
    assert [promise.column for promise in bound] == ["ill", "sex"]
    with pytest.raises(SchemaError, match="there is none"):
        PSensitivity(2).bind([])
    with pytest.raises(SchemaError, match="not confidential"):
        PSensitivity(2, "sex").verify(view())


def test_cell_size_is_counted_on_the_cells():
    labels = np.array([0, 0, 1, 1, 1])
    finding = CellSize(3).verify(view(labels=labels))
    assert (finding.found, finding.records_failing) == (2, 2)
    assert finding.basis == "counted on the cells"
    units = np.array([0, 0, 1, 1, 1])
    assert CellSize(2).verify(view(labels=labels, units=units)).found == 1
    blocks = np.column_stack([labels, np.zeros(5, int)])
    assert CellSize(2).verify(view(labels=blocks)).found == 2


def test_a_failed_promise_withholds():
    good, bad = Finding("a", 2, 2, 0), Finding("b", 2, 1, 1)
    require([good, Finding("c", None, 1, 5)])
    with pytest.raises(PrivacyError, match="b: promised 2, found 1") as caught:
        require([good, bad])
    assert caught.value.findings == [good, bad]


@pytest.mark.parametrize("promise", [KAnonymity(3), CellSize(4), PSensitivity(2, "x")])
def test_promises_can_be_written_down(promise):
    assert PROMISES[promise.name].from_dict(promise.to_dict()) == promise


@pytest.mark.parametrize("p", [1, 0, 2.5, "two"])
def test_p_is_at_least_two(p):
    with pytest.raises(ValueError, match="'p' parameter must be an integer >= 2"):
        PSensitivity(p)


pairs = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=40
)


@given(records=pairs)
def test_values_in_cells_by_hand(records):
    cells, codes = (np.array(column) for column in zip(*records, strict=True))
    cells = np.unique(cells, return_inverse=True)[1]
    found = cell_values(cells, codes)
    for cell, value, count in zip(found.cell, found.value, found.count, strict=True):
        assert count == np.sum((cells == cell) & (codes == value)) > 0
    assert found.sizes.tolist() == np.bincount(cells).tolist()
    assert found.totals.sum() == len(records)
    distinct = [np.unique(codes[cells == c]).size for c in range(cells.max() + 1)]
    assert PSensitivity(2).levels(found).tolist() == distinct
