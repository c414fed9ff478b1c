"""The command line and the program of a release make the same file again."""

import os
import shlex
import shutil
import subprocess
import sys

import pytest

from microcell.app._same_job import command_of, files_of, program_of
from microcell.app._tasks import TASKS

NAMES = [
    pytest.param("survey.csv", "survey", marks=pytest.mark.slow),
    ("my survey's data; rm -rf $HOME `x`.csv", "it's; $HOME"),
    pytest.param("-o.csv", "-rf", marks=pytest.mark.slow),
    pytest.param("a::b\n\"c'\\.csv", 'x"\\', marks=pytest.mark.slow),
    pytest.param("Zähler 日本.csv", "~né", marks=pytest.mark.slow),
]
ENTRIES = {"quasi_identifiers": ["age"], "confidential": ["ill"], "k": 2}


@pytest.fixture(scope="module")
def environment():
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, sys.path))}


@pytest.mark.slow
@pytest.mark.parametrize(("table", "stem"), NAMES)
def test_both_make_the_same_file_again(table, stem, environment, tmp_path):
    made, one, two = (tmp_path / name for name in ("made", "one", "two"))
    for folder in (made, one, two):
        folder.mkdir()
        (folder / table).write_text("age,ill\n30,a\n32,b\n60,a\n62,b\n")
    request = {
        "path": str(made / table),
        "entries": ENTRIES,
        "folder": str(made),
        "format": "csv",
        "purpose": '--it\'s "odd"',
        "author": "Ann\nBob",
        "stem": stem,
    }
    release = TASKS["release"](request, print)
    files = files_of(stem, "csv")
    for folder in (one, two):
        shutil.copy(made / files["recipe"], folder)
    words = shlex.split(release["command"])
    assert words[0] == "microcell"
    command = [sys.executable, "-m", "microcell", *words[1:]]
    subprocess.run(command, cwd=one, env=environment, check=True, capture_output=True)
    program = [sys.executable, "-c", release["python"]]
    subprocess.run(program, cwd=two, env=environment, check=True, capture_output=True)
    for folder in (one, two):
        again = (folder / files["release"]).read_bytes()
        assert again == (made / files["release"]).read_bytes()
        assert "Ann" in (folder / files["report"]).read_text()


def test_a_shell_reads_the_words_that_were_meant():
    table, stem = NAMES[1]
    files = files_of(stem, "xlsx")
    command = command_of(table, files, "a $PATH", "b")
    script = f"microcell() {{ printf '%s\\0' \"$@\"; }}; {command}"
    done = subprocess.run(["sh", "-c", script], capture_output=True, check=True)
    words = done.stdout.decode().split("\0")[:-1]
    assert words == shlex.split(command)[1:]
    assert table in words and "a $PATH" in words


def test_what_is_not_said_is_not_there():
    files = files_of("t", "csv")
    assert "purpose" not in command_of("t.csv", files)
    assert "author" not in program_of("t.csv", files)
