"""Quasi-identifiers on their common scale, and whose coordinate each is."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone

from microcell.metrics import relative_loss, rounded_loss

NO_SPREAD = 1e-12  # of a mean: a smaller spread is none
MAX_DUMMIES = 60  # of categories: the rarest have none of their own


class Geometry:
    """An original and its release on a common scale.

    Parameters
    ----------
    before : Before
        The original's quasi-identifiers beside the released ones.
    """

    def __init__(self, before: Any) -> None:
        self.names = before.names
        self.scaler = before.scaler
        if not hasattr(self.scaler, "units_"):  # nothing was measured
            self.scaler = clone(self.scaler).fit(before.X)
        self.Z = self.scaler.transform(before.X)
        self.Z_released = self.scaler.transform(before.X_released)
        self.codes, self.units = self.scaler.coded_, self.scaler.units_
        self._before = before

    @cached_property
    def owners(self) -> np.ndarray:
        """Quasi-identifier of each column of `Z`."""
        scaler = self.scaler
        owners = [*scaler.measured_, *scaler.nominal_]
        for j, levels in scaler.trees_.items():
            owners += [j] * len(levels.units)
        return np.array([*owners, *scaler.flagged_])

    def places(self, owners: Any) -> np.ndarray:
        """Columns of `Z` of some quasi-identifiers."""
        return np.flatnonzero(np.isin(self.owners, owners))

    def columns(self, owners: Any) -> tuple[np.ndarray, list[int], list[float]]:
        """Columns of `Z` of some quasi-identifiers, the coded ones and their units."""
        chosen = self.places(owners)
        unit_of = dict(zip(self.codes, self.units, strict=True))
        nominal = [place for place, j in enumerate(chosen) if int(j) in unit_of]
        return chosen, nominal, [unit_of[int(chosen[place])] for place in nominal]

    def costs(self, names: Any = None) -> list[dict[str, Any]]:
        """What quasi-identifiers lose, and the share of each of what these lose.

        Rounded to what may be given away; shares are those of the rounded losses.

        Parameters
        ----------
        names : collection of str, optional
            Those to tell of; by default all.
        """
        Z, Z_released = self.Z, self.Z_released
        gaps = np.isnan(self._before.X)
        if self.scaler.missing == "middle" and gaps.any():  # have nothing to lose
            filled = np.where(gaps, self._before.X, self._before.X_released)
            Z_released = self.scaler.transform(filled)
        found = []
        for j, name in enumerate(self.names):
            if names is not None and name not in names:
                continue
            chosen, nominal, units = self.columns([j])
            x, released = Z[:, chosen], Z_released[:, chosen]
            loss = relative_loss(x, released, nominal=nominal, units=units)
            changes = (x - released) ** 2
            changes[:, nominal] = (changes[:, nominal] > 0) * np.array(units)
            said = rounded_loss(loss, len(x))
            lost = float(changes.sum()) * said / loss if loss > 0 else 0.0
            found.append((name, said, lost))
        total = sum(lost for _, _, lost in found)
        return [
            {"name": name, "loss": loss, "share": lost / total if total > 0 else None}
            for name, loss, lost in found
        ]

    def released_points(self, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Released values of some records around their mean, for a picture.

        Numbers are measured by the spread of the release: on the scale of the original
        one could read its spread, or its range, and so its extremes.

        Parameters
        ----------
        rows : ndarray of shape (n_rows,)
        weights : ndarray of shape (n_rows,)
            What each counts; their sum is 1.
        """
        measured, coded = self.scaler.measured_, set(self.codes)
        X = self._before.X_released[np.ix_(rows, measured)]
        there = ~np.isnan(X)
        shares = np.where(there, weights[:, None], 0.0)
        sums = np.maximum(shares.sum(axis=0), np.finfo(float).tiny)
        X = np.where(there, X, 0.0)
        means = (shares * X).sum(axis=0) / sums
        X = np.where(there, X - means, 0.0)
        spreads = np.sqrt((shares * X**2).sum(axis=0) / sums)
        varies = spreads > NO_SPREAD * np.abs(means)
        X *= np.where(varies, 1 / np.where(varies, spreads, 1.0), 0.0)
        X *= np.sqrt(self.scaler.importance_[measured])
        (points,) = self.expanded(self.Z_released[rows])
        others = points[:, self.Z_released.shape[1] - len(coded) :]
        return np.hstack([X, others - weights @ others])

    def expanded(self, *tables: np.ndarray) -> list[np.ndarray]:
        """Tables like `Z` with a coordinate for each frequent category.

        Categories of the first table are counted; at most so many are kept.
        """
        coded = set(self.codes)
        blocks: list[list[np.ndarray]] = [[] for _ in tables]
        room = max(MAX_DUMMIES // max(len(coded), 1), 1)
        for j in range(tables[0].shape[1]):
            if j not in coded:
                parts = [table[:, [j]] for table in tables]
            else:
                unit = self.units[self.codes.index(j)]
                values, counts = np.unique(tables[0][:, j], return_counts=True)
                kept = values[np.argsort(-counts, kind="stable")[:room]]
                scale = np.sqrt(unit / 2)
                parts = [(table[:, [j]] == kept) * scale for table in tables]
            for block, part in zip(blocks, parts, strict=True):
                block.append(part)
        return [np.hstack(block) for block in blocks]
