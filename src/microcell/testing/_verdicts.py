"""Verdicts of the audit: on what is private, and on what only looks so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from microcell.aggregate import RandomRho
from microcell.compose import DPMicroaggregator, Microaggregator
from microcell.partition import TopDown
from microcell.testing._privacy_loss import PrivacyLoss, audit_privacy_loss

AUDITED_K = 2
UNIT_BOX = [(0.0, 1.0), (0.0, 1.0)]

# One cell, one record replaced by the one farthest from it: the centroid moves by the
# whole sensitivity, so that what is stated is also what is lost.
NEIGHBOURS = (np.array([[0.5, 0.5], [0.0, 0.0]]), np.array([[0.5, 0.5], [1.0, 1.0]]))


@dataclass(frozen=True)
class Verdict:
    """An audit of a mechanism, and how it should come out.

    Attributes
    ----------
    mechanism : str
    loss : PrivacyLoss
    private : bool
        Whether the mechanism keeps the stated epsilon, by how it is made.
    """

    mechanism: str
    loss: PrivacyLoss
    private: bool

    @property
    def as_expected(self) -> Any:
        """Whether the audit passes what is private and catches what is not."""
        return self.loss.holds == self.private


def audit_verdicts(
    epsilon: float = 1.0, *, n_runs: int = 4000, confidence: float = 0.99
) -> Any:
    """Audit a mechanism that is private and two that are not.

    Parameters
    ----------
    epsilon : float, default=1.0
        What all of them are stated to keep.
    n_runs : int, default=4000
        Runs of each table.
    confidence : float, default=0.99
        Of each bound.

    Returns
    -------
    verdicts : list of Verdict
    """
    private = DPMicroaggregator(AUDITED_K, epsilon=epsilon, bounds=UNIT_BOX)
    # The scale of the noise is inverse to epsilon.
    half_noise = DPMicroaggregator(AUDITED_K, epsilon=2 * epsilon, bounds=UNIT_BOX)
    random = Microaggregator(TopDown(AUDITED_K), aggregate=RandomRho(1.0))
    mechanisms = [
        ("dp-microaggregation", private.fit_transform, True),
        ("noise scaled to half", half_noise.fit_transform, False),
        # The ends of its noise are somebody's values: an output beyond them is
        # impossible for one table and likely for another, whatever epsilon is.
        ("random aggregation", random.fit_transform, False),
    ]
    return [
        Verdict(
            name,
            audit_privacy_loss(
                mechanism, NEIGHBOURS, epsilon, n_runs=n_runs, confidence=confidence
            ),
            private=keeps,
        )
        for name, mechanism, keeps in mechanisms
    ]
