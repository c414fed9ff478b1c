"""Finding: a promise, and what the released table says to it."""

from dataclasses import dataclass

from microcell.base import PrivacyError


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
    """

    promise: str
    promised: float | None
    found: float
    records_failing: int

    @property
    def holds(self):
        """Whether the promise holds for every record; None if nothing was promised."""
        return None if self.promised is None else self.records_failing == 0

    def __str__(self):
        if self.promised is None:
            return f"{self.promise}: found {self.found}, not promised"
        if self.holds:
            return f"{self.promise}: promised {self.promised}, found {self.found}"
        return (
            f"{self.promise}: promised {self.promised}, found {self.found}; fails for "
            f"{self.records_failing} record(s)"
        )


def require(findings):
    """Withhold the release if a promise failed.

    Raises
    ------
    PrivacyError
        With all findings, if one of them does not hold.
    """
    failed = [str(finding) for finding in findings if finding.holds is False]
    if failed:
        raise PrivacyError(
            f"A promise failed, so the release is withheld. {'; '.join(failed)}.",
            findings,
        )
