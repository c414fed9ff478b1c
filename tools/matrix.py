"""Try the library with other versions of Python and of what it needs.

For each Python from 3.11 to 3.14 that this machine has, and for the lowest and the
newest versions of the dependencies, a virtual environment is made, the library is
installed as users do, and tests run against it. "lowest" is what pyproject.toml says,
exactly: `numpy>=2.0` becomes `numpy==2.0`. Tools that test are the newest ones. A table
at the end says what passed, what failed, and what could not be tried and why.

    make matrix                                     # what there is, core tests
    python3 tools/matrix.py --python 3.11 --versions lowest
    python3 tools/matrix.py --full                  # all quick tests
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
VERSIONS = ("lowest", "newest")
EXTRAS = ("dp", "excel", "stats")  # what the core tests can use
TOOLS = ("hypothesis", "openpyxl", "pandas", "pytest", "pytest-xdist")
# Each part of scikit-learn's contract, tables of each library, files and the doors.
CORE = (
    "tests/common",
    "tests/partition/test_mdav.py",
    "tests/partition/test_twins.py",
    "tests/partition/test_optimal_univariate.py",
    "tests/aggregate",
    "tests/columns",
    "tests/privacy",
    "tests/release/test_anonymize.py",
    "tests/io/test_formats.py",
    "tests/io/test_excel.py",
    "tests/cli/test_cli.py",
    "tests/cli/test_help.py",
    "tests/cli/test_demo.py",
    "tests/report/test_facts.py",
)
BOUND = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?>=([0-9][0-9.]*)")
OWN = re.compile(r"^microcell\[(.+)\]$")


@dataclass
class Tried:
    """What happened to one Python with one set of versions."""

    python: str
    versions: str
    state: str  # passed, failed, not installable, absent
    tests: str = ""
    seconds: float = 0.0
    why: str = ""


def requirements(project: dict, extras: tuple[str, ...]) -> list[str]:
    """What the library needs with these extras, extras of its own followed.

    Examples
    --------
    >>> own = {"a": ["x>=1"], "b": ["microcell[a]", "y>=2"]}
    >>> project = {"dependencies": ["numpy>=2.0"], "optional-dependencies": own}
    >>> requirements(project, ("b",))
    ['numpy>=2.0', 'x>=1', 'y>=2']
    """
    found = list(project["dependencies"])
    todo = [r for extra in extras for r in project["optional-dependencies"][extra]]
    while todo:
        requirement = todo.pop(0)
        own = OWN.match(requirement)
        if own:
            for extra in own.group(1).split(","):
                todo += project["optional-dependencies"][extra]
        elif requirement not in found:
            found.append(requirement)
    return sorted(found)


def lowest(requirement: str) -> str | None:
    """The pin of the lowest version that a requirement allows, if it says one.

    Examples
    --------
    >>> lowest("numpy>=2.0"), lowest("pyspark[connect]>=4.0,<5"), lowest("pytest")
    ('numpy==2.0', 'pyspark==4.0', None)
    """
    bound = BOUND.match(requirement)
    return f"{bound.group(1)}=={bound.group(2)}" if bound else None


def find_python(version: str) -> str | None:
    """A Python of this version: on the path, of pyenv or of uv."""
    candidates = [shutil.which(f"python{version}"), sys.executable]
    if shutil.which("pyenv"):
        root = _said(["pyenv", "root"])
        candidates += sorted(
            map(str, Path(root).glob(f"versions/{version}*/bin/python"))
        )
    if shutil.which("uv"):
        candidates.append(_said(["uv", "python", "find", "--offline", version]))
    show = "import sys; print('%d.%d' % sys.version_info[:2])"
    for candidate in candidates:
        if candidate and _said([candidate, "-c", show]) == version:
            return candidate
    return None


def _said(command: list[str]) -> str:
    """What a command prints, or nothing where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def try_one(version: str, versions: str, asked: argparse.Namespace) -> Tried:
    """Install into a new environment and run the tests there."""
    python = find_python(version)
    if python is None:
        return Tried(version, versions, "absent", why="not on PATH, in pyenv or in uv")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="matrix-", dir=asked.folder) as folder:
        subprocess.run([python, "-m", "venv", folder], check=True)
        there = Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python"
        why = install(there, versions, asked)
        if why:
            return Tried(version, versions, "not installable", why=why)
        print(f"-- Python {version}, {versions}: {installed(there)}", flush=True)
        state, tests = run_tests(there, Path(folder), versions, asked)
    return Tried(version, versions, state, tests, time.monotonic() - began)


