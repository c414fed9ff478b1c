import datetime as dt
import zipfile

import openpyxl
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcell import Recipe, Schema, anonymize_file
from microcell.exceptions import InputError
from microcell.io import read_columns, read_source, read_table, write_table
from microcell.io._excel import MAX_ROWS, not_in_excel
from microcell.io._format import Dialect
from microcell.io._read_back import changed_columns
from microcell.io._tables import format_of

TYPES = pl.DataFrame(
    {
        "age": [31, None, 33],
        "income": [0.1 + 0.2, 1e-7, None],
        "zip": ["02139", "7", "1e5"],
        "note": ["=1+1", "http://example.org", "@SUM(A1)"],
        "born": [dt.date(1950, 5, 5), None, dt.date(2020, 1, 2)],
        "seen": [
            dt.datetime(2020, 1, 2, 3, 4, 5, 123000),
            None,
            dt.datetime(1999, 1, 1),
        ],
        "at": [dt.time(10, 30), dt.time(0, 0), None],
        "yes": [True, False, None],
    }
)


def workbook(path, **sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)


def test_a_round_trip_keeps_types_and_missing_values(tmp_path):
    path = tmp_path / "t.xlsx"
    write_table(TYPES, path)
    found = read_table(path)
    assert found.schema == TYPES.schema
    assert found.equals(TYPES, null_equal=True)
    assert read_columns(path) == TYPES.columns


def test_other_programs_read_the_same(tmp_path):
    path = tmp_path / "t.xlsx"
    write_table(TYPES, path)
    sheet = openpyxl.load_workbook(path).active
    rows = list(sheet.iter_rows(min_row=2, values_only=True))
    assert [row[1] for row in rows] == TYPES["income"].to_list()  # to the last digit
    assert [row[2] for row in rows] == TYPES["zip"].to_list()
    assert [row[3] for row in rows] == TYPES["note"].to_list()
    assert rows[0][4] == dt.datetime(1950, 5, 5)
    for row in sheet.iter_rows():
        assert all(cell.data_type != "f" and cell.hyperlink is None for cell in row)


def test_nothing_rides_along(tmp_path):
    source, out = tmp_path / "t.xlsx", tmp_path / "o.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Secret study"
    for row in [["age"], [30], [32], [60], [62]]:
        sheet.append(row)
    sheet["A2"].comment = openpyxl.comments.Comment("this is Ann", "Dr. Bob")
    book.create_sheet("notes")["A1"] = "Ann"
    book.properties.creator = "Dr. Bob"
    book.save(source)
    recipe = Recipe(Schema(["age"]), k=2, sheet="Secret study")
    anonymize_file(source, recipe, out)
    with zipfile.ZipFile(out) as parts:
        everything = b"".join(parts.read(name) for name in parts.namelist())
        names = parts.namelist()
    for word in (b"Ann", b"Bob", b"Secret", b"definedName", b"<f>"):
        assert word not in everything
    assert not any("comment" in name or "sheet2" in name for name in names)
    assert openpyxl.load_workbook(out).sheetnames == ["release"]


def test_the_name_of_a_sheet_is_not_published(tmp_path):
    source = tmp_path / "t.xlsx"
    rows = [["age"], [30], [32], [60], [62]]
    workbook(source, **{"Ward of Ann": rows, "none": []})
    done = anonymize_file(
        source,
        Recipe(Schema(["age"]), k=2),
        tmp_path / "o.csv",
        certificate=tmp_path / "c.json",
        report=tmp_path / "r.html",
        write_recipe=tmp_path / "r.toml",
    )
    for name in ("c.json", "r.html"):
        assert "Ward of Ann" not in (tmp_path / name).read_text()
    assert done.release.recipe.sheet == "Ward of Ann"  # the owner's recipe has it
    assert 'sheet = "Ward of Ann"' in (tmp_path / "r.toml").read_text()


