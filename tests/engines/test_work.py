"""Work folders: finished steps are kept and checked, the rest goes."""

import hashlib
import multiprocessing
import os
import pickle
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from marks import first_is_quick

from microcell.embed import Moments
from microcell.engines._step_notes import from_text, to_text
from microcell.engines._work import Work
from microcell.exceptions import InputError
from microcell.pipeline._classes import CheckedFinding
from microcell.pipeline._counted import Counted, Vague
from microcell.pipeline._job import Arrivals
from microcell.pipeline._missing import Gaps
from microcell.pipeline._tally import Tally
from microcell.pipeline._weights import Dominated
from microcell.privacy import Finding

ONE, OTHER = 32 * "1", 32 * "2"


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def leave(target, digest, **files):
    """What a killed run of a target leaves."""
    work = Work(target, digest)
    work.__enter__()
    for name, content in files.items():
        work.finish(name, lambda path, c=content: path.write_text(c))
    os.close(work._lock)
    from microcell import _interrupts

    _interrupts.at_end.remove(work.interrupted)
    return work.path


def test_finished_steps_stay_for_the_same_job(tmp_path):
    leave(tmp_path / "out", ONE, a="first", b="second")
    with Work(tmp_path / "out", ONE) as work:
        path, note = work.finished("a")
        assert path.read_text() == "first" and note == 5
        assert work.done("b", lambda path: 1 / 0)[1] == 6
        assert work.finished("c") is None
    assert left(tmp_path) == []


def test_changed_file_is_not_finished(tmp_path):
    folder = leave(tmp_path / "out", ONE, a="first", b="second", c="third")
    (folder / "a").write_text("First")
    (folder / "b.done").write_bytes((folder / "b.done").read_bytes()[:-1])
    os.unlink(folder / "c")
    with Work(tmp_path / "out", ONE) as work:
        assert [work.finished(name) for name in "abc"] == [None, None, None]


def test_another_job_of_the_target_is_removed(tmp_path):
    folder = leave(tmp_path / "out", ONE, a="first")
    with Work(tmp_path / "out", OTHER) as work:
        assert not folder.exists() and work.finished("a") is None


def test_old_folders_of_other_targets_are_removed(tmp_path):
    young = leave(tmp_path / "young", ONE, a="first")
    old = leave(tmp_path / "old", ONE, a="first")
    then = time.time() - 2 * 86_400
    os.utime(old, (then, then))
    (tmp_path / ".mine.microcell-notes").mkdir()
    with Work(tmp_path / "out", ONE):
        assert left(tmp_path) == sorted(
            [young.name, ".mine.microcell-notes", Work(tmp_path / "out", ONE).path.name]
        )


def _hold(target, digest, ready, done):
    with Work(target, digest):
        ready.set()
        done.wait(30)


@pytest.mark.parametrize("digest", first_is_quick([ONE, OTHER]))
def test_two_runs_do_not_meet(tmp_path, digest):
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(tmp_path / "out", ONE, ready, done))
    other.start()
    try:
        assert ready.wait(60)
        with pytest.raises(InputError, match="Another run is writing out"):
            with Work(tmp_path / "out", digest):
                pass
        assert len(left(tmp_path)) == 1
    finally:
        done.set()
        other.join()
    assert other.exitcode == 0 and left(tmp_path) == []


def test_folder_of_others_is_not_used(tmp_path):
    path = Work(tmp_path / "out", ONE).path
    path.mkdir(mode=0o755)
    with pytest.raises(PermissionError, match="others than you can read"):
        Work(tmp_path / "out", ONE).__enter__()
    path.rmdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PermissionError, match="others than you can read"):
        Work(tmp_path / "out", ONE).__enter__()
    assert left(tmp_path / "elsewhere") == []


def test_an_error_leaves_nothing(tmp_path):
    with pytest.raises(ZeroDivisionError):
        with Work(tmp_path / "out", ONE) as work:
            work.finish("a", lambda path: 1 / 0)
    assert left(tmp_path) == []


