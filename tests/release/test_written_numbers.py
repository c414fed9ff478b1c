"""Numbers as people write them, from a table or file to a release and back."""

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import for_each

from microcell import Recipe, Schema, SchemaError, anonymize, measure
from microcell.exceptions import InputError
from microcell.io import NumberLayout, read_table
from microcell.release import anonymize_file, check_file, measure_files

FEES = ["1.234,5", "1.236,5", "12,25", "14,25"]


def fees(release):
    return nw.from_native(release.table, eager_only=True)["fee"].to_list()


def test_a_table_of_text(make):
    release = anonymize(make({"fee": FEES}), Schema(["fee"]), k=2, decimal=",")
    assert fees(release) == [1235.5, 1235.5, 13.25, 13.25]
    assert release.layouts == {"fee": NumberLayout(",", ".")}


def test_text_in_a_table_that_has_types(make):
    table = make({"fee": FEES, "id": [1, 2, 3, 4]})
    release = anonymize(table, Schema(["fee"], others="drop"), k=2, decimal=",")
    assert fees(release) == [1235.5, 1235.5, 13.25, 13.25]


@pytest.mark.parametrize(
    ("decimal", "texts", "written"),
    [
        (",", FEES, ["1.235,5", "1.235,5", "13,25", "13,25"]),
        (",", ["1,250", "1,500"], ["1,375", "1,375"]),
        (".", ["1,250", "1,500"], ["1,375.0", "1,375.0"]),
        (",", ["12,5 %", "13,5 %"], ["13,0 %", "13,0 %"]),
        (".", ["12%", "15%"], ["13.5%", "13.5%"]),
        (".", ["1'000'000", "1'000'001"], ["1'000'000.5"] * 2),
        (",", ["31", "32"], ["31,5", "31,5"]),
    ],
)
def test_a_file_gets_its_numbers_as_they_came(tmp_path, decimal, texts, written):
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    pl.DataFrame({"fee": texts}).write_csv(path)
    kinds = {"fee": "numeric"}
    recipe = Recipe(Schema(["fee"], kinds=kinds), k=2, decimal=decimal, order="keep")
    anonymize_file(path, recipe, out)
    assert read_table(out)["fee"].to_list() == written
    scores = measure_files(path, out, "fee", decimal=decimal, kinds=kinds)
    assert scores["prosecutor_max_risk"] == 0.5 and 0 <= scores["sse_loss"] <= 1


