"""Which release to make: recipes compared and tuned on one table.

Names are loaded when they are first used.
"""

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)

__all__ = [
    "Candidate",
    "Compared",
    "Constraint",
    "NoCandidate",
    "Tuned",
    "compare",
    "compare_file",
    "tune",
]
