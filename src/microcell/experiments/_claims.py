"""What a paper claims, and what the claim comes to in our run.

Verdicts are made from results, so that they cannot go stale, and are one of four words.
"""

import textwrap
from dataclasses import asdict, dataclass, fields

import numpy as np
import polars as pl

from microcell.experiments._tasks import as_list

HOLDS = "holds"
IN_PART = "holds in part"
FAILS = "does not hold"
UNTOLD = "cannot be told"
VERDICTS = (HOLDS, IN_PART, FAILS, UNTOLD)
LINE_WIDTH = 88  # of summaries


@dataclass(frozen=True)
class Claim:
    """A claim of a paper beside our figures, by one reading of what it leaves open.

    Attributes
    ----------
    paper : str
        Its title.
    claim : str
        In our words, with the number of the table or figure.
    printed : str
        The paper's figures; empty if it prints none.
    ours : str
        Our figures, with intervals where runs were repeated.
    verdict : {"holds", "holds in part", "does not hold", "cannot be told"}
    reading : str, default=""
        By which reading; empty if the paper leaves nothing open. Claims in the same
        words are put together where they are shown.
    """

    paper: str
    claim: str
    printed: str
    ours: str
    verdict: str
    reading: str = ""

    def __post_init__(self):
        if self.verdict not in VERDICTS:
            raise ValueError(f"{self.verdict!r} is none of {', '.join(VERDICTS)}.")


def verdict(shares):
    """Holds in all cases, in some, or in none.

    Examples
    --------
    >>> verdict([1.0, 1.0]), verdict([1.0, 0.3]), verdict([0.0])
    ('holds', 'holds in part', 'does not hold')
    """
    if min(shares) == 1:
        return HOLDS
    return FAILS if max(shares) == 0 else IN_PART


def verdict_above(value, half_interval, bound=0.0):
    """Whether a value lies above a bound; untold if its interval holds the bound.

    A half interval that is not finite tells nothing.

    Examples
    --------
    >>> verdict_above(2.0, 0.5), verdict_above(0.3, 0.5), verdict_above(-2.0, 0.5)
    ('holds', 'cannot be told', 'does not hold')
    """
    if value - half_interval > bound:
        return HOLDS
    return FAILS if value + half_interval < bound else UNTOLD


def verdict_near(value, half_interval, printed):
    """Whether a printed figure lies in our interval; untold if there is none.

    Examples
    --------
    >>> verdict_near(82.0, 0.6, 81.8), verdict_near(82.0, 0.6, 83.9)
    ('holds', 'does not hold')
    """
    if not np.isfinite(half_interval):
        return UNTOLD
    return HOLDS if abs(value - printed) <= half_interval else FAILS


def counted(verdicts):
    """How many cases each verdict has.

    Examples
    --------
    >>> counted([HOLDS, FAILS, HOLDS])
    'holds by 2, cannot be told by 0, does not hold by 1'
    """
    return ", ".join(f"{w} by {verdicts.count(w)}" for w in (HOLDS, UNTOLD, FAILS))


def verdict_of_all(verdicts):
    """The verdict on a claim about several cases, from that on each.

    Examples
    --------
    >>> verdict_of_all([HOLDS, HOLDS]), verdict_of_all([HOLDS, UNTOLD])
    ('holds', 'holds in part')
    >>> verdict_of_all([FAILS, FAILS]), verdict_of_all([FAILS, UNTOLD])
    ('does not hold', 'cannot be told')
    """
    found = set(verdicts)
    if len(found) == 1:
        return found.pop()
    return IN_PART if found & {HOLDS, IN_PART} else UNTOLD


def write_claims(claims, folder):
    """Write the table of claims as `claims.csv`, and as `claims.md` for a page."""
    columns = [field.name for field in fields(Claim)]
    pl.DataFrame([asdict(claim) for claim in claims], schema=columns).write_csv(
        folder / "claims.csv"
    )
    text = "\n".join(markdown_lines(claims)) + "\n"
    (folder / "claims.md").write_text(text, encoding="utf-8")


def by_words(claims):
    """Claims in the same words, those of all readings together."""
    found = {}
    for claim in claims:
        found.setdefault(claim.claim, []).append(claim)
    return found


@as_list
def claim_lines(claims):
    """Lines of a summary: each claim, what is printed, and the verdicts on it.

    Examples
    --------
    >>> claim = Claim("A paper", "Loss grows (figure 1)", "2 to 3 %", "2.1 %", FAILS)
    >>> claim_lines([claim])
    ['Loss grows (figure 1)', '  printed: 2 to 3 %', '  does not hold: 2.1 %']
    """
    for words, own in by_words(claims).items():
        yield words
        printed = dict.fromkeys(claim.printed for claim in own if claim.printed)
        yield from [f"  printed: {figures}" for figures in printed]
        for claim in own:
            reading = f"{claim.reading}: " if claim.reading else ""
            yield f"  {reading}{claim.verdict}: {claim.ours}"


@as_list
def markdown_lines(claims):
    """Lines of a table for a page; words that repeat are left out."""
    yield from ["| claim | printed | reading | verdict | ours |", "|" + " --- |" * 5]
    for words, own in by_words(claims).items():
        shown = printed = None
        for claim in own:
            cells = [
                words if shown is None else "",
                claim.printed if claim.printed != printed else "",
                claim.reading,
                claim.verdict,
                claim.ours,
            ]
            shown, printed = words, claim.printed
            yield _row(cells)


def _row(cells):
    shown = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(shown)} |"


@as_list
def page_lines(claims):
    """Lines of one table of the claims of all papers.

    Readings of a claim that come to the same verdict share a row.

    Examples
    --------
    >>> claims = [Claim("A", "Risk falls", "2 %", f"{x} %", HOLDS, x) for x in "ab"]
    >>> page_lines(claims)[2:]
    ['| *A* | Risk falls | 2 % | holds | a: a %; b: b % |']
    """
    yield from ["| paper | claim | printed | verdict | ours |", "|" + " --- |" * 5]
    titled = None
    for words, own in by_words(claims).items():
        printed = "; ".join(dict.fromkeys(c.printed for c in own if c.printed))
        shown = words
        for word in VERDICTS:
            alike = [claim for claim in own if claim.verdict == word]
            if not alike:
                continue
            ours = "; ".join(
                f"{claim.reading}: {claim.ours}" if claim.reading else claim.ours
                for claim in alike
            )
            title = "" if own[0].paper == titled else f"*{own[0].paper}*"
            cells = [title, shown, printed, word, ours]
            titled, shown, printed = own[0].paper, "", ""
            yield _row(cells)


def read_claims(folder):
    """The claims that `write_claims` wrote into a folder."""
    table = pl.read_csv(folder / "claims.csv", infer_schema=False).fill_null("")
    return [Claim(**row) for row in table.to_dicts()]


@as_list
def wrapped(lines, width=LINE_WIDTH):
    """Lines no longer than `width`; what goes on is indented.

    Examples
    --------
    >>> wrapped(["  loss of 24.5 %", "ok"], width=12)
    ['  loss of', '      24.5 %', 'ok']
    """
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        yield from (
            textwrap.wrap(
                line,
                width,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
            or [""]
        )
