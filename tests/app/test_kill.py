"""Ends of every kind: nothing is left, and what was not hit goes on."""

import os
import signal
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest
from app_server import alive, running_app
from marks import first_is_quick

SOON = 15.0  # seconds, on a machine that is busy


def rows(n):
    lines = ["age,height,weight,income"]
    lines += [
        f"{i * 7919 % 83},{i * 104729 % 997 / 10},{i * 31 % 89},{i * 6151 % 9973}"
        for i in range(n)
    ]
    return ("\n".join(lines) + "\n").encode()


def opened_table(app, n=60):
    """A document that was looked at, with settings whose release is soon made."""
    document = app.upload("survey.csv", rows(n))["id"]
    app.looked_at(document)
    names = ["age", "height", "weight", "income"]
    app.put_draft(
        document, quasi_identifiers=names, k=5, kinds=dict.fromkeys(names, "numeric"),
        confidential=[], identifiers=[], others="drop", unit="records",
        measures="quick",
    )  # fmt: skip
    return document


def long_job(app, kind="release"):
    """A job that would run for minutes, when it runs."""
    document = opened_table(app, 60_000)
    asked = (
        {"methods": ["mdav", "vmdav"], "k": [3, 4]}
        if kind == "compare"
        else {"confirmed": True}
    )
    job = app.client.post(f"/api/documents/{document}/{kind}", json=asked).json()["id"]

    def running():
        return next(j for j in app.document(document)["jobs"] if j["id"] == job)

    app.wait(running, lambda found: found["step"] not in ("", "reading"))
    return document, job


def all_gone(pids):
    end = time.monotonic() + SOON
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    return not any(map(alive, pids))


def files_gone(app):
    end = time.monotonic() + SOON
    while app.places and time.monotonic() < end:
        time.sleep(0.05)
    return app.places == []


@pytest.mark.parametrize("kind", first_is_quick(["release", "compare"]))
def test_a_killed_server_leaves_neither_workers_nor_files(tmp_path, kind):
    with running_app(tmp_path / "app") as app:
        long_job(app, kind)
        if kind == "compare":  # candidates are tried by processes of the worker's
            app.wait(app.workers, lambda pids: len(pids) >= 3)
        workers = app.workers()
        assert workers and "survey.csv" in app.files
        app.end(signal.SIGKILL)
        assert all_gone(workers)
        assert files_gone(app)


@pytest.mark.slow
@pytest.mark.parametrize("state", ["new", "uploading", "looked at", "released"])
def test_a_server_killed_while_it_waits_leaves_nothing(tmp_path, state):
    with running_app(tmp_path / "app") as app:
        place = urlsplit(app.origin)
        with socket.create_connection((place.hostname, place.port)) as sender:
            if state == "uploading":
                cookie = "; ".join(f"{n}={v}" for n, v in app.client.cookies.items())
                sender.sendall(
                    "POST /api/documents?name=half.csv HTTP/1.1\r\n"
                    f"Host: {place.netloc}\r\nOrigin: {app.origin}\r\n"
                    f"Cookie: {cookie}\r\nContent-Length: 5000\r\n\r\na,b\n".encode()
                )
                app.wait(lambda: app.files, lambda files: "half.csv" in files)
            elif state != "new":
                document = opened_table(app)
                if state == "released":
                    app.release(document)
            workers = app.workers()
            app.wait(app.workers, lambda pids: pids != [])
            app.end(signal.SIGKILL)
        assert all_gone(workers)
        assert files_gone(app)


@pytest.mark.slow
def test_a_server_killed_with_all_workers_is_tidied_at_the_next_start(tmp_path):
    with running_app(tmp_path / "app") as app:
        app.upload("survey.csv", rows(60))
        for pid in [app.process.pid, *app.workers()]:
            os.kill(pid, signal.SIGSTOP)  # so that none of them tidies up
        for pid in [*app.workers(), app.process.pid]:
            os.kill(pid, signal.SIGKILL)
        app.end()
        (left,) = app.places
        assert "survey.csv" in app.files
        with running_app(tmp_path / "app") as following:
            assert left not in following.places and len(following.places) == 1
            assert following.files == ["in-use"]
        assert app.places == []


