"""Hierarchies that the user gives: files as ARX writes them, errors, distances."""

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcell.aggregate import Ancestor
from microcell.columns import Options, fit_encoder
from microcell.exceptions import InputError, SchemaError

CITIES = {
    "Paris": ["France", "Europe", "*"],
    "Lyon": ["France", "Europe", "*"],
    "Rome": ["Italy", "Europe", "*"],
    "Lima": ["Peru", "America", "*"],
    "Oslo": ["Norway", "Europe", "*"],
}


def encoder_of(values, hierarchy):
    series = nw.from_native(pl.Series("city", values), series_only=True)
    return fit_encoder(series, "hierarchy", Options(hierarchy=hierarchy))


def written(path, rows, separator=";", encoding="utf-8"):
    text = "\n".join(separator.join(row) for row in rows) + "\n"
    path.write_text(text, encoding=encoding)
    return path


ROWS = [[value, *groups] for value, groups in CITIES.items()]


def test_groups_by_name():
    encoder = encoder_of(["Lyon", "Paris", "Rome", "Lima"], CITIES)
    assert encoder.nodes.tolist() == [
        *["Lima", "Lyon", "Paris", "Rome"],
        *["*", "Europe", "France"],
    ]
    assert encoder.levels.distance(1, 2) == pytest.approx(1 / 3)  # Lyon and Paris
    assert encoder.levels.distance(1, 3) == pytest.approx(2 / 3)
    assert encoder.levels.distance(0, 1) == 1


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_file_is_a_mapping(tmp_path, separator, encoding):
    path = written(tmp_path / "c.csv", ROWS, separator, encoding)
    values = ["Lyon", "Paris", "Rome"]
    from_file, given_ = encoder_of(values, str(path)), encoder_of(values, CITIES)
    assert from_file.nodes.tolist() == given_.nodes.tolist()
    np.testing.assert_array_equal(from_file.levels.codes, given_.levels.codes)


def test_quotes_and_separators_in_labels(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text('"a;1";"b, c";*\n"a""2";"b, c";*\n\n007;d;*\n')
    encoder = encoder_of(["a;1", 'a"2', "007"], path)
    assert encoder.nodes.tolist() == ["007", 'a"2', "a;1", "*", "b, c"]
    path.write_text('"a;1","b; c",*\na2,"b; c",*\n')
    assert encoder_of(["a;1", "a2"], path).nodes[-1] == "b; c"


def test_integers_match_their_text():
    series = nw.from_native(pl.Series("city", [7, 8, 9]), series_only=True)
    groups = {7: ["odd"], 8: ["even"], 9: ["odd"]}
    encoder = fit_encoder(series, "hierarchy", Options(hierarchy=groups))
    assert encoder.encode(series).tolist() == [0, 1, 2]
    assert encoder.decode(np.array([0.0, 4.0])).to_list() == ["7", "odd"]


def test_no_common_root_is_a_star():
    encoder = encoder_of(["a", "b", "c"], {"a": ["x"], "b": ["x"], "c": ["y"]})
    assert encoder.nodes[3:].tolist() == ["*", "x"]


def test_a_group_named_as_a_value_gets_a_star():
    icd = {
        "E11": ["E11", "E", "*"],
        "E112": ["E11", "E", "*"],
        "E113": ["E11", "E", "*"],
        "I10": ["I10", "I", "*"],
    }
    encoder = encoder_of(["E112", "E113", "I10"], icd)  # also if nobody has the value
    assert encoder.nodes.tolist() == ["E112", "E113", "I10", "*", "E11*"]


def test_what_nobody_has_does_not_ride_along():
    encoder = encoder_of(["Lyon", "Rome"], CITIES)
    assert encoder.nodes.tolist() == ["Lyon", "Rome", "Europe"]
    held = repr((encoder.hierarchy, encoder.to_dict(), encoder.nodes))
    for absent in ("Paris", "Oslo", "Norway", "Lima", "Peru", "America"):
        assert absent not in held


def test_parts_merge():
    one, other = encoder_of(["Lyon"], CITIES), encoder_of(["Rome", "Lima"], CITIES)
    whole = encoder_of(["Lyon", "Rome", "Lima"], CITIES)
    for merged in (one.merge(other), other.merge(one)):
        assert merged.nodes.tolist() == whole.nodes.tolist()
        np.testing.assert_array_equal(merged.levels.codes, whole.levels.codes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a;x;*\nb;*\n", "line 2 has 2 fields, the first 3"),
        ("a;x;*\na;y;*\n", "lines 1 and 2 give the same value"),
        ("a;x;p\nb;x;q\n", r"lines 1 and 2 put one group of level 1 \(pattern 'a'\)"),
        ("a;;*\n", "line 1 has an empty field"),
        ("a\nb\n", "line 1 has no groups"),
        ("", "it is empty"),
        ('"a;x;*\n', "a quote in line 1 does not close"),
    ],
)
def test_what_is_no_hierarchy(tmp_path, text, said):
    path = tmp_path / "h.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=said) as error:
        encoder_of(["a"], path)
    assert error.value.option == "hierarchies" and error.value.column == "city"


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="there is no file"):
        encoder_of(["a"], tmp_path / "none.csv")
    with pytest.raises(InputError, match="cannot be read"):
        encoder_of(["a"], tmp_path)
    (tmp_path / "latin.csv").write_bytes("Köln;x\n".encode("latin-1"))
    with pytest.raises(InputError, match="not in UTF-8"):
        encoder_of(["a"], tmp_path / "latin.csv")
    with pytest.raises(InputError, match="entry 1 must list the groups"):
        encoder_of(["a"], {"a": 3})


