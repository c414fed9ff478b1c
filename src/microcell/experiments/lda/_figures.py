"""Figures 12 to 15: accuracy and F-measure against k, with our intervals."""

from microcell.experiments._curves import curve, draw_curves, save
from microcell.experiments._learning import TITLES

NUMBERS = {"adult": 12, "breast": 13, "heart": 14, "synthetic": 15}


def curves(rows, name, measure):
    """The three curves of a data set."""
    return {
        "MDAV": curve(rows, name, "MDAV", measure),
        "MDAV with LDA, alpha as in the paper (best on the test records)": curve(
            rows, name, "MDAV with LDA", measure, select=measure
        ),
        "MDAV with LDA, alpha chosen on the training records": curve(
            rows, name, "MDAV with LDA", measure, honest=True
        ),
    }


def draw_results(rows, names, folder):
    """Write the figures of all data sets."""
    from matplotlib.figure import Figure

    for name in names:
        figure = Figure(figsize=(10, 4), layout="constrained")
        panels = figure.subplots(1, 2)
        for axes, measure, label in zip(
            panels, ("accuracy", "f_measure"), ("Accuracy", "F-measure"), strict=True
        ):
            lines = curves(rows, name, measure)
            draw_curves(axes, lines, x_label="k", y_label=label)
        figure.suptitle(TITLES[name])
        file = f"figure_{NUMBERS[name]}" if name in NUMBERS else "adult_all"
        save(figure, folder, file)
