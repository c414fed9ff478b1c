"""What the facts of a report cost, `python -m benchmarks.facts [records]`.

Processor seconds of each stage, beside those of the cells, on a table of five
correlated columns and two confidential ones; processor and not wall-clock seconds, so
that other work on the machine matters less.
"""

import sys
import time

import numpy as np
import polars as pl

from microcell import Schema, anonymize
from microcell._progress import listen
from microcell.partition import MDAV
from microcell.report import facts_of

N_COLUMNS = 5
K = 5


def table_of(n_records):
    """Correlated numbers, a label that they tell something of, and a skewed number."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_records, N_COLUMNS)) @ rng.normal(size=(N_COLUMNS,) * 2)
    ill = np.where(X[:, 0] + rng.normal(size=n_records) > 0, "yes", "no")
    columns = {f"x{j}": X[:, j] for j in range(N_COLUMNS)}
    return pl.DataFrame(
        columns | {"ill": ill, "pay": np.exp(rng.normal(size=n_records))}
    )


def stages_of(release):
    """Processor seconds between the reports of progress, by stage."""
    stages, last = {}, ["preparing", time.process_time()]

    def hear(done, total, step):
        now = time.process_time()
        stages[last[0]] = stages.get(last[0], 0.0) + now - last[1]
        last[:] = [step, now]

    with listen(hear):
        facts_of(release)
        hear(0, None, "")
    return stages


def main(n_records):
    """Print a table of stages."""
    schema = Schema([f"x{j}" for j in range(N_COLUMNS)], confidential=["ill", "pay"])
    facts_of(anonymize(table_of(1_000), schema, k=K))  # compile
    table = table_of(n_records)
    X = table.select(pl.col(r"^x\d$")).to_numpy()
    start = time.process_time()
    MDAV(K).fit(X / X.std(axis=0))
    cells = time.process_time() - start
    stages = stages_of(anonymize(table, schema, k=K))
    rows = {"cells (MDAV)": cells, **stages, "facts in all": sum(stages.values())}
    print(f"{n_records:,} records, {N_COLUMNS} columns, k={K}; processor seconds")
    for name, seconds in rows.items():
        print(f"{name:<42}{seconds:8.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10**6)
