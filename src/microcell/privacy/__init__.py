"""Privacy models: what is promised, and whether the released table keeps it."""

from microcell.privacy._classes import class_sizes
from microcell.privacy._finding import Finding, require
from microcell.privacy._k_anonymity import KAnonymity, verify_blocks

__all__ = ["Finding", "KAnonymity", "class_sizes", "require", "verify_blocks"]
