from ._evaluation import HELD_OUT as HELD_OUT
from ._evaluation import HOLD_OUTS as HOLD_OUTS
from ._evaluation import Evaluation as Evaluation
from ._evaluation import evaluation_of as evaluation_of
from ._trained_on_release import ReleaseClassifier as ReleaseClassifier
from ._trained_on_release import ReleaseRegressor as ReleaseRegressor
