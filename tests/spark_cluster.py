"""Spark's own standalone cluster on the loopback: a master and two workers."""

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import microcell

LOOPBACK = "127.0.0.1"
SOURCE = str(Path(microcell.__file__).parents[1])
PATIENCE = 300  # seconds for a process to answer or to end
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # Java that ends before it is warm


def missing():
    """Why Spark cannot run here, or None."""
    if importlib.util.find_spec("pyspark") is None:
        return "PySpark is not installed: pip install 'microcell[spark]'"
    if shutil.which("java") is None:
        return "Java is not installed: there is no program java"
    return None


def free_port():
    with socket.socket() as listener:
        listener.bind((LOOPBACK, 0))
        return listener.getsockname()[1]


def environment():
    """What Spark's processes need to know: this Python, and to stay on the loopback."""
    return {
        "JAVA_TOOL_OPTIONS": QUICK,
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": SOURCE,
        "PYTHONWARNINGS": "ignore",
        "SPARK_LOCAL_IP": LOOPBACK,
    }


def settings():
    """Settings of a small session that talks to nobody else."""
    return {
        "spark.driver.bindAddress": LOOPBACK,
        "spark.driver.host": LOOPBACK,
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }


def children(pid):
    """Processes that a process has started, and theirs."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            after_name = stat.read_text().rpartition(")")[2].split()
            parents.setdefault(int(after_name[1]), []).append(int(stat.parent.name))
    found = list(parents.get(pid, ()))
    for child in found:
        found += parents.get(child, ())
    return found


def runs(pid):
    """Whether a process is there, and not only waited for."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def wait_until(happened, what):
    end = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)


def end_java():
    """End the Java process of this Python's session, which outlives the session."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is None:
        return
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.terminate()
    gateway.proc.wait(timeout=PATIENCE)
    SparkContext._gateway = SparkContext._jvm = None


class Cluster:
    """A master and workers, each a process of its own.

    Parameters
    ----------
    n_workers : int
    cores, memory : of each worker, as Spark writes them
    """

    def __init__(self, n_workers=2, cores=1, memory="1g"):
        self.n_workers, self.cores, self.memory = n_workers, cores, memory
        self.folder = tempfile.mkdtemp(prefix="spark-cluster-")
        self.workers = []
        self.master = None
        self.seen = []  # every process that was started

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def _start(self):
        port = free_port()
        self.url = f"spark://{LOOPBACK}:{port}"
        at = ["--host", LOOPBACK, "--webui-port", "0"]
        self.master = self._run("master.Master", *at, "--port", str(port))
        wait_until(lambda: self._answers(port), "the master does not answer")
        size = ["--cores", str(self.cores), "--memory", self.memory]
        for number in range(self.n_workers):
            work = ["--work-dir", f"{self.folder}/work{number}"]
            self.workers.append(self._run("worker.Worker", *at, *size, *work, self.url))
        wait_until(self._all_registered, "the workers do not register")

    def _run(self, name, *arguments):
        import pyspark

        home = Path(pyspark.__file__).parent
        log = open(f"{self.folder}/{len(self.seen)}.log", "w")
        process = subprocess.Popen(
            [home / "bin/spark-class", f"org.apache.spark.deploy.{name}", *arguments],
            stdout=log,
            stderr=log,
            cwd=self.folder,
            env=os.environ | environment() | self._places(home),
        )
        log.close()
        self.seen.append(process.pid)
        return process

    def _places(self, home):
        """Where Spark is, and where an executor that is killed leaves its files."""
        return {"SPARK_HOME": str(home), "SPARK_LOCAL_DIRS": f"{self.folder}/local"}

    def _answers(self, port):
        with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, port)):
            return True
        return False

    def _all_registered(self):
        log = Path(f"{self.folder}/0.log").read_text()
        return log.count("Registering worker") == self.n_workers

    def kill_worker(self, number=0):
        """End a worker and its executors at once, by their process ids."""
        worker = self.workers[number]
        executors = children(worker.pid)
        assert executors, "the worker has no executor"
        for pid in (worker.pid, *executors):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        worker.wait(timeout=PATIENCE)
        return [worker.pid, *executors]

    def stop(self):
        """End what was started, and wait until it has ended."""
        started = [p for p in (*self.workers, self.master) if p is not None]
        for process in started:
            self.seen += children(process.pid)
        for process in started:
            process.terminate()
        for process in started:
            process.wait(timeout=PATIENCE)
        for pid in self.seen:  # an executor ends with its worker, unless it hangs
            wait_until(lambda pid=pid: not runs(pid), f"process {pid} does not end")
        shutil.rmtree(self.folder)


class Killer:
    """Kills a worker when some of the shards have been masked, and not all.

    Parameters
    ----------
    spark : SparkSession
    cluster : Cluster
    most_others : int
        Tasks that no stage but that of the shards has more of.
    least : int
        Shards to wait for.
    """

    def __init__(self, spark, cluster, most_others=8, least=2):
        self.tracker = spark.sparkContext.statusTracker()
        self.cluster, self.most_others, self.least = cluster, most_others, least
        self.killed, self.n_done, self.n_tasks = [], 0, 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def _watch(self):
        while not self.over.wait(0.02):
            for stage in self.tracker.getActiveStageIds():
                info = self.tracker.getStageInfo(stage)
                shards = info is not None and info.numTasks > self.most_others
                if shards and info.numCompletedTasks >= self.least:
                    self.n_done, self.n_tasks = info.numCompletedTasks, info.numTasks
                    self.killed = self.cluster.kill_worker()
                    return
