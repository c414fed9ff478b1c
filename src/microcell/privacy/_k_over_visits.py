"""k over visits: who knows all records of a person still looks at k people."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from microcell._validation import check_k
from microcell.privacy._finding import Finding
from microcell.privacy._promise import Promise
from microcell.privacy._view import View


@dataclass(frozen=True)
class KOverVisits(Promise):
    """At least k people are in all classes that hold records of a person.

    Who knows several visits of a person looks for the people who are in all of their
    classes, and of visits that are in different classes (``unit_records="apart"``)
    these may be fewer than k though each class has k people. Several records in one
    class are one there. It is verified and not enforced: with the records of a person
    together it holds by k. Where every record is a person it is k-anonymity.

    Parameters
    ----------
    k : int
        Least number of people.

    Examples
    --------
    >>> import polars as pl
    >>> release = pl.DataFrame({"age": [30, 30, 30, 41, 41, 41]})
    >>> whose = np.array([0, 1, 2, 0, 1, 3])
    >>> print(KOverVisits(3).verify(View(release, ["age"], units=whose, unit="who")))
    k-over-visits, counted in who: promised 3, found 2; fails for 4 record(s)
    """

    k: int

    name: ClassVar[str] = "k-over-visits"

    def __post_init__(self) -> None:
        check_k(self.k)

    def verify(self, view: View) -> Finding:
        """Count the people who are in all classes of each person."""
        people = view.candidates
        return Finding(
            promise=self.name + (f", counted in {view.unit}" if view.unit else ""),
            promised=self.k,
            found=int(people.min()),
            records_failing=int(np.sum(people[view.people] < self.k)),
            way_out=WAY_OUT,
        )


WAY_OUT = "k-over-visits holds if the records of a person share a cell (together)"
