"""A process forked after the library was used works, or says why it cannot."""

import multiprocessing
import subprocess
import sys

import pytest
from marks import first_is_quick

SCRIPT = """
import multiprocessing, os, sys
import numpy as np, pandas as pd, polars as pl, pyarrow as pa
from microcell import METHODS, Schema, anonymize
from microcell.metrics import distance_linkage_risk, homogeneity

X = np.random.default_rng(0).normal(size=(3000, 3))
NAMES = ["a", "b", "c"]
TABLES = {"pandas": pd.DataFrame(X, columns=NAMES),
          "pyarrow": pa.table(dict(zip(NAMES, X.T)))}
PEOPLE = pl.DataFrame({"a": [1, 2, 2]})

def work(name):
    if name == "linkage":
        return distance_linkage_risk(X, X + 0.1)
    if name == "polars":
        return homogeneity(PEOPLE, [0, 1, 1])
    if name == "parts":  # by k-means, which has threads of its own
        return METHODS["top-down"](3, c=8, random_state=0).fit(X).labels_.sum()
    if name in METHODS:
        return METHODS[name](3).fit(X, X[:, 0] > 0).labels_.sum()
    return anonymize(TABLES[name], Schema(NAMES), k=3).scores

def work_or_say(name):
    try:
        return work(name)
    except RuntimeError as error:
        return str(error)

name = sys.argv[1]
first = work(name)
if name == "polars":
    PEOPLE.group_by("a").len()  # starts its threads
pool = multiprocessing.get_context("fork").Pool(2)
try:
    again = pool.map_async(work_or_say, [name] * 2).get(timeout=60)
except multiprocessing.TimeoutError:
    again = "hangs"
print("the same" if again == [first] * 2 else again, flush=True)
pool.terminate()
os._exit(0)
"""

needs_fork = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork"
)


def run(name):
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, name],
        capture_output=True,
        text=True,
        timeout=180,
        stdin=subprocess.DEVNULL,
    )
    return result.stdout.strip() or result.stderr


@needs_fork
@pytest.mark.parametrize(
    "name", first_is_quick(["parts", "linkage", "mdav", "lda-mdav"])
)
def test_the_same_again_in_a_forked_process(name):
    assert run(name) == "the same"


@needs_fork
@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted on Linux")
@pytest.mark.parametrize("name", first_is_quick(["polars", "pandas", "pyarrow"]))
def test_tables_are_refused_in_a_forked_process(name):
    assert "'spawn' or 'forkserver'" in run(name)
