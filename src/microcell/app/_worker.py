"""The process that does long work, one piece after the other.

It reads requests from its input, a line of JSON each, and writes what it has to tell to
its output, a line of JSON each. When the server is no more, it removes what the server
left and ends.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

from microcell.app._errors import error_of
from microcell.app._workspace import empty
from microcell.exceptions import Explained, PrivacyError

PROGRESS_INTERVAL = 0.1  # seconds between two reports of progress
SERVER_CHECK_INTERVAL = 0.3  # seconds between two looks at the server


def serve() -> None:
    """What the process does: imports first, while nobody waits, then requests."""
    parent, workspace = int(sys.argv[1]), sys.argv[2]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    threading.Thread(target=_end_with, args=(parent, workspace), daemon=True).start()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what is printed is no answer
    _warm_up()

    def tell(message: dict[str, Any]) -> None:
        try:
            answers.write(json.dumps(message, default=str) + "\n")
            answers.flush()
        except BrokenPipeError:
            _leave_nothing(workspace)

    while line := sys.stdin.readline():
        tell(answer_to(json.loads(line), tell))
    _leave_nothing(workspace)


def answer_to(
    request: dict[str, Any], tell: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Do what is asked: the result, or what was wrong.

    Parameters
    ----------
    request : dict
        The kind of a task and what it needs; see `TASKS`.
    tell : callable
        Takes what is to be told on the way.
    """
    from microcell._progress import listen
    from microcell.app._tasks import TASKS

    task = TASKS[request.pop("kind")]
    try:
        with listen(_now_and_then(tell)):
            return {"result": task(request, lambda told: tell({"told": told}))}
    except Exception as error:
        said = error_of(error)
        return {
            "error": said | {"message": _by_names(said["message"], request)},
            "sound": isinstance(error, (Explained, PrivacyError)),
        }


def _by_names(message: str, request: dict[str, Any]) -> str:
    """Files as the user calls them: where ours are is nobody's concern.

    Examples
    --------
    >>> request = {"path": "/tmp/microcell-app-x/documents/1/t.csv", "folder": "/tmp/o"}
    >>> _by_names("/tmp/microcell-app-x/documents/1/t.csv has no header.", request)
    't.csv has no header.'
    """
    for key in ("path", "folder"):
        if request.get(key):
            message = message.replace(f"{os.path.dirname(request[key])}{os.sep}", "")
    return message


def _now_and_then(tell: Callable[[dict[str, Any]], None]) -> Callable[..., None]:
    """Pass progress on, but not more often than somebody can read it."""
    last: list[Any] = [0.0, None]

    def heard(done: int, total: int | None, step: str) -> None:
        now, begun = time.monotonic(), step.partition(",")[0]  # figures may follow
        if begun != last[1] or now - last[0] >= PROGRESS_INTERVAL:
            last[:] = [now, begun]
            tell({"progress": [done, total, step]})

    return heard


def _warm_up() -> None:
    """Import what most tasks need."""
    import microcell.app._tasks
    import microcell.inspection  # noqa: F401
    from microcell.release import anonymize_file  # noqa: F401


def _end_with(parent: int, workspace: str) -> None:
    """End this process when the server is no more, also in the middle of its work."""
    while os.getppid() == parent:
        time.sleep(SERVER_CHECK_INTERVAL)
    _leave_nothing(workspace)


def _leave_nothing(workspace: str) -> NoReturn:
    """Remove what the server left, and end: it ends workers itself while it lives."""
    empty(workspace)
    os._exit(1)
