import subprocess
import sys
from types import ModuleType

import pytest
from marks import first_is_quick

from microcell.cli._later import BY_THE_WAY, Later, left_for_later


def put(folder, monkeypatch, name, text):
    (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, name, raising=False)


def test_a_library_is_imported_when_it_is_used(tmp_path, monkeypatch):
    put(tmp_path, monkeypatch, "heavy_library", "answer = 42\n")
    put(tmp_path, monkeypatch, "importer", "import heavy_library\n")
    with left_for_later("heavy_library"):
        import importer
    assert type(importer.heavy_library) is Later
    assert "heavy_library" not in sys.modules
    assert importer.heavy_library.answer == 42
    assert type(sys.modules["heavy_library"]) is ModuleType


def test_a_library_that_is_used_at_once_is_the_real_one(tmp_path, monkeypatch):
    put(tmp_path, monkeypatch, "heavy_library", "answer = 42\n")
    put(tmp_path, monkeypatch, "importer", "from heavy_library import answer\n")
    with left_for_later("heavy_library"):
        import importer
    assert importer.answer == 42
    assert type(sys.modules["heavy_library"]) is ModuleType


def test_a_name_that_is_not_there_is_an_error(tmp_path, monkeypatch):
    put(tmp_path, monkeypatch, "heavy_library", "")
    with pytest.raises(AttributeError, match="heavy_library"):
        _ = Later("heavy_library").absent
    with pytest.raises(AttributeError, match="__path__"):
        _ = Later("heavy_library").__path__


def test_its_version_is_the_library_s_own(tmp_path, monkeypatch):
    """Some versions of pyarrow and narwhals ask for that of pandas."""
    put(tmp_path, monkeypatch, "heavy_library", '__version__ = "1.2"\n')
    assert Later("heavy_library").__version__ == "1.2"


def test_a_library_that_is_not_installed_stays_missing():
    with left_for_later("no_such_library"), pytest.raises(ImportError):
        import no_such_library  # noqa: F401


def test_one_that_is_there_stays(monkeypatch):
    there = ModuleType("heavy_library")
    monkeypatch.setitem(sys.modules, "heavy_library", there)
    with left_for_later("heavy_library"):
        assert sys.modules["heavy_library"] is there
    assert sys.modules["heavy_library"] is there


def test_none_is_left_behind_after_an_error():
    with pytest.raises(ZeroDivisionError), left_for_later("this"):
        _ = 1 / 0
    assert "this" not in sys.modules


def loaded_after(*arguments):
    """Modules that the command line has imported when it ends."""
    code = (
        "import atexit, sys\n"
        "from microcell.cli import main\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "main()\n"
    )
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    "asked", first_is_quick([["anonymize", "--help"], ["--help"], ["--version"]])
)
def test_help_needs_no_libraries(asked):
    heavy = {"numba", "sklearn", "scipy", "pandas", "pyarrow", "polars"}
    assert not heavy & loaded_after(*asked)


def test_a_release_needs_few_libraries(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("age\n31\n32\n60\n62\n", encoding="utf-8")
    loaded = loaded_after(
        *("anonymize", table, "-k", "2", "-q", "age"),
        *("-o", tmp_path / "release.csv"),
    )
    left = (*BY_THE_WAY, "scipy.signal", "sklearn.metrics", "sklearn.linear_model")
    assert not loaded & set(left)
    assert {"sklearn.base", "polars", "numba"} <= loaded
