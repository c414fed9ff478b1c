"""What each way to enforce a promise loses, `python -m benchmarks.enforcement`.

Prints the loss of each part for t from 0.05 to 0.5 and k of 3, 5 and 10, on Census and
Adult, draws it in `docs/figures/enforcement.svg`, and prints what k = 5, l = 2 and t =
0.2 cost together on Adult, beside plain MDAV. ``adult`` as an argument prints only the
last. The folder of benchmark tables is needed (`MICROCELL_DATA`).

Records are standardised, and a mismatch of categories is a unit. The loss is the share
of the variance inside of cells, a category counted as a coordinate of its own. Every
result is verified before it is printed.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import numpy as np

from benchmarks.promises import loss, timed
from microcell.compose import (
    Enforce,
    KAnonymityFirst,
    PSensitiveFirst,
    TClosenessFirst,
)
from microcell.compose._promise_check import PromiseCheck
from microcell.datasets import fetch_adult, fetch_census
from microcell.embed import ColumnScaler
from microcell.partition import MDAV
from microcell.privacy import LDiversity, TCloseness
from microcell.report._style import draw_curves, draw_legend, panels

KS = (3, 5, 10)
TS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
FIGURE = Path("docs/figures/enforcement.svg")
SHOWS = (
    "A strict t is kept at the least loss by cells that are built for it (t first), a "
    "lenient one by exchanges (k first)"
)


class Case(NamedTuple):
    """Records in coordinates, as a partition takes them, and a confidential value."""

    name: str
    coordinates: np.ndarray
    X: np.ndarray
    marks: dict
    values: np.ndarray
    distance: str


def census(confidential):
    frame = fetch_census().frame
    X = ColumnScaler().fit_transform(frame["TAXINC", "POTHVAL"].to_numpy())
    values = np.unique(frame[confidential].to_numpy(), return_inverse=True)[1]
    return Case(f"Census, {confidential}", X, X, {}, values, "ordered")


def adult():
    data = fetch_adult(quasi_identifiers="arx", drop_missing=True)
    X, income = data.arrays()
    age = data.schema.quasi_identifiers.index("age")
    nominal = [column for column in range(X.shape[1]) if column != age]
    coded = ColumnScaler(nominal=nominal, expand=False).fit(X)
    marks = {"categorical_features": coded.coded_, "mismatch_units": coded.units_}
    coordinates = ColumnScaler(nominal=nominal).fit_transform(X)
    return Case(
        "Adult, income", coordinates, coded.transform(X), marks, income, "equal"
    )


def parts_for_t(case, t, k):
    close = TCloseness(t, distance=case.distance)
    return [close], {
        "merge": Enforce(MDAV(k, **case.marks), close),
        "k first": KAnonymityFirst(close, k, **case.marks),
        "t first": TClosenessFirst(close, k, **case.marks),
    }


def parts_for_l(case, k):
    diverse = LDiversity(2)
    return [diverse], {
        "merge, l = 2": Enforce(MDAV(k, **case.marks), diverse),
        "p first, l = 2": PSensitiveFirst(diverse, k, **case.marks),
    }


def parts_for_both(case, t, k):
    """The ways to keep l = 2 and t together."""
    (diverse,), for_l = parts_for_l(case, k)
    (close,), for_t = parts_for_t(case, t, k)
    both = [diverse, close]
    return both, {
        "merge": Enforce(MDAV(k, **case.marks), both),
        "p first, then merge": Enforce(for_l["p first, l = 2"], both),
        "k first, then merge": Enforce(for_t["k first"], both),
        "t first, then merge": Enforce(for_t["t first"], both),
    }


def measured(case, k, promises, part):
    """Seconds, cells, records of the largest cell and loss in per cent."""
    seconds, labels = timed(part, case.X, case.values)
    codes = np.repeat(case.values[:, None], len(promises), axis=1)
    assert not promises or PromiseCheck(promises, codes).holds(labels).all()
    sizes = np.bincount(labels)
    assert sizes.min() >= k
    return seconds, sizes.size, sizes.max(), 100 * loss(case.coordinates, labels)


def curves_of(case, k):
    """Loss against t of each part, level lines where it does not depend on t."""
    plain = measured(case, k, [], MDAV(k, **case.marks))[-1]
    lines = {}
    for t in TS:
        promises, parts = parts_for_t(case, t, k)
        for name, part in parts.items():
            found = measured(case, k, promises, part)[-1]
            lines.setdefault(name, []).append((t, found, np.nan))
    promises, parts = parts_for_l(case, k)
    for name, part in parts.items():
        found = measured(case, k, promises, part)[-1]
        lines[name] = [(t, found, np.nan) for t in TS]
    return lines | {"MDAV, no promise": [(t, plain, np.nan) for t in TS]}


def draw(cases, path):
    titles = [f"{case.name}, k = {k}" for case in cases for k in KS]
    figure, axes = panels(
        len(KS), SHOWS, rows=len(cases), width=3.3, height=2.5, subtitles=titles
    )
    places = iter(axes)
    print(f"{'table':15} {'k':>2} {'part':16}", *(f"t={t:<5g}" for t in TS))
    for case in cases:
        for k in KS:
            lines = curves_of(case, k)
            for name, points in lines.items():
                shown = (f"{found:7.2f}" for _, found, _ in points)
                print(f"{case.name:15} {k:2} {name:16}", *shown, flush=True)
            draw_curves(next(places), lines, x_label="t", y_label="loss (%)")
    for each in axes:
        each.set_ylim(bottom=0)
        each.tick_params(labelsize=7)
    draw_legend(figure, axes)
    with mpl.rc_context({"svg.hashsalt": "enforcement"}):  # the same file each time
        figure.savefig(path, metadata={"Date": None})


def print_together(case, k=5, t=0.2):
    """Adult, with two promises at once."""
    promises, parts = parts_for_both(case, t, k)
    print(f"\n{case.name}, {len(case.X)} records, k = {k}, l = 2, t = {t:g}")
    print(f"{'part':20} {'seconds':>8} {'ratio':>6} {'cells':>6} {'largest':>7}  loss")
    plain = None
    everything = {"MDAV, no promise": ([], MDAV(k, **case.marks))}
    everything |= {name: (promises, part) for name, part in parts.items()}
    for name, (kept, part) in everything.items():
        measured(case, k, kept, part)  # compile
        seconds, n_cells, largest, lost = measured(case, k, kept, part)
        plain = plain or seconds
        shown = f"{seconds:8.2f} {seconds / plain:6.1f} {n_cells:6} {largest:7}"
        print(f"{name:20} {shown} {lost:5.2f} %", flush=True)


if __name__ == "__main__":
    people = adult()
    if sys.argv[1:] != ["adult"]:
        draw([census("FEDTAX"), census("FICA"), people], FIGURE)
    print_together(people)
