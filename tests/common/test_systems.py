"""What other systems lack: the package is imported there, and releases are made.

Nobody has Windows or macOS at hand, so that a process here loses what Linux has.
"""

import subprocess
import sys

import pytest
from marks import first_is_quick

WITHOUT = """
import asyncio, builtins, multiprocessing, os, shutil, signal, subprocess, sys, tempfile
import fcntl as locks
import fastapi, joblib, numba, polars, pyarrow.csv, pyarrow.parquet, rich, typer
import scipy.optimize, sklearn.cluster, sklearn.discriminant_analysis, uvicorn

windows = {windows}

def take(module, *names):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)

take(os, "sched_getaffinity", "O_TMPFILE", "register_at_fork" if windows else "")
tempfile._O_TMPFILE_WORKS = False
real_open, real_io_open = os.open, open

def no_proc(path):
    ours = "microcell" in sys._getframe(2).f_code.co_filename
    if ours and str(path).startswith(("/proc/", "/sys/")):
        raise FileNotFoundError(2, "there is no such folder here", str(path))

def open_(path, *more, **named):
    no_proc(path)
    return real_io_open(path, *more, **named)

builtins.open = open_
real_isdir = os.path.isdir
os.path.isdir = lambda path: not str(path).startswith("/proc") and real_isdir(path)
"""
WINDOWS = """
import types
take(os, "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "geteuid", "getuid",
     "set_blocking", "killpg", "sysconf", "fork", "getpgid", "setsid", "fchmod",
     "fchown", "chown", "mkfifo")
take(signal, "pthread_sigmask", "SIGHUP", "SIGKILL", "SIGALRM", "setitimer")
wake = signal.set_wakeup_fd
signal.set_wakeup_fd = lambda number, **more: fcntl_free(number) or wake(number, **more)
shutil._use_fd_functions = False

def fcntl_free(number):  # Windows asks for no such mode
    flags = locks.fcntl(number, locks.F_GETFL)
    locks.fcntl(number, locks.F_SETFL, flags | 0o4000)

def locking(descriptor, mode, n):  # as msvcrt's, which keeps others from the bytes
    assert os.fstat(descriptor).st_size == 0, "others are kept from what it holds"
    locks.flock(descriptor, locks.LOCK_EX | locks.LOCK_NB)

sys.modules.update(dict.fromkeys(["fcntl", "resource", "pwd", "grp", "termios", "tty"]))
sys.modules["msvcrt"] = types.SimpleNamespace(LK_LOCK=1, LK_NBLCK=2, locking=locking)

def opened(path, flags, mode=0o777, **more):
    assert not more
    if real_isdir(path):
        raise PermissionError(13, "a folder cannot be opened", path)
    return real_open(path, flags, mode)

def is_open(path):
    found = [os.path.join("/proc/self/fd", n) for n in os.listdir("/proc/self/fd")]
    links = [os.readlink(each) for each in found if os.path.lexists(each)]
    return any(link == str(path) or link.startswith(f"{path}/") for link in links)

def of_closed(act):
    def acted(source, *target, **more):
        ours = ".microcell" in str(source) or "microcell-app-" in str(source)
        if "dir_fd" not in more and ours and is_open(os.path.abspath(source)):
            raise PermissionError(13, "the file is open", str(source))
        if act is real_rename and os.path.exists(target[0]):
            raise FileExistsError(17, "it exists", target[0])
        return act(source, *target, **more)
    return acted

def linked(source, target, **more):
    if more:
        raise NotImplementedError("folders by descriptor")
    return real_link(source, target)

real_rename, real_link = os.rename, os.link
os.rename, os.replace = of_closed(os.rename), of_closed(os.replace)
os.unlink, os.remove, os.link = of_closed(os.unlink), of_closed(os.remove), linked
os.open = opened
"""
WORK = """
import importlib, os, pkgutil, sys
import polars as pl

import microcell

OPTIONAL = ("microcell.spark", "microcell.experiments")
for found in pkgutil.walk_packages(microcell.__path__, "microcell."):
    if not found.name.startswith(OPTIONAL) and not found.name.endswith("__main__"):
        importlib.import_module(found.name)

from microcell import anonymize_file, check_file
from microcell._memory import available_memory
from microcell.pipeline import cores
from microcell.app._workspace import Workspace, remove_left_behind

folder = sys.argv[1]
os.chdir(folder)
n = 600
pl.DataFrame({"age": [i * 7919 % 83 for i in range(n)],
              "height": [i * 104729 % 997 / 10 for i in range(n)],
              "ill": ["yn"[i % 2] for i in range(n)]}).write_csv("t.csv")
recipe = microcell.Recipe(
    microcell.Schema(["age", "height"], confidential=["ill"]), unit="records",
    k=5, method="mdav", measures="quick")
for engine in ("memory", "disk"):
    for again in (False, True):
        anonymize_file("t.csv", recipe, f"{engine}.csv", engine=engine, overwrite=again,
                       certificate=f"{engine}.json", write_recipe=f"{engine}.toml")
    assert pl.read_csv(f"{engine}.csv").height == n
    check_file(f"{engine}.csv", recipe=f"{engine}.toml").to_dict()
assert not [name for name in os.listdir() if name.startswith(".")], os.listdir()

os.mkdir("places")
with Workspace("places") as used:
    (used.root / "upload.csv").write_text("a")
    remove_left_behind("places")
    assert (used.root / "upload.csv").exists()
assert os.listdir("places") == []
assert cores() == (os.cpu_count() or 1) and available_memory() > 10**8
sys.argv = "microcell anonymize t.csv --recipe disk.toml -o line.csv".split()
from microcell.cli import main
main()
"""


@pytest.mark.parametrize("system", first_is_quick(["Windows", "macOS"]))
def test_releases_are_made_without_what_linux_has(system, tmp_path):
    """Open files can be renamed, and folders be opened, on POSIX alone."""
    windows = system == "Windows"
    program = WITHOUT.format(windows=windows) + (WINDOWS if windows else "") + WORK
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "line.csv").exists()
