"""
How far is a release from the best possible?
============================================

No search is known to find the cells of the least loss for a table of any size. But a
lower bound can be computed: no cells of k records, found or not, lose less. So one can
see how much a better search could still gain.
"""

from matplotlib import pyplot

from microcell.compose import Refine
from microcell.datasets import load_diabetes_patients
from microcell.embed import StandardScale
from microcell.metrics import loss_lower_bound
from microcell.partition import MDAV

pyplot.style.use("microcell.report.pictures")

patients = load_diabetes_patients().frame
X = StandardScale().fit_transform(patients.select("age", "bmi", "bp").to_numpy())
K = 5
MOVES = [1, 10, 100, 300, 1000, 3000]  # for each record

searched = [Refine(MDAV(K), moves=moves * len(X)).fit(X) for moves in MOVES]
losses = [100 * each.loss_ for each in searched]
start = 100 * searched[0].start_loss_
bound = 100 * loss_lower_bound(X, K, method="columns")

axes = pyplot.subplots()[1]
axes.axhline(start, color="C1", linestyle="--", label="MDAV, where the search begins")
axes.plot(MOVES, losses, marker="o", label="after the search")
axes.axhline(bound, color="C2", linestyle=":", label="no cells lose less than this")
axes.axhspan(0, bound, color="C2", alpha=0.12, linewidth=0)
axes.set_xscale("log")
axes.set_xticks(MOVES, [f"{moves:,}" for moves in MOVES])
axes.minorticks_off()
axes.set(
    xlabel="moves tried for each record",
    ylabel="information lost, % of the variance",
    ylim=(0.9 * bound, 1.05 * start),
    title=f"Cells of {K}: the search ends at most {100 * (losses[-1] / bound - 1):.0f} "
    "% above the optimum",
)
axes.legend(loc="upper right", bbox_to_anchor=(1, 0.88))
pyplot.show()

# %%
# The default method, ``mdav-refined``, tries 300 moves for each record, and ``best``
# many more. What is left above the bound may be the search's or the bound's fault. For
# large tables ``method="neighbours"`` gives a bound that is less close, and sooner.
