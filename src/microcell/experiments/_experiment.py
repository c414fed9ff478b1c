"""What an experiment is: a paper, its data, and the ways to mask that it compares."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sklearn.base import clone

from microcell.compose import Microaggregator, TunedMicroaggregator
from microcell.experiments._claims import Claim
from microcell.partition import MDAV

ALL_VALUES = (5, 10, 20, 50, 100, 200, 500, 1000)
EXPENSIVE_CHOICES = {"adult": (5, 50, 200, 1000)}  # trees for each value in each fold
FEW_VALUES = (5, 50, 100)
SETS = ("adult", "breast", "heart", "synthetic")
PLANS = {
    "full": [
        *((name, 10, ALL_VALUES) for name in SETS),
        ("adult (all)", 3, (50, 1000)),  # ours, not the papers'
    ],
    "quick": [("adult", 2, (50, 500)), *((name, 2, FEW_VALUES) for name in SETS[1:])],
}


@dataclass(frozen=True)
class Paper:
    """Where an experiment comes from.

    Examples
    --------
    >>> Paper("Modeling Projections in Microaggregation", "Nin and Torra").cited
    'Modeling Projections in Microaggregation (Nin and Torra)'
    """

    title: str
    authors: str

    @property
    def cited(self):
        """Title and authors in one line."""
        return f"{self.title} ({self.authors})"

    def claim(self, claim, ours, verdict, reading="", *, printed=""):
        """One of its claims beside our figures; see `Claim`."""
        return Claim(self.title, claim, printed, ours, verdict, reading)


@dataclass(frozen=True)
class Setting:
    """A way to mask the training part.

    Attributes
    ----------
    method : str
        Name in figures and tables.
    parameter : float or None
        What the papers choose on the test records (alpha, lambda).
    honest : bool
        Whether the parameter is chosen inside the training part instead.
    """

    method: str
    parameter: float | None = None
    honest: bool = False


@dataclass(frozen=True)
class Tuned:
    """MDAV on an embedding whose parameter the paper chooses on the test records.

    Attributes
    ----------
    method : str
        Name in figures and tables.
    embed : callable
        Takes the parameter; returns the embedding.
    parameter : str
        Its name in the embedding.
    values : tuple of float
        Values to try.
    weighs_target : bool
        Whether the parameter is the weight of the confidential attribute in the
        combined distortion.
    """

    method: str
    embed: Callable
    parameter: str
    values: tuple
    weighs_target: bool = False

    @property
    def symbol(self):
        """The parameter's name in the paper."""
        return self.parameter.removesuffix("_")

    @property
    def as_published(self):
        """Label of the paper's protocol."""
        how = "as in the paper (best on the test records)"
        return f"{self.method}, {self.symbol} {how}"

    @property
    def as_honest(self):
        """Label of a choice that a user can make."""
        return f"{self.method}, {self.symbol} chosen on the training records"

    def measured_as(self, measure):
        """The column of a measure: distortion is the combined one if it is weighed."""
        weighed = measure == "distortion" and self.weighs_target
        return "combined" if weighed else measure


@dataclass(frozen=True)
class Experiment:
    """What models learn from releases: one description, run by `run_experiment`.

    The protocol is the same in all: records are split and scaled by the training part,
    that part is masked by each setting, and a model that was trained on the release is
    tested on the untouched records. The parameter of the tuned method is taken both as
    in the paper, best on the test records, and honestly, by cross-validation inside the
    training part.

    Attributes
    ----------
    name : str
        The subject; also the folder of its results.
    paper : Paper
    plain : dict
        Methods without a parameter: name, and a callable from k to the partitioner.
    tuned : Tuned
        The paper's.
    beside : tuple of Tuned
        Ours, to compare with; only their honest choices are shown.
    figures : dict
        Files of each data set: that of utility against k and, in the second place, if
        any, that of distortion. Numbers are the paper's.
    plans : dict
        "full" and "quick": data sets, repetitions and values of k.
    printed : dict
        Accuracies that the paper prints: data set, label of the curve, points (k, %).
    measures_all : bool
        Whether all measures of a release are taken, to see which of them predicts the
        accuracy.
    """

    name: str
    paper: Paper
    plain: dict
    tuned: Tuned
    figures: dict
    plans: dict
    beside: tuple = ()
    printed: dict = field(default_factory=dict)
    measures_all: bool = False

    def settings_of(self, data, k):
        """Plain methods, each value of the parameter, and honest choices.

        Of all records of Adult there are none, and of its sample only at some k: they
        would take hours.
        """
        settings = self.published_settings()
        if data == "adult (all)":
            return settings
        for tuned in self.beside:
            settings += [Setting(tuned.method, value) for value in tuned.values]
        if k in EXPENSIVE_CHOICES.get(data, (k,)):
            everyone = (self.tuned, *self.beside)
            settings += [Setting(tuned.method, honest=True) for tuned in everyone]
        return settings

    def published_settings(self):
        """What the paper compares: plain methods and each value of its parameter."""
        tuned = self.tuned
        return [
            *(Setting(method) for method in self.plain),
            *(Setting(tuned.method, value) for value in tuned.values),
        ]

    def tuned_of(self, method):
        """The description of a tuned method, or None of a plain one."""
        tuned = {t.method: t for t in (self.tuned, *self.beside)}
        return tuned.get(method)

    def build(self, setting, k, model):
        """The microaggregator of a setting; records are standardised already."""
        tuned = self.tuned_of(setting.method)
        if tuned is None:
            return Microaggregator(self.plain[setting.method](k))
        if setting.honest:
            return TunedMicroaggregator(
                MDAV(k),
                embed=tuned.embed(),
                parameter=f"embed__{tuned.parameter}",
                values=tuned.values,
                estimator=clone(model),
            )
        return Microaggregator(MDAV(k), embed=tuned.embed(setting.parameter))
