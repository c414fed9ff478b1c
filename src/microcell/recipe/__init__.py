"""Recipes: roles of columns, options, and the one file that holds them."""

from microcell.recipe._recipe import Recipe
from microcell.recipe._schema import Schema

__all__ = ["Recipe", "Schema"]
