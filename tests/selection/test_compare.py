"""compare: which candidates there are, what comes of them, what is kept and written."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from app_server import alive
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator

from microcell import METHODS, Schema, compare
from microcell._progress import listen
from microcell.exceptions import InputError, OutputExistsError, SchemaError
from microcell.methods import mdav
from microcell.privacy import LDiversity, TCloseness
from microcell.selection import _kept, _workers
from microcell.selection._compared import efficient
from microcell.selection._trial import Trial, sentence


def people(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "bmi": rng.normal(25, 4, n).round(1),
            "sex": rng.choice(["f", "m"], n),
            "ill": rng.choice(["no", "flu", "gout"], n),
        }
    )


SCHEMA = Schema(["age", "bmi", "sex"], confidential="ill")
TWO = {"methods": ["mdav", "mondrian"], "k": [3, 6], "n_jobs": 1}


def figures(compared):
    """All figures but the time they took."""
    return [
        {n: v for n, v in c.figures.items() if n != "seconds"}
        for c in compared.candidates
    ]


def slow_efficient(x, y):
    """Point by point: is there one that is no worse in both and better in one?"""
    points = list(zip(x, y, strict=True))
    return [
        not (np.isnan(a) or np.isnan(b))
        and not any(c <= a and d <= b and (c < a or d < b) for c, d in points)
        for a, b in points
    ]


few_values = st.sampled_from([0.0, 1.0, 2.0, 3.0, np.inf, np.nan])


@given(st.lists(st.tuples(few_values, few_values), max_size=12))
def test_same_frontier_as_slow_twin(points):
    x, y = np.array(points, dtype=float).reshape(-1, 2).T
    assert efficient(x, y).tolist() == slow_efficient(x, y)


def test_frontier_goes_by_the_good_end_of_each_figure():
    compared = compare(people(), SCHEMA, **TWO)
    costs = [-compared.values("k"), compared.values("loss")]
    expected = np.flatnonzero(slow_efficient(*costs))
    found = [compared.candidates.index(c) for c in compared.frontier("k", "loss")]
    assert sorted(found) == expected.tolist()
    assert np.all(np.diff(costs[0][found]) >= 0)


def test_candidates_are_methods_times_k_times_parameters():
    compared = compare(
        people(),
        SCHEMA,
        methods=["mdav", "vmdav"],
        k=[3, 6],
        grid={"vmdav": {"gamma": [0.1, 0.9]}},
        n_jobs=1,
    )
    assert [c.label for c in compared.candidates] == [
        "mdav, k=3",
        "mdav, k=6",
        "vmdav gamma=0.1, k=3",
        "vmdav gamma=0.9, k=3",
        "vmdav gamma=0.1, k=6",
        "vmdav gamma=0.9, k=6",
    ]
    assert all(c.error is None for c in compared.candidates)
    assert compared.values("k").min() >= 3
    assert compared.table["k_asked"].to_list() == [3, 6, 3, 3, 6, 6]


def test_a_parameter_goes_to_every_method_that_has_it():
    compared = compare(
        people(), SCHEMA, methods=["mdav", "vmdav", "lda-vmdav"], k=5, gamma=0.7,
        n_jobs=1,
    )  # fmt: skip
    own = {c.recipe.method_name: c.recipe.parameters for c in compared.candidates}
    assert own == {"mdav": {}, "vmdav": {"gamma": 0.7}, "lda-vmdav": {"gamma": 0.7}}


def test_default_methods_are_those_that_apply_and_the_others_have_reasons():
    compared = compare(people(), SCHEMA, k=5, n_jobs=1)
    tried = {c.recipe.method_name for c in compared.candidates}
    assert tried == set(METHODS) - {"best", "dp-microaggregation"}
    assert "takes long" in compared.left_out["best"]
    assert "differentially private" in compared.left_out["dp-microaggregation"]

    bare = compare(people().drop("ill"), Schema(["age", "bmi", "sex"]), k=5, n_jobs=1)
    tried = {c.recipe.method_name for c in bare.candidates}
    assert tried | set(bare.left_out) == set(METHODS)
    assert "by a confidential column" in bare.left_out["lda-mdav"]


def test_functions_and_estimators_are_methods_too():
    def own(k, *, scale=None):
        return mdav(k, scale=scale)

    compared = compare(people(), SCHEMA, methods=["mdav", own, mdav(6)], k=6, n_jobs=1)
    first, second, third = figures(compared)
    assert first == second
    assert third["k"] == 6


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"grid": {"gama": [0.1]}}, "parameter 'gama'"),
        ({"grid": {"vmdav": {"gama": [0.1]}}}, "parameter 'gama'"),
        ({"grid": {"kde": {"min_k": [1]}}}, "'kde', which is not compared"),
        ({"target": "ill"}, "No method that is compared uses a target"),
        ({"random_state": 3}, "draws random numbers"),
        ({"k": []}, "at least one value"),
        ({"k": [1]}, "'k' parameter"),
        ({"methods": ["mdaw"]}, "must be one of"),
        ({"method": "mdav"}, "several methods"),
        ({"label": "age"}, "is masked"),
        ({"n_repetitions": 7}, "model of a label"),
        ({"n_jobs": 0}, "'n_jobs' parameter must be a number of processes"),
        ({"n_jobs": "all"}, "'n_jobs' parameter must be a number of processes"),
        ({"label": "pet"}, "not in the table"),
    ],
)
def test_what_cannot_be_is_said_before_any_work(given, words, monkeypatch):
    monkeypatch.setattr(Trial, "run", None)
    with pytest.raises(InputError, match=words):
        compare(people(), SCHEMA, **{"methods": ["vmdav"], "k": [5], **given})


def test_a_target_goes_to_the_methods_that_use_it():
    table = people().with_columns(cost=pl.lit("low"))
    schema = Schema(["age", "bmi", "sex"], confidential=["ill", "cost"])
    compared = compare(
        table, schema, methods=["mdav", "lda-mdav"], k=5, target="ill", n_jobs=1
    )
    assert [c.recipe.target for c in compared.candidates] == [None, "ill"]


def test_the_label_is_the_target_of_methods_that_need_one():
    """Also where other columns are confidential; `target` goes before it."""
    table = people().with_columns(town=pl.Series(["a", "b"] * 30))
    schema = Schema(["age", "bmi"], confidential=["ill", "town"])
    given = {"methods": ["mdav", "lda-mdav"], "k": 5, "n_jobs": 1, "label": "ill"}
    found = compare(table.select("age", "bmi", "ill", "town"), schema, **given)
    assert [c.recipe.target for c in found.candidates] == [None, "ill"]
    other = compare(
        table.select("age", "bmi", "ill", "town"), schema, target="town", **given
    )
    assert [c.recipe.target for c in other.candidates] == [None, "town"]


def test_what_fails_is_a_candidate_with_an_error():
    compared = compare(people(), SCHEMA, methods="mdav", k=[5, 1000], n_jobs=1)
    good, bad = compared.candidates
    assert good.error is None
    assert "fewer than k=1000" in bad.error and bad.figures == {}
    assert [c.label for c in compared.frontier()] == ["mdav, k=5"]


def test_if_all_fail_the_error_says_why():
    with pytest.raises(InputError, match=r"No candidate gave a release.*k=1000"):
        compare(people(), SCHEMA, methods="mdav", k=[1000], n_jobs=1)


def test_promises_are_those_of_every_candidate():
    promises = [LDiversity(2), TCloseness(0.3)]
    compared = compare(people(), SCHEMA, promises=promises, **TWO)
    assert compared.values("p").min() >= 2
    assert compared.values("t").max() <= 0.3


def test_few_records_are_refused():
    with pytest.raises(InputError, match="give their values away"):
        compare(people(9), SCHEMA, **TWO)


@pytest.mark.slow
def test_pandas_and_pyarrow_tables_give_the_same_figures():
    table = people()
    expected = figures(compare(table, SCHEMA, label="ill", **TWO))
    assert figures(compare(table.to_arrow(), SCHEMA, label="ill", **TWO)) == expected
    frame = pd.DataFrame(table.to_dict(as_series=False))
    assert figures(compare(frame, SCHEMA, label="ill", **TWO)) == expected


def test_random_methods_draw_the_same_and_no_recipe_has_the_seed():
    given = {"methods": ["random-aggregation"], "k": 5, "n_jobs": 1}
    one, two = (compare(people(), SCHEMA, **given) for _ in range(2))
    assert figures(one) == figures(two)
    other = compare(people(), SCHEMA, random_state=77_345, **given)
    assert figures(one) != figures(other)
    assert other.candidates[0].recipe.random_state is None
    assert "77345" not in json.dumps(other.to_dict())


def test_processes_give_what_one_gives_and_are_sent_the_table_once(monkeypatch):
    sent = []

    def state(self):
        sent.append(1)
        return self.__dict__

    monkeypatch.setattr(Trial, "__getstate__", state, raising=False)
    given = {"methods": ["mdav", "mondrian", "vmdav"], "k": [3, 4, 5, 6]}
    expected = figures(compare(people(), SCHEMA, n_jobs=1, **given))
    assert figures(compare(people(), SCHEMA, n_jobs=2, **given)) == expected
    assert len(sent) == 1


def test_threads_are_shared_out():
    limits = _workers.thread_limits(1)
    assert {"OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS"} <= set(limits)
    assert set(limits.values()) == {"1"}


def test_progress_counts_candidates():
    heard = []
    with listen(lambda done, total, step: heard.append((done, total, step))):
        compare(people(), SCHEMA, **TWO)
    counts = [(done, total) for done, total, step in heard if "k=" in step]
    assert counts == [(1, 4), (2, 4), (3, 4), (4, 4)]


# What is kept


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_whoever_watches_sees_the_comparison_grow(n_jobs):
    table, seen = people(), []
    given = TWO | {"n_jobs": n_jobs, "label": "ill"}
    watched = compare(table, SCHEMA, **given, watch=seen.append)
    assert [len(so_far.candidates) for so_far in seen] == [1, 2, 3, 4]
    plain = compare(table, SCHEMA, **given)
    assert figures(watched) == figures(plain)
    order = [c.label for c in watched.candidates]
    assert order == [c.label for c in plain.candidates]
    for so_far in seen:  # in the order of the result, with its notes and figures
        labels = [c.label for c in so_far.candidates]
        assert labels == [label for label in order if label in labels]
        assert so_far.original == watched.original and so_far.notes == watched.notes
    assert figures(seen[-1]) == figures(watched)
    assert seen[-1].to_dict() == watched.to_dict()


def test_whoever_watches_first_sees_what_is_known(tmp_path):
    compare(people(), SCHEMA, **TWO, cache=tmp_path)
    seen = []
    given = TWO | {"k": [3, 6, 9]}
    compare(people(), SCHEMA, **given, cache=tmp_path, watch=seen.append)
    assert [len(so_far.candidates) for so_far in seen] == [4, 5, 6]


def test_what_fails_is_watched_too():
    table, seen = people(n=20), []
    compare(table, SCHEMA, methods="mdav", k=[40, 3], n_jobs=1, watch=seen.append)
    assert len(seen) == 2
    assert {c.error is None for c in seen[-1].candidates} == {True, False}


def cached(folder, table=None, **given):
    table = people() if table is None else table
    return compare(table, SCHEMA, cache=folder, **{**TWO, **given})


def test_what_is_known_is_not_tried_again(tmp_path, monkeypatch):
    first = cached(tmp_path / "c")
    monkeypatch.setattr(Trial, "run", None)
    again = cached(tmp_path / "c")
    assert (first.n_kept, again.n_kept) == (0, 4)
    assert [c.figures for c in again.candidates] == [
        c.figures for c in first.candidates
    ]


def test_more_values_of_k_add_to_what_is_kept(tmp_path):
    cached(tmp_path / "c")
    assert cached(tmp_path / "c", k=[3, 6, 9]).n_kept == 4


@pytest.mark.parametrize(
    "other",
    [
        {"table": people(seed=1)},
        {"scale": "minmax"},
        {"label": "ill"},
        {"methods": ["random-aggregation"], "random_state": 1},
    ],
)
def test_other_tables_options_labels_and_seeds_are_other_tasks(other, tmp_path):
    first = {k: v for k, v in other.items() if k == "methods"}
    cached(tmp_path / "c", **first)
    assert cached(tmp_path / "c", **other).n_kept == 0


def test_other_code_is_another_task(tmp_path, monkeypatch):
    cached(tmp_path / "c")
    monkeypatch.setattr(_kept, "code_digest", lambda: "other")
    assert cached(tmp_path / "c").n_kept == 0


def test_a_hierarchy_counts_by_what_is_in_its_file(tmp_path):
    file = tmp_path / "sex.csv"
    schema = Schema(["age", "sex"], hierarchies={"sex": str(file)}, others="drop")
    found = []
    for text in ("f;*\nm;*\n", "f;*\nm;*\n", "f;x;*\nm;x;*\n"):
        file.write_text(text)
        compared = compare(people(), schema, cache=tmp_path / "c", **TWO)
        found.append(compared.n_kept)
    assert found == [0, 4, 0]


def test_a_damaged_file_is_done_again(tmp_path):
    cached(tmp_path / "c")
    file = next((tmp_path / "c").glob("*.json"))
    file.write_text(file.read_text()[:30])
    assert cached(tmp_path / "c").n_kept == 3


def test_methods_that_cannot_be_known_again_are_not_kept(tmp_path):
    own = [lambda k, *, scale=None: mdav(k, scale=scale)]
    assert [cached(tmp_path, methods=own).n_kept for _ in range(2)] == [0, 0]
    by_path = "microcell.methods:mdav"
    assert [cached(tmp_path, methods=by_path).n_kept for _ in range(2)] == [0, 2]
    estimators = [mdav(6), mdav(7)]
    for built in estimators:
        assert cached(tmp_path, methods=[built]).n_kept == 0
        assert cached(tmp_path, methods=[built]).n_kept == 2


def test_the_cache_is_its_owners_and_tells_no_table(tmp_path):
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        cached(folder)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / "key").stat().st_mode) == 0o600
    one, two = ({f.name for f in folder.glob("*.json")} for folder in folders)
    assert len(one) == 4 and not one & two  # digests of one table, with other keys


@pytest.mark.slow
def test_an_interrupt_ends_the_workers_and_keeps_what_is_done(tmp_path):
    started = []

    def interrupt(done, total, step):
        if done == 2:
            started.extend(active_children())
            raise KeyboardInterrupt

    given = {"k": [3, 4, 5, 6], "n_jobs": 2}
    with pytest.raises(KeyboardInterrupt), listen(interrupt):
        cached(tmp_path / "c", **given)
    assert len(started) == 2
    assert not any(process.is_alive() for process in started)
    assert active_children() == []
    assert cached(tmp_path / "c", **given).n_kept == 2
    assert active_children() == []


@pytest.mark.slow
def test_workers_end_with_the_process_that_started_them(tmp_path):
    table = tmp_path / "people.parquet"
    people(2_000).write_parquet(table)
    program = f"""
