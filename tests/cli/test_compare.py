"""microcell compare: options, the folder, and going on after a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from commands import run

from microcell.cli._echo import echo_table
from microcell.methods import METHODS

ROLES = ["-q", "age,bmi,sex", "-c", "ill"]


def write_people(path, n):
    rng = np.random.default_rng(0)
    pl.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "bmi": rng.normal(25, 4, n).round(1),
            "sex": rng.choice(["f", "m"], n),
            "ill": rng.choice(["no", "flu"], n),
        }
    ).write_csv(path)
    return path


@pytest.fixture
def table(tmp_path):
    return write_people(tmp_path / "people.csv", 60)


def compared(table, out, *more):
    methods = [] if "--methods" in more else ["--methods", "mdav,mondrian"]
    ks = [] if "-k" in more else ["-k", "3,6"]
    return run(
        "compare", table, *ROLES, *methods, *ks, "--jobs", 1, "--out", out, *more
    )


def document(out):
    return json.loads((out / "comparison.json").read_text())


def test_a_table_of_candidates_with_the_frontier_marked(table, tmp_path):
    done = compared(table, tmp_path / "out")
    assert done.exit_code == 0, done.stderr
    assert {"comparison.csv", "comparison.json", ".cache"} <= set(
        os.listdir(tmp_path / "out")
    )
    rows = [line for line in done.stdout.splitlines() if ", k=" in line]
    marked = [r.split("*")[1].split("  ")[1].strip() for r in rows if r.startswith("*")]
    on_it = document(tmp_path / "out")["frontier"]["candidates"]
    assert len(rows) == 4 and sorted(marked) == sorted(on_it)
    assert "4 candidates in" in done.stdout


def test_json(table, tmp_path):
    done = compared(table, tmp_path / "out", "--json", "--x", "risk", "--y", "t")
    shown = json.loads(done.stdout)
    assert shown == document(tmp_path / "out")
    assert shown["frontier"]["x"] == "prosecutor_max_risk"
    assert shown["frontier"]["y"] == "t_distance_max"


def test_parameters_promises_and_label(table, tmp_path):
    done = compared(
        table, tmp_path / "out", "--methods", "vmdav,mondrian", "-k", 4, "-k", "8",
        "--grid", "vmdav.gamma=0.1,0.9", "--grid", "mode=strict,relaxed",
        "--l", 2, "--label", "ill",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    found = document(tmp_path / "out")
    assert [c["label"] for c in found["candidates"]][:4] == [
        "vmdav gamma=0.1, k=4",
        "vmdav gamma=0.9, k=4",
        "vmdav gamma=0.1, k=8",
        "vmdav gamma=0.9, k=8",
    ]
    assert len(found["candidates"]) == 8
    assert all(c["figures"]["p_sensitivity"] >= 2 for c in found["candidates"])
    assert all("accuracy:ill" in c["figures"] for c in found["candidates"])
    assert "learnt from the original: accuracy of ill" in done.stdout


def test_methods_that_do_not_apply_are_named(table, tmp_path):
    done = compared(table, tmp_path / "out", "--methods", "mdav,dp-microaggregation")
    assert "no release: dp-microaggregation: It is differentially" in done.stdout


@pytest.mark.slow
def test_the_options_of_a_recipe_and_its_method_and_k_are_there(table, tmp_path):
    recipe = tmp_path / "r.toml"
    out = tmp_path / "release.csv"
    made = run(
        "anonymize", table, *ROLES, "-k", 7, "-m", "vmdav", "-p", "gamma=0.5",
        "--scale", "minmax", "-o", out, "--write-recipe", recipe,
    )  # fmt: skip
    assert made.exit_code == 0, made.stderr
    done = run(
        "compare", table, "--recipe", recipe, "--jobs", 1, "--out", tmp_path / "out"
    )
    assert done.exit_code == 0, done.stderr
    found = document(tmp_path / "out")
    assert found["recipe"]["method"]["scale"] == "minmax"
    assert {c["k"] for c in found["candidates"]} == {3, 5, 7, 10, 25, 50}
    tried = {c["method"] for c in found["candidates"]}
    assert tried | set(found["left_out"]) == set(METHODS)
    own = [c for c in found["candidates"] if c["method"] == "vmdav" and c["k"] == 7]
    assert own[0]["parameters"] == {"gamma": 0.5}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--grid", "gamma"], "--grid takes [METHOD.]NAME=VALUES"),
        (["--grid", "gama=1"], "No method that is compared has a parameter 'gama'"),
        (["--x", "linkege"], "Did you mean 'linkage'"),
        (["--y", "accuracy"], "name the column that it learns in --label"),
        (["--label", "age"], "is masked"),
        (["-k", "x"], "-k must be"),
        (["-k", "1000"], "No candidate gave a release"),
        (["--methods", "mdaw"], "must be one of"),
        (["--seed", "3"], "draws random numbers"),
    ],
)
def test_bad_input_is_exit_code_2(more, words, table, tmp_path):
    done = compared(table, tmp_path / "out", *more)
    assert done.exit_code == 2
    assert words in done.stderr.replace("\n", " ")
    assert not (tmp_path / "out" / "comparison.csv").exists()


def test_a_way_out_is_spelt_as_flags(table, tmp_path):
    text = table.read_text().splitlines()
    table.write_text("\n".join([*text, ",25.0,f,no"]) + "\n")
    done = compared(table, tmp_path / "out")
    assert done.exit_code == 2
    assert "--missing drop" in done.stderr.replace("\n", " ")


def test_a_folder_with_something_else_is_refused(table, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "letter.txt").write_text("mine")
    done = compared(table, out)
    assert done.exit_code == 2 and "--overwrite" in done.stderr
    assert os.listdir(out) == ["letter.txt"]
    assert compared(table, out, "--overwrite").exit_code == 0
    assert (out / "letter.txt").read_text() == "mine"


def test_the_same_table_and_options_go_on_and_others_are_refused(table, tmp_path):
    out = tmp_path / "out"
    compared(table, out)
    done = compared(table, out, "-k", "3,6,9")
    assert "4 known from before" in done.stdout
    assert len(document(out)["candidates"]) == 6
    assert compared(table, out, "--scale", "minmax").exit_code == 2
    write_people(table, 61)
    assert compared(table, out).exit_code == 2
    assert len(document(out)["candidates"]) == 6


def children(pid):
    found = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        found += map(int, file.read_text().split())
    return found


def gone(pid):
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="reads /proc")
@pytest.mark.parametrize(
    "number", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_killed_in_the_middle_it_goes_on_where_it_was(number, tmp_path):
    table, out = write_people(tmp_path / "people.csv", 3000), tmp_path / "out"
    command = [
        sys.executable, "-m", "microcell", "compare", str(table), *ROLES, "--methods",
        "mdav,vmdav,mondrian,pcp", "-k", "3,4,5,6,7,8", "--jobs", "2",
        "--out", str(out),
    ]  # fmt: skip
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        text=True,
    )
    while process.poll() is None and len(list(out.glob(".cache/*.json"))) < 3:
        time.sleep(0.01)
    workers = children(process.pid)
    process.send_signal(number)
    said = process.communicate(timeout=60)[1]
    assert process.returncode != 0, "it was done before it could be killed"
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert "may hold a part of the results" in said
    assert workers
    while not all(gone(pid) for pid in workers):
        time.sleep(0.05)
    before = {f: f.stat().st_mtime_ns for f in out.glob(".cache/*.json")}
    assert 3 <= len(before) < 24
    assert not (out / "comparison.csv").exists()

    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "24 candidates in" in done.stdout
    assert f"{len(before)} known from before" in done.stdout
    assert {f: f.stat().st_mtime_ns for f in before} == before
    assert len(document(out)["candidates"]) == 24


def test_a_pipe_gets_whole_lines(capsys):
    titles = ["", "candidate", *(f"a long title of figure {i}" for i in range(9))]
    echo_table(titles, [["*", "mdav, k=5", *"123456789"]], "candidate")
    head, row = capsys.readouterr().out.splitlines()
    assert all(title in head for title in titles)
    assert row.split() == ["*", "mdav,", "k=5", *"123456789"]
