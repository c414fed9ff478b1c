"""Examples under the help of each command, and of the program."""

from __future__ import annotations

EXAMPLES = {
    "microcell": (
        "microcell demo",
        "microcell app",
        "microcell inspect patients.csv --write-recipe recipe.toml",
        "microcell anonymize patients.csv --recipe recipe.toml -o release.csv",
        "microcell check release.csv -q age,sex,zip -k 5",
    ),
    "app": (
        "microcell app",
        "microcell app --folder ~/surveys --port 8000 --no-browser",
    ),
    "demo": ("microcell demo", "microcell demo tried --overwrite"),
    "inspect": (
        "microcell inspect patients.csv",
        "microcell inspect patients.csv -k 10 --write-recipe recipe.toml",
        "microcell inspect survey.csv --delimiter ';' --encoding cp1252 --json",
    ),
    "anonymize": (
        "microcell anonymize patients.csv --recipe recipe.toml -o release.csv",
        "microcell anonymize patients.csv -k 5 -q age,sex,zip -i name -c diagnosis "
        "-o release.csv",
        "microcell anonymize patients.csv -k 5 -q age,zip -c diagnosis --others drop "
        "--kind zip=prefix --l 2 -o release.parquet --certificate release.json "
        "--report report.html",
        "microcell anonymize patients.csv --recipe recipe.toml --refine 10min "
        "-o release.csv",
        "microcell anonymize visits/ --recipe recipe.toml -o release --engine disk",
    ),
    "check": (
        "microcell check release.csv -q age,sex,zip -k 5",
        "microcell check release.csv -q age,sex,zip -k 5 -c diagnosis --l 2",
        "microcell check release.csv --recipe recipe.toml --original patients.csv",
    ),
    "measure": (
        "microcell measure patients.csv release.csv -q age,sex,zip",
        "microcell measure patients.csv release.csv -q age,sex,zip --measures all "
        "--aligned",
    ),
    "compare": (
        "microcell compare patients.csv --recipe recipe.toml --methods mdav,mondrian "
        "-k 3,5,10,25,50 --out comparison",
        "microcell compare patients.csv -q age,sex,zip --others drop -k 5,10 "
        "--x risk --y loss --out comparison",
    ),
    "tune": (
        "microcell tune patients.csv --recipe recipe.toml --least loss "
        "--where 'linkage <= 5%' --where 't <= 0.2' --write-recipe best.toml",
        "microcell tune patients.csv --recipe recipe.toml --highest accuracy "
        "--label diagnosis --where 'k >= 10' --out choice",
    ),
    "reproduce": (
        "microcell reproduce projections --out results --quick",
        "microcell reproduce lda --out results",
    ),
    "audit": ("microcell audit", "microcell audit --epsilon 0.5 --runs 10000"),
    "methods": ("microcell methods", "microcell methods --json"),
    "datasets": ("microcell datasets", "microcell datasets hospital -o hospital.csv"),
}


def examples(command: str) -> str:
    """The examples of a command, each a paragraph of its own.

    Examples
    --------
    >>> print(examples("methods"))
    Examples:
    <BLANKLINE>
    microcell methods
    <BLANKLINE>
    microcell methods --json
    """
    return "\n\n".join(["Examples:", *EXAMPLES[command]])
