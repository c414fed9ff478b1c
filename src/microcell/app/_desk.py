"""Desk: the cases, jobs and releases of one run of the app."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from microcell._bytes import in_words
from microcell.app._case import Case, shared_by_candidates
from microcell.app._catalogue import writable
from microcell.app._drafts import carried_over, checked
from microcell.app._errors import Refused
from microcell.app._events import Broadcast
from microcell.app._folders import Folders
from microcell.app._jobs import Job, Jobs
from microcell.app._upload import safe_name
from microcell.app._vetting import check_plain, vet
from microcell.app._workplace import Workplace, empty
from microcell.recipe import READING_OPTIONS

DEMO = "patients.csv"
MOST_CASES = 20
TIMES_LIMIT = 4  # all uploads together may have as many times the limit of one
IDLE = 3600.0  # seconds without a request after which everything is removed
UNDO = 60.0  # seconds in which a release that was taken back can be had again


class Desk:
    """What lies on the user's desk.

    Parameters
    ----------
    workplace : Workplace
    folders : Folders
    upload_limit : int
        Bytes of one upload.
    """

    def __init__(
        self, workplace: Workplace, folders: Folders, upload_limit: int
    ) -> None:
        self.workplace = workplace
        self.folders = folders
        self.upload_limit = upload_limit
        self.broadcast = Broadcast()
        self.jobs = Jobs(workplace, self._tell_job)
        self.cases: dict[str, Case] = {}
        self.releases: dict[str, dict[str, Any]] = {}
        self.last_used = time.monotonic()
        self._coming: dict[str, int] = {}

    # cases

    def case(self, id: str) -> Case:
        """The case of an id."""
        if id not in self.cases:
            raise Refused("This file was closed.", status=404)
        return self.cases[id]

    def check_room(self) -> None:
        """Refuse one case too many."""
        if len(self.cases) + len(self._coming) >= MOST_CASES:
            raise Refused(
                f"{MOST_CASES} files are open.", status=429, hint="Close one first."
            )

    @contextlib.contextmanager
    def coming(self, declared: int | None = None) -> Iterator[int]:
        """Bytes that an upload may have, kept free for it while it comes.

        Parameters
        ----------
        declared : int, optional
            Bytes that the sender says it has.
        """
        self.check_room()
        most = TIMES_LIMIT * self.upload_limit
        used = sum(c.size for c in self.cases.values() if c.path.parent == c.folder)
        free = most - used - sum(self._coming.values())
        if free <= 0:
            raise Refused(
                f"All uploads together may have {in_words(most)}.",
                status=413,
                hint="Close a file first.",
            )
        room = min(self.upload_limit, free)
        upload = secrets.token_hex(8)
        self._coming[upload] = room if declared is None else min(room, declared)
        try:
            yield room
        finally:
            del self._coming[upload]

    def new_folder(self) -> Path:
        """A folder for a case."""
        return self.workplace.folder("cases", secrets.token_hex(8))

    def add(self, name: str, path: Path, folder: Path) -> Case:
        """Put a table on the desk, and have it looked at."""
        try:
            self.check_room()
            case = Case(name, path, folder, path.stat().st_size)
            self.cases[case.id] = case
            try:
                self.look(case)
            except Refused:
                del self.cases[case.id]
                raise
        except (Refused, OSError):
            empty(folder)
            raise
        self.broadcast.tell("state")
        return case

    def open(self, path: str) -> Case:
        """Put a file of a named folder on the desk; it stays where it is."""
        self.check_room()
        found = self.folders.find(path)
        if not found.is_file():
            raise Refused(f"{path} is not a file.")
        return self.add(found.name, found, self.new_folder())

    async def demo(self) -> Case:
        """Put the demonstration on the desk."""
        self.check_room()
        folder = self.new_folder()
        job = self.jobs.submit("demo", None, {"folder": str(folder)}, folder=folder)
        assert job.task is not None
        await asyncio.shield(job.task)
        if job.state != "done":
            said = job.error or {"message": "The demonstration was cancelled."}
            raise Refused(said["message"])
        return self.add(DEMO, folder / DEMO, folder)

    async def close(self, case: Case) -> None:
        """Take a case from the desk: its jobs end, its files are removed."""
        self.cases.pop(case.id, None)
        for job in self.jobs.of(case.id):
            await self.jobs.cancel(job)
        empty(case.folder)
        for release in list(self.releases.values()):
            if release["case"] == case.id:
                self._forget(release)
        self.broadcast.tell("state")

    def _check_there(self, case: Case) -> None:
        """Refuse work on a case that was closed, or on a file that was exchanged.

        A file in a named folder may have become a link that leads out of it.
        """
        self.case(case.id)
        if case.path.parent != case.folder and case.path.resolve() != case.path:
            raise Refused("The file is no longer where it was.", status=404)

    def to_dict(self, case: Case) -> dict[str, Any]:
        """A case with its jobs and releases."""
        releases = [r for r in self.shown_releases() if r["case"] == case.id]
        return {
            **case.to_dict(),
            "jobs": [self.jobs.to_dict(job) for job in self.jobs.of(case.id)],
            "releases": releases,
        }

    def changed(self, case: Case) -> None:
        """Note that something about a case changed, and tell the pages."""
        case.revision += 1
        self.broadcast.tell("case", id=case.id, revision=case.revision)

    # looking at a table

    def look(self, case: Case) -> Job:
        """Read and inspect a table; a look that is under way is given up."""
        self._check_there(case)
        self._give_up(case, "look")
        request = {
            "path": str(case.path),
            "reading": case.reading,
            "k": (case.drafts.now or {}).get("k", 5),
        }

        seen: dict[str, Any] = {"look": None}

        def heard(told: dict[str, Any]) -> None:
            seen.update(told)
            case.look, case.problem = told["look"], None
            self.changed(case)

        def ended(job: Job) -> None:
            if job.state == "failed":  # a workbook's sheets are known all the same
                case.look, case.problem = seen["look"], job.error
            self._looked(case, job)

        return self.jobs.submit("look", case.id, request, heard=heard, ended=ended)

    def _looked(self, case: Case, job: Job) -> None:
        if job.state == "done":
            assert job.result is not None
            case.look, case.problem = job.result["look"], job.result["problem"]
            case.proposal = job.result["entries"]
            self._propose(case)
        self.changed(case)

    def _propose(self, case: Case) -> None:
        """Let the proposal be the draft, with what was decided before."""
        assert case.look is not None
        found = case.look["found"]
        file_options = {
            n: found[n] for n in READING_OPTIONS if found.get(n) is not None
        }
        proposed = case.proposal
        if proposed is None:  # nothing looks like a quasi-identifier: the user says it
            proposed = {"quasi_identifiers": [], "others": "drop", "k": 5}
            proposed |= file_options
        now = case.drafts.now
        if now is not None:
            proposed = carried_over(now, proposed, case.look["columns"])
        if case.drafts.put(proposed):
            case.decided = case.revision + 1
            self._check_soon(case)

    # drafts

    async def put_draft(
        self, case: Case, entries: Mapping[str, Any], revision: int | None = None
    ) -> None:
        """Let a draft hold, unless somebody else has changed it since."""
        check_plain(entries)  # so that what is kept can be shown
        async with case.lock:
            if revision is not None and revision < case.decided:
                raise Conflict
            if case.drafts.put(entries):
                await self._decided(case)

    async def use_recipe(self, case: Case, contents: bytes) -> None:
        """Let the recipe of a file be the draft.

        It may come from a stranger and be made to take much to read.
        """
        found: dict[str, Any] = {}

        def ended(job: Job) -> None:
            found.update(job.result or {})

        request = {"contents": contents.decode("latin-1")}  # bytes in JSON
        job = self.jobs.submit("recipe", case.id, request, ended=ended)
        assert job.task is not None
        await asyncio.shield(job.task)
        if job.state != "done":
            said = job.error or {"message": "The recipe was not read."}
            raise Refused(said["message"], option=said.get("option"))
        await self.put_draft(case, found["entries"])

    async def step(self, case: Case, *, back: bool) -> None:
        """Undo or redo a change of the draft."""
        async with case.lock:
            if case.drafts.undo() if back else case.drafts.redo():
                await self._decided(case)

    async def _decided(self, case: Case) -> None:
        case.decided = case.revision + 1
        await self._check(case)
        self.changed(case)

    async def _check(self, case: Case) -> None:
        entries = case.drafts.now
        assert entries is not None
        look = case.look
        found = await asyncio.to_thread(checked, entries, self.folders.find, look)
        if case.drafts.now is entries:
            case.checked = found

    def _check_soon(self, case: Case) -> None:
        async def check() -> None:
            await self._check(case)
            self.changed(case)

        case.checked = None
        self._checking = asyncio.create_task(check())

    # comparing

    async def compare(self, case: Case, asked: dict[str, Any]) -> Job:
        """Try recipes beside the draft; a comparison under way is given up."""
        entries = await self._sound(case)
        self._give_up(case, "compare")
        folder = self.workplace.folder("comparisons", secrets.token_hex(8))
        request = {
            "path": str(case.path),
            "entries": entries,
            "folder": str(folder / "comparison"),
            **asked,
        }
        found: dict[str, Any] = {
            "state": "running",
            "asked": asked,
            "based_on": shared_by_candidates(case.drafts.now),
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
            self.broadcast.tell("candidate", case=case.id, **told)

        def ended(job: Job) -> None:
            empty(folder)
            found["state"] = {"done": "done", "failed": "failed"}.get(
                job.state, "stopped"
            )
            if job.state == "done":
                assert job.result is not None
                found.update(job.result)
            self.changed(case)

        job = self.jobs.submit(
            "compare", case.id, request, folder=folder, heard=heard, ended=ended
        )
        case.comparison = found
        self.changed(case)
        return job

    async def choose(self, case: Case, label: str) -> None:
        """Let a candidate's settings be those of the draft."""
        candidates = (case.comparison or {}).get("candidates", ())
        found = [c for c in candidates if c["label"] == label]
        if not found or found[0]["error"] is not None:
            raise Refused("There is no such candidate with a release.", status=404)
        entries = dict(case.drafts.now or {})
        entries.pop("random_state", None)
        for name in ("method", "k", "parameters", "promises", "enforce"):
            entries[name] = found[0][name]
        said = await asyncio.to_thread(checked, entries, self.folders.find)
        if said["error"] is not None and said["error"]["option"] == "target":
            entries.pop("target", None)  # a method that shapes cells by none
        await self.put_draft(case, entries)

    # releasing

    async def release(self, case: Case, asked: dict[str, Any]) -> Job:
        """Make the release of the draft."""
        if f".{asked['format']}" not in writable():
            known = ", ".join(suffix[1:] for suffix in writable())
            raise Refused(f"A release is a file of {known}.", option="format")
        entries = await self._sound(case)
        if asked.pop("confirmed"):
            case.confirmed = case.roles
        elif case.confirmed != case.roles:
            raise Refused(
                "The roles of the columns have not been confirmed.",
                status=409,
                hint="Look at the role of every column, and say so.",
            )
        draft = case.drafts.now
        id = secrets.token_hex(8)
        folder = self.workplace.folder("releases", id)
        request = {
            "path": str(case.path),
            "entries": entries,
            "folder": str(folder),
            "stem": Path(safe_name(case.name)).stem or "table",
            "name": case.name,
            **asked,
        }

        def ended(job: Job) -> None:
            if job.state == "done":
                assert job.result is not None
                mine = {"id": id, "case": case.id, "name": case.name}
                self.releases[id] = job.result | mine | {"entries": draft}
                self.broadcast.tell("state")
            self.changed(case)

        return self.jobs.submit("release", case.id, request, folder=folder, ended=ended)

    async def _sound(self, case: Case) -> dict[str, Any]:
        """The draft, if it is a recipe."""
        async with case.lock:
            if case.drafts.now is None:
                raise Refused("The table has not been read yet.", status=409)
            if case.checked is None:
                await self._check(case)
            assert case.checked is not None
            error = case.checked["error"]
            if error is not None:
                raise Refused(
                    error["message"],
                    status=422,
                    option=error["option"],
                    column=error["column"],
                )
            self._check_there(case)
            return vet(case.drafts.now, self.folders.find)

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
        return self.workplace.root / "releases" / id / name

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
        empty(self.workplace.root / "releases" / release["id"])

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
            "cases": [case.brief() for case in self.cases.values()],
            "jobs": [self.jobs.to_dict(job) for job in self.jobs.all.values()],
            "releases": self.shown_releases(),
        }

    async def tidy(self) -> None:
        """Remove what nobody will ask for again."""
        now = time.monotonic()
        for release in list(self.releases.values()):
            if "removed" in release and now - release["removed"] > UNDO:
                self._forget(release)
        busy = any(not job.over for job in self.jobs.all.values())
        if self.cases and not busy and now - self.last_used > IDLE:
            for case in list(self.cases.values()):
                await self.close(case)

    def _give_up(self, case: Case, kind: str) -> None:
        for job in self.jobs.of(case.id):
            if job.kind == kind and not job.over and job.task is not None:
                job.task.cancel()

    def _tell_job(self, job: Job) -> None:
        self.broadcast.tell("job", job=self.jobs.to_dict(job))


class Conflict(Exception):
    """Somebody else changed a case in the meantime."""
