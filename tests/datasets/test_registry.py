import pytest

from microcell import datasets
from microcell.datasets import DATASETS, available, describe
from microcell.datasets._benchmark_tables import TABLES


@pytest.fixture(autouse=True)
def no_data_folder(monkeypatch):
    monkeypatch.delenv("MICROCELL_DATA", raising=False)


def test_every_public_function_is_registered_under_its_name():
    public = {
        name.split("_", 1)[1].replace("_", "-"): getattr(datasets, name)
        for name in datasets.__all__
        if name.startswith(("fetch_", "load_", "make_"))
    }
    assert public == DATASETS


def test_available_without_files():
    assert available("diabetes-patients") == "shipped"
    assert available("two-gaussians") == "generated"
    assert available("adult") == "needs download"
    assert available("census") == "needs a copy in MICROCELL_DATA"


def test_available_finds_files_without_reading_them(tmp_path, monkeypatch):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "adult.csv").touch()
    assert available("adult") == "found in cache"
    (tmp_path / "adult.csv").touch()
    monkeypatch.setenv("MICROCELL_DATA", str(tmp_path))
    assert available("adult") == "found in MICROCELL_DATA"


def test_unknown_name():
    with pytest.raises(ValueError, match=r"no data set 'cencus'\. Did you mean 'cens"):
        available("cencus")


def test_describe_has_a_row_for_each_data_set():
    table = describe()
    assert table["name"].to_list() == list(DATASETS)
    records = dict(table.select("name", "records").iter_rows())
    assert records["adult"] == 48842 and len(TABLES) == len(DATASETS) - 4


@pytest.mark.parametrize("name", ["diabetes-patients", "two-gaussians"])
def test_describe_agrees_with_the_data(name):
    shape = describe().filter(name=name).select("records", "attributes").row(0)
    assert shape == DATASETS[name]().frame.shape
