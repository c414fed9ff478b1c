"""The release of a job whose records no memory holds as a whole."""

from __future__ import annotations

from typing import Any

from microcell.metrics import (
    SAMPLED_LINKAGE,
    Scores,
    chosen_measures,
    risk_of_class_sizes,
    wilson_interval,
)
from microcell.pipeline import (
    MAX_PEOPLE_FOLLOWED,
    Job,
    Tally,
    Verdict,
    dominated_cells,
    sampled_sides,
)
from microcell.recipe import APART
from microcell.release._before import Before
from microcell.release._finished import finished
from microcell.release._release import Release


def make_release(job: Job, tally: Tally, verdict: Verdict) -> Release:
    """The release of a job, when everything that was written was counted.

    Raises
    ------
    PrivacyError
        If a promise failed; there is no release then.
    RuntimeError
        If other records were written than came.
    """
    known = tuple(job.known)
    sizes = verdict.class_sizes(known)
    n_written = sum(total for _, total in verdict.sizes[known].values())
    if not tally.n_records == n_written == job.n_records:
        raise RuntimeError(
            f"{job.n_records} records came, {tally.n_records} were masked and "
            f"{n_written} were counted in what was written. Nothing is "
            "published."
        )
    n_counted = int(sizes.sum())
    apart = job.recipe.unit_records == APART  # then one is counted in several classes
    n_counted = min(n_counted, job.n_people) if apart else n_counted
    if not tally.n_people == n_counted == job.n_people:
        raise RuntimeError(
            f"{job.n_people} people came, {tally.n_people} were masked and "
            f"{n_counted} were counted in what was written. Nothing is published."
        )
    checked = {**verdict.findings, **tally.findings}
    findings = [checked[place].finding for place in range(len(job.promises))]
    recipe, counted = job.recipe, tally.counted
    scores, sample = _scores(job, tally, verdict, sizes)
    return finished(
        recipe,
        names=job.task.released,
        kinds=job.kinds,
        cells=list(tally.n_cells),
        n_records=job.n_records,
        promises=job.promises,
        findings=findings,
        scores=scores,
        disclosure={n: found.scores() for n, found in verdict.given_away.items()},
        notices=job.notices._replace(
            people=[*job.notices.people, *_said_of_visits(job, verdict)],
            plans=[*sorted(counted.said_by_plans(job.n_shards)), *job.notices.plans],
            columns=counted.said_of_columns(job.encoders, recipe),
        ),
        decide=[*job.decide, *_uncounted_visits(job)],
        dominated=dominated_cells(counted.dominated, recipe.weights),
        strata=job.strata,
        table=None,
        n_dropped=job.n_dropped,
        n_shards=job.n_shards,
        n_people=None if job.task.unit is None else job.n_people,
        known=known,
        class_sizes=dict(sorted(verdict.sizes[known].items())),
        before=_before(job, tally, verdict),
        sample=sample,
        left_out=job.task.left_out,
    )


def _uncounted_visits(job: Job) -> list[str]:
    """What is to be decided where nobody counts whom all records of a person leave."""
    if job.recipe.unit_records != APART:
        return []
    return [
        f"who knows all records of one {job.task.unit!r} looks for those who are in "
        "all of their classes: of a table in parts they are not counted, and may be "
        "fewer than k; records of a person together keep k"
    ]


def _said_of_visits(job: Job, verdict: Verdict) -> list[str]:
    """What is to be known where people were too many to be followed."""
    if job.task.unit is None or verdict.risk("household", job.known) is not None:
        return []
    return [
        "the chance that any record of a person is found is not known: of more than "
        f"{MAX_PEOPLE_FOLLOWED:,} people, whose records are in several classes, it is "
        "not counted"
    ]


def _before(job: Job, tally: Tally, verdict: Verdict) -> Before | None:
    """Some records beside their originals, where a report may be asked for."""
    if tally.sample is None:
        return None
    sides = sampled_sides(tally.sample, list(job.task.released))
    counted = verdict.known_columns
    return Before(
        job.recoded.encoders,
        scaler=job.scaler(),
        knowledge=None if counted is None else counted.risks(),
        is_sample=len(sides["X"]) < tally.n_records,
        **sides,
    )


def _scores(
    job: Job, tally: Tally, verdict: Verdict, sizes: Any
) -> tuple[Scores, dict[str, Any]]:
    relative, loss, distortion = job.losses(tally)
    risk = risk_of_class_sizes(sizes)
    values = {
        "relative_loss": relative,
        "sse_loss": loss,
        "mse_distortion": distortion,
        "prosecutor_max_risk": risk.prosecutor_max,
        "prosecutor_average_risk": risk.prosecutor_average,
    }
    for name in ("household", "journalist"):
        found = verdict.risk(name, job.known)
        if found is not None:
            values[f"{name}_max_risk"] = found.highest
            values[f"{name}_average_risk"] = found.total / found.n_people
    if job.task.unit is not None and job.recipe.unit_records != APART:
        values["visits_max_risk"] = risk.prosecutor_max
    needs = {"weights": job.recipe.weights, "unit": job.task.unit}
    given = [option for option, column in needs.items() if column is not None]
    chosen = chosen_measures(job.recipe.measures, job.n_records, given)
    if not tally.n_linked or not chosen:
        return Scores.of(values, chosen).rounded(job.n_records), {}
    n_found = float(tally.found)
    low, high = wilson_interval(n_found, tally.n_linked)
    values[SAMPLED_LINKAGE.name] = n_found / tally.n_linked
    sample = {"records": tally.n_linked, "interval": [round(low, 4), round(high, 4)]}
    return Scores.of(values, [*chosen, SAMPLED_LINKAGE]).rounded(job.n_records), sample
