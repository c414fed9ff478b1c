"""The wheel holds the library and works without the repository; so does the sdist."""

import re
import tarfile
import zipfile
from pathlib import Path

import pytest
from package_builds import ROOT, build, call, clean_environment, install

import microcell
from microcell.cli._demo import FILES

SOURCE = ROOT / "src" / "microcell"
NO_NETWORK = ("NewConnectionError", "NameResolutionError", "name resolution")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    build(folder, ROOT, "--wheel")
    (path,) = folder.glob("*.whl")
    return path


def members(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_holds_the_library_and_nothing_else(wheel):
    info = f"microcell-{microcell.__version__}.dist-info"
    inside = {Path(name) for name in members(wheel)}
    library = {path for path in inside if path.parts[0] == "microcell"}
    files = {
        path.relative_to(SOURCE.parent)
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert library == files
    assert {path.parts[0] for path in inside} == {"microcell", info}
    for needed in (
        "microcell/py.typed",
        "microcell/app/page/index.html",
        "microcell/app/page/texts/en.json",
        "microcell/report/page.html.jinja",
        "microcell/report/comparison.html.jinja",
        "microcell/report/page.css",
        f"{info}/licenses/LICENSE",
    ):
        assert Path(needed) in inside, needed
    tables = {".csv", ".parquet", ".arff", ".data", ".xlsx", ".sav", ".npz"}
    assert not {path for path in inside if path.suffix in tables}


def test_metadata_say_what_indexes_show(wheel):
    info = f"microcell-{microcell.__version__}.dist-info"
    text = members(wheel)[f"{info}/METADATA"].decode()
    head, _, readme = text.partition("\n\n")
    assert f"Version: {microcell.__version__}\n" in head
    assert "License-Expression: BSD-3-Clause\n" in head
    assert "Requires-Python: >=3.11\n" in head
    assert "Project-URL: Documentation, https://" in head
    assert "Author: The microcell developers\n" in head
    home = re.compile(r"https://[\w.]+/microcell/microcell/(blob/)?main/")
    assert (
        home.sub("", readme).strip() == (ROOT / "README.md").read_text("utf-8").strip()
    )
    targets = re.findall(r"\]\(([^)]+)\)", readme)  # an index has no files beside it
    assert targets and all(target.startswith("https://") for target in targets)


@pytest.mark.slow
def test_the_sdist_can_be_tested_and_builds_the_same_wheel(wheel, tmp_path):
    build(tmp_path, ROOT)  # the wheel from the sdist
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = [name.split("/", 1)[1] for name in archive.getnames() if "/" in name]
    for needed in (
        "tests/conftest.py",
        "tests/package/test_wheel.py",
        "pyproject.toml",
        "constraints.txt",
        "Makefile",
        "LICENSE",
        "CITATION.cff",
        "SECURITY.md",
    ):
        assert needed in names, needed
    assert not [name for name in names if ".venv" in name or "__pycache__" in name]
    (made_of_it,) = tmp_path.glob("*.whl")
    assert members(made_of_it) == members(wheel)


@pytest.mark.slow
def test_it_starts_without_the_repository(wheel, tmp_path):
    """Installed with what our own environment has, which is quick."""
    programs, there = clean_environment(tmp_path / "env", with_pip=False)
    python = install(wheel, programs)
    where = call(python, "-c", "import microcell; print(microcell.__file__)", **there)
    assert Path(where.stdout.strip()).is_relative_to(tmp_path)
    help = call(programs / "microcell", "--help", **there)
    assert help.returncode == 0 and "anonymize" in help.stdout
    (there["cwd"] / "release.csv").write_text("age\n30\n30\n60\n60\n")
    for k, code in ((2, 0), (3, 3)):
        check = [programs / "microcell", "check", "release.csv", "-q", "age", "-k", k]
        done = call(*check, **there)
        assert done.returncode == code, done.stdout + done.stderr


@pytest.mark.slow
def test_a_clean_installation_does_the_main_job(wheel, tmp_path):
    programs, there = clean_environment(tmp_path / "env", with_pip=True)
    done = call(
        *(programs / "python", "-m", "pip", "install", "--quiet"),
        *("--constraint", ROOT / "constraints.txt", wheel),  # no extra
        **there,
    )
    if any(words in done.stderr for words in NO_NETWORK):
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr
    microcell_there = programs / "microcell"
    help = call(microcell_there, "--help", **there)
    assert help.returncode == 0 and "anonymize" in help.stdout
    demo = call(microcell_there, "demo", **there)
    assert demo.returncode == 0, demo.stderr
    assert "k-anonymity: promised 5, found" in demo.stdout
    files = {path.name for path in (there["cwd"] / "demo").iterdir()}
    assert files == set(FILES.values())  # all that it announces
    report = (there["cwd"] / "demo" / "report.html").read_text("utf-8")
    assert "<svg" in report and "</html>" in report
    check = ["check", "demo/release.csv", "--recipe", "demo/recipe.toml"]
    done = call(microcell_there, *check, **there)
    assert done.returncode == 0, done.stderr
    without = call(microcell_there, "app", "--no-browser", **there)
    assert without.returncode == 2 and "microcell[app]" in without.stderr
