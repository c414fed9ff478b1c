"""A release as people look at it: its facts, one page of them, and pictures."""

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)

__all__ = ["facts_of"]
