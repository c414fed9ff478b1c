from ._engines import choose_engine as choose_engine
from ._engines import is_folder as is_folder
from ._files import run_in_shards as run_in_shards
from ._parts import open_parts as open_parts
from ._spark import mask_on_spark as mask_on_spark
from ._spark_folder import StagedFolder as StagedFolder
from ._spark_folder import written as written
