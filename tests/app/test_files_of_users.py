"""Files as users have them, and mistakes that the page helps to repair."""

import numpy as np
import polars as pl
import pytest
from app_pages import (
    choose_files,
    follow,
    go_to,
    make_release,
    open_file,
    recipe,
    set_role,
    title,
)
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,  # the whole way is in test_whole_flow.py
]

NOT_NEEDED = [
    "workclass", "marital-status", "occupation", "relationship", "race",
    "hours-per-week", "native-country",
]  # fmt: skip
TOWNS = ["Köln", "Düren", "Ährenburg"]


def people(n_records=90):
    rng = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 80, n_records),
            "town": rng.choice(TOWNS, n_records),
            "ill": rng.choice(["yes", "no"], n_records),
        }
    )


def release_of(page, path):
    """Make a release, and download it as a file of that kind."""
    go_to(page, "Release")
    of_kind = page.get_by_role("combobox", name="Format of the release")
    of_kind.select_option(path.suffix[1:])
    make_release(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="The release The").click()
    download.value.save_as(path)
    return path


def test_adult_with_mistakes_on_the_way(visit, benchmark_data, tmp_path):
    """2,000 of its records; the whole takes as many steps and much longer."""
    adult_is_released(visit, benchmark_data, tmp_path, 2_000)


def test_whole_adult(visit, benchmark_data, tmp_path):
    adult_is_released(visit, benchmark_data, tmp_path, None)


def adult_is_released(visit, benchmark_data, tmp_path, n_records):
    file = tmp_path / "adult.csv"
    pl.read_csv(benchmark_data / "adult.csv", n_rows=n_records).write_csv(file)
    page = visit().tab()
    open_file(page, file)
    follow(page, "Continue to the columns")
    title(page, "What is in each column?")
    for name in NOT_NEEDED:
        set_role(page, name, "Left out")
    expect(page.get_by_text("15 columns: 3 masked")).to_be_visible()
    for name in ("age", "sex", "education"):  # nothing is masked: a mistake
        set_role(page, name, "Confidential")
    expect(page.get_by_role("alert").get_by_role("heading")).to_have_text(
        "Choose at least one quasi-identifier"
    )
    expect(page.get_by_role("button", name="Continue to protect")).to_be_disabled()
    undo = page.get_by_role("button", name="Undo")
    for n in (1, 2, 3):
        undo.click()
        expect(page.get_by_text(f"15 columns: {n} masked")).to_be_visible()
    follow(page, "Continue to protect")
    field = page.get_by_role("spinbutton", name="k", exact=True)
    field.fill("1")
    expect(field).to_have_accessible_description(
        "'k' must be an integer >= 2. Got 1 instead."
    )
    expect(field).to_have_attribute("aria-invalid", "true")
    page.get_by_role("link", name="Release now").click()
    expect(page.get_by_role("button", name="Make the release")).to_be_disabled()
    page.go_back()
    page.get_by_role("button", name="Show me where").click()
    expect(field).to_be_focused()
    undo.click()
    expect(field).to_have_value("5")
    expect(page.get_by_role("button", name="Show me where")).to_have_count(0)
    page.get_by_role("radio", name="Fastest").check()
    expect(recipe(page)).to_contain_text('name = "mondrian"')
    released = pl.read_csv(release_of(page, tmp_path / "release.csv"))
    assert set(released.columns) == {
        "age", "sex", "education", "capital-gain", "capital-loss", "income"
    }  # fmt: skip
    assert released.group_by("age", "sex", "education").len()["len"].min() >= 5


def test_a_workbook_asks_for_its_sheet(visit, tmp_path):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    file = tmp_path / "study.xlsx"
    with xlsxwriter.Workbook(file) as book:
        book.add_worksheet("Notes").write_row(0, 0, ["read me"])
        people().write_excel(book, "People 2024")
    page = visit().tab()
    choose_files(page, file)
    sheet = page.get_by_role("combobox", name="Sheet")
    expect(sheet).to_be_visible()
    expect(sheet).to_have_accessible_description(
        "study.xlsx has several sheets: ['Notes', 'People 2024']. "
        "Name the one that holds the table in 'sheet'."
    )
    expect(page.get_by_role("button", name="Continue to the columns")).to_be_disabled()
    sheet.select_option("People 2024")
    expect(page.get_by_text("90 records with 3 columns")).to_be_visible()
    page.get_by_role("link", name="Continue to the columns").wait_for()
    released = pl.read_csv(release_of(page, tmp_path / "release.csv"))
    assert released.height == 90


