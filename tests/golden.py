"""Releases of today, as hashes to compare a change with: a tool, not a test.

    python tests/golden.py --write before.json          # before a change
    python tests/golden.py --compare before.json        # after it
    python tests/golden.py --compare before.json --only disk

Releases are every data set by every method, and a made table with promises, people,
weights, strata, gaps and all kinds of columns: in memory, and where it can be cut into
shards there, on disk and (with `--spark`) on Spark. A hash is that of the multiset of
released records, with numbers of nine digits, of the findings and of the disclosure.
Hashes hold for one machine and one set of versions: they are never committed.
"""

import argparse
import hashlib
import inspect
import json
import sys
import tempfile
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from microcell import Recipe, Schema, anonymize_file, apply_recipe
from microcell.datasets import DATASETS, available
from microcell.methods import METHODS
from microcell.privacy import LDiversity, TCloseness

MOST_RECORDS = 1_000  # of a data set
LEFT_OUT = ("best", "dp-microaggregation")  # takes minutes; draws anew
SHARDED = ("mdav", "mondrian", "individual-ranking", "vmdav", "pcp")


def cases():
    """Name, table and recipe of each release."""
    for name, load in DATASETS.items():
        if available(name).startswith("needs"):
            continue
        data = load(**seeded(load))
        frame = data.frame.head(MOST_RECORDS)
        schema = Schema(
            [n for n in data.schema.quasi_identifiers if frame[n].null_count() == 0],
            confidential=data.schema.confidential,
            identifiers=data.schema.identifiers,
            others="drop",
        )
        for method in METHODS:
            learns = needs_target(method)
            if method not in LEFT_OUT and (schema.confidential or not learns):
                yield f"{name} {method}", frame, recipe(schema, method, **KEPT)
    frame, schema = people(1_200)
    for name, options in VARIANTS.items():
        roles = options.pop("schema", {})
        own = Schema(**{**schema, **roles})
        yield (
            f"people {name}",
            frame,
            recipe(own, options.pop("method", "mdav"), **options),
        )


def recipe(schema, method, **options):
    """Seeded, with the first confidential column as target where one is needed."""
    options |= seeded(METHODS[method])
    if needs_target(method):
        options["target"] = schema.confidential[0]
    return Recipe(schema, k=5, method=method, **options)


def seeded(function):
    """The argument that makes a function draw the same each time, if it draws."""
    drawn = "random_state" in inspect.signature(function).parameters
    return {"random_state": 0} if drawn else {}


def needs_target(method):
    """Whether a confidential attribute shapes the cells of a method."""
    return method.startswith(("lda", "mdav-sd")) or method.endswith("++")


