"""--refine on the command line, and an interrupt that ends the search alone."""

import json
import signal
import subprocess
import sys

import pytest
from tables import gaussian

from microcell.app._worker import _now_and_then

ENDED = "Interrupted: the search ends, and the release is made of the best cells so far"


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("refine") / "t.csv"
    rows = "\n".join(",".join(map(str, row)) for row in gaussian(300, 3).round(6))
    path.write_text("a,b,c\n" + rows + "\n")
    return path


SAYS_WHEN = """
import sys, time
import microcell.release._anonymize as release
from microcell.cli import main
from microcell.refine._search import Search

slowly, found = sys.argv.pop(1) == "slowly", Search.found

def said(search, labels, way):
    print("searching", flush=True)
    yield from found(search, labels, way)

Search.found = said
if slowly:
    release.promises_of = lambda *given: time.sleep(60)
main()
"""


def searching(table, out, then="on"):
    """The command line in a search that would take hours; SIGINT is not ignored."""
    arguments = ["anonymize", table, "-k", 3, "-q", "a,b,c", "--refine", "1e13"]
    arguments += ["-o", out / "o.csv", "--certificate", out / "c.json", "--verbose"]
    process = subprocess.Popen(
        [sys.executable, "-c", SAYS_WHEN, then, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        text=True,
    )
    assert process.stdout.readline() == "searching\n"
    return process


def test_an_interrupt_ends_the_search_and_not_the_release(table, tmp_path):
    process = searching(table, tmp_path)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert said.count("\n") == 1 and said.startswith(ENDED)
    assert "k-anonymity: promised 3, found 3" in shown
    assert "cells refined       SSE / SST of the cells " in shown
    notices = json.loads((tmp_path / "c.json").read_text())["notices"]
    assert any("search for better cells was interrupted" in said for said in notices)
    assert len((tmp_path / "o.csv").read_text().splitlines()) == 301


@pytest.mark.slow
def test_the_next_interrupt_ends_it_all(table, tmp_path):
    process = searching(table, tmp_path, "slowly")
    process.send_signal(signal.SIGINT)
    assert process.stderr.readline().startswith(ENDED)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == "error: Interrupted; nothing was written.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_sigterm_ends_it_all(table, tmp_path):
    process = searching(table, tmp_path)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 143
    assert said == "error: Interrupted; nothing was written.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_page_is_not_flooded_by_figures():
    told = []
    heard = _now_and_then(told.append)
    for loss in range(1000):
        heard(loss, 1000, f"refining cells, loss {loss} %")
    assert 1 <= len(told) < 10
    heard(0, None, "verifying and measuring")
    assert told[-1] == {"progress": [0, None, "verifying and measuring"]}
