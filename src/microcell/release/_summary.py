"""A release in one screen: what is to be decided, what was released, kept and lost.

Every engine shows its releases by it. A verbose one adds how cells came about and every
figure that was measured.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from microcell._printable import printable
from microcell.exceptions import Spelling, in_python, in_words
from microcell.metrics import Scores, ShownScore
from microcell.pipeline import disclosure_lines, warnings_of
from microcell.privacy import Finding, unprotected

LABEL_WIDTH = 20  # characters before what a line says
NAMES_ON_A_LINE = 12  # more are counted; a verbose summary lists all
TO_HEED = ("to decide", "warning", "notice")
SHORT_SCORES = ("relative_loss", "distance_linkage_risk", "sampled_linkage_risk")
QUOTED_NAME = re.compile(r"'([^']*)'")
VARYING = re.compile(r"'[^']*'|\d+(?:[.,]\d+)*")  # what notices of one kind differ in
GIVEN_AWAY = {  # figures of a confidential column, and how the table heads them
    "p_sensitivity": "least values",
    "homogeneous_records": "in uniform",
    "largest_share_max": "most frequent",
    "largest_share_mean": "average",
    "table_share": "in table",
}
MAX_SHOWN_NAME_CHARACTERS = 18  # of a column in that table, which fits into 80 columns


@dataclass(frozen=True)
class Summary:
    """What is said of a release.

    Attributes
    ----------
    n_records, n_dropped : int
        Records released, and left out because they miss a quasi-identifier.
    people : str
        Whom k counts.
    kinds : mapping
        How each quasi-identifier was treated.
    columns : sequence of dict
        Every released column with its role.
    left_out : sequence of str
        Columns of the original that are not released.
    cells : sequence of int
        Number of cells in each block of columns.
    strata : sequence of (str, str)
        What is said of strata, if there are any.
    details : sequence of (str, str)
        What only a verbose summary says of how cells came about.
    decide, notices, warnings : sequence of str
    findings : sequence of Finding
    scores : Scores
    withheld : str
        Why scores are not shown; empty if they are.
    unmeasured : str
        What was not measured, and why.
    disclosure : mapping of str to Scores
        What classes give away of each confidential column.
    """

    n_records: int
    n_dropped: int
    people: str
    kinds: Mapping[str, str]
    columns: Sequence[Mapping[str, str]]
    left_out: Sequence[str]
    cells: Sequence[int]
    details: Sequence[tuple[str, str]]
    decide: Sequence[str]
    notices: Sequence[str]
    warnings: Sequence[str]
    findings: Sequence[Finding]
    scores: Scores
    disclosure: Mapping[str, Scores]
    strata: Sequence[tuple[str, str]] = ()
    withheld: str = ""
    unmeasured: str = ""

    def text(self, verbose: bool = False, spell: Spelling | None = in_python) -> str:
        """The lines of the summary, a label and what it says in each.

        Options in notices are spelt by `spell`.
        """

        def shown(said: Sequence[str]) -> list[str]:
            if verbose:
                return [in_words(words, spell) for words in said]
            return one_of_a_kind(said, spell)

        rows = [("to decide", said) for said in shown(self.decide)]
        rows.append(("records released", str(self.n_records)))
        if self.n_dropped:
            rows.append(("records left out", f"{self.n_dropped} (missing values)"))
        rows.append(("k counts", self.people))
        treated = [f"{name} ({kind})" for name, kind in self.kinds.items()]
        rows.append(("masked", _names(treated, verbose)))
        as_is = [c["name"] for c in self.columns if c["role"] != "quasi-identifier"]
        for label, names in (
            ("released as is", as_is),
            ("left out", self.left_out),
        ):
            if names:
                rows.append((label, _names(names, verbose)))
        rows.append(("cells", ", ".join(map(str, self.cells))))
        rows += self.strata
        if verbose:
            rows += self.details
        rows += [("notice", said) for said in shown(self.notices)]
        rows += [("warning", said) for said in self.warnings]
        rows += self._kept()
        if self.withheld:
            rows.append(("loss and risk", self.withheld))
        lines = [f"{label:<{LABEL_WIDTH}}{text}" for label, text in rows]
        if not self.withheld:
            lines += self._measured(verbose)
        return "\n".join(map(printable, [*lines, *self._given_away(verbose)]))

    def _kept(self) -> list[tuple[str, str]]:
        rows = []
        for finding in self.findings:
            word = "counted" if finding.promised is None else "verified"
            if not finding.shows_in_table:
                word = "holds"
            rows.append((word, str(finding)))
            if finding.argument:
                rows.append(("because", finding.argument))
        return rows + [("warning", said) for said in unprotected(self.findings)]

    def _measured(self, verbose: bool) -> list[str]:
        if verbose:
            said = f"{'not measured':<{LABEL_WIDTH}}{self.unmeasured}"
            return [*self.scores.lines(), *([said] if self.unmeasured else [])]
        return [
            f"{score.label:<{LABEL_WIDTH}}{score}"
            for score in self.scores.shown
            if score.name in SHORT_SCORES
        ]

    def _given_away(self, verbose: bool) -> list[str]:
        if verbose:
            return disclosure_lines(self.disclosure)
        warnings = [
            warning
            for name, scores in self.disclosure.items()
            for warning in warnings_of(name, scores)
            if warning not in self.decide
        ]
        said = [f"{'warning':<20}{warning}" for warning in one_of_a_kind(warnings)]
        return [*_table(self.disclosure), *said]


def to_heed(summary: str) -> list[dict[str, str]]:
    """What a summary says that is to be read before anything is given away.

    Examples
    --------
    >>> to_heed("records released    60\\nwarning             y can be guessed")
    [{'kind': 'warning', 'text': 'y can be guessed'}]
    """
    rows = [
        (line[:LABEL_WIDTH].strip(), line[LABEL_WIDTH:])
        for line in summary.splitlines()
    ]
    return [{"kind": label, "text": text} for label, text in rows if label in TO_HEED]


def one_of_a_kind(
    notices: Iterable[str], spell: Spelling | None = in_python
) -> list[str]:
    """Notices that say the same of several columns as one.

    Examples
    --------
    >>> one_of_a_kind([f"column {n!r} holds 3 codes" for n in ("sex", "ward", "icd")])
    ["column 'sex' holds 3 codes (likewise 'ward', 'icd')"]
    """
    kinds: dict[str, list[str]] = {}
    for notice in notices:
        kinds.setdefault(VARYING.sub("", notice), []).append(notice)
    joined: list[str] = []
    for first, *more in kinds.values():
        names = [
            repr(QUOTED_NAME.findall(said)[0])
            for said in more
            if QUOTED_NAME.search(said)
        ]
        if len(names) < len(more):  # they speak of no column
            joined += dict.fromkeys(in_words(said, spell) for said in (first, *more))
        else:
            same = f" (likewise {', '.join(names)})" if names else ""
            joined.append(in_words(first, spell) + same)
    return joined


def _names(names: Sequence[str], verbose: bool) -> str:
    if verbose or len(names) <= NAMES_ON_A_LINE:
        return ", ".join(names)
    shown = ", ".join(names[:NAMES_ON_A_LINE])
    return f"{shown}, and {len(names) - NAMES_ON_A_LINE} more"


def _shown(names: Iterable[str]) -> list[str]:
    """Names that fit into the table, without the middle of long ones.

    As they are, if two would look alike.
    """
    names, half = list(names), MAX_SHOWN_NAME_CHARACTERS // 2
    short = [
        name
        if len(name) < MAX_SHOWN_NAME_CHARACTERS
        else f"{name[: half - 1]}…{name[2 - half :]}"
        for name in names
    ]
    return short if len(set(short)) == len(names) else names


def folded(text: str, width: int) -> str:
    """Lines of a summary that are wider than a terminal, under what they say.

    Examples
    --------
    >>> print(folded("masked              age (numeric), sex (nominal)", 36))
    masked              age (numeric),
                        sex (nominal)
    """
    lines: list[str] = []
    for line in text.splitlines():
        lines += textwrap.wrap(
            line,
            max(width, 2 * LABEL_WIDTH),
            subsequent_indent=" " * LABEL_WIDTH,
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
        ) or [""]
    return "\n".join(lines)


def _table(disclosure: Mapping[str, Scores]) -> list[str]:
    """A line for each confidential column under a line of headings."""
    if not disclosure:
        return []
    heads = "  ".join(GIVEN_AWAY.values())
    lines = [f"{'cells give away':<{MAX_SHOWN_NAME_CHARACTERS + 2}}{heads}"]
    for name, scores in zip(_shown(disclosure), disclosure.values(), strict=True):
        by_name: dict[str, ShownScore] = {s.name: s for s in scores.shown}
        figures: list[Any] = [by_name.get(key, "") for key in GIVEN_AWAY]
        cells = "  ".join(
            f"{figure!s:>{len(head)}}"
            for figure, head in zip(figures, GIVEN_AWAY.values(), strict=True)
        )
        lines.append(f"  {name:<{MAX_SHOWN_NAME_CHARACTERS - 2}}  {cells}")
    return lines
