import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import microcell.io._outbox as module
from microcell.io import Outbox


@pytest.fixture(params=["nameless", "hidden name"])
def staging(request, monkeypatch):
    """Both ways to stage a file."""
    if request.param == "hidden name":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    elif not hasattr(os, "O_TMPFILE"):
        pytest.skip("files without a name are Linux only")


def test_files_appear_together(staging, tmp_path):
    with Outbox() as outbox:
        for name in ("a", "b"):
            Path(outbox.stage(tmp_path / name)).write_text(name)
        assert not [p for p in tmp_path.iterdir() if not p.name.startswith(".")]
        outbox.publish()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b"]
    assert (tmp_path / "b").read_text() == "b"


def test_nothing_is_left_after_an_error(staging, tmp_path):
    with pytest.raises(KeyboardInterrupt), Outbox() as outbox:
        Path(outbox.stage(tmp_path / "a")).write_text("half")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_overwriting_replaces_whole_files(staging, tmp_path):
    (tmp_path / "a").write_text("old and longer")
    with Outbox(overwrite=True) as outbox:
        Path(outbox.stage(tmp_path / "a")).write_text("new")
        assert (tmp_path / "a").read_text() == "old and longer"
        outbox.publish()
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text() == "new"


def test_a_file_that_appears_meanwhile_is_kept(staging, tmp_path):
    with pytest.raises(FileExistsError), Outbox() as outbox:
        Path(outbox.stage(tmp_path / "a")).write_text("mine")
        Path(outbox.stage(tmp_path / "b")).write_text("mine")
        (tmp_path / "b").write_text("theirs")
        outbox.publish()
    assert [p.name for p in tmp_path.iterdir()] == ["b"]
    assert (tmp_path / "b").read_text() == "theirs"


