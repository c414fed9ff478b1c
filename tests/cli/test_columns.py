"""Options of single columns on the command line."""

import json

import polars as pl
from commands import run

from microcell.datasets import load_diabetes_patients

COLUMNS = "age,sex,bmi,bp"


def source(folder):
    path = folder / "patients.csv"
    table = load_diabetes_patients().frame.select("age", "sex", "bmi", "bp")
    table.with_columns(w=pl.int_range(pl.len()) % 9 + 1).write_csv(path)
    return path


def test_options_of_columns(tmp_path):
    out, recipe = tmp_path / "o.csv", tmp_path / "r.toml"
    sidecar = tmp_path / "c.json"
    done = run(
        *("anonymize", source(tmp_path), "-k", 5, "-q", COLUMNS, "-i", "w"),
        *("--representative", "age=interval", "--representative", "sex=set"),
        *("--ends", "rounded", "--clip", "bp=:99%", "--clip", "age=20:75"),
        *("--digits", "bmi=1", "--weights", "w", "-o", out),
        *("--write-recipe", recipe, "--certificate", sidecar, "--verbose"),
    )
    assert done.exit_code == 0, done.stderr
    table = pl.read_csv(out)
    assert all(len(v) <= 4 for v in table["bmi"].cast(pl.String))
    assert table["age"].str.starts_with("[").all()
    assert table["sex"].str.starts_with("{").all()
    assert "highest, population" in done.stdout and "'age' is clipped" in done.stdout
    document = json.loads(sidecar.read_text())
    said = document["recipe"]["columns"]
    assert (said["bp"]["clip"], said["age"]["clip"]) == (":99%", "20:75")
    again = tmp_path / "again.csv"
    done = run("anonymize", tmp_path / "patients.csv", "--recipe", recipe, "-o", again)
    assert done.exit_code == 0, done.stderr
    assert again.read_bytes() == out.read_bytes()


def test_errors_name_flags(tmp_path):
    path, out = source(tmp_path), tmp_path / "o.csv"
    common = ("anonymize", path, "-k", 5, "-q", COLUMNS, "--others", "drop", "-o", out)
    done = run(*common, "--representative", "sex=mean")
    assert done.exit_code == 2 and "'mode'" in done.stderr
    done = run(*common, "--ends", "rounded")
    assert done.exit_code == 2 and "--representative" in done.stderr
    done = run(*common, "--representative", "bmi=median", "-m", "random-k-anonymity")
    assert done.exit_code == 2 and "--representative bmi=median" in done.stderr
    done = run(*common, "--clip", "age=90:18")
    assert done.exit_code == 2 and "cross" in done.stderr
    assert not out.exists()


def test_a_column_may_hold_an_equals_sign(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "o.csv"
    pl.DataFrame({"a=b": [1.25, 2.5, 3.0, 9.0, 8.0, 7.0]}).write_csv(path)
    done = run(
        *("anonymize", path, "-k", 3, "-q", "a=b", "-o", out),
        *("--digits", "a=b=0", "--clip", "a=b=2:", "--representative", "a=b=midpoint"),
    )
    assert done.exit_code == 0, done.stderr
    assert set(pl.read_csv(out)["a=b"]) == {2.0, 8.0}
