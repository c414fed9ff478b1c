"""No test here reaches the network or the user's cache."""

import os
from pathlib import Path

import pytest

from microcell.datasets import _fetch


@pytest.fixture(autouse=True)
def offline(monkeypatch, tmp_path):
    """An empty source and an empty cache; returns the folder of the source."""
    source = tmp_path / "source"
    source.mkdir()
    monkeypatch.setattr(_fetch, "BASE_URL", source.as_uri() + "/")
    monkeypatch.setenv("MICROCELL_CACHE", str(tmp_path / "cache"))
    return source


@pytest.fixture
def data_folder():
    """Folder of the benchmark files."""
    folder = os.environ.get("MICROCELL_DATA")
    if not folder:
        pytest.skip("needs the benchmark files: set MICROCELL_DATA to their folder")
    return Path(folder)
