"""The main job, end to end: 442 real patients to a verified release.

Run by `make demo`; the files go to the folder `demo`.
"""

from pathlib import Path

import polars as pl

from microcell import anonymize
from microcell.datasets import load_diabetes_patients

K = 5
FOLDER = Path("demo")


def main():
    patients = load_diabetes_patients()
    schema = patients.schema
    release = anonymize(patients.frame, schema, k=K)

    FOLDER.mkdir(exist_ok=True)
    paths = {
        "release": FOLDER / "release.csv",
        "certificate": FOLDER / "certificate.json",
        "recipe": FOLDER / "recipe.toml",
        "report": FOLDER / "report.html",
    }
    document = release.save(
        paths["release"],
        certificate=paths["certificate"],
        recipe=paths["recipe"],
        report=paths["report"],
        purpose="To show what a release and its report look like",
        overwrite=True,
    )

    shown = [*schema.quasi_identifiers, "progression"]
    first_cell = release.labels == release.labels[0]
    with pl.Config(tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True):
        print(f"{patients.name}: {patients.frame.height} records")
        print(f"masked: {', '.join(schema.quasi_identifiers)}\n")
        print("before: the records of one cell, as they came")
        print(patients.frame.select(shown).filter(first_cell))
        print("after: the same records, as they are released")
        print(release.table.select(shown).filter(first_cell))
    print(release.summary())
    print(f"read back           {document['file']['records']} records, k verified")
    for name, path in paths.items():
        print(f"{name:<20}{path}")


if __name__ == "__main__":
    main()
