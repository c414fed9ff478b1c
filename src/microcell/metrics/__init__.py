"""Utility and risk of a release, each a plain function of two tables.

`_loss` and `_risk` are better low, `_score` is better high. The one exception is
`score`, named so in the literature: half loss, half risk, better low.
"""

from microcell.bounds import loss_lower_bound
from microcell.metrics._association_matrix import association_matrix
from microcell.metrics._attribute_inference import (
    AttributeInferenceRisk,
    attribute_inference_risk,
)
from microcell.metrics._combined_distortion import combined_distortion
from microcell.metrics._combined_utility import (
    combined_utility_score,
    weighted_utility,
)
from microcell.metrics._differential_attack import (
    DifferentialAttack,
    centroid_linkage_risk,
    differential_attack,
)
from microcell.metrics._distance_linkage import (
    MIN_RELATIVE_DISTANCE as MIN_RELATIVE_DISTANCE,
)
from microcell.metrics._distance_linkage import distance_linkage_risk, linkage_risks
from microcell.metrics._distance_linkage import (
    sampled_linkage_risks as sampled_linkage_risks,
)
from microcell.metrics._distance_linkage_kernel import SAME_DISTANCE as SAME_DISTANCE
from microcell.metrics._figures import COMPARED as COMPARED
from microcell.metrics._figures import DISCLOSED as DISCLOSED
from microcell.metrics._figures import FOUND_K as FOUND_K
from microcell.metrics._figures import LABEL_WIDTH as LABEL_WIDTH
from microcell.metrics._figures import LEARNT as LEARNT
from microcell.metrics._figures import SAMPLED_LINKAGE as SAMPLED_LINKAGE
from microcell.metrics._figures import SECONDS as SECONDS
from microcell.metrics._figures import Figure as Figure
from microcell.metrics._figures import Scores, ShownScore
from microcell.metrics._figures import labelled as labelled
from microcell.metrics._figures import shown as shown
from microcell.metrics._group_validity import (
    group_davies_bouldin_loss,
    group_silhouette_score,
)
from microcell.metrics._homogeneity import CellSums as CellSums
from microcell.metrics._homogeneity import Homogeneity, homogeneity
from microcell.metrics._homogeneity import cells_of as cells_of
from microcell.metrics._household_risk import HouseholdRisk, household_risk
from microcell.metrics._information_loss import InformationLoss, information_loss
from microcell.metrics._interval_disclosure import (
    column_disclosure as column_disclosure,
)
from microcell.metrics._interval_disclosure import interval_disclosure_risk
from microcell.metrics._journalist_risk import (
    JournalistRisk,
    journalist_risk,
    population_journalist_risk,
)
from microcell.metrics._learning_utility import (
    LearningUtility,
    learning_utility,
    mean_interval,
    split_and_scale,
    train_and_test,
)
from microcell.metrics._learning_utility import default_estimator as default_estimator
from microcell.metrics._learning_utility import hold_out as hold_out
from microcell.metrics._learning_utility import task_of as task_of
from microcell.metrics._marketer_risk import MarketerRisk, marketer_risk
from microcell.metrics._measures import EXPENSIVE_FROM as EXPENSIVE_FROM
from microcell.metrics._measures import (
    MEASURES,
    REORDERED,
    Comparison,
    Measure,
    cell_scores,
    check_measures,
    chosen_measures,
    compute_scores,
)
from microcell.metrics._probabilistic_information_loss import (
    ProbabilisticInformationLoss,
    probabilistic_information_loss,
)
from microcell.metrics._probabilistic_linkage import probabilistic_linkage_risk
from microcell.metrics._reidentification import (
    ReidentificationRisk,
    reidentification_risk,
    risk_of_class_sizes,
)
from microcell.metrics._relative_scores import relative_scores
from microcell.metrics._rounding import rounded_figures as rounded_figures
from microcell.metrics._rounding import rounded_joint as rounded_joint
from microcell.metrics._rounding import rounded_loss as rounded_loss
from microcell.metrics._score import DisclosureRisk, Score, disclosure_risk, score
from microcell.metrics._score import known_blocks as known_blocks
from microcell.metrics._separability import separability_score
from microcell.metrics._singling_out import SinglingOutRisk, singling_out_risk
from microcell.metrics._sse_loss import mse_distortion, relative_loss, sse_loss
from microcell.metrics._structural import structural_score
from microcell.metrics._subset_linkage import DRAWN_SUBSETS as DRAWN_SUBSETS
from microcell.metrics._subset_linkage import MAX_SUBSET_COLUMNS as MAX_SUBSET_COLUMNS
from microcell.metrics._subset_linkage import SUBSETS_SEED as SUBSETS_SEED
from microcell.metrics._subset_linkage import ClassCounter as ClassCounter
from microcell.metrics._subset_linkage import (
    SizeRisk,
    SubsetLinkageRisk,
    SubsetRisk,
    subset_linkage_risk,
)
from microcell.metrics._subset_linkage import affordable_subsets as affordable_subsets
from microcell.metrics._subset_linkage import mean_increases as mean_increases
from microcell.metrics._subset_linkage import size_risk as size_risk
from microcell.metrics._subset_linkage import subsets_by_size as subsets_by_size
from microcell.metrics._success_rate import (
    ExcessRisk,
    SuccessRate,
    excess_risk,
    success_rate,
    wilson_interval,
)

__all__ = [
    "MEASURES",
    "REORDERED",
    "AttributeInferenceRisk",
    "Comparison",
    "JournalistRisk",
    "DifferentialAttack",
    "DisclosureRisk",
    "ExcessRisk",
    "Homogeneity",
    "HouseholdRisk",
    "InformationLoss",
    "LearningUtility",
    "MarketerRisk",
    "Measure",
    "ProbabilisticInformationLoss",
    "ReidentificationRisk",
    "Score",
    "Scores",
    "ShownScore",
    "SinglingOutRisk",
    "SizeRisk",
    "SubsetLinkageRisk",
    "SubsetRisk",
    "SuccessRate",
    "association_matrix",
    "attribute_inference_risk",
    "cell_scores",
    "centroid_linkage_risk",
    "check_measures",
    "chosen_measures",
    "combined_distortion",
    "combined_utility_score",
    "compute_scores",
    "differential_attack",
    "disclosure_risk",
    "distance_linkage_risk",
    "excess_risk",
    "group_davies_bouldin_loss",
    "group_silhouette_score",
    "homogeneity",
    "household_risk",
    "information_loss",
    "interval_disclosure_risk",
    "journalist_risk",
    "learning_utility",
    "linkage_risks",
    "loss_lower_bound",
    "marketer_risk",
    "mean_interval",
    "mse_distortion",
    "population_journalist_risk",
    "probabilistic_information_loss",
    "probabilistic_linkage_risk",
    "reidentification_risk",
    "relative_scores",
    "risk_of_class_sizes",
    "score",
    "separability_score",
    "singling_out_risk",
    "split_and_scale",
    "relative_loss",
    "sse_loss",
    "structural_score",
    "subset_linkage_risk",
    "success_rate",
    "train_and_test",
    "weighted_utility",
    "wilson_interval",
]