@pytest.mark.parametrize(
    "number", first_is_quick([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
)
def test_a_signal_ends_everything_soon(tmp_path, number):
    with running_app(tmp_path / "app") as app:
        long_job(app)
        heard = threading.Event()

        def listen():
            page = app.new_client()
            with page.stream("GET", "/api/events") as stream:
                for _ in stream.iter_lines():
                    heard.set()
            page.close()

        listener = threading.Thread(target=listen)
        listener.start()
        assert heard.wait(SOON)
        workers, begun = app.workers(), time.monotonic()
        assert app.end(number) == 0
        assert time.monotonic() - begun < SOON
        assert not any(map(alive, workers)) and app.places == []
        assert app.said() == ""
        listener.join(SOON)
        assert not listener.is_alive()  # its stream was ended, not cut


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("kills")) as app:
        yield app
        assert app.end() == 0
        assert app.said() == "" and app.places == []


def releases_of(app):
    return [p for place in app.places for p in place.glob("releases/*/*")]


@pytest.mark.slow  # a killed server is quick
def test_a_killed_worker_is_said_and_the_app_goes_on(app):
    document, job = long_job(app)
    (busiest,) = sorted(app.workers(), key=seconds_of)[-1:]
    os.kill(busiest, signal.SIGKILL)
    ended = app.job(document, job)
    assert ended["state"] == "failed" and "from outside" in ended["error"]["message"]
    assert releases_of(app) == [] and app.document(document)["releases"] == []
    app.client.delete(f"/api/documents/{document}")
    document = opened_table(app)
    assert app.release(document)["n_records"] == 60
    app.client.delete(f"/api/documents/{document}")
    assert releases_of(app) == []


def seconds_of(pid):
    """Processor time of a process."""
    with open(f"/proc/{pid}/stat") as file:
        return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))


@pytest.mark.slow
def test_closing_a_case_ends_its_jobs(app):
    document, _ = long_job(app)
    waiting = app.client.post(
        f"/api/documents/{document}/release", json={"confirmed": True}
    ).json()["id"]
    busy = max(app.workers(), key=seconds_of)
    assert app.client.delete(f"/api/documents/{document}").status_code == 204
    assert not alive(busy)
    state = app.client.get("/api/state").json()
    states = {job["id"]: job["state"] for job in state["jobs"]}
    assert states[waiting] == "cancelled" and not state["documents"]
    assert releases_of(app) == [] and app.files == ["in-use"]


@pytest.mark.slow
def test_a_job_is_cancelled_in_each_state(app):
    document, running = long_job(app)
    others = [
        app.client.post(
            f"/api/documents/{document}/release", json={"confirmed": True}
        ).json()["id"]
        for _ in range(3)
    ]
    for job in reversed([running, *others]):
        answer = app.client.delete(f"/api/jobs/{job}")
        assert answer.json()["state"] == "cancelled"
        assert app.client.delete(f"/api/jobs/{job}").json()["state"] == "cancelled"
    assert releases_of(app) == []
    app.client.delete(f"/api/documents/{document}")
    document = opened_table(app)
    app.release(document)
    done = app.document(document)["jobs"][-1]
    assert app.client.delete(f"/api/jobs/{done['id']}").json()["state"] == "done"
    assert len(app.document(document)["releases"]) == 1
    app.client.delete(f"/api/documents/{document}")


def test_a_release_that_breaks_a_promise_leaves_no_file(app):
    document = opened_table(app)
    app.put_draft(
        document,
        quasi_identifiers=["age", "height"],
        kinds={"age": "numeric", "height": "numeric"},
        confidential=["income"],
        promises={"p-sensitivity": 61},  # more than there are values
    )
    answer = app.client.post(
        f"/api/documents/{document}/release", json={"confirmed": True}
    )
    assert answer.status_code == 202, answer.text
    ended = app.job(document, answer.json()["id"])
    assert ended["state"] == "failed"
    assert "cannot hold" in ended["error"]["message"]
    assert releases_of(app) == [] and app.document(document)["releases"] == []
    app.client.delete(f"/api/documents/{document}")
    assert app.files == ["in-use"]
