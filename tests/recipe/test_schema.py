import pytest
from marks import for_each

from microcell import Schema, SchemaError


def test_released_columns_follow_the_table():
    schema = Schema(["age"], identifiers="name", confidential=["illness"])
    assert schema.released(["illness", "name", "age"]) == ["illness", "age"]


@pytest.mark.parametrize(
    ("others", "released"),
    [("drop", ["age"]), ("keep", ["age", "x", "y"]), (["x", "y"], ["age", "x", "y"])],
)
def test_columns_without_a_role_follow_others(others, released):
    assert Schema(["age"], others=others).released(["age", "x", "y"]) == released


@pytest.mark.parametrize("others", ["error", ["x"]])
def test_columns_without_a_role_are_an_error(others):
    with pytest.raises(SchemaError, match=r"no role: \[.*'y'\].*others='drop'"):
        Schema(["age"], others=others).released(["age", "x", "y"])


def test_absent_column():
    with pytest.raises(SchemaError, match=r"'agee' .* Did you mean 'age'\?"):
        Schema(["agee"]).released(["age"])


def test_repeated_columns():
    with pytest.raises(SchemaError, match=r"repeats \['age'\]"):
        Schema(["age"]).released(["age", "age"])


@for_each(
    ("roles", "message"),
    [
        ({"quasi_identifiers": []}, "no quasi-identifier"),
        ({"quasi_identifiers": ["a", "a"]}, "named twice"),
        ({"quasi_identifiers": "a", "identifiers": "a"}, "in two roles"),
        ({"quasi_identifiers": "a", "others": ["a"]}, "in two roles"),
        ({"quasi_identifiers": [1]}, "must be text"),
        ({"quasi_identifiers": "a", "kinds": {"b": "numeric"}}, "not a quasi-ident"),
        ({"quasi_identifiers": "a", "kinds": {"a": "colour"}}, "must be one of"),
        ({"quasi_identifiers": "a", "kinds": {"a": [1, 1]}}, "each value once"),
    ],
)
def test_roles_that_make_no_sense(roles, message):
    with pytest.raises(SchemaError, match=message):
        Schema(**roles)
