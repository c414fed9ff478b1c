"""compare_file: from a table file to a folder with the comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from microcell import _interrupts
from microcell._progress import report
from microcell.exceptions import Option, OutputExistsError
from microcell.recipe import Recipe, Schema
from microcell.release import errors_in, read_by_recipe
from microcell.selection._bench import Watch, needed_by_measures
from microcell.selection._candidates import Grid
from microcell.selection._compare import compared_on
from microcell.selection._compared import Compared
from microcell.selection._figures import find_figure, known_figures
from microcell.selection._kept import RUN_FILE, Kept
from microcell.selection._trial import Trial

CACHE = ".cache"  # folder of finished candidates inside of the folder of results


def compare_file(
    path: str | Path,
    schema: Schema,
    folder: str | Path,
    *,
    methods: Any = None,
    k: int | Sequence[int] = (3, 5, 10, 25, 50),
    grid: Mapping[str, Any] | None = None,
    label: str | None = None,
    x: str | None = None,
    y: str | None = None,
    n_jobs: int = -1,
    overwrite: bool = False,
    watch: Watch | None = None,
    **options: Any,
) -> Compared:
    """Read a table, compare what releases of it would give, and write the comparison.

    Finished candidates are kept in the folder: the same command goes on where it was
    interrupted, and more methods or values of k add to what is there.

    Parameters
    ----------
    path : path
        The table.
    schema : Schema
        Roles and kinds of its columns.
    folder : path
        Where the comparison goes. One that holds something else is refused.
    x, y : str, optional
        Figures of the map.
    overwrite : bool, default=False
        Whether files of a folder that holds something else may be replaced.
    methods, k, grid, label, n_jobs, watch, **options
        As in `compare`; `delimiter` and `encoding` are those of the file.

    Returns
    -------
    compared : Compared
    """
    folder = Path(folder)
    check_folder(folder)
    plan = Grid(schema, methods, k, grid, options, label)
    shared = plan.recipes[0]
    known = known_figures(schema, label, given=needed_by_measures(shared))
    for option, name in (("x", x), ("y", y)):
        if name is not None:
            find_figure(name, known, option)
    report(0, None, "reading")
    source, noted = read_by_recipe(path, shared)
    frame = source.frame
    as_text = source.format is not None and not source.format.typed
    goes_on = begin_in(folder, frame, as_text, shared, overwrite)
    with errors_in(path):
        compared = compared_on(
            frame,
            Grid(noted.schema, methods, k, grid, options, label),
            watch,
            label=label,
            n_jobs=n_jobs,
            cache=folder / CACHE,
            as_text=as_text,
        )
    compared.save(folder, x=x, y=y, overwrite=goes_on or overwrite)
    return compared


def begin_in(
    folder: Path, frame: Any, as_text: bool, shared: Recipe, overwrite: bool
) -> bool:
    """Make a folder ready for what is tried on a table; whether it goes on there."""
    trial = Trial(frame, as_text)
    goes_on = _goes_on(folder, trial, shared)
    if not goes_on and not overwrite and folder.is_dir() and any(folder.iterdir()):
        raise OutputExistsError(
            f"{folder} holds something else than a comparison of this table with these "
            "options.",
            option="overwrite",
            hint=[
                "Choose another folder, or let its files be replaced with ",
                Option("overwrite", True),
                ".",
            ],
        )
    folder.mkdir(exist_ok=True)
    Kept(folder / CACHE, trial).begin(shared)
    _interrupts.partial.append(str(folder))
    return goes_on


def check_folder(folder: Path) -> None:
    """Refuse a folder that cannot be made, before any work."""
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file. Name a folder.")
    if not folder.parent.is_dir():
        raise FileNotFoundError(
            f"The folder {folder.parent} does not exist. Create it first."
        )


def _goes_on(folder: Path, trial: Trial, shared: Any) -> bool:
    """Whether a folder holds a comparison of the same table and options."""
    begun = (folder / CACHE / RUN_FILE).is_file()
    return begun and Kept(folder / CACHE, trial).same_run(shared)