def test_parquet_gets_plain_numbers(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "out.parquet"
    pl.DataFrame({"fee": FEES}).write_csv(path)
    anonymize_file(path, Recipe(Schema(["fee"]), k=2, decimal=",", order="keep"), out)
    assert pl.read_parquet(out)["fee"].to_list() == [1235.5, 1235.5, 13.25, 13.25]
    assert measure_files(path, out, "fee", decimal=",")["sse_loss"] < 0.01


def test_intervals_have_the_decimal_mark_and_can_be_read(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    pl.DataFrame({"fee": FEES}).write_csv(path)
    recipe = Recipe(Schema(["fee"]), k=2, decimal=",", aggregate="interval")
    anonymize_file(path, recipe, out)
    assert (
        read_table(out)["fee"].to_list()
        == ["[1.234,5; 1.236,5]"] * 2 + ["[12,25; 14,25]"] * 2
    )
    by_middle = measure_files(path, out, "fee", decimal=",")
    means = anonymize(read_table(path), Schema(["fee"]), k=2, decimal=",")
    assert by_middle["sse_loss"] == pytest.approx(means.scores["sse_loss"])
    typed = pl.DataFrame({"fee": [1234.5, 1236.5, 12.25, 14.25]})
    plain = read_table(out).with_columns(
        pl.col("fee").str.replace_all("1.2", "12", literal=True)
    )
    assert measure(typed, plain, "fee", decimal=",") == pytest.approx(by_middle)


def test_intervals_of_per_cent(make):
    table = make({"fee": ["1,5 %", "2,5 %"]})
    release = anonymize(table, Schema(["fee"]), k=2, decimal=",", aggregate="interval")
    assert fees(release) == ["[1,5 %; 2,5 %]"] * 2
    assert measure(table, release.table, "fee", decimal=",")["sse_loss"] == 1


@for_each(
    ("texts", "decimal", "pattern", "record"),
    [
        (["1.234,5", "12.34", "1,5"], ",", "'99.99'", 2),
        (["12 %", "13 %", "14"], ",", "'99'", 3),
        (["1.234", "1.234", "1 234"], ",", "'9 999'", 3),
        (["1,5", "2,5", "?"], ",", "'?'", 3),
        (["1,5", "2,5"], ".", "'9,9'", 1),
    ],
)
def test_a_value_that_contradicts_the_rest(texts, decimal, pattern, record):
    with pytest.raises(SchemaError) as caught:
        anonymize(pl.DataFrame({"fee": texts}), Schema(["fee"]), k=2, decimal=decimal)
    assert f"{pattern} in record {record}." in str(caught.value)
    assert "Column 'fee'" in str(caught.value)


@pytest.mark.parametrize(
    ("texts", "ways_out"),
    [
        (FEES, "decimal=','. If"),
        (["1,234", "1,235"], "decimal='.' or decimal=','. If"),
        (["1,234.5", "1,235.5"], "decimal='.'. If"),
        (["12,5 %", "13 %"], "decimal=','. If"),
    ],
)
def test_without_the_option_an_error_names_it(texts, ways_out):
    with pytest.raises(SchemaError) as caught:
        anonymize(pl.DataFrame({"fee": texts}), Schema(["fee"]), k=2)
    assert ways_out in str(caught.value)


def test_codes_with_zeros_stay_text(make):
    table = make({"zip": ["02139", "02139"], "fee": ["1,5", "2,5"]})
    release = anonymize(table, Schema(["zip", "fee"]), k=2, decimal=",")
    assert release.kinds == {"zip": "nominal", "fee": "numeric"}


def test_a_target_of_text():
    table = pl.DataFrame({"x": [1.5, 2, 8, 9], "y": ["1,5", "1,5", "2,5", "2,5"]})
    table = table.with_columns(pl.col("x").cast(pl.String))
    schema = Schema(["x"], confidential="y", kinds={"y": "numeric"})
    with pytest.raises(SchemaError, match="'y' is declared numeric"):
        anonymize(table, schema, k=2, method="mdav-sd")
    table = table.with_columns(pl.col("x").str.replace(".", ",", literal=True))
    assert anonymize(table, schema, k=2, method="mdav-sd", decimal=",").findings


@pytest.mark.parametrize("decimal", [";", "", "..", 1])
def test_other_decimal_marks(decimal):
    with pytest.raises(InputError, match="'decimal' parameter must be one of"):
        Recipe(Schema(["fee"]), k=2, decimal=decimal)


def test_a_decimal_mark_without_text(make):
    table = make({"fee": [1.0, 2.0]})
    with pytest.raises(InputError, match="no quasi-identifier is text"):
        anonymize(table, Schema(["fee"]), k=2, decimal=",")
    with pytest.raises(InputError, match="no quasi-identifier is text"):
        measure(table, table, "fee", decimal=",")


def test_recipes_keep_the_mark(tmp_path):
    recipe = Recipe(Schema(["fee"]), k=2, decimal=",", dates={"fee": "%d.%m.%Y"})
    path = tmp_path / "recipe.toml"
    path.write_text(recipe.to_toml())
    assert Recipe.from_toml(path) == recipe


def test_command_line(tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_text("fee;age\n1.234,5;31\n1.236,5;33\n")
    common = ["-q", "fee,age", "--kind", "age=numeric", "--delimiter", ";"]
    done = run("anonymize", path, "-k", 2, *common, "-o", out)
    assert done.exit_code == 2 and "--decimal ," in done.stderr
    done = run("anonymize", path, "-k", 2, *common, "--decimal", ",", "-o", out)
    assert done.exit_code == 0, done.stderr
    assert out.read_text() == "fee;age\n1.235,5;32,0\n1.235,5;32,0\n"
    done = run("measure", path, out, *common, "--decimal", ",",
               "--release-delimiter", ";")  # fmt: skip
    assert "information loss    100.00 %" in done.stdout


def test_a_private_release_is_written_by_its_recipe_alone(tmp_path):
    texts = pl.DataFrame({"fee": ["1.234,5 %", "12,5 %"] * 20})
    bounds = {"fee": [0.0, 2000.0]}
    release = anonymize(
        texts, Schema(["fee"]), k=2, decimal=",",
        method="dp-microaggregation", epsilon=1.0, bounds=bounds,
    )  # fmt: skip
    assert release.layouts == {"fee": NumberLayout(",")}
    release.save(tmp_path / "out.csv")
    written = read_table(tmp_path / "out.csv")["fee"]
    numbers = written.str.replace(",", ".", literal=True).cast(pl.Float64)
    assert numbers.to_list() == fees(release)


numbers = st.integers(-(10**7), 10**7).map(lambda n: n / 100)
marks = st.sampled_from([(".", ","), (",", "."), (",", " "), (".", "'"), (",", "")])


@settings(max_examples=25)
@given(
    values=st.lists(numbers, min_size=4, max_size=12),
    marks=marks,
    suffix=st.sampled_from(["", " %"]),
)
def test_a_release_reads_back_as_it_was(tmp_path_factory, values, marks, suffix):
    folder = tmp_path_factory.mktemp("numbers")
    layout = NumberLayout(marks[0], marks[1], suffix=suffix)
    texts = layout.written(pl.Series("fee", values, dtype=pl.Float64))
    release = anonymize(
        texts.to_frame(),
        Schema(["fee"], kinds={"fee": "numeric"}),
        k=2,
        decimal=marks[0],
        order="keep",
    )
    release.save(folder / "out.csv")
    written = read_table(folder / "out.csv")
    found = release.layouts.get("fee", NumberLayout())
    assert [found.number(text) for text in written["fee"]] == fees(release)
    scores = measure(
        texts.to_frame(), written, "fee", decimal=marks[0], kinds={"fee": "numeric"}
    )
    assert scores["sse_loss"] == pytest.approx(release.scores["sse_loss"])


@settings(max_examples=40)
@given(
    texts=st.lists(st.text("0159.,' %-+/:eTZ[];", max_size=12), min_size=2, max_size=6),
    decimal=st.sampled_from([None, ".", ","]),
    format=st.sampled_from([None, "%d.%m.%Y", "%H:%M", "%Y%m%d", "%d/%m/%y %H:%M"]),
)
def test_any_text_gives_a_release_or_a_clear_error(texts, decimal, format):
    dates = {} if format is None else {"fee": format}
    table = pl.DataFrame({"fee": texts})
    try:
        release = anonymize(table, Schema(["fee"]), k=2, decimal=decimal, dates=dates)
    except InputError as error:
        assert str(error)
    else:
        assert len(set(fees(release))) == 1 or len(texts) >= 4


def costs(tmp_path, mark):
    """A table whose confidential costs have a decimal mark, separated by semicolons."""
    rng = np.random.default_rng(0)
    cost = [f"{c:.2f}".replace(".", mark) for c in rng.gamma(2, 800, size=600)]
    path = tmp_path / f"costs{ord(mark)}.csv"
    frame = pl.DataFrame({"age": rng.integers(18, 90, 600), "cost": cost})
    frame.write_csv(path, separator=";")
    return path


CLOSE = {"promises": {"t-closeness": 0.2}, "delimiter": ";"}


@pytest.mark.parametrize("said", [{}, {"decimal": ","}, {"kind": True, "decimal": ","}])
@pytest.mark.parametrize("engine", ["auto", "disk"])
def test_decimal_commas_of_confidential_columns(tmp_path, engine, said):
    said = dict(said)
    kinds = {"cost": "numeric"} if said.pop("kind", False) else {}
    done = {}
    for mark in ".,":
        schema = Schema(["age"], confidential="cost", kinds=kinds)
        recipe = Recipe(schema, k=5, **CLOSE, **(said if mark == "," else {}))
        out = tmp_path / f"out{ord(mark)}.csv"
        done[mark] = anonymize_file(costs(tmp_path, mark), recipe, out, engine=engine)
        before = read_table(costs(tmp_path, mark))["cost"]
        assert sorted(read_table(out)["cost"]) == sorted(before)  # as it was written
    point, comma = done["."].release, done[","].release
    assert comma.cells == point.cells and point.cells[0] > 5
    assert [f.found for f in comma.findings] == [f.found for f in point.findings]
    assert "ordered" in str(comma.findings[1])
    if engine == "auto":
        assert comma.disclosure == point.disclosure
        assert "mean_range" in comma.disclosure["cost"]


def test_decimal_commas_of_a_target(tmp_path):
    found = [
        anonymize_file(
            costs(tmp_path, mark),
            Recipe(Schema(["age"], confidential="cost"), k=5, method="mdav-sd"),
            tmp_path / f"out{ord(mark)}.csv",
        ).release.labels.tolist()
        for mark in ".,"
    ]
    assert found[0] == found[1]


def test_declared_categories_have_no_order():
    table = pl.DataFrame({"age": [20, 21, 60, 61], "code": [10, 20, 10, 20]})
    schema = Schema(["age"], confidential="code", kinds={"code": "nominal"})
    release = anonymize(table, schema, k=2, promises={"t-closeness": 0.5})
    assert "equal" in str(release.findings[1])
    assert "mean_range" not in release.disclosure["code"]
    assert release.table["code"].to_list() == [10, 20, 10, 20]
    ordered = Schema(["age"], confidential="code", kinds={"code": [20, 10]})
    release = anonymize(table, ordered, k=2, promises={"t-closeness": 0.5})
    assert "ordered" in str(release.findings[1])


def test_check_reads_decimal_commas(tmp_path):
    path = costs(tmp_path, ",")
    recipe = Recipe(Schema(["age"], confidential="cost"), k=5, **CLOSE)
    anonymize_file(path, recipe, tmp_path / "out.csv")
    for said in (
        {"recipe": recipe},
        {
            "quasi_identifiers": "age",
            "confidential": "cost",
            "promises": CLOSE["promises"],
        },
    ):
        check = check_file(tmp_path / "out.csv", **said)
        assert check.holds
        assert "mean_range" in check.disclosure["cost"]
