"""How the file of a table is read, and that of its release written."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any

from microcell._validation import check_choice
from microcell.recipe._options import ANY, Whole, option

file_option = partial(option, section="file", group="file", with_dp=ANY)


@dataclass(frozen=True)
class FileOptions:
    """How the file of a table is read, and that of its release written.

    Parameters
    ----------
    order : {"sorted", "keep"}, default="sorted"
        Order of records in the file: by their released values, or as in the source,
        which links them to any table in that order. Sorted, a file tells nothing but
        its rows. Tables in memory keep the order of the source.
    format : str, optional
        Format of the table (csv, xlsx, sav, ...); by default its suffix says it.
    delimiter : str, optional
        What separates fields in a text table; by default it is found out. A file that
        can be read in two ways is an error. The recipe of a release holds what was
        found.
    encoding : str, optional
        Encoding of a text table; by default it is found out.
    sheet : str, optional
        Sheet of a workbook, also FILE.xlsx::SHEET; by default the only one that has
        cells.
    output_delimiter : str, optional
        What separates fields in a released text table; by default what the source has,
        where that is neither a comma nor a tab; else a comma, or a tab in .tsv and
        .txt.
    output_encoding : str, optional
        Encoding of a released text table; by default UTF-8.
    decimal : {".", ","}, optional
        Decimal mark of text, which then may have thousands marks and percent signs: `.`
        or `,`. Percent signs are read if all have one; a text file gets them as they
        came. It alone decides what 1,234 is.
    """

    _: KW_ONLY
    # Records of a differentially private release have lost their order.
    order: str = file_option(
        "sorted",
        choices=("sorted", "keep"),
        on_parts=Whole(
            "is that of the source, which shards do not keep", "Leave it out."
        ),
        with_dp=(),
    )
    format: str | None = file_option(None, metavar="SUFFIX", of_file="read")
    delimiter: str | None = file_option(None, of_file="read")
    encoding: str | None = file_option(None, of_file="read")
    sheet: str | None = file_option(None, of_file="read")
    output_delimiter: str | None = file_option(None, of_file="written")
    output_encoding: str | None = file_option(None, of_file="written")
    decimal: str | None = file_option(
        None,
        check=lambda recipe, decimal: check_decimal(decimal),
        metavar=".|,",
        group="numbers",
    )


def check_decimal(decimal: Any) -> Any:
    """The decimal mark, or none; refuse what is no decimal mark."""
    return decimal if decimal is None else check_choice("decimal", decimal, (".", ","))
