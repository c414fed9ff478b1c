import polars as pl
import pytest
from numpy.testing import assert_array_equal
from tables import gaussian

from microcell import ByBlock, Microaggregator, Schema, anonymize
from microcell.compose import DPMicroaggregator
from microcell.metrics import reidentification_risk
from microcell.partition import MDAV


def test_each_block_is_masked_by_itself():
    X = gaussian(50, 5)
    masked = ByBlock(Microaggregator(MDAV(5)), blocks=2)
    released = masked.fit_transform(X)
    for b, columns in enumerate([[0, 1], [2, 3], [4]]):
        alone = Microaggregator(MDAV(5))
        assert_array_equal(released[:, columns], alone.fit_transform(X[:, columns]))
        assert_array_equal(masked.labels_[:, b], alone.labels_)
        assert masked.n_cells_[b] == alone.n_cells_
    assert len(masked.n_cells_) == 3


def test_blocks_together_are_not_k_anonymous():
    released = ByBlock(Microaggregator(MDAV(5)), blocks=1).fit_transform(
        gaussian(50, 3)
    )
    assert reidentification_risk(released[:, :1]).smallest_class >= 5
    assert reidentification_risk(released).smallest_class == 1


def test_named_blocks():
    X = gaussian(20, 3)
    masked = ByBlock(Microaggregator(MDAV(2)), blocks=[[2, 0], [1]]).fit(X)
    assert masked.blocks_ == [[2, 0], [1]]


@pytest.mark.parametrize("blocks", [0, [[0]], [[0, 1, 2], []], [[0, 1], [1, 2]]])
def test_bad_blocks(blocks):
    with pytest.raises(ValueError, match=r"[Bb]lock"):
        ByBlock(Microaggregator(MDAV(2)), blocks=blocks).fit(gaussian(20, 3))


def test_a_differentially_private_method_has_no_blocks():
    """Each block would spend epsilon again, and rows would be glued of sorted ones."""
    private = DPMicroaggregator(5, epsilon=1.0, bounds=[(-9.0, 9.0)])
    plan = ByBlock(private, blocks=1)
    with pytest.raises(ValueError, match="epsilon would be spent for each"):
        plan.fit_transform(gaussian(50, 2))
    table = pl.DataFrame(gaussian(50, 2), schema=["a", "b"])
    with pytest.raises(ValueError, match="epsilon would be spent for each"):
        anonymize(table, Schema(["a", "b"]), k=5, method=plan)
