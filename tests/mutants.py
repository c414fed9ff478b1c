"""Break the package on purpose and see which test notices: a tool, not a test.

    python tests/mutants.py --n 60 --seed 0 --packages columns privacy io kernels
    python tests/mutants.py --named
    python tests/mutants.py --named --of io/ _locks.py
    python tests/mutants.py --at privacy/_view.py:37

Each mutant is one small change of one file: a comparison, a sign, a constant, a check
that is gone. It is made in a copy of the project, the tests that mirror its file run
there, and the table says which of them failed first. What survives is either the same
program in other words, or a test that is missing.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutations import PACKAGE, ROOT, mutants_of, named_mutants

COPIED = ("src", "tests", "pyproject.toml", "README.md", "examples", "docs")

PACKAGES = [
    *("columns", "pipeline", "recipe", "privacy", "io"),
    *("kernels", "release", "compose"),
]

# The quickest of the tests that see a package come first.
PARTITIONS = [f"partition/test_{n}.py" for n in ("twins", "rounds", "vmdav")]
TESTS = {
    "columns": ["columns", "pipeline", "release"],
    "pipeline": ["pipeline", "release"],
    "recipe": ["recipe", "release"],
    "privacy": ["privacy", "release", "compose"],
    "io": ["io", "release", "cli/test_cli.py"],
    "kernels": ["kernels/test_free_records.py", *PARTITIONS, "kernels", "partition"],
    "release": ["pipeline/test_strata.py", "release", "pipeline", "cli/test_cli.py"],
    "compose": ["compose", "release"],
    "base.py": ["test_base.py", "common/test_contracts.py"],
    "_validation.py": ["test_base.py", "common/test_contracts.py"],
    "_capabilities.py": ["compose/test_plan.py", "recipe"],
    "_locks.py": ["io/test_outbox.py", "engines/test_work.py"],
}


def sampled(packages, n, seed):
    """About `n` mutants, spread over packages and over the files of each."""
    chosen = []
    for place, package in enumerate(packages):
        draw = random.Random(f"{seed} {package}")
        files = sorted((ROOT / PACKAGE / package).glob("*.py"))
        piles = [mutants_of(file) for file in files if file.name != "__init__.py"]
        for pile in piles:
            draw.shuffle(pile)
        draw.shuffle(piles)
        share = n // len(packages) + (place < n % len(packages))
        while share and any(piles):
            for pile in [pile for pile in piles if pile][:share]:
                chosen.append(pile.pop())
                share -= 1
    return chosen


def tests_of(file, folder):
    """Tests of a file: those that mirror it, those around it, and its own examples.

    The examples come last: collected first, they would import the file a second time,
    and a class of it would not be itself any more.
    """
    package, name = file.split("/")[0], Path(file).stem.strip("_")
    mirrored = [f"{package}/test_{name}.py", f"{package}/test_{name}s.py"]
    around = TESTS.get(package, [package, "common/test_contracts.py"])
    paths = [folder / "tests" / path for path in [*mirrored, *around]]
    files = [
        f for p in paths for f in (sorted(p.glob("test_*.py")) if p.is_dir() else [p])
    ]
    tests = dict.fromkeys(str(f.relative_to(folder)) for f in files if f.exists())
    return [*tests, str(PACKAGE / file)]


def run(folder, tests, limit):
    """First test that fails in a copy of the project; None if all pass."""
    settings = {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    flags = ["-x", "-q", "-p", "no:cacheprovider", "--tb=no", "-rfE", "-m", "not slow"]
    flags.append(f"--basetemp={folder / 'written'}")  # away from other runs
    command = [sys.executable, "-m", "pytest", *flags, *tests]
    environment = {**os.environ, **settings}
    environment.pop("NUMBA_CACHE_DIR", None)  # a broken kernel has a cache of its own
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True,
            timeout=limit, errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"the time limit of {limit} s"
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", done.stdout, re.MULTILINE)
    if failed:
        return failed[1]
    if done.returncode < 0:
        return f"signal {-done.returncode}"
    if done.returncode:
        raise RuntimeError(f"pytest itself failed:\n{done.stdout}{done.stderr}")
    return None


def verdict_of(mutant, folder, limit):
    """Run a mutant in `folder`, which is whole again afterwards."""
    target = folder / PACKAGE / mutant.file
    whole, begun = target.read_text(encoding="utf-8"), time.monotonic()
    target.write_text(mutant.source, encoding="utf-8")
    killer = run(folder, tests_of(mutant.file, folder), limit)
    target.write_text(whole, encoding="utf-8")
    verdict = "SURVIVED" if killer is None else f"killed by {killer}"
    seconds = time.monotonic() - begun
    print(f"| {mutant.place} | `{mutant.change}` | {verdict} | {seconds:.0f} s |")
    sys.stdout.flush()
    return killer is not None


def copied(parent):
    """A copy of the project, to break."""
    folder = Path(tempfile.mkdtemp(dir=parent))
    for name in COPIED:
        if (ROOT / name).is_dir():
            junk = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=junk)
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, folder / name)
    return folder


def main():
    """Read the options, run the mutants, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=60, help="how many mutants")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--packages", nargs="+", default=PACKAGES)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=int, default=600, help="seconds for a mutant")
    parser.add_argument("--named", action="store_true", help="the checks of NAMED")
    parser.add_argument("--of", nargs="+", default=[""], help="beginnings of files")
    parser.add_argument("--at", nargs="+", help="all mutants at FILE:LINE")
    parser.add_argument("--whole", action="store_true", help="first run it unbroken")
    options = parser.parse_args()
    if options.at:
        files = {place.split(":")[0] for place in options.at}
        every = [m for file in files for m in mutants_of(ROOT / PACKAGE / file)]
        mutants = [m for m in every if m.place in options.at]
    elif options.named:
        of = tuple(options.of)
        mutants = [m for m in named_mutants() if m.file.startswith(of)]
    else:
        mutants = sampled(options.packages, options.n, options.seed)
    with tempfile.TemporaryDirectory() as parent:
        if options.whole:
            tests = dict.fromkeys(t for m in mutants for t in tests_of(m.file, ROOT))
            examples_last = sorted(tests, key=lambda path: path.startswith("src"))
            failed = run(copied(parent), examples_last, None)
            if failed:
                sys.exit(f"The package as it is fails {failed}.")
        folders = [copied(parent) for _ in range(options.jobs)]

        def one_of(share):
            return [
                verdict_of(m, folders[share], options.limit)
                for m in mutants[share :: options.jobs]
            ]

        with ThreadPoolExecutor(options.jobs) as pool:
            killed = sum(map(sum, pool.map(one_of, range(options.jobs))))
    print(f"{len(mutants)} mutants: {killed} killed, {len(mutants) - killed} survived.")


if __name__ == "__main__":
    main()