import polars as pl
from microcell import Schema, compare
schema = Schema(["age", "bmi", "sex"], confidential="ill")
table = pl.read_parquet({str(table)!r})
def say(so_far):
    from multiprocessing import active_children
    print(*[process.pid for process in active_children()], flush=True)
compare(table, schema, methods=["mdav"], k=range(3, 60), n_jobs=2, watch=say)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    )
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert len(pids) == 2
    end = time.monotonic() + 15
    while (any(map(alive, pids)) or shared(parent)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(alive, pids)) and shared(parent) == []


def shared(process):
    """What the pool of a process shares by name on this machine."""
    return [*Path("/dev/shm").glob(f"sem.loky-{process.pid}-*")]


@pytest.mark.slow
def test_a_worker_that_is_killed_is_an_error_with_a_way_out():
    here = os.getpid()

    def killing(k, *, scale=None):
        class Plan(BaseEstimator):
            labels_ = ()

            def fit_transform(self, X, y=None):
                assert os.getpid() != here
                os.kill(os.getpid(), signal.SIGKILL)

        return Plan()

    with pytest.raises(InputError, match=r"want of memory.*n_jobs=1"):
        compare(people(), SCHEMA, methods=[killing], k=[3, 4], n_jobs=2)


# What is written


def test_saved_files_hold_what_the_comparison_holds(tmp_path):
    compared = compare(people(), SCHEMA, label="ill", **{**TWO, "k": [3, 1000]})
    files = compared.save(tmp_path / "out")
    assert {"comparison.csv", "comparison.json"} <= {file.name for file in files}
    table = pl.read_csv(tmp_path / "out" / "comparison.csv")
    assert table["candidate"].to_list() == [c.label for c in compared.candidates]
    assert table["relative_loss"].drop_nulls().to_list() == pytest.approx(
        [c.figures["relative_loss"] for c in compared.candidates if c.error is None]
    )
    document = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert document["versions"]["microcell"] and document["left_out"] == {}
    assert [c["error"] is None for c in document["candidates"]] == [True, False] * 2
    assert document["frontier"]["candidates"] == [c.label for c in compared.frontier()]
    assert document["original"].keys() >= {"accuracy:ill"}
    with pytest.raises(OutputExistsError):
        compared.save(tmp_path / "out")
    compared.save(tmp_path / "out", overwrite=True)


