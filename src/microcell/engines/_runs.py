"""Runs: records of one part of a table, sorted by a key, in a file of slices.

A shard is the union of its slices of all runs. So each part of a table is written once,
to one file that nothing changes afterwards; no file is open for each shard, and memory
is that of a part. Measured against DuckDB and polars (`benchmarks/spill.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa

SHORT = 1 << 16


class Run(NamedTuple):
    """A file of slices.

    Attributes
    ----------
    path : Path
        An Arrow file with a batch for each key that occurs.
    sizes : dict
        Records of each key that occurs, in ascending order of keys.
    columns : list of str
        Names of its columns; in the file they have numbers, for Arrow does not take
        every name.
    """

    path: Path
    sizes: Mapping[int, int]
    columns: Sequence[str]


def write_run(frame: pl.DataFrame, key: str, path: Path) -> Run:
    """Write a frame, the records of each key together.

    Parameters
    ----------
    frame : polars.DataFrame
        At least one record.
    key : str
        Column of integers; it is not written.
    path : Path
        A file that is there, or a new one.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "run.arrow"
    >>> frame = pl.DataFrame({"leaf": [2, 0, 2], "age": [31, 40, 35]})
    >>> run = write_run(frame, "leaf", path)
    >>> run.sizes, gathered([run], [2])["age"].to_list()
    ({0: 1, 2: 2}, [31, 35])
    """
    keys = frame[key].to_numpy()
    if keys.size and keys.max() < SHORT:  # sorted by counting
        keys = keys.astype(np.uint16)
    order = np.argsort(keys, kind="stable")
    found, sizes = np.unique(keys, return_counts=True)
    # text as it was before views: a slice of views would bring all of the text along
    kept = frame.drop(key)[order]
    columns = kept.columns
    kept.columns = list(map(str, range(kept.width)))
    table = kept.to_arrow(compat_level=pl.CompatLevel.oldest()).combine_chunks()
    del kept
    start = 0
    with (
        pa.OSFile(str(path), "wb") as sink,
        pa.ipc.new_file(sink, table.schema) as writer,
    ):
        for size in sizes.tolist():
            part = table.slice(start, size)
            writer.write_table(part, max_chunksize=size)
            start += size
    sized = dict(zip(found.tolist(), sizes.tolist(), strict=True))
    return Run(path, sized, columns)


def gathered(runs: Iterable[Run], keys: Sequence[int]) -> pl.DataFrame | None:
    """All records of some keys, in one frame; None if there are none."""
    wanted = set(keys)
    frames, columns = [], None
    for run in runs:
        places = [i for i, key in enumerate(run.sizes) if key in wanted]
        if places:
            columns = run.columns
            with pa.OSFile(str(run.path)) as file, pa.ipc.open_file(file) as reader:
                frames += [pl.DataFrame(reader.get_batch(place)) for place in places]
    if columns is None:
        return None
    together = pl.concat(frames, rechunk=True)
    together.columns = list(columns)
    return together
