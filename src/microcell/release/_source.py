"""Which source a release was made from: a digest that only its owner can check.

A plain hash is an oracle for the whole table. Whoever knows the quasi-identifiers, as
k-anonymity grants, permutes confidential values inside the classes of the release until
the hash fits; for m people with a rare value that takes about k**m tries. So the digest
is keyed with random bytes, which stay with the owner in a note of their own.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcell.exceptions import InputError, Option
from microcell.io import (
    address_of,
    digest_of,
    file_and_part,
    is_address,
    read_source,
    sha256,
)
from microcell.release._content_digest import content_digest

if TYPE_CHECKING:
    import polars as pl

KEY_BYTES = 32
ALGORITHM = "HMAC-SHA-256"
PLAIN_GIVES_AWAY = (
    "a plain SHA-256 of the source is published: whoever knows the quasi-identifiers "
    "of the people tries confidential values inside the classes until it fits, and "
    "then knows whose they are"
)
KEEP = (
    "The key to a certificate's digest of its source. It stays with the owner: whoever "
    "has it can try which values people have until the digest fits."
)


@dataclass(frozen=True)
class SourceDigest:
    """The digest of a source.

    Attributes
    ----------
    digest : str
        Hexadecimal HMAC-SHA-256, or SHA-256 where there is no key.
    key : bytes or None
        Random bytes for the owner alone.
    name : str
        What the source is called, for the note alone.
    n_files : int
        Files of the source.
    """

    digest: str
    key: bytes | None
    name: str
    n_files: int = 1

    def to_dict(self) -> dict[str, Any]:
        """What a certificate says of the source."""
        said: dict[str, Any] = {} if self.n_files == 1 else {"files": self.n_files}
        if self.key is None:
            return {**said, "sha256": self.digest, "gives_away": PLAIN_GIVES_AWAY}
        return {**said, "hmac_sha256": self.digest}

    def note(self) -> str:
        """What the owner keeps, as text."""
        if self.key is None:
            raise ValueError("A plain digest has no key to note.")
        document = {
            "keep": KEEP,
            "source": self.name,
            "algorithm": ALGORITHM,
            "key": self.key.hex(),
            "digest": self.digest,
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def new_key(plain: bool = False) -> bytes | None:
    """Random bytes for one digest; None for a plain one."""
    return None if plain else secrets.token_bytes(KEY_BYTES)


def source_digest(path: str | Path, key: bytes | None) -> SourceDigest:
    """The digest of a file's bytes, or of the records of a table in a database.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "ages.csv"
    >>> _ = file.write_text("age\\n30\\n")
    >>> source_digest(file, b"0" * 32).digest == source_digest(file, b"1" * 32).digest
    False
    """
    if is_address(path):
        return table_digest(path, read_source(path).frame, key)
    file, _ = file_and_part(path)
    return SourceDigest(sha256(file, key), key, source_name(path))


def table_digest(
    path: str | Path, frame: pl.DataFrame, key: bytes | None
) -> SourceDigest:
    """The digest of a table that was read from a database."""
    return SourceDigest(content_digest(frame, key), key, source_name(path))


def files_digest(
    files: Sequence[Path], key: bytes | None, each: Callable[..., Any] = map
) -> SourceDigest:
    """The digest of the files of one table; of several, that of theirs in their order.

    Parameters
    ----------
    files : sequence of path
    key : bytes or None
    each : callable
        ``each(function, files)`` gives what the function makes of each, in order.
    """
    hashes = list(each(partial(sha256, key=key), files))
    if len(hashes) == 1:
        return SourceDigest(hashes[0], key, files[0].name)
    listed = "".join(f"{digest}\n" for digest in hashes)
    digest = digest_of(key, listed.encode("ascii")).hexdigest()
    return SourceDigest(digest, key, files[0].parent.name, len(hashes))


def source_name(path: str | Path) -> str:
    """What a source is called, without where it is."""
    if is_address(path):
        return address_of(str(path)).table or "a query"
    return Path(file_and_part(path)[0]).name


def note_path(
    given: str | Path | None,
    plain: bool,
    certificate: str | Path | None,
    report: str | Path | None,
    *,
    no_digest: str = "",
) -> Path | None:
    """Where the key of a digest goes; None where there is no digest, or no key.

    Parameters
    ----------
    given : path or None
        What was asked for; by default it is beside the certificate or the report.
    plain : bool
        Whether a plain hash was asked for.
    certificate, report : path or None
        What the digest stands in; without any there is none.
    no_digest : str
        Why there is none in any case.

    Raises
    ------
    InputError
        If a note or a plain hash was asked for and cannot be honoured.

    Examples
    --------
    >>> note_path(None, False, "out/certificate.json", None).name
    'certificate.source-key.json'
    """
    option = "plain_source_hash" if plain else "source_note"
    asked = plain or given is not None
    if plain and given is not None:
        raise InputError(
            [
                "A plain hash has no key to note: give ",
                Option("source_note"),
                " or ",
                Option("plain_source_hash"),
                ", not both.",
            ],
            option="source_note",
        )
    sidecars = [sidecar for sidecar in (certificate, report) if sidecar is not None]
    if asked and (no_digest or not sidecars):
        why = no_digest or "the digest of the source stands in a certificate or report"
        raise InputError(
            [Option(option), f" cannot be honoured: {why}."],
            option=option,
            hint="Leave it out."
            if no_digest
            else ["Ask for one with ", Option("certificate", "certificate.json"), "."],
        )
    if no_digest or not sidecars or plain:
        return None
    beside = Path(sidecars[0])
    default = beside.with_name(f"{beside.stem}.source-key.json")
    return default if given is None else Path(given)


def is_noted_source(path: str | Path, note: str | Path) -> bool:
    """Whether a source is the one that a note was written for.

    Raises
    ------
    InputError
        If the note is none.
    """
    key, noted = _read_note(note)
    if not is_address(path) and Path(path).is_dir():
        from microcell.engines import open_parts

        found = files_digest(open_parts(path).files, key)
    else:
        found = source_digest(path, key)
    return hmac.compare_digest(found.digest, noted)


def _read_note(note: str | Path) -> tuple[bytes, str]:
    try:
        document = json.loads(Path(note).read_text(encoding="utf-8"))
        key, digest = bytes.fromhex(document["key"]), str(document["digest"])
        known = document["algorithm"] == ALGORITHM and len(key) == KEY_BYTES
    except (ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise InputError(
            f"{note} is no note of a source's key.",
            option="source_note",
            hint="Name the file that ends in .source-key.json.",
        )
    return key, digest
