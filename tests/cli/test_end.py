"""How a process of the command line ends."""

import subprocess
import sys
import time

import pytest
from marks import first_is_quick


def ended(code, *arguments, **options):
    command = [sys.executable, "-c", f"from microcell.cli import main\n{code}main()"]
    return subprocess.run([*command, *arguments], text=True, **options)


@pytest.mark.parametrize("asked", first_is_quick(["--help", "--version"]))
def test_all_that_was_said_is_there(asked):
    done = ended("", asked, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\n")


def test_what_is_to_be_called_at_the_end_is_called():
    code = "import atexit\natexit.register(lambda: print('at the end'))\n"
    done = ended(code, "--version", capture_output=True)
    assert done.stdout.splitlines()[-1] == "at the end"


def test_a_crash_leaves_no_file_of_the_memory():
    pytest.importorskip("resource")
    code = "import atexit, resource\n"
    code += "look = lambda: print(resource.getrlimit(resource.RLIMIT_CORE))\n"
    done = ended(f"{code}atexit.register(look)\n", "--version", capture_output=True)
    assert done.stdout.splitlines()[-1] == "(0, 0)"


def test_python_does_not_take_its_modules_apart():
    code = (
        "class Last:\n    def __del__(self):\n        print('taken apart')\n"
        "import string\nstring.last = Last()\n"
    )
    done = ended(code, "--version", capture_output=True)
    assert "taken apart" not in done.stdout


def test_an_error_has_its_code():
    done = ended("", "check", "no such file.csv", "-q", "age", capture_output=True)
    assert done.returncode == 2
    assert "no such file.csv" in done.stderr


def test_words_that_nobody_can_be_told_are_an_error():
    try:
        full = open("/dev/full", "w")
    except OSError:
        pytest.skip("this system has no device that is full")
    with full:
        done = ended("", "--version", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode != 0


LONGEST_END = 60  # seconds; workers of joblib wait 300 for more to do
IDLE_WORKERS = """
import time
import typer
from joblib import Parallel, delayed
from microcell.cli import _app

def work():
    Parallel(2)(delayed(time.sleep)(0.5) for _ in range(4))
    print("written", flush=True)
    raise typer.Exit(int(sys.argv[-1]))

import sys
_app.app = lambda **_: _app.typer.main.get_command(command)()
command = _app.typer.Typer()
command.command()(lambda code: work())
"""


@pytest.mark.parametrize("code", first_is_quick([2, 0]))
def test_a_command_ends_when_its_work_is_done(code):
    """All of it: workers that wait for more keep the pipes of a command open."""
    command = [sys.executable, "-c", f"{IDLE_WORKERS}\n_app.run()", str(code)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "written\n"
        began = time.monotonic()
        process.communicate()
    assert process.returncode == code
    assert time.monotonic() - began < LONGEST_END
