"""Two levels of anonymisation, topological or by density, then with labels.

Tables 2 to 5 of "A Two-Levels Data Anonymization Approach" on its six data sets: each
method as published, where k is what comes out, and with our defaults, which promise
it. Beside them what the paper lacks: the k that was reached, records in classes of one
label, trees tested on records that were never masked, and MDAV and LDA-MDAV at the
same k.
"""

from microcell.experiments._run import write_summary, write_tables
from microcell.experiments.two_levels._claims import claims
from microcell.experiments.two_levels._collaboration import (
    collaboration_claims,
    run_collaboration,
)
from microcell.experiments.two_levels._costs import (
    k_anonymous,
    labels_cost_no_privacy,
    summary,
)
from microcell.experiments.two_levels._figures import draw_results
from microcell.experiments.two_levels._paper import TWO_LEVELS_PAPER
from microcell.experiments.two_levels._run import TWO_LEVELS_PLANS, run
from microcell.experiments.two_levels._tables import (
    TABLES_OF_THE_PAPER,
    nearness,
    paper_table,
    price_table,
    score_table,
)

__all__ = ["reproduce"]


def reproduce(out, *, quick=False, progress=lambda done, total, step: None):
    """Write tables, claims and figures into `out` / "two-levels".

    Parameters
    ----------
    out : Path
        Folder of experiments, made if it is not there; a run that was stopped goes on
        where it was.
    quick : bool, default=False
        The three small data sets, one repetition of each.
    progress : callable
        Told (done, total, step).

    Returns
    -------
    lines : list of str
        The paper's claims, each with a verdict and the figures behind it.
    """
    name = "quick" if quick else "full"
    folder = out / "two-levels"
    folder.mkdir(parents=True, exist_ok=True)
    plan = TWO_LEVELS_PLANS[name]
    rows = run(plan, folder / "cache" / name, progress)
    listened = run_collaboration([name for name, *_ in plan], progress)
    write_tables(
        folder,
        results=rows,
        score=score_table(rows),
        price=price_table(rows),
        collaboration=listened,
        nearness=nearness(rows),
        **{
            file: paper_table(rows, theirs, measures)
            for file, (theirs, measures) in TABLES_OF_THE_PAPER.items()
        },
    )
    draw_results(rows, folder)
    found = [
        *claims(rows),
        *labels_cost_no_privacy(rows),
        *k_anonymous(rows),
        *collaboration_claims(listened),
    ]
    return write_summary(TWO_LEVELS_PAPER, summary(rows), folder, found)
