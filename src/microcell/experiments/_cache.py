"""Finished tasks of an experiment, kept as files, so that a run can go on."""

import json


def finished(file, task):
    """Results in a file of the cache, or None if they are not of this very task."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    if not isinstance(kept, dict) or kept.get("task") != task:
        return None
    return kept["results"]


def keep(file, task, results):
    """Write the results of a task; the file is whole or not there."""
    part = file.with_suffix(".part")
    part.write_text(json.dumps({"task": task, "results": results}), encoding="utf-8")
    part.replace(file)
