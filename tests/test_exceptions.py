import pickle

import pytest

from microcell.cli._errors import as_flag
from microcell.exceptions import (
    InputError,
    Option,
    OutputExistsError,
    ParameterError,
    SchemaError,
)

ERROR = SchemaError(
    "Column 'age' has missing values.",
    column="age",
    option="missing",
    hint=["Leave them out with ", Option("missing", "drop"), "."],
)


def test_each_interface_says_it_in_its_own_words():
    assert str(ERROR) == (
        "Column 'age' has missing values. Leave them out with missing='drop'."
    )
    assert ERROR.render(as_flag).endswith("Leave them out with --missing drop.")
    assert (ERROR.column, ERROR.option) == ("age", "missing")


def test_one_blank_stands_before_a_hint():
    hint = ["", " Leave it."]  # whose guess is empty
    for error in (
        InputError("Wrong.", hint=hint),
        ParameterError("k", "is.", hint=hint),
    ):
        assert ". Leave it." in str(error)


def test_parameters_are_options_of_the_command_line():
    error = ParameterError("small_strata", "must be one of ['merge']. Got 'x' instead.")
    assert str(error).startswith("The 'small_strata' parameter must be")
    assert error.render(as_flag).startswith("--small-strata must be")
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    "error",
    [
        ERROR,
        InputError("Wrong."),
        ParameterError("k", "must be larger."),
        OutputExistsError("It exists.", hint=["Use ", Option("overwrite", True)]),
    ],
)
def test_errors_survive_another_process(error):
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error) and str(copy) == str(error)
    assert (copy.column, copy.option, copy.hint) == (
        error.column,
        error.option,
        error.hint,
    )


def test_an_existing_file_is_an_error_of_the_system_too():
    error = OutputExistsError("It exists.", hint=[Option("overwrite", True)])
    assert isinstance(error, FileExistsError)
    assert error.render(as_flag) == "It exists. --overwrite"
