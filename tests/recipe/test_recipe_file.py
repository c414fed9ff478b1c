"""A recipe is data from a stranger: it reads beside itself, and runs nothing."""

import os
import subprocess
import sys
import tomllib
import tracemalloc

import polars as pl
import pytest
from commands import run
from hypothesis import given
from hypothesis import strategies as st

from microcell import METHODS, Recipe, Schema, apply_recipe
from microcell.exceptions import InputError
from microcell.privacy import DeltaPresence, KMap
from microcell.recipe._method import resolve_method
from microcell.recipe._recipe_file import MAX_RECIPE_BYTES, longest_key
from microcell.release import anonymize_file, check_file

HEAD = "[roles]\nquasi_identifiers = ['age']\n[method]\nk = 2\n"
AGES = pl.DataFrame({"age": [30, 30, 60, 60]})


MORE = {  # what a command with a recipe asks for besides a table
    "anonymize": ["-o", "out.csv"], "compare": ["--out", "out"],
    "measure": ["ages.csv"], "check": [], "tune": [],
}  # fmt: skip
POPULATION = '[promises]\nk-map = {{k = 1, population = "{}"}}'


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a table, and one below it for recipes of a stranger."""
    monkeypatch.chdir(tmp_path)
    AGES.write_csv("ages.csv")
    (tmp_path / "recipes").mkdir()
    AGES.write_csv("recipes/all.csv")
    AGES.write_csv("outside.csv")
    return tmp_path


def written(place, more, head=HEAD):
    path = place / "recipes" / "r.toml"
    path.write_text(head + more)
    return path


@pytest.mark.parametrize(
    "source",
    [
        "postgresql://127.0.0.1:1/d::t", "sqlite:///recipes/x.db::t", "../outside.csv",
        "link.csv", "folder/outside.csv", "all.csv/../../outside.csv", "/etc/hostname",
        "../outside.csv::x", "all.csv\\u0000", "loop",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "more",
    [
        POPULATION,
        '[promises]\ndelta-presence = [{{most = 1, population = "{}"}}]',
        '[columns.age]\nhierarchy = "{}"',
    ],
)
def test_a_recipe_reads_only_below_its_folder(place, more, source):
    (place / "recipes/link.csv").symlink_to(place / "outside.csv")
    (place / "recipes/folder").symlink_to(place)
    (place / "recipes/loop").symlink_to(place / "recipes/loop")
    path = written(place, more.format(source))
    for use in (
        lambda: apply_recipe(AGES, path),
        lambda: check_file("ages.csv", recipe=path),
        lambda: anonymize_file("ages.csv", path, "out.csv", engine="disk"),
    ):
        with pytest.raises(InputError, match="only files below its own folder"):
            use()


def test_a_recipe_reads_only_files(place):
    """A pipe never ends, and files of a folder may be links that lead out."""
    os.mkfifo(place / "recipes/pipe.csv")
    (place / "recipes/folder.parquet").mkdir()
    for source in ("pipe.csv", "folder.parquet"):
        for more in ('[columns.age]\nhierarchy = "{}"', POPULATION):
            path = written(place, more.format(source))
            with pytest.raises(InputError, match="reads only files"):
                Recipe.from_toml(path)


@pytest.mark.parametrize("command", MORE)
def test_no_command_connects_for_a_recipe(place, command, monkeypatch):
    """The password once went in clear text to whatever host a recipe named."""
    from microcell.io import _postgresql

    monkeypatch.setenv("MICROCELL_DB_PASSWORD", "hunter2")
    monkeypatch.setattr(_postgresql, "_driver", lambda: pytest.fail("it connects"))
    path = written(
        place, '[promises]\nk-map = {k = 1, population = "postgresql://evil/d::t"}'
    )
    done = run(command, "ages.csv", "--recipe", path, *MORE[command])
    assert done.exit_code == 2 and "only files below" in done.stderr
    assert not (place / "out.csv").exists()


def test_populations_are_those_beside_the_recipe(place):
    path = written(place, '[promises]\nk-map = {k = 2, population = "all.csv"}')
    recipe = Recipe.from_toml(path)
    assert recipe.promises[0].population == str(place / "recipes/all.csv")
    release = apply_recipe(AGES, recipe)
    assert release.certificate()["recipe"]["promises"] == {
        "k-map": {"k": 2, "population": "all.csv"}
    }


def test_what_is_typed_goes_anywhere_and_replaces_the_recipe(place):
    path = written(place, '[promises]\nk-map = {k = 2, population = "../outside.csv"}')
    typed = 'k-map={"k": 2, "population": "outside.csv"}'
    done = run(
        "anonymize", "ages.csv", "--recipe", path, "--promise", typed, "-o", "out.csv",
        "--write-recipe", "again.toml",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    done = run("anonymize", "ages.csv", "--recipe", "again.toml", "-o", "two.csv")
    assert done.exit_code == 0, done.stderr
    assert "outside.csv" in (place / "again.toml").read_text()


@pytest.mark.parametrize("promise", [KMap, DeltaPresence])
def test_a_recipe_that_is_written_can_be_read_or_says_why_not(place, promise):
    def recipe(source):
        return Recipe(Schema(["age"]), k=2, promises=[promise(1, source)])

    inside = place / "recipes" / "inside.toml"
    for source in ("recipes/all.csv", place / "recipes/all.csv"):
        inside.write_text(recipe(source).to_toml(place / "recipes"))
        found = Recipe.from_toml(inside)
        assert found.promises[0].population == str(place / "recipes/all.csv")
    with pytest.warns(UserWarning, match=r"'\.\./outside.csv' is not below the folder"):
        text = recipe("outside.csv").to_toml(place / "recipes")
    assert text.startswith("# '../outside.csv' is not below the folder")
    tomllib.loads(text)
    (place / "recipes/link.csv").symlink_to(place / "outside.csv")
    with pytest.warns(UserWarning, match="is not below"):
        recipe("recipes/link.csv").to_toml("recipes")
    with pytest.warns(UserWarning, match="is not below"):
        text = recipe("postgresql://ann@db/d::t").to_toml("recipes")
    assert "postgresql://ann@db/d::t" in text


EVIL = "import pathlib\npathlib.Path('ran').touch()\n{}\n"
FUNCTION = "from microcell.methods import mdav as f"
ENDINGS = [FUNCTION, "raise SystemExit(0)", "raise BaseException", "1 / 0", "f = 5"]


@pytest.mark.parametrize("command", MORE)
def test_no_command_runs_code_of_a_recipe(place, command, monkeypatch):
    monkeypatch.syspath_prepend(str(place))  # as `python -m` does
    (place / "evil.py").write_text(EVIL.format(FUNCTION))
    path = written(place, "name = 'evil:f'\n")
    done = run(command, "ages.csv", "--recipe", path, *MORE[command])
    assert done.exit_code == 2 and "--allow-import" in done.stderr
    assert not (place / "ran").exists()


def test_no_python_function_runs_code_of_a_recipe(place, monkeypatch):
    monkeypatch.syspath_prepend(str(place))
    (place / "evil_in_path.py").write_text(EVIL.format(FUNCTION))
    path = written(place, "name = 'evil_in_path:f'\n")
    for use in (
        lambda: Recipe.from_toml(path),
        lambda: apply_recipe(AGES, path),
        lambda: check_file("ages.csv", recipe=path),
        lambda: anonymize_file("ages.csv", path, "out.csv"),
    ):
        with pytest.raises(InputError, match="trusted=True"):
            use()
    with pytest.raises(InputError, match=r"cannot be imported \(ModuleNotFound"):
        Recipe.from_toml(path, trusted=True)  # it is in the current folder
    assert not (place / "ran").exists()


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_trusted_recipe_imports_what_is_installed(place, monkeypatch, ending):
    name = f"installed_{ENDINGS.index(ending)}"
    (place / "site").mkdir()
    (place / "site" / f"{name}.py").write_text(EVIL.format(ending))
    monkeypatch.syspath_prepend(str(place / "site"))
    path = written(place, f"name = '{name}:f'\n")
    if ending == FUNCTION:
        recipe = Recipe.from_toml(path, trusted=True)
        assert apply_recipe(AGES, recipe).findings[0].found == 2
        with pytest.warns(UserWarning, match="--allow-import"):
            assert "--allow-import" in recipe.to_toml(place)
        done = run("anonymize", "ages.csv", "--recipe", path, "--allow-import",
                   "-o", "out.csv")  # fmt: skip
        assert done.exit_code == 0, done.stderr
    else:
        with pytest.raises(InputError, match=r"cannot be imported|must be one of"):
            Recipe.from_toml(path, trusted=True)
    assert (place / "ran").exists()


def test_a_typed_method_is_not_looked_for_in_the_current_folder(place):
    (place / "evil.py").write_text(EVIL.format(FUNCTION))
    done = subprocess.run(
        [sys.executable, "-m", "microcell", "anonymize", "ages.csv", "-q", "age",
         "-k", "2", "-m", "evil:f", "-o", "out.csv"],
        cwd=place, capture_output=True, text=True,
        env={k: v for k, v in os.environ.items() if k != "PYTHONSAFEPATH"},
    )  # fmt: skip
    assert done.returncode == 2 and "cannot be imported" in done.stderr
    assert not (place / "ran").exists()


def test_methods_of_microcell_are_written_by_their_names():
    assert {name: resolve_method(f) for name, f in METHODS.items()} == {
        name: name for name in METHODS
    }


def test_an_editor_may_mark_a_recipe_as_utf_8(place):
    path = written(place, "")
    plain = Recipe.from_toml(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert Recipe.from_toml(path) == plain


def test_long_keys_and_files_are_refused_before_they_are_parsed(place):
    """A recipe of 30 KB once took 1.1 GB."""
    dotted = ".".join(["a"] * 15_000)
    for text in (
        f"{dotted} = 1", f"[{dotted}]", f"x = {{{dotted} = 1}}",
        f'x = ["""a""""", {{{dotted} = 1}}]', f"x = ['''a'''', {{{dotted} = 1}}]",
        ".".join(['"a"', "'b'"] * 5) + " = 1", "a . b\t.c . d.e.f.g.h.i = 1",
    ):  # fmt: skip
        path = written(place, text, head="")
        tracemalloc.start()
        with pytest.raises(InputError, match="more than 8 parts"):
            Recipe.from_toml(path)
        assert tracemalloc.get_traced_memory()[1] < 20e6
        tracemalloc.stop()
    path = written(place, "#" * MAX_RECIPE_BYTES)
    with pytest.raises(InputError, match="larger than 1000000 bytes"):
        Recipe.from_toml(path)
    tree = {f"value {i}": ["a" * 100] for i in range(10_000)}
    large = Recipe(Schema(["age"], hierarchies={"age": tree}), k=2)
    with pytest.warns(UserWarning, match="is not read again"):
        assert large.to_toml(place).startswith("# it is larger than")


keys = st.lists(
    st.sampled_from(["a", "B-1", "'x.y'", '"z\\".\'"', "''"]), min_size=1, max_size=5
)
values = st.sampled_from(
    ["1.5", "'a.b.c.d.e.f'", '"a.b\\".c.d"', "'''\na.b.c.d.e.f.g'''", '"""\n"a.b.c"""',
     "1979-05-27T07:32:00.5", "[1.5, 'x.y.z.a']", "true # a.b.c.d.e.f.g.h"]
)  # fmt: skip


@given(st.lists(st.tuples(keys, values), min_size=1, max_size=5))
def test_parts_of_keys_are_counted_as_toml_has_them(lines):
    """Against what the parser finds, where each key is a table of its own."""
    text = "\n".join(f"t{i}.{'.'.join(key)} = {v}" for i, (key, v) in enumerate(lines))

    def depths(found):
        if not isinstance(found, dict):
            return 0
        return 1 + max((depths(value) for value in found.values()), default=0)

    assert longest_key(text) == depths(tomllib.loads(text))
