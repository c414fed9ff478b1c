"""Pictures of a release's facts: the report's, and those of `release.plot`.

Each part draws a piece of the facts on matplotlib axes and computes nothing; what
fewer than k people would show is not in the facts. Before and after differ in form
besides colour: a filled area and a line, a hollow ring and a filled diamond.
"""

from math import sqrt

from microcell.report._style import OKABE_ITO

BEFORE, AFTER = OKABE_ITO[0], OKABE_ITO[1]
LONGEST_LABEL = 22  # letters of a column's or category's name
MOST_TICKS = 7
VALUES_UP_TO = 8  # columns of a matrix whose figures are written out
MARK_STEPS = 5  # sizes of marks; each is stored once


def plain(text, longest=LONGEST_LABEL):
    """A name as a label: short, on one line, and never read as a formula.

    Examples
    --------
    >>> plain("cost in $"), plain("a very long name of a column")
    ('cost in \\\\$', 'a very long name of a…')
    """
    shown = "".join(c if c.isprintable() else " " for c in str(text))
    if len(shown) > longest:
        shown = shown[: longest - 1].rstrip() + "…"
    return shown.replace("$", r"\$")


def draw_classes(axes, class_sizes):
    """Records in classes of each size: how many look alike."""
    bins = class_sizes["bins"]
    places = range(len(bins))
    records = [each["records"] for each in bins]
    axes.bar(places, records, width=0.72, color=BEFORE)
    for place, count in zip(places, records, strict=True):
        axes.annotate(
            f"{count:,}",
            (place, count),
            xytext=(0, 2),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.set_xticks(places, [plain(each["label"]) for each in bins])
    axes.margins(y=0.14)
    _finish(axes, "people who look alike", "records", grid="y")


def draw_knowledge(axes, knowledge):
    """How likely a record is found by somebody who knows some columns."""
    sizes = [each["size"] for each in knowledge]
    mean = [100 * each["mean"] for each in knowledge]
    worst = [100 * each["worst"] for each in knowledge]
    axes.plot(sizes, worst, "--", marker="D", color=AFTER, label="worst columns")
    axes.plot(sizes, mean, "-", marker="o", color=BEFORE, label="on average")
    axes.set_xticks(sizes)
    axes.set_ylim(0, max(1.0, 1.15 * max(worst)))
    _legend(axes)
    _finish(axes, "quasi-identifiers that are known", "found, %")


def draw_carriers(axes, carriers):
    """Which columns carry the linkage risk."""
    _bars(axes, carriers, "share", "share of the linkage risk, %")


def draw_costs(axes, costs):
    """Which columns lost most."""
    _bars(axes, costs, "share", "share of the loss, %")


def draw_interval(axes, interval):
    """Records whose original value lies close to the released one, by column."""
    _bars(axes, interval, "share", "records close to their original value, %")


def draw_attributes(axes, attributes):
    """The most frequent value of each confidential column: in the table, in cells."""
    named = [each for each in attributes if each["largest_share"] is not None]
    places = range(len(named))
    table = [100 * each["table_share"] for each in named]
    largest = [100 * each["largest_share"] for each in named]
    axes.hlines(places, table, largest, color="#8a8f94", linewidth=1.2, zorder=1)
    axes.plot(table, places, label="in the whole table", **_ring())
    axes.plot(largest, places, label="in the worst cell", **_diamond())
    _rows(axes, [each["name"] for each in named])
    axes.set_xlim(0, 104)
    _legend(axes)
    _finish(axes, "share of the most frequent value, %", "", grid="x")


def draw_column(axes, column):
    """One column before and after: a histogram, or shares of categories."""
    if column.get("histogram"):
        _draw_histogram(axes, column["histogram"])
    else:
        _draw_categories(axes, column["categories"])


def _draw_histogram(axes, histogram):
    """Bins side by side, equally wide; the outer two have no end."""
    before, after = histogram["before"], histogram["after"]
    edges = range(len(after) + 1)
    if before is not None:
        shares = [100 * share for share in before]
        axes.stairs(shares, edges, fill=True, color=BEFORE, alpha=0.45, label="before")
    shares = [100 * share for share in after]
    axes.stairs(shares, edges, color=AFTER, linewidth=1.6, label="after")
    inner = list(histogram["edges"])
    step = -(-len(inner) // MOST_TICKS) or 1
    axes.set_xticks(
        range(1, len(inner) + 1, step), [plain(edge, 12) for edge in inner[::step]]
    )
    if max(map(len, inner), default=0) > 5 and len(inner) > 4:
        axes.tick_params(axis="x", labelrotation=30)
    axes.set_xlim(0, len(after))
    axes.set_ylim(bottom=0)
    _legend(axes)
    _finish(axes, "", "records, %", grid="y")


def _draw_categories(axes, categories):
    places = range(len(categories))
    after = [100 * each["after"] for each in categories]
    if all(each["before"] is not None for each in categories):
        before = [100 * each["before"] for each in categories]
        axes.hlines(places, before, after, color="#8a8f94", linewidth=1.2, zorder=1)
        axes.plot(before, places, label="before", **_ring())
    axes.plot(after, places, label="after", **_diamond())
    _rows(axes, [each["label"] for each in categories])
    axes.set_xlim(left=0)
    axes.margins(x=0.06)
    _legend(axes)
    _finish(axes, "records, %", "", grid="x")


def draw_associations(axes, associations):
    """Correlations of each pair: before below the diagonal, after above it.

    A large mark is a strong correlation; a filled one is positive, a ring negative.
    """
    names = associations["names"]
    pairs = [
        (column, row, (associations["after"] if column > row else _before)[row][column])
        for _before in [associations["before"]]
        for row in range(len(names))
        for column in range(len(names))
        if row != column
    ]
    written = len(names) <= VALUES_UP_TO
    full = min(26.0, 230 / len(names))
    for sign, look in ((1, {}), (-1, {"markerfacecolor": "none"})):
        colour = BEFORE if sign > 0 else AFTER
        for step in range(1, MARK_STEPS + 1):
            of_step = [
                (x, y)
                for x, y, value in pairs
                if value is not None
                and value * sign > 0
                and max(1, round(abs(value) * MARK_STEPS)) == step
            ]
            if of_step:
                size = full * sqrt(step / MARK_STEPS)
                look_of = {"color": colour, "alpha": 0.75, "markersize": size} | look
                axes.plot(*zip(*of_step, strict=True), "o", **look_of)
    if written:
        for x, y, value in pairs:
            if value is not None:
                axes.annotate(
                    f"{value:.2f}", (x, y), ha="center", va="center", fontsize=7
                )
    axes.plot([-0.5, len(names) - 0.5], [-0.5, len(names) - 0.5], color="#8a8f94")
    labels = [plain(name, 12) for name in names]
    axes.set_xticks(range(len(names)), labels, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), labels)
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_title("below the diagonal before, above it after", fontsize=8)
    _finish(axes, "", "", grid="both")
    if len(names) > 12:
        axes.tick_params(labelsize=6)


def draw_cells(axes, cells):
    """Cells of the release on the two directions in which they differ most."""
    most = max(cells["records"])
    for step in range(1, MARK_STEPS + 1):
        of_step = [
            (x, y)
            for x, y, records in zip(
                cells["x"], cells["y"], cells["records"], strict=True
            )
            if max(1, -(-MARK_STEPS * records // most)) == step
        ]
        if of_step:
            axes.plot(
                *zip(*of_step, strict=True),
                "o",
                color=BEFORE,
                alpha=0.45,
                markersize=2.5 + 1.5 * step,
                markeredgewidth=0,
            )
    first, second = (
        f"{ordinal} direction ({100 * share:.0f} %)"
        for ordinal, share in zip(("first", "second"), cells["explained"], strict=True)
    )
    _finish(axes, first, second, grid="both")


def draw_models(axes, models):
    """What a model learns from the release, from the original, and from nothing."""
    places = range(len(models))
    known = (
        ("constant", "no columns", {"marker": "x", "color": "#000000"}),
        ("original", "original", _ring()),
        ("released", "release", _diamond()),
    )
    for place, model in zip(places, models, strict=True):
        if model.get("interval"):
            axes.hlines(place, *model["interval"], color=AFTER, linewidth=1.2)
    for key, label, look in known:
        points = [
            (model[key], place)
            for place, model in zip(places, models, strict=True)
            if model.get(key) is not None
        ]
        if points:
            xs, ys = zip(*points, strict=True)
            axes.plot(xs, ys, label=label, **({"linestyle": "none"} | look))
    _rows(axes, [model["column"] for model in models])
    axes.margins(x=0.08)
    _legend(axes)
    metrics = sorted({model["metric"] for model in models})
    _finish(axes, plain(" or ".join(metrics), 60), "", grid="x")


def _bars(axes, entries, key, label):
    shares = [100 * each[key] for each in entries]
    places = range(len(entries))
    axes.barh(places, shares, height=0.62, color=BEFORE)
    for place, share in zip(places, shares, strict=True):
        axes.annotate(
            f"{share:.1f}",
            (share, place),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    _rows(axes, [each["name"] for each in entries])
    axes.set_xlim(0, max([1.0, *shares]) * 1.14)
    _finish(axes, label, "", grid="x")


def _rows(axes, labels):
    axes.set_yticks(range(len(labels)), [plain(label) for label in labels])
    axes.set_ylim(len(labels) - 0.4, -0.6)


def _ring():
    return {
        "color": BEFORE, "marker": "o", "markersize": 7, "markerfacecolor": "none",
        "markeredgewidth": 1.5, "linestyle": "none",
    }  # fmt: skip


def _diamond():
    return {"color": AFTER, "marker": "D", "markersize": 5, "linestyle": "none"}


def _legend(axes):
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=3,
        fontsize=8,
        frameon=False,
        borderaxespad=0.0,
        handletextpad=0.4,
        columnspacing=1.2,
    )


def _finish(axes, x_label, y_label, grid="both"):
    axes.set_xlabel(x_label, fontsize=8)
    axes.set_ylabel(y_label, fontsize=8)
    axes.tick_params(labelsize=8, length=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set(color="#8a8f94", linewidth=0.8)
    axes.grid(axis=grid, color="#8a8f94", alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
