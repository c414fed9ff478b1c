"""Verdicts of the audit: on what is private, and on what only looks so."""

from dataclasses import dataclass

import numpy as np

from microcell.compose import DPMicroaggregator
from microcell.partition import MDAV
from microcell.testing._privacy_loss import PrivacyLoss, audit_privacy_loss

K = 2
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
    def as_expected(self):
        """Whether the audit passes what is private and catches what is not."""
        return self.loss.holds == self.private


def audit_verdicts(epsilon=1.0, *, n_runs=4000, confidence=0.99):
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
    private = DPMicroaggregator(K, epsilon=epsilon, bounds=UNIT_BOX)
    # The scale of the noise is inverse to epsilon.
    half_noise = DPMicroaggregator(K, epsilon=2 * epsilon, bounds=UNIT_BOX)
    mechanisms = [
        ("dp-microaggregation", private.fit_transform, True),
        ("noise scaled to half", half_noise.fit_transform, False),
        ("random aggregation", random_aggregation, False),
    ]
    return [
        Verdict(
            name,
            audit_privacy_loss(
                mechanism,
                NEIGHBOURS,
                epsilon,
                n_runs=n_runs,
                confidence=confidence,
            ),
            private=keeps,
        )
        for name, mechanism, keeps in mechanisms
    ]


def random_aggregation(X, k=K):
    """Each value drawn uniformly from the range of its cell; not private.

    The ends of that range are somebody's values: an output beyond them is impossible
    for one table and likely for another, whatever epsilon is.
    """
    labels = MDAV(k).fit_predict(X)
    low = np.array([X[labels == cell].min(axis=0) for cell in range(labels.max() + 1)])
    high = np.array([X[labels == cell].max(axis=0) for cell in range(labels.max() + 1)])
    return np.random.default_rng().uniform(low[labels], high[labels])
