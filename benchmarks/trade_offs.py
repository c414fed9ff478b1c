"""Which method loses what, risks what and takes how long: the page on choosing one.

``python -m benchmarks.trade_offs`` measures every method on Census, EIA, Adult with
categories and a generated table of a million records, writes what it found into
`docs/figures/trade_offs.csv`, draws it, and puts its tables between the marks of
`docs/choosing-a-method.md`. ``--only TABLE`` measures one table and keeps the rows of
the others; ``--render`` measures nothing; ``--quick`` takes few records and methods and
writes only where it is told to. The benchmark tables are needed (`MICROCELL_DATA`).

A release is made and verified by `anonymize`, and that alone is timed; `measure` then
compares it with its original, and `compare` lets a model learn from releases. Methods
that draw have a fixed seed. The first release of a method that takes less than `AGAIN`
seconds is made twice or three times, and the quickest counts: no kernel is compiled in
it.
"""

import argparse
import datetime
import inspect
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.utils import get_tags

from benchmarks.facts import table_of
from benchmarks.limited import Limited
from benchmarks.trade_offs_page import (
    BARE,
    DEFAULT,
    FIRST,
    LEARNT,
    RIVALS,
    WHOLE,
    Row,
    draw,
    read_csv,
    rendered,
    write_csv,
)
from microcell import METHODS, Schema, anonymize, compare, measure
from microcell.datasets import Dataset, fetch_adult, fetch_census, fetch_eia
from microcell.metrics import interval_disclosure_risk

AGAIN = 30.0  # seconds of a release that is made again
BRIEF = 1.0  # seconds of one that is made three times
LIMIT = 180.0  # seconds that a release with its figures may take
BUDGETS = {"best": {"seconds": 30.0}}  # of methods that take what they are given
DIFFERENTIALLY_PRIVATE = (
    "dp-microaggregation",
)  # nothing may be compared with its original
VERSIONED = ("microcell", "numpy", "numba", "scikit-learn", "polars")
PAGE = Path("docs/choosing-a-method.md")
CSV = Path("docs/figures/trade_offs.csv")
PICTURE = Path("docs/figures/trade_offs.svg")


class Plan(NamedTuple):
    """How a table is measured.

    Attributes
    ----------
    load : callable
        Gives the table.
    sizes : tuple of int
        Records, evenly spread over the table, up to all. Time grows between them.
    ks : tuple of int
        For the largest size; smaller ones have the first.
    every_k : bool
        Whether all methods have all k, and not only the default and its rivals.
    left_out : tuple of str
        Methods that are not run.
    """

    load: object
    sizes: tuple
    ks: tuple
    every_k: bool = True
    left_out: tuple = ()


def census():
    return fetch_census()


def eia():
    return fetch_eia()


def adult():
    return fetch_adult(quasi_identifiers="arx", drop_missing=True)


def million():
    """Five numbers that go together, a label that follows them, and a skewed number."""
    schema = Schema([f"x{j}" for j in range(5)], confidential=["ill", "pay"])
    frame = table_of(1_000_000)
    return Dataset("million", frame, schema, "Normal values.", "generated", "none")


KS = (5, 3, 7, 10, 15, 25)
PLANS = {
    "census": Plan(census, (1_080,), KS),
    "eia": Plan(eia, (4_092,), KS),
    "adult": Plan(adult, (11_306, 45_222), KS, every_k=False),
    "million": Plan(
        million,
        (10_000, 100_000, 1_000_000),
        (5,),
        left_out=("best", "ktca++", "ctca++", "kde++"),
    ),
}
LESSON = ("adult", 10_000, "income", (5, 50))  # table, records, label, values of k
QUICK_METHODS = ("mdav", "mdav-refined", "mondrian", "individual-ranking", "lda-mdav")


def quick(plan):
    """The same on few records."""
    sizes = (150, 300) if len(plan.sizes) > 1 else (300,)
    return plan._replace(sizes=sizes, ks=plan.ks[:2])


@lru_cache(maxsize=1)
def whole(name):
    return PLANS[name].load()


def loaded(name, n_records):
    """A table, or so many of its records, from its first to its last."""
    data = whole(name)
    n = data.frame.height
    if n_records == n:
        return data
    rows = np.linspace(0, n - 1, n_records).round().astype(int)
    return Dataset(name, data.frame[rows], data.schema, "", "", "")


def needs_label(method):
    """Whether a method shapes its cells by a confidential column."""
    return get_tags(METHODS[method](5)).target_tags.required


