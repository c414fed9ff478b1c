"""The papers' experiments, one folder each; they only compose and show.

An experiment is a module with `reproduce(out, quick, progress)`: it runs the paper's
protocol on the paper's data, writes tables and figures into the folder `out`, and
returns lines that sum them up, their figures beside ours.
"""

EXPERIMENTS = {
    "projections": "microcell.experiments.projections",
    "lda": "microcell.experiments.lda",
    "price": "microcell.experiments.price",
    "random": "microcell.experiments.random",
    "two-levels": "microcell.experiments.two_levels",
}
"""Name of each experiment and the module that runs it."""
