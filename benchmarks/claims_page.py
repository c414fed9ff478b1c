"""Put the claims of whole runs into the page on experiments.

    microcell reproduce projections --out DIR    (and lda, price, random, two-levels)
    python -m benchmarks.claims_page DIR

The table between the two marks of the page is written anew from `DIR/*/claims.csv`.
Papers without a run in DIR are left out, and named.
"""

import sys
from pathlib import Path

from microcell.experiments import EXPERIMENTS
from microcell.experiments._claims import page_lines, read_claims

PAGE = Path(__file__).parents[1] / "docs" / "researchers" / "experiments.md"
START, END = (
    "<!-- claims: written by benchmarks/claims_page.py -->",
    "<!-- end of claims -->",
)


def with_claims(page, claims):
    """The text of a page with the table of these claims between its marks.

    Examples
    --------
    >>> with_claims(f"a\\n{START}\\nold\\n{END}\\nb", []).splitlines()[2]
    '| paper | claim | printed | verdict | ours |'
    """
    before, rest = page.split(START)
    after = rest.split(END)[1]
    return "\n".join([before + START, *page_lines(claims), END + after])


def main(folder):
    """Write the page; return the experiments that have no claims there."""
    claims, missing = [], []
    for name in EXPERIMENTS:
        if (folder / name / "claims.csv").exists():
            claims += read_claims(folder / name)
        else:
            missing.append(name)
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_claims(page, claims), encoding="utf-8")
    return missing


if __name__ == "__main__":
    without = main(Path(sys.argv[1]))
    print(f"no run of {', '.join(without)}" if without else "all claims are there")
