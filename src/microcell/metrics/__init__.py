"""Utility and risk of a release, each a plain function of two tables.

`_loss` and `_risk` are better low, `_score` is better high.
"""

from microcell.metrics._distance_linkage import distance_linkage_risk, linkage_risks
from microcell.metrics._information_loss import mse_distortion, sse_loss
from microcell.metrics._reidentification import (
    ReidentificationRisk,
    reidentification_risk,
    risk_of_class_sizes,
)

__all__ = [
    "ReidentificationRisk",
    "distance_linkage_risk",
    "linkage_risks",
    "mse_distortion",
    "reidentification_risk",
    "risk_of_class_sizes",
    "sse_loss",
]
