import json

from microcell._cache import code_digest, finished, keep


def test_results_of_this_very_task_are_found(tmp_path):
    file = tmp_path / "task.json"
    assert finished(file, {"k": 3}) is None
    keep(file, {"k": 3}, [1.5])
    assert finished(file, {"k": 3}) == [1.5]
    assert finished(file, {"k": 5}) is None


def test_half_a_file_is_no_result(tmp_path):
    file = tmp_path / "task.json"
    keep(file, {"k": 3}, [1.5])
    file.write_text(file.read_text()[:-3])
    assert finished(file, {"k": 3}) is None
    file.write_text(json.dumps([1, 2]))
    assert finished(file, {"k": 3}) is None


def test_other_code_is_another_task(tmp_path, monkeypatch):
    import microcell._cache as module

    package = tmp_path / "package"
    package.mkdir()
    monkeypatch.setattr(module, "__file__", str(package / "_cache.py"))
    digests = set()
    for text in ("a = 1\n", "a = 2\n"):
        (package / "part.py").write_text(text)
        code_digest.cache_clear()
        digests.add(code_digest())
    (package / "part.py").rename(package / "other.py")
    code_digest.cache_clear()
    digests.add(code_digest())
    assert len(digests) == 3
    code_digest.cache_clear()
