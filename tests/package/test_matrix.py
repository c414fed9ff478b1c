"""The script that tries other versions knows what there is to try."""

import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import yaml
from marks import for_each

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def loaded():
    spec = spec_from_file_location("matrix", ROOT / "tools" / "matrix.py")
    module = module_from_spec(spec)
    sys.modules["matrix"] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


matrix = loaded()


def test_every_dependency_has_a_lowest_version():
    needed = matrix.requirements(PROJECT, ("all",))
    assert len(needed) > len(PROJECT["dependencies"])
    assert all(matrix.lowest(requirement) for requirement in needed)


def test_extras_of_our_own_are_followed():
    own = {"a": ["x>=1"], "b": ["microcell[a]", "y>=2,<3"], "c": ["microcell[a,b]"]}
    project = {"dependencies": ["z>=3.1"], "optional-dependencies": own}
    assert matrix.requirements(project, ("c",)) == ["x>=1", "y>=2,<3", "z>=3.1"]


def test_pythons_are_those_of_the_classifiers():
    named = [
        classifier.rpartition(" ")[2]
        for classifier in PROJECT["classifiers"]
        if classifier.startswith("Programming Language :: Python :: 3.")
    ]
    assert list(matrix.PYTHONS) == named
    assert PROJECT["requires-python"] == f">={named[0]}"
    flow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    assert flow["jobs"]["matrix"]["strategy"]["matrix"]["python"] == named


def test_this_python_is_found():
    version = "{}.{}".format(*sys.version_info)
    assert matrix.find_python(version)
    assert matrix.find_python("2.0") is None


@for_each("path", matrix.CORE)
def test_core_tests_are_there(path):
    assert (ROOT / path).exists()


def test_the_table_says_what_happened():
    tried = [
        matrix.Tried("3.11", "lowest", "passed", "9 passed in 1 s", 61.4),
        matrix.Tried("3.14", "newest", "absent", why="not on PATH"),
    ]
    _, first, second = matrix.table(tried).splitlines()
    assert first.split() == "3.11 lowest passed 61 9 passed in 1 s".split()
    assert second.split() == "3.14 newest absent not on PATH".split()
