"""Jobs: long work in processes of its own, a bounded number of them, each to cancel."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcell.app._errors import Refused, error_of
from microcell.app._process import Failed, Process
from microcell.app._workspace import Workspace, empty

MAX_RUNNING_JOBS = max(2, (os.cpu_count() or 2) // 2)
MAX_WAITING_JOBS = 8
MAX_FINISHED_JOBS = 50  # jobs that ended and can still be asked about
SHARE_OF_FREE_MEMORY = 0.9  # of what is free when a job begins


def nothing(_: object) -> None:
    """What is done where nobody waits for it."""


@dataclass(eq=False)
class Job:
    """A piece of long work.

    Attributes
    ----------
    kind : str
        The name of its task; see `TASKS`.
    document : str or None
        The document that it is for.
    request : dict
        What the task gets.
    folder : Path or None
        Where it writes; removed unless it is done.
    heard : callable
        Takes what the task tells on the way.
    finished : callable
        Takes the job when it is over, whatever came of it.
    state : {"waiting", "running", "done", "failed", "cancelled"}
    """

    kind: str
    document: str | None
    request: dict[str, Any]
    folder: Path | None = None
    heard: Callable[[dict[str, Any]], None] = nothing
    finished: Callable[[Job], Any] = nothing
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: str = "waiting"
    step: str = ""
    done: int | None = None
    total: int | None = None
    error: dict[str, Any] | None = None
    begun: float | None = None
    ended: float | None = None
    result: dict[str, Any] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None

    @property
    def over(self) -> bool:
        return self.state in ("done", "failed", "cancelled")

    @property
    def seconds(self) -> float:
        if self.begun is None:
            return 0.0
        return (self.ended or time.monotonic()) - self.begun

    def to_dict(self, ahead: int = 0) -> dict[str, Any]:
        """The job as the page is told of it."""
        names = ("id", "document", "kind", "state", "step", "done", "total", "error")
        said = {name: getattr(self, name) for name in names}
        return said | {"seconds": round(self.seconds, 1), "ahead": ahead}


class Jobs:
    """Jobs of all documents, in the order in which they came.

    Parameters
    ----------
    workspace : Workspace
    tell : callable
        Takes a job whenever something about it changed.
    """

    def __init__(self, workspace: Workspace, tell: Callable[[Job], None]) -> None:
        self.workspace = workspace
        self.tell = tell
        self.all: dict[str, Job] = {}
        self._room = asyncio.Semaphore(MAX_RUNNING_JOBS)
        self._spare: asyncio.Task[Process] | None = None
        self._closed = False

    def warm_up(self) -> None:
        """Have a process ready for the next job."""
        if self._spare is None and not self._closed:
            self._spare = self._start()

    def submit(
        self,
        kind: str,
        document: str | None,
        request: dict[str, Any],
        folder: Path | None = None,
        **more: Any,
    ) -> Job:
        """Queue a job, said as in `Job`; one too many is refused."""
        waiting = [job for job in self.all.values() if job.state == "waiting"]
        if len(waiting) >= MAX_WAITING_JOBS:
            if folder is not None:
                empty(folder)
            raise Refused(
                f"{len(waiting)} jobs are waiting already.",
                status=429,
                hint="Let one end first, or cancel it.",
            )
        job = Job(kind, document, request, folder, **more)
        self.all[job.id] = job
        self._forget_old()
        job.task = asyncio.create_task(self._run(job))
        job.task.add_done_callback(lambda _: self._finish(job))
        self.tell(job)
        return job

    def to_dict(self, job: Job) -> dict[str, Any]:
        """A job, with how many are before it."""
        ahead = 0
        if job.state == "waiting":
            before = list(self.all.values())
            before = before[: before.index(job)]
            ahead = sum(not other.over for other in before)
        return job.to_dict(ahead)

    def of(self, document: str) -> list[Job]:
        """Jobs of a document."""
        return [job for job in self.all.values() if job.document == document]

    async def cancel(self, job: Job) -> None:
        """End a job; when this returns its process and its files are gone."""
        if job.task is not None and not job.task.done():
            job.task.cancel()
            await asyncio.gather(job.task, return_exceptions=True)

    async def close(self) -> None:
        """End all jobs, and the process that was ready for the next."""
        self._closed = True
        await asyncio.gather(*(self.cancel(job) for job in list(self.all.values())))
        if self._spare is not None:
            with contextlib.suppress(OSError):  # it could not be started
                await (await self._spare).end()

    async def result(
        self, kind: str, document: str | None, request: dict[str, Any], **more: Any
    ) -> dict[str, Any]:
        """What a job comes to, or why it came to nothing."""
        found: dict[str, Any] = {}

        def finished(job: Job) -> None:
            found.update(job.result)

        job = self.submit(kind, document, request, finished=finished, **more)
        assert job.task is not None
        await asyncio.shield(job.task)
        if job.state != "done":
            said = job.error or {"message": "This was cancelled."}
            raise Refused(said["message"], option=said.get("option"))
        return found

    async def _run(self, job: Job) -> None:
        try:
            async with self._room:
                await self._work(job)
            job.state = "done"
        except Failed as failed:
            job.state, job.error = "failed", failed.error
        except asyncio.CancelledError:
            job.state = "cancelled"
        except Exception as error:  # no process could be started, or it said nonsense
            job.state, job.error = "failed", error_of(error)
        finally:
            self._finish(job)

    def _finish(self, job: Job) -> None:
        """What follows the end of a job, once; also of one that never began."""
        if job.ended is not None:
            return
        if not job.over:
            job.state = "cancelled"
        job.ended = time.monotonic()
        if job.state != "done" and job.folder is not None:
            empty(job.folder)
        job.request = {}  # settings are the document's
        job.finished(job)
        job.result = {}
        self.tell(job)

    async def _work(self, job: Job) -> None:
        process, sound = await self._process(), False
        try:
            job.state, job.begun = "running", time.monotonic()
            self.tell(job)

            def hear(message: dict[str, Any]) -> None:
                if "progress" in message:
                    job.done, job.total, job.step = message["progress"]
                    if job.total is None:
                        job.done = None
                    self.tell(job)
                else:
                    job.heard(message["told"])

            from microcell._memory import available_memory

            memory = int(SHARE_OF_FREE_MEMORY * available_memory())
            request = {"kind": job.kind, **job.request}
            job.result = await process.work(request, hear, memory)
            sound = True
        except Failed as failed:
            sound = failed.sound
            raise
        finally:
            if sound and process.light and self._spare is None and not self._closed:
                self._spare = asyncio.create_task(_as_it_is(process))
            else:
                # a cancelled job too waits for the end, so that its files stay removed
                await asyncio.shield(process.end())
                self.warm_up()

    async def _process(self) -> Process:
        """The process that is ready, or a new one."""
        while True:
            spare = self._spare or self._start()
            self._spare = None
            try:
                process = await asyncio.shield(spare)
            except asyncio.CancelledError:
                if self._spare is None and not self._closed:
                    self._spare = spare
                else:
                    await (await spare).end()
                raise
            if process.alive:
                return process

    def _start(self) -> asyncio.Task[Process]:
        return asyncio.create_task(Process.start(self.workspace.root))

    def _forget_old(self) -> None:
        over = [job for job in self.all.values() if job.over]
        for job in over[: max(0, len(over) - MAX_FINISHED_JOBS)]:
            del self.all[job.id]


async def _as_it_is(process: Process) -> Process:
    """A process that has been started before, where one is awaited."""
    return process
