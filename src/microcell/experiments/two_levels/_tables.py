"""Tables 2 to 5, theirs beside ours in each reading, and what releases give away."""

from itertools import product

import numpy as np

from microcell.experiments._curves import grouped
from microcell.experiments._homogeneity import mean_table
from microcell.experiments._tasks import as_list
from microcell.experiments.two_levels._paper import (
    COMBINED_UTILITY,
    DAVIES_BOULDIN,
    PAPER_METHODS,
    PAPER_SETS,
    PRINTED_SCORE,
    SEPARABILITY,
    SEPARABILITY_BEFORE,
    SILHOUETTE,
    mean_difference,
    scores_of,
)
from microcell.experiments.two_levels._readings import FORMS_READ

FORM_TITLES = {form: reading.title for form, reading in FORMS_READ.items()}
FORMS = tuple(FORMS_READ)
OF_SEPARABILITY = ("separability_within", "separability_original", "learnt")
OF_UTILITY = ("combined", "combined_across", "combined_original")
TABLES_OF_THE_PAPER = {  # file: the paper's table, our measures
    "table_2_silhouette": (
        SILHOUETTE,
        ("silhouette_classes", "silhouette_cells", "silhouette_original"),
    ),
    "table_3_davies_bouldin": (
        DAVIES_BOULDIN,
        ("davies_bouldin_classes", "davies_bouldin_cells", "davies_bouldin_original"),
    ),
    "table_4_separability": (
        SEPARABILITY
        | {("original", name): value for name, value in SEPARABILITY_BEFORE.items()},
        OF_SEPARABILITY,
    ),
    "table_5_combined_utility": (COMBINED_UTILITY, OF_UTILITY),
}
PRICES = (
    *("k", "k_reached", "mean_class", "alone", "homogeneous", "largest_share"),
    *("sse_loss", "structural", "separability_within", "separability_original"),
    *("learnt", "combined", "combined_original"),
)


def sets_of(rows):
    """The paper's data sets that were run, in its order."""
    run = {row["data"] for row in rows}
    return tuple(name for name in PAPER_SETS if name in run)


def means(rows, form, measure):
    """{(method, data set): mean over repetitions} of a form; None where undefined.

    Of a method that a reading leaves alone, those of what it stands beside.
    """
    table = {}
    own = [row for row in rows if row["form"] == form]
    for key, repetitions in grouped(own, "method", "data").items():
        values = [row[measure] for row in repetitions]
        table[key] = None if None in values else float(np.mean(values))
    plain = FORMS_READ[form].plain if form in FORMS_READ else form
    return table if plain == form else means(rows, plain, measure) | table


def paper_table(rows, theirs, measures):
    """A row for each method and data set, theirs first, then ours in each reading."""
    ours = {
        f"{form}, {measure}": means(rows, form, measure)
        | means(rows, "original", measure)
        for form, measure in product(FORMS, measures)
    }
    sets = sets_of(rows)
    return [
        {"data": name, "method": method, "paper": value}
        | {title: found.get((method, name)) for title, found in ours.items()}
        for (method, name), value in theirs.items()
        if name in sets
    ]


def score_table(rows):
    """The paper's Score: printed, recomputed from its Table 5, and ours."""
    sets = sets_of(rows)
    columns = {"recomputed": scores_of(COMBINED_UTILITY, sets)}
    if sets == tuple(PAPER_SETS):
        columns = {"printed": PRINTED_SCORE} | columns
    for form, measure in product(FORMS, OF_UTILITY):
        columns[f"{form}, {measure}"] = scores_of(means(rows, form, measure), sets)
    return [
        {"method": method}
        | {title: scores[method] for title, scores in columns.items()}
        for method in PAPER_METHODS
    ]


def price_table(rows):
    """What each release reached and what it gives away, means over repetitions."""
    return mean_table(rows, ("data", "form", "method", "beside"), PRICES)


@as_list
def nearness(rows):
    """How near each reading comes to the paper's tables.

    Returns
    -------
    table : list of dict
        Table, form, reading, mean absolute difference and the number of entries.
    """
    sets = sets_of(rows)
    for file, (theirs, measures) in TABLES_OF_THE_PAPER.items():
        entries = {key: value for key, value in theirs.items() if key[1] in sets}
        for form, measure in product(FORMS, measures):
            difference, number = mean_difference(means(rows, form, measure), entries)
            row = {"table": file, "form": form, "reading": measure}
            row |= {"mean absolute difference": difference, "entries": number}
            yield row
