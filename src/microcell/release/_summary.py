"""A release in one screen: what is to be decided, what was released, kept and lost.

Every engine shows its releases by it. A verbose one adds how cells came about and every
figure that was measured.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from microcell._printable import printable
from microcell.exceptions import Spelling, in_python, in_words
from microcell.metrics import LABEL_WIDTH, Scores, chosen_measures, labelled
from microcell.pipeline import disclosure_lines, warnings_of
from microcell.privacy import Finding, below_k, unprotected

if TYPE_CHECKING:
    from microcell.release._release import Release

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


Row = tuple[str, Any]


def summary_of(
    release: Release, verbose: bool = False, spell: Spelling | None = in_python
) -> str:
    """The lines of a summary, a label and what it says in each.

    Options in notices are spelt by `spell`.
    """
    lines = [labelled(*row) for row in summary_rows(release, verbose, spell)]
    if verbose:
        given_away = disclosure_lines(release.disclosure)
    else:
        warnings = [
            warning
            for name, scores in release.disclosure.items()
            for warning in warnings_of(name, scores)
            if warning not in release.decide
        ]
        given_away = _table(release.disclosure)
        given_away += [labelled("warning", said) for said in one_of_a_kind(warnings)]
    return "\n".join(map(printable, [*lines, *given_away]))


def summary_rows(
    release: Release, verbose: bool = False, spell: Spelling | None = in_python
) -> list[Row]:
    """What is said of a release: what is to be decided, released, kept and lost.

    Parameters
    ----------
    release : Release
    verbose : bool
        Whether to say how cells came about, and all that was measured.
    spell : callable or None
        How options in notices are spelt; None leaves them out.
    """

    def each(label: str, said: Sequence[str]) -> list[Row]:
        if verbose:
            return [(label, in_words(words, spell)) for words in said]
        return [(label, words) for words in one_of_a_kind(said, spell)]

    counted = "" if release.n_people is None else f"{release.n_people} "
    rows = each("to decide", release.decide)
    rows.append(("records released", release.n_records))
    if release.n_dropped:
        rows.append(("records left out", f"{release.n_dropped} (missing values)"))
    rows.append(("k counts", f"{counted}{release.people}"))
    treated = [f"{name} ({kind})" for name, kind in release.kinds.items()]
    rows.append(("masked", _names(treated, verbose)))
    as_is = [c["name"] for c in release.columns if c["role"] != "quasi-identifier"]
    for label, names in (("released as is", as_is), ("left out", release.left_out)):
        if names:
            rows.append((label, _names(names, verbose)))
    rows.append(("cells", ", ".join(map(str, release.cells))))
    if release.recipe.strata:
        rows.append(("strata", ", ".join(release.recipe.strata)))
    merged, all_strata = release.n_strata
    if merged:
        rows.append(
            ("strata merged", f"{merged} of {all_strata} (some were too small)")
        )
    if verbose:
        rows += _of_cells(release)
    rows += each("notice", release.notices)
    below = below_k(release.promises, release.findings, release.recipe.k)
    rows += [("warning", said) for said in below]
    rows += _kept(release.findings)
    if release.withheld:
        return [*rows, ("loss and risk", release.withheld)]
    scores = release.scores
    short = (*SHORT_SCORES, *_headline_risk(scores))
    rows += [(s.label, s) for s in scores.shown if verbose or s.name in short]
    if verbose and scores.notice:
        rows.append(("notice", scores.notice))
    unmeasured = _unmeasured(release) if verbose else ""
    return [*rows, ("not measured", unmeasured)] if unmeasured else rows


def _headline_risk(scores: Scores) -> list[str]:
    """The larger of the highest risks by one record and by all records of a person."""
    one, every = (scores.get(f"{n}_max_risk", 0.0) for n in ("prosecutor", "visits"))
    return ["visits_max_risk"] if every > one else []


def _of_cells(release: Release) -> list[Row]:
    """How cells came about, and in which order records are."""
    rows: list[Row] = []
    if release.refined_words:
        rows.append(("cells refined", release.refined_words))
    if release.n_shards is not None:
        rows.append(("shards", release.n_shards))
    return [*rows, ("row order", release.row_order)]


def _kept(findings: Sequence[Finding]) -> list[Row]:
    rows: list[Row] = []
    for finding in findings:
        word = "counted" if finding.promised is None else "verified"
        if not finding.shows_in_table:
            word = "holds"
        rows.append((word, finding))
        if finding.argument:
            rows.append(("because", finding.argument))
    return rows + [("warning", said) for said in unprotected(findings)]


def _unmeasured(release: Release) -> str:
    """What is too expensive on a large table, and was not asked for."""
    recipe, n_records = release.recipe, release.n_records
    if recipe.measures != "quick" or release.n_shards is not None:
        return ""
    known = {"weights": recipe.weights, "unit": release.n_people}
    given = [option for option, value in known.items() if value is not None]
    chosen = chosen_measures(recipe.measures, n_records, given)
    possible = chosen_measures("all", n_records, given)
    left_out = [m.label for m in possible if m not in chosen]
    if not left_out:
        return ""
    return f"{'; '.join(left_out)} (large table: ask for all measures)"


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
        texts = {score.name: str(score) for score in scores.shown}
        cells = "  ".join(
            f"{texts.get(key, ''):>{len(head)}}" for key, head in GIVEN_AWAY.items()
        )
        lines.append(f"  {name:<{MAX_SHOWN_NAME_CHARACTERS - 2}}  {cells}")
    return lines
