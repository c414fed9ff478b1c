"""Run all cases and print the tables; ``--out FILE`` also writes them as Markdown."""

import argparse
import json
import os
import platform
import subprocess
import sys
from math import log10
from pathlib import Path

CASES = [  # kind, rows, columns, k
    *[("gaussian", n, d, 5) for d in (2, 5, 8) for n in (10**4, 10**5, 10**6)],
    *[("gaussian", n, d, 5) for d in (13, 20) for n in (10**4, 4 * 10**4, 10**5)],
    *[("gaussian", n, 5, k) for k in (3, 50) for n in (10**4, 10**5, 10**6)],
    *[
        (kind, n, 5, 5)
        for kind in ("clustered", "heavy-tailed", "grid")
        for n in (10**4, 10**5, 10**6)
    ],
    *[(kind, 4 * 10**4, 13, 5) for kind in ("clustered", "heavy-tailed", "grid")],
    ("adult", 45222, 6, 5),
    ("adult", 45222, 6, 50),
    ("eia", 4092, 11, 5),
]
TOP_DOWN = [  # kind, rows, columns, k, parts
    *[
        (kind, n, 5, 5, "default")
        for kind in ("gaussian", "clustered", "heavy-tailed", "grid")
        for n in (10**4, 10**5, 10**6)
    ],
    *[("gaussian", n, 13, 5, "default") for n in (10**4, 4 * 10**4, 10**5)],
    *[("gaussian", 10**5, 5, 5, c) for c in (1, 5, 10, 20, 50, 200)],
    *[("gaussian", 10**6, 5, 5, c) for c in (50, 100, 400, 1000)],
    *[("heavy-tailed", 10**5, 5, 5, c) for c in (1, 5, 20, 100)],
    *[("gaussian", 4 * 10**4, 13, 5, c) for c in (1, 8, 64)],
]
TOP_DOWN_HEADER = (
    "| top-down on | rows | columns | k | parts | seconds | MDAV | growth "
    "| loss % | MDAV % | MB |"
)
MAPS = [  # what, rows, columns
    *[("map", n, 10) for n in (2500, 10**4, 10**5)],
    *[("ktca", n, 10) for n in (10**4, 10**5)],
    *[("kde", n, 1) for n in (10**5, 10**6)],
]
MAPS_HEADER = (
    "| maps and densities | rows | columns | seconds | growth | MiniSom | ratio "
    "| error | MiniSom's | MB |"
)
CODED = [(10**4, "beside"), (4 * 10**4, "beside"), (10**5, "alone"), (10**6, "alone")]
CODED_HEADER = (
    "| 6 columns of codes and a measure | seconds | a coordinate each | ratio | growth "
    "| MB | a coordinate each |"
)
MOST_ROWS_PLAIN = 10**5
HEADER = (
    "| table | rows | columns | k | seconds | plain | ratio | growth | visits | MB |"
)


