"""Nothing that machines round differently decides which cells are found."""

import ast
from pathlib import Path

from marks import for_each

import microcell.refine

FILES = sorted(Path(microcell.refine.__file__).parent.glob("*.py"))
# Of numpy; sums by pairs may be added up in another order.
ROUNDED_ALIKE = """
abs arange argmax argsort ascontiguousarray bincount concatenate cumsum empty
empty_like errstate finfo flatnonzero float64 frexp frombuffer fromiter full
hstack inf int32 int64 ldexp max maximum median nan ndarray ones
random.SeedSequence repeat round sort split sqrt stack sum uint64 unique where
zeros
""".split()


def dotted(node):
    """`np.random.rand` as "random.rand", and None if it is not of numpy."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name) and node.id in ("np", "numpy"):
        return ".".join(reversed(names))
    return None


def faults(code):
    """What a file calls that libraries may round differently."""
    tree = ast.parse(code)
    inner = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            name = dotted(node)
            if name is not None and name not in ROUNDED_ALIKE:
                yield f"np.{name}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [getattr(node, "module", None)] + [n.name for n in node.names]
            is_exact = names == ["math", "fsum"]  # the exact sum, rounded once
            roots = {str(name).split(".")[0] for name in names}
            if {"math", "cmath"} & roots and not is_exact:
                yield "math"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            power = node.right
            is_square = isinstance(power, ast.Constant) and power.value == 2
            base = node.left
            is_half = isinstance(base, ast.Constant) and base.value in (0.5, 2, 2.0)
            if not is_square and not is_half:
                yield "**"
        if isinstance(node, ast.keyword) and node.arg == "fastmath":
            yield "fastmath"


def test_no_function_that_libraries_round_differently():
    found = {file.name: list(faults(file.read_text("utf-8"))) for file in FILES}
    assert {name: calls for name, calls in found.items() if calls} == {}


@for_each(
    "code",
    [
        "np.exp(x)",
        "import math",
        "from math import log",
        "x ** 0.3",
        "x ** y",
        "np.linalg.norm(x)",
        "np.random.rand()",
        "njit(fastmath=True)",
        "np.power(x, 3)",
    ],
)
def test_the_scan_finds(code):
    assert len(list(faults(code))) == 1


def test_the_scan_lets_pass():
    assert (
        list(faults("np.sqrt(x) + 0.5**whole + x**2\nnp.random.SeedSequence(3)")) == []
    )
