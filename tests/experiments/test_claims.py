from dataclasses import asdict

import polars as pl
import pytest
from benchmarks.claims_page import END, PAGE, START, with_claims

from microcell.experiments._claims import (
    FAILS,
    HOLDS,
    IN_PART,
    LINE_WIDTH,
    UNTOLD,
    Claim,
    claim_lines,
    markdown_lines,
    page_lines,
    read_claims,
    verdict_above,
    verdict_of_all,
    wrapped,
    write_claims,
)
from microcell.experiments._experiment import Paper
from microcell.experiments._run import write_summary

PAPER = Paper("A paper", "Its authors")
CLAIMS = [
    Claim(PAPER.title, "Loss grows (figure 1)", "2 to 3 %", "2.1 %", HOLDS, "a"),
    Claim(PAPER.title, "Loss grows (figure 1)", "2 to 3 %", "2 | 1", IN_PART, "b"),
    Claim(PAPER.title, "Risk falls", "", "0.3 +- 0.5", UNTOLD),
]


def test_a_run_writes_its_claims_as_a_table_a_page_and_a_summary(tmp_path):
    said = write_summary(PAPER, ["behind " * 40], tmp_path, CLAIMS)
    table = pl.read_csv(tmp_path / "claims.csv").fill_null("")
    assert table.to_dicts() == [asdict(claim) for claim in CLAIMS]
    page = (tmp_path / "claims.md").read_text().splitlines()
    assert page == markdown_lines(CLAIMS)
    assert page[3] == r"|  |  | b | holds in part | 2 \| 1 |"
    assert (tmp_path / "summary.txt").read_text().splitlines() == said
    assert said[1 : len(claim_lines(CLAIMS)) + 1] == claim_lines(CLAIMS)
    assert max(map(len, said)) <= LINE_WIDTH


def test_a_run_without_claims_writes_no_table_of_them(tmp_path):
    write_summary(PAPER, [], tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["summary.txt"]


def test_readings_of_a_claim_stand_together():
    apart = [CLAIMS[0], CLAIMS[2], CLAIMS[1]]
    assert claim_lines(apart) == claim_lines(CLAIMS)


def test_a_verdict_is_one_of_four_words():
    with pytest.raises(ValueError, match="'is not reached' is none of holds, holds in"):
        Claim(PAPER.title, "Loss grows", "", "", "is not reached")


def test_an_interval_that_is_not_there_tells_nothing():
    assert verdict_above(5.0, float("nan")) == UNTOLD


def test_the_verdict_on_several_cases():
    assert verdict_of_all([HOLDS, FAILS]) == IN_PART
    assert verdict_of_all([UNTOLD]) == UNTOLD


def test_wrapped_lines_keep_their_words():
    lines = ["", "  of 24.5 +- 0.3 %, hyphen-ated " * 9, "x" * 200]
    found = wrapped(lines)
    assert " ".join(found).split() == " ".join(lines).split()
    assert found[2].startswith("      ")


def test_a_page_has_one_row_for_each_verdict_on_a_claim(tmp_path):
    write_claims(CLAIMS, tmp_path)
    claims = read_claims(tmp_path)
    assert claims == CLAIMS
    rows = page_lines(claims)[2:]
    assert [row.split(" | ")[3] for row in rows] == [HOLDS, IN_PART, UNTOLD]
    assert rows[0].startswith("| *A paper* | Loss grows (figure 1) | 2 to 3 % |")
    assert rows[1].startswith("|  |  |  |") and r"2 \| 1" in rows[1]


def test_the_page_on_experiments_has_a_place_for_them():
    page = PAGE.read_text(encoding="utf-8")
    own = page.split(START)[1].split(END)[0].strip().splitlines()
    assert own[:2] == page_lines([])
    again = with_claims(page, CLAIMS)
    assert with_claims(again, CLAIMS) == again and page_lines(CLAIMS)[2] in again
