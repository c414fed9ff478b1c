"""What `benchmarks.trade_offs` found: a CSV, tables in Markdown and a picture.

The page is made of the CSV alone, so that whoever has both can see that they agree.
"""

import csv
import io
import math
from typing import NamedTuple

WHOLE = "k-anonymity of whole records"
BARE = "records as they are"  # in the place of a method
LEARNT, FIRST = "adult, learnt", "adult, first"  # in the place of a table
MAIN_K = 5
SHOWN_KS = (3, 5, 10)  # of all methods; the CSV has more
TICKS = (0.5, 1, 2, 5, 10, 20, 50, 100)
NOTHING = "Nothing was measured."
DEFAULT, RIVALS = "mdav-refined", ("mdav", "mondrian")
NAMES = {"census": "Census", "eia": "EIA", "adult": "Adult", "million": "a million"}


class Row(NamedTuple):
    """One method with one k on one table; shares are between 0 and 1.

    Attributes
    ----------
    promise : str
        What the release promised and kept; `WHOLE`, or less.
    seconds : float
        To make and verify the release.
    loss, linkage, interval, highest_risk : float
        Information loss; records linked to their own original by an intruder who knows
        all quasi-identifiers; numbers guessed closely; one over the smallest class.
    uniform, guessed, t_mean, mean_range : float
        What cells give away of confidential columns.
    accuracy, auc : float
        Of a model that learnt a label from the release.
    note : str
        Why there are no figures.
    """

    table: str
    records: int
    method: str
    k: int
    promise: str = ""
    seconds: float = math.nan
    loss: float = math.nan
    linkage: float = math.nan
    interval: float = math.nan
    highest_risk: float = math.nan
    uniform: float = math.nan
    guessed: float = math.nan
    t_mean: float = math.nan
    mean_range: float = math.nan
    accuracy: float = math.nan
    auc: float = math.nan
    date: str = ""
    note: str = ""

    @property
    def key(self):
        return self.table, self.records, self.method, self.k

    def short(self):
        """The row as a line to watch."""
        head = f"{self.table:14} {self.records:9,} {self.method:20} k={self.k:<3}"
        shown = [
            f"{name} {getattr(self, name):.4g}"
            for name in ("loss", "linkage", "guessed", "t_mean", "auc", "seconds")
            if not math.isnan(getattr(self, name))
        ]
        return f"{head} {' '.join(shown)} {self.note}"


def write_csv(about, rows):
    """Rows below lines that say when and how they were made.

    Examples
    --------
    >>> print(write_csv({"date": "2026-11-17"}, [Row("eia", 9, "mdav", 3, loss=0.5)]))
    # date: 2026-11-17
    table,records,method,k,promise,seconds,loss,...
    eia,9,mdav,3,,,0.5,...
    """
    text = io.StringIO()
    text.writelines(f"# {name}: {value}\n" for name, value in about.items())
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Row._fields)
    for row in rows:
        writer.writerow([_written(value) for value in row])
    return text.getvalue()


def read_csv(text):
    """What `write_csv` wrote."""
    lines = text.splitlines()
    above = [line[2:].split(": ", 1) for line in lines if line.startswith("# ")]
    entries = csv.DictReader(line for line in lines if not line.startswith("#"))
    kinds = Row.__annotations__
    rows = [
        Row(**{name: _read(value, kinds[name]) for name, value in entry.items()})
        for entry in entries
    ]
    return dict(above), rows


def _written(value):
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6g}"
    return value


def _read(text, kind):
    return math.nan if kind is float and not text else kind(text)


def rendered(page, about, rows):
    """The page with each of its blocks made anew."""
    for name, block in BLOCKS.items():
        begin, end = marks(name)
        if page.count(begin) != 1 or page.count(end) != 1:
            raise ValueError(f"The page needs {begin} and {end}, once each.")
        before, _, rest = page.partition(begin)
        after = rest.partition(end)[2]
        lines = "\n".join(block(about, rows))
        page = f"{before}{begin}\n\n{lines}\n\n{end}{after}"
    return page


