"""Figures 6 to 13: utility against k, distortion against k, and one by the other."""

from microcell.experiments._curves import curve, draw_curves, save
from microcell.experiments._learning import TITLES
from microcell.experiments.price._run import PLAIN

NUMBERS = {"adult": 6, "breast": 8, "heart": 10, "synthetic": 12}
AS_PUBLISHED = "MDAV with SD, lambda as in the paper (best on the test records)"
HONEST = "MDAV with SD, lambda chosen on the training records"


def curves(rows, name, measure, select="accuracy"):
    """The five curves of a data set; MDAV with SD has its combined distortion."""
    lines = {method: curve(rows, name, method, measure) for method in PLAIN}
    of_sd = "combined" if measure == "distortion" else measure
    lines[AS_PUBLISHED] = curve(rows, name, "MDAV with SD", of_sd, select=select)
    lines[HONEST] = curve(rows, name, "MDAV with SD", of_sd, honest=True)
    return lines


def draw_results(rows, names, folder):
    """Write the two figures of each data set."""
    from matplotlib.figure import Figure

    for name in names:
        utility = Figure(figsize=(10, 4), layout="constrained")
        left, right = utility.subplots(1, 2)
        draw_curves(
            left, curves(rows, name, "accuracy"), x_label="k", y_label="Accuracy"
        )
        f_measure = curves(rows, name, "f_measure", select="f_measure")
        draw_curves(right, f_measure, x_label="k", y_label="F-measure")
        utility.suptitle(TITLES[name])
        save(utility, folder, file_name(name, 0))

        distorted = Figure(figsize=(10, 4), layout="constrained")
        left, right = distorted.subplots(1, 2)
        by_k = curves(rows, name, "distortion")
        draw_curves(left, by_k, x_label="k", y_label="Distortion")
        for label, points in curves(rows, name, "accuracy").items():
            moved = [mean for _, mean, _ in by_k[label]]
            right.scatter(moved, [mean for _, mean, _ in points], s=12, label=label)
        right.set(xlabel="Distortion", ylabel="Accuracy")
        right.legend(fontsize=8)
        distorted.suptitle(TITLES[name])
        save(distorted, folder, file_name(name, 1))


def file_name(name, place):
    """The figure's number in the paper; all records of Adult are not in it."""
    if name in NUMBERS:
        return f"figure_{NUMBERS[name] + place}"
    return ("adult_all_utility", "adult_all_distortion")[place]
