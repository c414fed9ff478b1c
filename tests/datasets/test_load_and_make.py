import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_diabetes
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from microcell.datasets import (
    load_diabetes_patients,
    make_admissions,
    make_hospital,
    make_two_gaussians,
)


def test_diabetes_patients_are_those_of_scikit_learn():
    data, source = load_diabetes_patients(), load_diabetes(scaled=False)
    X, y = data.arrays()
    assert X.shape == (442, 4)
    assert_array_equal(X, source.data[:, :4] - [0, 1, 0, 0])  # sex 1, 2 coded 0, 1
    assert_array_equal(y, source.target)
    assert_array_equal(data.frame.select("s1", "s6"), source.data[:, [4, 9]])


def test_diabetes_patients_types():
    frame = load_diabetes_patients().frame
    assert frame.schema["age"] == pl.Int64
    assert frame["sex"].unique().sort().to_list() == ["1", "2"]
    assert frame.null_count().sum_horizontal().item() == 0


@pytest.mark.parametrize(("n_samples", "shares"), [(10, (5, 5)), (11, (6, 5))])
def test_two_gaussians_have_equal_shares(n_samples, shares):
    frame = make_two_gaussians(n_samples, random_state=0).frame
    assert frame.height == n_samples
    assert frame.schema["y"] == pl.Int64
    assert tuple(np.bincount(frame["y"])) == shares


def test_two_gaussians_have_the_means_covariance_and_overlap_of_the_docstring():
    X, y = make_two_gaussians(100_000, random_state=0).arrays()
    for label, mean in enumerate([(-1, 0), (1, 0)]):
        assert_allclose(X[y == label].mean(axis=0), mean, atol=0.02)
        covariance = np.cov(X[y == label], rowvar=False)
        assert_allclose(covariance, [[1, 0.6], [0.6, 1]], atol=0.02)
    score = LinearDiscriminantAnalysis().fit(X, y).score(X, y)
    assert score == pytest.approx(0.894, abs=0.005)


def test_two_gaussians_random_state():
    first, second, other = (make_two_gaussians(20, random_state=s) for s in (0, 0, 1))
    assert first.frame.equals(second.frame)
    assert not first.frame.equals(other.frame)
    state = np.random.RandomState(0)
    assert make_two_gaussians(20, random_state=state).frame.equals(first.frame)


@pytest.mark.parametrize("n_samples", [1, 2.5, "many"])
def test_two_gaussians_need_two_records(n_samples):
    with pytest.raises(ValueError, match=f"integer >= 2. Got {n_samples!r} instead"):
        make_two_gaussians(n_samples)


def test_hospital_has_the_columns_that_stewards_have():
    data = make_hospital(500, random_state=0)
    frame = data.frame
    assert frame.equals(make_hospital(500, random_state=0).frame)
    assert not frame.equals(make_hospital(500, random_state=1).frame)
    assert frame["postcode"].drop_nulls().str.len_chars().unique().to_list() == [5]
    assert frame["postcode"].str.starts_with("0").any()
    assert frame["household"].n_unique() < len(frame) / 1.5
    same_town = frame.group_by("household").agg(pl.col("city").n_unique())["city"]
    assert same_town.max() == 1
    for name in ("sex", "born", "postcode"):
        assert 0 < frame[name].null_count() < 50
    assert frame["weight"].min() > 1
    for wrong in (5, 2.5):
        with pytest.raises(ValueError, match="n_samples"):
            make_hospital(wrong)


def test_admissions_have_several_of_the_same_patients():
    data = make_admissions(1500, 900, random_state=0)
    frame = data.frame
    assert frame.equals(make_admissions(1500, 900, random_state=0).frame)
    assert not frame.equals(make_admissions(1500, 900, random_state=1).frame)
    patients = frame.group_by("patient_id")
    visits = patients.len()["len"]
    assert len(frame) == 1500 and len(visits) == 900
    assert (visits == 1).mean() > 0.5 and visits.max() > 8
    for name in ("born", "sex", "postcode", "hiv"):
        assert patients.agg(pl.col(name).n_unique())[name].max() == 1
    for name in ("admitted", "cost"):
        assert patients.agg(pl.col(name).n_unique())[name].max() > 8
    assert make_admissions(3, 3, random_state=0).frame["patient_id"].n_unique() == 3
    with pytest.raises(ValueError, match=r"n_admissions.* >= 9\. Got 8"):
        make_admissions(8, 9)
    with pytest.raises(ValueError, match="n_patients"):
        make_admissions(8, 0)