def test_a_value_that_is_not_in_it():
    said = r"pattern 'Aaaaaa…?' in record 2, which is not in its hierarchy \(1 of 2"
    with pytest.raises(SchemaError, match=said) as error:
        encoder_of(["Rome", "Berlin"], CITIES)
    assert "Berlin" not in str(error.value)
    with pytest.raises(SchemaError, match=r"data type Float64. Convert it to text"):
        encoder_of([1.5], CITIES)


@st.composite
def hierarchies(draw):
    """A random tree of three levels of groups, and a column."""
    parents = [draw(st.lists(st.integers(0, 2), min_size=4, max_size=4))]
    parents += [draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))]
    values = draw(st.lists(st.integers(0, 3), min_size=1, max_size=9))
    tree = {}
    for number, low in enumerate(values):
        middle = parents[1][low]
        tree[f"v{number}"] = [f"l{low}", f"m{middle}", f"h{parents[0][middle]}"]
    return tree


@given(tree=hierarchies(), data=st.data())
def test_distances_and_ancestors_by_brute_force(tree, data):
    column = data.draw(st.lists(st.sampled_from(sorted(tree)), min_size=1))
    encoder = encoder_of(column, tree)
    paths = {v: [v, *tree[v], "*"] for v in set(column)}
    shared = [len({path[level] for path in paths.values()}) == 1 for level in range(5)]
    n_levels = shared.index(True)  # above it all are one

    def ancestor(cell):
        return next(p for p in paths[cell[0]] if all(p in paths[v] for v in cell))

    for i, one in enumerate(encoder.values):
        for j, other in enumerate(encoder.values):
            height = paths[one].index(ancestor([one, other]))
            expected = height / n_levels if n_levels else 0
            assert encoder.levels.distance(i, j) == pytest.approx(expected)
    labels = np.array([data.draw(st.integers(0, 2)) for _ in column])
    labels = np.unique(labels, return_inverse=True)[1]
    X = encoder.encode(nw.from_native(pl.Series("city", column), series_only=True))
    released = Ancestor(encoder.levels).aggregate(X[:, None], labels)[:, 0]
    expected = [
        ancestor([v for v, other in zip(column, labels, strict=True) if other == label])
        for label in labels
    ]
    assert encoder.decode(released).to_list() == expected
