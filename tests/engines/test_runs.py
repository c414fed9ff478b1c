"""Runs give back every record under its key."""

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from microcell.engines._runs import gathered, write_run

RECORDS = st.lists(
    st.tuples(
        st.integers(0, 5),
        st.floats(allow_nan=False),
        st.none() | st.text(max_size=9),
        st.sampled_from(["a", "b", None]),
    ),
    max_size=40,
)
SCHEMA = {
    "\0leaf": pl.Int32,
    "\0x": pl.Float64,
    "text": pl.String,
    "coded": pl.Categorical,
}


@settings(max_examples=25)
@given(parts=st.lists(RECORDS, min_size=1, max_size=3), high=st.booleans())
def test_records_of_keys(tmp_path_factory, parts, high):
    folder = tmp_path_factory.mktemp("runs")
    runs, frames = [], []
    for number, part in enumerate(parts):
        frame = pl.DataFrame(part, schema=SCHEMA, orient="row")
        if high:
            frame = frame.with_columns(pl.col("\0leaf") + 100_000)
        frames.append(frame)
        runs.append(write_run(frame, "\0leaf", folder / f"{number}.arrow"))
    whole = pl.concat(frames)
    for keys in ([0], [1, 2], list(range(6))):
        keys = [key + 100_000 * high for key in keys]
        expected = whole.filter(pl.col("\0leaf").is_in(keys)).drop("\0leaf")
        found = gathered(runs, keys)
        assert (found is None) == expected.is_empty()
        if found is not None:
            assert found.schema == expected.schema
            order = found.columns
            one = found.cast({"coded": pl.String}).sort(order, nulls_last=True)
            two = expected.cast({"coded": pl.String}).sort(order, nulls_last=True)
            assert one.equals(two)
    counted = {k: n for run in runs for k, n in run.sizes.items()}
    assert set(counted) == set(whole["\0leaf"].to_list())
    assert sum(n for run in runs for n in run.sizes.values()) == whole.height


def test_slices_of_text_are_not_the_whole_text(tmp_path):
    texts = [f"{i:>100}" for i in range(1000)]
    frame = pl.DataFrame({"leaf": list(range(1000)), "text": texts})
    write_run(frame, "leaf", tmp_path / "run")
    assert (tmp_path / "run").stat().st_size < 1_000_000
