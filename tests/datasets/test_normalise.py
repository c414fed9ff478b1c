"""The normalisers undo the raw UCI form, rebuilt here from the known CSV files."""

import csv

import pytest
from marks import for_each

from microcell.datasets import DATASETS
from microcell.datasets._benchmark_tables import TABLES

ADULT_TRAIN = 32561


def records(path):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [[text or "?" for text in row] for row in rows]


def joined(rows, separator):
    return "".join(separator.join(row) + "\n" for row in rows).encode()


def raw_files(table, folder):
    """Content of the raw files, as UCI has them."""
    rows = records(folder / table.file)
    match table.name:
        case "adult":
            test = [[*row[:-1], row[-1] + "."] for row in rows[ADULT_TRAIN:]]
            return [
                joined(rows[:ADULT_TRAIN], ", ") + b"\n",
                b"|1x3 Cross validator\n" + joined(test, ", ") + b"\n",
            ]
        case "ecoli" | "yeast":
            return [joined(rows, "  ")]
        case "heart-cleveland":
            whole = [
                [t if i in (9, 13) or t == "?" else t + ".0" for i, t in enumerate(row)]
                for row in rows
            ]
            return [joined(whole, ",")]
        case _:
            return [joined(rows, ",")]


DOWNLOADED = [table for table in TABLES.values() if table.urls]


def test_six_tables_are_downloaded():
    assert len(DOWNLOADED) == 6


@pytest.mark.parametrize("table", DOWNLOADED, ids=lambda table: table.name)
def test_raw_form_gives_the_known_file(table, data_folder):
    content = table.normalise(*raw_files(table, data_folder))
    assert content == (data_folder / table.file).read_bytes()


@pytest.mark.parametrize("table", DOWNLOADED, ids=lambda table: table.name)
def test_windows_line_ends_do_not_matter(table, data_folder):
    raw = [part.replace(b"\n", b"\r\n") for part in raw_files(table, data_folder)]
    assert table.normalise(*raw) == (data_folder / table.file).read_bytes()


@pytest.mark.parametrize("table", DOWNLOADED, ids=lambda table: table.name)
def test_download_to_data_set(table, data_folder, offline, tmp_path, monkeypatch):
    for url, raw in zip(table.urls, raw_files(table, data_folder), strict=True):
        (offline / url).parent.mkdir(exist_ok=True)
        (offline / url).write_bytes(raw)
    monkeypatch.delenv("MICROCELL_DATA")
    frame = DATASETS[table.name]().frame
    assert frame.shape == (table.records, len(table.columns))
    assert (tmp_path / "cache" / table.file).is_file()


def test_adult_without_data_folder():
    train = b"39, State-gov, 77516, ?, 13, a, b, c, d, e, 2174, 0, 40, f, <=50K\n\n"
    test = (
        b"|1x3 Cross validator\n25, ?, 1, g, 7, a, b, c, d, e, 0, 0, 40, f, >50K.\n\n"
    )
    header, first, second = TABLES["adult"].normalise(train, test).split()
    assert header.startswith(b"age,workclass,") and header.endswith(b",income")
    assert first == b"39,State-gov,77516,,13,a,b,c,d,e,2174,0,40,f,<=50K"
    assert second == b"25,,1,g,7,a,b,c,d,e,0,0,40,f,>50K"


def test_heart_keeps_oldpeak():
    raw = b"63.0,1.0,1.0,145.0,233.0,1.0,2.0,150.0,0.0,2.0,3.0,?,6.0,0\n"
    record = TABLES["heart-cleveland"].normalise(raw).splitlines()[1]
    assert record == b"63,1,1,145,233,1,2,150,0,2.0,3,,6,0"


@for_each("table", DOWNLOADED)
def test_a_web_page_does_not_break_a_normaliser(table):
    page = "<!doctype html>\n<p>Moved \N{RIGHTWARDS ARROW}</p>".encode("utf-16")
    assert table.normalise(*[page] * len(table.urls)).startswith(
        ",".join(table.columns).encode()
    )
