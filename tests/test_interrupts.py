import os
import signal
import threading

import pytest

from microcell import _interrupts
from microcell._interrupts import deferred


@pytest.fixture(autouse=True)
def plain_interrupts():
    """As in a terminal; a job in the background ignores them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_signal_waits_for_the_end_of_the_block():
    steps = []
    with pytest.raises(KeyboardInterrupt):
        with deferred():
            os.kill(os.getpid(), signal.SIGINT)
            steps.append("whole")
        steps.append("not reached")
    assert steps == ["whole"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_signal_that_another_thread_receives_waits_too():
    """Python runs its handlers in the main thread, whoever received the signal."""
    with pytest.raises(KeyboardInterrupt), deferred():
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            other = threading.Thread(
                target=lambda: (
                    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT}),
                    os.kill(os.getpid(), signal.SIGINT),
                )
            )
            other.start()
            other.join()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def test_ignored_signals_stay_ignored():
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with deferred():
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


def test_handlers_come_back_after_an_error():
    before = [signal.getsignal(number) for number in _interrupts.SIGNALS]
    with pytest.raises(RuntimeError), deferred():
        raise RuntimeError
    assert [signal.getsignal(number) for number in _interrupts.SIGNALS] == before
    assert not _interrupts.gate.locked()


def test_threads_only_take_turns():
    def work():
        with deferred():
            assert _interrupts.gate.locked()

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    assert not _interrupts.gate.locked()