@pytest.mark.parametrize("digest", [ONE, OTHER])
def test_replaced_folder_is_put_back_after_a_kill(tmp_path, digest):
    """Killed after the old release was moved aside, before the new one had its name."""
    folder = leave(tmp_path / "out", ONE)
    (folder / "replaced").mkdir()
    (folder / "replaced" / "part").write_text("old")
    with Work(tmp_path / "out", digest):
        assert (tmp_path / "out" / "part").read_text() == "old"
    assert left(tmp_path) == ["out"]


def test_new_release_stays_after_a_kill(tmp_path):
    """Killed after the new release had its name."""
    folder = leave(tmp_path / "out", ONE)
    for place, content in ((folder / "replaced", "old"), (tmp_path / "out", "new")):
        place.mkdir()
        (place / "part").write_text(content)
    with Work(tmp_path / "out", ONE):
        assert (tmp_path / "out" / "part").read_text() == "new"
    assert left(tmp_path) == ["out"]
    assert Path(tmp_path / "out" / "part").read_text() == "new"


def test_long_names(tmp_path):
    target = tmp_path / (240 * "a")
    with Work(target, ONE) as work:
        work.finish("a", lambda path: path.write_text("x"))
    assert left(tmp_path) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_files_of_others_are_not_read(tmp_path):
    with Work(tmp_path / "release", ONE) as work:
        work.finish("a", lambda path: path.write_text("a"))
        os.chown(work.path / "a.done", 65534, 65534)
        with pytest.raises(PermissionError, match="somebody else"):
            work.finished("a")


def test_links_are_not_read(tmp_path):
    with Work(tmp_path / "release", ONE) as work:
        path, _ = work.finish("a", lambda path: path.write_text("a"))
        said = path.with_name("a.done")
        said.rename(path.with_name("b"))
        said.symlink_to("b")
        with pytest.raises(OSError, match="symbolic"):
            work.finished("a")


class Harmful:
    def __reduce__(self):
        return pytest.fail, ("what is kept has run code",)


def test_what_is_kept_runs_no_code(tmp_path):
    with Work(tmp_path / "release", ONE) as work:
        work.finish("a", lambda path: path.write_text("a"))
        payload = pickle.dumps({"bytes": 1, "sha256": "", "note": Harmful()})
        digest = hashlib.sha256(payload).hexdigest().encode("ascii")
        (work.path / "a.done").write_bytes(digest + payload)
        assert work.finished("a") is None


def test_notes_come_back_as_they_were():
    gaps = {"age": Gaps(3, 1)}
    finding = CheckedFinding(Finding("k", 5, 7.0, 0), False)
    counted = Counted(gaps=gaps, vague={"job": Vague(9, 2)}, dominated=Dominated(0, 1))
    tally = Tally(4, 4, (2,), Fraction(1, 3), findings={0: finding}, counted=counted)
    note = (tally, {3: 1}, ["x"], Counter(a=2), np.float64(0.5), None, np.inf)
    again = from_text(to_text(note))
    assert again == note and type(again[0].findings[0]) is CheckedFinding
    frame = pl.DataFrame({"code": [1, None], "word": ["a", ""]})
    centres = {0: [Moments.of(np.array([0.5, 2.0]))]}
    three = np.arange(3)
    sent = Arrivals(three, three, three, [frame], centres)
    arrivals = from_text(to_text(sent))
    assert arrivals.centres == centres
    assert arrivals.counts.tolist() == [0, 1, 2] and arrivals.values[0].equals(frame)
    with pytest.raises(TypeError, match="not kept"):
        to_text(Harmful())


def test_work_of_another_version_is_not_thrown_away(tmp_path):
    path = leave(tmp_path / "out", OTHER)
    (path / "job").write_text('{"target": "out", "digest": "' + OTHER + '"}')
    for digest in (ONE, OTHER):
        with pytest.raises(InputError, match="another version of microcell"):
            Work(tmp_path / "out", digest).__enter__()
    assert path.exists()
