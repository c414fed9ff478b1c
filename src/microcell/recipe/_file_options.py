"""How the file of a table is read, and that of its release written."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import partial

from microcell.recipe._options import ANY, Whole, option
from microcell.recipe._text_options import check_decimal

file_option = partial(option, section="file", group="file")


@dataclass(frozen=True)
class FileOptions:
    """How the file of a table is read, and that of its release written.

    Parameters
    ----------
    order : {"sorted", "keep"}, default="sorted"
        Order of records in files: by their released values, so that a file tells
        nothing but its rows, or that of the source, which links a release to any
        table in the same order. Tables in memory keep the order of the source.
    format : str, optional
        The format of the table, by a suffix without its dot; by default the suffix of
        the file says it.
    delimiter, encoding : str, optional
        Dialect of a text file; by default it is found out, and a file that can be read
        in two ways is an error. The recipe of a release holds what was found.
    sheet : str, optional
        Sheet of a workbook; by default the only one that has cells.
    output_delimiter, output_encoding : str, optional
        Dialect of a release that is a text file; by default UTF-8 and the delimiter of
        the source, where that is neither a comma nor a tab: these follow the suffix.
    decimal : {".", ","}, optional
        The decimal mark of quasi-identifiers that are text. With it numbers may have
        thousands marks, and percent signs if all have one; a text file gets them as
        they came. It alone decides what 1,234 is.
    """

    _: KW_ONLY
    # Records of a differentially private release have lost their order.
    order: str = file_option(
        "sorted",
        "Order of records in the file: by their released values, or as in the "
        "source, which links them to any table in that order.",
        choices=("sorted", "keep"),
        on_parts=Whole(
            "is that of the source, which shards do not keep", "Leave it out."
        ),
    )
    format: str | None = file_option(
        None,
        "Format of the table (csv, xlsx, sav, ...); by default its suffix says it.",
        metavar="SUFFIX",
        of_file="read",
        with_dp=ANY,
    )
    delimiter: str | None = file_option(
        None,
        "What separates fields in a text table; by default it is found out.",
        of_file="read",
        with_dp=ANY,
    )
    encoding: str | None = file_option(
        None,
        "Encoding of a text table; by default it is found out.",
        of_file="read",
        with_dp=ANY,
    )
    sheet: str | None = file_option(
        None,
        "Sheet of a workbook, also FILE.xlsx::SHEET; by default the only one that "
        "has cells.",
        of_file="read",
        with_dp=ANY,
    )
    output_delimiter: str | None = file_option(
        None,
        "What separates fields in a released text table; by default what the "
        "source has, where that is neither a comma nor a tab; else a comma, or a tab "
        "in .tsv and .txt.",
        of_file="written",
        with_dp=ANY,
    )
    output_encoding: str | None = file_option(
        None,
        "Encoding of a released text table; by default UTF-8.",
        of_file="written",
        with_dp=ANY,
    )
    decimal: str | None = file_option(
        None,
        "Decimal mark of text, which then may have thousands marks and percent "
        "signs: `.` or `,`.",
        check=lambda recipe, decimal: check_decimal(decimal),
        metavar=".|,",
        with_dp=ANY,
        group="numbers",
    )
