"""What one release passes through: functions, modules and changes of package.

    python tools/roads.py

Five roads of the same made table: an array, a dataframe, a CSV file, a folder on disk,
and a job of the app. A change of package is a call from one package of the library
into another; what is said is that of one thread, and of the library's own functions.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl

import microcell
from microcell import Recipe, Schema, anonymize, anonymize_file

PACKAGE = Path(microcell.__file__).parent
N_RECORDS = 300


def table():
    """A small table of three quasi-identifiers and a confidential column."""
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, N_RECORDS),
            "sex": rng.choice(["f", "m"], N_RECORDS),
            "height": rng.normal(170, 10, N_RECORDS).round(1),
            "ill": rng.choice(["flu", "gout", "none"], N_RECORDS),
        }
    )


def roads(folder):
    """Name and call of each road."""
    frame = table()
    schema = Schema(["age", "sex", "height"], confidential="ill")
    recipe = Recipe(schema, k=5, method="mdav", unit="records")
    frame.write_csv(folder / "table.csv")
    frame.write_parquet(folder / "table.parquet")
    X = frame.select("age", "height").to_numpy().astype(float)

    yield "array", lambda: microcell.methods.mdav(5).fit_transform(X)
    yield (
        "dataframe",
        lambda: anonymize(frame, schema, k=5, method="mdav", unit="records"),
    )
    yield (
        "CSV file",
        lambda: anonymize_file(
            folder / "table.csv", recipe, folder / "released.csv", overwrite=True
        ),
    )
    yield (
        "folder on disk",
        lambda: anonymize_file(
            folder / "table.parquet",
            recipe,
            folder / "released",
            engine="disk",
            overwrite=True,
        ),
    )
    yield "app", lambda: job_of_the_app(folder, schema)


def job_of_the_app(folder, schema):
    """What a worker of the app does for one release with its report."""
    from microcell.app._tasks import release

    made = folder / "of_app"
    made.mkdir(exist_ok=True)
    for file in made.iterdir():
        file.unlink()
    roles = {
        "quasi_identifiers": list(schema.quasi_identifiers),
        "confidential": list(schema.confidential),
    }
    request = {
        "path": str(folder / "table.csv"),
        "folder": str(made),
        "stem": "released",
        "format": "csv",
        "entries": roles | {"k": 5, "method": "mdav", "unit": "records"},
    }
    release(request, lambda _: None)


def package_of(module):
    """The package of a module; the library's own files are one."""
    parts = Path(module).relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else "."


def traced(call):
    """Functions, modules and changes of package of a call."""
    functions, changes = set(), Counter()

    def follow(frame, event, _):
        if event != "call" or not frame.f_code.co_filename.startswith(str(PACKAGE)):
            return
        if frame.f_code.co_name.startswith("<"):
            return
        own = frame.f_code.co_filename
        functions.add((own, frame.f_code.co_qualname))
        caller = frame.f_back
        while caller and not caller.f_code.co_filename.startswith(str(PACKAGE)):
            caller = caller.f_back
        if caller is not None:
            pair = package_of(caller.f_code.co_filename), package_of(own)
            changes[pair] += pair[0] != pair[1]

    sys.setprofile(follow)
    try:
        call()
    finally:
        sys.setprofile(None)
    modules = {own for own, _ in functions}
    between = sum(count > 0 for count in changes.values())
    return len(functions), len(modules), between, sum(changes.values())


def main():
    """Print a line for each road; each is taken once before it is followed."""
    print("road | functions | modules | pairs of packages | changes of package")
    with tempfile.TemporaryDirectory() as folder:
        for name, call in roads(Path(folder)):
            call()
            print(name, *traced(call), sep=" | ", flush=True)


if __name__ == "__main__":
    main()
