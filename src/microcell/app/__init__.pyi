from ._server import Settings as Settings
from ._server import serve as serve
