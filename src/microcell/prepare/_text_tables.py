"""Tables of text: what their columns stand for is read before anything else.

A table whose columns are all text has no types, as a text file has none. Its
quasi-identifiers and strata are read as the numbers, dates or categories that they
stand for, whichever door the table came through.
"""

import narwhals as nw

from microcell.io import layouts_of
from microcell.prepare._text_types import MISSING_MARKS, read_text


def is_text_table(frame):
    """Whether all columns of a narwhals dataframe are text."""
    return all(dtype == nw.String for dtype in frame.schema.values())


def read_text_table(frame, names, kinds, missing_marks):
    """Give the named columns of a table of text the types that they stand for.

    Parameters
    ----------
    frame : narwhals.DataFrame
    names : sequence of str
        Columns to read; those that are not there are left to the schema.
    kinds : mapping
        Declared kinds.
    missing_marks : sequence of str or None
        Texts that stand for a missing value; None for the usual ones.

    Returns
    -------
    frame : narwhals.DataFrame
        In the library that it came in.
    layouts : dict
        How columns wrote their moments, so that they can be written so again.
    """
    marks = MISSING_MARKS if missing_marks is None else missing_marks
    texts = [n for n in names if n in frame.columns and frame[n].dtype == nw.String]
    layouts = layouts_of(frame.select(*texts).to_polars(), texts)
    read = [read_text(frame[name], kinds.get(name), marks) for name in texts]
    return frame.with_columns(*read), layouts
