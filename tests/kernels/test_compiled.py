"""Kernels run where numba has no folder to keep compiled code in."""

import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numba
import numpy as np
import polars as pl
import pytest

import microcell
from microcell import METHODS, Schema, anonymize
from microcell._progress import listen
from microcell.kernels import compiled

PACKAGE = Path(microcell.__file__).parent


@pytest.fixture
def nowhere(tmp_path):
    """The environment of a copy of the package beside which nothing can be written.

    Permissions do not bind every user, so files and /proc stand in the way of folders.
    """
    copy = tmp_path / "installed" / "microcell"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [copy, *(path for path in copy.rglob("*") if path.is_dir())]:
        (folder / "__pycache__").write_text("")
    absent = "/proc/absent"
    return os.environ | {
        "PYTHONPATH": str(copy.parent),
        "HOME": absent,
        "XDG_CACHE_HOME": absent,
        "NUMBA_CACHE_DIR": absent,
    }


def python(environment, *arguments):
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
    )


def test_the_library_warns_once(nowhere):
    code = (
        "import warnings\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    import microcell.metrics, microcell.partition\n"
        "print(microcell.__file__, *[w.message for w in caught])\n"
    )
    done = python(nowhere, "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(nowhere["PYTHONPATH"])
    assert done.stdout.count("NUMBA_CACHE_DIR") == 1


@pytest.mark.slow
def test_the_command_line_says_one_line(nowhere, tmp_path):
    table, out = tmp_path / "t.csv", tmp_path / "o.csv"
    table.write_text("age\n1\n2\n3\n4\n")
    arguments = ["anonymize", table, "-k", 2, "-q", "age", "-o", out]
    done = python(nowhere, "-m", "microcell", *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("note: Compiled code cannot be kept")
    assert done.stderr.count("\n") == 1
    assert out.exists()


def test_other_errors_of_numba_pass(monkeypatch):
    def broken(**options):
        raise RuntimeError("something else")

    monkeypatch.setattr(compiled.numba, "njit", broken)
    with pytest.raises(RuntimeError, match="something else"):
        compiled.njit()(len)


def test_a_folder_to_write_to_is_used():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernel = compiled.njit(nogil=True)(shutil.ignore_patterns)
    assert kernel.stats.cache_path


def test_kernels_are_compiled_by_our_decorator():
    """Numba's own fails where nothing can be kept."""
    for path in PACKAGE.rglob("*.py"):
        if path.name != "compiled.py":
            assert "from numba import njit" not in path.read_text(), path


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_the_first_release_says_once_that_it_compiles(capfd, monkeypatch):
    """Twenty seconds of silence: but nothing is said of kernels that are cached."""
    monkeypatch.setattr(compiled, "_said", [])
    table = pl.DataFrame({"a": np.arange(40.0)})
    quiet = METHODS["mondrian"]

    def compiling(k, *, scale=None):
        compiled.njit(cache=False)(lambda x: x + 1)(k)
        return quiet(k, scale=scale)

    def said(method):
        anonymize(table, Schema(["a"]), k=4, method=method)
        return capfd.readouterr().err

    said(quiet)  # kernels are compiled or found
    monkeypatch.setattr(compiled, "_said", [])
    assert said(quiet) == ""
    with listen(lambda *_: None):  # a command shows what it does
        assert said(compiling) == ""
    assert said(compiling) == f"{compiled.COMPILES}\n"
    assert said(compiling) == ""
