"""What a model learns from a release, and models that are trained on one."""

from microcell.learning._trained_on_release import ReleaseClassifier, ReleaseRegressor

__all__ = ["ReleaseClassifier", "ReleaseRegressor"]
