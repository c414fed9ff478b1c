"""Which sets of k records are cheaper than their multipliers say: inner loops.

With a price for each record, a set of k is worth taking if it loses less than its
records' prices. Put q = k / (k - 1) times the price and v_ij = d_ij - q_i - q_j: the
sum V of v over the pairs of a set is k times what it loses beyond its prices. The star
of a member is the sum of v over its k - 1 pairs; stars add up to 2 V, so the member
with the least star has one of at most 2 V / k. Each set is looked for from that member,
its root, and only records that can belong to so small a star are tried.
"""

import numpy as np

from microcell.bounds._neighbour_bound_kernel import keep_least
from microcell.kernels.codes import add_record, centre_of, distance_to_centre
from microcell.kernels.compiled import njit
from microcell.kernels.records import make_heap, record_distance, sort_heap

MAX_QUICK_CANDIDATES = 400  # of a root, whose pairs take long


@njit(cache=True, nogil=True)
def half_stars(X, codes, q, roots, halves):
    """Half the sum of the r least v of some records, for each r up to k - 1.

    Parameters
    ----------
    halves : ndarray of shape (n_roots, k)
        OUT
    """
    k = halves.shape[1]
    nearest = np.empty(k - 1)
    for place in range(roots.shape[0]):
        root = roots[place]
        nearest[:] = np.inf
        for j in range(X.shape[0]):
            if j != root:
                distance = record_distance(X[root], X[j], codes)
                keep_least(distance - q[root] - q[j], nearest)
        halves[place, 0] = 0.0
        for r in range(1, k):
            halves[place, r] = halves[place, r - 1] + 0.5 * nearest[r - 1]


@njit(cache=True, nogil=True)
def search_roots(X, codes, q, halves, threshold, effort, roots, least, sets, found):
    """Look for sets below minus `threshold` from each of some roots.

    Parameters
    ----------
    q : ndarray of shape (n_samples,)
        Prices times k / (k - 1).
    halves : ndarray of shape (n_samples, k)
        Half stars of all records.
    threshold : float
        At least 0: sets above minus this are not looked for.
    effort : (int, int)
        Branches that are tried from a root, and candidates that are compared with each
        other, before a bound is all that is given.
    least : ndarray of shape (n_roots,)
        OUT: no set with this root has a smaller V, but for rounding.
    sets : ndarray of shape (n_roots, n_kept, k)
        OUT: the last sets that were the best of their root.
    found : ndarray of shape (n_roots,)
        OUT: how many of them there are.
    """
    k = halves.shape[1]
    v = np.empty(X.shape[0])
    for place in range(roots.shape[0]):
        root = roots[place]
        least[place], found[place] = -threshold, 0
        star = 2.0 * halves[root, k - 1]
        if star >= -2.0 * threshold / k:
            continue
        # The last member of a star below 0 costs less than the others can bring.
        most = 2.0 * (halves[root, k - 1] - halves[root, k - 2]) - star
        rows = star_candidates(X, codes, q, root, most, v)
        stars = np.empty(rows.shape[0])
        for a in range(rows.shape[0]):
            stars[a] = halves[rows[a], k - 2]
        n_left = drop_expensive(rows, v, stars, k - 1, -threshold)
        if n_left == 0:
            continue
        rows = rows[:n_left]
        if k == 2:
            least[place], found[place] = v[0], 1
            sets[place, 0, 0], sets[place, 0, 1] = root, rows[0]
            continue
        if n_left <= MAX_QUICK_CANDIDATES:
            fixed = np.full(1, root)
            bound, found[place] = search_branches(
                X, codes, q, k, fixed, rows, v, v, 0.0, -threshold, effort[0],
                sets[place], 0,
            )  # fmt: skip
        else:
            bound, found[place] = search_by_first(
                X, codes, q, halves, root, rows, v, threshold, effort, sets[place]
            )
        least[place] = max(bound, 0.5 * k * star)


