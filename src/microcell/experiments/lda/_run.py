"""What is run: data sets, repetitions, values of k, and the ways to mask."""

from sklearn.base import clone

from microcell.compose._microaggregator import Microaggregator
from microcell.compose._tuned import TunedMicroaggregator
from microcell.embed import LinearDiscriminantRotation
from microcell.experiments._learning import ALL_RECORDS, FULL, QUICK, Setting
from microcell.methods import ALPHAS
from microcell.partition import MDAV

PLANS = {"full": [*FULL, ALL_RECORDS], "quick": QUICK}
HONEST = Setting("MDAV with LDA", honest=True)


def settings_of(name):
    """MDAV, MDAV with LDA for each alpha, and alpha chosen inside the training part."""
    published = [Setting("MDAV")] + [
        Setting("MDAV with LDA", alpha) for alpha in ALPHAS
    ]
    return published if name == "adult (all)" else [*published, HONEST]


def build(setting, k, model):
    """The microaggregator of a setting; records are standardised already."""
    if setting.method == "MDAV":
        return Microaggregator(MDAV(k))
    if setting.honest:
        return TunedMicroaggregator(
            MDAV(k),
            embed=LinearDiscriminantRotation(),
            parameter="embed__alpha",
            values=ALPHAS,
            estimator=clone(model),
        )
    return Microaggregator(MDAV(k), embed=LinearDiscriminantRotation(setting.parameter))
