"""What the help of an option says."""

from microcell.recipe._options import OptionSpec, help_line
from microcell.recipe._recipe import OPTIONS


def test_help_names_choices_and_default():
    spec = OPTIONS["small_strata"]
    assert help_line(spec).endswith("One of error, merge. Default: error.")


def test_help_without_choices_and_default_is_the_help_alone():
    spec = OptionSpec(help="What it is.", section="method")
    assert help_line(spec) == "What it is."
    spec = OptionSpec(help="What it is.", section="method", default=0.5)
    assert help_line(spec, lambda value: f"{value:.2f}").endswith("Default: 0.50.")
