import dataclasses
import hashlib
import os
import re
import urllib.error
from functools import partial
from http.client import IncompleteRead
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from microcell.datasets import _fetch, fetch_glass
from microcell.datasets._benchmark_tables import TABLES

RAW = b"1,1.5,13.6,4.5,1.1,71.8,0.1,8.8,0.0,0.0,1\n"
CSV = TABLES["glass"].normalise(RAW)
GLASS = dataclasses.replace(TABLES["glass"], sha256=hashlib.sha256(CSV).hexdigest())


@pytest.fixture(autouse=True)
def no_data_folder(monkeypatch):
    monkeypatch.delenv("MICROCELL_DATA", raising=False)


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def online(offline):
    (offline / "glass").mkdir()
    (offline / "glass" / "glass.data").write_bytes(RAW)
    return offline


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def refuse(*args, **kwargs):
    raise AssertionError("nothing should be downloaded")


def test_download_is_normalised_and_cached(online, cache):
    assert _fetch.fetch(GLASS) == CSV
    assert [path.name for path in cache.iterdir()] == ["glass.csv"]
    assert (cache / "glass.csv").read_bytes() == CSV


def test_cache_is_used_again(online, monkeypatch):
    _fetch.fetch(GLASS)
    monkeypatch.setattr(_fetch, "urlopen", refuse)
    assert _fetch.fetch(GLASS) == CSV


def test_data_folder_comes_first(cache, tmp_path, monkeypatch):
    folder = tmp_path / "data"
    for place, content in ((folder, CSV), (cache, b"other")):
        place.mkdir()
        (place / "glass.csv").write_bytes(content)
    monkeypatch.setenv("MICROCELL_DATA", str(folder))
    monkeypatch.setattr(_fetch, "urlopen", refuse)
    assert _fetch.fetch(GLASS) == CSV


def test_cache_follows_data_folder_without_the_file(cache, tmp_path, monkeypatch):
    cache.mkdir()
    (cache / "glass.csv").write_bytes(CSV)
    monkeypatch.setenv("MICROCELL_DATA", str(tmp_path))
    monkeypatch.setattr(_fetch, "urlopen", refuse)
    assert _fetch.fetch(GLASS) == CSV


def test_data_folder_that_is_not_one(tmp_path, monkeypatch):
    monkeypatch.setenv("MICROCELL_DATA", str(tmp_path / "absent"))
    with pytest.raises(NotADirectoryError, match=r"absent.*not a folder.*or unset it"):
        _fetch.fetch(GLASS)


@pytest.mark.parametrize(
    "error",
    [urllib.error.URLError("no route"), TimeoutError("slow"), IncompleteRead(b"1")],
    ids=lambda error: type(error).__name__,
)
def test_offline(error, monkeypatch, cache):
    def fail(url, timeout):
        assert timeout > 0
        raise error

    monkeypatch.setattr(_fetch, "urlopen", fail)
    with pytest.raises(FileNotFoundError) as caught:
        _fetch.fetch(GLASS)
    message = str(caught.value)
    for part in ("glass.csv", "glass/glass.data", str(error), "MICROCELL_DATA"):
        assert part in message
    assert not cache.exists()


def test_answer_404(tmp_path, monkeypatch):
    handler = partial(QuietHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        monkeypatch.setattr(_fetch, "BASE_URL", url)
        with pytest.raises(FileNotFoundError, match=r"failed: HTTP Error 404"):
            _fetch.fetch(GLASS)
        server.shutdown()


def test_second_of_two_files_fails(offline, cache):
    (offline / "adult").mkdir()
    (offline / "adult" / "adult.data").write_bytes(b"1, 2\n")
    with pytest.raises(FileNotFoundError, match=r"adult\.test failed"):
        _fetch.fetch(TABLES["adult"])
    assert not cache.exists()


def test_download_with_wrong_content_is_not_kept(online, cache):
    (online / "glass" / "glass.data").write_bytes(RAW[:-5])
    found = hashlib.sha256(GLASS.normalise(RAW[:-5])).hexdigest()
    with pytest.raises(ValueError, match=rf"{found}.*should be {GLASS.sha256}"):
        _fetch.fetch(GLASS)
    assert not cache.exists()


def test_file_with_wrong_content(cache):
    cache.mkdir()
    (cache / "glass.csv").write_bytes(CSV[:-5])
    found = hashlib.sha256(CSV[:-5]).hexdigest()
    pattern = rf"{re.escape(str(cache))}.*{found}.*{GLASS.sha256}.*Replace or delete"
    with pytest.raises(ValueError, match=pattern):
        _fetch.fetch(GLASS)


def test_no_part_of_a_file_stays_when_the_rename_fails(online, cache, monkeypatch):
    def fail(*args):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        _fetch.fetch(GLASS)
    assert list(cache.iterdir()) == []


def test_cache_that_cannot_be_written(online, cache):
    cache.write_text("a file, not a folder")
    with pytest.raises(OSError, match="Set MICROCELL_CACHE to a folder that can"):
        _fetch.fetch(GLASS)


@pytest.mark.parametrize(
    "name",
    ["census", "eia", "page-blocks", "waveform", "pima-diabetes", "electrical-grid"],
)
def test_no_automatic_download(name, monkeypatch):
    monkeypatch.setattr(_fetch, "urlopen", refuse)
    table = TABLES[name]
    with pytest.raises(FileNotFoundError, match="cannot be downloaded") as caught:
        _fetch.fetch(table)
    message = str(caught.value)
    for part in (table.file, table.by_hand, table.sha256, "MICROCELL_DATA (not set)"):
        assert part in message
    assert ",".join(table.columns) in message


def test_default_cache_is_in_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("MICROCELL_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert _fetch._cache_folder() == Path(tmp_path, ".cache", "microcell")


def test_public_function_tells_the_way_out():
    with pytest.raises(
        FileNotFoundError, match=r"glass\.csv is not in .*By hand: take"
    ):
        fetch_glass()