def test_a_file_system_without_nameless_files(tmp_path, monkeypatch):
    plain = os.open

    def refuse(path, flags, *args, **options):
        if hasattr(os, "O_TMPFILE") and flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError("not supported")
        return plain(path, flags, *args, **options)

    monkeypatch.setattr(module.os, "open", refuse)
    with Outbox() as outbox:
        Path(outbox.stage(tmp_path / "a")).write_text("whole")
        outbox.publish()
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_links_are_followed(staging, tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    with Outbox(overwrite=True) as outbox:
        Path(outbox.stage(link)).write_text("new")
        outbox.publish()
    assert link.is_symlink() and real.read_text() == "new"


def test_devices_are_left_alone(tmp_path):
    with pytest.raises(OSError, match="not a file"):
        Outbox(overwrite=True).stage("/dev/null")


def test_bad_targets(tmp_path):
    with pytest.raises(FileNotFoundError, match="Create it first"):
        Outbox().stage(tmp_path / "absent" / "a")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        Outbox().stage(tmp_path)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(OSError, match="leads to itself"):
        Outbox(overwrite=True).stage(loop)
    for name in ("a\0b", "a\udc80b"):
        with pytest.raises(ValueError, match="Choose another name"):
            Outbox().stage(tmp_path / name)
    with pytest.raises(OSError, match="too long"):
        Outbox().stage(tmp_path / ("a" * 256))
    with pytest.raises(ValueError, match="same file"), Outbox() as outbox:
        outbox.stage(tmp_path / "a")
        outbox.stage(tmp_path / "a")


NAMES = ("recipe", "certificate", "table")


def staged_set(outbox, folder, text="new"):
    for name in NAMES:
        Path(outbox.stage(folder / name)).write_text(text)


def contents(folder):
    return {p.name: p.read_text() for p in folder.iterdir()}


@pytest.mark.parametrize("overwrite", [False, True])
def test_files_are_on_disk_before_the_first_gets_its_name(
    overwrite, staging, tmp_path, monkeypatch
):
    """Of files that have names, none may be empty or half after a crash."""
    if overwrite:
        for name in NAMES:
            (tmp_path / name).write_text("old")
    calls = []

    def recorded(name, plain):
        def call(*args, **options):
            folder = name == "fsync" and os.path.isdir(f"/proc/self/fd/{args[0]}")
            calls.append("folder" if folder else name)
            return plain(*args, **options)

        return call

    with Outbox(overwrite=overwrite) as outbox:
        staged_set(outbox, tmp_path)
        for name in ("fsync", "link", "replace"):
            monkeypatch.setattr(module.os, name, recorded(name, getattr(os, name)))
        outbox.publish()
        monkeypatch.undo()
    assert calls[:3] == ["fsync"] * 3 and calls.count("fsync") == 3
    assert calls[-1] == "folder"
    naming = "replace" if overwrite else "link"
    assert calls[-4:-1] == [naming] * 3  # nothing between the names


@pytest.mark.parametrize("step", ["recipe", "certificate", "table", "folder"])
@pytest.mark.parametrize("error", [OSError(5, "input/output"), KeyboardInterrupt()])
def test_a_failed_overwrite_puts_the_old_set_back(
    step, error, staging, tmp_path, monkeypatch
):
    for name in ("recipe", "table"):  # there was no certificate
        (tmp_path / name).write_text("old")
    plain_replace, plain_sync = os.replace, os.fsync

    def replace(source, target):
        if step == Path(target).name and "new" in Path(source).read_text():
            raise error
        plain_replace(source, target)

    def sync(descriptor):
        if step == "folder" and os.path.isdir(f"/proc/self/fd/{descriptor}"):
            raise error
        plain_sync(descriptor)

    with pytest.raises(type(error)), Outbox(overwrite=True) as outbox:
        staged_set(outbox, tmp_path)
        monkeypatch.setattr(module.os, "replace", replace)
        monkeypatch.setattr(module.os, "fsync", sync)
        outbox.publish()
    assert outbox.published == []
    assert contents(tmp_path) == {"recipe": "old", "table": "old"}


def test_file_systems_without_links(tmp_path, monkeypatch):
    """The old file is then moved aside, and comes back after an error."""
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    plain = os.replace

    def no_links(*args, **options):
        raise OSError("not supported")

    def replace(source, target):
        if Path(target).name == "table" and Path(source).read_text() == "bad":
            raise OSError("no room")
        plain(source, target)

    monkeypatch.setattr(module.os, "link", no_links)
    monkeypatch.setattr(module.os, "replace", replace)
    for name in NAMES:
        (tmp_path / name).write_text("old")
    with pytest.raises(OSError, match="no room"), Outbox(overwrite=True) as outbox:
        staged_set(outbox, tmp_path, "bad")
        outbox.publish()
    assert contents(tmp_path) == dict.fromkeys(NAMES, "old")
    with Outbox(overwrite=True) as outbox:
        staged_set(outbox, tmp_path)
        outbox.publish()
    assert contents(tmp_path) == dict.fromkeys(NAMES, "new")


def test_what_cannot_be_put_back_is_named_and_kept(tmp_path, monkeypatch):
    (tmp_path / "table").write_text("old")
    monkeypatch.setattr(
        module.os, "replace", lambda *_: (_ for _ in ()).throw(OSError("broken"))
    )
    with pytest.raises(OSError, match="could not be put back") as caught:
        with Outbox(overwrite=True) as outbox:
            Path(outbox.stage(tmp_path / "table")).write_text("new")
            outbox.publish()
    (kept,) = [p for p in tmp_path.iterdir() if p.name.startswith(".")]
    assert str(kept) in str(caught.value) and kept.read_text() == "old"


def test_published_files_are_named(tmp_path):
    module._interrupts.written.clear()
    with Outbox() as outbox:
        staged_set(outbox, tmp_path)
        assert outbox.published == [] == module._interrupts.written
        outbox.publish()
    assert outbox.published == [tmp_path / name for name in NAMES]
    assert module._interrupts.written == [str(tmp_path / name) for name in NAMES]
    assert module._interrupts.hidden == set()


KILLED = """
import os, signal, sys
from pathlib import Path
from microcell.io import Outbox

if sys.argv[2] == "hidden name":
    del os.O_TMPFILE
plain = os.replace

def replace(source, target):
    if Path(target).name == sys.argv[4]:
        os.kill(os.getpid(), int(sys.argv[3]))
    plain(source, target)

os.replace = replace
with Outbox(overwrite=True) as outbox:
    for name in ("recipe", "certificate", "table"):
        Path(outbox.stage(Path(sys.argv[1]) / name)).write_text("new")
    try:
        outbox.publish()
    finally:
        print(*[path.name for path in outbox.published])
"""


def killed(folder, how, number, step):
    return subprocess.run(
        [sys.executable, "-c", KILLED, str(folder), how, str(int(number)), step],
        capture_output=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        text=True,
    )


@pytest.mark.parametrize("how", ["nameless", "hidden name"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_between_two_names_waits(how, number, tmp_path):
    for name in NAMES:
        (tmp_path / name).write_text("old")
    done = killed(tmp_path, how, number, "certificate")
    assert done.returncode == -number
    assert contents(tmp_path) == dict.fromkeys(NAMES, "new")
    if number == signal.SIGINT:
        assert "KeyboardInterrupt" in done.stderr  # as anywhere in a library
        assert done.stdout.split() == list(NAMES)


@pytest.mark.parametrize("how", ["nameless", "hidden name"])
def test_the_next_run_removes_what_a_killed_one_left(how, tmp_path):
    (tmp_path / "table").write_text("old")
    assert killed(tmp_path, how, signal.SIGKILL, "table").returncode == -9
    left = [p.name for p in tmp_path.iterdir() if p.name.startswith(".")]
    assert left
    others = [".table.0123456789abcdef", ".table.x.microcell", ".tables.microcell"]
    for name in others:
        (tmp_path / name).write_text("not ours")
    with Outbox(overwrite=True) as outbox:
        staged_set(outbox, tmp_path)
        outbox.publish()
    assert contents(tmp_path) == dict.fromkeys(NAMES, "new") | dict.fromkeys(
        others, "not ours"
    )


def test_a_run_on_the_same_target_keeps_its_hidden_file(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    with Outbox(overwrite=True) as first, Outbox(overwrite=True) as second:
        staged = Path(first.stage(tmp_path / "a"))
        staged.write_text("first")
        Path(second.stage(tmp_path / "a")).write_text("second")
        assert staged.read_text() == "first"
        second.publish()
        first.publish()
    assert contents(tmp_path) == {"a": "first"}


def test_links_and_folders_named_like_ours_stay(tmp_path):
    mark = "0123456789abcdef.microcell"
    (tmp_path / "precious").write_text("kept")
    (tmp_path / f".a.{mark}").symlink_to(tmp_path / "precious")
    (tmp_path / f".b.{mark}").mkdir()
    with Outbox() as outbox:
        outbox.stage(tmp_path / "a")
        outbox.stage(tmp_path / "b")
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_what_is_not_ours_stays_whatever_its_name(tmp_path, monkeypatch):
    mark = "0123456789abcdef.microcell"
    os.mkfifo(tmp_path / f".a.{mark}")
    (tmp_path / f".b.{mark}").write_text("of somebody else")
    for name, owner in (("a", os.geteuid()), ("b", os.geteuid() + 1)):
        monkeypatch.setattr(os, "geteuid", lambda owner=owner: owner)
        with Outbox() as outbox:
            outbox.stage(tmp_path / name)
    assert len(list(tmp_path.iterdir())) == 2


def test_long_names(staging, tmp_path):
    name = "a" * 255
    for overwrite in (False, True):
        with Outbox(overwrite=overwrite) as outbox:
            Path(outbox.stage(tmp_path / name)).write_text("whole")
            outbox.publish()
    assert [p.name for p in tmp_path.iterdir()] == [name]
