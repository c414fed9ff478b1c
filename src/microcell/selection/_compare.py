"""compare: many recipes on one table, and what each would give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from microcell import _interrupts
from microcell._progress import report
from microcell.exceptions import Option, OutputExistsError
from microcell.io import Source
from microcell.learning import HOLD_OUTS
from microcell.recipe import Recipe, Schema, refuse_of_files
from microcell.release import errors_in, read_by_recipe
from microcell.selection._bench import Bench, Watch, needed_by_measures
from microcell.selection._compared import Compared
from microcell.selection._figures import find_figure, known_figures
from microcell.selection._grid import Grid
from microcell.selection._kept import RUN_FILE, Kept
from microcell.selection._trial import Trial

KS = (3, 5, 10, 25, 50)
CACHE = ".cache"  # folder of finished candidates inside of the folder of results


def compare(
    table: Any,
    schema: Schema,
    *,
    methods: Any = None,
    k: int | Sequence[int] = KS,
    grid: Mapping[str, Any] | None = None,
    label: str | None = None,
    n_repetitions: int = HOLD_OUTS,
    n_jobs: int = -1,
    cache: str | Path | None = None,
    as_text: bool = False,
    watch: Watch | None = None,
    **options: Any,
) -> Compared:
    """Try methods, parameters and values of k on a table, and measure what each gives.

    Nothing is released: figures are all that is kept. A candidate that fails is one
    with an error. Methods that draw do so from a fixed seed here, the same in each
    comparison, which no recipe or file holds; a release draws anew.

    Parameters
    ----------
    table : dataframe
        A pandas, polars or pyarrow table, or a stream of Arrow such as a relation
        of DuckDB, a table of Ibis or a RecordBatchReader; it is not changed.
    schema : Schema
        Roles and kinds of its columns.
    methods : sequence, optional
        Names of methods, functions or estimators, as in `anonymize`; by default all of
        `METHODS` that the table and the options allow, but "best", which takes long.
    k : int or sequence of int, default=(3, 5, 10, 25, 50)
    grid : mapping, optional
        Values to try of parameters: ``{"vmdav": {"gamma": [0.1, 0.5]}}``, or
        ``{"gamma": [0.1, 0.5]}`` for every method that has one of this name.
    label : str, optional
        A column released as it is: how well a model that learns it from the released
        quasi-identifiers predicts records that were held out of the release. Methods
        that shape cells by a confidential column take it, unless `target` is another.
    n_repetitions : int, default=3
        How often records are held out; the same ones for all candidates.
    n_jobs : int, default=-1
        Number of processes; -1 takes all cores.
    cache : path, optional
        A folder for finished candidates, so that a comparison that was interrupted
        goes on where it was. It holds figures, and no value of a record.
    as_text : bool, default=False
        As in `apply_recipe`.
    watch : callable, optional
        Called with a `Compared` of all candidates that are done, in their order, each
        time another one is, and first with those that `cache` holds. It sees what will
        be returned as it grows, and changes nothing of it; an error in it ends the
        comparison.
    **options
        Options of the release that all share, as in `anonymize`; `target`,
        `random_state` and parameters of methods go to the methods that use them.

    Returns
    -------
    compared : Compared

    Examples
    --------
    >>> import polars as pl
    >>> from microcell import Schema, compare
    >>> people = pl.DataFrame({"age": list(range(20, 60)), "ill": ["no", "yes"] * 20})
    >>> schema = Schema(["age"], confidential="ill")
    >>> compared = compare(people, schema, methods=["mdav", "mondrian"], k=[4, 10],
    ...                    n_jobs=1)
    >>> compared.table.select("candidate", "k", "homogeneous_records")["k"].to_list()
    [4.0, 10.0, 5.0, 10.0]
    >>> [candidate.label for candidate in compared.frontier("risk", "loss")]
    ['mdav, k=10', 'mondrian, k=10', 'mondrian, k=4', 'mdav, k=4']
    >>> compared = compare(people, schema, methods=["mdav"], k=[4, 10], n_jobs=1,
    ...                    watch=lambda so_far: print(len(so_far.candidates)))
    1
    2
    """
    refuse_of_files(options, "compare_file(path, ...)")
    plan = Grid(schema, methods, k, grid, options, label)
    given: dict[str, Any] = {"n_repetitions": n_repetitions, "n_jobs": n_jobs}
    given |= {"cache": cache, "as_text": as_text, "label": label}
    with Bench(table, plan, **given) as bench:
        return bench.compared(bench.candidates(plan.recipes, watch))


def compare_file(
    path: str | Path,
    schema: Schema,
    folder: str | Path,
    *,
    methods: Any = None,
    k: int | Sequence[int] = KS,
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
    known = known_figures(schema, label, given=needed_by_measures(vars(shared)))
    for option, name in (("x", x), ("y", y)):
        if name is not None:
            find_figure(name, known, option)
    source, noted, as_text = read_to_try(path, shared)
    goes_on = begin_in(folder, Trial(source.frame, as_text), shared, overwrite)
    given: dict[str, Any] = {"label": label, "n_jobs": n_jobs, "as_text": as_text}
    with errors_in(path):
        plan = Grid(noted.schema, methods, k, grid, options, label)
        with Bench(source.frame, plan, cache=folder / CACHE, **given) as bench:
            compared = bench.compared(bench.candidates(plan.recipes, watch))
    compared.save(folder, x=x, y=y, overwrite=goes_on or overwrite)
    return compared


def read_to_try(path: str | Path, recipe: Recipe) -> tuple[Source, Recipe, bool]:
    """A table's file, the recipe with its notes, and whether all of it is text."""
    report(0, None, "reading")
    source, noted = read_by_recipe(path, recipe)
    return source, noted, source.format is not None and not source.format.typed


def begin_in(folder: Path, trial: Trial, shared: Recipe, overwrite: bool) -> bool:
    """Make a folder ready for what is tried on a table; whether it goes on there."""
    begun = (folder / CACHE / RUN_FILE).is_file()
    goes_on = begun and Kept(folder / CACHE, trial).same_run(shared)
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