def people(n):
    """A made table: all kinds of columns, gaps, weights, several records each."""
    rng = np.random.default_rng(7)
    person = rng.integers(0, n // 2, n)
    age = rng.integers(18, 90, n).astype(float)
    frame = pl.DataFrame(
        {
            "person": [f"p{number:05d}" for number in person],
            "age": age,
            "income": rng.lognormal(10, 1, n).round(2),
            "sex": rng.choice(["f", "m"], n),
            "job": rng.choice(["nurse", "cook", "clerk", "judge", "smith"], n),
            "school": rng.choice(["none", "basic", "high"], n),
            "postcode": rng.integers(10_000, 99_999, n).astype(str),
            "born": pl.Series(rng.integers(-7_000, 12_000, n).astype("int32")).cast(
                pl.Date
            ),
            "region": rng.choice(["north", "south", "west"], n),
            "ward": np.where(person % 3, "a", "b"),
            "weight": rng.uniform(1, 2, n).round(3),
            "ill": rng.choice(["flu", "gout", "asthma", "none"], n),
            "cost": rng.integers(100, 120, n),
        }
    )
    known = pl.Series(rng.random(n) > 0.05)
    measured = pl.Series(rng.normal(size=n).round(2))
    frame = frame.with_columns(gappy=pl.when(known).then(measured))
    schema = {
        "quasi_identifiers": ["age", "sex", "job"],
        "identifiers": "person",
        "confidential": ["ill", "cost"],
        "others": "drop",
        "kinds": {},
    }
    return frame, schema


KEPT = {"unit": "records"}
WITH_GAPS = {"quasi_identifiers": ["age", "gappy", "sex"]}
VARIANTS = {
    "records": KEPT,
    "unit": {"unit": "person"},
    "unit apart": {"unit": "person", "unit_records": "apart"},
    "default": {"method": "mdav-refined", **KEPT},
    "l-diversity": {"promises": [LDiversity(2, column="ill")], **KEPT},
    "t-closeness": {"promises": [TCloseness(0.3, column="cost")], **KEPT},
    "unit l-diversity": {"promises": [LDiversity(2, column="ill")], "unit": "person"},
    "strata": {"strata": ["region"], "schema": {"others": ["region", "drop"]}, **KEPT},
    "weights": {"weights": "weight", **KEPT},
    "unit strata": {
        "strata": ["ward"],
        "schema": {"others": ["ward", "drop"]},
        "unit": "person",
    },
    "prefix and dates": {
        "schema": {
            "quasi_identifiers": ["postcode", "born", "school"],
            "kinds": {
                "postcode": "prefix",
                "born": "date",
                "school": ["none", "basic", "high"],
            },
        },
        **KEPT,
    },
    "clip and digits": {"clip": {"age": "20:80"}, "digits": {"age": 0}, **KEPT},
    "intervals": {"representatives": {"age": "interval"}, "ends": "rounded", **KEPT},
    "sets": {"representatives": {"job": "set"}, **KEPT},
    "medians": {"aggregate": "median", "importance": {"age": 3.0}, **KEPT},
    "rare": {"rare": "merge", "rare_below": 260, **KEPT},
    "missing category": {"missing": "category", "schema": WITH_GAPS, **KEPT},
    "missing drop": {"missing": "drop", "schema": WITH_GAPS, **KEPT},
    "missing impute": {"missing": "impute", "schema": WITH_GAPS, **KEPT},
    "missing ignore": {"missing": "ignore", "schema": WITH_GAPS, **KEPT},
}


def digest(frame, release):
    """Hash of the multiset of records, of the findings and of what is given away."""
    texts = frame.select(pl.all().map_batches(_as_text, return_dtype=pl.String))
    rows = sorted("\x1f".join(row) for row in texts.iter_rows())
    said = [str(finding) for finding in release.findings]
    given = {
        name: {measure: f"{score:.9g}" for measure, score in scores.items()}
        for name, scores in release.disclosure.items()
    }
    everything = json.dumps([rows, said, given], sort_keys=True, default=str)
    return hashlib.sha256(everything.encode()).hexdigest()[:20]


def _as_text(column):
    if column.dtype.is_numeric():
        return pl.Series([f"{float(v):.9g}" if v is not None else "" for v in column])
    return column.cast(pl.String).fill_null("")


def released(engine, frame, recipe, folder):
    """The released records and what is known of them, by one engine."""
    if engine == "memory":
        release = apply_recipe(frame, recipe)
        return pl.DataFrame(release.table), release
    if engine == "shards":
        release = apply_recipe(frame, recipe, engine="memory")
        return pl.DataFrame(release.table), release
    source, target = folder / "table.parquet", folder / "release"
    frame.write_parquet(source)
    found = anonymize_file(source, recipe, target, engine=engine, overwrite=True)
    return pl.read_parquet(f"{target}/*.parquet"), found.release


def engines_of(name, recipe, spark):
    """Which engines a release is made on."""
    yield "memory"
    if name.startswith("people") or recipe.method in SHARDED:
        yield "shards"
        yield "disk"
        if spark and name.startswith("people"):
            yield "spark"


def run(only, spark):
    """Hash, or the class of the error, of each release."""
    found = {}
    for name, frame, plain in cases():
        for engine in engines_of(name, plain, spark):
            title = f"{engine}: {name}"
            if only not in title:
                continue
            settings = plain if engine == "memory" else replace(plain, shard=400)
            with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    found[title] = digest(
                        *released(engine, frame, settings, Path(folder))
                    )
                except Exception as error:
                    found[title] = f"{type(error).__name__}: {str(error)[:60]}"
            print(title, found[title], flush=True)
    return found


def main():
    """Write hashes, or compare them and end with 1 where one differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path)
    parser.add_argument("--compare", type=Path)
    parser.add_argument("--only", default="", help="part of a title")
    parser.add_argument("--spark", action="store_true")
    options = parser.parse_args()
    began = time.process_time()
    found = run(options.only, options.spark)
    print(f"{len(found)} releases, {time.process_time() - began:.0f} processor seconds")
    if options.write:
        options.write.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    if options.compare:
        before = json.loads(options.compare.read_text())
        before = {name: h for name, h in before.items() if options.only in name}
        other = sorted(
            name for name in before | found if before.get(name) != found.get(name)
        )
        for name in other:
            print(f"{name}: was {before.get(name)}, is {found.get(name)}")
        print(f"{len(other)} of {len(before)} differ")
        sys.exit(bool(other))


if __name__ == "__main__":
    main()
