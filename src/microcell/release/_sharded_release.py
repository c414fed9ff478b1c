"""The release of a job whose records no memory holds as a whole."""

from __future__ import annotations

from typing import Any

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
    class_size_counts,
    hardly_anything_left,
    said_of_recipe,
    sampled_sides,
    to_decide,
    to_notice,
)
from microcell.privacy import require, weaker_than_k
from microcell.recipe import clip_notice, representative_notices
from microcell.release._before import Before
from microcell.release._release import Release, released_columns

SAMPLED_LINKAGE = "sampled_linkage_risk"


def make_release(job: Job, tally: Tally, verdict: Verdict) -> Release:
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
    checked = {**verdict.findings, **tally.findings}
    findings = [checked[place].finding for place in range(len(job.promises))]
    require(findings)
    scores, sample = _scores(job, tally, sizes)
    cells = list(tally.n_cells)
    disclosure = {n: found.scores() for n, found in verdict.given_away.items()}
    lost = hardly_anything_left(cells, scores.get("relative_loss"), job.n_records)
    return Release(
        table=None,
        n_records=job.n_records,
        n_dropped=job.n_dropped,
        n_shards=job.n_shards,
        cells=cells,
        kinds=job.kinds,
        findings=findings,
        scores=scores,
        disclosure=disclosure,
        sample=sample,
        known=names,
        class_sizes=class_size_counts(sizes),
        before=_before(job, tally, verdict),
        recipe=job.recipe,
        promises=job.promises,
        columns=released_columns(job.task.released, job.kinds, job.recipe),
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


def _before(job: Job, tally: Tally, verdict: Verdict) -> Before | None:
    """Some records beside their originals, where a report may be asked for."""
    if tally.sample is None:
        return None
    released = list(job.task.released)
    table, X, X_released, cell_sizes = sampled_sides(tally.sample, released)
    whole = len(X) == tally.n_records
    return Before(
        encoders=job.encoders,
        X=X,
        X_released=X_released,
        scaler=job.scaler(),
        table=table,
        cell_sizes=None if whole else cell_sizes,
        knowledge=None
        if verdict.known_columns is None
        else verdict.known_columns.risks(),
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
    if not tally.n_linked or not chosen:
        return Scores(shown).rounded(job.n_records), {}
    found = float(tally.found)
    low, high = wilson_interval(found, tally.n_linked)
    share = found / tally.n_linked
    shown.append(ShownScore(SAMPLED_LINKAGE, share, "linkage, in shards", "share"))
    sample = {"records": tally.n_linked, "interval": [round(low, 4), round(high, 4)]}
    return Scores(shown).rounded(job.n_records), sample