def run(module, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        check=True,
        capture_output=True,
        text=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def partition_rows(cases):
    """One Markdown row a case; growth is the exponent since the case before."""
    before = {}
    for kind, n, d, k in cases:
        with_plain = "plain" if n <= MOST_ROWS_PLAIN else "alone"
        (found,) = run("benchmarks.case", kind, n, d, k, with_plain)
        growth = ""
        if (kind, d, k) in before:
            rows, took = before[kind, d, k]
            exponent = log10(found["seconds"] / took) / log10(found["rows"] / rows)
            growth = f"{exponent:.2f}"
        before[kind, d, k] = found["rows"], found["seconds"]
        plain, ratio = "", ""
        if "plain" in found:
            plain = f"{found['plain']:.2f}"
            ratio = f"{found['plain'] / found['seconds']:.1f}"
        yield (
            f"| {kind} | {found['rows']:,} | {found['columns']} | {k} "
            f"| {found['seconds']:.3f} | {plain} | {ratio} | {growth} "
            f"| {found['visits']:,.0f} | {found['megabytes']:.0f} |"
        )


def top_down_rows(cases):
    """One Markdown row a case; growth for the default number of parts."""
    before = {}
    for kind, n, d, k, c in cases:
        (found,) = run("benchmarks.top_down", kind, n, d, k, c)
        growth = ""
        if c == "default":
            if (kind, d, k) in before:
                rows, took = before[kind, d, k]
                exponent = log10(found["seconds"] / took) / log10(found["rows"] / rows)
                growth = f"{exponent:.2f}"
            before[kind, d, k] = found["rows"], found["seconds"]
        parts = found["parts"] if c != "default" else f"default ({found['parts']})"
        yield (
            f"| {kind} | {found['rows']:,} | {found['columns']} | {k} | {parts} "
            f"| {found['seconds']:.3f} | {found['mdav']:.3f} | {growth} "
            f"| {found['loss']:.3f} | {found['mdav_loss']:.3f} "
            f"| {found['megabytes']:.0f} |"
        )


def map_rows(cases):
    """One Markdown row a case, beside MiniSom where it is installed."""
    before = {}
    for what, n, d in cases:
        (found,) = run("benchmarks.maps", what, n, d)
        growth = ""
        if what in before:
            rows, took = before[what]
            growth = f"{log10(found['seconds'] / took) / log10(n / rows):.2f}"
        before[what] = n, found["seconds"]
        beside = " |  |  | "
        if found.get("rival") is not None:
            beside = (
                f"{found['rival']:.2f} | {found['rival'] / found['seconds']:.0f} "
                f"| {found['error']:.2f} | {found['rival_error']:.2f}"
            )
        yield (
            f"| {what} | {n:,} | {d} | {found['seconds']:.2f} | {growth} | {beside} "
            f"| {found['megabytes']:.0f} |"
        )


def coded_rows(cases):
    """One Markdown row a case, beside the expanded form where that is feasible."""
    before = None
    for n, beside in cases:
        (found,) = run("benchmarks.codes", n, beside)
        growth = expanded = ratio = megabytes = ""
        if before is not None:
            rows, took = before
            growth = f"{log10(found['seconds'] / took) / log10(n / rows):.2f}"
        before = n, found["seconds"]
        if "expanded" in found:
            expanded = f"{found['expanded']:.2f}"
            ratio = f"{found['expanded'] / found['seconds']:.0f}"
            megabytes = f"{found['expanded_megabytes']:.0f}"
        yield (
            f"| {n:,} | {found['seconds']:.2f} | {expanded} | {ratio} | {growth} "
            f"| {found['megabytes']:.0f} | {megabytes} |"
        )


def stage_rows():
    for found in run("benchmarks.stages"):
        more = ", ".join(
            f"{key.replace('_', ' ')} {value:.{0 if value >= 100 else 2}f}"
            for key, value in found.items()
            if key not in ("stage", "seconds")
        )
        yield f"| {found['stage']} | {found['seconds']:.2f} | {more} |"


def machine():
    model = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":")[1].strip()
            break
    return f"{os.cpu_count()} cores ({model}), Python {platform.python_version()}"


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--quick", action="store_true", help="up to 100,000 rows")
    parser.add_argument("--out", help="file between whose marks the tables go")
    options = parser.parse_args()
    cases = [c for c in CASES if not options.quick or c[1] <= 10**5]
    lines = [f"Machine: {machine()}.", "", HEADER, "| --- " * 10 + "|"]
    print("\n".join(lines), flush=True)
    for row in partition_rows(cases):
        print(row, flush=True)
        lines.append(row)
    head = ["", TOP_DOWN_HEADER, "| --- " * 11 + "|"]
    print("\n".join(head), flush=True)
    lines += head
    cases = [c for c in TOP_DOWN if not options.quick or c[1] <= 10**5]
    for row in top_down_rows(cases):
        print(row, flush=True)
        lines.append(row)
    head = ["", MAPS_HEADER, "| --- " * 10 + "|"]
    print("\n".join(head), flush=True)
    lines += head
    for row in map_rows(MAPS):
        print(row, flush=True)
        lines.append(row)
    head = ["", CODED_HEADER, "| --- " * 7 + "|"]
    print("\n".join(head), flush=True)
    lines += head
    for row in coded_rows([c for c in CODED if not options.quick or c[0] <= 10**5]):
        print(row, flush=True)
        lines.append(row)
    if not options.quick:
        head = ["", "| stage, 1,000,000 records | seconds | |", "| --- | --- | --- |"]
        print("\n".join(head), flush=True)
        lines += head
        for row in stage_rows():
            print(row, flush=True)
            lines.append(row)
    if options.out:
        path = Path(options.out)
        before, _, rest = path.read_text().partition("<!-- bench -->\n")
        _, mark, after = rest.partition("<!-- end of bench -->")
        text = "\n".join(lines) + "\n"
        path.write_text(before + "<!-- bench -->\n" + text + mark + after)


if __name__ == "__main__":
    main()