def test_no_temporary_files(tmp_path, monkeypatch):
    import tempfile

    def refuse(*args, **options):
        raise AssertionError("a temporary file")

    for maker in ("NamedTemporaryFile", "TemporaryFile", "mkstemp", "mkdtemp"):
        monkeypatch.setattr(tempfile, maker, refuse)
    write_table(TYPES, tmp_path / "t.xlsx")


def test_the_same_table_is_the_same_file(tmp_path):
    for name in ("a", "b"):
        write_table(TYPES, tmp_path / f"{name}.xlsx")
    with (
        zipfile.ZipFile(tmp_path / "a.xlsx") as one,
        zipfile.ZipFile(tmp_path / "b.xlsx") as other,
    ):
        assert {n: one.read(n) for n in one.namelist()} == {
            n: other.read(n) for n in other.namelist()
        }


def test_sheets_by_name(tmp_path):
    path = tmp_path / "t.xlsx"
    workbook(path, first=[["a"], [1]], second=[["b"], [2]], empty=[])
    with pytest.raises(InputError, match=r"several sheets: \['first', 'second'\]"):
        read_table(path)
    assert read_table(path, sheet="second").rows() == [(2,)]
    assert read_table(f"{path}::first").rows() == [(1,)]
    assert read_columns(f"{path}::second") == ["b"]
    with pytest.raises(InputError, match=r"no sheet 'third'\. Its sheets are"):
        read_table(path, sheet="third")
    with pytest.raises(InputError, match="Two sheets are named"):
        read_table(f"{path}::first", sheet="second")
    with pytest.raises(InputError, match="it has no delimiter"):
        read_table(path, sheet="first", delimiter=";")
    write_table(pl.DataFrame({"a": [1]}), tmp_path / "t.csv")
    with pytest.raises(InputError, match="it has no sheet"):
        read_table(tmp_path / "t.csv", sheet="first")


def test_the_only_sheet_with_cells_is_said(tmp_path):
    path = tmp_path / "t.xlsx"
    workbook(path, full=[["a"], [1]], empty=[])
    source = read_source(path)
    assert source.dialect.sheet == "full"
    assert source.notices == ("the table is the only sheet that has cells",)


def test_mixed_columns_are_text_with_a_notice(tmp_path):
    path = tmp_path / "t.xlsx"
    workbook(path, s=[["a", "b"], [1, 1.0], ["NA", 2.5], [2.5, None]])
    source = read_source(path)
    assert source.frame["a"].to_list() == ["1", "NA", "2.5"]
    assert source.frame["b"].to_list() == [1.0, 2.5, None]
    assert [n for n in source.notices if "'a'" in n and "text" in n]
    recipe = Recipe(Schema(["a"], others="drop"), k=2)
    with pytest.raises(InputError, match="'a' looks like numbers"):
        anonymize_file(path, recipe, tmp_path / "o.xlsx")


def test_whole_numbers_are_integers(tmp_path):
    path = tmp_path / "t.xlsx"
    workbook(path, s=[["code", "x"], [1.0, 1.5], [2, 2], [None, None]])
    assert read_table(path).schema == {"code": pl.Int64, "x": pl.Float64}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1, 2], [3, 4]], "looks like a record"),
        ([["a", None, "c"], [1, 2, 3]], "without a name"),
        ([["a", "a"], [1, 2]], "repeated column names"),
        ([["a", "b"]], "no records"),
        ([], "no sheet that holds"),
    ],
)
def test_sheets_that_are_no_table(rows, message, tmp_path):
    path = tmp_path / "t.xlsx"
    workbook(path, s=rows)
    with pytest.raises(InputError, match=message):
        read_table(path)


def test_a_table_away_from_the_corner(tmp_path):
    path = tmp_path / "t.xlsx"
    workbook(path, s=[[], [], [None, "a", "b"], [None, 1, "x"], [None, 2, None], []])
    assert read_table(path).rows() == [(1, "x"), (2, None)]


def test_files_that_are_no_workbook(tmp_path):
    (tmp_path / "t.xlsx").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="not an Excel file"):
        read_table(tmp_path / "t.xlsx")
    with pytest.raises(InputError, match=r"only read.*\.xlsx"):
        write_table(TYPES, tmp_path / "t.xls")


