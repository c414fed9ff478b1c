"""k-anonymous microaggregation: releases of tables about people, verified."""

from microcell._by_block import ByBlock
from microcell._by_stratum import ByStratum
from microcell._pipeline import Microaggregator
from microcell._schema import Schema
from microcell.base import PrivacyError, SchemaError

__version__ = "0.1.0"

__all__ = [
    "ByBlock",
    "ByStratum",
    "Microaggregator",
    "PrivacyError",
    "Schema",
    "SchemaError",
]
