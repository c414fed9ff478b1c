"""The road of a table from its records to a verified release, also in parts."""

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
