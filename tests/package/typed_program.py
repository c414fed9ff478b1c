"""A typed program that uses the library: `make lint` checks it as strictly as it can.

What is right has the types that it says, and what is wrong is an error: a comment that
ignores nothing is one itself.
"""

from collections.abc import Sequence
from typing import Any, assert_type

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microcell import (
    Column,
    Microaggregator,
    Recipe,
    Release,
    Schema,
    anonymize,
    measure,
)
from microcell.aggregate import Centroid
from microcell.datasets import Dataset, load_diabetes_patients
from microcell.embed import StandardScale
from microcell.methods import mdav
from microcell.metrics import (
    InformationLoss,
    Scores,
    distance_linkage_risk,
    information_loss,
    sse_loss,
)
from microcell.partition import MDAV, VMDAV
from microcell.privacy import Finding, KAnonymity
from microcell.testing import check_partitioner

TABLE = pl.DataFrame({"age": [31, 62, 35, 58], "diagnosis": ["a", "b", "a", "c"]})
RECORDS = [[20.0, 1.0], [60.0, 9.0], [24.0, 3.0], [62.0, 9.0], [64.0, 12.0]]


def right() -> None:
    """What a program may expect."""
    schema = Schema(["age"], confidential="diagnosis")
    assert_type(schema.quasi_identifiers, Sequence[str])
    column = Column(kind="numeric", clip=(18, 90), digits=0)
    options = anonymize(TABLE, schema, k=2, columns={"age": column}, missing="drop")
    assert_type(options, Release)
    release = anonymize(TABLE, schema, k=2, method="mdav")
    assert_type(release, Release)
    assert_type(release.summary(), str)
    assert_type(release.findings, Sequence[Finding])
    assert_type(release.scores, Scores)
    assert_type(release.recipe, Recipe)
    assert_type(measure(TABLE, release.table, "age"), Scores)
    assert_type(KAnonymity(2).verify(release.table, ["age"]), Finding)
    assert_type(load_diabetes_patients(), Dataset)

    part = MDAV(k=2)
    assert_type(part.fit(RECORDS), MDAV)
    assert_type(part.labels_, NDArray[np.int64])
    assert_type(VMDAV(k=2, gamma=0.5).fit_predict(np.array(RECORDS)), NDArray[np.int64])
    masked = Microaggregator(part, embed=StandardScale(), aggregate=Centroid())
    X_released = masked.fit_transform(RECORDS)
    assert_type(X_released, NDArray[np.float64])
    assert_type(Centroid().aggregate(RECORDS, part.labels_), NDArray[np.float64])
    assert_type(mdav(2), Microaggregator)
    assert_type(sse_loss(RECORDS, X_released), float)
    assert_type(distance_linkage_risk(RECORDS, X_released), float)
    assert_type(information_loss(RECORDS, X_released), InformationLoss)
    assert_type(check_partitioner(MDAV(k=2)), None)


def wrong(release: Release, schema: Schema) -> list[Any]:
    """Never run: what a checker has to notice."""
    return [
        anonymize(TABLE, schema),  # type: ignore[call-arg]
        anonymize(TABLE, ["age"], k=5),  # type: ignore[arg-type]
        anonymize(TABLE, schema, k="five"),  # type: ignore[arg-type]
        anonymize(TABLE, schema, k=5, mesures="all"),  # type: ignore[call-arg]
        anonymize(TABLE, schema, k=5, missing=True),  # type: ignore[arg-type]
        Column(clipp="18:90"),  # type: ignore[call-arg]
        release.sumary(),  # type: ignore[attr-defined]
        Schema(["age"], confidental="diagnosis"),  # type: ignore[call-arg]
        MDAV(k="five"),  # type: ignore[arg-type]
        MDAV(k=5, gamma=0.2),  # type: ignore[call-arg]
        MDAV(k=5).fit(),  # type: ignore[call-arg]
        sse_loss(RECORDS),  # type: ignore[call-arg]
        sse_loss(RECORDS, RECORDS) + "%",  # type: ignore[operator]
        KAnonymity("five"),  # type: ignore[arg-type]
    ]