def install(python: Path, versions: str, asked: argparse.Namespace) -> str:
    """Install the library, and say why if that is not possible."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = ("test",) if asked.full else EXTRAS
    needed = requirements(project, extras)
    pins = [pin for r in needed if (pin := lowest(r))] if versions == "lowest" else []
    constraints = python.parents[1] / "lowest.txt"
    constraints.write_text("\n".join(pins) + "\n")
    command = [str(python), "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    command += ["--no-binary", "microcell,pyspark", "--constraint", str(constraints)]
    command += [f"{ROOT}[{','.join(extras)}]", *([] if asked.full else TOOLS)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stderr.splitlines() if "ERROR" in line]
    return (errors or done.stderr.splitlines() or ["pip failed"])[-1][:200]


def installed(python: Path) -> str:
    """Versions of what the library needs, as they are there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = [BOUND.match(r).group(1) for r in project["dependencies"]]
    show = (
        "from importlib.metadata import version; import sys; "
        "print(', '.join(f'{n} {version(n)}' for n in sys.argv[1:]))"
    )
    return _said([str(python), "-c", show, *names])


def run_tests(
    python: Path, folder: Path, versions: str, asked: argparse.Namespace
) -> tuple[str, str]:
    """Run the tests against what is installed; the state and pytest's last line."""
    chosen = asked.tests or (["tests"] if asked.full else list(CORE))
    command = [str(python), "-m", "pytest", "-q", "-m", "not slow", "-p"]
    command += ["no:cacheprovider", "-n", str(asked.jobs), "--dist", "loadfile"]
    if versions == "lowest":  # an old library may use what a new one deprecates
        command += ["-W", "default::DeprecationWarning"]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment["NUMBA_CACHE_DIR"] = str(folder / "numba")
    done = subprocess.run(
        [*command, *chosen], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    lines = done.stdout.strip().splitlines() or done.stderr.strip().splitlines() or [""]
    if done.returncode:
        print("\n".join(lines[-60:]), done.stderr[-2000:], sep="\n", flush=True)
    return ("failed" if done.returncode else "passed"), lines[-1].strip("= ")


def table(tried: list[Tried]) -> str:
    """What happened, one line each.

    Examples
    --------
    >>> print(table([Tried("3.14", "newest", "absent", why="not on PATH")]))
    Python  versions  state            seconds  tests, or why not
    3.14    newest    absent                    not on PATH
    """
    lines = ["Python  versions  state            seconds  tests, or why not"]
    for one in tried:
        seconds = f"{one.seconds:.0f}" if one.seconds else ""
        lines.append(
            f"{one.python:<8}{one.versions:<10}{one.state:<17}{seconds:>7}  "
            f"{one.tests or one.why}"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=",".join(PYTHONS), help="as in 3.11,3.13")
    parser.add_argument("--versions", default=",".join(VERSIONS))
    parser.add_argument("--full", action="store_true", help="all quick tests")
    parser.add_argument("--jobs", type=int, default=2, help="tests at the same time")
    parser.add_argument("--folder", help="where environments are made for a while")
    parser.add_argument("tests", nargs="*", help="other tests than the core")
    asked = parser.parse_args()
    tried = [
        try_one(python, versions, asked)
        for python in asked.python.split(",")
        for versions in asked.versions.split(",")
    ]
    print(table(tried))
    return int(any(one.state == "failed" for one in tried))


if __name__ == "__main__":
    sys.exit(main())
