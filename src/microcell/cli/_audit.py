"""microcell audit: is the private method private, and would the audit notice?"""

from __future__ import annotations

import json
from dataclasses import asdict

import typer

from microcell.cli._echo import echo_table
from microcell.cli._options import AS_JSON, parameter, with_options

UNEXPECTED = 1


@with_options(
    parameter("epsilon", "What is stated of each.", type=float, default=1.0),
    parameter("runs", "Runs on each of two tables.", type=int, default=4000),
    parameter("confidence", "That of each bound.", type=float, default=0.99),
    AS_JSON,
    names=(),
)
def audit_command(epsilon: float, runs: int, confidence: float, as_json: bool) -> None:
    """Audit dp-microaggregation, and two mechanisms that the audit has to catch.

    Each runs many times on two tables that differ in one record; an event that tells
    them apart is chosen on half of the runs and bounds epsilon from below on the other
    half. Exit with code 1 if a verdict is not as it should be.
    """
    from microcell.testing import audit_verdicts

    verdicts = audit_verdicts(epsilon, n_runs=runs, confidence=confidence)
    if as_json:
        found = [
            asdict(v) | {"holds": v.loss.holds, "as_expected": v.as_expected}
            for v in verdicts
        ]
        typer.echo(json.dumps(found, indent=2))
    else:
        titles = ("mechanism", "epsilon", "at least", "verdict", "as it should be")
        rows = [
            (
                v.mechanism,
                f"{v.loss.epsilon:g}",
                f"{v.loss.epsilon_lower:.2f}",
                "passes" if v.loss.holds else "caught",
                "yes" if v.as_expected else "NO",
            )
            for v in verdicts
        ]
        echo_table(titles, rows, "mechanism")
        typer.echo(
            f"\n'at least' is a lower bound on epsilon with confidence {confidence:g}, "
            f"from {verdicts[0].loss.n_runs} runs of each table."
        )
    if not all(v.as_expected for v in verdicts):
        raise typer.Exit(UNEXPECTED)
