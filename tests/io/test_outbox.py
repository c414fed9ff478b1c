import os
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
    with pytest.raises(ValueError, match="same file"), Outbox() as outbox:
        outbox.stage(tmp_path / "a")
        outbox.stage(tmp_path / "a")
