"""Engines move records between the steps of a release: memory, disk and Spark."""