UNHOLDABLE = {
    "long text": (["x" * 40_000], "more than 32767 characters"),
    "large integers": ([2**53 + 1], r"beyond 2\*\*53"),
    "early dates": ([dt.date(1899, 12, 31)], "before March 1900"),
    "early moments": ([dt.datetime(1850, 1, 1)], "before March 1900"),
    "zones": ([dt.datetime(2020, 1, 1, tzinfo=dt.UTC)], "time zone"),
    "microseconds": ([dt.datetime(2020, 1, 1, 0, 0, 0, 1)], "millisecond"),
    "fine times": ([dt.time(0, 0, 0, 1)], "millisecond"),
    "infinity": ([float("inf")], "infinite"),
    "nan": ([float("nan")], "NaN"),
    "lists": ([[1]], "lists"),
}


@pytest.mark.parametrize(("values", "message"), UNHOLDABLE.values(), ids=UNHOLDABLE)
def test_what_excel_would_change_is_an_error(values, message, tmp_path):
    frame = pl.DataFrame({"x": values, "y": [1]}, strict=False)
    with pytest.raises(InputError, match=rf"\['x'\] hold .*{message}.*\.parquet"):
        write_table(frame, tmp_path / "t.xlsx")
    assert not (tmp_path / "t.xlsx").exists()


def test_too_many_records():
    frame = pl.select(pl.int_range(MAX_ROWS + 1).alias("x"))
    assert "records" in not_in_excel(frame, Dialect())["x"]


cells = st.one_of(
    st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8
    ),
    st.sampled_from(
        ["=A1", "_x000D_", "\r\n", " a ", "TRUE", "1", "#N/A", "\x0b", "\t"]
    ),
)


@settings(max_examples=25)
@given(values=st.lists(cells, min_size=1, max_size=4))
def test_text_survives_or_is_found_out(values, tmp_path_factory):
    """What Excel cannot say is at least noticed; nothing is changed in silence."""
    path = tmp_path_factory.mktemp("x") / "t.xlsx"
    frame = pl.DataFrame({"n": range(len(values)), "x": values})
    write_table(frame, path)
    found = read_table(path)
    wanted = [value or None for value in values]
    changed = changed_columns(frame, {}, format_of(path), found)
    assert ("x" in changed) == (found["x"].to_list() != wanted)
    if all(value.isprintable() for value in values):
        assert changed == []


@settings(max_examples=25)
@given(
    values=st.lists(
        st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
        min_size=1,
        max_size=5,
    )
)
def test_numbers_survive_to_the_last_bit(values, tmp_path_factory):
    path = tmp_path_factory.mktemp("x") / "t.xlsx"
    frame = pl.DataFrame(
        {"n": range(len(values)), "x": values}, schema_overrides={"x": pl.Float64}
    )
    write_table(frame, path)
    assert changed_columns(frame, {}, format_of(path), read_table(path)) == []


def test_files_of_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "t.xlsx"
    pandas.DataFrame({"age": [1, 2], "zip": ["01", "02"]}).to_excel(path, index=False)
    assert read_table(path).rows() == [(1, "01"), (2, "02")]


CONTENT = """<office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body>
<office:spreadsheet><table:table table:name="s"><table:table-row>
<table:table-cell office:value-type="string"><text:p>age</text:p></table:table-cell>
</table:table-row><table:table-row>
<table:table-cell office:value-type="float" office:value="31"><text:p>31</text:p>
</table:table-cell></table:table-row></table:table></office:spreadsheet>
</office:body></office:document-content>"""


MANIFEST = """<manifest:manifest
 xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>"""


def test_an_open_document(tmp_path):
    path = tmp_path / "t.ods"
    with zipfile.ZipFile(path, "w") as parts:
        parts.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        parts.writestr("content.xml", CONTENT.replace("\n", ""))
        parts.writestr("META-INF/manifest.xml", MANIFEST)
    assert read_table(path).rows() == [(31,)]
