"""Release: a table that kept its promises, and what is known about it."""

from __future__ import annotations

import datetime
import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from microcell._recipe import Recipe
from microcell.privacy import Finding, require, verify_blocks

VERSIONED = ("microcell", "numpy", "numba", "scikit-learn", "narwhals", "polars")


@dataclass(frozen=True)
class Release:
    """The result of `anonymize`.

    Attributes
    ----------
    table : dataframe
        The released table, of the same kind as the original.
    labels : ndarray of shape (n_released,) or (n_released, n_blocks)
        Cell of each released record; one column per block where blocks of columns
        were masked each by itself.
    blocks : sequence of sequences of str
        Quasi-identifiers that were masked together; k is promised for each block.
    kinds : dict
        How each quasi-identifier was treated.
    findings : sequence of Finding
        What was promised and what was found on the released table.
    scores : dict
        Loss and risk, as `measure` gives them. If a confidential attribute shaped the
        cells, also `p_sensitivity`, the least number of its values in a cell, and
        `homogeneous_records`, the share of records in cells with a single value.
    recipe : Recipe
        Everything needed to do it again.
    n_dropped : int
        Records left out because they miss a quasi-identifier.
    versions : dict
        Versions of the software that made it.
    """

    table: Any
    labels: np.ndarray
    blocks: Sequence[Sequence[str]]
    kinds: dict[str, str]
    findings: Sequence[Finding]
    scores: dict[str, float]
    recipe: Recipe
    n_dropped: int
    versions: dict[str, str]

    def __repr__(self) -> str:
        return f"<Release\n{self.summary()}\n>"

    def summary(self) -> str:
        """What a person wants to read about the release, in a few lines.

        Percentages of loss and risk; nothing of a record.
        """
        lines = [f"records released    {len(self.labels)}"]
        if self.n_dropped:
            lines.append(f"records left out    {self.n_dropped} (missing values)")
        treated = ", ".join(f"{name} ({kind})" for name, kind in self.kinds.items())
        lines.append(f"masked              {treated}")
        lines.append(f"cells               {self._shown_cells()}")
        if len(self.blocks) > 1:
            lines.append(
                "warning             k holds for each block of columns alone, "
                "not for the whole table"
            )
        for finding in self.findings:
            word = "counted" if finding.promised is None else "verified"
            lines.append(f"{word:<20}{finding}")
        for name, value in self.scores.items():
            lines.append(f"{SHOWN[name]:<20}{shown(name, value)}")
        return "\n".join(lines)

    @property
    def cells(self) -> list[int]:
        """Number of cells in each block of columns."""
        labels = self.labels.reshape(len(self.labels), -1)
        return [int(highest) + 1 for highest in labels.max(axis=0)]

    def _shown_cells(self) -> str:
        return ", ".join(str(count) for count in self.cells)

    def certificate(self) -> dict[str, Any]:
        """What can be said about the release without a value of any record."""
        return {
            "created": datetime.datetime.now(datetime.UTC).isoformat(
                timespec="seconds"
            ),
            "recipe": self.recipe.to_dict(),
            "records": len(self.labels),
            "records_left_out": self.n_dropped,
            "cells": self.cells,
            "kinds": dict(self.kinds),
            "findings": [describe(finding, "table") for finding in self.findings],
            "scores": dict(self.scores),
            "versions": dict(self.versions),
        }

    def save(
        self,
        path: str | Path,
        *,
        certificate: str | Path | None = None,
        recipe: str | Path | None = None,
        overwrite: bool = False,
    ) -> dict[str, Any]:
        """Write the table, read it back, count again, and only then show the file.

        Files appear whole or not at all.

        Parameters
        ----------
        path : path
            Where the table goes; the suffix (.csv, .tsv or .parquet) says how.
        certificate, recipe : path, optional
            Where the certificate (JSON) and the recipe (TOML) go.
        overwrite : bool, default=False
            Whether files that exist may be replaced.

        Returns
        -------
        certificate : dict
            With the file's name, size, sha256 and what was found in it.

        Raises
        ------
        PrivacyError
            If the file does not keep what was promised; nothing is written then.
        """
        from microcell.io import Outbox, read_table, sha256, write_table

        with Outbox(overwrite=overwrite) as outbox:
            staged_recipe = outbox.stage(recipe) if recipe is not None else None
            staged_paper = (
                outbox.stage(certificate) if certificate is not None else None
            )
            staged = outbox.stage(path)
            write_table(self.table, staged, like=path)
            written = read_table(staged, like=path)
            if written.height != len(self.labels):
                raise RuntimeError(
                    f"{written.height} records were read back from {path}, but "
                    f"{len(self.labels)} were written. Nothing is published."
                )
            findings = verify_blocks(written, self.recipe.k, self.blocks)
            require(findings)
            document = self.certificate()
            document["findings"] += [describe(finding, "file") for finding in findings]
            document["file"] = {
                "name": Path(path).name,
                "bytes": Path(staged).stat().st_size,
                "sha256": sha256(staged),
                "records": written.height,
            }
            if staged_recipe is not None:
                Path(staged_recipe).write_text(self.recipe.to_toml(), encoding="utf-8")
            if staged_paper is not None:
                text = json.dumps(document, indent=2) + "\n"
                Path(staged_paper).write_text(text, encoding="utf-8")
            outbox.publish()
        return document


SHOWN = {
    "sse_loss": "information loss",
    "mse_distortion": "mean sq. distortion",
    "distance_linkage_risk": "linkage, nearest",
    "distance_linkage_risk_top2": "linkage, 2 nearest",
    "prosecutor_max_risk": "highest risk",
    "prosecutor_average_risk": "average risk",
    "p_sensitivity": "values in a cell",
    "homogeneous_records": "in uniform cells",
}
IN_UNITS = {"mse_distortion": ".4g", "p_sensitivity": ".0f"}  # others are shares


def shown(name: str, value: float) -> str:
    """A score as a person reads it."""
    if name in IN_UNITS:
        return format(value, IN_UNITS[name])
    return f"{100 * value:.2f} %"


def describe(finding: Finding, on: str) -> dict[str, Any]:
    """A finding as plain data, with what it was counted on."""
    return {**asdict(finding), "holds": finding.holds, "counted_on": on}


def software_versions() -> dict[str, str]:
    """Versions that a release depends on."""
    return {"python": platform.python_version()} | {
        name: version(name) for name in VERSIONED
    }
