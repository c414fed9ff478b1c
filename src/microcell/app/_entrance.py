"""The entrance: an address with a token, or a password, becomes a cookie."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from microcell.app._guard import LOGIN, Guard, Keys, Password

PAGE = Path(__file__).parent / "page"
MOST_FORM = 10_000  # bytes
FRAME = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">{head}
<title>microcell</title></head><body>{body}</body></html>"""
NOT_IN = (
    "<main><h1>microcell</h1><p>Open the address that microcell printed when it was "
    "started: it holds the key to this page.</p></main>"
)
FORM = (
    '<main><h1>microcell</h1><form method="post" action="/login"><p><label>Password '
    '<input type="password" name="password" autocomplete="current-password" required '
    "autofocus></label></p>{said}<p><button>Open</button></p></form></main>"
)


def add_entrance(
    app: FastAPI,
    guard_of: Callable[[], Guard],
    keys: Keys,
    password: Password | None,
    secure: bool,
) -> None:
    """Add the page and the ways in to it."""

    @app.get("/")
    async def page(request: Request) -> Response:
        guard = guard_of()
        token = request.query_params.get("token")
        if token is not None and password is None and keys.lets_in(token):
            return _let_in(guard, keys, secure)
        if guard.has_cookie(request.headers.get("cookie", "")):
            return FileResponse(PAGE / "index.html")
        body = NOT_IN if password is None else FORM.format(said="")
        return _plain(body, 403 if password is None else 401)

    @app.post(LOGIN)
    async def log_in(request: Request) -> Response:
        if password is None:
            return _plain(NOT_IN, 403)
        body = await request.body()
        given = parse_qs(body[:MOST_FORM].decode("utf-8", "replace")).get("password")
        if given and password.check(given[0]):
            return _let_in(guard_of(), keys, secure)
        wait = f"Try again in {password.waits:.0f} seconds."
        said = f"<p role=alert>That is not the password. {html.escape(wait)}</p>"
        return _plain(FORM.format(said=said), 401)


def _let_in(guard: Guard, keys: Keys, secure: bool) -> Response:
    """Hand out the cookie, and go on from a page of our own.

    A redirection would be part of the journey of whoever named the address, and a
    browser does not send the cookie on journeys that begin elsewhere.
    """
    head = '<meta http-equiv="refresh" content="0;url=/">'
    answer = _plain('<p><a href="/">microcell</a></p>', 200, head)
    answer.set_cookie(
        guard.cookie_name,
        keys.cookie,
        httponly=True,
        samesite="strict",
        secure=secure,
        path="/",
    )
    return answer


def _plain(body: str, status: int, head: str = "") -> HTMLResponse:
    return HTMLResponse(FRAME.format(body=body, head=head), status_code=status)
