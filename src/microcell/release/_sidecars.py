"""What is written beside a release: certificate, recipe, report, and a note."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from microcell.io import Outbox
from microcell.release._source import SourceDigest

if TYPE_CHECKING:
    from microcell.release._release import Release


class ReportFile(NamedTuple):
    """A report that is to be written, and the words for it."""

    path: str | Path
    purpose: str | None = None
    author: str | None = None
    source_name: str | None = None

    def write(
        self, staged: str, release: Release, document: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Write it into a file that is published later; gives its facts."""
        from microcell.report import facts_of, report_text

        if self.source_name is not None and document is not None:
            source = {"name": self.source_name, **document.get("source", {})}
            document = {**document, "source": source}
        facts = facts_of(
            release, purpose=self.purpose, author=self.author, document=document
        )
        Path(staged).write_text(report_text(facts, self.path), encoding="utf-8")
        return facts


@dataclass(frozen=True)
class Sidecars:
    """Files beside a release, and whether they and it may replace what is there.

    Attributes
    ----------
    certificate, recipe : path or None
        Where the certificate (JSON) and the recipe (TOML) go.
    report : ReportFile or None
        The report.
    source_note : path or None
        Where the key of the source's digest goes; without one there is no digest.
    plain_source_hash : bool
        Whether a plain hash of the source is published; see `Release.save`.
    overwrite : bool
        Whether what exists may be replaced.
    """

    certificate: str | Path | None = None
    recipe: str | Path | None = None
    report: ReportFile | None = None
    source_note: str | Path | None = None
    plain_source_hash: bool = False
    overwrite: bool = False

    @property
    def places(self) -> dict[str, str | Path]:
        """Where each goes that is asked for."""
        report = self.report and self.report.path
        known = {"recipe": self.recipe, "certificate": self.certificate}
        known |= {"report": report, "source_note": self.source_note}
        return {name: place for name, place in known.items() if place is not None}

    def stage(self, outbox: Outbox) -> dict[str, Path]:
        """Where to write each, so that it appears with the release."""
        return {
            name: Path(outbox.stage(place, private=name == "source_note"))
            for name, place in self.places.items()
        }

    def write(
        self,
        staged: dict[str, Path],
        release: Release,
        document: dict[str, Any],
        source: SourceDigest | None = None,
    ) -> None:
        """Write them where they were staged, with a certificate and what is known."""
        texts = {}
        if self.recipe is not None:
            texts["recipe"] = release.recipe.to_toml(Path(self.recipe).parent)
        if self.certificate is not None:
            texts["certificate"] = to_json(document) + "\n"
        if source is not None and self.source_note is not None:
            texts["source_note"] = source.note()
        for name, text in texts.items():
            staged[name].write_text(text, encoding="utf-8")
        if self.report is not None:
            self.report.write(str(staged["report"]), release, document)


def to_json(document: Any) -> str:
    """A certificate as text; dates in a recipe are written as such."""
    return json.dumps(document, indent=2, default=str)
