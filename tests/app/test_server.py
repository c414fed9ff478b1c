"""How the app is served: to this machine alone, and to whom it was opened for."""

import contextlib
import os
import re
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import httpx
import pytest
from app_server import running_app

from microcell.app._server import Settings, hosts_of, listen_at
from microcell.exceptions import InputError


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_is_one(port):
    with pytest.raises(InputError, match="65535"):
        Settings(port=port)


def test_it_listens_to_this_machine_alone():
    with listen_at(0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
    assert hosts_of(8765) == ["127.0.0.1:8765", "localhost:8765"]
    assert hosts_of(80)[2:] == ["127.0.0.1", "localhost"]  # as browsers write it


def test_a_port_that_is_taken_is_said():
    with listen_at(0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"cannot listen at .*{port}"):
            listen_at(port)


def test_how_a_browser_is_started_tells_no_key(tmp_path):
    """All users of a machine see the arguments of its processes."""
    browser, said = tmp_path / "browser", tmp_path / "said"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {said}.part\n'
                       f'mv {said}.part {said}\n')  # fmt: skip
    browser.chmod(0o700)
    with running_app(tmp_path / "app", browser=True, BROWSER=f"{browser} %s") as app:
        address = app.wait(lambda: said.exists() and said.read_text().strip(), bool)
        assert address.startswith("file://") and "token" not in address
        page = Path(url2pathname(urlsplit(address).path))
        assert page.parent in app.places and page.parent.stat().st_mode & 0o77 == 0
        assert page.stat().st_mode & 0o777 == 0o600
        (way,) = set(re.findall(r"http://[^\s\"<>]+token=[\w-]+", page.read_text()))
        assert way != app.address and way.split("token=")[0] in app.address
        journey = {"Sec-Fetch-Site": "cross-site"}  # a file is no page of ours
        assert httpx.get(way, headers=journey).cookies
        assert httpx.get(way).status_code == 403  # once


def test_a_connection_that_brings_no_request_ends(tmp_path):
    """With limits so short that the test need not wait: HEAD_SECONDS, BODY_SECONDS."""
    (tmp_path / "short").mkdir()
    (tmp_path / "short" / "sitecustomize.py").write_text(
        "import sys\n"
        "if 'app' in sys.argv:\n"
        "    import microcell.app._connections, microcell.app._guard\n"
        "    microcell.app._connections.HEAD_SECONDS = 0.3\n"
        "    microcell.app._guard.BODY_SECONDS = 0.3\n"
    )
    path = os.pathsep.join([str(tmp_path / "short"), *filter(None, sys.path)])
    with running_app(tmp_path / "app", PYTHONPATH=path) as app:
        place = urlsplit(app.origin)
        cookie = "; ".join(f"{n}={v}" for n, v in app.client.cookies.items())
        head = f"Host: {place.netloc}\r\nOrigin: {app.origin}\r\nCookie: {cookie}\r\n"
        body = f"{head}Content-Length: 50\r\n\r\nhalf"
        for sent, answer in {
            "": b"",
            f"GET / HTTP/1.1\r\n{head}": b"",
            f"GET / HTTP/1.1\r\n{head}\r\nGET / HTTP/1.1\r\nHost: ": b"HTTP/1.1 200",
            f"POST /api/documents?name=t.csv HTTP/1.1\r\n{body}": b"HTTP/1.1 408",
            f"POST /api/documents/open HTTP/1.1\r\n{body}": b"HTTP/1.1 408",
        }.items():
            with socket.create_connection((place.hostname, place.port), 60) as slow:
                slow.sendall(sent.encode())
                with contextlib.suppress(ConnectionError):
                    received = b""
                    while part := slow.recv(65536):
                        received += part
                assert received.startswith(answer) and bool(received) == bool(answer)
        assert app.files == ["in-use"]
