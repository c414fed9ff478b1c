"""The guard: who may ask, from which page, and what a browser may do."""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from microcell.app._errors import Refused, error_of

SAFE = ("GET", "HEAD")
MAX_SKIPPED_BYTES = 65_536  # bytes that are taken even if nobody needs them
REST_SECONDS = 2.0  # that they may take
BODY_SECONDS = 30.0  # for a body, or for the next piece of an upload
MAX_BODY_BYTES = 5 * 10**6  # bytes of a request that is no upload
UPLOAD = "/api/documents"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with none, forms do not say their origin
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Keys:
    """What lets somebody in: tokens of addresses, and the cookie they turn into.

    Attributes
    ----------
    token : str
        Of the address that is printed; it may be used again.
    cookie : str
        What a browser that came with a token is known by.
    """

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(32)
        self.cookie = secrets.token_urlsafe(32)
        self._once: set[str] = set()

    def for_once(self) -> str:
        """A token that works once: others may see how a browser is started."""
        token = secrets.token_urlsafe(32)
        self._once.add(token)
        return token

    def lets_in(self, token: str) -> bool:
        """Whether a token is one of ours; one for once is used up."""
        if token in self._once:
            self._once.remove(token)
            return True
        return secrets.compare_digest(token.encode(), self.token.encode())

    def knows(self, cookie: str) -> bool:
        """Whether a browser has the cookie."""
        return secrets.compare_digest(cookie.encode(), self.cookie.encode())


@dataclass(eq=False)
class Guard:
    """Refuses what does not come from our own page, and says what the page may do.

    Attributes
    ----------
    app : ASGI application
    keys : Keys
    hosts : sequence of str
        Names, with ports, by which the app may be called, in small letters.
    cookie_name : str
    used : callable
        Called when somebody asks for something.
    """

    app: Any
    keys: Keys
    hosts: Sequence[str]
    cookie_name: str
    used: Callable[[], None]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets
            await send({"type": "websocket.close", "code": 1008})
            return
        is_upload = scope["path"] == UPLOAD and scope["method"] == "POST"
        body = _Body(
            receive, scope["headers"], math.inf if is_upload else MAX_BODY_BYTES
        )
        cookies = dict(scope["headers"]).get(b"cookie", b"").decode("latin-1")
        known = self.has_cookie(cookies)
        answer = _Answer(send, scope["path"], body, last=not known)
        refused = self._refusal(scope, known)
        if refused is not None:
            await refusal(*refused)(scope, body, answer)
            return
        if scope["path"] not in ("/api/events", "/api/state"):
            self.used()
        try:
            await self.app(scope, body, answer)
        except BadBody as error:
            await refusal(error.status_code, error.detail)(scope, body, answer)
        except Exception as error:  # a server's log of it would quote records
            if not answer.begun:
                await refusal(500, error_of(error)["message"])(scope, body, answer)

    def _refusal(self, scope: Scope, known: bool) -> tuple[int, str] | None:
        """Status and sentence for a request that is not let in."""
        names = [name for name, _ in scope["headers"]]
        headers = {
            n.decode("latin-1"): v.decode("latin-1") for n, v in scope["headers"]
        }
        if names.count(b"host") != 1 or headers["host"].casefold() not in self.hosts:
            return 421, "This is not the address that microcell was started for."
        ours = {f"http://{host}" for host in self.hosts}
        origin = headers.get("origin")
        if origin is not None and origin.casefold() not in ours:
            return 403, "Another site asked for this, which it may not."
        fetched = headers.get("sec-fetch-site")
        safe, path = scope["method"] in SAFE, scope["path"]
        if fetched not in (None, "same-origin", "none") and not (safe and path == "/"):
            return 403, "Another site asked for this, which it may not."
        if not safe and origin is None and fetched != "same-origin":
            return 403, "The request does not say which page it comes from."
        if path != "/" and not known:  # where tokens are looked at
            return 401, "Open the address that microcell printed when it was started."
        return None

    def has_cookie(self, given: str) -> bool:
        """Whether a request comes from a browser that was let in."""
        try:
            found = SimpleCookie(given).get(self.cookie_name)
        except CookieError:
            return False
        return found is not None and self.keys.knows(found.value)


class BadBody(HTTPException):
    """A request that goes on beyond what is taken, or whose rest does not come."""


class _Body:
    """What a request brings, counted and timed, and whether all of it came."""

    def __init__(self, receive: Receive, headers: Any, most: float) -> None:
        said = dict(headers)
        declared = said.get(b"content-length", b"")
        self._receive = receive
        self._left = most
        # an upload may take as long as it needs, if only it goes on
        self._until = None if most == math.inf else time.monotonic() + BODY_SECONDS
        plain = declared.isdigit() and b"transfer-encoding" not in said
        self._short = plain and int(declared) <= MAX_SKIPPED_BYTES
        self.whole = not said.keys() & {b"content-length", b"transfer-encoding"}

    async def __call__(self) -> Message:
        left: float | None = None  # what follows the body is the end, sooner or later
        if not self.whole:
            until = self._until
            left = BODY_SECONDS if until is None else until - time.monotonic()
        try:
            async with asyncio.timeout(left):
                message = await self._receive()
        except TimeoutError:
            raise BadBody(408, "The request did not come to its end.") from None
        self.whole = not message.get("more_body", False)
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.whole = False
            raise BadBody(413, "The request is too long.")
        return message

    async def take_rest(self) -> None:
        """Take what nobody asked for, if it is short, so that the connection stays."""
        with contextlib.suppress(TimeoutError, BadBody):
            async with asyncio.timeout(REST_SECONDS):
                while self._short and not self.whole:
                    await self()


class _Answer:
    """Adds to an answer what a browser may do with it, and knows whether it began.

    An answer to what has not come whole is the last of its connection: otherwise the
    server would take all the rest, and throw it away. So is one to a stranger, whose
    connection would take the place of another.
    """

    def __init__(self, send: Send, path: str, body: _Body, *, last: bool) -> None:
        self._body = body
        self._last = last
        is_report = path.startswith("/api/releases/") and path.endswith("/report")
        self._send = send
        self._extra = {
            **HEADERS,
            "content-security-policy": REPORT_POLICY if is_report else POLICY,
            "x-frame-options": "SAMEORIGIN" if is_report else "DENY",
        }
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            await self._body.take_rest()
            extra = self._extra
            kept = [(n, v) for n, v in message["headers"] if n.decode() not in extra]
            kept += [(n.encode(), v.encode()) for n, v in extra.items()]
            if self._last or not self._body.whole:
                kept.append((b"connection", b"close"))
            message = {**message, "headers": kept}
        await self._send(message)


def refusal(status: int, sentence: str) -> JSONResponse:
    """The answer to a request that is not let in."""
    return JSONResponse({"error": error_of(Refused(sentence))}, status)
