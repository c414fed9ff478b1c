"""Utility and risk of a release, each a plain function of two tables.

`_loss` and `_risk` are better low, `_score` is better high. The one exception is
`score`, named so in the literature: half loss, half risk, better low.

Names are loaded when they are first used.
"""

import lazy_loader

from microcell.bounds import loss_lower_bound

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)

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
