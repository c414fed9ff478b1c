"""microcell check: what k does a table have?"""

from __future__ import annotations

import json
from typing import Annotated

import numpy as np
import typer

from microcell.cli._errors import PROMISE_FAILED
from microcell.cli._options import (
    AsJson,
    Delimiter,
    Encoding,
    QuasiIdentifiers,
    parse_k,
    split_names,
)

WORST = 5


def check_command(
    table: Annotated[str, typer.Argument(help="The table: CSV, TSV or Parquet.")],
    quasi_identifiers: QuasiIdentifiers = None,
    k: Annotated[
        str | None,
        typer.Option(
            "-k", metavar="NUMBER", help="Exit with code 3 if the table's k is lower."
        ),
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    as_json: AsJson = False,
) -> None:
    """Count how many records look alike; show the worst classes by size only."""
    from microcell._schema import Schema
    from microcell._validation import check_k
    from microcell.io import read_table
    from microcell.metrics import risk_of_class_sizes
    from microcell.privacy import class_sizes

    promised = None if k is None else check_k(parse_k(k))
    frame = read_table(table, delimiter=delimiter, encoding=encoding)
    schema = Schema(split_names(quasi_identifiers, frame.columns), others="drop")
    schema.released(frame.columns)
    sizes = class_sizes(frame, schema.quasi_identifiers)
    risk = risk_of_class_sizes(sizes)
    shown, classes = np.unique(sizes, return_counts=True)
    worst = [
        {"size": int(size), "classes": int(count), "records": int(size * count)}
        for size, count in zip(shown[:WORST], classes[:WORST], strict=True)
    ]
    failing = 0 if promised is None else int(sizes[sizes < promised].sum())
    result = {
        "records": frame.height,
        "quasi_identifiers": list(schema.quasi_identifiers),
        "k": risk.smallest_class,
        "classes": risk.n_classes,
        "prosecutor_max_risk": risk.prosecutor_max,
        "prosecutor_average_risk": risk.prosecutor_average,
        "worst": worst,
    }
    if promised is not None:
        result |= {
            "promised": promised,
            "records_failing": failing,
            "holds": failing == 0,
        }
    if as_json:
        typer.echo(json.dumps(result, indent=2))
    else:
        typer.echo(f"records             {frame.height}")
        typer.echo(f"k                   {risk.smallest_class}")
        typer.echo(f"classes             {risk.n_classes}")
        typer.echo(f"highest risk        {100 * risk.prosecutor_max:.2f} %")
        typer.echo(f"average risk        {100 * risk.prosecutor_average:.2f} %")
        for row in worst:
            typer.echo(
                f"classes of size {row['size']:<4}{row['classes']} "
                f"({row['records']} records)"
            )
        if promised is not None:
            verdict = "kept" if failing == 0 else f"fails for {failing} record(s)"
            typer.echo(f"k = {promised:<16}{verdict}")
    if failing:
        raise typer.Exit(PROMISE_FAILED)
