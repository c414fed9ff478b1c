"""The method of a release that names none, said once."""

DEFAULT_METHOD = "mdav-refined"
