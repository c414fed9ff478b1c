"""
Which release keeps my limits?
==============================

Say what must hold, and ``tune`` searches methods, k and parameters for the release that
loses least within it. What it chooses was made and measured, and it says why.
"""

from textwrap import fill

from matplotlib import pyplot

from microcell import apply_recipe, tune
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
tuned.plot(figure=pyplot.figure())
pyplot.show()

# %%
# The dashed line is the limit, the ring is the choice. It is explained in a sentence,
# and its recipe makes the release; ``tuned.recipe.to_toml()`` is the same for the
# command line.

print(fill(tuned.why, 80))
release = apply_recipe(patients.frame, tuned.recipe)
print(release.findings[0])
