import json
import os
import signal
import subprocess
import sys
import time

import polars as pl
import pyarrow as pa
import pytest
from commands import run

from microcell.datasets import fetch_adult, load_diabetes_patients
from microcell.methods import METHODS

QUASI = "age,sex,bmi,bp"
BLOOD = "progression,s1,s2,s3,s4,s5,s6"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "patients.csv"
    load_diabetes_patients().frame.write_csv(path)
    return path


def test_csv_to_csv(table, tmp_path):
    out, sidecar = tmp_path / "out.csv", tmp_path / "c.json"
    done = run(
        "anonymize", table, "-k", 5, "-q", QUASI, "-c", BLOOD, "-o", out,
        "--certificate", sidecar, "--write-recipe", tmp_path / "r.toml",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert "k-anonymity: promised 5, found 5" in done.stdout
    original, released = pl.read_csv(table), pl.read_csv(out)
    assert released.columns == original.columns
    confidential = original[BLOOD.split(",")]
    unchanged = released[confidential.columns]
    assert unchanged.sort(pl.all()).equals(confidential.sort(pl.all()))
    assert not unchanged.equals(confidential)  # the order of the source is not in it
    assert released.group_by(QUASI.split(",")).len()["len"].min() >= 5
    assert json.loads(sidecar.read_text())["file"]["name"] == "out.csv"

    again = tmp_path / "again.csv"
    done = run("anonymize", table, "--recipe", tmp_path / "r.toml", "-o", again)
    assert done.exit_code == 0, done.stderr
    assert again.read_bytes() == out.read_bytes()


def test_roles_repeat_or_take_a_list(table, tmp_path):
    outs = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for out, roles in zip(
        outs, [["-q", "age,bmi"], ["-q", "age", "-q", "bmi"]], strict=True
    ):
        arguments = [*roles, "--others", "drop", "--strata", "sex", "-o", out]
        assert run("anonymize", table, "-k", 5, *arguments).exit_code == 0
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert pl.read_csv(outs[0]).columns == ["age", "bmi"]


def test_strata_may_be_masked_columns_too(table, tmp_path):
    out = tmp_path / "out.csv"
    arguments = ["-q", QUASI, "--others", "drop", "--strata", "sex", "-o", out]
    done = run("anonymize", table, "-k", 5, *arguments)
    assert done.exit_code == 0, done.stderr
    assert pl.read_csv(out)["sex"].sort().equals(pl.read_csv(table)["sex"].sort())


def test_options_replace_entries_of_the_recipe(table, tmp_path):
    recipe = tmp_path / "r.toml"
    recipe.write_text(
        "[roles]\nquasi_identifiers=['age']\nothers='drop'\n[method]\nk=9"
    )
    out = tmp_path / "out.csv"
    done = run("anonymize", table, "--recipe", recipe, "-k", 4, "-o", out, "--json")
    document = json.loads(done.stdout)
    assert document["recipe"]["method"]["k"] == 4
    assert document["recipe"]["roles"]["quasi_identifiers"] == ["age"]


def test_parquet_gets_types(table, tmp_path):
    out = tmp_path / "out.parquet"
    arguments = ["-k", 5, "-q", QUASI, "--others", "keep", "-m", "vmdav"]
    done = run("anonymize", table, *arguments, "-p", "gamma=0.9", "-o", out)
    assert done.exit_code == 0, done.stderr
    released = pl.read_parquet(out)
    assert released["s1"].dtype == pl.Float64
    assert released["sex"].dtype == pl.Int64
    assert run("check", out, "-q", QUASI, "-k", 5).exit_code == 0


def test_others_by_name(table, tmp_path):
    out = tmp_path / "out.csv"
    arguments = ["-k", 5, "-q", "age", "-i", "sex,bmi,bp", "-c", "progression"]
    arguments += ["--unit", "records"]
    done = run("anonymize", table, *arguments, "--others", "s1,s2", "-o", out)
    assert done.exit_code == 2 and "['s3', 's4', 's5', 's6']" in done.stderr
    done = run(
        "anonymize", table, *arguments, "--others", "s1,s2,s3,s4,s5,s6", "-o", out
    )
    assert done.exit_code == 0, done.stderr


def test_check(table):
    done = run("check", table, "-q", "age", "-q", "sex")
    assert done.exit_code == 0 and "k                   1" in done.stdout
    done = run("check", table, "-q", "age,sex", "-k", 2, "--json")
    result = json.loads(done.stdout)
    assert done.exit_code == 3
    assert result["k"] == 1 and not result["holds"] and result["records_failing"] > 0
    assert {"size", "classes", "records"} == set(result["worst"][0])


def test_measure(table, tmp_path):
    out = tmp_path / "out.csv"
    done = run(
        "anonymize",
        table,
        "-k",
        5,
        "-q",
        QUASI,
        "--others",
        "drop",
        "--order",
        "keep",
        "-o",
        out,
        "--json",
    )
    measured = run("measure", table, out, "-q", QUASI, "--json")
    assert measured.exit_code == 0, measured.stderr
    assert json.loads(measured.stdout) == json.loads(done.stdout)["scores"]
    assert "information loss" in run("measure", table, out, "-q", QUASI).stdout


def test_measure_text_codes_and_intervals(tmp_path):
    """02139 makes the column text; a release without it must stay text."""
    table, out = tmp_path / "t.csv", tmp_path / "o.csv"
    codes = ["90210"] * 5 + ["10001"] * 5 + ["02139"]
    rows = [f"{code},{20 + i}" for i, code in enumerate(codes)]
    table.write_text("zip,age\n" + "\n".join(rows) + "\n")
    for options in ([], ["--aggregate", "interval"]):
        done = run(
            "anonymize", table, "-k", 4, "-q", "zip,age", "-o", out, "--overwrite",
            "--json", "--order", "keep", *options,
        )  # fmt: skip
        assert done.exit_code == 0, done.stderr
        measured = run("measure", table, out, "-q", "zip,age", "--json")
        assert measured.exit_code == 0, measured.stderr
        assert json.loads(measured.stdout) == json.loads(done.stdout)["scores"]


def test_marks_of_missing_values_are_in_the_recipe(tmp_path):
    table, recipe = tmp_path / "t.csv", tmp_path / "r.toml"
    table.write_text("job\n" + "cook\n" * 4 + "?\n" * 3)
    marks = ["--missing-mark", "?", "--missing", "drop", "--write-recipe", recipe]
    outs = [tmp_path / "a.csv", tmp_path / "b.csv"]
    assert (
        run("anonymize", table, "-k", 2, "-q", "job", "-o", outs[0], *marks).exit_code
        == 0
    )
    assert run("anonymize", table, "--recipe", recipe, "-o", outs[1]).exit_code == 0
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_as_is_columns_survive_in_parquet(tmp_path):
    table, out = tmp_path / "t.csv", tmp_path / "o.parquet"
    table.write_text("age,note,born\n1,NA,2023-02-29\n2,null,2023-01-01\n3,x,\n")
    done = run("anonymize", table, "-k", 3, "-q", "age", "--others", "keep", "-o", out)
    assert done.exit_code == 0, done.stderr
    released = pl.read_parquet(out)
    assert released["note"].to_list() == ["NA", "null", "x"]
    assert released["born"].to_list() == ["2023-02-29", "2023-01-01", None]


def test_weak_promises_are_not_called_verified(table, tmp_path):
    out = tmp_path / "o.csv"
    options = ["-m", "individual-ranking", "--others", "drop"]
    done = run("anonymize", table, "-k", 5, "-q", QUASI, *options, "-o", out)
    assert done.exit_code == 0
    assert "counted in file     k of the whole table: found 1" in done.stdout
    done = run(
        "anonymize", table, "-k", 5, "-q", QUASI, *options, "-o", out, "--overwrite",
        "--json",
    )  # fmt: skip
    assert json.loads(done.stdout)["findings"][-1]["holds"] is None


def test_strata_of_numbers_stay_numbers(tmp_path):
    table, out = tmp_path / "t.csv", tmp_path / "o.csv"
    years = [2000, 2001, 2002]
    table.write_text("age,year\n" + "".join(f"{i},{y}\n" for i, y in enumerate(years)))
    done = run(
        "anonymize", table, "-k", 3, "-q", "age,year", "--strata", "year",
        "--small-strata", "merge", "-o", out,
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert pl.read_csv(out)["year"].to_list() == [2001.0] * 3


def test_options_that_a_format_does_not_have(table, tmp_path):
    out = tmp_path / "o.parquet"
    assert run("anonymize", table, "-k", 5, *ROLES, "-o", out).exit_code == 0
    done = run("check", out, "-q", QUASI, "--delimiter", ";")
    assert done.exit_code == 2 and "no delimiter" in done.stderr
    done = run("check", table, "-q", QUASI, "--delimiter", "")
    assert done.exit_code == 2 and "one character" in done.stderr


def test_lists_cannot_be_text(tmp_path):
    table = tmp_path / "t.parquet"
    pl.DataFrame({"age": [1, 2], "tags": [["a"], ["b"]]}).write_parquet(table)
    arguments = ["-k", 2, "-q", "age", "--others", "keep"]
    done = run("anonymize", table, *arguments, "-o", tmp_path / "o.csv")
    assert done.exit_code == 2 and "['tags']" in done.stderr
    assert not (tmp_path / "o.csv").exists()
    done = run("anonymize", table, *arguments, "-o", tmp_path / "o.parquet")
    assert done.exit_code == 0


def test_a_reader_that_leaves_early_is_no_error(table, tmp_path):
    command = (
        f"{sys.executable} -m microcell anonymize {table} -k 5 -q {QUASI} "
        f"--others drop -o {tmp_path}/o.csv | true; exit ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""
    assert (tmp_path / "o.csv").exists()


def test_an_open_quote_publishes_nobody(tmp_path):
    table, out = tmp_path / "t.csv", tmp_path / "o.csv"
    rows = "".join(f"N{i},{20 + i},flu\n" for i in range(9))
    table.write_text(f'name,age,diag\n{rows}Bob,32,"flu\nSECRET1,21,hiv\n')
    done = run(
        "anonymize", table, "-k", 3, "-q", "age", "-i", "name", "-c", "diag", "-o", out
    )
    assert done.exit_code == 2 and "quote does not close" in done.stderr
    assert "SECRET1" not in done.stderr and not out.exists()


@pytest.mark.slow
def test_a_full_disk_under_the_summary(table, tmp_path):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "microcell", "anonymize", str(table), "-k", "5",
             *ROLES, "-o", str(tmp_path / "o.csv")],
            stdout=full, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert done.returncode == 0 and (tmp_path / "o.csv").exists()


def test_names_with_an_equals_sign(tmp_path):
    table, out = tmp_path / "t.csv", tmp_path / "o.csv"
    table.write_text("e=f\n1\n2\n3\n")
    done = run(
        "anonymize", table, "-k", 3, "-q", "e=f", "--kind", "e=f=nominal", "-o", out
    )
    assert done.exit_code == 0, done.stderr
    assert "e=f (nominal)" in done.stdout


@pytest.mark.parametrize("value", ["7e160", "7e306"])
def test_values_too_large_to_square(value, tmp_path):
    table, out = tmp_path / "t.csv", tmp_path / "o.csv"
    table.write_text(f"age\n1\n2\n{value}\n")
    done = run("anonymize", table, "-k", 3, "-q", "age", "-o", out)
    assert done.exit_code == 2 and "'age' holds values beyond" in done.stderr


def test_methods_that_use_a_confidential_column(table, tmp_path):
    gaussians, out = tmp_path / "g.csv", tmp_path / "o.csv"
    assert run("datasets", "two-gaussians", "-o", gaussians).exit_code == 0
    for method in ("lda-mdav", "mdav-sd"):
        done = run(
            "anonymize", gaussians, "-k", 10, "-q", "x1,x2", "-c", "y", "-m", method,
            "-o", out, "--overwrite", "--json",
        )  # fmt: skip
        assert done.exit_code == 0, done.stderr
        assert json.loads(done.stdout)["recipe"]["method"]["target"] == "y"
    roles = ["-k", 5, "-q", "age,bmi", "-o", tmp_path / "p.csv", "--others", "drop"]
    roles.append("--overwrite")
    done = run("anonymize", table, *roles, "-c", "progression", "-m", "lda-mdav")
    assert done.exit_code == 2 and "LDA needs classes" in done.stderr
    done = run("anonymize", table, *roles, "-c", "progression", "-m", "mdav-sd")
    assert done.exit_code == 0, done.stderr
    done = run("anonymize", table, *roles, "-c", "progression,s1", "-m", "mdav-sd")
    assert done.exit_code == 2 and "as target" in done.stderr
    done = run("anonymize", table, *roles, "-c", "s1", "--target", "s1")
    assert done.exit_code == 2 and "does not use" in done.stderr


def test_lists(tmp_path):
    assert [row["name"] for row in json.loads(run("methods", "--json").stdout)] == list(
        METHODS
    )
    assert "vmdav" in run("methods").stdout
    assert "diabetes-patients" in run("datasets").stdout
    assert any(
        row["name"] == "adult" for row in json.loads(run("datasets", "--json").stdout)
    )
    out = tmp_path / "d.csv"
    assert run("datasets", "two-gaussians", "-o", out).exit_code == 0
    assert pl.read_csv(out).height == 1000
    assert "confidential" in run("datasets", "two-gaussians").stdout
    assert run("datasets", "nothing").exit_code == 2
    assert run("datasets", "-o", out).exit_code == 2
    assert "microcell 0" in run("--version").stdout


BAD_FILES = {
    "not a CSV": (b"\x89PNG\r\n\x1a\n\0\0", "is not text"),
    "empty": (b"", "is empty"),
    "header only": (b"age,sex\n", "no records"),
    "ragged": (b"age,sex\n1,f\n2\n3,m\n", "line 3"),
    "repeated names": (b"age,age\n1,2\n3,4\n", "repeated column names"),
    "NaN": (b"age,sex\n1,f\nNaN,m\n3,f\n", "'age' (1)"),
    "infinity": (b"age,sex\n1,f\ninf,m\n3,f\n", "'age' looks like numbers but holds"),
}


@pytest.mark.parametrize(("contents", "message"), BAD_FILES.values(), ids=BAD_FILES)
def test_bad_files(contents, message, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(contents)
    done = run(
        "anonymize", path, "-k", 2, "-q", "age", "--others", "keep",
        "-o", tmp_path / "o.csv",
    )  # fmt: skip
    assert done.exit_code == 2
    assert message in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.csv"]


ROLES = ["-q", QUASI, "-c", BLOOD]
BAD_CALLS = {
    "no quasi-identifier": (["-k", 5, "-c", BLOOD], "no quasi-identifier"),
    "absent column": (["-k", 5, "-q", "agee", "-c", BLOOD], "Did you mean 'age'?"),
    "two roles": (["-k", 5, *ROLES, "-i", "age"], "in two roles"),
    "no role": (["-k", 5, "-q", "age"], "--others drop"),
    "k = 0": (["-k", 0, *ROLES], "must be an integer >= 2. Got 0"),
    "k = 1": (["-k", 1, *ROLES], "must be an integer >= 2. Got 1"),
    "k = -3": (["-k", -3, *ROLES], "must be an integer >= 2. Got -3"),
    "k = 2.5": (["-k", 2.5, *ROLES], "2.5"),
    "k = five": (["-k", "five", *ROLES], "five"),
    "k > n": (["-k", 443, *ROLES], "442 record(s) to release, fewer than k=443"),
    "no k": (ROLES, "k is missing"),
    "text declared numeric": (
        ["-k", 5, "-q", "name", "--others", "drop", "--kind", "name=numeric"],
        "is declared numeric but holds a value of the pattern 'a9' in record 1",
    ),
    "unknown method": (["-k", 5, *ROLES, "-m", "magic"], "must be one of"),
    "unknown parameter": (["-k", 5, *ROLES, "-p", "gamma=1"], "no parameter 'gamma'"),
    "bad parameter": (["-k", 5, *ROLES, "-p", "gamma"], "NAME=VALUE"),
    "bad kind": (["-k", 5, *ROLES, "--kind", "age"], "NAME=KIND"),
    "unknown strata": (["-k", 5, *ROLES, "--strata", "ward"], "'ward'"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD_CALLS.values(), ids=BAD_CALLS)
def test_bad_calls(arguments, message, table, tmp_path):
    if "name=numeric" in arguments:
        frame = pl.read_csv(table)
        names = pl.Series("name", [f"p{i}" for i in range(frame.height)])
        frame.with_columns(names).write_csv(table)
    done = run("anonymize", table, *arguments, "-o", tmp_path / "o.csv")
    assert done.exit_code == 2
    assert message in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["patients.csv"]


def test_bad_paths(table, tmp_path):
    roles = ["-k", 5, *ROLES]
    done = run("anonymize", tmp_path / "absent.csv", *roles, "-o", tmp_path / "o.csv")
    assert done.exit_code == 2 and "There is no file" in done.stderr
    done = run("anonymize", table, *roles, "-o", tmp_path / "absent" / "o.csv")
    assert done.exit_code == 2 and "does not exist" in done.stderr
    for overwrite in ([], ["--overwrite"]):
        done = run("anonymize", table, *roles, "-o", table, *overwrite)
        assert done.exit_code == 2 and "is also an input" in done.stderr
    link = tmp_path / "link.csv"
    link.symlink_to(table)
    done = run("anonymize", table, *roles, "-o", link, "--overwrite")
    assert done.exit_code == 2 and "is also an input" in done.stderr
    link.unlink()
    out = tmp_path / "o.csv"
    out.write_text("precious")
    done = run("anonymize", table, *roles, "-o", out)
    assert done.exit_code == 2 and "--overwrite" in done.stderr
    assert out.read_text() == "precious"
    assert run("anonymize", table, *roles, "-o", out, "--overwrite").exit_code == 0
    done = run("anonymize", table, *roles, "-o", tmp_path / "o.doc")
    assert done.exit_code == 2 and ".parquet" in done.stderr
    done = run(
        "anonymize", table, *roles, "-o", tmp_path / "n.csv",
        "--certificate", tmp_path / "n.csv",
    )  # fmt: skip
    assert done.exit_code == 2 and "same file" in done.stderr


def test_bad_recipe(table, tmp_path):
    recipe = tmp_path / "r.toml"
    recipe.write_text("[method]\nkk = 5\n")
    done = run("anonymize", table, "--recipe", recipe, "-o", tmp_path / "o.csv")
    assert done.exit_code == 2 and "no key 'kk'. Did you mean 'k'?" in done.stderr
    assert not (tmp_path / "o.csv").exists()


def test_raw_errors_become_one_line(table, tmp_path, monkeypatch):
    out, loop = tmp_path / "o.csv", tmp_path / "loop.csv"
    loop.symlink_to(loop)
    (tmp_path / "deep.toml").write_text("a = " + "[" * 20000)
    calls = {
        ("-o", loop): "leads to itself",
        ("-o", out, "--certificate", loop): "leads to itself",
        ("-o", out, "--recipe", tmp_path / "nowhere.toml"): "no recipe",
        ("-o", out, "--recipe", tmp_path): "is a folder",
        ("-o", out, "--recipe", tmp_path / "deep.toml"): "nested too deeply",
        ("-o", out, "--encoding", "rot13"): "no text encoding 'rot13'",
    }
    for arguments, message in calls.items():
        done = run("anonymize", table, "-k", 5, *ROLES, *arguments)
        assert done.exit_code == 2 and message in done.stderr
        assert done.stderr.count("\n") == 1

    def refused(path, **options):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("microcell.release._sources.read_source", refused)
    done = run("check", table, "-q", "age")
    assert done.exit_code == 2 and "patients.csv: permission denied." in done.stderr


def test_errors_of_libraries_show_no_value(table, monkeypatch):
    def strict(*paths, **options):
        pl.Series("age", ["31", "John Smith"]).cast(pl.Int64)

    def strict_too(*paths, **options):  # its error is a ValueError
        pa.array(["31", "John Smith"]).cast(pa.int64())

    monkeypatch.setattr("microcell.release._sources.read_source", strict_too)
    done = run("check", table, "-q", "age")
    assert done.exit_code == 2 and "John" not in done.stderr
    assert "ArrowInvalid of pyarrow" in done.stderr
    monkeypatch.setattr("microcell.release._sources.read_source", strict)
    done = run("check", table, "-q", "age")
    assert done.exit_code == 2
    assert "John" not in done.stderr and "in column 'age'" in done.stderr


def test_a_file_without_a_header_shows_no_record(tmp_path):
    table, out = tmp_path / "t.csv", tmp_path / "o.csv"
    table.write_text("John Smith,35,flu\nAnn Lee,41,flu\nBob Ray,29,hiv\n")
    done = run("anonymize", table, "-k", 2, "-q", "age", "-o", out)
    assert done.exit_code == 2
    assert "looks like a record" in done.stderr
    assert "(pattern Aaaa Aaaaa, 99, aaa)" in done.stderr
    said = done.stderr.replace(str(table), "")  # whose folder may have a number
    for value in ("John", "Smith", "35", "flu"):
        assert value not in said


def test_a_failed_promise_exits_with_3(table, tmp_path, monkeypatch):
    import microcell.columns._prepared as module

    honest = module.Prepared.restore

    def careless(self, X_released, *shown):
        spoiled = X_released.copy()
        spoiled[0, 0] += 1
        return honest(self, spoiled)

    monkeypatch.setattr(module.Prepared, "restore", careless)
    out = tmp_path / "o.csv"
    done = run("anonymize", table, "-k", 5, *ROLES, "-o", out)
    assert done.exit_code == 3
    assert "withheld" in done.stderr and "Nothing was written" in done.stderr
    assert not out.exists()


SLOW = """
import sys, time
import microcell.io, microcell.cli

def slow_sha256(path):
    print("staged", flush=True)
    time.sleep(60)

microcell.io.sha256 = slow_sha256
microcell.cli.main()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)],
)
def test_an_interrupted_run_leaves_nothing(number, code, table, tmp_path):
    """Even after the whole file was written, and even if the process is killed."""
    out = tmp_path / "out"
    out.mkdir()
    arguments = ["anonymize", table, "-k", 5, *ROLES, "-o", out / "o.csv"]
    arguments += ["-m", "mdav"]  # a search would end by itself, and the release go on
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "MICROCELL_DATA": ""},
        text=True,
    )
    assert process.stdout.readline() == "staged\n"
    time.sleep(0.2)
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == code
    assert list(out.iterdir()) == []


@pytest.mark.slow
def test_quiet_when_piped(table, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "microcell", "anonymize", str(table), "-k", "5",
         *ROLES, "-o", str(tmp_path / "o.csv")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


@pytest.mark.slow
def test_adult_from_csv_to_csv(benchmark_data, tmp_path):
    table, out = tmp_path / "adult.csv", tmp_path / "release.csv"
    data = fetch_adult(drop_missing=True)
    data.frame.write_csv(table)
    names = ",".join(data.schema.quasi_identifiers)
    done = run(
        "anonymize", table, "-k", 10, "-q", names, "-c", "income", "--others", "drop",
        "-o", out,
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    released = pl.read_csv(out)
    assert released.height == 45222
    assert released.group_by(names.split(",")).len()["len"].min() >= 10


def test_audit_prints_verdicts_and_says_when_one_is_wrong(monkeypatch):
    import microcell.testing
    from microcell.testing import PrivacyLoss, Verdict

    loss = PrivacyLoss(1.0, 0.7, 0.99, "an event", (0.5, 0.2), 2000)
    asked = []

    def verdicts(epsilon, **options):
        asked.append((epsilon, options))
        return [Verdict("a", loss, private) for private in expected]

    monkeypatch.setattr(microcell.testing, "audit_verdicts", verdicts)
    expected = [True]
    done = run("audit", "--epsilon", 2, "--runs", 100)
    assert done.exit_code == 0 and "passes" in done.stdout, done.stderr
    assert asked == [(2.0, {"n_runs": 100, "confidence": 0.99})]
    expected = [True, False]
    done = run("audit", "--json")
    assert done.exit_code == 1
    assert [row["as_expected"] for row in json.loads(done.stdout)] == [True, False]


def test_differentially_private_release(table, tmp_path):
    out = tmp_path / "out.csv"
    roles = ["-q", "age,bmi", "--others", "drop", "-m", "dp-microaggregation"]
    done = run("anonymize", table, "-k", 20, *roles, "-p", "epsilon=1", "-o", out)
    assert done.exit_code == 2 and "--parameter 'bounds=" in done.stderr
    bounds = 'bounds={"age": [0, 120], "bmi": [10.0, 60.0]}'
    done = run(
        "anonymize", table, "-k", 20, *roles, "-p", "epsilon=1", "-p", bounds, "-o", out
    )
    assert done.exit_code == 0, done.stderr
    assert "differential privacy: promised 1, found 1" in done.stdout
    assert "verified in file    k-anonymity" in done.stdout
    assert "verified in file    differential" not in done.stdout
    assert pl.read_csv(out).columns == ["age", "bmi"]
