"""Ways to break a file on purpose, for `mutants.py`.

A mutant is one small change of one file: a comparison, a sign, a constant, two
arguments that change places, a statement that is gone. `NAMED` lists checks of privacy
that a mutant must never survive without.
"""

import ast
import copy
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path("src/microcell")

# Checks that must not go missing: file, what stands there, what a mutant has instead.
NAMED = [
    ("_validation.py", "if smallest < k:", "if False:"),
    (
        "privacy/_classes.py",
        "frame.group_by(list(",
        "frame.drop_nulls().group_by(list(",
    ),
    (
        "privacy/_classes.py",
        "    if units is not None:",
        "    units = None\n    if units:",
    ),
    ("privacy/_finding.py", "    if failed:", "    if False:"),
    ("privacy/_view.py", "count_classes(self.table, names,", "_by_label(self,"),
    ("compose/_by_stratum.py", "centroids[nearest] += share", "0 * share"),
    ("compose/_promise_check.py", "if promise.cells_hold(whole).all():", "if True:"),
    (
        "embed/_statistical_dependence.py",
        "MAX_LAMBDA = 0.999",
        "MAX_LAMBDA = 1.0",
    ),
    ("kernels/box_bounds.py", "SLACK = 1e-12", "SLACK = 0.0"),
    ("kernels/outer_shell.py", "SLACK = 1e-9", "SLACK = 0.0"),
    ("io/_outbox.py", "os.fsync(file.descriptor)", "pass"),
    ("metrics/_interval_disclosure.py", "SAME_RANK = 1e-9", "SAME_RANK = 0.0"),
    ("release/_release.py", "        self._check_unchanged()\n", ""),
    ("release/_anonymize.py", "[*prepared.names, *beside],", "prepared.names,"),
    ("columns/_prepared.py", "check_releasable(frame[name])", "pass"),
    ("columns/_series.py", "check_releasable(series)", "pass"),
    (
        "privacy/_promise.py",
        "cell_values(view.classes,",
        "cell_values(view.classes if view.labels is None else view.labels,",
    ),
    (
        "privacy/_finding.py",
        "None if self.promised is None else",
        "None if not self.promised else",
    ),
    (
        "recipe/_file_options.py",
        'choices=("sorted", "keep"),',
        'choices=("sorted", "keep"), with_dp=ANY,',
    ),
    ("pipeline/_notices.py", "if n_people < k:", "if False:"),
    ("pipeline/_notices.py", "if records.people is not None:", "if False:"),
    ("_locks.py", " or found.st_uid == os.geteuid()", " or True"),
    ("io/_outbox.py", "stat.S_ISREG(found.st_mode) and ", ""),
    ("io/_read_back.py", "changed or _changed_notes(", "_changed_notes("),
    (
        "io/_read_back.py",
        "changed or _changed_notes(frame, layouts, format, back)",
        "changed",
    ),
    ("io/_address.py", " or odd_port or ", " or "),
    (
        "compose/_by_unit.py",
        "check_labels(self.partition_.labels_, self.n_units_, self.k)[codes]",
        "self.partition_.labels_[codes]",
    ),
]
BY_LABEL = """

def _by_label(view, units):
    import polars as pl

    labels = pl.DataFrame({"label": np.asarray(view.labels).reshape(-1)})
    return count_classes(labels, ["label"], units)
"""

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.FloorDiv: ast.Mult,
}  # fmt: skip
NOTHING = {"return", "return None"}
LOGIC = {ast.And: ast.Or, ast.Or: ast.And}


class Mutant(NamedTuple):
    """A file with one change."""

    file: str
    line: int
    change: str
    source: str

    @property
    def place(self):
        """Where the change is."""
        return f"{self.file}:{self.line}"


def changed(node):
    """Ways to break one node of a syntax tree, each a new node."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield with_field(node, ops=[COMPARISONS[type(node.ops[0])]()])
    elif isinstance(node, ast.BoolOp):
        yield with_field(node, op=LOGIC[type(node.op)]())
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield with_field(node, op=ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield with_field(node, body=node.orelse, orelse=node.body)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
        if node.value == 1:
            yield ast.Constant(0)
    elif isinstance(node, ast.Call) and len(node.args) >= 2:
        first, second, *others = node.args
        yield with_field(node, args=[second, first, *others])
    elif isinstance(node, ast.Return) and ast.unparse(node) not in NOTHING:
        yield ast.Return(None)
    elif isinstance(node, ast.Raise | ast.AugAssign | ast.Continue | ast.Break):
        yield ast.Pass()
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass()


def with_field(node, **fields):
    """A copy of a node with other fields."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def breakable(node):
    """Nodes below `node` that do something: no words of errors, types, decorators."""
    yield node
    without_effect = {"annotation", "returns", "decorator_list", "type_params"}
    for name, value in ast.iter_fields(node):
        if name in without_effect or isinstance(node, ast.Raise | ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from breakable(child)


def mutants_of(path):
    """All mutants of a file, in the order of its lines."""
    text = path.read_text(encoding="utf-8")
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    data, found = text.encode(), []
    for node in breakable(ast.parse(text)):
        for new in changed(node):
            start = starts[node.lineno - 1] + node.col_offset
            stop = starts[node.end_lineno - 1] + node.end_col_offset
            old, words = ast.unparse(node), ast.unparse(new)
            spliced = f"({words})" if isinstance(node, ast.expr) else words
            source = (data[:start] + spliced.encode() + data[stop:]).decode()
            ast.parse(source)
            change = f"{shortened(old)} -> {shortened(words)}"
            found.append(Mutant(name_of(path), node.lineno, change, source))
    return sorted(found, key=lambda mutant: mutant.line)


def shortened(words):
    """The first words of a long expression."""
    words = " ".join(words.split())
    return words if len(words) <= 50 else words[:47] + "..."


def name_of(path):
    return path.relative_to(ROOT / PACKAGE).as_posix()


def named_mutants():
    """The checks of NAMED, each gone."""
    for file, old, new in NAMED:
        text = (ROOT / PACKAGE / file).read_text(encoding="utf-8")
        if old not in text:
            sys.exit(f"{file} does not hold {old!r} any more: correct NAMED.")
        source = text.replace(old, new, 1) + BY_LABEL * ("_by_label" in new)
        line = text[: text.index(old)].count("\n") + 1
        yield Mutant(file, line, f"{shortened(old)} -> {shortened(new)}", source)
