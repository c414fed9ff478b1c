"""Files in place: only below folders that the user named when the app was started."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from microcell.app._errors import Refused

MAX_LISTED_ENTRIES = 2000


class Folders:
    """Folders that may be read, by the names that the page calls them.

    Parameters
    ----------
    named : sequence of path
    """

    def __init__(self, named: Any = ()) -> None:
        self.roots: dict[str, Path] = {}
        for given in named:
            root = Path(given).expanduser()
            if not root.is_dir():
                raise NotADirectoryError(f"There is no folder {given}.")
            root = root.resolve()
            name, number = root.name or "files", 1
            while name in self.roots:
                number += 1
                name = f"{root.name or 'files'} ({number})"
            self.roots[name] = root

    def find(self, path: str) -> Path:
        """What a path of the page leads to; nothing outside the folders is found."""
        parts = [part for part in str(path).split("/") if part not in ("", ".")]
        if not parts or parts[0] not in self.roots or "\0" in path:
            raise self._outside()
        root = self.roots[parts[0]]
        found = root.joinpath(*parts[1:])
        try:
            found = found.resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            raise self._outside() from None
        # "::" would name a table of a database
        if not found.is_relative_to(root) or "::" in str(found):
            raise self._outside()
        return found

    def list(self, path: str) -> list[dict[str, Any]]:
        """Folders and files at a path; hidden ones and special files are not shown."""
        if not path.strip("/"):
            return [
                {"name": name, "folder": True, "size": None, "openable": True}
                for name in self.roots
            ]
        folder = self.find(path)
        if not folder.is_dir():
            raise Refused(f"{path} is a file, not a folder.")
        from microcell.io import format_of

        shown = []
        try:
            entries = sorted(os.scandir(folder), key=lambda e: e.name.casefold())
        except OSError:
            raise Refused(f"{path} may not be read.", status=403) from None
        for entry in entries[:MAX_LISTED_ENTRIES]:
            if entry.name.startswith(".") or not _is_text(entry.name):
                continue
            if entry.is_dir():
                row: dict[str, Any] = {"folder": True, "size": None, "openable": True}
            elif entry.is_file():
                row = {
                    "folder": False,
                    "size": entry.stat().st_size,
                    "openable": _is_table(entry.name, format_of),
                }
            else:
                continue
            shown.append({"name": entry.name, **row})
        return sorted(shown, key=lambda row: not row["folder"])

    def _outside(self) -> Refused:
        if not self.roots:
            return Refused(
                "No folder may be read.",
                status=403,
                hint="Start the app with --folder FOLDER, or upload the file.",
            )
        return Refused(
            "There is no such file in the folders that may be read.", status=404
        )


def _is_text(name: str) -> bool:
    """Whether a name can be sent; the system's may be of any bytes."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def _is_table(name: str, format_of: Any) -> bool:
    try:
        format_of(name)
    except (ValueError, OSError):
        return False
    return True
