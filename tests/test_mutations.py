"""The checks that no mutant may survive without are still where they are looked for."""

from mutations import NAMED, named_mutants


def test_every_named_check_is_found():
    assert len(list(named_mutants())) == len(NAMED)
