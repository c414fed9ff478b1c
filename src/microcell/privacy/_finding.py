"""Finding: a promise, and what the released table says to it."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from microcell.exceptions import PrivacyError

ON_TABLE = "counted on the released table"
WITHSTANDS_NO_REPLAY = (
    "counted on the table; does not withstand an intruder who knows everybody's "
    "quasi-identifiers and re-runs the method"
)
"""Of promises about confidential values: cells that are merged or built for them
follow from these values, so that not every assignment of them gives this release."""
ON_CELLS = "counted on the cells"
BY_CONSTRUCTION = "by construction"


@dataclass(frozen=True)
class Finding:
    """What was promised, what was found, and on how many records it fails.

    Attributes
    ----------
    promise : str
        The privacy model, for example "k-anonymity".
    promised : float or None
        The parameter that was promised; None if it was only counted.
    found : float
        The parameter that holds.
    records_failing : int
        Records for which the promise does not hold.
    basis : str
        How it is known: counted on the released table, and, of confidential values,
        whom that does not stop; counted on the cells, where the released table cannot
        show it; or by construction, and then `argument` names why.
    argument : str
        Why a promise by construction holds.
    way_out : str
        What helps where it does not hold, if that can be said.
    """

    promise: str
    promised: float | None
    found: float
    records_failing: int
    basis: str = ON_TABLE
    argument: str = ""
    way_out: str = ""

    @property
    def shows_in_table(self) -> bool:
        """Whether the released table, or a file of it, shows what was found."""
        return self.basis in (ON_TABLE, WITHSTANDS_NO_REPLAY)

    @property
    def holds(self) -> bool | None:
        """Whether the promise holds for every record; None if nothing was promised."""
        return None if self.promised is None else self.records_failing == 0

    def __str__(self) -> str:
        how = "" if self.shows_in_table else f" ({self.basis})"
        found = f"found {self.found:.6g}{how}"
        if self.promised is None:
            return f"{self.promise}: found {self.found:.6g}, not promised{how}"
        kept = f"{self.promise}: promised {self.promised:.6g}, {found}"
        if self.holds:
            return kept
        return f"{kept}; fails for {self.records_failing} record(s)"

    def to_dict(self, counted_on: str) -> dict[str, Any]:
        """The finding as plain data, with what it was counted on.

        `counted_on` names the table or the file; what these cannot show was not.
        """
        on = counted_on if self.shows_in_table else self.basis
        plain = {**asdict(self), "holds": self.holds, "counted_on": on}
        del plain["way_out"]
        if not self.argument:
            del plain["argument"]
        return plain


def require(findings: Sequence[Finding]) -> None:
    """Withhold the release if a promise failed.

    Raises
    ------
    PrivacyError
        With all findings, if one of them does not hold.
    """
    failed = [finding for finding in findings if finding.holds is False]
    if failed:
        ways = "".join(f" {finding.way_out}." for finding in failed if finding.way_out)
        raise PrivacyError(
            "A promise failed, so the release is withheld. "
            f"{'; '.join(map(str, failed))}.{ways}",
            findings,
        )


def unprotected(findings: Iterable[Finding]) -> list[str]:
    """Whom promises about confidential values do not stop; nothing without any.

    Examples
    --------
    >>> found = Finding("l-diversity", 2, 2, 0, basis=WITHSTANDS_NO_REPLAY)
    >>> unprotected([found, found]) == [f"l-diversity: {WITHSTANDS_NO_REPLAY}"]
    True
    """
    of = [f.promise for f in findings if f.basis == WITHSTANDS_NO_REPLAY]
    return [f"{', '.join(dict.fromkeys(of))}: {WITHSTANDS_NO_REPLAY}"] if of else []
