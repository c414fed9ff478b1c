"""Help with roles: what a table looks like, and a recipe that is proposed for it."""

from microcell.inspection._inspect import inspect, inspect_file, inspect_source
from microcell.inspection._inspection import ColumnProposal, Inspection

__all__ = ["ColumnProposal", "Inspection", "inspect", "inspect_file", "inspect_source"]
