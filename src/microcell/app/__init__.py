"""The app: from a file to a signed release in the browser, on one's own machine.

It shows what the library does and computes nothing of its own. The server knows names,
settings and figures; values of records pass through worker processes and through a
folder that nobody else may read and that is removed at the end.
"""

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
