"""Columns may be called anything: on a terminal and in a report names are only text."""

import re
import unicodedata

import polars as pl
import pytest
from commands import run

from microcell import Recipe, Schema, apply_recipe
from microcell._printable import STEERING

NAMES = [
    "\x1b[31mred", "[red]x[/red]", ":smile:", "a\u202eb\u2066c", "\x9b1m",
    "height\nverified in file    k-anonymity: found 99",
]  # fmt: skip
TEXT = ["\\x1b[31mred", "[red]x[/red]", ":smile:", "a\\u202eb\\u2066c"]
TABLE = pl.DataFrame(
    {
        name: [i * 7 % (11 + place) + 0.5 for i in range(60)]
        for place, name in enumerate(NAMES)
    }
    | {"ill": ["yn"[i % 9 == 0] for i in range(60)]}
)
RECIPE = Recipe(
    Schema(NAMES, confidential=["ill"]), k=5, unit="records", method="mdav",
    measures="quick",
)  # fmt: skip


def steering(text, but="\n"):
    return {c for c in text if unicodedata.category(c) in STEERING and c not in but}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TABLE.write_csv("t.csv")
    (tmp_path / "r.toml").write_text(RECIPE.to_toml())
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "inspect t.csv", "anonymize t.csv --recipe r.toml -o o.csv",
        "anonymize t.csv --recipe r.toml -o o.csv --verbose", "inspect t.csv --json",
        "check t.csv --recipe r.toml", "measure t.csv t.csv",
        "tune t.csv --recipe r.toml --method mdav -k 5 --jobs 1",
        "compare t.csv --recipe r.toml --method mdav -k 5 --jobs 1 --out c",
        "anonymize t.csv --recipe r.toml -o o.csv --clip [red]x[/red]=:smile:",
    ],
)  # fmt: skip
def test_no_name_steers_a_terminal(place, command):
    done = run(*command.split())
    said = done.output
    assert steering(said) == set() and said
    assert not re.search(r"^verified in file    k-anonymity: found 99", said, re.M)
    if command.startswith(("inspect t.csv", "anonymize")) and "json" not in command:
        assert [name for name in TEXT if name in said] != []


def test_no_name_turns_a_report_round(place):
    release = apply_recipe(TABLE, RECIPE)
    page = place / "report.html"
    release.save("o.csv", report=page)
    shown = page.read_text()
    assert steering(shown) == set() and "a\\u202eb\\u2066c" in shown
    assert steering(release.summary(verbose=True)) == set()
    assert steering(release._repr_html_()) == set()
    assert all(name in release.summary() for name in TEXT)
