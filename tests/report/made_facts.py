"""Facts of no release, in the shape that `facts_of` gives: every section is there."""

import math


def number_column(name, n_bins=12):
    before = [1 + math.sin(math.pi * (b + 0.5) / n_bins) for b in range(n_bins)]
    after = [1 + 1.4 * math.sin(math.pi * (b + 0.5) / n_bins) for b in range(n_bins)]
    return {
        "name": name,
        "role": "quasi-identifier",
        "kind": "numeric",
        "missing": {"before": 0.02, "after": 0.0},
        "mean": {"before": 48.52, "after": 48.52},
        "sd": {"before": 13.11, "after": 12.43},
        "quantiles": [
            {"p": p, "before": 40 + 20 * p, "after": None if p == 0.05 else 41 + 18 * p}
            for p in (0.05, 0.25, 0.5, 0.75, 0.95)
        ],
        "histogram": {
            "edges": [str(20 + 5 * b) for b in range(1, n_bins)],
            "positions": [20.0 + 5 * b for b in range(1, n_bins)],
            "before": [share / sum(before) for share in before],
            "after": [share / sum(after) for share in after],
        },
    }


def category_column(name, labels=("female", "male", "other")):
    parts = range(len(labels), 0, -1)
    return {
        "name": name,
        "role": "quasi-identifier",
        "kind": "nominal",
        "missing": None,
        "categories": [
            {
                "label": label,
                "before": part / sum(parts),
                "after": (part + 0.2) / (sum(parts) + 0.2 * len(labels)),
            }
            for label, part in zip(labels, parts, strict=True)
        ],
        "same": 0.93,
    }


def made_facts(*, n_columns=3, n_cells=88, name="age"):
    """Facts with as many columns and cells as asked for.

    Parameters
    ----------
    name : str
        Of the first column; the place for names that could break a page.
    """
    names = [name, *(f"column {j}" for j in range(1, n_columns))]
    made = [
        number_column(each) if j % 3 < 2 else category_column(each)
        for j, each in enumerate(names)
    ]
    table = [
        [1.0 if i == j else abs(math.cos(i + 2 * j)) for j in range(n_columns)]
        for i in range(n_columns)
    ]
    shares = [
        (n_columns - j) / (n_columns * (n_columns + 1) / 2) for j in range(len(names))
    ]
    return {
        "title": "Release of 442 records",
        "created": "2026-11-16T11:25:15+00:00",
        "microcell": "0.1.0",
        "purpose": "Teaching",
        "author": "Dr. A. Author",
        "source": {"name": "patients.csv", "hmac_sha256": "0123456789abcdef" * 4},
        "file": {
            "name": "release.csv", "bytes": 1234, "sha256": "fedcba9876543210" * 4,
            "records": 442,
        },
        "k": 5,
        "records": 442,
        "records_left_out": 3,
        "k_counts": "records",
        "people": 442,
        "sampled": None,
        "cells": [88],
        "refined": "SSE / SST of the cells 0.0569 -> 0.0472",
        "method": "mdav",
        "columns": [
            {"name": each, "role": "quasi-identifier", "treatment": "masked as numeric"}
            for each in names
        ]
        + [{"name": "progression", "role": "confidential", "treatment": "as it is"}],
        "left_out": ["patient number"],
        "decide": ["Who knows cost finds 99 % of the records."],
        "answer": {
            "released": "442 records of patients.csv were released, each like at least "
            "4 others.",
            "promised": [
                {"text": "k-anonymity: promised 5, found 5", "holds": True,
                 "basis": "counted on the released table"},
                {"text": "cells of 5", "holds": None, "basis": ""},
            ],
            "fear": ["Who knows all columns of a person finds 5 records at least."],
            "lost": ["8.4 % of the variation of quasi-identifiers."],
        },
        "findings": [
            {"promise": "k-anonymity", "promised": 5, "found": 5, "holds": True,
             "basis": "counted", "counted_on": "table", "records_failing": 0},
        ],
        "notices": ["Column 'age' holds few integers."],
        "withheld": None,
        "risk": {
            "class_sizes": {
                "smallest": 5, "median": 5, "largest": 7, "alone": 0, "below_k": 0,
                "bins": [
                    {"label": "5", "classes": 86, "records": 430},
                    {"label": "6 to 9", "classes": 2, "records": 12},
                ],
            },
            "scores": [
                {"name": "prosecutor_max_risk", "label": "highest risk", "value": 0.2,
                 "text": "20.00 %"},
                {"name": "relative_loss", "label": "information loss", "value": 0.084,
                 "text": "8.40 %"},
            ],
            "knowledge": [
                {"size": size, "subsets": 3, "exact": size != 2, "mean": 0.02 * size,
                 "worst": 0.05 * size, "unique": 0.0, "columns": names[:size]}
                for size in range(1, min(n_columns, 5) + 1)
            ],
            "interval": [{"name": each, "share": 0.4} for each in names],
            "attributes": [
                {"name": "progression", "kind": "nominal", "uniform": 0.01,
                 "largest_share": 0.8, "largest_share_mean": 0.4, "table_share": 0.25,
                 "t_distance_max": 0.6, "t_distance_mean": 0.2, "p": 2,
                 "warnings": ["In some classes one value is frequent."]},
            ],
            "carriers": [
                {"name": each, "alone": 0.1, "without": 0.2, "share": part}
                for each, part in zip(names, shares, strict=True)
            ],
        },
        "utility": {
            "columns": made,
            "associations": {
                "names": names, "before": table,
                "after": [[0.9 * value for value in row] for row in table],
                "largest_change": 0.1,
            },
            "cells": {
                "x": [math.sin(7 * i) for i in range(n_cells)],
                "y": [math.cos(11 * i) for i in range(n_cells)],
                "records": [5 + i % 4 for i in range(n_cells)],
                "explained": [0.5, 0.3], "shown": n_cells, "of": n_cells,
            },
            "models": [
                {"column": "progression", "task": "regression", "metric": "R²",
                 "released": 0.41, "original": 0.45, "constant": 0.0,
                 "interval": [0.36, 0.46], "records_used": 442},
            ],
            "costs": [
                {"name": each, "loss": 0.1, "share": part}
                for each, part in zip(names, shares, strict=True)
            ],
        },
        "limits": [{"title": "Row order", "text": "Records are sorted."}] * 4,
        "recipe": "[method]\nname = \"mdav\"\nk = 5\n",
        "versions": {"python": "3.12.1", "microcell": "0.1.0"},
        "hashes": {},
    }  # fmt: skip
