"""The folder of a run: for its owner alone, and nothing stays."""

import os
import signal
import subprocess
import sys
import time

import pytest

from microcell.app import _workspace
from microcell.app._workspace import PREFIX, Workspace, remove_left_behind

HOLD = """
import sys, time
from microcell.app._workspace import Workspace
workspace = Workspace(sys.argv[1])
(workspace.root / "secret.csv").write_text("name")
print(workspace.root, flush=True)
time.sleep(60)
"""


def test_only_the_owner_may_read_it(tmp_path):
    with Workspace(tmp_path) as workspace:
        inner = workspace.folder("documents", "one")
        assert workspace.root.parent == tmp_path
        for folder in (workspace.root, inner, inner.parent):
            assert folder.stat().st_mode & 0o777 == 0o700


def test_nothing_stays(tmp_path):
    with Workspace(tmp_path) as workspace:
        (workspace.folder("documents") / "table.csv").write_text("a,b")
    assert list(tmp_path.iterdir()) == []


def test_nothing_stays_after_an_error(tmp_path):
    with pytest.raises(KeyError), Workspace(tmp_path):
        raise KeyError
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_removed_at_the_next_start(tmp_path):
    killed = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    with killed:
        left = killed.stdout.readline().strip()
        with Workspace(tmp_path) as other:  # while it runs it is left alone
            assert os.path.exists(left)
        killed.send_signal(signal.SIGKILL)
    assert os.path.exists(left)
    with Workspace(tmp_path) as other:
        assert [*tmp_path.iterdir()] == [other.root]


def test_a_run_that_is_about_to_take_its_lock_is_left_alone(tmp_path, monkeypatch):
    made = tmp_path / f"{PREFIX}new"
    made.mkdir()
    remove_left_behind(tmp_path)
    assert made.exists()
    monkeypatch.setattr(_workspace, "LOCK_SECONDS", -1.0)
    remove_left_behind(tmp_path)
    assert not made.exists()


def test_links_and_folders_of_others_are_left_alone(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "in-use").touch()
    os.symlink(elsewhere, tmp_path / f"{PREFIX}link")
    (tmp_path / "other").mkdir()
    (tmp_path / f"{PREFIX}file").touch()
    remove_left_behind(tmp_path)
    assert len([*tmp_path.iterdir()]) == 4 and (elsewhere / "in-use").exists()


def test_a_folder_is_removed_while_somebody_still_writes_to_it(tmp_path):
    program = (
        "import sys, time, pathlib\n"
        "end = time.monotonic() + 0.4\n"
        "while time.monotonic() < end:\n"
        "    try:\n"
        "        pathlib.Path(sys.argv[1]).mkdir(exist_ok=True)\n"
        "        (pathlib.Path(sys.argv[1]) / 'x').write_text('x')\n"
        "    except OSError: pass\n"
    )
    folder = tmp_path / "job"
    folder.mkdir()
    with subprocess.Popen([sys.executable, "-c", program, str(folder)]) as writer:
        time.sleep(0.1)
        writer.wait()
        _workspace.empty(folder)
    assert not folder.exists()
