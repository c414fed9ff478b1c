"""Imports point one way: kernels, base, parts, pipeline, anonymize, command line."""

import ast
from pathlib import Path

import pytest

import microcell

ROOT = Path(microcell.__file__).parent
LAYERS = [
    {"exceptions", "_patterns", "_forked", "_interrupts", "_progress", "_random"},
    {"_validation", "_centre", "kernels"},
    {"base"},
    {"aggregate", "embed", "partition", "privacy", "io"},
    {"metrics", "prepare"},
    {"compose"},
    {"methods", "testing"},
    {"release"},
    {"datasets"},
    {"experiments"},
    {"cli"},
    {"__main__"},
]
LAYER_OF = {name: level for level, names in enumerate(LAYERS) for name in names}
FILES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))


def home(path):
    return path.parts[0].removesuffix(".py")


def imported(path):
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "microcell":
                names = [f"microcell.{alias.name}" for alias in node.names]
            yield from names
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_point_one_way(path):
    if path == Path("__init__.py"):
        return
    for name in imported(path):
        parts = name.split(".")
        if parts[0] != "microcell" or name == "microcell.__version__":
            continue
        assert parts[1] in LAYER_OF, f"{name} has no layer"
        assert LAYER_OF[parts[1]] <= LAYER_OF[home(path)], f"{path} imports {name}"


def test_every_module_has_a_layer():
    assert {home(path) for path in FILES} - {"__init__"} == set(LAYER_OF)
