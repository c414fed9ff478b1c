"""The server: from the options of the command to a page that is served."""

from __future__ import annotations

import asyncio
import contextlib
import html
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from microcell._interrupts import SIGNALS
from microcell.app._connections import connections
from microcell.app._folders import Folders
from microcell.app._guard import Guard, Keys
from microcell.app._log import discreet_logs
from microcell.app._login import FRAME, PAGE, add_login
from microcell.app._routes import add_routes
from microcell.app._session import Session
from microcell.app._workspace import Workspace, for_me_alone
from microcell.exceptions import InputError

LOOPBACK = "127.0.0.1"
UPLOAD_LIMIT = 2 * 10**9  # bytes
LOGIN_FILE = "open.html"
TIDY_INTERVAL = 5.0  # seconds between two looks for what nobody needs


@dataclass(frozen=True)
class Settings:
    """How the app is served.

    Attributes
    ----------
    port : int
        0 takes one that is free.
    folders : sequence of path
        Below which files may be opened where they are.
    upload_limit : int
        Bytes of one upload.
    temporary : path or None
        Where its folder is made.
    """

    port: int = 0
    folders: Sequence[str | Path] = ()
    upload_limit: int = UPLOAD_LIMIT
    temporary: str | Path | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise InputError(
                f"A port is a number up to 65535. Got {self.port}.", option="port"
            )


def hosts_of(port: int) -> list[str]:
    """What a browser of this machine may call the app."""
    names = [LOOPBACK, "localhost"]
    return [f"{name}:{port}" for name in names] + (names if port == 80 else [])


class Served:
    """The app and what it needs while it runs.

    Parameters
    ----------
    settings : Settings
    workspace : Workspace
    port : int
        The port that it got.
    """

    def __init__(self, settings: Settings, workspace: Workspace, port: int) -> None:
        self.port = port
        self.keys = Keys()
        self.server: Any = None
        folders = Folders(settings.folders)
        self.session = Session(workspace, folders, settings.upload_limit)

    @property
    def origin(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    def address(self, token: str | None = None) -> str:
        """What to open."""
        return f"{self.origin}/?token={token or self.keys.token}"

    def application(self) -> Guard:
        """The application, behind its guard."""
        session = self.session

        @contextlib.asynccontextmanager
        async def life(app: FastAPI) -> AsyncIterator[None]:
            session.jobs.warm_up()  # which removes what is left, if this is killed
            tidying = asyncio.create_task(_tidy_up(session))
            try:
                yield
            finally:
                tidying.cancel()
                session.broadcast.close()
                await session.jobs.close()

        app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)
        name = f"microcell-{self.port}"  # cookies do not know ports
        guard = Guard(app, self.keys, hosts_of(self.port), name, session.note_use)
        add_login(app, guard)
        add_routes(app, session, self.stop)
        app.mount("/page", StaticFiles(directory=PAGE))
        return guard

    def stop(self) -> None:
        """End the server; streams that are open end first."""
        self.session.broadcast.close()
        if self.server is not None:
            self.server.should_exit = True


async def _tidy_up(session: Session) -> None:
    while True:
        await asyncio.sleep(TIDY_INTERVAL)
        await session.tidy()


class Server(uvicorn.Server):
    """A server whose end is not kept waiting by pages that listen."""

    served: Served

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on a signal, and do not raise it again: the folder is to be emptied."""
        kept = [n for n in SIGNALS if signal.getsignal(n) is not signal.SIG_IGN]
        before = {number: signal.signal(number, self.handle_exit) for number in kept}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: Any) -> None:
        super().handle_exit(sig, frame)
        self.served.stop()


def serve(
    settings: Settings, *, browser: bool = True, say: Callable[[str], None] = print
) -> None:
    """Serve the app until it is ended, and leave nothing behind.

    Parameters
    ----------
    settings : Settings
    browser : bool, default=True
        Whether to open the page.
    say : callable
        Takes the lines that the user is to read.
    """
    listening = listen_at(settings.port)
    with listening, discreet_logs(), Workspace(settings.temporary) as workspace:
        served = Served(settings, workspace, listening.getsockname()[1])
        config = uvicorn.Config(
            served.application(),
            log_config=None,
            access_log=False,
            http=connections(),
            ws="none",
            proxy_headers=False,
            server_header=False,
            date_header=False,
            limit_concurrency=200,
            timeout_graceful_shutdown=2,
        )
        server = Server(config)
        server.served, served.server = served, server
        say(f"Open {served.address()}")
        say("Press Ctrl+C to end microcell; then nothing of your data stays here.")
        if browser and has_screen():
            _open_soon(login_file(workspace.root, served))
        server.run(sockets=[listening])


def listen_at(port: int) -> socket.socket:
    """A socket that listens, so that the port is known before anything is served."""
    listening = socket.socket()
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
    except OSError as error:
        listening.close()
        raise InputError(
            f"The app cannot listen at {LOOPBACK}, port {port}: "
            f"{(error.strerror or str(error)).lower()}.",
            option="port",
            hint="Choose another port, or leave it out for one that is free.",
        ) from None
    listening.listen(100)
    return listening


def has_screen() -> bool:
    """Whether a browser has where to show itself; one in the terminal would block it.

    Examples
    --------
    >>> isinstance(has_screen(), bool)
    True
    """
    if sys.platform != "linux":
        return True
    named = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    return any(os.environ.get(name) for name in named)


def login_file(folder: Path, served: Served) -> str:
    """The address of a page that leads in, with a key that works once.

    All users of a machine see how a browser is started. They see where this file is,
    and may not read it.
    """
    path = folder / LOGIN_FILE
    address = html.escape(served.address(served.keys.for_once()))
    body = f'<p><a href="{address}">microcell</a></p>'
    head = f'<meta http-equiv="refresh" content="0;url={address}">'
    with open(path, "x", encoding="utf-8", opener=for_me_alone) as file:
        file.write(FRAME.format(head=head, body=body))
    return path.absolute().as_uri()


def _open_soon(address: str) -> None:
    """Open the page; the socket listens already, so that the browser may come early."""

    def open_it() -> None:
        with contextlib.suppress(Exception):
            webbrowser.open(address)

    threading.Thread(target=open_it, daemon=True).start()
