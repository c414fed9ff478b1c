"""Constants of one name have one value, wherever they are."""

import ast
from collections import defaultdict
from pathlib import Path

import microcell

ROOT = Path(microcell.__file__).parent


def constants(path):
    """Names in capitals that a module binds itself.

    What starts with an underscore is the module's own.
    """
    for node in ast.parse(path.read_text()).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        names = [name for target in targets for name in ast.walk(target)]
        for name in names:
            if isinstance(name, ast.Name) and name.id.isupper() and name.id[0] != "_":
                yield name.id


def homes(root):
    """The modules that bind each name."""
    found = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        for name in constants(path):
            found[name].append(str(path.relative_to(root)))
    return found


def test_constants_of_one_name_have_one_home():
    for name, modules in homes(ROOT).items():
        assert len(modules) == 1, f"{name} is bound in {modules}"


def test_what_is_bound_twice_is_found(tmp_path):
    (tmp_path / "a.py").write_text("ONE, TWO = 1, 2\n_OWN: int = 3\nsmall = 4\n")
    (tmp_path / "b.py").write_text("TWO: int = 5\n_OWN = 6\nsmall = 7\n")
    assert homes(tmp_path) == {"ONE": ["a.py"], "TWO": ["a.py", "b.py"]}
