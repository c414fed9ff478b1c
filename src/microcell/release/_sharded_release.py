"""ShardedRelease: what is known of a release that no memory holds as a whole."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from microcell.exceptions import Spelling, in_python
from microcell.metrics import (
    MEASURES,
    Scores,
    ShownScore,
    chosen_measures,
    risk_of_class_sizes,
    wilson_interval,
)
from microcell.pipeline import (
    Job,
    Tally,
    Verdict,
    hardly_anything_left,
    said_of_recipe,
    to_decide,
    to_notice,
)
from microcell.privacy import Finding, Promise, below_k, require, weaker_than_k
from microcell.recipe import Recipe, clip_notice, representative_notices
from microcell.recognition import FEW
from microcell.release._release import software_versions
from microcell.release._summary import Summary

SAMPLED_LINKAGE = "sampled_linkage_risk"
ROW_ORDER = "shard by shard, each sorted by its released values"


@dataclass(frozen=True)
class ShardedRelease:
    """The result of a sharded run, without its records.

    Attributes
    ----------
    n_records, n_dropped : int
        Records released, and left out because they miss a quasi-identifier.
    n_shards : int
        Shards that were masked each by itself.
    cells : list of int
        Number of cells in each block of columns.
    kinds : dict
        How each quasi-identifier was treated.
    findings : sequence of Finding
        What was promised, and what was found in everything that was written.
    scores : Scores
        Loss and risk. `sampled_linkage_risk` is the share of a sample of released
        records that are found by distance among the originals of their shard, which
        is at least the share among all.
    disclosure : dict
        What classes give away of each confidential column; see `disclosure_of`.
    sample : dict
        How many records were looked up for it, and the interval of the share.
    recipe : Recipe
        Everything needed to do it again, on any engine.
    promises : sequence of Promise
        What was verified.
    columns : list of dict
        Every released column with its role and what was done to it.
    left_out : sequence of str
        Columns of the original that are not released.
    decide : sequence of str
        What the owner has to decide before the release is given away, most serious
        first.
    notices : sequence of str
        What the owner should know.
    versions : dict
        Versions of the software that made it.
    """

    n_records: int
    n_dropped: int
    n_shards: int
    cells: list[int]
    kinds: dict[str, str]
    findings: Sequence[Finding]
    scores: Scores
    disclosure: dict[str, Scores]
    sample: dict[str, Any]
    recipe: Recipe
    promises: Sequence[Promise]
    columns: list[dict[str, str]]
    left_out: Sequence[str]
    notices: Sequence[str]
    versions: dict[str, str] = field(default_factory=software_versions)
    decide: Sequence[str] = ()

    def summary(
        self, verbose: bool = False, *, spell: Spelling | None = in_python
    ) -> str:
        """What a person wants to read about the release; see `Release.summary`."""
        few = self.n_records < FEW
        return Summary(
            n_records=self.n_records,
            n_dropped=self.n_dropped,
            people="records",
            kinds=self.kinds,
            columns=self.columns,
            left_out=self.left_out,
            cells=self.cells,
            details=[("shards", str(self.n_shards)), ("row order", ROW_ORDER)],
            decide=self.decide,
            notices=self.notices,
            warnings=below_k(self.promises, self.findings, self.recipe.k),
            findings=self.findings,
            scores=self.scores,
            disclosure=self.disclosure,
            withheld=f"withheld: fewer than {FEW} records" if few else "",
        ).text(verbose, spell)

    def certificate(self) -> dict[str, Any]:
        """What can be said about the release without a value of any record."""
        now = datetime.datetime.now(datetime.UTC)
        few = self.n_records < FEW
        document: dict[str, Any] = {
            "created": now.isoformat(timespec="seconds"),
            "recipe": self.recipe.without_seed(),
            "records": self.n_records,
            "records_left_out": self.n_dropped,
            "k_counts": "records",
            "columns": self.columns,
            "row_order": ROW_ORDER,
            "shards": self.n_shards,
            "cells": self.cells,
            "kinds": dict(self.kinds),
            "findings": [finding.to_dict("files") for finding in self.findings],
            "scores": dict.fromkeys(self.scores) if few else dict(self.scores),
            "disclosure": {n: dict(s) for n, s in self.disclosure.items()},
            "linkage_sample": {} if few else dict(self.sample),
            "decide": list(self.decide),
            "notices": list(self.notices),
            "versions": dict(self.versions),
        }
        if few:
            document["scores_withheld"] = f"fewer than {FEW} records"
        return document


def make_release(job: Job, tally: Tally, verdict: Verdict) -> ShardedRelease:
    """The release of a job, when everything that was written was counted.

    Raises
    ------
    PrivacyError
        If a promise failed; there is no release then.
    RuntimeError
        If other records were written than came.
    """
    names = [encoder.name for encoder in job.encoders]
    sizes = verdict.class_sizes(names)
    if not tally.n_records == int(sizes.sum()) == job.n_records:
        raise RuntimeError(
            f"{job.n_records} records came, {tally.n_records} were masked and "
            f"{int(sizes.sum())} were counted in what was written. Nothing is "
            "published."
        )
    judged = {**verdict.findings, **tally.findings}
    findings = [judged[place].finding for place in range(len(job.promises))]
    require(findings)
    scores, sample = _scores(job, tally, sizes)
    cells = list(tally.n_cells)
    disclosure = {n: found.scores() for n, found in verdict.given_away.items()}
    lost = hardly_anything_left(cells, scores.get("relative_loss"), job.n_records)
    return ShardedRelease(
        n_records=job.n_records,
        n_dropped=job.n_dropped,
        n_shards=job.n_shards,
        cells=cells,
        kinds=job.kinds,
        findings=findings,
        scores=scores,
        disclosure=disclosure,
        sample=sample,
        recipe=job.recipe,
        promises=job.promises,
        columns=_columns(job),
        left_out=job.task.left_out,
        decide=(
            *job.decide,
            *lost,
            *said_of_recipe(job.recipe),
            *to_decide(disclosure),
            *weaker_than_k(job.promises, findings),
        ),
        notices=[
            *job.notices,
            *_said_of_columns(job, tally),
            *_said_by_all(tally, job.n_shards),
            *to_notice(disclosure),
        ],
    )


def _said_of_columns(job: Job, tally: Tally) -> list[str]:
    """What was clipped, what chosen representatives publish, and what was missing."""
    recipe = job.recipe
    clipped = [
        clip_notice(recipe, encoder, tally.clipped[encoder.name])
        for encoder in job.encoders
        if encoder.extras.limits is not None
    ]
    missing = [
        notice
        for name in job.kinds
        for notice in tally.gaps[name].notices(name, recipe)
    ]
    return [*clipped, *representative_notices(recipe, job.kinds), *missing]


def _said_by_all(tally: Tally, n_shards: int) -> list[str]:
    """Notices of plans; of some shards only, where it is so."""
    return [
        said if number == n_shards else f"in {number} of {n_shards} shards: {said}"
        for said, number in sorted(tally.notices.items())
    ]


def _scores(job: Job, tally: Tally, sizes: Any) -> tuple[Scores, dict[str, Any]]:
    relative, loss, distortion = job.losses(tally)
    risk = risk_of_class_sizes(sizes)
    values = {
        "relative_loss": relative,
        "sse_loss": loss,
        "mse_distortion": distortion,
        "prosecutor_max_risk": risk.prosecutor_max,
        "prosecutor_average_risk": risk.prosecutor_average,
    }
    chosen = chosen_measures(job.recipe.measures, job.n_records)
    shown = [
        ShownScore(m.name, float(values[m.name]), m.label, m.unit)
        for m in MEASURES
        if m.name in values and m in chosen
    ]
    if not tally.n_looked_up or not chosen:
        return Scores(shown).rounded(job.n_records), {}
    found = float(tally.found)
    low, high = wilson_interval(found, tally.n_looked_up)
    share = found / tally.n_looked_up
    shown.append(ShownScore(SAMPLED_LINKAGE, share, "linkage, in shards", "share"))
    sample = {"records": tally.n_looked_up, "interval": [round(low, 4), round(high, 4)]}
    return Scores(shown).rounded(job.n_records), sample


def _columns(job: Job) -> list[dict[str, str]]:
    confidential = job.recipe.schema.confidential
    described = []
    for name in job.task.released:
        role = "confidential" if name in confidential else "other"
        treatment = "as it is"
        if name in job.kinds:
            role, treatment = "quasi-identifier", f"masked as {job.kinds[name]}"
        described.append({"name": name, "role": role, "treatment": treatment})
    return described
