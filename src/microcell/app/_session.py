"""Session: the documents, jobs and releases of one run of the app."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from microcell._bytes import in_words
from microcell.app._catalogue import writable
from microcell.app._document import Document, shared_by_candidates
from microcell.app._drafts import carried_over, checked
from microcell.app._errors import Refused
from microcell.app._events import Broadcast
from microcell.app._folders import Folders
from microcell.app._jobs import Job, Jobs
from microcell.app._upload import safe_name
from microcell.app._vetting import check_plain, vet
from microcell.app._workspace import Workspace, empty
from microcell.recipe import READING_OPTIONS

DEMO = "patients.csv"
MAX_DOCUMENTS = 20
TOTAL_UPLOAD_RATIO = 4  # all uploads together may have as many times the limit of one
UNUSED_SECONDS = 3600.0  # seconds without a request after which everything is removed
UNDO_SECONDS = 60.0  # seconds in which a release that was taken back can be had again


class Session:
    """What the user has open, and what came of it.

    Parameters
    ----------
    workspace : Workspace
    folders : Folders
    upload_limit : int
        Bytes of one upload.
    """

    def __init__(
        self, workspace: Workspace, folders: Folders, upload_limit: int
    ) -> None:
        self.workspace = workspace
        self.folders = folders
        self.upload_limit = upload_limit
        self.broadcast = Broadcast()
        self.jobs = Jobs(workspace, self._tell_job)
        self.documents: dict[str, Document] = {}
        self.releases: dict[str, dict[str, Any]] = {}
        self.last_used = time.monotonic()
        self._coming: dict[str, int] = {}

    # documents

    def document(self, id: str) -> Document:
        """The document of an id."""
        if id not in self.documents:
            raise Refused("This file was closed.", status=404)
        return self.documents[id]

    def check_one_more(self) -> None:
        """Refuse one document too many."""
        if len(self.documents) + len(self._coming) >= MAX_DOCUMENTS:
            raise Refused(
                f"{MAX_DOCUMENTS} files are open.", status=429, hint="Close one first."
            )

    @contextlib.contextmanager
    def coming(self, declared: int | None = None) -> Iterator[int]:
        """Bytes that an upload may have, kept free for it while it comes.

        Parameters
        ----------
        declared : int, optional
            Bytes that the sender says it has.
        """
        self.check_one_more()
        most = TOTAL_UPLOAD_RATIO * self.upload_limit
        used = sum(c.size for c in self.documents.values() if c.path.parent == c.folder)
        free = most - used - sum(self._coming.values())
        if free <= 0:
            raise Refused(
                f"All uploads together may have {in_words(most)}.",
                status=413,
                hint="Close a file first.",
            )
        allowed = min(self.upload_limit, free)
        upload = secrets.token_hex(8)
        self._coming[upload] = allowed if declared is None else min(allowed, declared)
        try:
            yield allowed
        finally:
            del self._coming[upload]

    def new_folder(self) -> Path:
        """A folder for a document."""
        return self.workspace.folder("documents", secrets.token_hex(8))

    def add(self, name: str, path: Path, folder: Path) -> Document:
        """Open a table, and have it looked at."""
        try:
            self.check_one_more()
            document = Document(name, path, folder, path.stat().st_size)
            self.documents[document.id] = document
            try:
                self.look(document)
            except Refused:
                del self.documents[document.id]
                raise
        except (Refused, OSError):
            empty(folder)
            raise
        self.broadcast.tell("state")
        return document

    def open(self, path: str) -> Document:
        """Open a file of a named folder; it stays where it is."""
        self.check_one_more()
        found = self.folders.find(path)
        if not found.is_file():
            raise Refused(f"{path} is not a file.")
        return self.add(found.name, found, self.new_folder())

    async def demo(self) -> Document:
        """Open the demonstration."""
        self.check_one_more()
        folder = self.new_folder()
        await self.jobs.result("demo", None, {"folder": str(folder)}, folder=folder)
        return self.add(DEMO, folder / DEMO, folder)

    async def close(self, document: Document) -> None:
        """Close a document: its jobs end, its files are removed."""
        self.documents.pop(document.id, None)
        for job in self.jobs.of(document.id):
            await self.jobs.cancel(job)
        empty(document.folder)
        for release in list(self.releases.values()):
            if release["document"] == document.id:
                self._forget(release)
        self.broadcast.tell("state")

    def _check_there(self, document: Document) -> None:
        """Refuse work on a document that was closed, or on a file that was exchanged.

        A file in a named folder may have become a link that leads out of it.
        """
        self.document(document.id)
        if (
            document.path.parent != document.folder
            and document.path.resolve() != document.path
        ):
            raise Refused("The file is no longer where it was.", status=404)

    def to_dict(self, document: Document) -> dict[str, Any]:
        """A document with its jobs and releases."""
        releases = [r for r in self.shown_releases() if r["document"] == document.id]
        return {
            **document.to_dict(),
            "jobs": [self.jobs.to_dict(job) for job in self.jobs.of(document.id)],
            "releases": releases,
        }

    def changed(self, document: Document) -> None:
        """Note that something about a document changed, and tell the pages."""
        document.revision += 1
        self.broadcast.tell("document", id=document.id, revision=document.revision)

    # looking at a table

    def look(self, document: Document) -> Job:
        """Read and inspect a table; a look that is under way is given up."""
        self._check_there(document)
        self._give_up(document, "look")
        request = {
            "path": str(document.path),
            "reading": document.reading,
            "k": (document.drafts.now or {}).get("k", 5),
        }

        seen: dict[str, Any] = {"look": None}

        def heard(told: dict[str, Any]) -> None:
            seen.update(told)
            document.look, document.problem = told["look"], None
            self.changed(document)

        def ended(job: Job) -> None:
            if job.state == "failed":  # a workbook's sheets are known all the same
                document.look, document.problem = seen["look"], job.error
            self._looked(document, job)

        return self.jobs.submit(
            "look", document.id, request, heard=heard, finished=ended
        )

    def _looked(self, document: Document, job: Job) -> None:
        if job.state == "done":
            document.look, document.problem = job.result["look"], job.result["problem"]
            document.proposal = job.result["entries"]
            self._propose(document)
        self.changed(document)

    def _propose(self, document: Document) -> None:
        """Let the proposal be the draft, with what was decided before."""
        assert document.look is not None
        found = document.look["found"]
        file_options = {
            n: found[n] for n in READING_OPTIONS if found.get(n) is not None
        }
        proposed = document.proposal
        if proposed is None:  # nothing looks like a quasi-identifier: the user says it
            proposed = {"quasi_identifiers": [], "others": "drop", "k": 5}
            proposed |= file_options
        now = document.drafts.now
        if now is not None:
            proposed = carried_over(now, proposed, document.look["columns"])
        if document.drafts.put(proposed):
            document.decided = document.revision + 1
            self._check_soon(document)

    # drafts

    async def put_draft(
        self,
        document: Document,
        entries: Mapping[str, Any],
        revision: int | None = None,
    ) -> None:
        """Let a draft hold, unless somebody else has changed it since."""
        check_plain(entries)  # so that what is kept can be shown
        async with document.lock:
            if revision is not None and revision < document.decided:
                raise Conflict
            if document.drafts.put(entries):
                await self._decided(document)

    async def use_recipe(self, document: Document, contents: bytes) -> None:
        """Let the recipe of a file be the draft.

        It may come from a stranger and be made to take much to read.
        """
        request = {"contents": contents.decode("latin-1")}  # bytes in JSON
        found = await self.jobs.result("recipe", document.id, request)
        await self.put_draft(document, found["entries"])

    async def step(self, document: Document, *, back: bool) -> None:
        """Undo or redo a change of the draft."""
        async with document.lock:
            if document.drafts.undo() if back else document.drafts.redo():
                await self._decided(document)

    async def _decided(self, document: Document) -> None:
        document.decided = document.revision + 1
        await self._check(document)
        self.changed(document)

    async def _check(self, document: Document) -> None:
        entries = document.drafts.now
        assert entries is not None
        look = document.look
        found = await asyncio.to_thread(checked, entries, self.folders.find, look)
        if document.drafts.now is entries:
            document.checked = found

    def _check_soon(self, document: Document) -> None:
        async def check() -> None:
            await self._check(document)
            self.changed(document)

        document.checked = None
        self._checking = asyncio.create_task(check())

    # comparing

    async def compare(self, document: Document, asked: dict[str, Any]) -> Job:
        """Try recipes beside the draft; a comparison under way is given up."""
        entries = await self._sound(document)
        self._give_up(document, "compare")
        folder = self.workspace.folder("comparisons", secrets.token_hex(8))
        request = {
            "path": str(document.path),
            "entries": entries,
            "folder": str(folder / "comparison"),
            **asked,
        }
        found: dict[str, Any] = {
            "state": "running",
            "asked": asked,
            "based_on": shared_by_candidates(document.drafts.now),
            "figures": [],
            "x": None,
            "y": None,
            "candidates": [],
            "frontier": [],
            "left_out": {},
            "notes": [],
        }

        def heard(told: dict[str, Any]) -> None:
            found["candidates"] = [*found["candidates"], told["candidate"]]
            found.update({n: v for n, v in told.items() if n != "candidate"})
            self.broadcast.tell("candidate", document=document.id, **told)

        def ended(job: Job) -> None:
            empty(folder)
            found["state"] = {"done": "done", "failed": "failed"}.get(
                job.state, "stopped"
            )
            if job.state == "done":
                found.update(job.result)
            self.changed(document)

        job = self.jobs.submit(
            "compare", document.id, request, folder=folder, heard=heard, finished=ended
        )
        document.comparison = found
        self.changed(document)
        return job

    async def choose(self, document: Document, label: str) -> None:
        """Let a candidate's settings be those of the draft."""
        candidates = (document.comparison or {}).get("candidates", ())
        found = [c for c in candidates if c["label"] == label]
        if not found or found[0]["error"] is not None:
            raise Refused("There is no such candidate with a release.", status=404)
        entries = dict(document.drafts.now or {})
        entries.pop("random_state", None)
        for name in ("method", "k", "parameters", "promises", "enforce"):
            entries[name] = found[0][name]
        said = await asyncio.to_thread(checked, entries, self.folders.find)
        if said["error"] is not None and said["error"]["option"] == "target":
            entries.pop("target", None)  # a method that shapes cells by none
        await self.put_draft(document, entries)

    # releasing

    async def release(self, document: Document, asked: dict[str, Any]) -> Job:
        """Make the release of the draft."""
        if f".{asked['format']}" not in writable():
            known = ", ".join(suffix[1:] for suffix in writable())
            raise Refused(f"A release is a file of {known}.", option="format")
        entries = await self._sound(document)
        if asked.pop("confirmed"):
            document.confirmed = document.roles
        elif document.confirmed != document.roles:
            raise Refused(
                "The roles of the columns have not been confirmed.",
                status=409,
                hint="Look at the role of every column, and say so.",
            )
        draft = document.drafts.now
        id = secrets.token_hex(8)
        folder = self.workspace.folder("releases", id)
        request = {
            "path": str(document.path),
            "entries": entries,
            "folder": str(folder),
            "stem": Path(safe_name(document.name)).stem or "table",
            "name": document.name,
            **asked,
        }

        def ended(job: Job) -> None:
            if job.state == "done":
                mine = {"id": id, "document": document.id, "name": document.name}
                self.releases[id] = job.result | mine | {"entries": draft}
                self.broadcast.tell("state")
            self.changed(document)

        return self.jobs.submit(
            "release", document.id, request, folder=folder, finished=ended
        )

    async def _sound(self, document: Document) -> dict[str, Any]:
        """The draft, if it is a recipe."""
        async with document.lock:
            if document.drafts.now is None:
                raise Refused("The table has not been read yet.", status=409)
            if document.checked is None:
                await self._check(document)
            assert document.checked is not None
            error = document.checked["error"]
            if error is not None:
                raise Refused(
                    error["message"],
                    status=422,
                    option=error["option"],
                    column=error["column"],
                )
            self._check_there(document)
            return vet(document.drafts.now, self.folders.find)

    def shown_releases(self) -> list[dict[str, Any]]:
        """Releases that were not taken back, the last first."""
        shown = [r for r in self.releases.values() if "removed" not in r]
        return [{n: v for n, v in r.items() if n != "removed"} for r in reversed(shown)]

    def found_release(self, id: str) -> dict[str, Any]:
        """The release of an id."""
        found = self.releases.get(id)
        if found is None or "removed" in found:
            raise Refused("This release was taken back.", status=404)
        return found

    def file_of(self, id: str, what: str) -> Path:
        """A file of a release."""
        release = self.found_release(id)
        if what not in release["files"]:
            raise Refused("A release has no such file.", status=404)
        name = release["files"][what]["name"]
        return self.workspace.root / "releases" / id / name

    def take_back(self, id: str) -> None:
        """Take a release out of the list; its files go a minute later."""
        self.found_release(id)["removed"] = time.monotonic()
        self.broadcast.tell("state")

    def put_back(self, id: str) -> None:
        """Undo `take_back`."""
        found = self.releases.get(id)
        if found is None:
            raise Refused("The files of this release are gone.", status=404)
        found.pop("removed", None)
        self.broadcast.tell("state")

    def _forget(self, release: dict[str, Any]) -> None:
        self.releases.pop(release["id"], None)
        empty(self.workspace.root / "releases" / release["id"])

    # all of it

    def note_use(self) -> None:
        """Note that somebody is there."""
        self.last_used = time.monotonic()

    def state(self) -> dict[str, Any]:
        """What there is."""
        from microcell import __version__

        return {
            "version": __version__,
            "upload_limit": self.upload_limit,
            "folders": list(self.folders.roots),
            "documents": [document.brief() for document in self.documents.values()],
            "jobs": [self.jobs.to_dict(job) for job in self.jobs.all.values()],
            "releases": self.shown_releases(),
        }

    async def tidy(self) -> None:
        """Remove what nobody will ask for again."""
        now = time.monotonic()
        for release in list(self.releases.values()):
            if "removed" in release and now - release["removed"] > UNDO_SECONDS:
                self._forget(release)
        busy = any(not job.over for job in self.jobs.all.values())
        if self.documents and not busy and now - self.last_used > UNUSED_SECONDS:
            for document in list(self.documents.values()):
                await self.close(document)

    def _give_up(self, document: Document, kind: str) -> None:
        for job in self.jobs.of(document.id):
            if job.kind == kind and not job.over and job.task is not None:
                job.task.cancel()

    def _tell_job(self, job: Job) -> None:
        self.broadcast.tell("job", job=self.jobs.to_dict(job))


class Conflict(Exception):
    """Somebody else changed a document in the meantime."""
