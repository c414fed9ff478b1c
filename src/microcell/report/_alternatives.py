"""What each picture of a report shows, in words: its alternative text."""

from __future__ import annotations

from typing import Any

from microcell.report._numbers import count, listed, number, share

MAX_NAMED_ENTRIES = 6  # entries that a text names


def of_classes(class_sizes: Any) -> str:
    """
    Examples
    --------
    >>> bins = [{"label": "5 to 9", "classes": 2, "records": 12}]
    >>> of_classes({"smallest": 5, "median": 6, "largest": 7, "bins": bins})
    'Bars: records by how many look alike. 5 to 9: 12 records in 2 classes.
    Smallest class 5, median 6, largest 7.'
    """
    counted = class_sizes.get("counts", "records")
    bars = "; ".join(
        f"{each['label']}: {count(each['records'])} {counted} in "
        f"{count(each['classes'])} classes"
        for each in class_sizes["bins"]
    )
    smallest, median, largest = (
        count(class_sizes[key]) for key in ("smallest", "median", "largest")
    )
    return (
        f"Bars: {counted} by how many look alike. {bars}. Smallest class {smallest}, "
        f"median {median}, largest {largest}."
    )


def of_knowledge(knowledge: Any) -> str:
    """For somebody who knows one, two, ... columns."""
    said = "; ".join(
        f"{each['size']} known: {share(each['mean'])} on average, "
        f"{share(each['worst'])} at worst"
        for each in knowledge
    )
    return (
        "Lines: chance to find a record by the number of quasi-identifiers that are "
        f"known. {said}."
    )


def of_bars(entries: Any, what: Any) -> str:
    """
    Examples
    --------
    >>> of_bars([{"name": "age", "share": 0.75}, {"name": "sex", "share": 0.25}],
    ...         "Share of the loss by column")
    'Bars: Share of the loss by column. age 75 %; sex 25 %.'
    """
    entries = sorted(entries, key=lambda each: -each["share"])
    said = "; ".join(
        f"{each['name']} {share(each['share'])}" for each in entries[:MAX_NAMED_ENTRIES]
    )
    more = len(entries) - MAX_NAMED_ENTRIES
    return f"Bars: {what}. {said}{f'; and {more} more' if more > 0 else ''}."


def of_attributes(attributes: Any) -> str:
    """For the confidential columns."""
    said = "; ".join(
        f"{each['name']}: {share(each['table_share'])} in the table, "
        f"{share(each['largest_share'])} in the worst cell"
        for each in attributes[:MAX_NAMED_ENTRIES]
    )
    return f"Dots: share of the most frequent value of confidential columns. {said}."


def of_column(column: Any) -> Any:
    """Before and after, by bin or by category."""
    name = column["name"]
    histogram = column.get("histogram")
    if histogram:
        edges = histogram["edges"]
        between = f" with edges from {edges[0]} to {edges[-1]}" if edges else ""
        text = (
            f"Histogram of {name}, {len(histogram['after'])} bins{between}, the outer "
            "two open-ended."
        )
        before, after = histogram["before"], histogram["after"]
        if before == after:
            text += " The column is released as it is."
        elif before is not None:
            changes = [abs(a - b) for a, b in zip(after, before, strict=True)]
            text += f" Shares of bins change by at most {share(max(changes))}."
        return text
    said = "; ".join(
        _category(each) for each in column["categories"][:MAX_NAMED_ENTRIES]
    )
    return f"Dots: shares of the categories of {name}. {said}."


def _category(each: Any) -> str:
    if each["before"] is None or each["before"] == each["after"]:
        return f"{each['label']} {share(each['after'])}"
    return f"{each['label']} {share(each['before'])} before, {share(each['after'])} now"


def of_associations(associations: Any) -> str:
    """For the matrix of associations."""
    names = associations["names"]
    change = number(associations["largest_change"])
    return (
        f"Matrix of how strongly {listed(names[:MAX_NAMED_ENTRIES])}"
        f"{' and others' if len(names) > MAX_NAMED_ENTRIES else ''} go together: "
        f"before below the diagonal, after above it. The largest change is {change}."
    )


def of_cells(cells: Any) -> str:
    """For the scatter of cells."""
    both = sum(cells["explained"])
    return (
        f"Scatter of {count(cells['shown'])} of {count(cells['of'])} cells of the "
        "release on their two main directions, which hold "
        f"{share(both)} of what differs between cells; larger marks hold more records."
    )


def of_models(models: Any) -> str:
    """For models of confidential columns."""
    said = "; ".join(
        f"{model['column']} ({model['metric']}): release {number(model['released'])}, "
        f"original {number(model['original'])}, without columns "
        f"{number(model['constant'])}"
        for model in models[:MAX_NAMED_ENTRIES]
    )
    return f"Dots: how well models predict. {said}."
