"""The app beside the command line: until its page is there, and a table's whole way.

``python -m benchmarks.app`` prints lines of JSON. A table of 100,000 records and eight
columns goes from its upload to its release, report, certificate and recipe through the
app, and through ``microcell inspect`` and ``microcell anonymize``, in turns; the ratio
is that of the least seconds of each. The release of both is the same, byte for byte.
"""

import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import numpy as np
import polars as pl

ROWS, COLUMNS, K = 100_000, 8, 5
TURNS = 3
MODULE = re.compile(r"""(?:from|import)\s*\(?\s*["']\./([\w./-]+)["']""")
LINKED = re.compile(r'(?:href|src)="(?:/page/|\./)?([\w./-]+\.(?:css|js|svg))"')


class App:
    """A running app and a client that behaves like its page."""

    def __init__(self):
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "microcell", "app", "--no-browser"],
            stdout=subprocess.PIPE,
            text=True,
        )
        address = re.search(r"http\S+", self.process.stdout.readline())[0]
        origin = address.split("/?")[0]
        self.client = httpx.Client(
            base_url=origin, headers={"Origin": origin}, timeout=600
        )
        self.client.get(address).raise_for_status()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()

    def load_page(self):
        """Fetch the page and every file that it names, as a browser does."""
        page = self.client.get("/").raise_for_status().text
        todo, seen = list(LINKED.findall(page)), set()
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                text = self.client.get(f"/page/{name}").raise_for_status().text
                if name.endswith(".js"):
                    todo += MODULE.findall(text)
        self.client.get("/page/texts/en.json").raise_for_status()
        self.client.get("/api/state").raise_for_status()
        return len(seen)

    def release(self, table):
        """A table's way from its upload to the downloaded release."""
        answer = self.client.post(
            "/api/documents", params={"name": table.name}, content=table.read_bytes()
        )
        document = answer.raise_for_status().json()["id"]
        self.wait(document, lambda shown: shown["checked"])
        self.client.post(
            f"/api/documents/{document}/release", json={}
        ).raise_for_status()
        shown = self.wait(document, lambda shown: shown["releases"])
        made = shown["releases"][0]["id"]
        found = {
            what: self.client.get(f"/api/releases/{made}/files/{what}").content
            for what in ("release", "recipe", "report", "certificate")
        }
        self.client.delete(f"/api/documents/{document}").raise_for_status()
        return found

    def wait(self, document, good):
        """The document when it is good; events would tell it, asking is simpler."""
        while True:
            shown = (
                self.client.get(f"/api/documents/{document}").raise_for_status().json()
            )
            if good(shown):
                return shown
            if shown["problem"] or any(j["error"] for j in shown["jobs"]):
                raise RuntimeError(shown)
            time.sleep(0.02)


def by_commands(table, folder):
    """The same way on the command line; what was released, and seconds of each."""
    files = {w: folder / f"{w}.out" for w in ("release", "recipe", "certificate")}
    files["release"] = folder / "release.csv"
    proposed, report = folder / "proposed.toml", folder / "report.html"
    seconds = []
    written = ["--certificate", files["certificate"], "--write-recipe", files["recipe"]]
    written += ["--report", report]
    for command in (
        ["inspect", table, "--write-recipe", proposed],
        ["anonymize", table, "--recipe", proposed, "-o", files["release"], *written],
    ):
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "microcell", *map(str, command), "--overwrite"],
            check=True,
            capture_output=True,
        )
        seconds.append(time.perf_counter() - begun)
    return files["release"].read_bytes(), seconds


def write_people(path):
    """A table about people, with ties, categories and something confidential."""
    rng = np.random.default_rng(0)
    pl.DataFrame(
        {
            "age": rng.integers(18, 95, ROWS),
            "sex": rng.choice(["f", "m"], ROWS),
            "region": rng.choice([f"R{i:02}" for i in range(20)], ROWS),
            "height": rng.normal(170, 10, ROWS).round(1),
            "weight": rng.normal(75, 14, ROWS).round(1),
            "children": rng.poisson(1.4, ROWS),
            "income": rng.lognormal(10, 0.6, ROWS).round(-1),
            "diagnosis": rng.choice([f"D{i:02}" for i in range(40)], ROWS),
        }
    ).write_csv(path)


def show(what, **figures):
    print(json.dumps({"what": what} | figures), flush=True)


def main():
    with App() as app:  # once, so that nothing is compiled below
        app.load_page()
    starts = []
    for _ in range(TURNS):
        with App() as app:
            files = app.load_page()
            starts.append(time.perf_counter() - app.begun)
    show("start to page", seconds=min(starts), worst=max(starts), files=files)
    with tempfile.TemporaryDirectory() as made, App() as app:
        app.load_page()
        folder = Path(made)
        table = folder / "people.csv"
        write_people(table)
        ways = {"app": [], "inspect": [], "anonymize": []}
        by_commands(table, folder)
        app.release(table)
        for _ in range(TURNS):
            begun = time.perf_counter()
            released = app.release(table)["release"]
            ways["app"].append(time.perf_counter() - begun)
            same, (inspect, anonymize) = by_commands(table, folder)
            ways["inspect"].append(inspect)
            ways["anonymize"].append(anonymize)
            if released != same:
                raise RuntimeError("the app and the command line differ")
    least = {name: min(seconds) for name, seconds in ways.items()}
    both = min(map(sum, zip(ways["inspect"], ways["anonymize"], strict=True)))
    show(
        f"{ROWS} x {COLUMNS}, upload to release",
        seconds=least["app"],
        commands=both,
        ratio=least["app"] / both,
        anonymize_alone=least["anonymize"],
        ratio_to_anonymize=least["app"] / least["anonymize"],
    )


if __name__ == "__main__":
    main()