def options_of(method, schema):
    """What a method is given beside k: a budget, a seed, the column that it is for."""
    options = dict(BUDGETS.get(method, {}))
    if "random_state" in inspect.signature(METHODS[method]).parameters:
        options["random_state"] = 0
    if needs_label(method):
        options["target"] = schema.confidential[0]
    return options


def measured(name, n_records, method, k, again=AGAIN):
    """One release: seconds, what it promises, loss, risk and what cells give away."""
    warnings.simplefilter("ignore")
    data = loaded(name, n_records)
    options = options_of(method, data.schema) | {"measures": "none"}
    seconds = []
    while not seconds or (seconds[0] < again and runs_for(seconds) > len(seconds)):
        begin = time.perf_counter()
        release = anonymize(data.frame, data.schema, method=method, k=k, **options)
        seconds.append(time.perf_counter() - begin)
    quasi = list(data.schema.quasi_identifiers)
    scores = measure(
        data.frame, release.table, quasi, kinds=release.kinds, aligned=True
    )
    found = {
        "seconds": min(seconds),
        "loss": scores["sse_loss"],
        "linkage": scores["distance_linkage_risk"],
        "highest_risk": scores["prosecutor_max_risk"],
    }
    numbers = [column for column in quasi if release.kinds[column] == "numeric"]
    if numbers:
        both = [t.select(numbers).to_numpy() for t in (data.frame, release.table)]
        found["interval"] = interval_disclosure_risk(*both)
    for figures in release.disclosure.values():
        found |= disclosed(figures)
    kept = [f for f in release.findings if f.promise == "k-anonymity" and f.holds]
    promise = WHOLE if kept else release.findings[0].promise
    return Row(name, data.frame.height, method, k, promise=promise, **found)


def runs_for(seconds):
    """How often a release is made that took so long."""
    return 3 if min(seconds) < BRIEF else 2


def disclosed(figures):
    """What cells give away of a confidential column of numbers, or of categories."""
    if "mean_range" in figures:
        return {"mean_range": figures["mean_range"]}
    return {
        "uniform": figures["homogeneous_records"],
        "guessed": figures["largest_share_mean"],
        "t_mean": figures["t_distance_mean"],
    }


def lesson(n_records, method, k):
    """What a model learns from releases, beside what it learns from the records."""
    name, _, label, _ = LESSON
    data = loaded(name, n_records)
    compared = compare(
        data.frame,
        data.schema,
        methods=[method],
        k=k,
        label=label,
        n_jobs=1,
        measures=["sse_loss"],
    )
    figures = compared.candidates[0].figures
    bare = Row(
        LEARNT,
        data.frame.height,
        BARE,
        k,
        accuracy=compared.original[f"accuracy:{label}"],
        auc=compared.original[f"auc:{label}"],
    )
    return bare, bare._replace(
        method=method,
        promise=WHOLE,
        loss=figures["sse_loss"],
        accuracy=figures[f"accuracy:{label}"],
        auc=figures[f"auc:{label}"],
        **disclosed(compared.candidates[0].figures),
    )


def first_release(name, n_records, method, k):
    """One release in a process for which no kernel has been compiled before."""
    code = (
        "import time; from microcell import anonymize; "
        "from benchmarks.trade_offs import loaded; "
        f"data = loaded({name!r}, {n_records}); begin = time.perf_counter(); "
        f"anonymize(data.frame, data.schema, method={method!r}, k={k}); "
        "print(time.perf_counter() - begin)"
    )
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            env=os.environ | {"NUMBA_CACHE_DIR": empty},
            check=True,
            capture_output=True,
            text=True,
        )
    return Row(FIRST, n_records, method, k, seconds=float(done.stdout))


def rows_of(process, name, plan, methods, limit=LIMIT):
    """Every method on a table, from small to large, while it keeps to the limit."""
    for method in methods:
        before = None
        for size in plan.sizes[-1:] if method in BUDGETS else plan.sizes:
            last = size == plan.sizes[-1]
            row = limited(process, limit, name, size, method, plan.ks[0])
            yield row
            if row.note:
                break
            if last and (plan.every_k or method in (DEFAULT, *RIVALS)):
                for k in plan.ks[1:] if method not in BUDGETS else ():
                    yield limited(process, limit, name, size, method, k, 0.0)
            if not last and expected(before, row, plan.sizes[-1]) > limit:
                note = f"not run: more than {limit:g} s expected"
                yield Row(name, plan.sizes[-1], method, plan.ks[0], note=note)
                break
            before = row


