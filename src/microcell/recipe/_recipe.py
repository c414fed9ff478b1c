"""Recipe: everything needed to make a release again, as one TOML file.

The command line reads its options from here, so what is heavy is imported where it is
used.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import tomli_w

from microcell._default_method import DEFAULT_METHOD
from microcell._validation import check_count, check_k
from microcell.exceptions import (
    InputError,
    Option,
    ParameterError,
    SchemaError,
    nearest_name,
)
from microcell.recipe._clip import check_clip
from microcell.recipe._digits import check_digits
from microcell.recipe._enforcement import BUILDERS, WAYS, check_enforce
from microcell.recipe._importance import (
    check_importance,
    refuse_importance_without_effect,
    weights_in_order,
)
from microcell.recipe._mistyped import meant, refuse_mistyped
from microcell.recipe._options import (
    NAMES_HELP,
    check_choices,
    layout,
    option,
    options_of,
)
from microcell.recipe._recipe_file import (
    LARGEST_RECIPE,
    as_promises,
    flatten,
    plain,
    public_name,
    read_options,
    seen_from,
    with_files,
    written_limits,
    written_promises,
)
from microcell.recipe._refine import check_refine, refined
from microcell.recipe._representatives import FOR_ALL, check_representatives
from microcell.recipe._schema import Schema, column_names
from microcell.recipe._text_options import check_decimal, given_dates, given_marks

if TYPE_CHECKING:
    from microcell.privacy import Promise

SEED_WARNING = (
    "# This recipe holds a seed: whoever has it can undo the noise of the release.\n\n"
)
READING_OPTIONS = ("format", "delimiter", "encoding", "sheet")  # how a file is read
FILE_OPTIONS = (*READING_OPTIONS, "output_delimiter", "output_encoding")
SEED_NAMES = {"random_state", "seed"}  # as parameters of methods and estimators
WRITTEN_SEED = re.compile(r"\b(random_state|seed)=[^,)]+")  # of an estimator
RECORDS = "records"  # the unit of a table whose records are people


@dataclass(frozen=True)
class Recipe:
    """Roles, kinds, method, promises and file dialect of a release.

    Parameters
    ----------
    schema : Schema
        Roles and kinds of the columns.
    k : int
        Least number of people that share their released quasi-identifiers; at least 2.
    method : str, callable or estimator, default="mdav-refined"
        A name in `microcell.methods.METHODS`; a function that is called with k, scale
        and the parameters and returns a plan; or an estimator with `fit_transform` and
        `labels_`. A recipe file holds a function by its import path ("package.module:
        function"), which is imported only from a recipe that is `trusted`, and cannot
        hold an estimator. By default "mdav-refined"; where
        `enforce` builds cells as MDAV does, or `refine` says how they are refined,
        "mdav".
    target : str, optional
        The confidential attribute that shapes cells, for methods that use one; by
        default the only one there is. Several have commas between them.
    parameters : mapping, optional
        The method's own parameters.
    scale : {"standard", "minmax", "robust", "none"}, default="standard"
        How attributes get a common scale before distances are measured.
    aggregate : str, default="mean"
        What is published of columns whose kind allows it: "mean", "median", "medoid",
        "mode", "interval", "set" or "midpoint". Other columns give what is usual for
        their kind: numbers and dates their mean, ordered categories their median,
        categories without order their mode.
    representatives : mapping of str to str, optional
        The same for single columns. One that does not fit a column's kind is an error.
        Medians, medoids, modes, sets, midpoints and the ends of intervals may be
        values of real people; the release says so where one was chosen.
    ends : {"exact", "rounded"}, default="exact"
        Ends of intervals: values that occur, or those rounded outwards to a round step
        near half a standard deviation of the column, or to whole months or years.
    clip : mapping of str to str or pair, optional
        Limits of columns: "18:90", ":99%", (18, 90), (None, 90). Values beyond are
        set to them before anything else. A percentage is a quantile of the records,
        moved inwards until at least k records share the limit.
    digits : mapping of str to int, optional
        Decimals of what is released of numeric columns; -2 rounds to hundreds. It goes
        before `integers`.
    integers : {"mean", "round"}, default="mean"
        Whether means of integers are rounded to integers.
    importance : mapping of str to float, optional
        Weights of quasi-identifiers, 1 by default: the part of a column in squared
        distances is multiplied by its weight. Loss and risk are measured without them.
    random_state : int, optional
        Seed of a random method, for tests and experiments. By default fresh entropy.
        Whoever has the seed can undo the noise, so no certificate holds it.
    promises : sequence of Promise, optional
        What is promised besides k-anonymity, for example ``PSensitivity(2)``: it is
        enforced on the cells and verified on the release.
    enforce : {"auto", "merge", "t-first", "k-first", "p-first"}, default="auto"
        How cells come to keep promises about confidential columns: cells of the method
        are merged until they do; or, instead of MDAV's, cells are built for t-closeness
        ("t-first", from strata of the ordered values), with exchanges ("k-first"), or
        for p-sensitivity and l-diversity ("p-first"); what they leave is merged. "auto"
        merges, and for t-closeness of MDAV's cells, refined or not, where k counts
        records, also builds in both ways, and takes the cells that lose least. None
        withstands an intruder who knows everybody's quasi-identifiers and re-runs the
        method.
    refine : str, int or bool, optional
        Whether the cells of the method are changed by a search until they lose less,
        before promises are enforced on them, and how long it is: "yes" looks at 300
        moves for each record, "long" at 50,000 (300 million at most) and says how far
        the loss may be from the optimum, a number at that many, which strata share and
        each shard has for itself; all these give the same cells each time. A time
        ("90 s", "10 min") gives cells that cannot be repeated. By default what the
        method does; "no" refuses one that is a search, and where none is named it is
        "mdav".
    missing : {"error", "drop", "category", "impute", "ignore"}, default="error"
        What to do with records that miss a quasi-identifier: refuse them; leave them
        out; take missing for a value of its own, which is released where most of a
        cell misses it; fill it by `imputer`; or form cells on the values that are
        there (a missing one stands in the middle of its column) and publish the mean
        of those, so that the release shows nowhere that a value was missing.
    imputer : {"simple", "knn", "iterative"}, default="simple"
        How missing values are filled: by the median of their column, by the five
        nearest records, or by a regression on the other columns; categories by the
        most frequent.
    missing_marks : sequence or mapping, optional
        What stands for a missing value: marks of all quasi-identifiers, which replace
        the usual ones, or those of each column (``{"age": [999]}``), which add to them;
        "*" stands for all columns. A mark that is a number stands for that number in a
        column of numbers too. By default none, and the usual texts (NA, null, ...) in a
        table that is all text, as a CSV file is.
    rare : {"keep", "merge"}, default="keep"
        Whether categories of nominal quasi-identifiers with few records become "other"
        before anything else; if these are still few, the next rarest join them.
    rare_below : int, optional
        Categories with fewer records than this are rare; by default k.
    unit : str, optional
        Whom k counts: an identifier whose records belong to one person (all of them
        get one cell), or "records" if every record is a person. It must be said where
        two records share a value of an identifier.
    allow_unique : sequence of str, optional
        Columns that are released as they are though they seem to name people, or though
        nobody named them and most people are alone with their value. The release says
        so before anything else.
    weights : str, optional
        A column that holds how many people each record stands for: means, medians and
        modes are weighted by it, and the population (journalist) risk is measured.
    strata : sequence of str, optional
        Columns whose values no cell may mix; neither identifiers nor confidential.
    small_strata : {"error", "merge"}, default="error"
        What to do with strata of fewer than k people.
    shard : int, optional
        Records of a shard, where the table is cut into shards that are masked each by
        itself, on all processors or engines alike. By default a table that fits into
        memory is not cut, and one that does not into shards of up to 2,500,000.
    measures : "quick", "all", "none" or sequence of str, default="quick"
        Which loss and risk to measure; "quick" leaves out what is expensive on a large
        table.
    order : {"sorted", "keep"}, default="sorted"
        Order of records in files: by their released values, so that a file tells
        nothing but its rows, or that of the source, which links a release to any
        table in the same order. Tables in memory keep the order of the source.
    format : str, optional
        The format of the table, by a suffix without its dot; by default the suffix of
        the file says it.
    delimiter, encoding : str, optional
        Dialect of a text file; by default it is found out, and a file that can be read
        in two ways is an error. The recipe of a release holds what was found.
    sheet : str, optional
        Sheet of a workbook; by default the only one that has cells.
    output_delimiter, output_encoding : str, optional
        Dialect of a release that is a text file; by default UTF-8 and the delimiter of
        the source, where that is neither a comma nor a tab: these follow the suffix.
    decimal : {".", ","}, optional
        The decimal mark of quasi-identifiers that are text. With it numbers may have
        thousands marks, and percent signs if all have one; a text file gets them as
        they came. It alone decides what 1,234 is.
    dates : mapping of str to str, optional
        How a quasi-identifier of text writes its dates, as `strptime` has it, for
        example ``{"born": "%d/%m/%Y"}``.
    """

    schema: Schema
    k: int = option(
        section="method",
        help="Least number of people that look alike, 2 or more.",
        form="count",
        flags=("-k",),
        metavar="NUMBER",
    )
    method: Any = option(
        None,  # see DEFAULTS
        section="method",
        key="name",
        help="See `microcell methods`, or module:function.",
        flags=("--method", "-m"),
    )
    target: str | None = option(
        None,
        section="method",
        help="The confidential column that shapes cells, or a,b for several (lda, sd).",
    )
    scale: str = option(
        "standard",
        section="method",
        help="Common scale of columns.",
        choices=("standard", "minmax", "robust", "none"),
    )
    aggregate: str = option(
        "mean",
        section="method",
        help="What columns become, where their kind allows it.",
        choices=FOR_ALL,
    )
    representatives: Mapping[str, str] = option(
        {},
        section="representatives",
        help="What one column becomes, age=interval (repeat the option).",
        form="pairs",
        flags=("--representative",),
        metavar="NAME=WHAT",
    )
    ends: str = option(
        "exact",
        section="method",
        help="Ends of intervals.",
        choices=("exact", "rounded"),
    )
    clip: Mapping[str, Any] = option(
        {},
        section="clip",
        help="Limits of a column, age=18:90 or income=:99% (repeat the option).",
        form="pairs",
        flags=("--clip",),
        metavar="NAME=LOW:HIGH",
    )
    digits: Mapping[str, int] = option(
        {},
        section="digits",
        help="Decimals of a released column, bmi=1 (repeat the option).",
        form="pairs",
        flags=("--digits",),
        metavar="NAME=NUMBER",
    )
    integers: str = option(
        "mean", section="method", help="Means of integers.", choices=("mean", "round")
    )
    parameters: Mapping[str, Any] = option(
        {},
        section="method",
        help="A parameter of the method, for example gamma=0.9.",
        form="pairs",
        flags=("--parameter", "-p"),
        metavar="NAME=VALUE",
    )
    random_state: int | None = option(
        None,
        section="method",
        key="seed",
        help="Seed of a random method, for tests and experiments: whoever has it can "
        "undo the noise.",
        form="count",
        flags=("--seed",),
        metavar="NUMBER",
    )
    importance: Mapping[str, float] = option(
        {},
        section="importance",
        help="Weight of a column in the distances, for example age=2; 1 by default.",
        form="pairs",
        flags=("--importance",),
        metavar="NAME=NUMBER",
    )
    promises: Sequence[Promise] = option(
        (),
        section="promises",
        help="A promise besides k, for example p-sensitivity=2, or of one column "
        '\'p-sensitivity={"p": 2, "column": "ill"}\' (repeat the option).',
        form="pairs",
        flags=("--promise",),
        metavar="NAME=VALUE",
    )
    enforce: str = option(
        "auto",
        section="method",
        help="How cells come to keep further promises: cells are merged, or built for "
        "one; auto takes what loses least.",
        choices=WAYS,
    )
    refine: str | None = option(
        None,
        section="method",
        help="Search for cells that lose less: yes, no, long, a number of moves to "
        "look at, or a time (90s, 10min), after which cells cannot be repeated.",
        metavar="yes|no|long|MOVES|TIME",
    )
    missing: str = option(
        "error",
        section="records",
        help="Records with a missing quasi-identifier.",
        choices=("error", "drop", "category", "impute", "ignore"),
    )
    imputer: str = option(
        "simple",
        section="records",
        help="How missing values are filled.",
        choices=("simple", "knn", "iterative"),
    )
    missing_marks: Sequence[str] | Mapping[str, Sequence[str]] | None = option(
        None,
        section="records",
        help="Text or number that stands for a missing value instead of NA, N/A, NaN, "
        "nan, null and NULL, or NAME=MARK in one column besides; an empty field always "
        "does (repeat the option).",
        form="marks",
        flags=("--missing-mark",),
        metavar="[NAME=]MARK",
    )
    rare: str = option(
        "keep",
        section="records",
        help="Categories of few records; merge makes them `other`.",
        choices=("keep", "merge"),
    )
    rare_below: int | None = option(
        None,
        section="records",
        help="Categories with fewer records are rare; by default k.",
        form="count",
        metavar="NUMBER",
    )
    unit: str | None = option(
        None,
        section="records",
        help="Whom k counts: an identifier that repeats, or `records` if every record "
        "is a person.",
        metavar="NAME|records",
    )
    allow_unique: Sequence[str] = option(
        (),
        section="roles",
        help="Columns that may be released as they are though they seem to name people "
        f"({NAMES_HELP}).",
        form="names",
    )
    weights: str | None = option(
        None,
        section="records",
        help="The column that holds how many people a record stands for.",
        metavar="NAME",
    )
    strata: Sequence[str] = option(
        (),
        section="records",
        help=f"Columns whose values no cell may mix ({NAMES_HELP}).",
        form="names",
    )
    small_strata: str = option(
        "error",
        section="records",
        help="Strata of fewer than k.",
        choices=("error", "merge"),
    )
    shard: int | None = option(
        None,
        section="records",
        help="Records of a shard, where the table is cut into shards that are masked "
        "each by itself; by default a table that fits into memory is not cut.",
        form="count",
        metavar="RECORDS",
    )
    measures: str | Sequence[str] = option(
        "quick",
        section="measures",
        key="shown",
        help="Loss and risk to measure: quick, all, none, or names.",
        form="others",
        metavar="quick|all|none|NAMES",
    )
    order: str = option(
        "sorted",
        section="file",
        help="Order of records in the file: by their released values, or as in the "
        "source, which links them to any table in that order.",
        choices=("sorted", "keep"),
    )
    format: str | None = option(
        None,
        section="file",
        help="Format of the table (csv, xlsx, sav, ...); by default its suffix says "
        "it.",
        metavar="SUFFIX",
    )
    delimiter: str | None = option(
        None,
        section="file",
        help="What separates fields in a text table; by default it is found out.",
    )
    encoding: str | None = option(
        None,
        section="file",
        help="Encoding of a text table; by default it is found out.",
    )
    sheet: str | None = option(
        None,
        section="file",
        help="Sheet of a workbook, also FILE.xlsx::SHEET; by default the only one that "
        "has cells.",
    )
    output_delimiter: str | None = option(
        None,
        section="file",
        help="What separates fields in a released text table; by default what the "
        "source has, where that is neither a comma nor a tab; else a comma, or a tab "
        "in .tsv and .txt.",
    )
    output_encoding: str | None = option(
        None,
        section="file",
        help="Encoding of a released text table; by default UTF-8.",
    )
    decimal: str | None = option(
        None,
        section="file",
        help="Decimal mark of text, which then may have thousands marks and percent "
        "signs: `.` or `,`.",
        metavar=".|,",
    )
    dates: Mapping[str, str] = option(
        {},
        section="dates",
        help="How a column of text writes dates, for example born=%d/%m/%Y (repeat the "
        "option).",
        form="pairs",
        flags=("--date",),
        metavar="NAME=FORMAT",
    )

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Refuse mistyped names before anything is made of them."""
        refuse_mistyped(cls, given)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        if not isinstance(self.schema, Schema):
            raise TypeError(
                "The second argument is a Schema with the roles of the columns, for "
                "example Schema(['age', 'sex'], identifiers='name'). Got "
                f"{type(self.schema).__name__} instead."
            )
        from microcell.embed import ColumnScaler
        from microcell.metrics import check_measures
        from microcell.recipe._method import resolve_method

        self._set("k", check_k(self.k, least=2))
        self._set("refine", check_refine(self.refine))
        if self.method is None:
            self._set("method", self._usual_method())
        self._set("method", resolve_method(self.method))
        check_choices(self)
        self._set("strata", column_names(self.strata, "strata"))
        self._set("allow_unique", column_names(self.allow_unique, "allow_unique"))
        masked = self.schema.quasi_identifiers
        self._set("missing_marks", given_marks(self.missing_marks, masked))
        self._set("dates", given_dates(self.dates, self.schema))
        check_decimal(self.decimal)
        self._set("measures", check_measures(self.measures))
        self._set("promises", as_promises(self.promises))
        self._set("representatives", check_representatives(self))
        self._set("clip", check_clip(self))
        self._set("digits", check_digits(self))
        self._check_parameters()
        self._check_seed()
        if self.shard is not None:
            self._set("shard", check_count(self.shard, 1, "shard"))
        self._check_strata()
        self._check_unit()
        self._check_allowed()
        self._check_weights()
        self._check_together()
        self._check_rare()
        self._set("importance", check_importance(self))
        scale = ColumnScaler(self.scale, importance=weights_in_order(self))
        plan = self.build(scale)  # which may not honour the scale
        refuse_importance_without_effect(self, plan)
        self._check_target(plan)
        self._check_promises(plan)
        check_enforce(self)

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _usual_method(self) -> str:
        """The method where none is named: one that what is said of its cells fits."""
        is_said = self.enforce in BUILDERS or self.refine is not None
        return "mdav" if is_said else DEFAULT_METHOD

    def _check_parameters(self) -> None:
        if not isinstance(self.parameters, Mapping):
            raise InputError(
                "'parameters' must map names to values. "
                f"Got {self.parameters!r} instead.",
                option="parameters",
            )
        own = plain(self.parameters)
        from microcell.recipe._method import own_parameters

        known = own_parameters(self.method)
        for name in own:
            if name not in known:
                raise InputError(
                    f"Method {self.method_name!r} has no parameter {name!r}.",
                    option=name,
                    hint=[
                        *meant(name, own[name], [*known, *OPTIONS]),
                        f" Its parameters are {list(known)}.",
                    ],
                )
        # TOML has no word for None, which is what such a parameter is anyway
        own = {n: v for n, v in own.items() if v is not None or known[n] is not None}
        self._set("parameters", own)
        for name in FILE_OPTIONS:
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise ParameterError(name, f"must be text. Got {value!r} instead.")

    def _check_seed(self) -> None:
        from microcell.recipe._method import is_random

        if self.random_state is None:
            return
        self._set("random_state", check_count(self.random_state, 0, "random_state"))
        if not is_random(self.method):
            raise InputError(
                f"Method {self.method_name!r} draws no random numbers, so a seed "
                "changes nothing.",
                option="random_state",
                hint="Leave it out.",
            )

    def _check_strata(self) -> None:
        for name in self.strata:
            if name in self.schema.identifiers:
                raise SchemaError(
                    f"Column {name!r} is an identifier, so no stratum.", column=name
                )
            if name in self.schema.confidential:
                raise SchemaError(
                    f"Column {name!r} is confidential: with it as a stratum, all "
                    "records of a cell would share its value, and everybody's would be "
                    "known.",
                    column=name,
                    hint="Choose other strata.",
                )
        if not self.strata and self.small_strata == "merge":
            raise InputError(
                [Option("small_strata", "merge"), " needs strata."],
                option="small_strata",
                hint="Name their columns.",
            )

    def _check_unit(self) -> None:
        if self.unit == RECORDS and RECORDS in self.schema.identifiers:
            raise SchemaError(
                f"{RECORDS!r} says that every record is a person, and an identifier "
                "has that name too.",
                column=RECORDS,
                option="unit",
                hint="Rename the column.",
            )
        if self.unit in (None, RECORDS):
            return
        if not isinstance(self.unit, str) or self.unit not in self.schema.identifiers:
            raise SchemaError(
                f"The unit that k counts must be an identifier or {RECORDS!r}, and "
                f"{self.unit!r} is neither.",
                column=str(self.unit),
                option="unit",
                hint=[
                    *_guess(str(self.unit), self.schema.identifiers),
                    "Name its column in ",
                    Option("identifiers"),
                    " too.",
                ],
            )

    def _check_allowed(self) -> None:
        hidden = {
            **dict.fromkeys(self.schema.quasi_identifiers, "masked"),
            **dict.fromkeys(self.schema.identifiers, "never released"),
        }
        for name in self.allow_unique:
            if name in hidden:
                raise SchemaError(
                    f"'allow_unique' names {name!r}, which is {hidden[name]}.",
                    column=name,
                    option="allow_unique",
                    hint="Leave it out there.",
                )

    def _check_weights(self) -> None:
        if self.weights is None:
            return
        if not isinstance(self.weights, str):
            raise ParameterError(
                "weights", f"must be a column's name. Got {self.weights!r} instead."
            )
        if self.weights in self.schema.quasi_identifiers:
            raise SchemaError(
                f"Column {self.weights!r} is a quasi-identifier, which is masked, so "
                "it cannot be the sampling weights.",
                column=self.weights,
                option="weights",
                hint=[
                    "Leave it out in ",
                    Option("identifiers"),
                    ", or release it as it is in ",
                    Option("others"),
                    ".",
                ],
            )

    @property
    def targets(self) -> list[str]:
        """The confidential columns that shape cells; names of several have commas."""
        if self.target is None or self.target in self.schema.confidential:
            return [] if self.target is None else [self.target]
        return [name.strip() for name in self.target.split(",")]

    def _check_target(self, plan: Any) -> None:
        from sklearn.utils import get_tags

        confidential = list(self.schema.confidential)
        if not get_tags(plan).target_tags.required:
            if self.target is not None:
                raise InputError(
                    f"Method {self.method_name!r} does not use a confidential "
                    f"attribute. Got target={self.target!r}.",
                    option="target",
                )
            return
        if self.target is None and len(confidential) == 1:
            self._set("target", confidential[0])
        if len(self.targets) > 1 and not get_tags(plan).target_tags.multi_output:
            raise InputError(
                f"Method {self.method_name!r} with these parameters shapes cells by "
                f"one confidential attribute. Got target={self.target!r}.",
                option="target",
            )
        if not self.targets or not set(self.targets) <= set(confidential):
            raise SchemaError(
                f"Method {self.method_name!r} shapes cells by a confidential "
                f"attribute: name one of {confidential} as target. Got "
                f"{self.target!r}.",
                option="target",
                hint=nearest_name(str(self.target), confidential),
            )

    def _check_together(self) -> None:
        """Refuse options that exclude each other."""
        if self.imputer != "simple" and self.missing != "impute":
            raise InputError(
                [
                    Option("imputer", self.imputer),
                    " goes with ",
                    Option("missing", "impute"),
                    f". Got {self.missing!r} instead.",
                ],
                option="imputer",
            )
        if self.aggregate != "mean" and self.integers == "round":
            raise InputError(
                [
                    Option("integers", "round"),
                    " goes with ",
                    Option("aggregate", "mean"),
                    f". Got {self.aggregate!r} instead.",
                ],
                option="integers",
            )
        grouped = self.strata or self.unit not in (None, RECORDS) or self.promises
        if (grouped or self.weights) and "auto" in self.parameters.values():
            raise InputError(
                "A parameter of 'auto' is chosen on folds of the whole table, which "
                "strata, units, weights and promises do not allow.",
                hint="Give it a value.",
            )

    def _check_rare(self) -> None:
        if self.rare_below is None:
            return
        self._set("rare_below", check_count(self.rare_below, 2, "rare_below"))
        if self.rare == "keep":
            raise InputError(
                [Option("rare_below"), " needs ", Option("rare", "merge"), "."],
                option="rare_below",
            )

    def _check_promises(self, plan: Any) -> None:
        """Refuse a promise that the plan cannot keep, before any work."""
        from microcell.recipe._differentially_private import (
            check_private,
            is_differentially_private,
        )

        if is_differentially_private(plan):
            check_private(self, plan)
        if not isinstance(self.method, str) and not callable(self.method):
            self._check_estimator()
        n_columns = len(self.schema.quasi_identifiers)
        for promise in self.promises:
            promise.bind(self.schema.confidential)
            self._check_size(promise)
            if not keeps(plan, promise, n_columns):
                raise InputError(
                    f"Method {self.method_name!r} cannot promise {promise.name}: "
                    f"{UNKEPT[promise.over]}.",
                    option="promises",
                    hint=KEEPERS[promise.over],
                )

    def _check_estimator(self) -> None:
        """An estimator has its own geometry, so a scale would change nothing."""
        if self.scale != "standard":
            raise InputError(
                [
                    f"The estimator {self.method_name!r} has its own geometry, so ",
                    Option("scale", self.scale),
                    " would change nothing.",
                ],
                option="scale",
                hint="Give it an embedding, or pass a function that takes the scale.",
            )

    def _check_size(self, promise: Promise) -> None:
        """A larger k, or a k of other columns, is no promise beside k."""
        from microcell.privacy import KMap

        promised = getattr(promise, "k", None)
        if isinstance(promise, KMap):  # whose k counts a population
            return
        if promised is not None and promised > self.k:
            raise InputError(
                f"The promise {promise.name!r} of {promised} is more than k={self.k}.",
                option="k",
                hint="Raise k instead.",
            )
        there = {*self.schema.quasi_identifiers, *self.strata}
        for name in getattr(promise, "columns", None) or ():
            if name not in there:
                raise SchemaError(
                    f"A promise names the column {name!r}, which is no "
                    "quasi-identifier.",
                    column=name,
                    option="promises",
                    hint=nearest_name(name, sorted(there)),
                )

    @property
    def method_name(self) -> str:
        """The method as messages name it."""
        from microcell.recipe._method import method_name

        return method_name(self.method)

    def build(self, scale: Any) -> Any:
        """The plan of this recipe's method, on attributes scaled by `scale`."""
        from microcell.recipe._method import build_method

        plan = build_method(
            self.method, self.k, scale, self.parameters, self.random_state
        )
        return refined(plan, self)

    def without_seed(self) -> dict[str, Any]:
        """The recipe as plain dictionaries, fit to be published.

        Of a hierarchy and a population it holds the file's name, no folder and no
        values; of a workbook not what its owner calls the sheet.
        """
        contents = with_files(self.to_dict(), public_name)
        method = contents["method"]
        method.pop("seed", None)
        if "estimator" in method:
            method["estimator"] = WRITTEN_SEED.sub(r"\1=withheld", method["estimator"])
        for name in SEED_NAMES & method.get("parameters", {}).keys():
            method["parameters"] = {**method["parameters"], name: "withheld"}
        contents["file"].pop("sheet", None)
        contents["hierarchies"] = {
            name: public_name(given) for name, given in self.schema.hierarchies.items()
        }
        return contents

    def to_dict(self) -> dict[str, Any]:
        """The recipe as plain dictionaries, in the layout of the TOML file."""
        contents: dict[str, Any] = {}
        for section, keys in LAYOUT.items():
            entries = {}
            for key, name in keys.items():
                value = self._written(name)
                if value is not None:
                    entries[key] = value
            contents[section] = entries.pop(section) if section in keys else entries
        if not isinstance(self.method, str) and not callable(self.method):
            contents["method"].pop("scale")  # it has its own geometry
            contents["method"]["estimator"] = repr(self.method)
        return contents

    def _written(self, name: str) -> Any:
        """An option as a file holds it."""
        value = getattr(self.schema if hasattr(self.schema, name) else self, name)
        if name == "method":
            return self.method_name
        if name == "promises":
            return written_promises(value)
        return plain(value)

    def to_toml(self, folder: str | Path | None = None) -> str:
        """The recipe as the text of a TOML file.

        Comments say what keeps it from being read again as it is: files outside of its
        folder, a method that is imported.

        Parameters
        ----------
        folder : path, optional
            Where it will be, if not in the current folder: files that it names are
            looked for from there. If it is given, a warning says what the comments do.

        Examples
        --------
        >>> print(Recipe(Schema(["age"]), k=5).to_toml())
        [roles]
        quasi_identifiers = [
            "age",
        ]
        ...
        [method]
        k = 5
        name = "mdav-refined"
        ...
        """
        if not isinstance(self.method, str):
            raise InputError(
                f"The method {self.method_name!r} is an object of this program, which "
                "a recipe file cannot hold.",
                option="method",
                hint="Make it a function of a module that can be imported.",
            )
        contents = with_files(self.to_dict(), partial(seen_from, folder or ""))
        limits = written_limits(contents, self.method_name, folder or "")
        text = tomli_w.dumps(contents)
        if len(text.encode()) > LARGEST_RECIPE:
            limits.append(
                f"it is larger than {LARGEST_RECIPE} bytes, and is not read again: put "
                "what is long into files, as hierarchies can be"
            )
        for limit in limits if folder is not None else ():
            warnings.warn(f"The recipe: {limit}.", stacklevel=2)
        notes = "".join(f"# {limit}\n" for limit in limits)
        return notes + (SEED_WARNING if self.random_state is not None else "") + text

    @classmethod
    def of(cls, entries: Mapping[str, Any]) -> Recipe:
        """The recipe of options by name, those of the schema among them."""
        roles = {n: v for n, v in entries.items() if n in SCHEMA_OPTIONS}
        rest = {n: v for n, v in entries.items() if n not in SCHEMA_OPTIONS}
        if "schema" not in rest:
            roles.setdefault("quasi_identifiers", ())
            rest["schema"] = Schema(**roles)
        if "k" not in rest:
            raise InputError(
                "k is missing.", option="k", hint=["Give it with ", Option("k"), "."]
            )
        return cls(**rest)

    @classmethod
    def from_dict(cls, contents: Mapping[str, Any]) -> Recipe:
        """Read what `to_dict` wrote; an unknown or misplaced key is an error."""
        return cls._of_file(flatten(contents, LAYOUT))

    @classmethod
    def from_toml(cls, path: str | Path, *, trusted: bool = False) -> Recipe:
        """Read a recipe file; files that it names are those in its folder.

        A recipe may come from a stranger, so that it connects to nothing, reads nothing
        outside of its folder, and runs no code.

        Parameters
        ----------
        path : path
            The recipe file, of at most 1 MB.
        trusted : bool, default=False
            Whether its method may be a function ("package.module:function"), which is
            imported, and not from the current folder.
        """
        return cls._of_file(read_options(path, LAYOUT, trusted=trusted))

    @classmethod
    def _of_file(cls, flat: dict[str, Any]) -> Recipe:
        if "quasi_identifiers" not in flat:
            raise SchemaError("The recipe names no quasi_identifiers in [roles].")
        if "k" not in flat:
            raise InputError("The recipe has no k in [method].", option="k")
        return cls.of(flat)


def _guess(name: str, known: Sequence[str]) -> list[str]:
    guess = nearest_name(name, known)
    return [f"{guess} "] if guess else []


SCHEMA_OPTIONS = options_of(Schema)
OPTIONS = SCHEMA_OPTIONS | options_of(Recipe)
LAYOUT = layout(OPTIONS)
DEFAULTS = {
    f.name: f.default_factory()
    if f.default_factory is not MISSING
    else ()
    if f.default is MISSING
    else f.default
    for owner in (Schema, Recipe)
    for f in fields(owner)
    if f.name in OPTIONS
} | {"method": DEFAULT_METHOD}


def refuse_of_schema(options: Mapping[str, Any]) -> None:
    """Refuse options of a release that the schema says."""
    for name in options:
        if name in SCHEMA_OPTIONS:
            raise InputError(
                f"{name!r} is said in the schema.",
                option=name,
                hint=f"Give it there: Schema(..., {name}=...).",
            )


def refuse_of_files(options: Mapping[str, Any], instead: str) -> None:
    """Refuse options of a table in memory that say how a file is read.

    Parameters
    ----------
    options : mapping
    instead : str
        What takes a file.
    """
    for name in READING_OPTIONS:
        if options.get(name) is not None:
            raise InputError(
                f"{name!r} is how a file is read, and this is a table in memory.",
                option=name,
                hint=f"Leave it out, or let the file be read by {instead}.",
            )


NO_CLASSES = "what it releases has no classes of k records that could keep it"
UNKEPT = {
    "classes": NO_CLASSES,
    "cells": NO_CLASSES,
    "construction": "it was not made to keep it",
}
WHOLE_RECORDS = "Choose a method that masks whole records, such as mdav."
KEEPERS = {
    "classes": WHOLE_RECORDS,
    "cells": WHOLE_RECORDS,
    "construction": "Choose the method dp-microaggregation, which promises it itself.",
}


def keeps(plan: Any, promise: Promise, n_columns: int) -> bool:
    """Whether what a plan releases can keep a promise.

    Plans of others that say nothing may try what can be counted; nobody can count how
    a release was made.
    """
    if not hasattr(plan, "keeps"):
        return promise.over != "construction"
    return promise.over in plan.keeps(n_columns)
