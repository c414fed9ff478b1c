"""Several promises on one release: enforced together, verified on table and file."""

import json

import numpy as np
import polars as pl
import pytest
from commands import run

from microcell import Schema, anonymize
from microcell.exceptions import InputError
from microcell.privacy import (
    AlphaAnonymity,
    BetaLikeness,
    DeltaPresence,
    EntropyLDiversity,
    KMap,
    LDiversity,
    RecursiveDiversity,
    TCloseness,
)
from microcell.release import check_file


def hospital(n=300):
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 90, n),
            "sex": rng.choice(["f", "m"], n),
            "ward": rng.choice(["a", "b", "c"], n),
            "ill": rng.choice(["flu", "gout", "hiv"], n, p=[0.6, 0.3, 0.1]),
            "pay": rng.integers(1000, 9000, n),
        }
    )


SCHEMA = Schema(["age", "sex", "ward"], confidential=["ill", "pay"])
PROMISES = [
    LDiversity(2),
    EntropyLDiversity(1.5, "ill"),
    RecursiveDiversity(4, 2, "ill"),
    TCloseness(0.2, "pay"),
    TCloseness(0.3, "ill"),
    AlphaAnonymity(0.8, "ill"),
    AlphaAnonymity(0.3, "ill", "hiv"),
    BetaLikeness(2, "ill"),
    LDiversity(3, ("ill", "pay")),
]


@pytest.mark.parametrize("method", ["mdav", "vmdav", "mondrian"])
def test_all_of_them_hold_in_memory_and_in_the_file(method, tmp_path):
    table = hospital()
    release = anonymize(table, SCHEMA, k=4, method=method, promises=PROMISES)
    assert all(finding.holds for finding in release.findings)
    named = {finding.promise for finding in release.findings}
    assert {"t-closeness of pay (ordered)", "l-diversity of ill and pay"} <= named
    document = release.save(tmp_path / "o.csv", recipe=tmp_path / "r.toml")
    assert all(finding["holds"] for finding in document["findings"])
    check = check_file(tmp_path / "o.csv", recipe=tmp_path / "r.toml")
    assert check.holds and len(check.findings) == len(release.findings)


def test_the_command_line_checks_any_table(tmp_path):
    path = tmp_path / "t.csv"
    pl.DataFrame({"age": [3, 3, 4, 4], "pay": [9, 10, 100, 11]}).write_csv(path)
    columns = ["-q", "age", "-c", "pay"]
    given = ["check", str(path), *columns, "--promise"]
    good = run(*given, "t-closeness=0.4", "--json")
    assert good.exit_code == 0, good.output
    finding = json.loads(good.output)["findings"][-1]
    assert finding["promise"] == "t-closeness of pay (ordered)"
    assert finding["found"] == pytest.approx(1 / 3)
    assert run(*given, "t-closeness=0.3").exit_code == 3
    both = '{"c": 2, "l": 2}'
    assert run(*given, f"recursive-cl-diversity={both}").exit_code == 0


def test_a_population_is_verified_and_not_enforced(tmp_path):
    table = hospital(60)
    schema = Schema(["age"], confidential="ill", others="drop")
    people = pl.concat([table] * 3)
    given = {"k": 3, "aggregate": "interval"}
    release = anonymize(table, schema, promises=KMap(9, people), **given)
    assert release.findings[-1].found >= 9
    release = anonymize(table, schema, promises=DeltaPresence(0.34, people), **given)
    assert release.findings[-1].holds


def test_what_cannot_hold_is_said_with_the_share_that_forbids_it():
    table = hospital().with_columns(ill=pl.Series(["flu"] * 290 + ["hiv"] * 10))
    with pytest.raises(InputError, match=r"290 of them \(96\.67 %\)") as caught:
        anonymize(table, SCHEMA, k=4, promises=AlphaAnonymity(0.5, "ill"))
    assert caught.value.column == "ill" and "hiv" not in str(caught.value)
