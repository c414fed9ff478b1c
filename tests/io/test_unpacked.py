"""Files that unpack to far more than they are."""

import gzip
import io
import struct
import zipfile

import polars as pl
import pytest

from microcell.exceptions import InputError
from microcell.io import _unpacked, read_columns, read_table, write_table
from microcell.io._compressed import create_bytes, open_bytes
from microcell.io._unpacked import check_workbook, most_unpacked

TABLE = pl.DataFrame({"age": [30, 32, 60], "ill": ["a", "b", "c"]})
SHEET = "xl/worksheets/sheet1.xml"
ROOM = 1 << 20


@pytest.fixture
def small_room(monkeypatch):
    """A machine on which little may be unpacked, so that tests need little."""
    monkeypatch.setattr(_unpacked, "HARMLESS_BYTES", ROOM)
    monkeypatch.setattr(_unpacked, "available_memory", lambda: ROOM)


def workbook_with(path, sheet, method=zipfile.ZIP_DEFLATED):
    """A workbook whose sheet is replaced by other bytes."""
    write_table(TABLE, path)
    with zipfile.ZipFile(path) as old:
        parts = {part: old.read(part) for part in old.namelist()}
    assert SHEET in parts
    with zipfile.ZipFile(path, "w", method) as new:
        for part, data in parts.items():
            new.writestr(part, sheet if part == SHEET else data)
    return path


def spaces(n):
    """A sheet with n bytes of nothing in it, which one byte in a thousand packs."""
    begin = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/'
    begin += b'2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>age'
    return begin + b" " * n + b"</t></is></c></row></sheetData></worksheet>"


def lying(path, declared):
    """The same archive, whose headers say another size of the sheet."""
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        part = archive.getinfo(SHEET)
        start = archive.start_dir
    struct.pack_into("<I", data, part.header_offset + 22, declared)
    while data[start : start + 4] == b"PK\1\2":
        name, extra, comment = struct.unpack_from("<HHH", data, start + 28)
        if data[start + 46 : start + 46 + name] == SHEET.encode():
            struct.pack_into("<I", data, start + 24, declared)
        start += 46 + name + extra + comment
    path.write_bytes(bytes(data))
    with zipfile.ZipFile(path) as archive:
        assert archive.getinfo(SHEET).file_size == declared


def test_a_workbook_that_says_it_is_a_bomb(small_room, tmp_path):
    path = workbook_with(tmp_path / "t.xlsx", spaces(5 * ROOM))
    assert path.stat().st_size < ROOM / 50
    for read in (read_table, read_columns):
        with pytest.raises(InputError, match=r"unpacks to more than 1.*\.csv file"):
            read(path)


def test_a_workbook_that_lies_about_its_size(small_room, tmp_path):
    path = workbook_with(tmp_path / "t.xlsx", spaces(5 * ROOM))
    lying(path, 1000)
    with pytest.raises(InputError, match="unpacks to more than"):
        read_table(path)


def test_parts_that_are_no_sheets_are_counted_too(small_room, tmp_path):
    path = tmp_path / "t.ods"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("content.xml", spaces(5 * ROOM))
    data = path.read_bytes().replace(
        struct.pack("<I", len(spaces(5 * ROOM))), struct.pack("<I", 10)
    )
    path.write_bytes(data)
    with pytest.raises(InputError, match="unpacks to more than"):
        read_table(path)


def test_honest_workbooks_are_read(small_room, tmp_path):
    path = tmp_path / "t.xlsx"
    write_table(TABLE, path)
    assert read_table(path).equals(TABLE)
    stored = workbook_with(tmp_path / "s.xlsx", spaces(10), zipfile.ZIP_STORED)
    check_workbook(stored, stored)


@pytest.mark.parametrize("contents", [b"PK\3\4 and no archive", b"no archive", b"PK"])
def test_what_is_no_archive_is_left_to_its_reader(contents, tmp_path):
    path = tmp_path / "t.xlsx"
    path.write_bytes(contents)
    check_workbook(path, path)
    with pytest.raises(InputError, match="is not an Excel file, or it is damaged"):
        read_table(path)


def test_cells_far_from_all_others(tmp_path):
    begin, _, end = spaces(0).partition(b"</row>")
    far = b'</row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    path = workbook_with(tmp_path / "t.xlsx", begin + far + end)
    with pytest.raises(InputError, match=r"up to row 1048576 and column 16384.*Delete"):
        read_table(path)
    apart = b'<c r="XFD1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v>'
    path = workbook_with(tmp_path / "u.xlsx", begin + apart + b"</c></row>" + end)
    with pytest.raises(InputError, match="up to row 1048576 and column 16384"):
        read_table(path)


def test_a_cell_far_to_the_right_alone_is_read(tmp_path):
    path = tmp_path / "t.xlsx"
    wide = pl.DataFrame({f"c{i}": [i] for i in range(800)})
    write_table(wide, path)
    assert read_table(path).equals(wide)


@pytest.mark.parametrize("across", range(1, 12))
def test_a_cell_across_two_chunks_is_seen(across, monkeypatch, tmp_path):
    begin, _, end = spaces(0).partition(b"</row>")
    far = b'</row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    sheet = begin + far + end
    path = workbook_with(tmp_path / "t.xlsx", sheet)
    monkeypatch.setattr(_unpacked, "CHUNK", sheet.index(b"XFD1") + across)
    with pytest.raises(InputError, match="row 1048576"):
        check_workbook(path, path)


def packed_text(path, how, n):
    with create_bytes(path, how) as file:
        file.write(b"age,sex\n")
        file.write(b"30,f\n" * n)
    return path


@pytest.mark.parametrize(("suffix", "how"), [(".gz", "gzip"), (".zst", "zstd")])
def test_text_that_is_a_bomb(suffix, how, small_room, tmp_path):
    path = packed_text(tmp_path / f"t.csv{suffix}", how, 2 * ROOM)
    assert path.stat().st_size < ROOM / 10
    with pytest.raises(InputError, match=r"t.csv.*unpacks to more than.*Unpack it"):
        read_table(path)


def test_text_without_lines_that_is_a_bomb(small_room, tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"age" + b"e" * 5 * ROOM))
    for read in (read_columns, read_table):
        with pytest.raises(InputError, match="unpacks to more than"):
            read(path)
    with pytest.raises(InputError, match="unpacks to more than"):
        read_table(path, encoding="utf-8", delimiter=",")


@pytest.mark.parametrize(("suffix", "how"), [(".gz", "gzip"), (".zst", "zstd")])
def test_honest_text_is_read(suffix, how, small_room, tmp_path):
    path = packed_text(tmp_path / f"t.csv{suffix}", how, 1000)
    assert read_table(path).height == 1000


def test_larger_than_memory_may_be_streamed_and_not_held(small_room, tmp_path):
    """What an honest file holds goes through in parts; all of it does not fit."""
    rows = b"".join(b"%d\n" % (i * 7919 % 10**9) for i in range(2 * ROOM // 8))
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"age\n" + rows))
    assert path.stat().st_size > ROOM / 10
    with open_bytes(path) as file:
        assert len(file.read()) == len(rows) + 4
    with open_bytes(path, whole=True) as file, pytest.raises(InputError):
        file.read()


def test_the_limit_grows_with_the_file_and_the_memory(monkeypatch):
    assert most_unpacked(0) >= _unpacked.HARMLESS_BYTES
    assert most_unpacked(10**12) == 10**12 * _unpacked.MAX_HONEST_RATIO
    monkeypatch.setattr(_unpacked, "available_memory", lambda: 64 * 10**9)
    assert most_unpacked(0) == 16 * 10**9
