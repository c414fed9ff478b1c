"""What is run: data sets, repetitions, values of k, and the ways to mask."""

from sklearn.base import clone

from microcell.compose._microaggregator import Microaggregator
from microcell.compose._tuned import TunedMicroaggregator
from microcell.embed import StatisticalDependence
from microcell.experiments._learning import ALL_RECORDS, FULL, QUICK, Setting
from microcell.methods import LAMBDAS
from microcell.partition import MDAV, VMDAV, Mondrian

PLANS = {"full": [*FULL, ALL_RECORDS], "quick": QUICK}
GAMMA = 0.9  # as in the paper
PLAIN = {
    "MDAV": MDAV,
    "V-MDAV": lambda k: VMDAV(k, gamma=GAMMA),
    "Mondrian": Mondrian,
}


def settings_of(name):
    """The plain methods, MDAV with SD for each lambda, and lambda chosen honestly."""
    plain = [Setting(method) for method in PLAIN]
    published = [Setting("MDAV with SD", share) for share in LAMBDAS]
    if name == "adult (all)":
        return plain + published
    return [*plain, *published, Setting("MDAV with SD", honest=True)]


def build(setting, k, model):
    """The microaggregator of a setting; records are standardised already."""
    if setting.method in PLAIN:
        return Microaggregator(PLAIN[setting.method](k))
    if setting.honest:
        return TunedMicroaggregator(
            MDAV(k),
            embed=StatisticalDependence(),
            parameter="embed__lambda_",
            values=LAMBDAS,
            estimator=clone(model),
        )
    return Microaggregator(MDAV(k), embed=StatisticalDependence(setting.parameter))
