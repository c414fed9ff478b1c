"""A PostgreSQL server of the tests' own, in a temporary folder, and its own client."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

USER = "tester"
LOCKED, SECRET = "locked", "s3cr3t/p@ss:w%rd"  # a user with a password
QUICK = ("fsync=off", "full_page_writes=off", "shared_buffers=16MB", "autovacuum=off")


def programs():
    """The folder of the newest server that is installed, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_version)
    if found:
        return found[-1].parent
    elsewhere = shutil.which("initdb")
    return Path(elsewhere).parent if elsewhere else None


def _version(path):
    return int("0" + "".join(filter(str.isdigit, path.parts[-3])))


class Server:
    """A server that listens on a socket in its folder alone.

    It refuses to run as root, and then runs as another user.
    """

    def __init__(self, bin):
        self.bin = bin
        self.folder = tempfile.mkdtemp(prefix="pg", dir="/tmp")  # sockets: short paths
        self.log = open(f"{self.folder}/log", "w")
        self.process = None
        self.as_user = {}
        if os.geteuid() == 0:
            user = self._unprivileged()
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.as_user = {"user": user.pw_uid, "group": user.pw_gid}
            self.as_user["extra_groups"] = []

    def _unprivileged(self):
        for name in ("postgres", "nobody"):
            with contextlib.suppress(KeyError):
                return pwd.getpwnam(name)
        raise OSError("There is no user postgres or nobody to run the server as.")

    def start(self):
        data = f"{self.folder}/data"
        make = [self.bin / "initdb", "-D", data, "-U", USER, "-A", "trust"]
        self._call([*make, "--no-sync", "-E", "UTF8", "--locale=C"])
        rules = f"local all {LOCKED} scram-sha-256\nlocal all all trust\n"
        Path(f"{data}/pg_hba.conf").write_text(rules)
        settings = [f"-c{setting}" for setting in ("listen_addresses=", *QUICK)]
        self.process = subprocess.Popen(
            [self.bin / "postgres", "-D", data, "-k", self.folder, *settings],
            cwd=self.folder,
            stdout=self.log,
            stderr=self.log,
            **self.as_user,
        )
        while not self._answers():
            if self.process.poll() is not None:
                raise OSError(f"The server ended: {Path(self.log.name).read_text()}")
            time.sleep(0.05)
        self.run("postgres", f"CREATE ROLE {LOCKED} LOGIN PASSWORD '{SECRET}'")

    def stop(self):
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)  # at once: nothing is kept
            self.process.wait(timeout=60)
        self.log.close()
        shutil.rmtree(self.folder)

    def emptied(self):
        """The name of a database without tables; making one anew takes longer."""
        again = "DROP SCHEMA public CASCADE; CREATE SCHEMA public;"
        again += "GRANT USAGE ON SCHEMA public TO PUBLIC"
        self.run("postgres", f"SET client_min_messages = warning; {again}")
        return "postgres"

    def url(self, database, user=USER):
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def run(self, database, sql):
        """Rows of text as psql, which shares no code with us, gives them."""
        client = [self.bin / "psql", "-h", self.folder, "-U", USER, "-d", database]
        options = ["-X", "-q", "-t", "-A", "-F", "|", "-v", "ON_ERROR_STOP=1"]
        done = subprocess.run(
            [*client, *options], input=sql, capture_output=True, text=True, check=True
        )
        return [tuple(line.split("|")) for line in done.stdout.splitlines()]

    def _answers(self):
        with contextlib.suppress(subprocess.CalledProcessError):
            return bool(self.run("postgres", "SELECT 1"))
        return False

    def _call(self, command):
        subprocess.run(
            command,
            cwd=self.folder,
            stdout=self.log,
            stderr=self.log,
            check=True,
            **self.as_user,
        )
