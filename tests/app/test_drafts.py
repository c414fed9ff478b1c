"""Drafts: steps back and forth, and what stays when a file is read anew."""

from hypothesis import given
from hypothesis import strategies as st

from microcell._default_method import DEFAULT_METHOD
from microcell.app._drafts import MAX_UNDO_STEPS, Drafts, carried_over, checked


def no_path(path):
    raise ValueError(path)


@given(st.lists(st.one_of(st.integers(0, 3), st.sampled_from(["undo", "redo"]))))
def test_steps_are_those_of_two_stacks(moves):
    drafts, back, now, forth = Drafts(), [], None, []
    for move in moves:
        if move == "undo":
            assert drafts.undo() == bool(back)
            if back:
                forth.append(now)
                now = back.pop()
        elif move == "redo":
            assert drafts.redo() == bool(forth)
            if forth:
                back.append(now)
                now = forth.pop()
        elif drafts.put({"k": move}):
            assert {"k": move} != now
            if now is not None:
                back.append(now)
            now, forth = {"k": move}, []
        else:
            assert {"k": move} == now
        assert (drafts.now, drafts.can_undo, drafts.can_redo) == (
            now,
            bool(back),
            bool(forth),
        )


def test_the_oldest_steps_are_forgotten():
    drafts = Drafts()
    for k in range(MAX_UNDO_STEPS + 50):
        drafts.put({"k": k})
    steps = sum(iter(drafts.undo, False))
    assert steps == MAX_UNDO_STEPS - 1 and drafts.now == {"k": 50}


def test_a_draft_is_shown_as_its_recipe():
    found = checked({"quasi_identifiers": ["age"], "k": 5}, no_path)
    assert found["error"] is None and f'name = "{DEFAULT_METHOD}"' in found["toml"]


def test_a_draft_that_is_none_says_why_and_where():
    found = checked({"quasi_identifiers": ["age"], "k": 1}, no_path)
    assert found["toml"] is None and found["error"]["option"] == "k"


def test_decisions_about_columns_that_are_gone_are_left_out():
    old = {
        "quasi_identifiers": ["age", "Name\ufffd"], "confidential": ["ill"],
        "identifiers": [], "kinds": {"Name\ufffd": "nominal", "age": "numeric"},
        "unit": "Name\ufffd", "strata": ["age", "Name\ufffd"], "k": 7,
        "method": "mondrian", "encoding": "utf-8", "decimal": ",",
    }  # fmt: skip
    new = {
        "quasi_identifiers": ["age", "Näme"], "confidential": [], "k": 5,
        "identifiers": ["ill"], "kinds": {"Näme": "nominal"}, "encoding": "cp1252",
    }  # fmt: skip
    made = carried_over(old, new, ["age", "Näme", "ill"])
    assert made == {
        "quasi_identifiers": ["age", "Näme"], "confidential": ["ill"],
        "identifiers": [], "kinds": {"age": "numeric", "Näme": "nominal"},
        "strata": ["age"], "k": 7, "method": "mondrian", "encoding": "cp1252",
    }  # fmt: skip
