"""Tables of text: what their columns stand for is read before anything else.

A table whose columns are all text has no types, as a text file has none. Its
quasi-identifiers and strata are read as the numbers, dates or categories that they
stand for, whichever door the table came through.
"""

import narwhals as nw

from microcell.io import layouts_of
from microcell.prepare._text_types import MISSING_MARKS, read_text


def is_text_table(frame):
    """Whether all columns of a narwhals dataframe are text, or hold nothing at all."""
    kinds = frame.schema
    texts = [name for name, dtype in kinds.items() if dtype == nw.String]
    others = [name for name in kinds if name not in texts]
    return bool(texts) and all(frame[name].is_null().all() for name in others)


def marks_of(missing_marks, as_text):
    """Texts that stand for a missing value; in a text file an empty field always does.

    Examples
    --------
    >>> marks_of(["-"], as_text=True), marks_of(None, as_text=False)
    (('', '-'), ())
    """
    if not as_text:
        return () if missing_marks is None else tuple(missing_marks)
    given = MISSING_MARKS if missing_marks is None else missing_marks
    return tuple(dict.fromkeys(["", *given]))


def refuse_disguised(frame, names, kinds, missing_marks):
    """Refuse text among typed columns that is mostly numbers or dates, but not only.

    As categories it would be published as it stands, marks of missing values among
    it. Text that is all numbers or all dates may be meant so: it is named.

    Returns
    -------
    notices : list of str
    """
    notices = []
    for name in names:
        if name in kinds or name not in frame.columns or frame[name].dtype != nw.String:
            continue
        if read_text(frame[name], None, missing_marks).dtype != nw.String:
            notices.append(
                f"column {name!r} is text that stands for numbers or dates, and is "
                "masked as categories; declare its kind if it is not meant so"
            )
    return notices


def read_text_table(frame, names, kinds, missing_marks=None):
    """Give the named columns of a table of text the types that they stand for.

    Parameters
    ----------
    frame : narwhals.DataFrame
    names : sequence of str
        Columns to read; those that are not there are left to the schema.
    kinds : mapping
        Declared kinds.
    missing_marks : sequence of str
        Texts that stand for a missing value; by default the usual ones.

    Returns
    -------
    frame : narwhals.DataFrame
        In the library that it came in.
    layouts : dict
        How columns wrote their moments, so that they can be written so again.
    """
    marks = marks_of(None, True) if missing_marks is None else missing_marks
    texts = [n for n in names if n in frame.columns and frame[n].dtype == nw.String]
    layouts = layouts_of(frame.select(*texts).to_polars(), texts)
    read = [read_text(frame[name], kinds.get(name), marks) for name in texts]
    return frame.with_columns(*read), layouts
