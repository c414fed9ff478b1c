"""What a model learns from a release, and models that are trained on one."""

import lazy_loader

__getattr__, __dir__, _ = lazy_loader.attach_stub(__name__, __file__)

__all__ = ["ReleaseClassifier", "ReleaseRegressor"]
