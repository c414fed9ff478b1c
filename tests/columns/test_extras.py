"""Limits and rounding are learnt from parts as from the whole, in any order."""

import datetime as dt
import pickle

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from marks import for_each

from microcell.columns import Clip, Options, fit_encoder

NUMBERS = [3.0, 19.5, 8.25, 4.0, 11.0, 7.5, 30.0, 2.0]
COLUMNS = {
    "floats": NUMBERS,
    "integers": [int(v) for v in NUMBERS],
    "days": [dt.date(2020, 1, 1) + dt.timedelta(int(100 * v)) for v in NUMBERS],
}


def column(values):
    return nw.from_native(pl.Series("a", values), series_only=True)


def ends_of(encoder, series):
    values = encoder.clip(encoder.encode(series))
    return encoder.decode_intervals(np.column_stack([values, values])).to_list()


@for_each("cut", [1, 4, 7])
@for_each("name", COLUMNS)
def test_parts_merge_to_what_the_whole_teaches(name, cut):
    whole, options = column(COLUMNS[name]), Options(ends="rounded")
    kind = fit_encoder(whole).kind
    parts = [fit_encoder(p, kind, options) for p in (whole[:cut], whole[cut:])]
    expected = ends_of(fit_encoder(whole, kind, options), whole)
    assert ends_of(parts[0].merge(parts[1]), whole) == expected
    assert ends_of(parts[1].merge(parts[0]), whole) == expected
    again = pickle.loads(pickle.dumps(parts[0].merge(parts[1])))
    assert ends_of(again, whole) == expected


@pytest.mark.parametrize("name", COLUMNS)
def test_the_order_of_records_teaches_nothing(name):
    options = Options(ends="rounded", clip=Clip("10%", "90%", 2))
    one = fit_encoder(column(COLUMNS[name]), None, options)
    other = fit_encoder(column(COLUMNS[name][::-1]), None, options)
    assert one.to_dict() == other.to_dict()


def test_limits_of_parts_are_the_outer_ones():
    options = Options(clip=Clip("10%", "90%", 2))
    whole = column(NUMBERS)
    one, other = (fit_encoder(p, None, options) for p in (whole[:4], whole[4:]))
    both = one.merge(other)
    limits = [encoder.extras.limits for encoder in (one, other)]
    low, high = both.extras.limits
    assert (low, high) == (min(a for a, _ in limits), max(b for _, b in limits))
    clipped = both.clip(np.array(NUMBERS))
    assert np.sum(clipped == low) >= 2 and np.sum(clipped == high) >= 2


def test_the_step_follows_what_is_left_inside_of_limits():
    values = column([*NUMBERS, 1e6])
    options = Options(ends="rounded", clip=Clip(None, 30, 2))
    assert ends_of(fit_encoder(values, None, options), values)[0] == "[0.0, 5.0]"
