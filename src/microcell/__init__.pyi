from .compose import ByBlock as ByBlock
from .compose import ByStratum as ByStratum
from .compose import ByUnit as ByUnit
from .compose import Microaggregator as Microaggregator
from .compose import UnitsApart as UnitsApart
from .exceptions import PrivacyError as PrivacyError
from .exceptions import SchemaError as SchemaError
from .inspection import Inspection as Inspection
from .inspection import inspect as inspect
from .inspection import inspect_file as inspect_file
from .learning import ReleaseClassifier as ReleaseClassifier
from .learning import ReleaseRegressor as ReleaseRegressor
from .methods import METHODS as METHODS
from .recipe import Column as Column
from .recipe import Recipe as Recipe
from .recipe import Schema as Schema
from .release import Release as Release
from .release import anonymize as anonymize
from .release import anonymize_file as anonymize_file
from .release import apply_recipe as apply_recipe
from .release import check_file as check_file
from .release import measure as measure
from .release import measure_files as measure_files
from .selection import NoCandidate as NoCandidate
from .selection import compare as compare
from .selection import tune as tune

__version__: str