def test_labels_of_spss_are_kept(visit, tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    file = tmp_path / "survey.sav"
    frame = people().with_columns(sex=pl.Series([1.0, 2.0] * 45))
    pyreadstat.write_sav(
        frame, str(file), column_labels=["Age in years", "Town", "Is ill", "Sex"],
        variable_value_labels={"sex": {1.0: "women", 2.0: "men"}},
    )  # fmt: skip
    page = visit().tab()
    open_file(page, file)
    preview = page.get_by_role("region", name="The first 20 records")
    expect(preview).to_contain_text("Düren")
    go_to(page, "Columns")
    age = page.get_by_role("group", name="age", exact=True)
    expect(age).to_contain_text("Age in years")
    released = release_of(page, tmp_path / "release.sav")
    _, notes = pyreadstat.read_sav(str(released))
    assert notes.variable_value_labels["sex"] == {1.0: "women", 2.0: "men"}
    assert notes.column_names_to_labels["town"] == "Town"


def test_a_wrong_encoding_is_said_and_put_right(visit, tmp_path):
    file = tmp_path / "umlauts.csv"
    file.write_bytes(people().write_csv(separator=";").encode("cp1252"))
    page = visit().tab()
    open_file(page, file)
    preview = page.get_by_role("region", name="The first 20 records")
    expect(preview).to_contain_text("Düren")
    page.get_by_text("Does something look wrong?").click()
    encoding = page.get_by_role("combobox", name="Encoding")
    encoding.select_option("utf-8")
    expect(encoding).to_have_accessible_description(
        "umlauts.csv is not text in utf-8. Name its 'encoding', for example cp1252, "
        "or export it as UTF-8."
    )
    encoding.select_option("cp1252")
    expect(preview).to_contain_text("Düren")
    expect(encoding).to_have_attribute("aria-invalid", "false")
    delimiter = page.get_by_role("combobox", name="Delimiter")
    delimiter.select_option(",")
    expect(delimiter).to_have_accessible_description(
        "umlauts.csv has one column if fields are separated by ',', but its header "
        "holds ';'. Name the 'delimiter'."
    )
    expect(page.get_by_text("as it seems")).to_have_count(0)
    delimiter.select_option(";")
    expect(page.get_by_text("90 records with 3 columns")).to_be_visible()
    page.get_by_role("link", name="Continue to the columns").wait_for()


def test_a_table_of_german_excel_needs_two_clicks(visit, tmp_path):
    """Semicolons, decimal commas, an old encoding, and marks of missing values."""
    rng = np.random.default_rng(5)
    marks = np.where(rng.random(90) < 0.1, "k.A.", rng.integers(20, 80, 90).astype(str))
    height = [f"{value:.1f}".replace(".", ",") for value in rng.normal(171, 9, 90)]
    table = people().with_columns(
        pl.Series("Alter", marks), pl.Series("Größe", height), pl.Series("€", height)
    )
    file = tmp_path / "patienten.csv"
    file.write_bytes(table.drop("age").write_csv(separator=";").encode("cp1252"))
    page = visit().tab()
    choose_files(page, file)
    page.get_by_role("button", name="Read it as cp1252 (Western Europe").click()
    expect(page.get_by_role("region", name="The first 20 records")).to_contain_text(
        "Größe"
    )
    follow(page, "Continue to the columns")
    follow(page, "Continue to protect")
    title(page, "Protect")
    page.get_by_text("Missing values", exact=True).click()
    marked = page.get_by_role("textbox", name="Alter", exact=True)
    expect(marked).to_have_value("k.A.")
    marked.fill("k.A., unbekannt")
    expect(recipe(page)).to_contain_text("unbekannt")
    released = release_of(page, tmp_path / "release.csv")
    assert pl.read_csv(released, separator=";", infer_schema=False).height == 90
