"""The digest of a source: what an intruder makes of it, and what its owner can."""

import hashlib
import hmac
import itertools
import json
import stat

import polars as pl
import pytest

from microcell import Recipe, Schema, anonymize, anonymize_file
from microcell.datasets import load_diabetes_patients
from microcell.exceptions import InputError, OutputExistsError
from microcell.io import read_table, write_table
from microcell.release import check_file
from microcell.release._content_digest import content_digest
from microcell.release._source import (
    PLAIN_GIVES_AWAY,
    files_digest,
    is_noted_source,
    note_path,
)

N, K = 30, 5
ROSTER = [(f"P{i:02d}", 20 + 7 * i % 61, "fm"[i % 2]) for i in range(N)]
ILL = {"P03", "P17"}
RECIPE = Recipe(
    Schema(["age", "sex"], identifiers="name", confidential="hiv"), k=K, method="mdav"
)


def table_of(ill):
    return pl.DataFrame(
        [(name, age, sex, "yes" if name in ill else "no") for name, age, sex in ROSTER],
        schema=["name", "age", "sex", "hiv"],
        orient="row",
    )


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "ward.csv"
    table_of(ILL).write_csv(path)
    return path


def candidates(folder):
    """Who may be ill: the roster is known, and where the release has its values.

    The intruder runs the same method on the quasi-identifiers, which gives the cell of
    each person; the release tells how many of a cell are ill.
    """
    cells = anonymize(table_of(()), RECIPE.schema, k=K, method="mdav").table
    released = read_table(folder / "o.csv")
    keys = [tuple(map(str, row[:2])) for row in cells.rows()]
    ill = [tuple(row[:2]) for row in released.rows() if row[2] == "yes"]
    choices = []
    for key in sorted(set(ill)):
        members = [ROSTER[i][0] for i in range(N) if keys[i] == key]
        assert len(members) >= K
        choices.append(itertools.combinations(members, ill.count(key)))
    for chosen in itertools.product(*choices):
        yield {name for part in chosen for name in part}


def named_by(folder, published, digest):
    """Candidates whose file has a digest that was published."""
    found, tried = [], 0
    for ill in candidates(folder):
        tried += 1
        if digest(ill) in published:
            found.append(ill)
    return found, tried


def plain_digests(ill):
    contents = table_of(ill).write_csv().encode()
    return hashlib.sha256(contents).hexdigest()


def test_a_plain_hash_names_the_people_and_a_keyed_one_does_not(source, tmp_path):
    """With the roster and the release, k**m tries name the m people who are ill."""
    sidecars = {"certificate": tmp_path / "c.json", "report": tmp_path / "r.json"}
    out = tmp_path / "o.csv"
    anonymize_file(source, RECIPE, out, plain_source_hash=True, **sidecars)
    for sidecar in sidecars.values():
        found, tried = named_by(tmp_path, sidecar.read_text(), plain_digests)
        assert found == [ILL] and tried >= K**2

    anonymize_file(source, RECIPE, out, overwrite=True, **sidecars)
    for sidecar in sidecars.values():
        assert named_by(tmp_path, sidecar.read_text(), plain_digests) == ([], tried)
    key = bytes.fromhex(json.loads((tmp_path / "c.source-key.json").read_text())["key"])

    def with_the_key(ill):
        contents = table_of(ill).write_csv().encode()
        return hmac.digest(key, contents, "sha256").hex()

    for sidecar in sidecars.values():  # it is the key alone that keeps it
        assert named_by(tmp_path, sidecar.read_text(), with_the_key)[0] == [ILL]
        assert key.hex() not in sidecar.read_text()


def test_nothing_else_in_a_certificate_depends_on_who_has_what(tmp_path):
    """Two tables that differ in who of a class is ill have one certificate."""
    said = []
    cells = anonymize(table_of(()), RECIPE.schema, k=K, method="mdav")
    mates = [ROSTER[i][0] for i in range(N) if cells.labels[i] == cells.labels[3]]
    for ill in ({mates[0]}, {mates[1]}):
        table_of(ill).write_csv(tmp_path / "t.csv")
        sidecars = {"certificate": tmp_path / "c.json", "report": tmp_path / "r.json"}
        anonymize_file(
            tmp_path / "t.csv", RECIPE, tmp_path / "o.csv", overwrite=True, **sidecars
        )
        read = [json.loads(sidecar.read_text()) for sidecar in sidecars.values()]
        for document in read:
            del document["created"], document["source"]
            document.get("hashes", {}).pop("source", None)
            document.get("utility", {}).pop("models", None)
        said.append(read)
    assert said[0] == said[1]


