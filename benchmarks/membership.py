"""Who was in the table, and what two releases tell together, by method, at k = 5.

    python -m benchmarks.membership

Membership: half of the patients are released; of all, those nearest to a released
record are said to have been among them. AUC, mean over five splits: 0.5 is a guess, 1
is certain. Two releases: the table, and what is left of it without its last 40 records;
share of the people of both of whom one confidential value is left.
"""

import numpy as np
import polars as pl
from scipy.spatial import KDTree
from sklearn.metrics import roc_auc_score

from microcell import Schema, anonymize
from microcell.datasets import load_diabetes_patients

METHODS = ("mondrian", "mdav", "mdav-refined")
CONFIDENTIAL = "progression"
K, SPLITS, LEFT = 5, 5, 40


def membership(frame, method):
    """AUC of the distance to the nearest released record."""
    found = []
    for seed in range(SPLITS):
        order = np.random.default_rng(seed).permutation(frame.height)
        inside = np.sort(order[: frame.height // 2])
        part = frame[inside.tolist()]
        released = anonymize(part, Schema(frame.columns), k=K, method=method).table
        scale = part.to_numpy().std(axis=0)
        tree = KDTree(released.to_numpy() / scale)
        distances, _ = tree.query(frame.to_numpy() / scale)
        there = np.isin(np.arange(frame.height), inside)
        found.append(roc_auc_score(there, -distances))
    return np.mean(found)


def one_value_left(frame, method):
    """Share of people whose classes in both releases have one value in common."""
    schema = Schema(frame.columns[:-1], confidential=CONFIDENTIAL)
    tables = (frame, frame[: frame.height - LEFT])
    labels, values = [], []
    for table in tables:
        release = anonymize(table, schema, k=K, method=method)
        cells = pl.DataFrame({"cell": release.labels, "value": table[CONFIDENTIAL]})
        grouped = cells.group_by("cell").agg("value").sort("cell")["value"]
        labels.append(release.labels)
        values.append([set(cell) for cell in grouped])
    pairs = zip(*labels, strict=False)  # the second is the beginning of the first
    return np.mean([len(values[0][a] & values[1][b]) == 1 for a, b in pairs])


def main():
    frame = load_diabetes_patients().frame
    numbers = frame.drop("sex", CONFIDENTIAL)
    few = frame.select("age", "sex", "bmi", "bp", CONFIDENTIAL)
    print("| method | membership, AUC | one value left, two releases |")
    print("| --- | --- | --- |")
    for method in METHODS:
        auc, share = membership(numbers, method), one_value_left(few, method)
        print(f"| `{method}` | {auc:.2f} | {100 * share:.1f} % |")


if __name__ == "__main__":
    main()