@njit(cache=True, nogil=True)
def search_by_first(X, codes, q, halves, root, rows, v, threshold, effort, sets):
    """Least V of the sets of a root with many candidates, one first member at a time.

    Most candidates cost too much with any one of them: no pairs of all are needed.
    """
    n_candidates, k = rows.shape[0], halves.shape[1]
    best, unknown, found = -threshold, 0.0, 0
    fixed = np.full(2, root)
    for a in range(n_candidates - k + 2):
        star = v[a : a + k - 1].sum()
        if star >= 2.0 * best / k:
            break
        # The last member's v, if all others are the nearest that are left.
        most = 2.0 * best / k - (star - v[a + k - 2])
        end = a + 1
        while end < n_candidates and v[end] < most:
            end += 1
        others, own = rows[a + 1 : end].copy(), v[a + 1 : end].copy()
        costs, stars = np.empty(others.shape[0]), np.empty(others.shape[0])
        for b in range(others.shape[0]):
            distance = record_distance(X[rows[a]], X[others[b]], codes)
            stars[b] = distance - q[rows[a]] - q[others[b]]
            costs[b] = own[b] + stars[b]
            stars[b] += halves[others[b], k - 3] if k > 3 else 0.0
        n_left = drop_expensive(others, own, stars, k - 2, best - v[a])
        if n_left == 0:
            continue
        for b in range(n_left):  # again, for those that are left
            distance = record_distance(X[rows[a]], X[others[b]], codes)
            costs[b] = own[b] + distance - q[rows[a]] - q[others[b]]
        if n_left > effort[1]:
            least = np.full(k - 2, np.inf)
            for b in range(n_left):
                keep_least(own[b] + stars[b], least)
            unknown = min(unknown, v[a] + least.sum())
            continue
        fixed[1] = rows[a]
        bound, found = search_branches(
            X, codes, q, k, fixed, others[:n_left], own, costs, v[a], best, effort[0],
            sets, found,
        )  # fmt: skip
        best = min(best, bound)
    return min(best, unknown), found


@njit(cache=True, nogil=True)
def star_candidates(X, codes, q, root, most, v):
    """Other records with a v below `most`, in ascending order, which `v` has then."""
    n_near = 0
    rows = np.empty(X.shape[0], np.int64)
    for j in range(X.shape[0]):
        if j != root:
            value = record_distance(X[root], X[j], codes) - q[root] - q[j]
            if value < most:
                v[n_near], rows[n_near] = value, j
                n_near += 1
    rows = rows[:n_near]
    make_heap(v[:n_near], rows)
    sort_heap(v[:n_near], rows)
    return rows


@njit(cache=True, nogil=True)
def drop_expensive(rows, v, stars, missing, best):
    """Drop who cannot be in a set below the best; how many are left, in order.

    Each brings its v and at least half a star.
    """
    least = np.full(missing, np.inf)
    for a in range(rows.shape[0]):
        keep_least(v[a] + stars[a], least)
    others = least[: missing - 1].sum()
    kept = 0
    for a in range(rows.shape[0]):
        if others + v[a] + stars[a] < best:
            rows[kept], v[kept], stars[kept] = rows[a], v[a], stars[a]
            kept += 1
    return kept if kept >= missing else 0


@njit(cache=True, nogil=True)
def pairs_of(X, codes, q, rows):
    """v of all pairs of some records; infinite on the diagonal."""
    pairs = np.empty((rows.shape[0], rows.shape[0]))
    for a in range(rows.shape[0]):
        pairs[a, a] = np.inf
        for b in range(a):
            distance = record_distance(X[rows[a]], X[rows[b]], codes)
            pairs[a, b] = distance - q[rows[a]] - q[rows[b]]
            pairs[b, a] = pairs[a, b]
    return pairs


@njit(cache=True, nogil=True)
def half_stars_among(pairs, k):
    """Half the sum of the r least pairs of each candidate, for r up to k - 2."""
    halves = np.zeros((k - 1, pairs.shape[0]))
    nearest = np.empty(k - 2)
    for a in range(pairs.shape[0]):
        nearest[:] = np.inf
        for b in range(pairs.shape[0]):
            keep_least(pairs[a, b], nearest)
        for r in range(1, k - 1):
            halves[r, a] = halves[r - 1, a] + 0.5 * nearest[r - 1]
    return halves


