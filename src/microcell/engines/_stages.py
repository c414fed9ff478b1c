"""How far a long run is: its stages, the share that is done, the time that is left."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from microcell._progress import report

BAR = 1000  # steps of the bar
EARLY = 0.02  # share of a run before which nothing is said of time


class Stages:
    """Progress through stages of different cost.

    Parameters
    ----------
    costs : mapping of str to float
        What a stage costs beside the others, in the order in which they come.

    Attributes
    ----------
    seconds : dict
        How long each stage took.

    Examples
    --------
    >>> from microcell._progress import listen
    >>> stages = Stages({"reading": 1, "masking": 3})
    >>> with listen(lambda done, total, step: print(done / total, step.split(",")[0])):
    ...     with stages.stage("masking", 10):
    ...         stages.advance(5)
    0.25 masking (stage 2 of 2
    0.625 masking (stage 2 of 2
    """

    def __init__(self, costs: Mapping[str, float]) -> None:
        self.costs = dict(costs)
        self.seconds: dict[str, float] = {}
        self._began = time.monotonic()
        self._free = 0.0  # share that was done by an earlier process
        self._name, self._done, self._total = "", 0, 1

    @contextmanager
    def stage(self, name: str, total: int, already: int = 0) -> Iterator[None]:
        """A stage of `total` records, of which some were done before."""
        self._name, self._done, self._total = name, 0, max(total, 1)
        before = self._share()
        self._done = already
        self._free += self._share() - before
        start = time.monotonic()
        self._say()
        try:
            yield
        finally:
            took = time.monotonic() - start
            self.seconds[name] = self.seconds.get(name, 0.0) + took

    def skip(self, name: str) -> None:
        """A stage that an earlier process had finished."""
        self._free += self.costs[name] / sum(self.costs.values())

    def advance(self, records: int) -> None:
        """Say that so many records more are done."""
        self._done += records
        self._say()

    def _share(self) -> float:
        names = list(self.costs)
        before = sum(self.costs[n] for n in names[: names.index(self._name)])
        here = self.costs[self._name] * min(1.0, self._done / self._total)
        return (before + here) / sum(self.costs.values())

    def _say(self) -> None:
        share = self._share()
        place = list(self.costs).index(self._name) + 1
        left = self._left(share)
        words = f"{self._name} (stage {place} of {len(self.costs)}{left})"
        report(round(BAR * share), BAR, words)

    def _left(self, share: float) -> str:
        """Words for the time that is left, once there is something to go by."""
        mine = share - self._free
        if mine < EARLY or share >= 1:
            return ""
        seconds = (time.monotonic() - self._began) * (1 - share) / mine
        if seconds < 90:
            return f", about {max(1, round(seconds))} s left"
        return f", about {round(seconds / 60)} min left"
