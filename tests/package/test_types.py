"""Public names have types, and what is installed tells them to other programs."""

import inspect
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from package_builds import install_without_the_repository

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("typed_program.py")
PUBLIC = [
    "microcell",
    "microcell.aggregate",
    "microcell.base",
    "microcell.compose",
    "microcell.datasets",
    "microcell.embed",
    "microcell.exceptions",
    "microcell.inspection",
    "microcell.io",
    "microcell.methods",
    "microcell.metrics",
    "microcell.partition",
    "microcell.columns",
    "microcell.privacy",
    "microcell.recipe",
    "microcell.release",
    "microcell.selection",
    "microcell.learning",
    "microcell.report",
    "microcell.spark",
    "microcell.testing",
]


def public_callables(module):
    """Functions, and what classes do in public, as (name, function)."""
    names = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and getattr(value, "__module__", "") == module.__name__
    ]
    for name in names:
        value = getattr(module, name)
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value):
            for own, method in vars(value).items():
                if inspect.isfunction(method) and (
                    own == "__init__" or not own.startswith("_")
                ):
                    yield f"{name}.{own}", method


def test_what_is_public_says_its_types():
    found = [(n, *each) for n in PUBLIC for each in public_callables(import_module(n))]
    assert len(found) > 300
    for name, called, function in found:
        if function.__name__ == "<lambda>" or "microcell" not in function.__module__:
            continue
        code, said = function.__code__, function.__annotations__
        named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        untyped = set(named) - set(said) - {"self", "cls"}
        assert not untyped, f"{name}.{called}: {untyped}"
        assert "return" in said, f"{name}.{called}"


def test_only_kernels_and_experiments_need_no_types():
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]
    assert tool["disallow_untyped_defs"] and "src/microcell" in tool["files"]
    for override in tool["overrides"]:
        if override.get("disallow_untyped_defs", True):
            continue
        for module in override["module"]:
            if module in ("microcell.kernels.*", "microcell.experiments.*"):
                continue
            path = ROOT / "src" / Path(*module.split(".")).with_suffix(".py")
            assert "@njit" in path.read_text("utf-8"), module


@pytest.mark.slow
def test_a_typed_program_runs():
    """Its types are checked by `make lint`, and here as mypy would for a user."""
    done = subprocess.run(
        [sys.executable, "-c", "import typed_program; typed_program.right()"],
        cwd=PROGRAM.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_typed_program_is_checked_against_what_is_installed(tmp_path):
    python = install_without_the_repository(tmp_path)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.read_text("utf-8"), encoding="utf-8")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "from microcell import Schema, anonymize\n"
        "from microcell.partition import MDAV\n"
        "reveal_type(anonymize(None, Schema(['age']), k=2))\n"
        "reveal_type(MDAV(k=2).fit([[0.0], [1.0]]).labels_)\n"
        "MDAV(k='five')\n",
        encoding="utf-8",
    )
    check = [sys.executable, "-m", "mypy", "--strict", "--config-file", ""]
    check += ["--python-executable", str(python), "--cache-dir", str(tmp_path / "c")]

    def checked(path):
        done = subprocess.run(
            [*check, path.name], cwd=tmp_path, capture_output=True, text=True
        )
        return done.returncode, done.stdout + done.stderr

    code, said = checked(program)
    assert code == 0, said
    code, said = checked(wrong)
    assert code == 1, said
    assert 'Revealed type is "microcell.release._release.Release"' in said
    assert "numpy.ndarray" in said and 'incompatible type "str"; expected "int"' in said
    assert said.count("error:") == 1 and 'Any"' not in said