def marks(name):
    """Where a block of the page begins and ends."""
    return (
        f"<!-- made by: python -m benchmarks.trade_offs ({name}) -->",
        f"<!-- end of {name} -->",
    )


def about_block(about, rows):
    dates = sorted({row.date for row in rows})
    when = " and ".join(dates) if len(dates) < 3 else f"{dates[0]} to {dates[-1]}"
    yield (
        f"Measured on {when} by `{about['command']}` with {about['versions']}, on "
        f"{about['machine']}."
    )
    if "remark" in about:
        yield ""
        yield f"**{about['remark']}**"


def default_block(about, rows):
    """The default beside its rivals, on every table and k."""
    methods = (*RIVALS, DEFAULT)
    here = [row for row in rows if row.table in NAMES]
    here = [row for row in here if row.records == most_records(rows, row.table)]
    found = {(row.table, row.k, row.method): row for row in here}
    figures = {
        "loss, %": lambda row: three_digits(100 * row.loss),
        "linkage, %": lambda row: three_digits(100 * row.linkage),
        "guessed, %": lambda row: three_digits(100 * row.guessed),
        "t, mean": lambda row: number(row.t_mean),
        "seconds": lambda row: time_of(row.seconds),
    }
    yield table_row(["table", "k", *figures])
    yield table_row(["---"] * (2 + len(figures)))
    for table in NAMES:
        for k in sorted({row.k for row in here if row.table == table}):
            of = [found.get((table, k, method)) for method in methods]
            if all(of):
                shown = [" / ".join(map(show, of)) for show in figures.values()]
                shown = ["" if text == " /  / " else text for text in shown]
                yield table_row([NAMES[table], str(k), *shown])


def linkage_block(about, rows):
    """Rivals beside the default at the least k that is linked no more."""
    yield table_row(
        ["table", "rival", "linkage", "loss", f"`{DEFAULT}`", "linkage", "loss"]
    )
    yield table_row(["---"] * 7)
    for method in RIVALS:
        for rival, own in as_little_linked(rows, method):
            cells = [NAMES[rival.table], f"`{method}`, k = {rival.k}"]
            cells += [percent(rival.linkage), percent(rival.loss), f"k = {own.k}"]
            yield table_row([*cells, percent(own.linkage), percent(own.loss)])


def as_little_linked(rows, rival):
    """Pairs of rows of a rival and the default; none where no k is large enough."""
    for table in NAMES:
        most = most_records(rows, table)
        here = [r for r in rows if (r.table, r.records) == (table, most)]
        here.sort(key=lambda row: row.k)
        own = [row for row in here if row.method == DEFAULT]
        for row in (row for row in here if row.method == rival):
            fits = [each for each in own if each.linkage <= row.linkage]
            if fits:
                yield row, fits[0]


def table_block(table):
    """The block of a table: those that promise whole records, then others."""

    def block(about, rows):
        most = most_records(rows, table)
        here = [row for row in rows if row.table == table]
        if not here:
            yield NOTHING
            return
        ks = [k for k in SHOWN_KS if any(row.k == k for row in here)]
        sizes = sorted({row.records for row in here if row.records})
        columns = columns_of(here, ks, sizes)
        whole, less = split(here)
        yield table_row(["method", *columns])
        yield table_row(["---"] * (1 + len(columns)))
        for part, mark in ((whole, ""), (less, " *")):
            for method in by_loss(part, most):
                of = {(r.records, r.k): r for r in part if r.method == method}
                shown = [show(of) for show in columns.values()]
                yield table_row([f"`{method}`{mark}", *shown])
        notes = dict.fromkeys(
            f"`{row.method}` at {row.records:,}: {row.note}" for row in here if row.note
        )
        if notes:
            yield ""
            yield "; ".join(notes) + "."

    return block


