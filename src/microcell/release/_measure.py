"""measure: loss and risk of a release, from the two tables alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from microcell._validation import check_choice
from microcell.embed import SCALES
from microcell.metrics import Comparison, Scores, compute_scores
from microcell.prepare import (
    is_text_table,
    marks_of,
    open_frame,
    prepare,
    read_text_table,
)
from microcell.privacy import class_sizes
from microcell.release._schema import Schema


def measure(
    original: Any,
    release: Any,
    quasi_identifiers: str | Sequence[str],
    *,
    kinds: Mapping[str, Any] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    scale: str = "standard",
    missing: str = "error",
    missing_marks: Sequence[str] | None = None,
    measures: str | Sequence[str] = "all",
    as_text: bool = False,
) -> Scores:
    """Compare a table with its release, whatever tool made it.

    Parameters
    ----------
    original, release : dataframe
        pandas, polars or pyarrow tables with the same records in the same order.
    quasi_identifiers : str or sequence of str
        The columns that were masked.
    kinds : mapping, optional
        How to treat a column where its data type does not say it; see `Schema`.
    hierarchies : mapping, optional
        Groups of the values of a column; see `Schema`.
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        How attributes get a common scale, learnt on the original.
    missing : {"error", "drop"}, default="error"
        What to do with records of the original that miss a quasi-identifier: "drop"
        compares the others with a release that left them out, as `anonymize` does.
    missing_marks : sequence of str, optional
        Texts that stand for a missing value; see `Recipe`.
    measures : "quick", "all", "none" or sequence of str, default="all"
        Which figures; "quick" leaves out what is dear on a large table.
    as_text : bool, default=False
        Whether text of the original is read as what it stands for even if other
        columns have types. A table whose columns are all text is always read so.

    Returns
    -------
    scores : Scores
        A dict of `sse_loss` (share of the variance lost), `mse_distortion`,
        `distance_linkage_risk` (share of released records whose nearest original is
        their own), `distance_linkage_risk_top2` (among the two nearest),
        `prosecutor_max_risk` and `prosecutor_average_risk`.

    Examples
    --------
    >>> import polars as pl
    >>> original = pl.DataFrame({"age": [20, 30, 60, 70]})
    >>> release = pl.DataFrame({"age": [25.0, 25.0, 65.0, 65.0]})
    >>> scores = measure(original, release, "age")
    >>> round(scores["sse_loss"], 4), scores["prosecutor_max_risk"]
    (0.0588, 0.5)
    """
    check_choice("scale", scale, tuple(SCALES))
    check_choice("missing", missing, ("error", "drop"))
    schema = Schema(
        quasi_identifiers,
        others="drop",
        kinds=kinds or {},
        hierarchies=hierarchies or {},
    )
    frame = open_frame(original)
    schema.released(frame.columns)
    as_text = as_text or is_text_table(frame)
    marks = marks_of(missing_marks, as_text)
    if as_text:
        names = schema.quasi_identifiers
        frame, _ = read_text_table(frame, names, schema.kinds, marks)
    prepared = prepare(frame.to_native(), schema, missing=missing, missing_marks=marks)
    comparison = Comparison(
        prepared.X,
        prepared.encode(release),
        prepared.scaler(scale, expand=False),
        class_sizes=class_sizes(release, schema.quasi_identifiers),
    )
    return compute_scores(comparison, measures)