def test_records_of_a_database_are_keyed_too(tmp_path):
    address = f"sqlite:///{tmp_path}/ward.db::patients"
    write_table(table_of(ILL), address)
    sidecars = {"certificate": tmp_path / "c.json"}
    for plain in (True, False):
        anonymize_file(
            address, RECIPE, tmp_path / "o.csv", plain_source_hash=plain,
            overwrite=True, **sidecars,
        )  # fmt: skip
        text = sidecars["certificate"].read_text()
        found, _ = named_by(
            tmp_path, text, lambda ill: content_digest(table_of(ill).reverse())
        )
        assert found == ([ILL] if plain else [])
    assert is_noted_source(address, tmp_path / "c.source-key.json")


@pytest.mark.parametrize("n_files", [1, 3])
def test_files_of_a_disk_release_are_keyed_too(tmp_path, n_files):
    folder = tmp_path / "in"
    folder.mkdir()
    frame = pl.concat([table_of(ILL).with_columns(day=pl.lit(d)) for d in range(20)])
    for i, part in enumerate(frame.iter_slices(-(-frame.height // n_files))):
        part.write_csv(folder / f"{i}.csv")
    schema = Schema(["age", "sex"], confidential="hiv", others="drop")
    recipe = Recipe(schema, k=K, method="mdav", shard=200)
    plain = files_digest(sorted(folder.iterdir()), None).digest
    for as_plain in (True, False):
        done = anonymize_file(
            folder, recipe, tmp_path / "out", engine="disk", jobs=1,
            certificate=tmp_path / "c.json", plain_source_hash=as_plain, overwrite=True,
        )  # fmt: skip
        assert (plain in (tmp_path / "c.json").read_text()) == as_plain
        assert (PLAIN_GIVES_AWAY in done.release.summary()) == as_plain
        assert (PLAIN_GIVES_AWAY in done.certificate["decide"]) == as_plain
    note = tmp_path / "c.source-key.json"
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert is_noted_source(folder, note)
    (folder / "0.csv").write_text("name,age,sex,hiv,day\n")
    assert not is_noted_source(folder, note)


def test_the_key_is_no_part_of_a_released_folder(source, tmp_path):
    recipe = Recipe(RECIPE.schema, k=K, method="mdav")
    for note in (tmp_path / "out" / "key.json", tmp_path / "out"):
        with pytest.raises(InputError, match="would be replaced by the release"):
            anonymize_file(
                source, recipe, tmp_path / "out", engine="disk",
                certificate=tmp_path / "c.json", source_note=note,
            )  # fmt: skip


def test_the_note_is_for_the_owner_and_comes_with_the_other_files(source, tmp_path):
    out, note = tmp_path / "o.csv", tmp_path / "mine.json"
    sidecars = {"certificate": tmp_path / "c.json", "source_note": note}
    made = anonymize_file(source, RECIPE, out, **sidecars).certificate
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    said = json.loads(note.read_text())
    assert said["source"] == "ward.csv" and len(bytes.fromhex(said["key"])) == 32
    assert made["source"] == {"hmac_sha256": said["digest"]}
    key = bytes.fromhex(said["key"])
    assert said["digest"] == hmac.digest(key, source.read_bytes(), "sha256").hex()
    with pytest.raises(OutputExistsError):
        anonymize_file(
            source, RECIPE, tmp_path / "p.csv", certificate=tmp_path / "d.json",
            source_note=note,
        )  # fmt: skip
    assert not (tmp_path / "p.csv").exists() and not (tmp_path / "d.json").exists()
    anonymize_file(source, RECIPE, out, overwrite=True, **sidecars)
    assert json.loads(note.read_text())["key"] != said["key"]
    assert stat.S_IMODE(note.stat().st_mode) == 0o600


def test_without_certificate_and_report_there_is_neither_note_nor_digest(
    source, tmp_path
):
    folder = tmp_path / "out"
    folder.mkdir()
    made = anonymize_file(source, RECIPE, folder / "o.csv").certificate
    assert "source" not in made
    assert [path.name for path in folder.iterdir()] == ["o.csv"]
    for options in ({"source_note": folder / "n.json"}, {"plain_source_hash": True}):
        with pytest.raises(InputError, match="stands in a certificate or report"):
            anonymize_file(source, RECIPE, folder / "p.csv", **options)


def test_a_report_alone_has_its_note_beside_it(source, tmp_path):
    anonymize_file(source, RECIPE, tmp_path / "o.csv", report=tmp_path / "r.html")
    note = json.loads((tmp_path / "r.source-key.json").read_text())
    page = (tmp_path / "r.html").read_text()
    assert note["digest"] in page and note["key"] not in page


def test_a_plain_hash_is_to_be_decided_on(source, tmp_path):
    certificate, page = tmp_path / "c.json", tmp_path / "r.html"
    done = anonymize_file(
        source, RECIPE, tmp_path / "o.csv", certificate=certificate, report=page,
        plain_source_hash=True,
    )  # fmt: skip
    said = json.loads(certificate.read_text())
    hashed = hashlib.sha256(source.read_bytes()).hexdigest()
    assert said["source"] == {"sha256": hashed, "gives_away": PLAIN_GIVES_AWAY}
    assert said["decide"].count(PLAIN_GIVES_AWAY) == 1
    assert PLAIN_GIVES_AWAY in done.release.summary()
    assert PLAIN_GIVES_AWAY in page.read_text()
    assert not list(tmp_path.glob("*source-key*"))


def test_a_release_in_memory_takes_the_file_that_it_came_from(source, tmp_path):
    release = anonymize(pl.read_csv(source), RECIPE.schema, k=K)
    files = {"certificate": tmp_path / "c.json", "source": source}
    release.save(tmp_path / "o.csv", **files)
    assert is_noted_source(source, tmp_path / "c.source-key.json")
    with pytest.raises(InputError, match="the source is not said"):
        release.save(tmp_path / "p.csv", certificate=tmp_path / "d.json",
                     plain_source_hash=True)  # fmt: skip
    with pytest.raises(FileNotFoundError):
        release.save(tmp_path / "p.csv", source="ab" * 32,
                     certificate=tmp_path / "d.json")  # fmt: skip
    assert not (tmp_path / "p.csv").exists()


def test_a_private_release_has_no_digest_and_says_so(tmp_path):
    path = tmp_path / "p.csv"
    load_diabetes_patients().frame.select("age", "bmi").write_csv(path)
    recipe = Recipe(
        Schema(["age", "bmi"]), k=20, method="dp-microaggregation",
        parameters={"epsilon": 1.0, "bounds": {"age": [0, 120], "bmi": [10.0, 60.0]}},
    )  # fmt: skip
    certificate = tmp_path / "c.json"
    anonymize_file(path, recipe, tmp_path / "o.csv", certificate=certificate)
    assert "source" not in json.loads(certificate.read_text())
    assert not list(tmp_path.glob("*source-key*"))
    for options in ({"plain_source_hash": True}, {"source_note": tmp_path / "n.json"}):
        with pytest.raises(InputError, match="has no digest of its source"):
            anonymize_file(
                path, recipe, tmp_path / "q.csv", certificate=tmp_path / "d.json",
                **options,
            )  # fmt: skip


def test_a_note_or_a_plain_hash(tmp_path):
    with pytest.raises(InputError, match="not both"):
        note_path("n.json", True, "c.json", None)


def test_the_owner_shows_which_file_it_was(source, tmp_path):
    out, note = tmp_path / "o.csv", tmp_path / "c.source-key.json"
    anonymize_file(source, RECIPE, out, certificate=tmp_path / "c.json")
    asked = {"recipe": RECIPE, "source_note": note}
    kept = check_file(out, source=source, **asked)
    assert kept.holds and kept.source_as_noted
    assert kept.to_dict()["source_as_noted"] is True
    other = tmp_path / "other.csv"
    table_of({"P04", "P17"}).write_csv(other)
    assert not check_file(out, source=other, **asked).holds
    with pytest.raises(InputError, match="Give both"):
        check_file(out, recipe=RECIPE, source=source)
    with pytest.raises(InputError, match="is no note"):
        check_file(out, recipe=RECIPE, source=source, source_note=source)
