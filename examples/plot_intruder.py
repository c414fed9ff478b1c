"""
What does an intruder gain who knows some columns?
==================================================

Somebody who knows the age and the body mass index of a patient looks for the record
that is nearest. ``subset_linkage_risk`` tries all sets of columns and counts how many
patients are found, before the release and after it.
"""

from matplotlib import pyplot

from microcell import anonymize
from microcell.datasets import load_diabetes_patients
from microcell.metrics import subset_linkage_risk

pyplot.style.use("microcell.report.pictures")

patients = load_diabetes_patients()
known = list(patients.schema.quasi_identifiers)
original = patients.frame.select(known)

axes = pyplot.subplots()[1]
tables = {"original": original}
for k in (3, 10):
    release = anonymize(patients.frame, patients.schema, k=k, method="mdav-refined")
    tables[f"release, k = {k}"] = release.table.select(known)
risks = {}
for place, (name, table) in enumerate(tables.items()):
    risk = subset_linkage_risk(table, original=original, size=len(known))
    risks[name] = risk
    sizes = [each.size for each in risk.by_size]
    worst = [100 * each.worst.linkage for each in risk.by_size]
    mean = [100 * each.mean for each in risk.by_size]
    look = {"color": f"C{place}", "marker": "osD"[place]}
    axes.plot(sizes, worst, label=f"{name}, worst columns", **look)
    axes.plot(sizes, mean, "--", alpha=0.6, label=f"{name}, on average", **look)
axes.set(
    xlabel=f"columns that the intruder knows, of {', '.join(known)}",
    ylabel="patients found by their nearest record, %",
    xticks=sizes,
    title="In the original, two or three columns find most patients",
)
axes.legend(loc="center right", bbox_to_anchor=(1, 0.58))
pyplot.show()

# %%
# The column that adds most to what is found is the one to mask first:

for name, risk in risks.items():
    print(f"{name:<18}{risk.most}")
