"""What refinement did to the cells of a release, as figures and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from microcell.base import BasePartitioner
from microcell.kernels.codes import Codes, with_codes
from microcell.metrics import rounded_loss
from microcell.refine import sum_of_squares

CANNOT_REPEAT = "the same recipe will not give the same cells again"


@dataclass(frozen=True)
class Refinement:
    """What a search made of the cells that it began with.

    Losses are SSE / SST in the geometry in which cells are formed, before promises are
    enforced on them.

    Attributes
    ----------
    start_loss, loss : float or None
        Of the cells that the method gave, and of those found; None where there is no
        figure of the table as a whole.
    lower_bound : float or None
        A loss that no cells of k records can go below, where it is known.
    is_timed : bool
        Whether the clock ended the search, so that it cannot be repeated.
    is_interrupted : bool
        Whether somebody did.

    Examples
    --------
    >>> Refinement(0.0569, 0.0472, lower_bound=0.0466).words
    'SSE / SST of the cells 0.0569 -> 0.0472, at most 1.3 % above the optimum'
    """

    start_loss: float | None
    loss: float | None
    lower_bound: float | None = None
    is_timed: bool = False
    is_interrupted: bool = False

    @property
    def gap(self) -> float | None:
        """How far the loss is above the optimum at most, relative to it."""
        if self.loss is None or not self.lower_bound:
            return None
        return max(self.loss / self.lower_bound - 1.0, 0.0)

    @property
    def words(self) -> str:
        """Both losses, and the gap where it is known; nothing if no figure is."""
        if self.loss is None:
            return ""
        begun: Any = self.start_loss
        said = f"SSE / SST of the cells {begun:.3g} -> {self.loss:.3g}"
        if self.gap is None:
            return said
        return f"{said}, at most {100 * self.gap:.2g} % above the optimum"

    def rounded(self, n_records: int) -> Refinement:
        """The figures as they may be given away.

        The bound is rounded so that the gap is never below the true one.
        """
        if self.loss is None or self.start_loss is None:
            return self
        loss = rounded_loss(self.loss, n_records, finest=0.0)
        bound = self.lower_bound
        if bound:
            bound = min(bound, loss * bound / self.loss)
            bound = rounded_loss(bound, n_records, finest=0.0, down=True)
        begun = rounded_loss(self.start_loss, n_records, finest=0.0)
        return replace(self, start_loss=begun, loss=loss, lower_bound=bound)

    @property
    def notices(self) -> list[str]:
        """What the owner of a release should know."""
        if self.is_interrupted:
            return [f"the search for better cells was interrupted: {CANNOT_REPEAT}"]
        if self.is_timed:
            return [
                f"the search for better cells was ended by the clock: {CANNOT_REPEAT} "
                "(a number of moves instead of seconds does)"
            ]
        return []

    def to_dict(self) -> dict[str, float | None]:
        """The figures as plain data."""
        figures = {"start_loss": self.start_loss, "loss": self.loss}
        if self.gap is not None:
            figures |= {"lower_bound": self.lower_bound, "gap": self.gap}
        return figures


def refinement_of_strata(
    X: np.ndarray,
    part: BasePartitioner,
    strata: Sequence[np.ndarray],
    found: Sequence[Refinement | None],
) -> Refinement | None:
    """What was refined in all strata together.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    part : partitioner
        What was fitted in each, which knows the columns of codes.
    strata : list of ndarray
        Records of each.
    found : list of Refinement or None

    Returns
    -------
    refinement : Refinement or None
    """
    each = [one for one in found if one is not None]
    if len(each) < len(found):
        return None
    how = any(one.is_timed for one in each), any(one.is_interrupted for one in each)
    if part.capabilities.by_unit:
        return Refinement(None, None, None, *how)  # cells of units, not of records
    table, codes = with_codes(X, part.categorical_features, part.mismatch_units)
    inside = np.array([_spread(table[rows], codes) for rows in strata])
    total = _spread(table, codes)
    share = inside / total if total > 0 else np.zeros(len(strata))

    def together(losses: list[float | None]) -> float | None:
        return None if None in losses else float(np.dot(share, losses))  # type: ignore[arg-type]

    return Refinement(
        together([one.start_loss for one in each]),
        together([one.loss for one in each]),
        together([one.lower_bound for one in each]),
        *how,
    )


def _spread(table: np.ndarray, codes: Codes) -> float:
    """Sum of squares about the mean."""
    return sum_of_squares(table, codes, np.zeros(len(table), dtype=np.int64))
