"""k-map: every released record may be any of k people of a population."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from microcell._validation import check_k
from microcell.privacy._finding import Finding
from microcell.privacy._population import match_population
from microcell.privacy._promise import Promise, written_population
from microcell.privacy._view import View


@dataclass(frozen=True)
class KMap(Promise):
    """Every class of the release matches at least k records of a population [1]_.

    Weaker than k-anonymity where the release is a sample: a class of one record is
    safe if k people of the population look like it. What matches is said in
    `microcell.privacy`: equal values, intervals, stars and sets. It is verified and not
    enforced.

    Parameters
    ----------
    k : int
        Least number of records of the population that a class matches.
    population : dataframe or path
        A table with the quasi-identifiers of the release, by the same names.

    References
    ----------
    .. [1] Sweeney (2001). Computational disclosure control: a primer on data privacy
       protection. PhD thesis, MIT.

    Examples
    --------
    >>> import polars as pl
    >>> release = pl.DataFrame({"age": ["[30, 39]", "[40, 49]"]})
    >>> people = pl.DataFrame({"age": [31, 33, 38, 44]})
    >>> print(KMap(2, people).verify(View(release, ["age"])))
    k-map: promised 2, found 1; fails for 1 record(s)
    """

    k: int
    population: Any = field(compare=False, repr=False)

    name: ClassVar[str] = "k-map"

    def __post_init__(self) -> None:
        check_k(self.k)

    def verify(self, view: View) -> Finding:
        """Count the population of each class."""
        found = match_population(view, self.population)
        return Finding(
            promise=self.name,
            promised=self.k,
            found=int(found.population.min(initial=found.population.sum())),
            records_failing=int(found.released[found.population < self.k].sum()),
        )

    def to_dict(self) -> dict[str, Any]:
        """Its parameters, the population by its path."""
        return {"k": self.k, "population": written_population(self.population)}
