"""
Which release keeps my limits?
==============================

Say what must hold, and ``tune`` searches methods, k and parameters for the release that
loses least within it. What it chooses was made and measured, and it says why.
"""

from matplotlib import pyplot

from microcell import tune
from microcell.datasets import load_diabetes_patients

patients = load_diabetes_patients()
tuned = tune(
    patients.frame,
    patients.schema,
    least="loss",
    where=["linkage <= 5%", "k >= 5"],
    methods=["mdav", "mdav-refined", "mondrian"],
    n_candidates=16,
    n_jobs=1,
)
print(tuned.why)

tuned.plot(figure=pyplot.figure())
pyplot.show()

# %%
# The dashed line is the limit, the ring is the choice. Its recipe goes to
# ``apply_recipe``, or to a file for ``microcell anonymize --recipe``:

print(tuned.recipe.to_toml())
