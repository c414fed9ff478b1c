"""delta-presence: who is in the population is in the table with bounded probability."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from microcell._validation import check_at_least
from microcell.exceptions import ParameterError
from microcell.privacy._finding import Finding
from microcell.privacy._population import match_population
from microcell.privacy._promise import Promise, written_population
from microcell.privacy._view import View


@dataclass(frozen=True)
class DeltaPresence(Promise):
    """Of the population that a class matches, a share in [least, most] is released.

    The definition of [1]_: whoever looks like a class of c records that n people of the
    population match is in the table with probability c / n. Who matches no class is not
    in it, so that a `least` above 0 fails if there is such a person; failing records
    are counted in the release. Where classes overlap, as intervals may, each is checked
    by itself. A class that more released records are in than people match has a share
    above 1 and fails: the population is not one. It is verified and not enforced.

    Parameters
    ----------
    most : float
        Largest probability, between 0 and 1.
    population : dataframe or path
        A table with the quasi-identifiers of the release, by the same names.
    least : float, default=0
        Least probability.

    References
    ----------
    .. [1] Nergiz, Atzori and Clifton (2007). Hiding the presence of individuals from
       shared databases. SIGMOD, 665-676.

    Examples
    --------
    >>> import polars as pl
    >>> release = pl.DataFrame({"age": ["[30, 39]", "[40, 49]"]})
    >>> people = pl.DataFrame({"age": [31, 33, 38, 44]})
    >>> print(DeltaPresence(0.5, people).verify(View(release, ["age"])))
    delta-presence: promised 0.5, found 1; fails for 1 record(s)
    """

    most: float
    population: Any = field(compare=False, repr=False)
    least: float = 0.0

    name: ClassVar[str] = "delta-presence"

    def __post_init__(self) -> None:
        check_at_least("most", self.most, 0, most=1)
        check_at_least("least", self.least, 0, most=1)
        if self.least > self.most:
            raise ParameterError(
                "least", f"must be at most {self.most}. Got {self.least} instead."
            )

    def verify(self, view: View) -> Finding:
        """Compare each class with its population."""
        found = match_population(view, self.population)
        shares = np.full(found.released.size, np.inf)
        np.divide(
            found.released, found.population, out=shares, where=found.population > 0
        )
        fails = (shares > self.most) | (shares < self.least)
        left_out = bool((found.classes_of == 0).any()) and self.least > 0
        lowest = 0.0 if left_out else shares.min(initial=np.inf)
        too_low = self.least > 0 and lowest < self.least and shares.max() <= self.most
        bound = f" (least {self.least:g})" if self.least > 0 else ""
        n_released = int(found.released.sum())
        return Finding(
            promise=self.name + bound,
            promised=self.most,
            found=float(lowest if too_low else shares.max(initial=0.0)),
            records_failing=n_released
            if left_out
            else int(found.released[fails].sum()),
        )

    def to_dict(self) -> dict[str, Any]:
        """Its parameters, the population by its path."""
        path = written_population(self.population)
        return {"most": self.most, "population": path, "least": self.least}
