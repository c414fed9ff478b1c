"""Slow, obvious versions of the algorithms: the definition that the fast ones meet."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np


class Coded:
    """A table whose columns from `n_measured` on hold codes.

    A mismatch is one unit of squared distance; a record is as far from a centre as if
    each code were a coordinate: (1 - 2 f + sum of f^2) / 2 for a share f of its code.
    """

    def __init__(self, X, n_measured):
        self.X = X
        self.n_measured = n_measured

    def __len__(self):
        return len(self.X)

    def __getitem__(self, row):
        return self.X[row]

    def centre(self, rows):
        shares = []
        for column in self.X[rows].T[self.n_measured :]:
            values = np.unique(self.X[:, self.n_measured :])
            shares.append({v: np.sum(column == v) / len(rows) for v in values})
        return mean(self.X[:, : self.n_measured], rows), shares

    def distances(self, rows, point):
        if isinstance(point, tuple):
            middle, shares = point
            total = squared_distances(self.X[:, : self.n_measured], rows, middle)
            for column, share in zip(self.X.T[self.n_measured :], shares, strict=True):
                half = 0.5 + 0.5 * sum(f * f for f in share.values())
                total += [half - share[code] for code in column[rows]]
            return np.maximum(total, 0)
        total = squared_distances(self.X[:, : self.n_measured], rows, point)
        for j in range(self.n_measured, self.X.shape[1]):
            total += self.X[rows, j] != point[j]
        return total


def squared_distances(X, rows, point):
    """Squared distances added up column by column, as the kernels do."""
    if isinstance(X, Coded):
        return X.distances(rows, point)
    total = np.zeros(len(rows))
    for j in range(X.shape[1]):
        total += (X[rows, j] - point[j]) ** 2
    return total


def mean(X, rows):
    if isinstance(X, Coded):
        return X.centre(rows)
    return np.array([math.fsum(X[rows, j]) / len(rows) for j in range(X.shape[1])])


def farthest(X, rows, point):
    return rows[int(np.argmax(squared_distances(X, rows, point)))]


def nearest(X, rows, centre, k):
    """`centre` and its k - 1 nearest, earlier records first on ties."""
    distances = squared_distances(X, rows, X[centre])
    distances[rows.index(centre)] = -1.0
    order = np.argsort(distances, kind="stable")
    return [rows[i] for i in order[:k]]


def without(rows, cell):
    return [row for row in rows if row not in set(cell)]


def labels_of(cells, n_samples):
    labels = np.full(n_samples, -1)
    for label, cell in enumerate(cells):
        labels[list(cell)] = label
    return labels


def join_nearest(X, cells, leftovers):
    centroids = [mean(X, cell) for cell in cells]
    cells = [list(cell) for cell in cells]
    for row in leftovers:
        distances = [squared_distances(X, [row], c)[0] for c in centroids]
        cells[int(np.argmin(distances))].append(row)
    return cells


def slow_mdav(X, k, leftover="last"):
    rows, cells = list(range(len(X))), []
    pairs_from = 3 * k if leftover == "last" else 2 * k
    while len(rows) >= 2 * k:
        in_pairs = len(rows) >= pairs_from
        p = farthest(X, rows, mean(X, rows))
        q = farthest(X, rows, X[p])
        cells.append(nearest(X, rows, p, k))
        rows = without(rows, cells[-1])
        if in_pairs:
            if q not in rows:
                q = farthest(X, rows, X[p])
            cells.append(nearest(X, rows, q, k))
            rows = without(rows, cells[-1])
    if len(rows) >= k and leftover == "each":
        cells.append(nearest(X, rows, farthest(X, rows, mean(X, rows)), k))
        rows = without(rows, cells[-1])
    if len(rows) >= k:
        cells.append(rows)
    elif rows:
        cells = join_nearest(X, cells, rows)
    return labels_of(cells, len(X))


def slow_mdav_of_units(X, units, k, leftover="last"):
    """MDAV that takes the nearest record of each of the nearest k units."""
    rows, cells = list(range(len(X))), []
    pairs_from = 3 * k if leftover == "last" else 2 * k

    def cell_around(row):
        by_unit = {}
        for other in nearest(X, rows, row, len(rows)):
            by_unit.setdefault(units[other], other)
        return list(by_unit.values())[:k]

    def n_units():
        return len({units[row] for row in rows})

    while len(rows) >= 2 * k and n_units() >= k:
        in_pairs = n_units() >= pairs_from
        p = farthest(X, rows, mean(X, rows))
        q = farthest(X, rows, X[p])
        cells.append(cell_around(p))
        rows = without(rows, cells[-1])
        if in_pairs:
            if q not in rows:
                q = farthest(X, rows, X[p])
            cells.append(cell_around(q))
            rows = without(rows, cells[-1])
    last = n_units() >= k
    if last and leftover == "each":
        cells.append(cell_around(farthest(X, rows, mean(X, rows))))
        rows, last = without(rows, cells[-1]), False
    if last:
        cells.append(rows)
    elif rows:
        cells = join_nearest(X, cells, rows)
    return labels_of(cells, len(X))


def measured(X):
    return X.X[:, : X.n_measured] if isinstance(X, Coded) else X


def codes_gap(X, row, rows):
    """Squared distance of the codes of a record to the centre of others."""
    gap = 0.0
    for column in X.X.T[X.n_measured :] if isinstance(X, Coded) else []:
        others = column[list(rows)]
        pairs = sum(a != b for i, a in enumerate(others) for b in others[:i])
        differ = np.sum(others != column[row])
        gap += max(differ / len(rows) - pairs / len(rows) ** 2, 0.0)
    return gap


def gathered(X, rows):
    """Centroid and SSE of records that come one after the other: nothing cancels."""
    Y = measured(X)
    middle, sse = np.zeros(Y.shape[1]), 0.0
    for size, row in enumerate(rows):
        middle, more = with_one_more(X, middle, rows[:size], row)
        sse += more
    return middle, sse


def with_one_more(X, middle, rows, row):
    """Centroid of the rows and one more, and what that adds to the SSE."""
    Y, size = measured(X), len(rows)
    more = squared_distances(Y, [row], middle)[0] * (size / (size + 1))
    if size:
        more += codes_gap(X, row, rows) * (size / (size + 1))
    return middle + (Y[row] - middle) / (size + 1), more


def slow_dissolve(X, labels):
    """Cells after each was tried to be shared out to others, the worst first."""
    cells = [list(np.flatnonzero(labels == c)) for c in range(labels.max() + 1)]
    state = {c: (*gathered(X, rows), rows) for c, rows in enumerate(cells)}
    for c in sorted(state, key=lambda c: -state[c][1]):
        others = sorted(set(state) - {c})
        if not others:
            break
        middles = np.array([state[other][0] for other in others])
        trial, added = dict(state), 0.0
        for row in state[c][2]:
            gaps = squared_distances(middles, range(len(others)), measured(X)[row])
            if isinstance(X, Coded):
                gaps += [codes_gap(X, row, state[other][2]) for other in others]
            to = others[int(np.argmin(gaps))]
            middle, sse, rows = trial[to]
            middle, more = with_one_more(X, middle, rows, row)
            trial[to] = (middle, sse + more, [*rows, row])
            added += more
        if added < state[c][1]:
            state = trial
            del state[c]
    return [state[c][2] for c in sorted(state)]


def slow_dissolve_and_split(X, labels, k):
    cells = []
    for rows in slow_dissolve(X, labels):
        rows = sorted(rows)
        pieces = np.zeros(len(rows), dtype=int)
        if len(rows) >= 2 * k:
            part = Coded(X[rows], X.n_measured) if isinstance(X, Coded) else X[rows]
            pieces = slow_mdav(part, k, "each")
        for piece in range(pieces.max() + 1):
            cells.append([rows[i] for i in np.flatnonzero(pieces == piece)])
    return labels_of(cells, len(X))


def slow_cbfs(X, k):
    rows, cells = list(range(len(X))), []
    while len(rows) >= k:
        cells.append(nearest(X, rows, farthest(X, rows, mean(X, rows)), k))
        rows = without(rows, cells[-1])
    return labels_of(join_nearest(X, cells, rows), len(X))


def slow_maximum_distance(X, k):
    rows, cells = list(range(len(X))), []
    while len(rows) >= 2 * k:
        p, q = (rows[place] for place in slow_farthest_pair(X, rows))
        cells.append(nearest(X, rows, p, k))
        rows = without(rows, cells[-1])
        if q not in rows:
            q = farthest(X, rows, X[p])
        cells.append(nearest(X, rows, q, k))
        rows = without(rows, cells[-1])
    if len(rows) >= k:
        cells.append(rows)
    elif rows:
        cells = join_nearest(X, cells, rows)
    return labels_of(cells, len(X))


def slow_tfrp(X, k):
    rows, cells = list(range(len(X))), []
    corners = X.min(axis=0), X.max(axis=0)
    while len(rows) >= k:
        start = farthest(X, rows, corners[len(cells) % 2])
        cells.append(nearest(X, rows, start, k))
        rows = without(rows, cells[-1])
    return labels_of(join_nearest(X, cells, rows), len(X))


def slow_spanning_tree(X):
    """Edges (child, parent) of a minimum spanning tree, as records join it."""
    inside, edges = [0], []
    while len(inside) < len(X):
        outside = without(range(len(X)), inside)
        gaps = np.array([squared_distances(X, outside, X[row]) for row in inside])
        row = int(np.argmin(gaps.min(axis=0)))
        edges.append((outside[row], inside[int(np.argmin(gaps[:, row]))]))
        inside.append(outside[row])
    return edges


def slow_forest(X, k):
    """Edges of trees that joined others until all have k records."""
    edges = []
    for row in range(len(X)):
        while len(own := tree_of(row, edges)) < k:
            children = {child for child, _ in edges}
            (top,) = own - children
            others = without(range(len(X)), own)
            gaps = squared_distances(X, others, X[top])
            edges.append((top, others[int(np.argmin(gaps))]))
    return edges


def tree_of(row, edges):
    """All records that edges lead to from a record."""
    tree = {row}
    while True:
        more = {a for edge in edges if tree & set(edge) for a in edge} - tree
        if not more:
            return tree
        tree |= more


def slow_trees(X, edges, k):
    """Cells of a forest without the longest edges that leave k on both sides."""
    edges = list(edges)
    for edge in sorted(edges, key=lambda e: -squared_distances(X, [e[0]], X[e[1]])[0]):
        rest = [other for other in edges if other != edge]
        if all(len(tree_of(end, rest)) >= k for end in edge):
            edges = rest
    return [
        sorted(cell) for cell in {frozenset(tree_of(i, edges)) for i in range(len(X))}
    ]


def slow_split(X, cells, k, split):
    """Cells after those of 2k or more are split on their own records."""
    pieces = []
    for rows in cells:
        labels = np.zeros(len(rows), dtype=int)
        if len(rows) >= 2 * k:
            labels = split(X[list(rows)], k)
        for label in range(labels.max() + 1):
            pieces.append({rows[i] for i in np.flatnonzero(labels == label)})
    return pieces


def slow_order_along_cells(X, labels):
    """Records along a path through the nearest centroids."""
    cells = [list(np.flatnonzero(labels == c)) for c in range(labels.max() + 1)]
    middles = np.array([X[rows].mean(axis=0) for rows in cells])
    path, left = [0], list(range(1, len(cells)))
    while left:
        gaps = squared_distances(middles, left, middles[path[-1]])
        path.append(left.pop(int(np.argmin(gaps))))
    order = []
    for place, cell in enumerate(path):
        before = middles[path[max(place - 1, 0)]]
        after = middles[path[min(place + 1, len(path) - 1)]]
        keys = np.sum((X[cells[cell]] - before) ** 2, axis=1)
        keys = keys - np.sum((X[cells[cell]] - after) ** 2, axis=1)
        order += [cells[cell][i] for i in np.argsort(keys, kind="stable")]
    return order


def slow_dba(X, k):
    """The densest k records at a time."""
    rows, cells = list(range(len(X))), []
    while len(rows) >= k:
        near = [sorted(nearest(X, rows, row, k)) for row in rows]
        cells.append(near[int(np.argmin([sse_of_rows(X, cell) for cell in near]))])
        rows = without(rows, cells[-1])
    return labels_of(join_nearest(X, cells, rows), len(X))


def sse_of_rows(X, rows):
    """SSE of records in their order; of codes 1 / m of all mismatches of two."""
    if not isinstance(X, Coded):
        return gathered(X, rows)[1]
    sse = gathered(measured(X), rows)[1]
    for column in X.X[rows].T[X.n_measured :]:
        pairs = sum(a != b for i, a in enumerate(column) for b in column[:i])
        sse += pairs / len(rows)
    return sse


def slow_vmdav(X, k, gamma):
    rows, cells = list(range(len(X))), []
    middle = mean(X, rows)
    while len(rows) >= k:
        cell = nearest(X, rows, farthest(X, rows, middle), k)
        rows = without(rows, cell)
        while len(cell) < 2 * k - 1 and rows:
            to_cell = np.min([squared_distances(X, rows, X[m]) for m in cell], axis=0)
            candidate = rows[int(np.argmin(to_cell))]
            others = without(rows, [candidate])
            outside = math.inf
            if others:
                outside = squared_distances(X, others, X[candidate]).min()
            if gamma == 0 or not math.sqrt(to_cell.min()) < gamma * math.sqrt(outside):
                break
            cell.append(candidate)
            rows = others
        cells.append(cell)
    return labels_of(join_nearest(X, cells, rows), len(X))


def slow_mondrian(X, k, mode, widths="relative"):
    spans = X.max(axis=0) - X.min(axis=0)
    if widths == "absolute":
        spans = (spans > 0) * 1.0
    cells = []

    def width(rows, j):
        return (X[rows, j].max() - X[rows, j].min()) / spans[j] if spans[j] else 0.0

    def split(rows):
        allowed = [j for j in range(X.shape[1]) if width(rows, j) > 0]
        while allowed:
            least = max(width(rows, j) for j in allowed) * (1 - 1e-9)
            column = next(j for j in allowed if width(rows, j) >= least)
            half = len(rows) // 2
            median = sorted(X[rows, column])[half - 1] if half else math.inf
            if mode == "strict":
                lower = [row for row in rows if X[row, column] <= median]
            else:
                less = [row for row in rows if X[row, column] < median]
                equal = [row for row in rows if X[row, column] == median]
                lower = sorted(less + equal[: half - len(less)])
            upper = without(rows, lower)
            if len(lower) >= k and len(upper) >= k:
                split(lower)
                split(upper)
                return
            allowed.remove(column)
        cells.append(rows)

    split(list(range(len(X))))
    return labels_of(cells, len(X))


def slow_farthest_pair(X, rows):
    """Positions in `rows` of the farthest pair, from all distances; lowest on ties."""
    distances = np.array([squared_distances(X, rows, X[row]) for row in rows])
    np.fill_diagonal(distances, -1.0)
    i, j = divmod(int(np.argmax(distances)), len(rows))
    return min(i, j), max(i, j)


def slow_top_down(X, k, parts):
    """Farthest-pair splits of each part; a set lists the pair's record, its nearest
    by distance, and then those that joined."""
    cells = []
    for part in range(max(parts) + 1):
        stack = [[row for row in range(len(X)) if parts[row] == part]]
        while stack:
            rows = stack.pop()
            if len(rows) < 2 * k:
                cells.append(rows)
                continue
            i, j = (rows[place] for place in slow_farthest_pair(X, rows))
            lower = nearest(X, without(rows, [j]), i, k)
            upper = nearest(X, without(rows, lower), j, k)
            c_lower, c_upper = mean(X, lower), mean(X, upper)
            for row in without(rows, lower + upper):
                to_lower = squared_distances(X, [row], c_lower)[0]
                to_upper = squared_distances(X, [row], c_upper)[0]
                (lower if to_lower <= to_upper else upper).append(row)
            stack += [upper, lower]
    return labels_of(cells, len(X))


def slow_bottom_up(X, k, parts, turns):
    cells, left = [], []
    for part in range(max(parts) + 1):
        rows = [row for row in range(len(X)) if parts[row] == part]
        if len(rows) < k:
            left += rows
            continue
        own = []
        while len(rows) >= k:
            own.append(nearest(X, rows, min(rows, key=lambda row: turns[row]), k))
            rows = without(rows, own[-1])
        cells += join_nearest(X, own, rows)
    return labels_of(join_nearest(X, cells, sorted(left)), len(X))


def grid_weights(shape, radius):
    """Weight of each unit of a grid for each other, exp(-g^2 / 2 r^2)."""
    places = [(row, column) for row in range(shape[0]) for column in range(shape[1])]
    return np.array(
        [
            [
                np.exp(-((a - c) ** 2 + (b - d) ** 2) / (2 * radius**2))
                for c, d in places
            ]
            for a, b in places
        ]
    )


def slow_nearest_units(X, units):
    """The first of the nearest units of each record."""
    return np.array(
        [np.argmin(squared_distances(units, range(len(units)), x)) for x in X]
    )


def slow_epoch(X, units, shape, radius):
    """Units after an epoch of batch training."""
    weights = grid_weights(shape, radius)[:, slow_nearest_units(X, units)]
    return weights @ X / weights.sum(axis=1, keepdims=True)


def slow_taught(X, nearest, others, shape, radius, beta):
    """Units after a pass of collaboration, from the nearest units in all views."""
    weights = grid_weights(shape, radius)
    own = weights[:, nearest]
    coupled = own + beta * sum((own - weights[:, other]) ** 2 for other in others)
    return coupled @ X / coupled.sum(axis=1, keepdims=True)


def slow_merge_small_cells(X, labels, k):
    """Cells below k join the nearest, in rounds."""
    cells = [list(np.flatnonzero(labels == cell)) for cell in range(labels.max() + 1)]
    while min(map(len, cells)) < k:
        middles = np.array([X[rows].mean(axis=0) for rows in cells])
        wishes = []
        for cell, rows in enumerate(cells):
            if len(rows) < k:
                distances = squared_distances(middles, range(len(cells)), middles[cell])
                distances[cell] = np.inf
                nearest = int(np.argmin(distances))
                wishes.append((distances[nearest], cell, nearest))
        joins, took_part = {}, set()
        for _, cell, nearest in sorted(wishes):
            waits = nearest in took_part and len(cells[nearest]) < k
            if cell not in took_part and not waits:
                joins[cell] = nearest
                took_part |= {cell, nearest}
        grown = {cell: list(rows) for cell, rows in enumerate(cells)}
        for cell, nearest in joins.items():
            grown[nearest] += grown.pop(cell)
        cells = [sorted(grown[cell]) for cell in sorted(grown)]
    return labels_of(cells, len(X))


def slow_empty_small_units(X, units, nearest, k):
    """Records of the smallest unit below k go to the nearest unit that has some."""
    nearest = list(nearest)
    while True:
        sizes = {unit: nearest.count(unit) for unit in sorted(set(nearest))}
        smallest = min(sizes, key=lambda unit: (sizes[unit], unit))
        if sizes[smallest] >= k:
            return nearest
        for i, unit in enumerate(nearest):
            if unit == smallest:
                gaps = {
                    other: ((X[i] - units[other]) ** 2).sum()
                    for other in sizes
                    if other != smallest
                }
                nearest[i] = min(gaps, key=lambda other: (gaps[other], other))


def slow_merge_until_kept(X, labels, keeps, at_once=1 / 128):
    """Cells that fail join the nearest, in rounds; `keeps` checks the rows of a cell.

    A large cell takes in the next nearest too, up to `at_once` of its records. Shares
    of codes are added code by code after the measured columns.
    """
    cells = [list(np.flatnonzero(labels == cell)) for cell in range(labels.max() + 1)]
    while not all(map(keeps, cells)):
        middles = [centre_in_coordinates(X, rows) for rows in cells]
        wishes = []
        for cell, rows in enumerate(cells):
            if not keeps(rows):
                distances = [gap_of(middles[cell], other) for other in middles]
                near = sorted(
                    set(range(len(cells))) - {cell}, key=distances.__getitem__
                )
                wishes.append((distances[near[0]], cell, near))
        group, took_part = list(range(len(cells))), set()
        for _, cell, (nearest, *others) in sorted(wishes):
            if cell in took_part or (
                nearest in took_part and not keeps(cells[nearest])
            ):
                continue
            group[cell] = group[nearest]
            took_part |= {cell, nearest}
            taken = len(cells[nearest])
            for other in others:
                taken += len(cells[other])
                if taken > at_once * len(cells[cell]):
                    break
                if other not in took_part:
                    group[other] = group[nearest]
                    took_part.add(other)
        grown = {}
        for rows, name in zip(cells, group, strict=True):
            grown[name] = sorted(grown.get(name, []) + rows)
        cells = [grown[name] for name in sorted(grown)]
    return labels_of(cells, len(X))


def gap_of(one, other):
    pairs = zip(one, other, strict=True)
    return sum(weight * (a - b) ** 2 for (a, weight), (b, _) in pairs)


def centre_in_coordinates(X, rows):
    """Coordinates of a centre, each with what a squared difference counts."""
    if not isinstance(X, Coded):
        return [(value, 1.0) for value in mean(X, rows)]
    middle, shares = X.centre(rows)
    coded = [(f, 0.5) for share in shares for _, f in sorted(share.items())]
    return [*((value, 1.0) for value in middle), *coded]


def slow_t_closeness_first(X, values, k, n_cells):
    """One record of each subset of the ordered values, the nearest, and extras."""
    n = len(X)
    order = sorted(range(n), key=lambda row: (values[row], row))
    sizes = [n_cells] * k
    extras = [0] * k
    for turn in range(n - n_cells * k):  # to the middle, the lower one first
        extras[(k - 1) // 2 if turn % 2 == 0 else k // 2] += 1
    subsets = []
    for size, extra in zip(sizes, extras, strict=True):
        subsets.append(order[: size + extra])
        order = order[size + extra :]
    rows, cells = list(range(n)), []
    while rows:
        centre = farthest(X, rows, mean(X, rows))
        distance = dict(zip(rows, squared_distances(X, rows, X[centre]), strict=True))
        cell = []
        more = extras.index(max(extras)) if max(extras) else None
        for number, subset in enumerate(subsets):
            nearby = sorted(set(subset) & set(rows), key=lambda r: (distance[r], r))
            cell += nearby[: 2 if number == more else 1]
        if more is not None:
            extras[more] -= 1
        cells.append(cell)
        rows = without(rows, cell)
    return labels_of(cells, n)


def by_distance(X, rows, centre):
    """Free records from `centre` on, the nearest first, earlier ones on ties."""
    return nearest(X, rows, centre, len(rows))


def slow_k_anonymity_first(X, k, candidates, t, distance_of):
    """The nearest k, exchanged for farther ones while that brings them closer."""
    rows, cells = list(range(len(X))), []
    while len(rows) >= 2 * k:
        near = by_distance(X, rows, farthest(X, rows, mean(X, rows)))
        cell = near[:k]
        for candidate in near[k : k + candidates]:
            reached = distance_of(cell)
            if reached <= t:
                break
            tried = [[*cell[:i], *cell[i + 1 :], candidate] for i in range(1, k)]
            distances = [distance_of(other) for other in tried]
            if min(distances, default=reached) < reached:  # on ties the farthest leaves
                cell = [
                    c
                    for c, d in zip(tried, distances, strict=True)
                    if d == min(distances)
                ][-1]
        cells.append(cell)
        rows = without(rows, cell)
    return labels_of([*cells, rows], len(X))


def slow_p_sensitive_first(X, values, k, p):
    """The nearest k, skipping known values once all places are for new ones."""
    rows, cells = list(range(len(X))), []
    while len(rows) >= 2 * k:
        near = by_distance(X, rows, farthest(X, rows, mean(X, rows)))
        cell = []
        for row in near:
            known = {values[other] for other in cell}
            spare = k - len(cell) - (p - len(known))
            if len(cell) < k and (values[row] not in known or spare > 0):
                cell.append(row)
        cell += without(near, cell)[: k - len(cell)]
        cells.append(cell)
        rows = without(rows, cell)
    return labels_of([*cells, rows], len(X))


def least_loss(X, k, nominal=(), units=None):
    """SSE / SST of the best of all partitions into cells of k, as a fraction.

    A table over all subsets of the records: for up to twelve of them.
    """
    units = [1] * len(nominal) if units is None else units
    unit_of = dict(zip(nominal, units, strict=True))
    n_samples, n_features = X.shape
    exact = [[Fraction(float(value)) for value in record] for record in X]

    def distance(a, b):
        return sum(
            (Fraction(unit_of[j]) if a[j] != b[j] else 0)
            if j in unit_of
            else (a[j] - b[j]) ** 2
            for j in range(n_features)
        )

    pairs = {
        (i, j): distance(exact[i], exact[j]) for j in range(n_samples) for i in range(j)
    }

    def sse(rows):
        return sum(pairs[pair] for pair in combinations(rows, 2)) / len(rows)

    everything = 2**n_samples - 1
    cells = {}
    for subset in range(1, everything + 1):
        rows = [i for i in range(n_samples) if subset >> i & 1]
        if k <= len(rows) < 2 * k:  # larger ones are no better than two
            cells.setdefault(rows[0], []).append((subset, sse(rows)))
    least = {everything: Fraction(0)}  # of the records that are left, by what was lost
    for _ in range(n_samples // k):
        lost = {}
        for left, so_far in least.items():
            if left == 0:
                lost[0] = min(so_far, lost.get(0, so_far))
                continue
            first = (left & -left).bit_length() - 1
            for subset, cost in cells.get(first, []):
                if subset & left == subset:
                    rest, total = left ^ subset, so_far + cost
                    lost[rest] = min(total, lost.get(rest, total))
        least = lost
    sst = sse(range(n_samples))
    return least[0] / sst if sst > 0 else Fraction(0)
