import microcell.bounds

from ._association_matrix import association_matrix as association_matrix
from ._attribute_inference import AttributeInferenceRisk as AttributeInferenceRisk
from ._attribute_inference import attribute_inference_risk as attribute_inference_risk
from ._combined_distortion import combined_distortion as combined_distortion
from ._combined_utility import combined_utility_score as combined_utility_score
from ._combined_utility import weighted_utility as weighted_utility
from ._differential_attack import DifferentialAttack as DifferentialAttack
from ._differential_attack import centroid_linkage_risk as centroid_linkage_risk
from ._differential_attack import differential_attack as differential_attack
from ._distance_linkage import MIN_RELATIVE_DISTANCE as MIN_RELATIVE_DISTANCE
from ._distance_linkage import distance_linkage_risk as distance_linkage_risk
from ._distance_linkage import linkage_risks as linkage_risks
from ._distance_linkage import sampled_linkage_risks as sampled_linkage_risks
from ._distance_linkage_kernel import SAME_DISTANCE as SAME_DISTANCE
from ._figures import COMPARED as COMPARED
from ._figures import DISCLOSED as DISCLOSED
from ._figures import FOUND_K as FOUND_K
from ._figures import LABEL_WIDTH as LABEL_WIDTH
from ._figures import LEARNT as LEARNT
from ._figures import SAMPLED_LINKAGE as SAMPLED_LINKAGE
from ._figures import SECONDS as SECONDS
from ._figures import Figure as Figure
from ._figures import Scores as Scores
from ._figures import ShownScore as ShownScore
from ._figures import labelled as labelled
from ._figures import shown as shown
from ._group_validity import group_davies_bouldin_loss as group_davies_bouldin_loss
from ._group_validity import group_silhouette_score as group_silhouette_score
from ._homogeneity import CellSums as CellSums
from ._homogeneity import Homogeneity as Homogeneity
from ._homogeneity import cells_of as cells_of
from ._homogeneity import homogeneity as homogeneity
from ._household_risk import HouseholdRisk as HouseholdRisk
from ._household_risk import household_risk as household_risk
from ._information_loss import InformationLoss as InformationLoss
from ._information_loss import information_loss as information_loss
from ._interval_disclosure import column_disclosure as column_disclosure
from ._interval_disclosure import interval_disclosure_risk as interval_disclosure_risk
from ._journalist_risk import JournalistRisk as JournalistRisk
from ._journalist_risk import journalist_risk as journalist_risk
from ._journalist_risk import population_journalist_risk as population_journalist_risk
from ._learning_utility import LearningUtility as LearningUtility
from ._learning_utility import default_estimator as default_estimator
from ._learning_utility import hold_out as hold_out
from ._learning_utility import learning_utility as learning_utility
from ._learning_utility import mean_interval as mean_interval
from ._learning_utility import split_and_scale as split_and_scale
from ._learning_utility import task_of as task_of
from ._learning_utility import train_and_test as train_and_test
from ._marketer_risk import MarketerRisk as MarketerRisk
from ._marketer_risk import marketer_risk as marketer_risk
from ._measures import EXPENSIVE_FROM as EXPENSIVE_FROM
from ._measures import MEASURES as MEASURES
from ._measures import REORDERED as REORDERED
from ._measures import Comparison as Comparison
from ._measures import Measure as Measure
from ._measures import cell_scores as cell_scores
from ._measures import check_measures as check_measures
from ._measures import chosen_measures as chosen_measures
from ._measures import compute_scores as compute_scores
from ._probabilistic_information_loss import (
    ProbabilisticInformationLoss as ProbabilisticInformationLoss,
)
from ._probabilistic_information_loss import (
    probabilistic_information_loss as probabilistic_information_loss,
)
from ._probabilistic_linkage import (
    probabilistic_linkage_risk as probabilistic_linkage_risk,
)
from ._reidentification import ReidentificationRisk as ReidentificationRisk
from ._reidentification import reidentification_risk as reidentification_risk
from ._reidentification import risk_of_class_sizes as risk_of_class_sizes
from ._relative_scores import relative_scores as relative_scores
from ._rounding import rounded_figures as rounded_figures
from ._rounding import rounded_joint as rounded_joint
from ._rounding import rounded_loss as rounded_loss
from ._score import DisclosureRisk as DisclosureRisk
from ._score import Score as Score
from ._score import disclosure_risk as disclosure_risk
from ._score import known_blocks as known_blocks
from ._score import score as score
from ._separability import separability_score as separability_score
from ._singling_out import SinglingOutRisk as SinglingOutRisk
from ._singling_out import singling_out_risk as singling_out_risk
from ._sse_loss import mse_distortion as mse_distortion
from ._sse_loss import relative_loss as relative_loss
from ._sse_loss import sse_loss as sse_loss
from ._structural import structural_score as structural_score
from ._subset_linkage import DRAWN_SUBSETS as DRAWN_SUBSETS
from ._subset_linkage import MAX_SUBSET_COLUMNS as MAX_SUBSET_COLUMNS
from ._subset_linkage import SUBSETS_SEED as SUBSETS_SEED
from ._subset_linkage import ClassCounter as ClassCounter
from ._subset_linkage import SizeRisk as SizeRisk
from ._subset_linkage import SubsetLinkageRisk as SubsetLinkageRisk
from ._subset_linkage import SubsetRisk as SubsetRisk
from ._subset_linkage import affordable_subsets as affordable_subsets
from ._subset_linkage import mean_increases as mean_increases
from ._subset_linkage import size_risk as size_risk
from ._subset_linkage import subset_linkage_risk as subset_linkage_risk
from ._subset_linkage import subsets_by_size as subsets_by_size
from ._success_rate import ExcessRisk as ExcessRisk
from ._success_rate import SuccessRate as SuccessRate
from ._success_rate import excess_risk as excess_risk
from ._success_rate import success_rate as success_rate
from ._success_rate import wilson_interval as wilson_interval
from ._visits_risk import VisitsRisk as VisitsRisk
from ._visits_risk import visits_risk as visits_risk
from ._visits_risk import visits_values as visits_values

loss_lower_bound = microcell.bounds.loss_lower_bound
