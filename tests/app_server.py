"""The app as its users start it: a process, an address and a client."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx

PATIENCE = 120.0  # seconds for an answer, on a machine that is busy


class AppServer:
    """A running app.

    Parameters
    ----------
    folder : path
        Where its temporary folder goes.
    *options : str
        Options of the command.
    browser : bool
        Whether it opens one.
    **variables : str
        Of its environment.
    """

    def __init__(self, folder, *options, browser=False, **variables):
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.log = open(folder / "log", "w+")
        options = options if browser else ("--no-browser", *options)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "microcell", "app", *options],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env={**os.environ, "TMPDIR": str(folder), **variables},
        )
        self.address = re.search(r"https?://\S+", self.process.stdout.readline())[0]
        self.origin = self.address.rstrip("/").split("/?")[0]
        self.client = self.new_client()

    def new_client(self, **more):
        """A browser that came by the printed address."""
        client = httpx.Client(
            base_url=self.origin,
            headers={"Origin": self.origin},
            timeout=PATIENCE,
            **more,
        )
        if "token" in self.address:
            client.get(self.address).raise_for_status()
        return client

    @property
    def places(self):
        """Folders that the app has made and not removed."""
        return [path for path in self.folder.iterdir() if path.is_dir()]

    @property
    def files(self):
        """Names of all files in them; what goes away meanwhile is not there."""
        walks = (os.walk(place) for place in self.places)
        return [name for walk in walks for *_, names in walk for name in names]

    def upload(self, name, contents):
        """The document of an upload."""
        answer = self.client.post(
            "/api/documents", params={"name": name}, content=contents
        )
        assert answer.status_code == 201, answer.text
        return answer.json()

    def demo(self):
        """The document of the demonstration."""
        answer = self.client.post("/api/documents/demo")
        assert answer.status_code == 201, answer.text
        return answer.json()

    def document(self, id):
        """A document as it is now."""
        return self.client.get(f"/api/documents/{id}").raise_for_status().json()

    def looked_at(self, id):
        """A document when its table has been read, or could not be."""
        return self.wait(
            lambda: self.document(id),
            lambda document: (
                document["problem"]
                or (document["checked"] and all(over(job) for job in document["jobs"]))
            ),
        )

    def job(self, document, id):
        """A job of a document when it is over."""

        def found():
            return next(j for j in self.document(document)["jobs"] if j["id"] == id)

        return self.wait(found, over)

    def put_draft(self, document, **changes):
        """A document with other settings."""
        now = self.document(document)
        answer = self.client.put(
            f"/api/documents/{document}/draft",
            json={"revision": now["revision"], "entries": now["draft"] | changes},
        )
        return answer.raise_for_status().json()

    def release(self, document, **wish):
        """The release that is made of a document."""
        answer = self.client.post(
            f"/api/documents/{document}/release", json=wish | {"confirmed": True}
        )
        assert answer.status_code == 202, answer.text
        job = self.job(document, answer.json()["id"])
        assert job["state"] == "done", job
        return self.document(document)["releases"][0]

    def download(self, release, what):
        """The bytes of a file of a release."""
        address = f"/api/releases/{release['id']}/files/{what}"
        return self.client.get(address).raise_for_status().content

    @staticmethod
    def wait(ask, good):
        """What is asked for, as soon as it is good."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = ask()
            if good(found):
                return found
            time.sleep(0.03)
        raise AssertionError(f"waited too long, and there is {found}")

    def workers(self):
        """Numbers of the processes that it started, and of those that they did."""
        return descendants(self.process.pid)

    def end(self, number=signal.SIGINT):
        """End it, and what it returned."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.client.close()
        return code

    def said(self):
        """What it wrote to the terminal's second stream."""
        self.log.seek(0)
        return self.log.read()


def over(job):
    return job["state"] in ("done", "failed", "cancelled")


def descendants(pid):
    """Processes that a process started, and those that they did."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            children = [int(child) for child in file.read().split()]
    except OSError:
        return []
    return [p for child in children for p in (child, *descendants(child))]


def alive(pid):
    """Whether a process is there and has not ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def running_app(folder, *options, browser=False, **variables):
    """An app that is ended with the block."""
    server = AppServer(folder, *options, browser=browser, **variables)
    try:
        yield server
    finally:
        server.end()
        server.log.close()
