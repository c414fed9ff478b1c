"""The guard: who is let in, and what a browser is told."""

import asyncio

import pytest
from marks import for_each

from microcell.app import _guard
from microcell.app._guard import Guard, Keys

HOST = "127.0.0.1:8000"


async def inner(scope, receive, send):
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"in"})


def ask(
    path="/api/state", *, method="GET", cookie=True, guard=None, body=(), **headers
):
    """Status and headers of what the guard answers."""
    guard = guard or made()
    headers = {"host": HOST, **headers}
    if cookie:
        headers["cookie"] = f"other=1; microcell={guard.keys.cookie}"
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [
            (name.replace("_", "-").encode(), value.encode())
            for name, value in headers.items()
        ],
    }
    parts = [{"type": "http.request", "body": b, "more_body": True} for b in body]
    parts.append({"type": "http.request", "body": b"", "more_body": False})
    answered = []

    async def receive():
        return parts.pop(0)

    async def send(message):
        answered.append(message)

    asyncio.run(guard(scope, receive, send))
    found = {n.decode(): v.decode() for n, v in answered[0]["headers"]}
    return answered[0]["status"], found


def made():
    return Guard(
        inner,
        keys=Keys(),
        hosts=[HOST, "localhost:8000"],
        cookie_name="microcell",
        used=lambda: None,
    )


def test_our_page_is_let_in():
    assert ask()[0] == 200
    assert ask(method="PUT", origin=f"http://{HOST}")[0] == 200
    assert ask(method="POST", sec_fetch_site="same-origin")[0] == 200
    assert ask(host="LOCALHOST:8000")[0] == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "127.0.0.1:8001", "127.0.0.1:8000.evil.example"],
)
def test_another_host_is_not(host):
    assert ask(host=host)[0] == 421


@for_each(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:8000", "http://127.0.0.1:8001"],
)
@for_each("method", ["GET", "POST", "PUT", "DELETE"])
def test_another_origin_is_not(origin, method):
    assert ask(method=method, origin=origin)[0] == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_another_site_fetches_is_not(site):
    assert ask(sec_fetch_site=site)[0] == 403
    assert ask("/", sec_fetch_site=site)[0] == 200  # a link; it needs its key there


def test_a_change_without_an_origin_is_not():
    assert ask(method="POST")[0] == 403
    assert ask(method="DELETE")[0] == 403


def test_without_the_cookie_nothing_is_shown():
    for path in ("/api/state", "/page/main.js", "/api/events", "/absent"):
        assert ask(path, cookie=False)[0] == 401
    assert ask(cookie=False, cookie_="x")[0] == 401


@pytest.mark.parametrize("cookie", ["microcell=", "microcell=wrong", "]]=;;", "a"])
def test_a_wrong_cookie_is_none(cookie):
    guard = made()
    assert not guard.has_cookie(cookie)


def test_web_sockets_are_closed():
    sent = []

    async def send(message):
        sent.append(message["type"])

    asyncio.run(made()({"type": "websocket"}, None, send))
    assert sent == ["websocket.close"]


def test_what_is_too_long_is_refused_while_it_comes(monkeypatch):
    monkeypatch.setattr(_guard, "MAX_BODY_BYTES", 10)
    said = {"method": "PUT", "origin": f"http://{HOST}"}
    assert ask(body=[b"x" * 10], **said)[0] == 200
    assert ask(body=[b"x" * 10, b"x"], **said)[0] == 413
    upload = {"method": "POST", "origin": f"http://{HOST}"}
    assert ask("/api/documents", body=[b"x" * 10, b"x"], **upload)[0] == 200


def test_a_short_body_that_nobody_reads_is_taken_and_a_long_one_is_not():
    async def deaf(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    guard = made()
    guard.app = deaf
    said = {"method": "POST", "origin": f"http://{HOST}", "guard": guard}
    short = ask(body=[b"{}"], content_length="2", **said)[1]
    assert "connection" not in short
    long = ask(body=[b"x"], content_length="70000", **said)[1]
    assert long["connection"] == "close"
    endless = ask(body=[b"x"], transfer_encoding="chunked", **said)[1]
    assert endless["connection"] == "close"


def test_every_answer_says_what_a_browser_may_do():
    for answer in (ask(), ask(cookie=False), ask(host="evil.example")):
        headers = answer[1]
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert "script-src 'self';" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert headers["x-frame-options"] == "DENY"


def test_a_report_runs_no_script_and_is_shown_by_our_page_alone():
    headers = ask("/api/releases/1/report")[1]
    policy = headers["content-security-policy"]
    assert "script-src" not in policy and "default-src 'none'" in policy
    assert policy.endswith("sandbox") and "frame-ancestors 'self'" in policy


def test_a_key_for_once_works_once():
    keys = Keys()
    once = keys.for_once()
    assert keys.lets_in(once) and not keys.lets_in(once)
    assert keys.lets_in(keys.token) and keys.lets_in(keys.token)
    assert not keys.lets_in("") and not keys.lets_in("é" * 43)
    assert not keys.knows(keys.token)
