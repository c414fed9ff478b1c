"""Recipes: roles of columns, options, and the one file that holds them."""

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)

__all__ = [
    "Column",
    "Recipe",
    "Schema",
]
