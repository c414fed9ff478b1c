"""The checks that no mutant may survive without are still where they are looked for."""

from mutants import PACKAGES, TESTS
from mutations import NAMED, PACKAGE, ROOT, named_mutants


def test_packages_that_are_broken_and_their_tests_are_there():
    """A package that moves would be broken no more, without a word."""
    parts = [ROOT / PACKAGE / name for name in (*PACKAGES, *TESTS)]
    tests = [ROOT / "tests" / name for names in TESTS.values() for name in names]
    assert [str(path) for path in (*parts, *tests) if not path.exists()] == []


def test_every_named_check_is_found():
    assert len(list(named_mutants())) == len(NAMED)
