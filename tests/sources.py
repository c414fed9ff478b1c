"""The library's sources as trees, each parsed once for all tests of a process."""

import ast
from functools import cache
from pathlib import Path

import microcell

ROOT = Path(microcell.__file__).parent


@cache
def _parsed(text):
    return ast.parse(text)


def tree_of(path):
    return _parsed(path.read_text(encoding="utf-8"))


@cache
def all_nodes():
    """Each node of each file of the library, with its file."""
    files = sorted(ROOT.rglob("*.py"))
    return [(path, node) for path in files for node in ast.walk(tree_of(path))]
