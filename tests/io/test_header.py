import pytest

from microcell.io import read_table

RECORDS = {
    "names and ages": "John Smith,35\nAnn Lee,41\nBob Ray,29\n",
    "an age beyond the others": "John Smith,75\nAnn Lee,41\nBob Ray,29\n",
    "dates": "ann,2001-02-03\nbob,1999-12-31\n",
    "moments": "ann,2001-02-03 10:30\nbob,1999-12-31 11:00:05\n",
    "a number before all years": "ann,1899\nbob,4711\neve,1020\n",
    "a number after all years": "ann,2101\nbob,4711\neve,1020\n",
    "birth years": "ann,1975\nbob,1981\neve,1969\n",
    "numbers alone": "3.5,120,7\n4.5,90,8\n1.25,110,9\n",
    "one empty field": ",35,a\nann,41,b\n",
    "words that repeat": "female,flu,north\nmale,flu,south\nfemale,hiv,north\n",
    "missing values": "ann,35\nbob,\ncid,41\n",
}


@pytest.mark.parametrize("text", RECORDS.values(), ids=RECORDS)
def test_a_record_where_the_names_should_be(text, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match="line 1 looks like a record") as caught:
        read_table(path)
    message = str(caught.value).replace(str(path), "")
    for field in text.splitlines()[0].split(","):
        assert len(field) < 2 or field not in message


NAMES = {
    "words": "name,age\nann,35\nbob,41\n",
    "years": "country,2019,2020,2021\nES,2011,1998,2020\nPT,2015,2020,2013\n",
    "one year": "country,2019\nES,4711\nPT,1020\n",
    "the first year": "country,1900\nES,4711\nPT,1020\n",
    "the last year": "country,2100\nES,4711\nPT,1020\n",
    "a year beside what may be a value": "2019,35\n4711,34\n1020,36\n",
    "counted": "0,1,2\n5,1,0\n0,2,3\n",
    "a number among words": "id,age,7\n1,35,7\n2,41,6\n",
    "codes": "x1,x2\n1.5,2.5\n2.5,3.5\n",
    "text alone": "name,city\nann,oslo\nbob,rome\n",
    "a name that is a value": "id,female\n1,female\n2,\n",
    "a header twice": "sex,city\nf,oslo\nsex,city\nm,rome\n",
    "no values": "a,b\n,\n,\n",
    "not a number": "nan,x\n1,a\n2,b\n",
}


@pytest.mark.parametrize("text", NAMES.values(), ids=NAMES)
def test_names_that_are_none_of_a_record(text, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert read_table(path).columns == text.splitlines()[0].split(",")


def test_what_was_written_here_has_its_names(tmp_path):
    """Reading a release back asks nothing; the table may have come from Parquet."""
    path = tmp_path / "t.csv"
    path.write_text("35,7\n30,7\n41,6\n")
    assert read_table(path, own=True).columns == ["35", "7"]


def test_long_headers_are_cut(tmp_path):
    path = tmp_path / "t.csv"
    rows = [",".join(str(i * i + j) for i in range(20)) for j in range(4)]
    path.write_text("\n".join(rows) + "\n")
    with pytest.raises(ValueError, match=r"(9, ){3}(99, )+\.\.\.\)"):
        read_table(path)


def test_repeated_names_are_not_shown(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Smith,Smith\nLee,Lee\n")
    with pytest.raises(
        ValueError, match=r"fields \[1, 2\] of line 1.*'Aaaaa'"
    ) as caught:
        read_table(path)
    assert "Smith" not in str(caught.value)
