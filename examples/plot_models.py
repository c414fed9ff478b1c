"""
What do models still learn from a release?
==========================================

``ReleaseRegressor`` masks the training records, learns from what is released and
predicts records that were never masked, so cross-validation tells what somebody who
gets the release can learn from it: here, how a patient's disease goes on.
"""

import numpy as np
from matplotlib import pyplot
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_val_score

from microcell import ReleaseRegressor
from microcell.datasets import load_diabetes_patients

pyplot.style.use("microcell.report.pictures")

patients = load_diabetes_patients().frame
X = patients.select("age", "bmi", "bp", "s3", "s5").to_numpy()
y = patients["progression"].to_numpy()
KS = [2, 5, 10, 20, 40, 80]
MODELS = {
    "ridge regression": Ridge(),
    "random forest": RandomForestRegressor(25, min_samples_leaf=5, random_state=0),
}

axes = pyplot.subplots()[1]
learnt = {}
for place, (name, model) in enumerate(MODELS.items()):
    learnt[name] = [
        np.mean(cross_val_score(ReleaseRegressor(model, k=k, method="mdav"), X, y))
        for k in KS
    ]
    original = np.mean(cross_val_score(model, X, y))
    look = {"color": f"C{place}", "marker": "oD"[place]}
    axes.plot(KS, learnt[name], label=f"{name}, from the release", **look)
    axes.axhline(
        original, color=f"C{place}", linestyle="--", label=f"{name}, from the original"
    )
axes.set_xscale("log")
axes.set_xticks(KS, [str(k) for k in KS])
axes.minorticks_off()
axes.set(
    xlabel="k, people who look alike at least",
    ylabel="R² on records that were never masked",
    ylim=(0, None),
    title="Up to k = 10 models learn about what they learn from the original",
)
axes.legend(loc="lower left")
pyplot.show()

# %%
# Means of cells keep the trends that models look for; what is lost first is detail that
# few people share. The estimators take part in ``GridSearchCV`` like any other.
