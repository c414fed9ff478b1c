"""The README is short; the pages that took over from it say what the code does."""

import doctest
import shlex

import pytest
from commands import run
from pages import DOCS, ROOT

from microcell.methods import methods_table


def test_readme_fits_two_screens():
    """Of fifty lines; a line of a page has some 120 characters."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    shown = [line for line in lines if not line.startswith(("```", "<!--"))]
    assert sum(1 + len(line) // 120 for line in shown) <= 100


def test_table_of_methods_is_the_one_in_the_code():
    page = (DOCS / "guide" / "methods.md").read_text(encoding="utf-8")
    start = page.index("<!-- methods")
    shown = page[start : page.index("<!-- end of methods")].splitlines()[3:]
    assert shown == [
        f"| `{name}` | {f'`{parameters}`' if parameters else ''} | {summary} |"
        for name, parameters, summary in methods_table()
    ]


@pytest.mark.slow  # the demo is quick
def test_command_line_example_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "guide" / "command-line.md").read_text(encoding="utf-8")
    block = page.split("```console")[1].split("```")[0].replace("\\\n", " ")
    commands = [line.removeprefix("$ ") for line in block.strip().splitlines()]
    assert len(commands) == 10
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "microcell"
        done = run(*arguments)
        assert done.exit_code == 0, f"{command}: {done.stderr}"
    assert "information loss" in done.stdout and "notice" not in done.stdout
    again = (tmp_path / "again.csv").read_bytes()
    assert again == (tmp_path / "release.csv").read_bytes()


def test_the_first_screen_shows_what_a_clone_prints(tmp_path, monkeypatch):
    """`make demo` runs this command, and installs the library without extras."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = readme.split("$ make demo")[1].split("\n", 1)[1].split("$ make test")[0]
    assert readme.index("$ make test") < readme.index("## ")
    assert "nce published" in readme.split("pip install")[0].rsplit("\n", 1)[1]
    monkeypatch.chdir(tmp_path)
    done = run("demo", "demo", "--overwrite")
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(shown, done.stdout, flags)
    rules = (ROOT / "Makefile").read_text(encoding="utf-8").split("\n\n")
    (demo,) = (rule for rule in rules if rule.startswith("demo: $(DEMO_READY)\n"))
    assert "microcell demo demo --overwrite" in demo
    (ready,) = (rule for rule in rules if rule.startswith("$(DEMO_READY): "))
    assert "--editable .\n" in ready and "[" not in ready and "tests" not in ready
