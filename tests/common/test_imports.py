"""Imports point one way: kernels, base, parts, pipeline, anonymize, command line."""

import ast
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

from sources import ROOT, tree_of

LAYERS = [
    {
        "exceptions",
        "_bytes",
        "_cache",
        "_default_method",
        "_docstrings",
        "_locks",
        "_patterns",
        "_forked",
        "_interrupts",
        "_memory",
        "_printable",
        "_progress",
        "_random",
        "_unexplained",
    },
    {"_capabilities", "_validation", "_centre", "_density", "_slices", "kernels"},
    {"base"},
    {"aggregate", "embed", "partition", "privacy", "io"},
    {"bounds", "metrics", "columns", "refine"},
    {"compose", "recognition"},
    {"methods", "testing"},
    {"recipe"},
    {"pipeline"},
    {"release"},
    {"engines", "learning"},
    {"report"},
    {"selection"},
    {"datasets", "inspection", "spark"},
    {"experiments"},
    {"app"},
    {"cli"},
    {"__main__"},
]
# Imported in a function that needs it, against the order; no others may be.
LATE = {("release", "engines"), ("release", "report")}
LAYER_OF = {name: level for level, names in enumerate(LAYERS) for name in names}
FILES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))


def home(path):
    return path.parts[0].removesuffix(".py")


def nodes_of(tree, with_types):
    """All nodes, or those that are ever run: not what type checkers alone read."""
    for node in ast.iter_child_nodes(tree):
        for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(
            node.test
        )
        if with_types or not for_types:
            yield node
            yield from nodes_of(node, with_types)


def imported(path, with_types=True):
    for node in nodes_of(tree_of(ROOT / path), with_types):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "microcell":
                names = [f"microcell.{alias.name}" for alias in node.names]
            yield from names
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def inside_the_package(path, with_types=True):
    """Parts of the names of modules of microcell that a file imports."""
    for name in imported(path, with_types):
        parts = name.split(".")
        if parts[0] == "microcell" and len(parts) > 1 and parts[1] != "__version__":
            yield parts


def test_imports_point_one_way():
    for path in FILES:
        if path == Path("__init__.py"):
            continue
        for parts in inside_the_package(path, with_types=False):
            assert parts[1] in LAYER_OF, f"{parts} has no layer"
            is_below = LAYER_OF[parts[1]] <= LAYER_OF[home(path)]
            assert is_below or (home(path), parts[1]) in LATE, f"{path} imports {parts}"


def test_packages_are_used_through_their_face():
    private = [
        f"{path} imports {'.'.join(parts)}"
        for path in FILES
        for parts in inside_the_package(path)
        if len(parts) > 2 and parts[1] != home(path) and parts[2].startswith("_")
    ]
    assert private == []


def test_names_of_a_face_can_be_loaded():
    for stub in ROOT.rglob("__init__.pyi"):
        package = import_module(module_of(stub.with_suffix(".py"), ROOT))
        for node in ast.parse(stub.read_text()).body:
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    assert getattr(package, alias.name) is not None


def test_every_module_has_a_layer():
    assert {home(path) for path in FILES} - {"__init__"} == set(LAYER_OF)


def module_of(path, root):
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_at_once(tree):
    """Names that come with the module: not those imported inside a function."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue  # never run
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            todo += ast.iter_child_nodes(node)


def import_graph(root):
    """For each module those that it cannot do without.

    A name of a package is looked up in the package's own module, unless it is a module
    or the package's stub says which module it is loaded from.
    """
    files = {module_of(path, root): path for path in root.rglob("*.py")}
    late = {}
    for stub in root.rglob("__init__.pyi"):
        package = module_of(stub.with_suffix(".py"), root)
        for node in ast.parse(stub.read_text()).body:
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    late[f"{package}.{alias.name}"] = f"{package}.{node.module}"
    graph = {}
    for module, path in files.items():
        graph[module] = set()
        for name in imported_at_once(tree_of(path)):
            name = late.get(name, name)
            while name and name not in files:
                name = name.rpartition(".")[0]
            if name and name != module:
                graph[module].add(name)
    return graph


def cycle_in(graph):
    """Modules that import each other in a circle, or None."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return None


def test_no_module_imports_itself_in_a_circle():
    assert cycle_in(import_graph(ROOT)) is None


def test_a_circle_inside_a_layer_is_found(tmp_path):
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("def late():\n    from pack import a\n")
    (package / "a.py").write_text("from pack.b import x\n")
    (package / "b.py").write_text("import pack\n\ndef late():\n    import pack.a\n")
    assert cycle_in(import_graph(package)) is None
    (package / "b.py").write_text("from pack import a\n")
    assert set(cycle_in(import_graph(package))) == {"pack.a", "pack.b"}
