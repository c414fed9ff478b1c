"""An interrupt ends the command line at any moment: one line, nothing half done."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from marks import slow
from tables import gaussian

from microcell.kernels.compiled import COMPILES

pytestmark = pytest.mark.skipif(
    not os.path.isdir("/proc/self"), reason="reads the state of a process in /proc"
)
NOTHING = "error: Interrupted; nothing was written.\n"
OUTPUTS = ("r.toml", "c.json", "c.source-key.json", "o.csv")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A table that keeps kernels busy for some seconds."""
    path = tmp_path_factory.mktemp("signals") / "t.csv"
    rows = "\n".join(",".join(map(str, row)) for row in gaussian(80_000, 6).round(6))
    path.write_text("a,b,c,d,e,f\n" + rows + "\n")
    return path


def command(table, out, *more):
    arguments = ["anonymize", table, "-k", 3, "-q", "a,b,c,d,e,f", "-m", "vmdav"]
    arguments += ["-o", out / "o.csv", "--certificate", out / "c.json"]
    arguments += ["--write-recipe", out / "r.toml", *more]
    return list(map(str, arguments))


def start(arguments, code=None, session=False, **environment):
    """The command line; tests that run in the background ignore SIGINT, it must not."""
    program = ["-m", "microcell"] if code is None else ["-c", code]
    return subprocess.Popen(
        [sys.executable, *program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
        start_new_session=session,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        text=True,
    )


def wait_until_ready(process):
    """Until SIGTERM is caught, which Python alone does not do."""
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        caught = re.search(r"SigCgt:\s+(\w+)", status.read_text())
        if caught and int(caught[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.001)


def ended(process, number):
    """What an interrupted process said, after checking that it ended in order."""
    process.send_signal(number)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 128 + number, said
    said = said.removeprefix(COMPILES + "\n")  # where the cache is empty
    assert said.count("\n") == 1 and said.startswith("error: Interrupted"), said
    return said


MOMENTS = [0, 0.05, 0.2, 0.5, 0.9, 1.4]


@pytest.mark.parametrize(
    ("number", "moments"),
    [
        (signal.SIGINT, [0.2, 0.9]),
        slow(signal.SIGINT, MOMENTS),
        slow(signal.SIGTERM, MOMENTS),
    ],
)
def test_any_moment(number, moments, table, tmp_path):
    """During imports, while kernels are loaded, while they run."""
    for moment in moments:
        process = start(command(table, tmp_path))
        wait_until_ready(process)
        time.sleep(moment)
        assert ended(process, number) == NOTHING
        assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_any_moment_of_compiling(number, table, tmp_path):
    """A fresh cache each time: numba calls back and forth while it compiles."""
    for moment in range(25):
        cache = tmp_path / f"cache{moment}"
        out = tmp_path / f"out{moment}"
        out.mkdir()
        process = start(command(table, out), NUMBA_CACHE_DIR=str(cache))
        wait_until_ready(process)
        time.sleep(0.25 * moment)
        assert ended(process, number) == NOTHING
        assert list(out.iterdir()) == []


IN_A_KERNEL = """
import sys
import numpy as np
from numba import njit

@njit(nogil=True)
def endless(x):
    while x[0] == 0:
        x[1] += 1

import microcell.cli._app
microcell.cli._app.run = lambda: (print("busy", flush=True), endless(np.zeros(2)))
from microcell.cli import main
main()
"""


def test_a_kernel_that_does_not_come_back():
    process = start([], IN_A_KERNEL)
    assert process.stdout.readline() == "busy\n"
    time.sleep(1.5)  # it compiles first
    assert ended(process, signal.SIGINT) == NOTHING


SLOW_NAMES = """
import os, sys, time
import microcell.release._written
from microcell.cli import main

how, moment = sys.argv.pop(1), sys.argv.pop(1)
plain_open = os.open

def no_nameless(path, flags, *args, **options):
    if flags & os.O_TMPFILE == os.O_TMPFILE:
        raise OSError("not supported")
    return plain_open(path, flags, *args, **options)

if how == "hidden name":
    os.open = no_nameless
plain = {name: getattr(os, name) for name in ("link", "replace")}

def slow(name):
    def call(source, target, **options):
        if os.path.basename(target) == "c.json":
            print("between names", flush=True)
            time.sleep(0.5)
        plain[name](source, target, **options)
    return call

if moment == "staged":
    def staged(path):
        print("staged", flush=True)
        time.sleep(60)
    microcell.release._written.sha256 = staged
else:
    os.link, os.replace = slow("link"), slow("replace")
main()
"""


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,c,d,e,f\n" + "1,2,3,4,5,6\n" * 9)
    (tmp_path / "out").mkdir()
    return path


@pytest.mark.parametrize(
    ("how", "number", "overwrite"),
    [
        ("hidden name", signal.SIGTERM, True),
        slow("hidden name", signal.SIGINT, False),
        slow("nameless", signal.SIGINT, True),
        slow("nameless", signal.SIGTERM, False),
    ],
)
def test_between_two_names(how, number, overwrite, small, tmp_path):
    """All files are published, and the message names them."""
    out = tmp_path / "out"
    if overwrite:
        for name in OUTPUTS:
            (out / name).write_text("old")
    arguments = command(small, out, *["--overwrite"] * overwrite)
    process = start([how, "publishing", *arguments], SLOW_NAMES)
    assert process.stdout.readline() == "between names\n"
    said = ended(process, number)
    assert sorted(p.name for p in out.iterdir()) == sorted(OUTPUTS)
    assert all(str(out / name) in said for name in OUTPUTS)
    assert all((out / name).read_text() != "old" for name in OUTPUTS)


@pytest.mark.slow
def test_staged_files_with_a_name_are_removed(small, tmp_path):
    out = tmp_path / "out"
    (out / "o.csv").write_text("old")
    arguments = ["hidden name", "staged", *command(small, out, "--overwrite")]
    process = start(arguments, SLOW_NAMES)
    assert process.stdout.readline() == "staged\n"
    assert ended(process, signal.SIGTERM) == NOTHING
    assert [p.name for p in out.iterdir()] == ["o.csv"]
    assert (out / "o.csv").read_text() == "old"


@pytest.mark.slow
def test_an_ignored_signal_stays_ignored(small, tmp_path):
    """A job under nohup goes on when the terminal closes."""
    program = [sys.executable, "-m", "microcell", *command(small, tmp_path / "out")]
    process = subprocess.Popen(
        ["nohup", *program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_until_ready(process)
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=60) == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted(OUTPUTS)


REPRODUCE = """
import os, sys, time
import numpy as np
import microcell.experiments.lda as lda
from joblib import Parallel, delayed
from microcell.cli import main

def busy(out, task):
    print(task, flush=True)
    (out / f"task{task}").write_text(str(os.getpid()))
    time.sleep(60)

def reproduce(out, quick, progress):
    out.mkdir()
    Parallel(n_jobs=2)(delayed(busy)(out, task) for task in range(2))

lda.reproduce = reproduce
main()
"""


@pytest.mark.slow
def test_workers_end_with_the_command(tmp_path):
    """An interrupt in a terminal goes to the whole group."""
    out = tmp_path / "out"
    process = start(["reproduce", "lda", "--out", str(out)], REPRODUCE, session=True)
    workers = []
    while process.poll() is None and len(workers) < 2:
        time.sleep(0.02)
        said = [path.read_text() for path in out.glob("task*")]
        workers = [int(number) for number in said if number]  # written whole
    assert len(workers) == 2
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said == f"error: Interrupted; {out} may hold a part of the results.\n"
    for worker in workers:
        state = Path(f"/proc/{worker}/stat")
        assert not state.exists() or state.read_text().split()[2] in "ZX"