def columns_of(rows, ks, sizes):
    """Heads and what stands below them, of what was measured at all."""
    most = sizes[-1]
    columns = {}

    def column(head, name, show, k):
        if any(not math.isnan(getattr(row, name)) for row in rows if row.k == k):
            columns[head] = lambda of: show(getattr(of.get((most, k)), name, math.nan))

    for k in ks:
        column(f"loss, k = {k}", "loss", percent, k)
    for k in ks:
        column(f"linkage, k = {k}", "linkage", percent, k)
    column("smallest class", "highest_risk", class_size, MAIN_K)
    column("interval", "interval", percent, MAIN_K)
    column("guessed", "guessed", percent, MAIN_K)
    column("uniform", "uniform", percent, MAIN_K)
    column("t, mean", "t_mean", number, MAIN_K)
    column("range", "mean_range", percent, MAIN_K)
    for size in sizes:
        head = "seconds" if len(sizes) == 1 else f"seconds, {size:,}"
        columns[head] = lambda of, size=size: time_of(
            getattr(of.get((size, MAIN_K)), "seconds", math.nan)
        )
    if len(sizes) > 1:
        columns["growth"] = growth
    return columns


def growth(of):
    """The exponent by which time grows with records, between the two largest sizes."""
    known = sorted(
        (records, row.seconds)
        for (records, k), row in of.items()
        if k == MAIN_K and not math.isnan(row.seconds)
    )[-2:]
    if len(known) < 2:
        return ""
    (few, quick), (many, slow) = known
    return f"{math.log(slow / quick) / math.log(many / few):.2f}"


def lesson_block(about, rows):
    """What models learn, beside what cells give away, by k."""
    here = [row for row in rows if row.table == LEARNT]
    if not here:
        yield NOTHING
        return
    ks = sorted({row.k for row in here})
    figures = {"auc": number, "accuracy": percent, "uniform": percent, "loss": percent}
    heads = {"auc": "AUC"}
    yield table_row(
        ["method", *(f"{heads.get(f, f)}, k = {k}" for k in ks for f in figures)]
    )
    yield table_row(["---"] * (1 + len(ks) * len(figures)))
    of = {(row.method, row.k): row for row in here}
    methods = sorted(
        {row.method for row in here}, key=lambda m: -of.get((m, ks[-1]), here[0]).auc
    )
    for method in methods:
        rows_of = [of.get((method, k), Row(LEARNT, 0, method, k)) for k in ks]
        cells = [show(getattr(r, f)) for r in rows_of for f, show in figures.items()]
        yield table_row([method if method == BARE else f"`{method}`", *cells])


def first_block(about, rows):
    """The first release ever, which waits for kernels to be compiled."""
    of = {row.method: row for row in rows if row.table == FIRST}
    yield table_row(["method", "seconds, first release", "seconds, later ones"])
    yield table_row(["---"] * 3)
    for method, row in of.items():
        later = [r for r in rows if r[:4] == ("adult", row.records, method, row.k)]
        seconds = [time_of(r.seconds) for r in (row, *later)]
        yield table_row([f"`{method}`", *seconds])


BLOCKS = {
    "about": about_block,
    "default": default_block,
    "linkage": linkage_block,
    "census": table_block("census"),
    "eia": table_block("eia"),
    "adult": table_block("adult"),
    "learnt": lesson_block,
    "million": table_block("million"),
    "first": first_block,
}


def split(rows):
    """Rows of methods that promise k-anonymity of whole records, and the others."""
    less = {row.method for row in rows if row.promise not in ("", WHOLE)}
    return [r for r in rows if r.method not in less], [
        r for r in rows if r.method in less
    ]


def by_loss(rows, most):
    """Methods from the least loss to the most; those without one come last."""
    lost = {row.method: math.inf for row in rows}
    for row in rows:
        if row.records == most and row.k == MAIN_K and not math.isnan(row.loss):
            lost[row.method] = row.loss
    return sorted(lost, key=lost.get)


