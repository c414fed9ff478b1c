"""Tables to arrays and back: the one stage that knows dataframes."""

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)
