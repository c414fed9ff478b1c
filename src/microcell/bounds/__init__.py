"""Lower bounds of the loss: what no cells of k records can lose less than."""

from microcell.bounds._loss_lower_bound import loss_lower_bound

__all__ = ["loss_lower_bound"]
