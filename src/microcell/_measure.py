"""measure: loss and risk of a release, from the two tables alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from microcell._schema import Schema
from microcell._validation import check_choice
from microcell.metrics import (
    homogeneity,
    linkage_risks,
    mse_distortion,
    risk_of_class_sizes,
    sse_loss,
)
from microcell.prepare import Prepared, prepare
from microcell.prepare._prepared import SCALES
from microcell.privacy import class_sizes


def measure(
    original: Any,
    release: Any,
    quasi_identifiers: str | Sequence[str],
    *,
    kinds: Mapping[str, Any] | None = None,
    scale: str = "standard",
) -> dict[str, float]:
    """Compare a table with its release, whatever tool made it.

    Parameters
    ----------
    original, release : dataframe
        pandas, polars or pyarrow tables with the same records in the same order.
    quasi_identifiers : str or sequence of str
        The columns that were masked.
    kinds : mapping, optional
        How to treat a column where its data type does not say it; see `Schema`.
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        How attributes get a common scale, learnt on the original.

    Returns
    -------
    scores : dict
        `sse_loss` (share of the variance lost), `mse_distortion`,
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
    schema = Schema(quasi_identifiers, others="drop", kinds=kinds or {})
    prepared = prepare(original, schema)
    sizes = class_sizes(release, schema.quasi_identifiers)
    return scores_of(prepared, prepared.encode(release), scale, sizes)


def scores_of(
    prepared: Prepared, X_released: np.ndarray, scale: str, sizes: np.ndarray
) -> dict[str, float]:
    """Loss and risk of released numbers, on attributes of a common scale."""
    X = prepared.X
    scaler = prepared.scaler(scale).fit(X)
    Z, Z_released = scaler.transform(X), scaler.transform(X_released)
    lost = sse_loss(Z, Z_released)
    # per attribute, however many coordinates its categories take
    distortion = mse_distortion(Z, Z_released) * Z.shape[1] / X.shape[1]
    codes = range(X.shape[1] - prepared.n_nominal, X.shape[1])
    scaled = prepared.measured_scaler(scale).fit(X)
    nearest, two_nearest = linkage_risks(
        scaled.transform(X), scaled.transform(X_released), (1, 2), codes
    )
    risk = risk_of_class_sizes(sizes)
    return {
        "sse_loss": lost,
        "mse_distortion": distortion,
        "distance_linkage_risk": nearest,
        "distance_linkage_risk_top2": two_nearest,
        "prosecutor_max_risk": risk.prosecutor_max,
        "prosecutor_average_risk": risk.prosecutor_average,
    }


def homogeneity_scores(labels: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """How alike the records of a cell are in the attribute that shaped it."""
    found = homogeneity(labels, y)
    return {
        "p_sensitivity": float(found.p_sensitivity),
        "homogeneous_records": found.homogeneous_records,
    }
