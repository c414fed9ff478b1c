"""Releases of tables and files: made, written, checked and measured.

Names are loaded when they are first used.
"""

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)

__all__ = [
    "Release",
    "anonymize",
    "anonymize_file",
    "apply_recipe",
    "check_file",
    "measure",
    "measure_files",
]
