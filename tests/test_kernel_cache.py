"""Compiled code that tests keep is that of the sources of today."""

import ast
import os
from importlib import import_module
from pathlib import Path

import kernel_cache
import pytest
from kernel_cache import MAX_FOLDERS, ROOT, digest, kernel_sources, use_kept_kernels
from numba.core.dispatcher import Dispatcher

SOURCES = kernel_sources()


@pytest.fixture
def project(tmp_path):
    """A package with a kernel in one file and a caller in another."""
    package = tmp_path / "src"
    package.mkdir()
    (package / "kernel.py").write_text("@njit()\ndef f(x):\n    return x\n")
    (package / "caller.py").write_text("from kernel import f\n")
    return tmp_path


def test_an_edited_kernel_finds_no_compiled_code(project):
    before = digest(project)
    (project / "src/caller.py").write_text("print(1)\n")
    assert digest(project) == before
    (project / "src/kernel.py").write_text("@njit()\ndef f(x):\n    return -x\n")
    assert digest(project) != before


def test_other_compilers_find_no_compiled_code(project, monkeypatch):
    before = digest(project)
    monkeypatch.setattr(kernel_cache, "version", lambda name: "0")
    assert digest(project) != before


def test_folders_of_other_sources_do_not_pile_up(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache, "KEPT", tmp_path)
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    for age in range(MAX_FOLDERS + 5):
        (tmp_path / f"old{age}").mkdir()
        os.utime(tmp_path / f"old{age}", (1e9 - age, 1e9 - age))
    use_kept_kernels()
    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path / digest())
    assert len(list(tmp_path.iterdir())) == MAX_FOLDERS
    assert (tmp_path / digest()).is_dir() and (tmp_path / "old0").is_dir()


def module_of(file):
    return import_module(".".join(file.relative_to(ROOT / "src").with_suffix("").parts))


def frozen(file):
    """Names of a file that its compiled functions hold the values of."""
    members = vars(module_of(file)).values()
    kernels = [member for member in members if isinstance(member, Dispatcher)]
    return {name for kernel in kernels for name in kernel.py_func.__code__.co_names}


def imported(file):
    """Names that a file has from elsewhere in the package."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("micro"):
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="none compiled")
def test_what_compiled_functions_hold_is_in_these_files():
    """numba freezes the value of a constant, wherever it comes from."""
    elsewhere = []
    for file in SOURCES:
        held = frozen(file)
        for module, name in imported(file):
            value = getattr(import_module(module), name)
            home = getattr(value, "__module__", module)  # of functions and classes
            if name in held and Path(import_module(home).__file__) not in SOURCES:
                elsewhere.append(f"{file.name}: {name} of {module}")
    assert elsewhere == []
    assert any(frozen(file) for file in SOURCES)
