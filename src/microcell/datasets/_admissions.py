"""Generated admissions of a hospital, several of them of the same patients."""

from __future__ import annotations

import numpy as np
import polars as pl
from sklearn.utils import check_random_state

from microcell._validation import check_count
from microcell.datasets._dataset import Dataset
from microcell.recipe import Schema

# Main diagnoses: the ward, the age at which they are most common, usual days of stay,
# how often they bring a patient back, and cost for each day.
DIAGNOSES = {
    "C34": ("oncology", 68, 7, 2.5, 900),
    "C50": ("oncology", 60, 5, 2.5, 950),
    "C90": ("oncology", 72, 9, 3.0, 1100),
    "E10": ("internal", 25, 4, 1.5, 450),
    "E11": ("internal", 62, 5, 1.5, 450),
    "I10": ("cardiology", 60, 3, 1.0, 500),
    "I21": ("cardiology", 66, 8, 1.2, 1200),
    "I50": ("cardiology", 78, 9, 2.0, 600),
    "J18": ("internal", 72, 8, 0.8, 480),
    "J44": ("internal", 70, 7, 2.0, 470),
    "J45": ("paediatrics", 12, 3, 1.2, 420),
    "K35": ("surgery", 22, 4, 0.4, 800),
    "K80": ("surgery", 55, 5, 0.6, 750),
    "M16": ("surgery", 69, 9, 0.5, 850),
    "N18": ("nephrology", 70, 6, 4.0, 700),
    "O80": ("obstetrics", 30, 3, 0.5, 600),
    "S06": ("surgery", 15, 2, 0.3, 700),
    "S72": ("surgery", 80, 12, 0.5, 650),
}
SECOND = ("none", "E11", "E78", "F32", "I10", "I48", "J44", "N18")
N_POSTCODES = 80
FIRST_BIRTH, DAYS_OF_BIRTH = np.datetime64("1920-01-01"), 104 * 365
FIRST_ADMISSION, DAYS_OF_ADMISSIONS = np.datetime64("2021-01-01"), 3 * 365


def make_admissions(
    n_admissions: int = 8000,
    n_patients: int = 5200,
    *,
    random_state: int | np.random.RandomState | None = None,
) -> Dataset:
    """Admissions of a hospital: most patients come once, some many times.

    A patient keeps birth date, sex, postcode and HIV status, and as a rule the disease
    that brings them back; each admission has its date, diagnoses, ward, stay and cost.
    Nobody in it is real.

    Parameters
    ----------
    n_admissions : int, default=8000
        Number of records, at least as many as patients.
    n_patients : int, default=5200
        Number of people, at least 1; each has an admission.
    random_state : int, RandomState instance or None, default=None
        Draws of the patients and of their admissions, as in scikit-learn.

    Examples
    --------
    >>> make_admissions(300, 200, random_state=0)
    Dataset 'admissions': 300 records, 11 attributes
      quasi-identifiers (8): born, sex, postcode, admitted, diagnosis, also, ward, stay
      confidential (2): hiv, cost
      identifiers, never released (1): patient_id
    """
    check_count(n_patients, 1, "n_patients")
    n = check_count(n_admissions, n_patients, "n_admissions")
    rng = check_random_state(random_state)
    names, facts = list(DIAGNOSES), list(DIAGNOSES.values())
    wards = np.array([ward for ward, *_ in facts])
    peak, days, returns, cost = np.array([fact[1:] for fact in facts]).T
    days_on = rng.beta(1.6, 2.2, n_patients) * DAYS_OF_BIRTH
    born = FIRST_BIRTH + days_on.astype(np.int64)
    age = (FIRST_ADMISSION - born).astype(np.int64) / 365.25
    disease = _drawn(rng, np.exp(-np.abs(age[:, None] - peak) / 14))
    female = (rng.rand(n_patients) < 0.52) | np.isin(disease, [1, 15])
    shares = 1 / np.arange(5, N_POSTCODES + 5)
    postcode = rng.choice(N_POSTCODES, n_patients, p=shares / shares.sum())
    hiv = rng.rand(n_patients) < 0.02
    frailty = returns[disease] * rng.gamma(0.6, 1.0, n_patients) + 1e-9
    again = rng.choice(n_patients, n - n_patients, p=frailty / frailty.sum())
    patient = rng.permutation(np.concatenate([np.arange(n_patients), again]))
    day = rng.randint(0, DAYS_OF_ADMISSIONS, n)
    others = np.exp(-np.abs(age[patient, None] - peak) / 14)
    diagnosis = np.where(rng.rand(n) < 0.7, disease[patient], _drawn(rng, others))
    elsewhere = rng.choice(wards, n)
    ward = np.where(rng.rand(n) < 0.9, wards[diagnosis], elsewhere)
    stay = 1 + rng.poisson(days[diagnosis] * rng.gamma(4.0, 0.25, n))
    many = np.clip(age[patient, None] / 90, 0.05, 0.9)
    weights = np.column_stack(
        [1 - many, many * np.linspace(0.3, 0.05, len(SECOND) - 1)]
    )
    second = _drawn(rng, weights)
    frame = pl.DataFrame(
        {
            "patient_id": [f"P{number:07d}" for number in rng.permutation(n)[patient]],
            "born": born[patient],
            "sex": np.where(female[patient], "f", "m"),
            "postcode": [f"{10115 + 7 * place}" for place in postcode[patient]],
            "admitted": FIRST_ADMISSION + day,
            "diagnosis": np.array(names)[diagnosis],
            "also": np.array(SECOND)[second],
            "ward": ward,
            "stay": stay,
            "hiv": np.where(hiv[patient], "positive", "negative"),
            "cost": np.round(cost[diagnosis] * stay * rng.lognormal(0, 0.3, n)),
        }
    ).with_columns(pl.col("born", "admitted").cast(pl.Date), pl.col("cost").cast(int))
    return Dataset(
        "admissions",
        frame,
        Schema(
            [
                name
                for name in frame.columns
                if name not in ("patient_id", "hiv", "cost")
            ],
            identifiers=["patient_id"],
            confidential=["hiv", "cost"],
        ),
        description="Admissions of a hospital, several of them of the same patients.",
        source="generated by microcell",
        licence="none needed",
    )


def _drawn(rng: np.random.RandomState, weights: np.ndarray) -> np.ndarray:
    """A column for each row, drawn by its weights."""
    ends = np.cumsum(weights, axis=1)
    return np.argmax(rng.rand(len(weights), 1) * ends[:, -1:] < ends, axis=1)
