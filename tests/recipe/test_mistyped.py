"""What is mistyped is refused with what was meant, in Python and on a command line."""

import numpy as np
import polars as pl
import pytest
from commands import run
from marks import for_each

from microcell import Recipe, ReleaseClassifier, Schema, anonymize, compare, tune
from microcell.cli._errors import as_flag
from microcell.exceptions import InputError

SCHEMA = Schema(["age", "bmi"], confidential="ill")
TABLE = pl.DataFrame(
    {
        "age": np.arange(40) % 17 + 20.5,
        "bmi": np.arange(40) % 13 + 18.5,
        "ill": ["a", "b"] * 20,
    }
)
OF_A_RELEASE = {  # options and what was meant
    "mesures": ("all", "measures"),
    "missing": ("dropp", "drop"),
    "aggregate": ("Median", "median"),
    "measures": (["sse_los"], "sse_loss"),
    "method": ("mdva", "mdav"),
    "refine": ("yess", "yes"),
    "representatives": ({"age": "medain"}, "median"),
    "promises": ({"t-closeness": {"tt": 0.2}}, "t"),
    "enforce": ("tfirst", "t-first"),
    "parameters": ({"movess": 3}, "moves"),
}


@for_each("name", OF_A_RELEASE)
def test_options_of_a_release(name):
    value, meant = OF_A_RELEASE[name]
    with pytest.raises(ValueError, match=f"Did you mean '{meant}'") as caught:
        anonymize(TABLE, SCHEMA, k=3, **{name: value})
    assert f"Did you mean '{meant}'" in caught.value.render(as_flag)


@for_each(
    ("call", "meant"),
    [
        (lambda: Schema(["age"], confidentail="ill"), "confidential"),
        (lambda: Schema(["age"], kinds={"age": "numerc"}), "numeric"),
        (lambda: Recipe(SCHEMA, k=3, mesures="all"), "measures"),
        (lambda: ReleaseClassifier(misssing="drop"), "missing"),
        (lambda: compare(TABLE, SCHEMA, methods=["mdva"]), "mdav"),
        (lambda: compare(TABLE, SCHEMA, methods=["mdav"], n_job=1), "n_jobs"),
        (lambda: compare(TABLE, SCHEMA, methods=["vmdav"], grid={"gama": 1}), "gamma"),
        (lambda: tune(TABLE, SCHEMA, methods=["mdav"], n_candidate=1), "n_candidates"),
    ],
)
def test_other_names_in_python(call, meant):
    with pytest.raises((TypeError, ValueError), match=f"Did you mean '{meant}'"):
        call()


def test_what_belongs_elsewhere():
    with pytest.raises(InputError, match=r"It is an option of its own: k=3\."):
        Recipe(SCHEMA, k=3, parameters={"k": 3})
    with pytest.raises(ValueError, match=r"promises=\{'t-closeness': 0.2\}") as caught:
        anonymize(TABLE, SCHEMA, k=3, t=0.2)
    assert "--promise t-closeness=0.2" in caught.value.render(as_flag)
    with pytest.raises(ValueError, match=r"parameter of \['dp-microaggregation'\]"):
        anonymize(TABLE, SCHEMA, k=3, epsilon=1.0)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("--missing dropp", "drop"),
        ("-m mdva", "mdav"),
        ("-p movess=3", "moves"),
        ("--engine dsk", "disk"),
        ("--measures sse_los", "sse_loss"),
        ("--kind age=numerc", "numeric"),
    ],
)
def test_on_a_command_line(words, meant, tmp_path):
    TABLE.write_csv(tmp_path / "t.csv")
    roles = ["-q", "age,bmi", "-c", "ill", "-k", "3", "-o", str(tmp_path / "r.csv")]
    table = str(tmp_path / "t.csv")
    done = run("anonymize", table, *roles, *words.split())
    assert done.exit_code == 2 and f"Did you mean '{meant}'" in done.output
    assert not (tmp_path / "r.csv").exists()
