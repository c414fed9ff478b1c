"""k-anonymity: every record shares its released quasi-identifiers with k - 1 others."""

from dataclasses import dataclass, replace

from microcell.privacy._classes import class_sizes
from microcell.privacy._finding import Finding


@dataclass(frozen=True)
class KAnonymity:
    """Every equivalence class of the released table has at least k records [1]_.

    Parameters
    ----------
    k : int
        Least size of a class.

    References
    ----------
    .. [1] Samarati and Sweeney (1998). Protecting privacy when disclosing
       information: k-anonymity and its enforcement. SRI-CSL-98-04.

    Examples
    --------
    >>> import polars as pl
    >>> print(KAnonymity(2).verify(pl.DataFrame({"age": [30, 30, 41]}), ["age"]))
    k-anonymity: promised 2, found 1; fails for 1 record(s)
    """

    k: int

    def verify(self, table, quasi_identifiers):
        """Count the classes of `table`.

        Returns
        -------
        finding : Finding
        """
        sizes = class_sizes(table, quasi_identifiers)
        return Finding(
            promise="k-anonymity",
            promised=self.k,
            found=int(sizes.min(initial=sizes.sum())),
            records_failing=int(sizes[sizes < self.k].sum()),
        )


def verify_blocks(table, k, blocks):
    """What a release keeps whose blocks of columns were masked each by itself.

    Parameters
    ----------
    table : dataframe
        The released table.
    k : int
        Least size of a class.
    blocks : sequence of sequences of str
        Quasi-identifiers that were masked together. One block is the usual case: k is
        promised for the whole table. With more, it is promised for each block alone,
        and the k of the whole table is counted, not promised.

    Returns
    -------
    findings : list of Finding
    """
    if len(blocks) == 1:
        return [KAnonymity(k).verify(table, blocks[0])]
    findings = []
    for block in blocks:
        finding = KAnonymity(k).verify(table, block)
        findings.append(replace(finding, promise=f"k-anonymity of {', '.join(block)}"))
    everything = [name for block in blocks for name in block]
    whole = KAnonymity(k).verify(table, everything)
    findings.append(replace(whole, promise="k of the whole table", promised=None))
    return findings
