"""Published facts of the benchmark tables, on the files themselves."""

import hashlib

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from microcell import datasets
from microcell.datasets import DATASETS
from microcell.datasets._benchmark_tables import TABLES

# name: quasi-identifiers, identifiers, missing values, counts of the confidential
FACTS = {
    "adult": (
        6,
        0,
        {"workclass": 2799, "occupation": 2809, "native-country": 857},
        {"<=50K": 37155, ">50K": 11687},
    ),
    "breast-cancer-wisconsin": (9, 1, {"bare_nuclei": 16}, {2: 458, 4: 241}),
    "census": (13, 0, {}, None),
    "ecoli": (
        7,
        1,
        {},
        dict(cp=143, im=77, pp=52, imU=35, om=20, omL=5, imL=2, imS=2),
    ),
    "eia": (11, 0, {}, None),
    "electrical-grid": (12, 0, {}, None),
    "glass": (9, 1, {}, {1: 70, 2: 76, 3: 17, 5: 13, 6: 9, 7: 29}),
    "heart-cleveland": (
        13,
        0,
        {"ca": 4, "thal": 2},
        {0: 164, 1: 55, 2: 36, 3: 35, 4: 13},
    ),
    "page-blocks": (10, 0, {}, {1: 4913, 2: 329, 3: 28, 4: 88, 5: 115}),
    "pima-diabetes": (8, 0, {}, {0: 500, 1: 268}),
    "waveform": (21, 0, {}, {0: 1657, 1: 1647, 2: 1696}),
    "yeast": (
        8,
        1,
        {},
        dict(
            CYT=463,
            NUC=429,
            MIT=244,
            ME3=163,
            ME2=51,
            ME1=44,
            EXC=35,
            VAC=30,
            POX=20,
            ERL=5,
        ),
    ),
}
COMPLETE = {"adult": 45222, "breast-cancer-wisconsin": 683, "heart-cleveland": 297}


def missing(frame):
    counts = {column.name: column.null_count() for column in frame}
    return {name: count for name, count in counts.items() if count}


def counts(column):
    return dict(column.value_counts().iter_rows())


def test_facts_cover_all_tables():
    assert set(FACTS) == set(TABLES)


@pytest.mark.parametrize("name", FACTS)
def test_facts(name, data_folder):
    data, table = DATASETS[name](), TABLES[name]
    n_quasi, n_identifiers, missing_values, classes = FACTS[name]
    assert data.name == name
    assert data.frame.shape == (table.records, len(table.columns))
    assert tuple(data.frame.columns) == table.columns
    assert len(data.schema.quasi_identifiers) == n_quasi
    assert len(data.schema.identifiers) == n_identifiers
    assert data.schema.released(data.frame.columns)
    assert missing(data.frame) == missing_values
    if classes is not None:
        assert counts(data.frame[data.schema.confidential[0]]) == classes


@pytest.mark.parametrize("name", FACTS)
def test_arrays(name, data_folder):
    data = DATASETS[name](**({"drop_missing": True} if name in COMPLETE else {}))
    X, y = data.arrays()
    assert X.shape == (data.frame.height, len(data.schema.quasi_identifiers))
    assert np.isfinite(X).all()
    assert y is None if name in ("census", "eia") else y.shape == X.shape[:1]


@pytest.mark.parametrize("name", COMPLETE)
def test_complete_records(name, data_folder):
    frame = DATASETS[name](drop_missing=True).frame
    assert frame.height == COMPLETE[name]
    assert missing(frame) == {}


def test_known_sha256_is_that_of_the_files(data_folder):
    for table in TABLES.values():
        content = (data_folder / table.file).read_bytes()
        assert hashlib.sha256(content).hexdigest() == table.sha256


def test_adult_of_arx(data_folder):
    data = datasets.fetch_adult(quasi_identifiers="arx", drop_missing=True)
    assert counts(data.frame["income"]) == {"<=50K": 34014, ">50K": 11208}
    assert "fnlwgt" not in data.schema.released(data.frame.columns)
    assert data.schema.released(data.frame.columns) == [
        *("age", "workclass", "education", "marital-status", "occupation", "race"),
        *("sex", "native-country", "income"),
    ]


def test_adult_missing_values_are_an_error_in_arrays(data_folder):
    data = datasets.fetch_adult(quasi_identifiers="arx")
    with pytest.raises(ValueError, match=r"native-country \(857\), workclass \(2799\)"):
        data.arrays()


def test_adult_codes_follow_sorted_text(data_folder):
    X, y = datasets.fetch_adult().arrays()
    assert_array_equal(X[0], [39, 13, 4, 1, 2174, 40])  # Never-married, Male
    assert y[0] == 0 and y.sum() == 11687


def test_adult_unknown_quasi_identifiers():
    with pytest.raises(ValueError, match=r"one of \['papers', 'arx'\]. Got 'all'"):
        datasets.fetch_adult(quasi_identifiers="all")


def test_eia_with_ten_attributes(data_folder):
    data = datasets.fetch_eia(utility_id=False)
    assert len(data.schema.quasi_identifiers) == 10
    released = data.schema.released(data.frame.columns)
    assert released == list(data.schema.quasi_identifiers)
    assert datasets.fetch_eia().schema.quasi_identifiers[0] == "UTILITYID"


def test_electrical_grid_is_unstable_when_stab_is_positive(data_folder):
    data = datasets.fetch_electrical_grid()
    X, y = data.arrays()
    assert data.schema.confidential == ("stab", "stabf")
    assert_array_equal(data.frame["stabf"] == "unstable", y > 0)
    assert counts(data.frame["stabf"]) == {"unstable": 6380, "stable": 3620}
    assert_allclose(X[:, 4], -X[:, 5:8].sum(axis=1))


def test_heart_codes_are_nominal(data_folder):
    kinds = datasets.fetch_heart_cleveland().schema.kinds
    codes = ["sex", "cp", "fbs", "restecg", "exang", "slope", "thal"]
    assert kinds == dict.fromkeys(codes, "nominal")


def test_pima_zeros(data_folder):
    zeros = {"plas": 5, "pres": 35, "skin": 227, "insu": 374, "mass": 11}
    data = datasets.fetch_pima_diabetes(zero_is_missing=True)
    assert missing(data.frame) == zeros
    assert data.frame.columns == datasets.fetch_pima_diabetes().frame.columns
    with pytest.raises(ValueError, match=r"plas \(5\).*drop_missing=True"):
        data.arrays()
    data = datasets.fetch_pima_diabetes(zero_is_missing=True, drop_missing=True)
    assert data.frame.height == 392


def test_pima_has_nothing_to_drop_while_zeros_are_values():
    with pytest.raises(ValueError, match="needs zero_is_missing=True"):
        datasets.fetch_pima_diabetes(drop_missing=True)


def test_yeast_repeats(data_folder):
    frame = datasets.fetch_yeast().frame
    assert frame.height - frame.unique().height == 22
