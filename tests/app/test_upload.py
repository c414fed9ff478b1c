"""Uploads are counted while they come."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.app import _upload
from microcell.app._errors import Refused
from microcell.app._upload import receive, safe_name


async def chunks(*parts):
    for part in parts:
        yield part


def test_what_comes_is_written_for_the_owner_alone(tmp_path):
    target = tmp_path / "t.csv"
    assert asyncio.run(receive(chunks(b"a,b\n", b"1,2\n"), target, 8)) == 8
    assert target.read_bytes() == b"a,b\n1,2\n"
    assert target.stat().st_mode & 0o777 == 0o600


def test_what_is_too_much_is_cut_off_at_the_limit(tmp_path):
    taken = 0

    async def endless():
        nonlocal taken
        while True:
            taken += 1000
            yield b"x" * 1000

    with pytest.raises(Refused, match=r"larger than 5.0 kB.*--upload-limit") as error:
        asyncio.run(receive(endless(), tmp_path / "t.csv", 5000))
    assert error.value.status == 413 and taken == 6000
    assert list(tmp_path.iterdir()) == []


def test_what_is_declared_as_too_much_is_not_even_taken(tmp_path):
    async def never():
        raise AssertionError
        yield

    with pytest.raises(Refused):
        asyncio.run(receive(never(), tmp_path / "t.csv", 5000, declared=5001))


def test_a_declaration_that_lies_does_not_help(tmp_path):
    with pytest.raises(Refused, match="larger"):
        asyncio.run(receive(chunks(b"x" * 20), tmp_path / "t", 10, declared=1))
    assert list(tmp_path.iterdir()) == []


def test_an_upload_that_breaks_off_leaves_nothing(tmp_path):
    async def breaks_off():
        yield b"x"
        raise ConnectionError

    with pytest.raises(ConnectionError):
        asyncio.run(receive(breaks_off(), tmp_path / "t.csv", 100))
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_refused(tmp_path):
    with pytest.raises(Refused, match="empty"):
        asyncio.run(receive(chunks(b""), tmp_path / "t.csv", 100))
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_is_said_before(tmp_path, monkeypatch):
    monkeypatch.setattr(_upload, "KEPT_FREE_BYTES", 10**18)
    with pytest.raises(Refused, match="too little space"):
        asyncio.run(receive(chunks(b"x"), tmp_path / "t.csv", 100))


@given(st.text(max_size=400))
def test_every_name_becomes_a_safe_one(name):
    safe = safe_name(name)
    assert safe not in ("", ".", "..") and not safe.startswith(".")
    assert not set(safe) & set('/\\:<>"|?*\0\r\n\t`$') and safe.isprintable()
    assert len(safe) <= 100 and len(safe.encode()) <= 255
    assert safe_name(safe) == safe


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "xlsx"])
def test_a_long_name_keeps_its_suffix(suffix):
    assert safe_name("ä" * 300 + "." + suffix).endswith(suffix.split(".")[-1])
