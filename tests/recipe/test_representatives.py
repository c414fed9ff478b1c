"""What is published of each column."""

import datetime as dt
import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell import Recipe, Schema, anonymize, measure
from microcell.columns import ENCODERS
from microcell.exceptions import InputError, SchemaError
from microcell.privacy import class_sizes
from microcell.recipe._representatives import REPRESENTATIVES

N = 40
LEVELS = ["low", "mid", "high", "top"]


def table(seed=0):
    rng = np.random.default_rng(seed)
    days = rng.integers(0, 20_000, N)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, N),
            "bmi": rng.normal(26, 4, N),
            "born": [dt.date(1940, 1, 1) + dt.timedelta(int(d)) for d in days],
            "grade": rng.choice(LEVELS, N),
            "city": rng.choice(["Ulm", "Bonn", "Kiel"], N),
        }
    )


KINDS = {
    "age": "numeric",
    "bmi": "numeric",
    "born": "date",
    "grade": "ordinal",
    "city": "nominal",
}
SCHEMA = Schema(list(KINDS), kinds={"grade": LEVELS})


def fitting(kind):
    return [n for n, r in REPRESENTATIVES.items() if r.fits(kind)]


def published(name, cell, whole, kind):
    """What a cell of a column is released as, by the definition."""
    if kind in ("ordinal", "nominal"):
        codes = [LEVELS.index(v) if kind == "ordinal" else v for v in cell]
    elif kind == "date":
        codes = [(v - dt.date(1970, 1, 1)).days for v in cell]
    else:
        codes = list(cell)
    ordered = sorted(codes)

    def back(value):
        if kind == "date":
            return dt.date(1970, 1, 1) + dt.timedelta(round(value))
        return LEVELS[value] if kind == "ordinal" else value

    if name == "mean":
        return back(sum(codes) / len(codes))
    if name == "median" and kind == "ordinal":
        return back(ordered[(len(codes) - 1) // 2])
    if name == "median":
        return back(float(np.median(codes)))
    if name == "midpoint":
        return back((ordered[0] + ordered[-1]) / 2)
    if name == "mode":
        seen = list(dict.fromkeys(whole))
        return max(cell, key=lambda v: (cell.count(v), whole.count(v), -seen.index(v)))
    shown = [str(back(v)) for v in ordered]
    if name == "interval":
        return f"[{shown[0]}, {shown[-1]}]"
    return "{" + ", ".join(dict.fromkeys(shown)) + "}"


choices = st.fixed_dictionaries(
    {},
    optional={column: st.sampled_from(fitting(kind)) for column, kind in KINDS.items()},
)


@settings(max_examples=25)
@given(chosen=choices, k=st.sampled_from([2, 5, 39]), seed=st.integers(0, 3))
def test_each_column_is_published_as_asked(chosen, k, seed):
    before = table(seed)
    release = anonymize(before, SCHEMA, k=k, representatives=chosen)
    assert class_sizes(release.table, SCHEMA.quasi_identifiers).min() >= k
    assert release.scores == measure(
        before, release.table, SCHEMA.quasi_identifiers, kinds=SCHEMA.kinds
    )
    for cell in range(release.labels.max() + 1):
        rows = np.flatnonzero(release.labels == cell)
        medoids = [c for c in KINDS if chosen.get(c) == "medoid"]
        if medoids:  # one record for all of them
            (one,) = release.table[rows].select(medoids).unique().rows()
            assert one in before[rows].select(medoids).rows()
        for column, kind in KINDS.items():
            name = chosen.get(column, ENCODERS[kind].representative)
            if name == "medoid":
                continue
            values = before[column].to_list()
            cell_values = [values[row] for row in rows]
            (found,) = set(release.table[column][rows].to_list())
            expected = published(name, cell_values, values, kind)
            if isinstance(found, float):
                digits = 1 if isinstance(cell_values[0], int) else 12
                assert found == pytest.approx(expected, abs=0.5 / 10**digits)
            elif isinstance(found, dt.date):
                assert abs((found - expected).days) <= 1  # a half rounds to even
            else:
                assert found == expected


@for_each(
    ("column", "name"),
    [
        (column, name)
        for column, kind in KINDS.items()
        for name in REPRESENTATIVES
        if not REPRESENTATIVES[name].fits(kind)
    ],
)
def test_one_that_does_not_fit_is_refused(column, name):
    with pytest.raises(SchemaError) as caught:
        anonymize(table(), SCHEMA, k=5, representatives={column: name})
    message = str(caught.value)
    assert repr(column) in message and KINDS[column] in message
    assert str(fitting(KINDS[column])) in message
    assert caught.value.option == "representatives"


@for_each("name", ["median", "medoid", "mode", "interval", "set"])
def test_for_all_columns_that_it_fits(name):
    everywhere = anonymize(table(), SCHEMA, k=5, aggregate=name)
    fits = {c: name for c, kind in KINDS.items() if REPRESENTATIVES[name].fits(kind)}
    each = anonymize(table(), SCHEMA, k=5, representatives=fits)
    assert everywhere.table.equals(each.table)


@for_each(
    ("options", "message"),
    [
        ({"representatives": {"age": "mid"}}, "must be one of"),
        ({"representatives": {"agee": "mean"}}, "not a quasi-identifier"),
        ({"representatives": ["age"]}, "must map columns"),
        ({"ends": "rounded"}, "needs a column that is an interval"),
        ({"ends": "rounded", "representatives": {"grade": "interval"}}, "rounds numb"),
    ],
)
def test_what_cannot_be_honoured_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        anonymize(table(), SCHEMA, k=5, **options)


def test_a_method_with_its_own_publishes_categories_as_asked():
    options = {"k": 5, "method": "random-aggregation", "random_state": 0}
    release = anonymize(table(), SCHEMA, representatives={"city": "set"}, **options)
    assert release.table["city"].str.starts_with("{").all()
    with pytest.raises(InputError, match="says itself what is published") as caught:
        anonymize(table(), SCHEMA, representatives={"bmi": "median"}, **options)
    assert caught.value.option == "representatives" and "mdav" in str(caught.value)


def test_integers_that_are_published_as_they_are_stay_integers():
    chosen = {"age": "mode", "bmi": "medoid"}
    release = anonymize(table(), SCHEMA, k=5, representatives=chosen)
    assert release.table.schema["age"] == pl.Int64
    assert set(release.table["age"]) <= set(table()["age"])


def test_blocks_have_sets_of_their_own_cells():
    release = anonymize(table(), SCHEMA, k=5, method="individual-ranking")
    shown = anonymize(
        table(), SCHEMA, k=5, method="individual-ranking", aggregate="set"
    )
    for j, column in enumerate(KINDS):
        cells = release.labels[:, j]
        for cell in range(cells.max() + 1):
            rows = np.flatnonzero(cells == cell)
            members = set(map(str, table()[column][rows].to_list()))
            (text,) = set(shown.table[column][rows].to_list())
            assert set(text[1:-1].split(", ")) == members


@pytest.mark.parametrize("bad", ["Ulm, Bonn", "{Ulm", "Ulm}"])
def test_sets_of_categories_that_could_not_be_read_are_refused(bad):
    cities = table()["city"].replace("Ulm", bad)
    with pytest.raises(SchemaError, match="braces or a comma") as caught:
        anonymize(
            table().with_columns(city=cities),
            SCHEMA,
            k=5,
            representatives={"city": "set"},
        )
    assert bad not in str(caught.value)


@settings(max_examples=25)
@given(seed=st.integers(0, 20), k=st.sampled_from([2, 5, 20]))
def test_rounded_ends_hold_every_value_of_the_cell(seed, k):
    before = table(seed)
    chosen = {"age": "interval", "bmi": "interval", "born": "interval"}
    release = anonymize(before, SCHEMA, k=k, representatives=chosen, ends="rounded")
    for column in chosen:
        for text, value in zip(release.table[column], before[column], strict=True):
            low, high = text[1:-1].split(", ")
            if column == "born":
                assert low <= value.isoformat() <= high
                assert low.endswith("-01-01") and high.endswith("-12-31")
            else:
                assert float(low) <= value <= float(high)
                assert len(low) <= 4 and len(high) <= 4  # no noise in the last digits
    ages = {float(end) for t in release.table["age"] for end in t[1:-1].split(", ")}
    assert {age % 10 for age in ages} == {0.0}  # half a deviation is about ten
    assert not [n for n in release.notices if "interval" in n]


def test_rounded_ends_do_not_follow_people():
    """Whoever moves inside of a step changes no end."""
    ages = np.repeat([21.0, 38.0, 62.0, 79.0], 5)
    moved = ages + np.tile([0, 0.5, -0.5, 0.25, 0], 4)
    ends = [
        anonymize(
            pl.DataFrame({"age": a}),
            Schema(["age"]),
            k=5,
            aggregate="interval",
            ends="rounded",
        ).table
        for a in (ages, moved)
    ]
    assert ends[0].equals(ends[1])


def test_notices_say_what_is_published_of_people():
    assert anonymize(table(), SCHEMA, k=5).notices == ()
    chosen = {"age": "interval", "bmi": "medoid"}
    release = anonymize(table(), SCHEMA, k=5, representatives=chosen)
    assert len(release.notices) == 2
    assert "'age': the ends of an interval are values of real" in release.notices[0]
    assert release.notices[1] in release.certificate()["notices"]


def test_a_recipe_file_holds_them(tmp_path):
    recipe = Recipe(
        SCHEMA,
        k=5,
        representatives={"age": "interval", "city": "set"},
        ends="rounded",
        clip={"age": (20, 80), "born": (None, dt.date(1990, 1, 1))},
        digits={"bmi": 1},
    )
    path = tmp_path / "recipe.toml"
    path.write_text(recipe.to_toml())
    assert Recipe.from_toml(path) == recipe
    assert json.loads(json.dumps(recipe.to_dict()["columns"])) == {
        "age": {"publish": "interval", "clip": [20, 80]},
        "city": {"publish": "set"},
        "born": {"clip": ":1990-01-01"},
        "bmi": {"digits": 1},
        "grade": {"kind": ["low", "mid", "high", "top"]},
    }


def test_rounded_ends_are_never_one_value():
    table = pl.DataFrame({"x": [(i % 3 + 1) * 1.25 for i in range(30)]})
    release = anonymize(table, Schema(["x"]), k=3, aggregate="interval", ends="rounded")
    for text in set(release.table["x"]):
        low, high = map(float, text[1:-1].split(", "))
        assert low < high
