"""Seeds of random methods on the command line."""

import json

from commands import run

from microcell.datasets import load_diabetes_patients


def test_a_seed_repeats_the_noise_and_is_in_the_recipe_alone(tmp_path):
    table = tmp_path / "t.csv"
    load_diabetes_patients().frame.write_csv(table)
    roles = ["-k", 5, "-q", "age,bmi", "--others", "drop", "-m", "random-aggregation"]
    outs = [tmp_path / f"{i}.csv" for i in range(4)]
    sidecars = [
        "--certificate",
        tmp_path / "c.json",
        "--write-recipe",
        tmp_path / "r.toml",
    ]
    done = run("anonymize", table, *roles, "--seed", 7, "-o", outs[0], *sidecars)
    assert done.exit_code == 0, done.stderr
    assert (
        "cells of at least k: promised 5, found 5 (counted on the cells)" in done.stdout
    )
    assert "k-anonymity: promised" not in done.stdout
    recipe = (tmp_path / "r.toml").read_text()
    assert "seed = 7" in recipe and "can undo the noise" in recipe
    assert (
        "seed" not in json.loads((tmp_path / "c.json").read_text())["recipe"]["method"]
    )
    assert (
        run(
            "anonymize", table, "--recipe", tmp_path / "r.toml", "-o", outs[1]
        ).exit_code
        == 0
    )
    for out in outs[2:]:
        assert run("anonymize", table, *roles, "-o", out).exit_code == 0
    contents = [out.read_bytes() for out in outs]
    assert contents[0] == contents[1]
    assert len(set(contents)) == 3


def test_a_seed_for_a_method_without_noise_is_refused(tmp_path):
    table = tmp_path / "t.csv"
    load_diabetes_patients().frame.write_csv(table)
    roles = ["-k", 5, "-q", "age", "--others", "drop", "-o", tmp_path / "o.csv"]
    done = run("anonymize", table, *roles, "--seed", 7)
    assert done.exit_code == 2 and "draws no random numbers" in done.stderr
