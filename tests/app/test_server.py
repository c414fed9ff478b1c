"""How the app may be served: beyond this machine only with all that it takes."""

import contextlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import httpx
import pytest
from app_server import PATIENCE, running_app

from microcell.app._server import Settings, is_loopback, listen_at
from microcell.exceptions import InputError

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """A certificate, its key, a password and a folder."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not there to make a certificate")
    place = tmp_path_factory.mktemp("given")
    (place / "password").write_text(PASSWORD + "\n")
    (place / "data").mkdir()
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes"),
            *("-keyout", place / "key.pem", "-out", place / "certificate.pem"),
            *("-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost"),
        ],
        check=True,
        capture_output=True,
    )
    return {
        "certificate": str(place / "certificate.pem"),
        "key": str(place / "key.pem"),
        "password": PASSWORD,
        "folders": [str(place / "data")],
        "names": ["localhost"],
    }


@pytest.mark.parametrize(
    "left_out", ["certificate", "key", "password", "folders", "names"]
)
def test_beyond_this_machine_nothing_may_be_missing(given, left_out):
    assert Settings(host="0.0.0.0", **given).scheme == "https"
    with pytest.raises(InputError) as refused:
        Settings(host="0.0.0.0", **{n: v for n, v in given.items() if n != left_out})
    assert refused.value.option == ("name" if left_out == "names" else "host")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
def test_other_addresses_need_it_all(host):
    with pytest.raises(InputError, match="needs a certificate, its key, a password"):
        Settings(host=host)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_this_machine_needs_nothing(host):
    assert is_loopback(host) and Settings(host=host).scheme == "http"


def test_a_certificate_goes_with_its_key(given):
    with pytest.raises(InputError, match="goes with its key"):
        Settings(certificate=given["certificate"])
    with pytest.raises(FileNotFoundError, match="There is no file absent"):
        Settings(certificate="absent.pem", key=given["key"])


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_is_one(port):
    with pytest.raises(InputError, match="65535"):
        Settings(port=port)


def test_a_port_that_is_taken_is_said():
    with listen_at("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"cannot listen at .*{port}"):
            listen_at("127.0.0.1", port)


def test_the_password_is_not_shown(given):
    assert PASSWORD not in repr(Settings(host="0.0.0.0", **given))


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
            f"POST /api/cases?name=t.csv HTTP/1.1\r\n{body}": b"HTTP/1.1 408",
            f"POST /api/cases/open HTTP/1.1\r\n{body}": b"HTTP/1.1 408",
        }.items():
            with socket.create_connection((place.hostname, place.port), 60) as slow:
                slow.sendall(sent.encode())
                with contextlib.suppress(ConnectionError):
                    received = b""
                    while part := slow.recv(65536):
                        received += part
                assert received.startswith(answer) and bool(received) == bool(answer)
        assert app.files == ["in-use"]


def told(*options):
    """The exit code of the command and what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "microcell", "app", "--no-browser", *options],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout == "" and "Traceback" not in done.stderr
    return done.returncode, done.stderr


def test_the_command_refuses_what_is_missing(given, tmp_path):
    code, said = told("--host", "0.0.0.0", "--certificate", given["certificate"])
    assert code == 2
    for word in ("0.0.0.0", "--key", "--password-file", "--folder"):
        assert word in said
    (tmp_path / "short").write_text("secret")
    code, said = told("--password-file", str(tmp_path / "short"))
    assert code == 2 and "at least 12" in said and "secret" not in said
    (tmp_path / "no.pem").write_text("x")
    pem = str(tmp_path / "no.pem")
    code, said = told("--certificate", pem, "--key", pem)
    assert code == 2 and "certificate" in said


def test_beyond_this_machine_a_password_opens_the_page(given, tmp_path):
    (tmp_path / "password").write_text(PASSWORD)
    options = {
        "--host": "0.0.0.0",
        "--name": "localhost",
        "--certificate": given["certificate"],
        "--key": given["key"],
        "--password-file": str(tmp_path / "password"),
        "--folder": given["folders"][0],
    }
    words = [word for pair in options.items() for word in pair]
    trusted = ssl.create_default_context(cafile=given["certificate"])
    with running_app(tmp_path / "app", *words) as app:
        assert (
            app.origin.startswith("https://localhost:") and "token" not in app.address
        )
        browser = httpx.Client(
            base_url=app.origin, verify=trusted, headers={"Origin": app.origin}
        )
        form = browser.get("/")
        assert form.status_code == 401 and 'type="password"' in form.text
        assert (
            form.headers["referrer-policy"] != "no-referrer"
        )  # forms say their origin
        assert browser.get("/?token=x").status_code == 401
        assert browser.get("/api/state").status_code == 401
        wrong = browser.post("/login", data={"password": "a wrong password"})
        assert wrong.status_code == 401 and not browser.cookies
        assert re.search(r"Try again in \d+ second", wrong.text)
        early = browser.post("/login", data={"password": PASSWORD})
        assert early.status_code == 401  # also the right one has to wait
        foreign = {"Origin": "https://evil.example"}
        login = {"password": PASSWORD}
        assert browser.post("/login", data=login, headers=foreign).status_code == 403
        let_in = app.wait(
            lambda: browser.post("/login", data=login),
            lambda answer: answer.status_code == 200,
        )
        cookie = let_in.headers["set-cookie"]
        assert (
            "Secure" in cookie and "HttpOnly" in cookie and "SameSite=strict" in cookie
        )
        assert browser.get("/api/state").json()["folders"] == ["data"]
        port = app.origin.rsplit(":", 1)[1]
        for host in (f"0.0.0.0:{port}", f"127.0.0.1:{port}", "localhost"):
            answer = browser.get("/api/state", headers={"Host": host})
            assert answer.status_code == 421
        with pytest.raises(httpx.TransportError):
            httpx.get(f"http://localhost:{port}/")
        browser.close()
        assert app.end() == 0
        assert app.said() == "" and app.places == []