@njit(cache=True, nogil=True)
def search_branches(
    X, codes, q, k, fixed, rows, v, costs_of_rows, paid_before, best, most_nodes, sets,
    found,
):  # fmt: skip
    """Least V of the sets of fixed members and of candidates, depth first.

    A branch has some members; each that is missing costs at least its v to the members
    and half a star among the candidates. A branch that cannot be below the best is
    left, and so are candidates that cannot be in such a set, or with which the root's
    star is too large.

    Parameters
    ----------
    fixed : ndarray
        The root, or the root and another record.
    rows : ndarray of shape (n_candidates,)
    v : ndarray of shape (n_candidates,)
        Of the root and each candidate; ascending.
    costs_of_rows : ndarray of shape (n_candidates,)
        v of each candidate and the fixed members, in all.
    paid_before : float
        v of the fixed members.
    best : float
        What a set has to be below.
    found : int
        How many sets were found for this root before.

    Returns
    -------
    least : float
        Or a bound of it, where there are too many branches to try all.
    found : int
    """
    n_candidates, n_fixed, nodes = rows.shape[0], fixed.shape[0], 0
    pairs = pairs_of(X, codes, q, rows)
    halves = half_stars_among(pairs, k)
    left = np.empty((k, n_candidates), np.int64)  # at each depth, who may come in
    costs = np.empty((k, n_candidates))  # and the sum of v to all members
    n_left, following = np.zeros(k, np.int64), np.zeros(k, np.int64)
    members, paid, star = np.empty(k, np.int64), np.zeros(k), np.zeros(k)
    least = np.empty(k)
    for a in range(n_candidates):
        left[0, a], costs[0, a] = a, costs_of_rows[a]
    paid[0], star[0], depth = paid_before, paid_before, 0  # v of a pair with the root
    n_left[0] = close_branch(
        left[0], costs[0], n_candidates, halves, paid[0], k - n_fixed, best, least
    )
    while depth >= 0:
        missing, p, enough = k - n_fixed - depth, following[depth], 2.0 * best / k
        if missing == 1:
            for at in range(n_left[depth]):
                total = paid[depth] + costs[depth, at]
                if total < best:
                    best = total
                    place = sets[found % sets.shape[0]]
                    place[:n_fixed] = fixed
                    place[k - 1] = rows[left[depth, at]]
                    for m in range(depth):
                        place[n_fixed + m] = rows[members[m]]
                    found += 1
            depth -= 1
            continue
        if p + missing > n_left[depth]:
            depth -= 1
            continue
        reached = star[depth]
        for at in range(p, p + missing):
            reached += v[left[depth, at]]
        if reached >= enough:
            depth -= 1
            continue
        if nodes >= most_nodes:
            missing = k - n_fixed
            least[:missing] = np.inf
            for at in range(max(following[0] - 1, 0), n_left[0]):
                value = costs[0, at] + halves[missing - 1, left[0, at]]
                keep_least(value, least[:missing])
            best = min(best, paid[0] + least[:missing].sum())
            break
        nodes += 1
        following[depth] = p + 1
        a = left[depth, p]
        # The last member's v, if all others are the nearest that are left.
        most = enough - (reached - v[left[depth, p + missing - 1]])
        count = 0
        for at in range(p + 1, n_left[depth]):
            b = left[depth, at]
            if v[b] >= most:
                break
            left[depth + 1, count] = b
            costs[depth + 1, count] = costs[depth, at] + pairs[a, b]
            count += 1
        so_far = paid[depth] + costs[depth, p]
        count = close_branch(
            left[depth + 1], costs[depth + 1], count, halves, so_far, missing - 1, best,
            least,
        )  # fmt: skip
        if count > 0:
            members[depth] = a
            star[depth + 1] = star[depth] + v[a]
            depth += 1
            paid[depth], following[depth], n_left[depth] = so_far, 0, count
    return best, found


@njit(cache=True, nogil=True)
def close_branch(left, costs, count, halves, paid, missing, best, least):
    """Drop who cannot come into a branch's sets below the best; how many are left."""
    if count < missing:
        return 0
    stars = halves[missing - 1]
    least[:missing] = np.inf
    for at in range(count):
        keep_least(costs[at] + stars[left[at]], least[:missing])
    others = paid
    for r in range(missing - 1):
        others += least[r]
    if others + least[missing - 1] >= best:
        return 0
    kept = 0
    for at in range(count):
        if others + costs[at] + stars[left[at]] < best:
            left[kept], costs[kept] = left[at], costs[at]
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def sets_around(X, codes, prices, starts, sets):
    """The k records with the least distance less price around a centre, and its mean.

    Both are repeated until the sum falls no more, from the mean of each of `starts`.

    Parameters
    ----------
    starts : ndarray of shape (n_starts, n_rows)
    sets : ndarray of shape (n_starts, k)
        OUT
    """
    k = sets.shape[1]
    length = codes.n_measured + codes.starts[-1]
    near, rows = np.empty(k), np.empty(k, np.int64)
    for s in range(starts.shape[0]):
        members, last = starts[s], np.inf
        while True:
            total, lost = np.zeros(length), np.zeros(length)
            for m in range(members.shape[0]):
                add_record(total, lost, X[members[m]], 1.0, codes.n_measured)
            centre = centre_of(total, lost, members.shape[0], codes)
            near[:] = np.inf
            for j in range(X.shape[0]):
                cost = distance_to_centre(X[j], centre, codes) - prices[j]
                at = k - 1
                if cost < near[at]:
                    while at > 0 and near[at - 1] > cost:
                        near[at], rows[at] = near[at - 1], rows[at - 1]
                        at -= 1
                    near[at], rows[at] = cost, j
            reached = near.sum()
            if not reached < last:
                break
            last = reached
            sets[s] = rows
            members = sets[s]


@njit(cache=True, nogil=True)
def costs_of_sets(X, codes, sets, costs):
    """What each set loses: its squared distances, divided by its size."""
    for s in range(sets.shape[0]):
        total = 0.0
        for a in range(sets.shape[1]):
            for b in range(a):
                total += record_distance(X[sets[s, a]], X[sets[s, b]], codes)
        costs[s] = total / sets.shape[1]
