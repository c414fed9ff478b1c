"""The login: an address with a token becomes a cookie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from microcell.app._guard import Guard

PAGE = Path(__file__).parent / "page"
FRAME = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">{head}
<title>microcell</title></head><body>{body}</body></html>"""
NOT_IN = (
    "<main><h1>microcell</h1><p>Open the address that microcell printed when it was "
    "started: it holds the key to this page.</p></main>"
)


def add_login(app: FastAPI, guard: Guard) -> None:
    """Add the page and the way in to it."""

    @app.get("/")
    async def page(request: Request) -> Response:
        token = request.query_params.get("token")
        if token is not None and guard.keys.lets_in(token):
            return _let_in(guard)
        if guard.has_cookie(request.headers.get("cookie", "")):
            return FileResponse(PAGE / "index.html")
        return _plain(NOT_IN, 403)


def _let_in(guard: Guard) -> Response:
    """Hand out the cookie, and go on from a page of our own.

    A redirection would be part of the journey of whoever named the address, and a
    browser does not send the cookie on journeys that begin elsewhere.
    """
    head = '<meta http-equiv="refresh" content="0;url=/">'
    answer = _plain('<p><a href="/">microcell</a></p>', 200, head)
    limits: dict[str, Any] = {"httponly": True, "samesite": "strict", "path": "/"}
    answer.set_cookie(guard.cookie_name, guard.keys.cookie, **limits)
    return answer


def _plain(body: str, status: int, head: str = "") -> HTMLResponse:
    return HTMLResponse(FRAME.format(body=body, head=head), status_code=status)
