"""What the benchmark papers print, computed in their way."""

from sklearn.preprocessing import StandardScaler

from microcell.aggregate import Centroid
from microcell.metrics import sse_loss


def percent_lost(X, partitioner):
    """100 * SSE / SST on z-scores."""
    Z = StandardScaler().fit_transform(X)
    labels = partitioner.fit_predict(Z)
    return 100 * sse_loss(Z, Centroid().aggregate(Z, labels))
