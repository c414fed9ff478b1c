"""The encoding of a text file that does not say it.

A byte order mark says it. Text that is UTF-8 is hardly ever anything else. Of the old
encodings of one byte for each character, a file is taken for cp1252 only if those of
Western, Central and Southern Europe would read it to the same letters; otherwise nobody
can tell, and it is an error: a wrong guess changes people's names.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from microcell.exceptions import InputError, Option
from microcell.io._compressed import open_bytes

BLOCK = 1 << 20  # bytes looked at together
SNIFFED = 1 << 16  # bytes in which a file shows that it is not text
BYTE_ORDER_MARKS = (  # the longer first: one of UTF-32 begins like one of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WIDE = ("utf-16", "utf-32")  # as names begin
ALIKE = ("cp1252", "latin-1", "iso8859-15", "cp1250", "iso8859-2", "cp1254")
OFTEN_MET = (  # to choose from; any other that Python knows can be named
    "utf-8", *ALIKE, "cp1251", "cp1253", "cp1255", "cp1256", "cp437", "cp850",
    "shift_jis", "gb18030", "big5", "euc_kr", *WIDE,
)  # fmt: skip
LETTER_OF_TWO_TABLES = b"\xe1"  # alone it may be the sharp s of DOS
IN_A_WORD = rb"[A-Za-z]"


def _same_letters() -> bytes:
    """Bytes that are the same letter in all encodings that are alike."""
    same = bytearray()
    for byte in range(0xA0, 0x100):
        letters = {bytes([byte]).decode(name, "replace") for name in ALIKE}
        if len(letters) == 1 and letters.pop().isalpha():
            same.append(byte)
    return bytes(same)


SAME_LETTERS = _same_letters()
_one = b"[" + re.escape(SAME_LETTERS) + b"]"
# One such letter, or one and a sharp s, beside a plain letter: in Cyrillic, Greek or
# Chinese text there are more of them in a row, or none beside.
EUROPEAN = re.compile(
    b"(?<=" + IN_A_WORD + b")" + _one + b"\xdf?(?![\x80-\xff])"
    b"|(?<![\x80-\xff])" + _one + b"\xdf?(?=" + IN_A_WORD + b")"
)


def has_nul(path: str | Path) -> bool:
    """Whether a file holds NUL bytes near its start, as text in UTF-8 does not."""
    with open_bytes(path) as file:
        return b"\0" in file.read(SNIFFED)


def detect_encoding(path: str | Path, name: str | Path) -> str:
    """The encoding of a text file, or an error if nobody can tell.

    Parameters
    ----------
    path : path
        The file, which may be compressed.
    name : path
        What the file is called in errors.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "t.csv"
    >>> _ = path.write_bytes("name\\nMüller\\n".encode("cp1252"))
    >>> detect_encoding(path, "t.csv")
    'cp1252'
    >>> _ = path.write_bytes("name\\nKovač\\n".encode("cp1250"))
    >>> detect_encoding(path, "t.csv")
    Traceback (most recent call last):
    ...
    microcell.exceptions.InputError: t.csv is not text in UTF-8, and its letters
    differ from one old encoding to the other. Name its encoding, ...
    """
    with open_bytes(path) as file:
        start = file.read(SNIFFED)
    for mark, encoding in BYTE_ORDER_MARKS:
        if start.startswith(mark):
            return encoding
    if b"\0" in start:
        return _without_mark(start, name)
    if is_utf8(path):
        return "utf-8"
    if _is_european(path):
        return "cp1252"
    raise InputError(
        f"{name} is not text in UTF-8, and its letters differ from one old encoding to "
        "the other.",
        option="encoding",
        hint=[
            "Name its ",
            Option("encoding"),
            ", for example cp1252 (Western Europe), cp1250 (Central Europe), cp850 "
            "(DOS) or mac_roman, or export it as UTF-8.",
        ],
    )


def _without_mark(start: bytes, name: str | Path) -> str:
    """UTF-16 without a mark shows by the NULs of plain letters in every second byte."""
    even, odd = start[::2].count(0), start[1::2].count(0)
    half = len(start) / 2
    for mine, others, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if mine > 0.5 * half and others == 0:
            return encoding
    raise InputError(
        f"{name} is not text, so it is not a CSV file.",
        option="encoding",
        hint=["If it is text in UTF-16, name its ", Option("encoding"), "."],
    )


def _blocks(path: str | Path) -> Iterator[bytes]:
    with open_bytes(path) as file:
        while block := file.read(BLOCK):
            yield block


def is_utf8(path: str | Path, *, beyond_ascii: bool = False) -> bool:
    """Whether a file is text in UTF-8; with `beyond_ascii`, and no plain ASCII."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    plain = True
    try:
        for block in _blocks(path):
            if decoder.getstate()[0] or not block.isascii():
                plain = False
                decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return not (beyond_ascii and plain)


def _is_european(path: str | Path) -> bool:
    """Whether all old encodings that are alike read the same letters in words."""
    seen, before = set(), b""
    for block in _blocks(path):
        text = before + block
        # the last bytes wait for what follows them
        before = text[-4:] if len(block) == BLOCK else b""
        if not _only_european(text[: len(text) - len(before)], text):
            return False
        seen |= set(text.translate(None, bytes(range(128))))
    return seen != set(LETTER_OF_TWO_TABLES)


def _only_european(done: bytes, text: bytes) -> bool:
    """Whether all letters beyond ASCII in `done` are letters in a European word."""
    if done.isascii():
        return True
    left = EUROPEAN.sub(lambda found: b"e" * len(found[0]), text)[: len(done)]
    return left.isascii()
