"""No value that fewer than k records have is in anything that an inspection gives."""

import datetime
import json
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcell import inspect, inspect_file
from microcell.exceptions import Explained

N = 240
PLANTED = {
    "name": ["Quizzlewort", "Zanzabarella"],
    "email": ["planted@quizzle.example", "odd@zanzabar.example"],
    "city": ["Quixotville", "Zzyzx"],
    "postcode": ["98761", "98762"],
    "age": ["1187", "1193"],
    "born": ["1811-03-07", "1812-09-23"],
    "entry": ["07/11/1843", "23/09/1844"],
    "sex": ["quark", "zorp"],
    "income": ["7654321987", "7654321988"],
    "diagnosis": ["Q98.7", "Z91.3"],
    "bmi": ["314,15", "271,82"],
    "code": ["713", "717"],
    "unknowns": ["unknown", "?"],
    "numbers": ["8713", "8717"],
    "lab": ["quux", "quuz"],
    "died": ["9999-12-31", "1871-01-18"],
    "note": ["Planted remark about Quizzlewort", "Another planted remark"],
    "same": ["77777771", "77777772"],
}


def table(planted=1):
    """A table of text in which each column has values of fewer than five records."""
    rng = np.random.default_rng(0)
    day = datetime.date(1950, 1, 1)
    dates = [day + datetime.timedelta(days=int(d)) for d in rng.integers(0, 9000, N)]
    columns = {
        "name": [f"N{i}" for i in range(N)],
        "email": [f"u{i}@example.org" for i in range(N)],
        "city": rng.choice(["Rome", "Paris", "Oslo"], N).tolist(),
        "postcode": [f"0{1000 + i % 30}" for i in range(N)],
        "age": [str(20 + i % 60) for i in range(N)],
        "born": [str(d) for d in dates],
        "entry": [d.strftime("%d/%m/%Y") for d in dates],
        "sex": rng.choice(["f", "m"], N).tolist(),
        "income": [str(20000 + i * 7) for i in range(N)],
        "diagnosis": [f"E{10 + i % 20}.{i % 7}" for i in range(N)],
        "bmi": [f"{20 + i % 15},{i % 10}" for i in range(N)],
        "code": [str(1 + i % 4) for i in range(N)],
        "unknowns": rng.choice(["yes", "no"], N).tolist(),
        "numbers": [str(i % 97) for i in range(N)],
        "lab": [str(i % 17) for i in range(N)],
        "died": [str(d) for d in dates],
        "note": [f"remark {i % 50}" for i in range(N)],
        "same": ["1"] * N,
    }
    for name, values in PLANTED.items():
        for place, value in enumerate(values):
            for again in range(planted):
                columns[name][place * 7 + again] = value
    return pl.DataFrame(columns)


def everything(found, folder):
    """All that leaves an inspection."""
    path = folder / "recipe.toml"
    found.save_recipe(path, overwrite=True)
    shown = [str(found), json.dumps(found.to_dict()), path.read_text(), repr(found)]
    return "\n".join(shown)


@pytest.mark.parametrize("planted", [1, 2, 4])
@pytest.mark.parametrize("form", ["text", "file", "typed"])
def test_planted_values_are_nowhere(form, planted, tmp_path, caplog, capfd):
    frame = table(planted)
    if form == "file":
        frame.write_csv(tmp_path / "t.csv")
        found = inspect_file(tmp_path / "t.csv")
    else:
        if form == "typed":
            frame = frame.with_columns(
                pl.col("age", "income", "code", "numbers").cast(pl.Int64),
                pl.col("born", "died").str.to_date(),
                pl.col("sex").cast(pl.Categorical),
            )
        found = inspect(frame)
    said = everything(found, tmp_path) + caplog.text + "".join(capfd.readouterr())
    for name, values in PLANTED.items():
        for value in values:
            assert not is_in(value, said), f"{value} of {name}"


def is_in(value, said):
    """Whether a text holds a value, and not as a part of a longer word or number."""
    if value in PLANTED["unknowns"]:  # which may be words of a sentence
        return f"'{value}'" in said or f'"{value}"' in said
    return re.search(rf"(?<![\w.]){re.escape(value)}(?!\w)", said) is not None


def test_what_is_shown_would_be_found():
    assert is_in("713", 'marks = ["713"]') and is_in("?", "age=['?']")
    assert not is_in("713", "0.4713 and 7134")


def test_a_value_of_k_records_may_be_shown(tmp_path):
    planted = table(planted=5)
    assert inspect(planted)["unknowns"].marks == (), "its records are one e-mail's"
    planted = planted.drop("name", "email")
    found = inspect(planted)
    assert found["unknowns"].marks == ("unknown", "?")
    assert "9999-12-31" in found["died"].marks
    found = inspect(planted, k=6)
    assert found["unknowns"].marks == () and found["died"].marks == ()


def test_marks_of_one_person_are_not_shown():
    """Five visits of one person are five records and no five people."""
    frame = pl.DataFrame(
        {
            "patient_id": [str(i // 5) for i in range(200)],
            "age": ["999"] * 5 + [str(20 + i % 50) for i in range(195)],
        }
    )
    found = inspect(frame)
    assert found.unit == "patient_id" and found["age"].marks == ()
    assert any("fewer than 5 people" in reason for reason in found["age"].reasons)
    assert inspect(frame.drop("patient_id"))["age"].marks == ("999",)


@settings(max_examples=30)
@given(
    secret=st.integers(10**7, 10**8),
    place=st.integers(0, N - 1),
    column=st.sampled_from([c for c in PLANTED if c != "name"]),
    form=st.sampled_from(["{}", "a{}b", "{}.5", "{},5", "{} %", "x {} y"]),
)
def test_one_odd_value_anywhere_is_not_shown(secret, place, column, form):
    frame = table(0)
    values = frame[column].to_list()
    values[place] = form.format(secret)
    frame = frame.with_columns(pl.Series(column, values))
    try:
        found = inspect(frame)
        said = str(found) + json.dumps(found.to_dict()) + found.to_toml()
    except Explained as error:
        said = str(error)
    assert str(secret) not in said
