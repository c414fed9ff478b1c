import threading

import pytest
from numba import config

from microcell.kernels.threads import in_slices, meanwhile


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_slices_do_not_depend_on_threads(monkeypatch, n_threads):
    monkeypatch.setattr(config, "NUMBA_NUM_THREADS", n_threads)
    found = [0] * 23

    def work(some):
        found[some] = [i * i for i in range(23)[some]]

    in_slices(work, 23, 4)
    assert found == [i * i for i in range(23)]


def test_no_more_threads_than_are_wanted(monkeypatch):
    monkeypatch.setattr(config, "NUMBA_NUM_THREADS", 8)
    names = set()
    in_slices(lambda some: names.add(threading.current_thread()), 50, 1, most=2)
    assert len(names) <= 2
    in_slices(lambda some: names.add(threading.current_thread()), 50, 1, most=1)
    assert threading.main_thread() in names  # no thread at all


def test_the_error_of_the_first_slice_is_raised(monkeypatch):
    monkeypatch.setattr(config, "NUMBA_NUM_THREADS", 3)

    def work(some):
        raise ValueError(some.start)

    with pytest.raises(ValueError, match=r"^0$"):
        in_slices(work, 6, 2)


def test_work_beside_a_block_runs_while_it_does():
    started, go_on = threading.Event(), threading.Event()

    def work():
        started.set()
        assert go_on.wait(10)
        return 42

    with meanwhile(work) as result:
        assert started.wait(10)
        go_on.set()
    assert result() == 42


def test_an_error_beside_a_block_is_raised_when_asked_for():
    def work():
        raise ValueError("beside")

    with meanwhile(work) as result:
        done = True
    assert done
    with pytest.raises(ValueError, match="beside"):
        result()


def test_an_error_of_the_block_goes_first_and_the_thread_ends():
    ended = []

    def work():
        ended.append(True)
        raise ValueError("beside")

    with pytest.raises(KeyError), meanwhile(work):
        raise KeyError("block")
    assert ended == [True]
