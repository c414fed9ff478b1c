"""A worker process as the server sees it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from microcell.app._errors import Refused, error_of

WORKER_PROGRAM = "from microcell.app._worker import serve; serve()"
MAX_LINE_BYTES = 256 * 10**6  # bytes
MAX_REUSED_BYTES = 6 * 10**8  # bytes; the libraries are about half of it
MEMORY_CHECK_INTERVAL = 0.25  # seconds between two looks at its memory
SHARED_BY_NAME = Path("/dev/shm")  # what pools of processes share
ENDED = "The process that did the work was ended from outside. Nothing was released."


class Failed(Exception):
    """A task that came to nothing.

    Attributes
    ----------
    error : dict
        As `error_of` gives it.
    sound : bool
        Whether the process said no, and is fit for the next task.
    """

    def __init__(self, error: dict[str, Any], *, sound: bool = False) -> None:
        super().__init__(error["message"])
        self.error = error
        self.sound = sound


class Process:
    """A process that does one task at a time; ended, it leaves no child behind.

    It is the first of a session of its own, so that an interrupt on the terminal does
    not reach it, and whatever it starts ends with it.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, workspace: Path) -> Process:
        """Start one, which imports what it needs and waits for its task."""
        places = [path or os.getcwd() for path in sys.path]
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                *("-P", "-c", WORKER_PROGRAM, str(os.getpid()), str(workspace)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,  # it may quote records
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(places),
                    "TMPDIR": str(workspace),
                },
                start_new_session=True,
                limit=MAX_LINE_BYTES,
            )
        )

    @property
    def alive(self) -> bool:
        """Whether it can be given a task."""
        return self.process.returncode is None

    @property
    def light(self) -> bool:
        """Whether it holds little more memory than a new one would."""
        return self.alive and memory_of(self.process.pid) < MAX_REUSED_BYTES

    async def work(
        self,
        request: dict[str, Any],
        hear: Callable[[dict[str, Any]], None],
        memory: int | None = None,
    ) -> dict[str, Any]:
        """Give it a task and wait for the result.

        Parameters
        ----------
        request : dict
        hear : callable
            Takes what it tells on the way.
        memory : int, optional
            Bytes that it and its children may use; with more it is ended.
        """
        watch = asyncio.create_task(self._watch(memory))
        try:
            return await self._answer(request, hear)
        except Failed:
            if watch.done() and watch.result():
                raise Failed(error_of(MemoryError())) from None
            raise
        finally:
            watch.cancel()

    async def _answer(
        self, request: dict[str, Any], hear: Callable[[dict[str, Any]], None]
    ) -> dict[str, Any]:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        with contextlib.suppress(ConnectionError):  # its end is seen below
            stdin.write(json.dumps(request).encode() + b"\n")
            await stdin.drain()
        while True:
            line = await stdout.readline()
            if not line:
                raise Failed(error_of(Refused(ENDED)))
            try:
                message = json.loads(line)
            except ValueError:  # cut off in the middle
                raise Failed(error_of(Refused(ENDED))) from None
            if "result" in message:
                return dict(message["result"])
            if "error" in message:
                raise Failed(message["error"], sound=message["sound"])
            hear(message)

    async def _watch(self, memory: int | None) -> bool:
        """End it when it uses more memory than it may; whether that was so."""
        while memory is not None:
            await asyncio.sleep(MEMORY_CHECK_INTERVAL)
            if memory_of(self.process.pid) > memory:
                self.kill()
                return True
        return False

    def kill(self) -> None:
        """End it and all that it started, at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()

    async def end(self) -> None:
        """End it and wait until it is gone."""
        self.kill()
        await self.process.wait()
        for left in SHARED_BY_NAME.glob(f"sem.loky-{self.process.pid}-*"):
            left.unlink(missing_ok=True)  # who would tidy up after a pool is ended too


def memory_of(pid: int) -> int:
    """Bytes that a process and its children use; 0 where the system does not say.

    Examples
    --------
    >>> memory_of(os.getpid()) >= 0
    True
    """
    used = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        used = pages * os.sysconf("SC_PAGE_SIZE")
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            used += memory_of(int(child))
    return used
