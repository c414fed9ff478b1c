"""Pages hold what they say: their code runs, and their links lead somewhere."""

import doctest
import re
import shlex

import pytest
from commands import run
from marks import slow
from pages import DOCS, ROOT, blocks_of, broken_links, pages

CONSOLE = ("console", "bash", "sh")
SHOWN = (
    "",
    "bibtex",
    "csv",
    "dockerfile",
    "html",
    "java",
    "json",
    "make",
    "r",
    "text",
    "toml",
    "yaml",
)
KNOWN = {"python", *CONSOLE, *SHOWN}
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def name_of(page):
    return str(page.relative_to(ROOT))


def commands_of(block):
    """Calls of microcell in a console block: arguments, exit code, and what is shown.

    A line may go on after a backslash. What a page shows of the output stands below.
    """
    for part in re.split(r"^\$ ", block.text.replace("\\\n", " "), flags=re.M)[1:]:
        line, _, shown = part.partition("\n")
        if line.startswith("microcell "):
            command, _, comment = line.partition("# exit code ")
            yield shlex.split(command, comments=True), int(comment or 0), shown


def runnable(block):
    if block.not_run is not None:
        return False
    if block.language in CONSOLE:
        return any(commands_of(block))
    return block.language == "python" or block.file is not None


def run_python(block, namespace, page):
    if not block.text.lstrip().startswith(">>>"):
        padded = "\n" * (block.line - 1) + block.text  # so that errors name the line
        exec(compile(padded, str(page), "exec"), namespace)
        return
    parser, said = doctest.DocTestParser(), []
    test = parser.get_doctest(
        block.text, namespace, name_of(page), str(page), block.line - 1
    )
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(test, out=said.append, clear_globs=False)
    namespace.update(test.globs)
    assert not runner.failures, "".join(said)


def run_console(block):
    for (_, *arguments), code, shown in commands_of(block):
        done = run(*arguments)
        said = f"{shlex.join(arguments)}: {done.output} {done.exception!r}"
        assert done.exit_code == code, said
        if shown.strip():
            alike = doctest.OutputChecker().check_output(shown, done.output, OPTIONS)
            assert alike, f"{said}\nbut the page has\n{shown}"


def pages_with_code():
    """Those that a reader sees first are quick tests; the others go with the docs."""
    for page in pages():
        if any(map(runnable, blocks_of(page))):
            yield page if page.parent in (ROOT, DOCS) else slow(page)


@pytest.mark.parametrize("page", list(pages_with_code()), ids=name_of)
def test_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    namespace = {"__name__": "__main__"}
    for block in filter(runnable, blocks_of(page)):
        if block.file is not None:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            run_python(block, namespace, page)
        else:
            run_console(block)


def test_links_lead_somewhere():
    broken = {name_of(page): list(broken_links(page)) for page in pages()}
    assert {name: links for name, links in broken.items() if links} == {}


def test_what_is_not_run_says_why():
    reasons = [block.not_run for page in pages() for block in blocks_of(page)]
    assert "" not in reasons


def test_every_language_is_one_that_is_run_or_known():
    """A misspelt one would not be run, and nobody would notice."""
    for page in pages():
        words = [block.language for block in blocks_of(page)]
        unknown = {word for word in words if not word.startswith("{")} - KNOWN
        assert not unknown, f"{name_of(page)}: {unknown}"