def most_records(rows, table):
    return max((row.records for row in rows if row.table == table), default=0)


def table_row(cells):
    return f"| {' | '.join(cells)} |"


def percent(share):
    """A share with three digits that count.

    Examples
    --------
    >>> percent(0.0837), percent(0.00353), percent(0.2015), percent(float("nan"))
    ('8.37 %', '0.353 %', '20.2 %', '')
    """
    shown = three_digits(100 * share)
    return shown and f"{shown} %"


def number(value):
    return "" if math.isnan(value) else f"{value:.3f}"


def class_size(highest_risk):
    return "" if math.isnan(highest_risk) else f"{1 / highest_risk:.0f}"


def time_of(seconds):
    """Seconds, not more closely than they can be repeated.

    Examples
    --------
    >>> time_of(0.0312), time_of(0.31), time_of(3.14), time_of(62.2)
    ('0.03', '0.31', '3.1', '62')
    """
    if math.isnan(seconds):
        return ""
    return f"{seconds:.{2 if seconds < 1 else 1 if seconds < 10 else 0}f}"


def three_digits(value):
    if math.isnan(value):
        return ""
    if value == 0 or value >= 99.95:
        return f"{value:.0f}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}"


def draw(rows, path):
    """Loss against linkage at k = 5, and over k for the default and its rivals."""
    import matplotlib as mpl
    from matplotlib.ticker import FixedLocator, NullLocator

    from microcell.report._map import looks_of, place_labels
    from microcell.report._style import panels

    shown = {}
    for table in ("census", "adult"):
        most = most_records(rows, table)
        here = [r for r in rows if (r.table, r.records) == (table, most)]
        shown[table] = [
            row
            for row in here
            if row.promise == WHOLE and not row.method.endswith("++")  # the same cells
        ]
    titles = [
        f"{NAMES[table]}, {most_records(rows, table):,} records" for table in shown
    ]
    sentence = (
        f"What methods lose and how many records are linked: points at k = {MAIN_K}, "
        "lines from small k (right) to large; lower left is better"
    )
    figure, axes = panels(2, sentence, width=5.4, height=4.4, subtitles=titles)
    methods = [row.method for here in shown.values() for row in here]
    looks = looks_of(methods, [DEFAULT, *RIVALS, "best"])
    for each, here in zip(axes, shown.values(), strict=True):
        draw_lines(each, here, looks)
        each.set_xscale("log")
        each.set_yscale("log")
        each.set_xlabel("linkage, % of records", fontsize=9)
        each.set_ylabel("loss, % of the variance", fontsize=9)
        for axis in (each.xaxis, each.yaxis):
            low, high = axis.get_view_interval()
            axis.set_major_locator(FixedLocator([t for t in TICKS if low < t < high]))
            axis.set_major_formatter(lambda value, _: f"{value:g}")
            axis.set_minor_locator(NullLocator())
    for each, here in zip(axes, shown.values(), strict=True):
        named = {place(row): row.method for row in here if row.k == MAIN_K}
        place_labels(figure, each, named, list(map(place, here)))
    with mpl.rc_context({"svg.hashsalt": "trade-offs"}):  # the same file each time
        figure.savefig(path, metadata={"Date": None})


def draw_lines(axes, rows, looks):
    """A point for each method, and a line over k for those that have colours."""
    for method, look in looks.items():
        own = sorted((row for row in rows if row.method == method), key=lambda r: r.k)
        if method in (DEFAULT, *RIVALS) and own:
            places = list(zip(*map(place, own), strict=True))
            axes.plot(*places, linewidth=1.0, markersize=3, **look)
        for row in own:
            if row.k == MAIN_K:
                axes.plot(*place(row), linestyle="none", markersize=6, **look)


def place(row):
    return 100 * row.linkage, 100 * row.loss
