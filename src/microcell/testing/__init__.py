"""Checks for our parts and for others': contracts, and an audit of privacy loss.

Each check of a contract raises AssertionError with what went wrong. A new partitioner,
aggregator or metric is tested by one call before its author writes a test.
"""

from microcell.testing._contracts import (
    check_aggregator,
    check_metric,
    check_partitioner,
    edge_tables,
)
from microcell.testing._privacy_loss import PrivacyLoss, audit_privacy_loss
from microcell.testing._verdicts import Verdict, audit_verdicts

__all__ = [
    "PrivacyLoss",
    "Verdict",
    "audit_privacy_loss",
    "audit_verdicts",
    "check_aggregator",
    "check_metric",
    "check_partitioner",
    "edge_tables",
]
