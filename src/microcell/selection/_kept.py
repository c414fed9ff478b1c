"""Finished candidates of a comparison, kept in a folder, so that it can go on."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import sys
from pathlib import Path
from typing import Any

from microcell._cache import code_digest, finished, keep
from microcell.exceptions import InputError
from microcell.io import sha256
from microcell.methods import METHODS
from microcell.recipe import Recipe, method_function
from microcell.release import fingerprint, software_versions
from microcell.selection._trial import Outcome, Trial

KEY_FILE = "key"
RUN_FILE = "run"


class Kept:
    """Outcomes of candidates, one file each, whole or not there.

    A file is named by a digest of all that its outcome depends on: the table, the
    recipe, the versions and the source of this library. The digest of a small table
    would tell whether a guess of it is right, so it is keyed with random bytes that
    stay in the folder. The files hold figures, and neither the recipe nor the seed.

    Parameters
    ----------
    folder : path
        It is made if it is not there, for its owner alone.
    trial : Trial
    """

    def __init__(self, folder: str | Path, trial: Trial) -> None:
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(
                f"{folder} is a file.", option="cache", hint="Name a folder."
            )
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self._key = _key_of(self.folder)
        learnt = trial.evaluation
        self._common = {
            "table": fingerprint(trial.table),
            "as_text": trial.as_text,
            "label": learnt and learnt.label,
            "repetitions": len(learnt.splits) if learnt else 0,
            "seed": trial.seed,
        }

    def get(self, recipe: Recipe) -> Outcome | None:
        """What came of a recipe before, or None."""
        name = self._name(recipe)
        found = None if name is None else finished(self.folder / f"{name}.json", name)
        return None if found is None else dict(found)

    def put(self, recipe: Recipe, outcome: Outcome) -> None:
        """Keep what came of a recipe."""
        name = self._name(recipe)
        if name is not None:
            keep(self.folder / f"{name}.json", name, outcome)

    def same_run(self, recipe: Recipe) -> bool:
        """Whether the folder is that of the same table and options."""
        file = self.folder / RUN_FILE
        return file.is_file() and file.read_text() == self._run(recipe)

    def begin(self, recipe: Recipe) -> None:
        """Note which table and options the folder is of."""
        part = self.folder / f"{RUN_FILE}.part"
        part.write_text(self._run(recipe))
        part.replace(self.folder / RUN_FILE)

    def _run(self, recipe: Recipe) -> str:
        table = {n: self._common[n] for n in ("table", "as_text")}
        return self._digest(table | {"recipe": shared_by(recipe_contents(recipe))})

    def _name(self, recipe: Recipe) -> str | None:
        source = method_source(recipe.method)
        if source is None:
            return None
        return self._digest(
            self._common
            | {
                "recipe": recipe_contents(recipe),
                "method": source,
                "versions": software_versions(),
                "code": code_digest(),
            }
        )

    def _digest(self, contents: Any) -> str:
        text = json.dumps(contents, sort_keys=True, default=repr)
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()


def recipe_contents(recipe: Recipe) -> dict[str, Any]:
    """A recipe as plain data, with what is in the files that it names."""
    contents = recipe.to_dict()
    contents["method"].pop("seed", None)
    for name, given in recipe.schema.hierarchies.items():
        if isinstance(given, str):
            contents["columns"][name]["hierarchy"] = sha256(given)
    return contents


def shared_by(contents: dict[str, Any]) -> dict[str, Any]:
    """Of a recipe as plain data what all candidates of a comparison have in common."""
    own = ("name", "k", "parameters", "target", "estimator")
    method = {n: v for n, v in contents["method"].items() if n not in own}
    return contents | {"method": method}


def method_source(method: Any) -> str | None:
    """A digest of what a method is; None if that cannot be known.

    Methods of this library are known by its source. A function of another module, or
    an estimator, by the file that it is in, and an estimator's parameters. A function
    that only this program has cannot be known again.

    Examples
    --------
    >>> method_source("mdav")
    ''
    >>> method_source(lambda k, *, scale=None: None) is None
    True
    """
    if isinstance(method, str) and method in METHODS:
        return ""
    found = method_function(method)
    if callable(found) and not isinstance(method, str):
        return None
    home = found if callable(found) else type(found)
    file = getattr(sys.modules.get(home.__module__), "__file__", None)
    if file is None or home.__module__ == "__main__":
        return None
    digest = sha256(file)
    if not callable(found):
        import joblib

        digest += str(joblib.hash(found))
    return digest


def _key_of(folder: Path) -> bytes:
    """The random bytes of a folder; made once, for its owner to read."""
    file = folder / KEY_FILE
    if not file.exists():
        part = folder / f"{KEY_FILE}.{secrets.token_hex(8)}"
        descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(secrets.token_bytes(32))
        part.replace(file)  # of two processes that begin at once the last one's stays
    return file.read_bytes()
