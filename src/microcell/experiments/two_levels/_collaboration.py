"""Whether maps of views ever get better by listening to each other."""

from itertools import product

import numpy as np

from microcell.embed import CollaborativeMaps, StandardScale
from microcell.experiments._claims import IN_PART, UNTOLD, verdict
from microcell.experiments._tasks import as_list, in_parallel
from microcell.experiments.two_levels._paper import TWO_LEVELS_PAPER
from microcell.experiments.two_levels._run import (
    AS_PUBLISHED,
    ASKED_K,
    SET_TITLES,
    load,
)
from microcell.methods import METHODS
from microcell.metrics import separability_score

BETAS = (0.1, 1.0, 10.0)
RADII = (0.5, 1.0)
COLLABORATION_TITLES = {  # of the collaboration
    "together": "all views at once",
    "in turn": "one view after the other, as in the papers it cites",
}


def collaborate(name, order, beta, radius):
    """How many maps were kept, and what they did to the index and to a tree."""
    X, y = load(name)
    maps = CollaborativeMaps(
        2, scale=StandardScale(), order=order, beta=beta, radius=radius
    ).fit(X)
    found = maps.davies_bouldin_
    gained = 0.0
    if any(len(view) > 1 for view in found):
        gained = separability(X, y, order, beta, radius) - separability(
            X, y, order, 0.0, radius
        )
    return {
        "data": name,
        "order": order,
        "beta": beta,
        "radius": radius,
        "kept": sum(len(view) - 1 for view in found),
        "rejected": maps.n_rejected_,
        "index_before": float(np.mean([view[0] for view in found])),
        "index_after": float(np.mean([view[-1] for view in found])),
        "gained": gained,
    }


def separability(X, y, order, beta, radius):
    """Of a tree on the release of k-TCA as published, tested on original records."""
    given = AS_PUBLISHED["ktca"] | {"beta": beta, "radius": radius}
    plan = METHODS["ktca"](ASKED_K, collaboration=order, **given)
    return separability_score(X, plan.fit_transform(X), y)


def run_collaboration(names, progress):
    """All settings on all data sets, on all cores."""
    tasks = list(product(names, COLLABORATION_TITLES, BETAS, RADII))
    step = "{0} beta={2:g}".format
    return [*in_parallel(collaborate, tasks, progress, step)]


@as_list
def collaboration_claims(rows):
    """Whether maps were kept, and what they gain; of none nothing can be said."""
    for order, reading in COLLABORATION_TITLES.items():
        own = [row for row in rows if row["order"] == order]
        if not own:
            continue
        kept = [row for row in own if row["kept"]]
        shown = ", ".join(
            f"{SET_TITLES[row['data']]} at beta = {row['beta']:g}, radius = "
            f"{row['radius']:g}: {row['index_before']:.3f} to {row['index_after']:.3f}"
            for row in kept
        )
        gains = [row["gained"] for row in kept]
        ours = (
            "tree on the release of k-TCA, tested on original records, against no "
            f"collaboration: {', '.join(f'{gain:+.3f}' for gain in gains)}"
        )
        yield from [
            TWO_LEVELS_PAPER.claim(
                "Maps of views get better by collaboration (Davies-Bouldin index)",
                f"a new map is kept in {len(kept)} of {len(own)} settings of beta, "
                f"radius and data{f': {shown}' if shown else ''}",
                IN_PART if kept else UNTOLD,
                reading,
            ),
            TWO_LEVELS_PAPER.claim(
                "Collaboration of the views raises the utility of the release",
                ours if kept else "it never changes a map",
                verdict([np.mean(np.array(gains) > 0)]) if kept else UNTOLD,
                reading,
            ),
        ]
