"""
What does my release look like at a glance?
===========================================

``release.plot()`` draws the main facts of a release: how many people look alike, what
intruders find who know some columns, and what was lost where. Each part is also a
picture of its own, such as ``release.plot.column("age")``.
"""

from matplotlib import pyplot

from microcell import anonymize
from microcell.datasets import load_diabetes_patients

patients = load_diabetes_patients()
release = anonymize(patients.frame, patients.schema, k=5, method="mdav-refined")
release.plot()
pyplot.show()

# %%
# The same facts in words, and as a page to sign: ``release.report("report.html")``.
# Nothing here or there shows a value that fewer than k people share.

print(release.summary())