def test_json_has_no_numbers_that_are_none(tmp_path):
    compared = compare(people(), SCHEMA, **TWO)
    compared.candidates[0].figures["relative_loss"] = float("nan")
    compared.save(tmp_path)
    text = (tmp_path / "comparison.json").read_text()
    assert "NaN" not in text
    assert json.loads(text)["candidates"][0]["figures"]["relative_loss"] is None


# No value of a record

RARE = {
    "age": 88_117,
    "bmi": 4711.25,
    "town": "Zzyzx",
    "ill": "Xanthomatosis",
    "cost": 9_876_543,
    "name": "Quixada",
    "ward": "Wardville",
}


def planted():
    n = 120
    table = people(n).with_columns(
        town=pl.Series(["Vic", "Reus", "Olot"] * (n // 3)),
        cost=pl.Series(range(1000, 1000 + n)),
        name=pl.Series([f"Person{i}" for i in range(n)]),
        ward=pl.Series(["north", "south"] * (n // 2)),
    )
    return table.with_columns(
        [
            pl.when(pl.int_range(n) == 17).then(pl.lit(v)).otherwise(c).alias(c)
            for c, v in RARE.items()
        ]
    )


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"methods": None, "k": [4]},
        pytest.param({"label": "ill"}, marks=pytest.mark.slow),
        {"strata": ["ward"], "k": [3, 50]},
        pytest.param({"promises": [LDiversity(4)]}, marks=pytest.mark.slow),
        {"promises": [TCloseness(0.001)], "k": [5]},
        pytest.param(
            {
                "enforce": "t-first",
                "promises": [TCloseness(0.2, "ill")],
                "methods": None,
            },
            marks=pytest.mark.slow,
        ),
        pytest.param(
            {"clip": {"age": ":99%"}, "rare": "merge"}, marks=pytest.mark.slow
        ),
    ],
)
def test_no_rare_value_is_anywhere(given, tmp_path):
    schema = Schema(
        ["age", "bmi", "town"],
        identifiers="name",
        confidential=["ill", "cost"],
        others="drop",
    )
    said = ""
    try:
        compared = compare(planted(), schema, cache=tmp_path / "c", **{**TWO, **given})
    except InputError as error:
        said = str(error)
    else:
        compared.save(tmp_path / "out")
        said = repr(compared) + repr(compared.candidates) + str(compared.left_out)
        said += str(compared.table.rows())
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    said += "".join(f.read_text(errors="replace") + f.name for f in files)
    assert said
    for value in RARE.values():
        if isinstance(value, str):
            assert value not in said
        else:  # as a number: keyed digests and coordinates have any digits in them
            assert not re.search(rf"(?<![\w.]){re.escape(str(value))}(?!\w)", said)


def test_messages_of_others_are_not_shown():
    def failing(k, *, scale=None):
        class Plan(BaseEstimator):
            labels_ = ()

            def fit_transform(self, X, y=None):
                raise ValueError(f"bad value {X[0, 0]}")

        return Plan()

    with pytest.raises(InputError, match="may quote a record") as caught:
        compare(people(), SCHEMA, methods=[failing], k=5, n_jobs=1)
    assert str(people()["age"][0]) not in str(caught.value)


def test_messages_of_ours_are_shown_but_for_values():
    try:
        raise SchemaError("A column is odd.", hint="Drop it.")
    except SchemaError as error:
        assert sentence(error) == "A column is odd. Drop it."
    table = people().with_columns(ward=pl.Series(["Oz"] * 2 + ["north"] * 58))
    schema = Schema(["age"], others="drop")
    with pytest.raises(InputError, match=r"1 of 2 strata .*\(2\)\. Lower k") as caught:
        compare(table, schema, strata=["ward"], **TWO)
    assert "Oz" not in str(caught.value)


def test_large_tables_say_that_linkage_is_not_measured(monkeypatch):
    from microcell.metrics import _measures
    from microcell.selection import _bench

    monkeypatch.setattr(_measures, "EXPENSIVE_FROM", 50)
    monkeypatch.setattr(_bench, "EXPENSIVE_FROM", 50)
    compared = compare(people(), SCHEMA, **TWO)
    assert compared.axes == ("prosecutor_max_risk", "relative_loss")
    assert "linkage is not measured" in compared.notes[0]
    assert "linkage" not in str(compare(people(), SCHEMA, measures="all", **TWO).notes)