def expected(before, row, records):
    """Seconds for so many records, if time goes on to grow as it did, or as they do."""
    power = 1.0
    if before is not None:
        ratio = np.log(row.records / before.records)
        power = max(power, np.log(row.seconds / before.seconds) / ratio)
    return row.seconds * (records / row.records) ** power


def limited(process, limit, name, size, method, k, again=AGAIN):
    """A row, or one that says why there is none."""
    try:
        return process.call(limit, measured, name, size, method, k, again)
    except TimeoutError:
        note = f"not finished in {limit:g} s"
    except Exception as error:  # the others are worth having; the page shows it
        note = f"failed: {error}"
    return Row(name, size, method, k, note=note)


def lessons(process, methods, limit, n_records):
    """What models learn from releases of the default, its rivals and what is for it."""
    methods = [m for m in methods if m in (DEFAULT, *RIVALS) or needs_label(m)]
    for method in methods:
        for k in LESSON[-1]:
            without, row = process.call(limit, lesson, n_records, method, k)
            if method == methods[0]:
                yield without
            yield row


def all_rows(process, name, plan, methods, limit):
    """All of one table, and what only one table is asked for."""
    schema = whole(name).schema
    fit = [method for method in methods if method not in plan.left_out]
    fit = [method for method in fit if schema.confidential or not needs_label(method)]
    yield from rows_of(process, name, plan, fit, limit)
    if name == LESSON[0]:
        yield from lessons(process, fit, limit, min(LESSON[1], plan.sizes[-1]))
        for method in (*RIVALS, DEFAULT):
            if method in fit and plan.sizes == PLANS[name].sizes:
                yield first_release(name, plan.sizes[-1], method, plan.ks[0])


def about(command):
    """When, with what and on which machine, in words."""
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1024**3
    versions = [f"{name} {version(name)}" for name in VERSIONED]
    return {
        "command": command,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "versions": ", ".join([*versions, f"Python {platform.python_version()}"]),
        "machine": f"{os.cpu_count()} cores, {gigabytes:.0f} GB of memory",
    }


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trade_offs")
    parser.add_argument("--only", choices=list(PLANS), help="measure this table")
    parser.add_argument("--methods", help="measure these, separated by commas")
    parser.add_argument("--quick", action="store_true", help="few records and methods")
    parser.add_argument("--render", action="store_true", help="measure nothing")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds")
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--csv", type=Path, default=CSV)
    parser.add_argument("--picture", type=Path, default=PICTURE)
    given = parser.parse_args(arguments)
    if given.quick and (given.page, given.csv, given.picture) == (PAGE, CSV, PICTURE):
        parser.error("--quick needs --page, --csv and --picture: it is no evidence")
    known, rows = {}, []
    if given.csv.exists():
        known, rows = read_csv(given.csv.read_text(encoding="utf-8"))
    if not given.render:
        known = about("python -m benchmarks.trade_offs" + " --quick" * given.quick)
        for table in [given.only] if given.only else PLANS:
            new = []
            for row in new_rows(given, table, known["date"]):
                new.append(row)
                text = write_csv(known, replaced(rows, new))  # what is there is there
                given.csv.write_text(text, encoding="utf-8")
            rows = replaced(rows, new)
    known, rows = read_csv(given.csv.read_text(encoding="utf-8"))  # as it is written
    page = given.page.read_text(encoding="utf-8")
    given.page.write_text(rendered(page, known, rows), encoding="utf-8")
    draw(rows, given.picture)


def new_rows(given, table, date):
    """Measure a table, and say so row by row."""
    plan = PLANS[table]
    methods = [method for method in METHODS if method not in DIFFERENTIALLY_PRIVATE]
    if given.methods:
        methods = given.methods.split(",")
    if given.quick:
        plan = quick(plan)
        methods = [method for method in methods if method in QUICK_METHODS]
    begin = time.perf_counter()
    with Limited() as process:
        for row in all_rows(process, table, plan, methods, given.limit):
            print(f"{time.perf_counter() - begin:6.1f} s  {row.short()}", flush=True)
            yield row._replace(date=date)


def replaced(rows, new):
    """Old rows of what was not measured anew, and the new ones, by table."""
    again = {(row.table, row.method) for row in new}
    kept = [row for row in rows if (row.table, row.method) not in again]
    order = [*PLANS, LEARNT, FIRST]
    return sorted([*kept, *new], key=lambda row: order.index(row.table))


if __name__ == "__main__":
    sys.exit(main())
