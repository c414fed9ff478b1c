"""The README says what the code does."""

import shlex
from pathlib import Path

from typer.testing import CliRunner

from microcell.cli._app import app
from microcell.methods import methods_table

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_table_of_methods_is_the_one_in_the_code():
    start = README.index("<!-- methods")
    shown = README[start : README.index("<!-- end of methods")].splitlines()[3:]
    assert shown == [
        f"| `{name}` | {f'`{parameters}`' if parameters else ''} | {summary} |"
        for name, parameters, summary in methods_table()
    ]


def test_command_line_example_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    block = README.split("## Command line")[1].split("```")[1]
    commands = block.strip().splitlines()
    assert len(commands) == 7
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "microcell"
        done = CliRunner().invoke(app, arguments, prog_name="microcell")
        assert done.exit_code == 0, f"{command}: {done.stderr}"
    assert "information loss" in done.stdout and "notice" not in done.stdout
    again = (tmp_path / "again.csv").read_bytes()
    assert again == (tmp_path / "release.csv").read_bytes()
