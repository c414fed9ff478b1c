"""Attacks on the app as it is served: nothing let in, nothing shown, nothing left."""

import gzip
import json
import os
import socket
import threading
import zipfile
from urllib.parse import quote, urlsplit

import httpx
import pytest
from app_server import running_app
from fastapi import FastAPI
from marks import first_is_quick, for_each

from microcell.app._jobs import MAX_RUNNING_JOBS, MAX_WAITING_JOBS
from microcell.app._routes import add_routes

SMALL_MACHINE = """
import microcell._memory
microcell._memory.available_memory = lambda: 6 * 10**8
"""
LIMIT = 3 * 10**6  # bytes of an upload
MEGABYTES = 400  # of a bomb
MARK = "Quetzalcoatlus"  # a value of a record that is found nowhere else
SCRIPT = "<script>alert(1)</script>"
PICTURE = '"><svg onload=alert(2)>'


def all_routes():
    """Methods and paths of everything that the page can ask for."""
    served = FastAPI(openapi_url=None)
    add_routes(served, None, None)
    return sorted(
        (method, route.path.replace("{id}", "1").replace("{what}", "release"))
        for route in _leaves(served.routes)
        for method in route.methods
    )


def _leaves(routes):
    for route in routes:
        yield from (
            _leaves(route.original_router.routes)
            if hasattr(route, "original_router")
            else [route]
        )


def rows(n=60, names=("age", "height", "town", "ill"), word="Ghent"):
    """The text of a table of which a release can be made fast."""
    lines = [",".join(names)]
    lines += [f"{20 + i % 40},{150 + i % 30}.5,{word},{'yn'[i % 2]}" for i in range(n)]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A folder that may be read, beside one that may not."""
    folder = tmp_path_factory.mktemp("named") / "data"
    folder.mkdir()
    (folder / "survey.csv").write_text(rows())
    (folder / "groups.csv").write_text("y,ill\nn,well\n")
    (folder.parent / "secret.csv").write_text(rows(word=MARK))
    os.symlink(folder.parent / "secret.csv", folder / "link.csv")
    os.symlink(folder.parent, folder / "up")
    return folder


@pytest.fixture(scope="module")
def app(data, tmp_path_factory):
    """One app for all attacks; in the end it has said nothing and left nothing."""
    folder = tmp_path_factory.mktemp("app")
    with running_app(folder, "--folder", data, "--upload-limit", "3MB") as app:
        yield app
        assert app.end() == 0
        assert app.said() == "" and app.places == []


@pytest.fixture(scope="module")
def document(app):
    """A table in the session, with a draft whose release is made fast."""
    document = app.upload("survey.csv", rows().encode())["id"]
    assert app.looked_at(document)["problem"] is None
    return fast(app, document)


def fast(app, document, names=("age", "height")):
    """Let a document have settings with which little is computed."""
    app.put_draft(
        document, quasi_identifiers=[*names], k=5, others="drop", measures="quick",
        kinds=dict.fromkeys(names, "numeric"), confidential=[], identifiers=[],
        unit="records",
    )  # fmt: skip
    return document


@pytest.fixture
def fresh(app):
    """Documents that are closed after the test."""
    before = {
        document["id"] for document in app.client.get("/api/state").json()["documents"]
    }
    yield app
    for document in app.client.get("/api/state").json()["documents"]:
        if document["id"] not in before:
            app.client.delete(f"/api/documents/{document['id']}")


def raw(app, text, more=b"", patience=20):
    """What the server answers to the bytes of a request, until it closes."""
    place = urlsplit(app.origin)
    cookie = "; ".join(f"{n}={v}" for n, v in app.client.cookies.items())
    text = text.replace("HOST", place.netloc).replace("COOKIE", cookie)
    with socket.create_connection((place.hostname, place.port), patience) as connection:
        connection.sendall(text.replace("\n", "\r\n").encode() + more)
        answer = b""
        try:
            while part := connection.recv(65536):
                answer += part
        except ConnectionError:
            pass
    return answer.decode("latin-1")


def status(answer):
    return int(answer.split()[1])


# who is let in


@for_each(("method", "path"), all_routes())
def test_no_route_is_open_to_others(app, method, path):
    with httpx.Client(base_url=app.origin) as stranger:
        ours = {"Origin": app.origin}
        assert stranger.request(method, path, headers=ours).status_code == 401
    for said, code in (
        ({"Host": "evil.example"}, 421),
        ({"Host": f"evil.example:{urlsplit(app.origin).port}"}, 421),  # rebinding
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ):
        answer = app.client.request(method, path, headers=said)
        assert answer.status_code == code, said
        assert answer.json()["error"]["message"].endswith(".")


def test_the_routes_are_all_there_are():
    assert len(all_routes()) > 20 and ("POST", "/api/quit") in all_routes()


def test_without_the_token_nobody_is_let_in(app):
    with httpx.Client(base_url=app.origin) as stranger:
        for path in ("/", "/?token=", "/?token=x", "/?token=é", "/?Token=x"):
            answer = stranger.get(path)
            assert answer.status_code == 403 and not answer.cookies
            assert "script" not in answer.text
        for path in ("/page/main.js", "/page/", "/docs", "/openapi.json", "/x"):
            assert stranger.get(path).status_code == 401
        ours = {"Origin": app.origin}
        assert stranger.post("/api/quit", headers=ours).status_code == 401


def test_the_token_becomes_a_cookie_that_no_script_sees(app):
    answer = httpx.get(app.address)
    cookie = answer.headers["set-cookie"]
    token = app.address.split("token=")[1]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie
    assert "Domain" not in cookie and token not in cookie and token not in answer.text
    assert len(token) >= 43 and len(answer.cookies) == 1


def test_a_cookie_is_neither_the_token_nor_that_of_another_port(app):
    (name,) = app.client.cookies
    token = app.address.split("token=")[1]
    value = app.client.cookies[name]
    port = urlsplit(app.origin).port
    assert str(port) in name
    for other in (
        {name: token},
        {name: value[:-1]},
        {name: value + "x"},
        {f"microcell-{port + 1}": value},
        {"microcell": value},
    ):
        assert httpx.get(f"{app.origin}/api/state", cookies=other).status_code == 401


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_a_form_of_another_page_changes_nothing(app, document, kind):
    before = app.document(document)["revision"]
    body = '{"revision": 10000, "entries": {"k": 2}, "x": "="}'
    for origin in ("http://evil.example", "null", app.origin + ".evil.example", None):
        headers = {"Content-Type": kind} | ({"Origin": origin} if origin else {})
        with httpx.Client(base_url=app.origin, cookies=app.client.cookies) as page:
            for method, path in (
                ("POST", f"/api/documents/{document}/undo"),
                ("POST", "/api/documents?name=x.csv"),
                ("POST", "/api/quit"),
                ("PUT", f"/api/documents/{document}/draft"),
            ):
                answer = page.request(method, path, content=body, headers=headers)
                assert answer.status_code == 403
    assert app.document(document)["revision"] == before


# the protocol


def test_there_are_no_web_sockets(app):
    answer = raw(
        app,
        "GET /api/events HTTP/1.1\nHost: HOST\nCookie: COOKIE\nUpgrade: websocket\n"
        "Connection: Upgrade, close\nSec-WebSocket-Version: 13\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\nOrigin: http://evil.example\n\n",
    )
    assert status(answer) == 403


@for_each(
    ("request_", "code"),
    [
        ("GET /api/state HTTP/1.0\nCookie: COOKIE\n\n", 421),
        ("GET /api/state HTTP/1.1\nCookie: COOKIE\n\n", 400),
        ("GET /api/state HTTP/1.1\nHost: HOST\nHost: evil\nCookie: COOKIE\n\n", 400),
        ("GET http://evil.example/api/state HTTP/1.1\nHost: evil\n\n", 421),
        ("GET /api/state HTTP/1.1\nHost : HOST\nCookie: COOKIE\n\n", 400),
        ("GET /api/state HTTP/1.1\nHost: HOST\nX: a\n b\nCookie: x=y\n\n", 401),
        (
            "POST /api/documents?name=a HTTP/1.1\nHost: HOST\nContent-Length: 5\n"
            "Content-Length: 50\n\nabcde",
            400,
        ),
        (
            "POST /api/documents?name=a HTTP/1.1\nHost: HOST\n"
            "Content-Length: -5\n\nabcde",
            400,
        ),
        (
            "POST /api/documents?name=a HTTP/1.1\nHost: HOST\n"
            "Transfer-Encoding: gzip, chunked\n\n0\n\n",
            400,
        ),
        ("TRACE /api/state HTTP/1.1\nHost: HOST\nCookie: COOKIE\n\n", 403),
        ("GARBAGE\n\n", 400),
    ],
)
def test_odd_requests_are_refused(app, request_, code):
    assert (
        status(raw(app, request_.replace("\n\n", "\nConnection: close\n\n", 1))) == code
    )


def test_what_follows_a_refused_request_is_no_request(app):
    hidden = (
        "GET /api/state HTTP/1.1\nHost: HOST\nCookie: COOKIE\nConnection: close\n\n"
    )
    answer = raw(
        app,
        "POST /api/documents?name=a.csv HTTP/1.1\nHost: HOST\nOrigin: http://evil.example\n"
        f"Content-Length: 4\nTransfer-Encoding: chunked\n\n0\n\n{hidden}",
    )
    assert "upload_limit" not in answer


def test_requests_that_never_end_do_not_stop_others(app):
    place = urlsplit(app.origin)
    ours = {"Origin": app.origin, "Content-Type": "application/x-www-form-urlencoded"}
    silent = []
    try:
        for i in range(400):  # more than the server takes requests at a time
            silent.append(socket.create_connection((place.hostname, place.port)))
            if i % 2:
                silent[-1].sendall(b"GET / HTTP/1.1\r\nHost: ")
        plain = {"base_url": app.origin, "verify": False}  # no certificates to load
        strangers = [httpx.Client(**plain) for _ in range(250)]
        silent += strangers  # they were answered, and their connections closed
        for stranger in strangers:
            assert stranger.get("/").headers["connection"] == "close"
            assert stranger.post("/api/quit", headers=ours).status_code == 401
        assert app.client.get("/api/state").status_code == 200
        silent.append(app.new_client())
        assert silent[-1].get("/api/state").status_code == 200
    finally:
        for connection in silent:
            connection.close()


# files


@for_each(
    "path",
    [
        "/page/../_server.py", "/page/%2e%2e/_server.py", "/page/..%2f_server.py",
        "/page/..%5c_server.py", "/page//etc/passwd", "/page/%2fetc/passwd",
        "/page/....//_server.py", "/page/texts/../../_server.py", "/page/%00",
        "/page/\\..\\_server.py", "//etc/passwd", "/page/index.html%00.py",
        "/api/releases/..%2f..%2fdocuments/files/release", "/page/" + "a" * 5000,
    ],
)  # fmt: skip
def test_no_way_out_of_the_page(app, path):
    answer = raw(
        app, f"GET {path} HTTP/1.1\nHost: HOST\nCookie: COOKIE\nConnection: close\n\n"
    )
    assert status(answer) in (400, 404)
    assert "def " not in answer and "root:" not in answer


@for_each(
    "path",
    [
        "../secret.csv", "data/../secret.csv", "data/link.csv", "data/up/secret.csv",
        "/etc/passwd", "data", "", "\0", "data/survey.csv\0", "data/survey.csv::x",
        "sqlite:///x", "~/x", "file:///etc/passwd", "data/" + "x" * 3000, "data/\ud7ff",
    ],
)  # fmt: skip
def test_no_way_out_of_the_named_folders(app, data, path):
    answer = app.client.post("/api/documents/open", json={"path": path})
    assert answer.status_code in (400, 403, 404)
    assert MARK not in answer.text and str(data.parent) not in answer.text
    assert app.client.get("/api/folders", params={"path": path}).status_code != 500


def test_a_file_that_becomes_a_link_is_not_read(fresh, data):
    (data / "mine.csv").write_text(rows())
    answer = fresh.client.post("/api/documents/open", json={"path": "data/mine.csv"})
    document = answer.json()["id"]
    fresh.looked_at(document)
    fast(fresh, document)
    (data / "mine.csv").unlink()
    os.symlink(data.parent / "secret.csv", data / "mine.csv")
    for ask in ("look", "compare", "release"):
        answer = fresh.client.post(f"/api/documents/{document}/{ask}", json={})
        assert answer.status_code == 404 and "no longer" in answer.text
    assert MARK not in json.dumps(fresh.document(document))


def test_a_name_that_is_no_text_spoils_no_listing(app, data):
    odd = os.fsencode(data) + b"/odd\xff.csv"
    with open(odd, "w"):
        pass
    listed = app.client.get("/api/folders", params={"path": "data"})
    os.unlink(odd)
    assert "survey.csv" in [entry["name"] for entry in listed.json()["entries"]]


NAMES = [
    "../../x.csv", "/etc/x.csv", "..\\x.csv", 'a"\r\nSet-Cookie: b=c\r\n".csv',
    "-o.csv", "a.csv::b.csv", "sqlite:///x.csv", "\u202egpj.csv", "*.csv", "[a].csv",
    "é" * 300 + ".csv", "a;b=c.csv", "$(id).csv", "con.csv", "%2e%2e%2f.csv",
    f"{SCRIPT}.csv", "in-use.csv", "'.csv", "a\0b.csv", ".csv", " .csv ", "x.db",
]  # fmt: skip


@pytest.mark.parametrize("name", first_is_quick(NAMES, 5))
def test_no_name_of_an_upload_leads_anywhere(fresh, name):
    fresh.upload(name, rows(5).encode())
    files = [f for place in fresh.places for f in place.rglob("*") if f.is_file()]
    mine = [f for f in files if f.parent.parent.name == "documents"]
    assert all(f.stat().st_mode & 0o777 == 0o600 for f in mine)
    assert {f.parents[2] for f in mine} == {*fresh.places}


@pytest.mark.parametrize("name", ["[a].csv", "-o.csv", "sqlite:///x.csv", "x.db"])
def test_an_odd_name_is_read_as_a_file_and_nothing_else(fresh, name):
    document = looked(fresh, name, rows(5))
    found = fresh.document(document)
    if name.endswith(".csv"):
        assert found["look"]["n_records"] == 5
    else:
        assert found["problem"]["message"].endswith((".", ")"))


def test_two_uploads_of_one_name_are_two(fresh):
    made = [fresh.upload("same.csv", rows(n).encode())["id"] for n in (6, 7)]
    assert [fresh.looked_at(id)["n_records"] for id in made] == [6, 7]


# uploads


def endless(sent, size=10 * 10**9):
    """Ten gigabytes of a table, and how much of it was taken."""
    part = b"1,2,3\n" * 2000
    while sent[0] < size:
        sent[0] += len(part)
        yield part


def test_ten_gigabytes_are_cut_off_at_the_limit(app):
    sent, before = [0], app.files
    try:
        answer = app.client.post("/api/documents?name=x.csv", content=endless(sent))
        assert answer.status_code == 413 and "larger than 3.0 MB" in answer.text
        assert "--upload-limit" in answer.text
    except httpx.TransportError:  # it closed the connection while we were talking
        pass
    assert sent[0] < 4 * LIMIT  # what the system's buffers take is not the server's
    app.wait(lambda: app.files, lambda files: files == before)
    assert memory(app.process.pid) < 500 * 10**6


def test_a_declared_size_is_refused_before_a_byte_comes(app):
    answer = raw(
        app,
        "POST /api/documents?name=x.csv HTTP/1.1\nHost: HOST\nCookie: COOKIE\n"
        f"Origin: {app.origin}\nContent-Length: 10000000000\n\n",
    )
    assert status(answer) == 413 and "larger than 3.0 MB" in answer


@pytest.mark.parametrize("path", ["/api/documents/x/draft", "/api/documents/x/recipe"])
def test_other_requests_are_short(app, path):
    method = "PUT" if path.endswith("draft") else "POST"
    sent = [0]
    try:
        answer = app.client.request(
            method,
            path,
            content=endless(sent),
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code in (404, 413)
    except httpx.TransportError:
        pass
    assert sent[0] < 20 * 10**6


def begun_upload(app, name):
    """A connection on which a table comes, and does not end."""
    place = urlsplit(app.origin)
    cookie = "; ".join(f"{n}={v}" for n, v in app.client.cookies.items())
    connection = socket.create_connection((place.hostname, place.port))
    connection.sendall(
        f"POST /api/documents?name={name} HTTP/1.1\r\nHost: {place.netloc}\r\n"
        f"Cookie: {cookie}\r\nOrigin: {app.origin}\r\n"
        "Transfer-Encoding: chunked\r\n\r\n8\r\nage,name\r\n".encode()
    )
    return connection


def test_an_upload_that_breaks_off_leaves_nothing(app):
    before = app.files
    connection = begun_upload(app, "half.csv")
    app.wait(lambda: app.files, lambda files: "half.csv" in files)
    connection.close()
    app.wait(lambda: app.files, lambda files: files == before)
    documents = app.client.get("/api/state").json()["documents"]
    assert "half.csv" not in [document["name"] for document in documents]


def test_uploads_that_come_at_once_are_bounded_together(app):
    """Each is allowed, but not all of them; those that break off leave nothing."""
    before, coming = sorted(app.files), []
    try:
        for i in range(1, 7):
            coming.append(begun_upload(app, f"at-once{i}.csv"))
            if i <= 3:
                app.wait(lambda: app.files, lambda f, n=f"at-once{i}.csv": n in f)
        for connection in coming[4:]:
            connection.settimeout(20)
            answer = connection.makefile("rb").read().decode()  # until it is closed
            assert status(answer) == 413 and "together" in answer
    finally:
        for connection in coming:
            connection.close()
    app.wait(lambda: sorted(app.files), lambda files: files == before)


# bombs


def memory(pid):
    """Most bytes that a process has had."""
    with open(f"/proc/{pid}/status") as file:
        peak = next(line for line in file if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1024


def csv_bomb(path):
    """A table that is four hundred times as large when it is unpacked."""
    with gzip.open(path, "wb", compresslevel=9) as file:
        file.write(b"a,b\n")
        for _ in range(MEGABYTES):
            file.write(b"1,2\n" * 250_000)


def excel_bomb(path):
    """A workbook of one sheet with many millions of cells."""
    parts = {
        "[Content_Types].xml": '<?xml version="1.0"?><Types xmlns="http://schemas.'
        'openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/><Override PartName='
        '"/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.'
        'worksheet+xml"/></Types>',
        "_rels/.rels": '<?xml version="1.0"?><Relationships xmlns="http://schemas.'
        'openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="'
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
        'officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": '<?xml version="1.0"?><workbook xmlns="http://schemas.'
        'openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.'
        'openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" '
        'sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<?xml version="1.0"?><Relationships xmlns="http:'
        '//schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1"'
        ' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
        'worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    }
    begin = (
        '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/'
        'spreadsheetml/2006/main"><sheetData>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as book:
        for name, text in parts.items():
            book.writestr(name, text)
        with book.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            sheet.write(begin.encode())
            row = b"<row>" + b"<c><v>1</v></c>" * 20 + b"</row>"
            part = row * (2**20 // len(row))
            for _ in range(MEGABYTES):
                sheet.write(part)
            sheet.write(b"</sheetData></worksheet>")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """An app on a machine with little memory."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "sitecustomize.py").write_text(SMALL_MACHINE)
    places = [str(folder), os.environ.get("PYTHONPATH", "")]
    with running_app(folder / "app", PYTHONPATH=os.pathsep.join(places)) as app:
        yield app
        assert app.end() == 0
        assert app.said() == "" and app.places == []


@pytest.mark.slow  # what is unpacked is bounded in io/test_unpacked.py
@pytest.mark.parametrize(
    ("make", "name"), [(excel_bomb, "bomb.xlsx"), (csv_bomb, "bomb.csv.gz")]
)
def test_a_bomb_is_refused_and_the_app_lives(small, make, name, tmp_path):
    make(tmp_path / name)
    peak, over = [0], threading.Event()

    def watch():
        while not over.wait(0.01):
            for pid in small.workers():
                try:
                    peak[0] = max(peak[0], memory(pid))
                except (OSError, StopIteration):  # it has just ended
                    pass

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        document = small.upload(name, (tmp_path / name).read_bytes())["id"]
        problem = small.looked_at(document)["problem"]
    finally:
        over.set()
        watcher.join()
    assert "unpacks to more than" in problem["message"]
    assert 0 < peak[0] < 10**9
    assert small.client.delete(f"/api/documents/{document}").status_code == 204
    assert set(small.files) <= {"in-use"}
    document = small.upload("good.csv", rows(9).encode())["id"]
    assert small.looked_at(document)["n_records"] == 9
    small.client.delete(f"/api/documents/{document}")


# what a file says is text


def test_script_in_a_table_is_text_everywhere(fresh):
    names = (f"{SCRIPT}age", f"height{PICTURE}".replace(",", ""), "town", "ill")
    names = [name.replace('"', "'") for name in names]
    text = rows(names=names, word="<img src=x onerror=alert(3)>")
    document = fresh.upload(f"{SCRIPT}.csv", text.encode())["id"]
    looked = fresh.looked_at(document)
    assert looked["look"]["columns"] == names
    answer = fresh.client.get(f"/api/documents/{document}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    fast(fresh, document, names[:2])
    fresh.put_draft(document, confidential=["town"])
    release = fresh.release(document, purpose=SCRIPT, author=PICTURE)
    report = fresh.client.get(f"/api/releases/{release['id']}/report")
    assert report.headers["content-type"].startswith("text/html")
    policy = report.headers["content-security-policy"]
    assert "script-src" not in policy and policy.endswith("sandbox")
    for bad in (SCRIPT, "<svg onload", "<img src=x"):
        assert bad not in report.text
    assert "&lt;script&gt;alert(1)" in report.text
    for what in release["files"]:
        file = fresh.client.get(f"/api/releases/{release['id']}/files/{what}")
        assert file.headers["content-type"] == "application/octet-stream"
        assert file.headers["content-disposition"].startswith("attachment;")


@pytest.mark.parametrize(
    "name",
    ['../a"b; x=y.csv', "a\r\nX-Evil: 1.csv", "Übersicht Ä.csv"],
)
def test_a_download_has_a_safe_name(fresh, name):
    document = fast(fresh, looked(fresh, name))
    release = fresh.release(document)
    answer = fresh.client.get(f"/api/releases/{release['id']}/files/release")
    assert "x-evil" not in answer.headers
    said = answer.headers["content-disposition"]
    kind, _, rest = said.partition("; filename")
    assert kind == "attachment" and rest
    safe = release["files"]["release"]["name"]
    assert not set(safe) & set('/\\"\r\n:') and safe.endswith("-release.csv")
    assert rest in (f'="{safe}"', f"*=utf-8''{quote(safe)}")
    assert answer.text.count("\n") == 61


def looked(app, name, text=None):
    """The document of a table that has been read."""
    document = app.upload(name, (text or rows()).encode())["id"]
    app.looked_at(document)
    return document


# what an answer lets a browser do


def test_every_answer_says_what_a_browser_may_do(app, document):
    paths = {
        "/": 200, "/page/main.js": 200, "/page/style.css": 200, "/page/none.js": 404,
        "/api/state": 200, "/api/catalogue": 200, f"/api/documents/{document}": 200,
        "/api/documents/none": 404, "/api/releases/x/files/release": 404,
        "/nothing": 404, "/api/releases/x/report": 404, "/api/state/": 307,
        "/page": 307,
    }  # fmt: skip
    answers = [(app.client.get(path), code) for path, code in paths.items()]
    answers += [
        (app.client.get("/api/state", headers={"Host": "evil"}), 421),
        (app.client.post("/api/documents?name=e.csv", content=b""), 400),
        (app.client.put(f"/api/documents/{document}/draft", content=b"{"), 422),
        (app.client.request("PROPFIND", "/api/state"), 405),
        (httpx.get(app.origin), 403),
        (httpx.get(app.address), 200),
    ]
    with app.client.stream("GET", "/api/events") as stream:
        answers.append((stream, 200))
        assert stream.headers["content-type"].startswith("text/event-stream")
    for answer, code in answers:
        assert answer.status_code == code, answer.url
        headers = answer.headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors" in policy
        assert "unsafe-eval" not in policy and "http" not in policy
        if not answer.url.path.endswith("/report"):
            assert "unsafe" not in policy and headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers and "x-powered-by" not in headers


def test_the_page_runs_no_script_of_its_own_text(app):
    page = app.client.get("/").text
    assert "<script" in page
    for part in page.split("<script")[1:]:
        head, _, rest = part.partition(">")
        assert "src=" in head and rest.startswith("</script>")
    assert " style=" not in page and "<style" not in page and "javascript:" not in page
    assert "http://" not in page.replace(app.origin, "") and "https://" not in page


# requests that are odd


@for_each(
    "value",
    [
        "NaN", "Infinity", "1" * 5000, "1e999", "[" * 900 + "]" * 900, '"\\ud800"',
        "[" * 100_000 + "]" * 100_000, "9" * 400, '"' + "x" * 20_000 + '"',
    ],
)  # fmt: skip
def test_odd_values_spoil_no_case(app, document, value):
    before = app.document(document)
    body = f'{{"revision": 100000, "entries": {{"k": 5, "kinds": {{"age": {value}}}}}}}'
    answer = app.client.put(
        f"/api/documents/{document}/draft",
        content=body.encode(),
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code in (400, 422)
    said = answer.json()["error"]["message"]
    assert said.endswith((".", "...")) and "Traceback" not in said
    assert "went wrong" not in said
    assert app.document(document) == before


RECIPE = """
[roles]
quasi_identifiers = ["age", "height"]
[method]
k = 5
"""


@for_each(
    "recipe",
    [
        "", "k", "\0", "[roles\n", "a" * 100_000, "x = " + "[" * 5000 + "]" * 5000,
        RECIPE + f"method = 0x{'f' * 20_000}\n", RECIPE + "method = nan\n",
        RECIPE + f"method = {'1' * 5000}\n", RECIPE + "method = 2024-01-01\n",
        "\n".join(f"{'a.' * 1000}{i} = 1" for i in range(30)),  # bombs: 1.1 GB, and
        "a = 1\n" * 200_000,  # more than a recipe has
        RECIPE + '[[method]]\n', "roles = 5", "[roles]\nquasi_identifiers = 5\nk = {}",
    ],
)  # fmt: skip
def test_odd_recipes_spoil_no_case(app, document, recipe):
    before, held = app.document(document), memory(app.process.pid)
    answer = app.client.post(
        f"/api/documents/{document}/recipe", content=recipe.encode()
    )
    assert memory(app.process.pid) < held + 10**8
    after = app.document(document)
    assert answer.status_code in (200, 400, 422)
    assert "went wrong" not in answer.text and "Traceback" not in answer.text
    if answer.status_code == 200:  # kept as a draft, and said to be no recipe
        assert after["checked"]["error"] is not None
        assert app.client.post(f"/api/documents/{document}/undo").status_code == 200
        after = app.document(document)
    assert after["draft"] == before["draft"]


@for_each(
    "changes",
    [
        {"method": "os:system"}, {"method": "subprocess:run"},
        {"method": "microcell.methods:mdav"}, {"hierarchies": {"ill": "/etc/passwd"}},
        {"hierarchies": {"ill": "../secret.csv"}}, {"hierarchies": {"ill": "data/up"}},
        {"hierarchies": {"ill": "data/link.csv"}},
        {"hierarchies": {"ill": "sqlite:///x"}},
        {"promises": {"k-map": {"k": 2, "population": "/etc/passwd"}}},
        {"promises": {"k-map": [{"k": 2, "population": "data/link.csv"}]}},
        {"promises": {"delta-presence": {"most": 1, "population": "data/up/x.csv"}}},
        {"random_state": 1}, {"parameters": {"random_state": 1}}, {"k": 10**30},
        {"k": 10**18}, {"k": -1}, {"k": "5"}, {"k": [5]}, {"output": "/tmp/x"},
        {"quasi_identifiers": ["__class__"]}, {"encoding": "../x"}, {"format": "exe"},
        {"measures": "os:system"}, {"representatives": {"age": "os:system"}},
        {"kinds": {"age": "os:system"}}, {"dates": {"age": "%"}},
        {"clip": {"age": "x"}},
    ],
)  # fmt: skip
def test_a_recipe_of_an_intruder_runs_and_reads_nothing(app, document, changes):
    before = app.document(document)
    body = {"revision": before["revision"], "entries": before["draft"] | changes}
    answer = app.client.put(f"/api/documents/{document}/draft", json=body)
    try:
        if answer.status_code == 200:
            job = app.client.post(
                f"/api/documents/{document}/release", json={"confirmed": True}
            )
            if job.status_code == 202:  # found out when the table is there
                ended = app.job(document, job.json()["id"])
                assert ended["state"] == "failed", ended
                message = ended["error"]["message"]
            else:
                assert job.status_code in (400, 403, 404, 422)
                message = job.json()["error"]["message"]
        else:
            assert answer.status_code == 400
            message = answer.json()["error"]["message"]
        assert "went wrong" not in message and MARK not in message
        assert "root:" not in message
        assert app.document(document)["releases"] == before["releases"]
    finally:
        if answer.status_code == 200:
            app.client.post(f"/api/documents/{document}/undo")
    assert app.document(document)["draft"] == before["draft"]


@for_each(
    "format", ["../x.csv", "csv/../../x", "/etc/x", "exe", "csv\n", "", "db", ".csv"]
)
def test_a_release_is_a_file_that_we_write(app, document, format):
    answer = app.client.post(
        f"/api/documents/{document}/release", json={"format": format, "confirmed": True}
    )
    assert answer.status_code == 400 and answer.json()["error"]["option"] == "format"


@pytest.mark.parametrize(
    "reading",
    [
        {"encoding": "../x\0", "format": "postgresql"}, {"format": "sqlite"},
        {"delimiter": "\0"}, {"encoding": "idna"},
    ],
)  # fmt: skip
def test_odd_ways_to_read_have_a_sentence(fresh, reading):
    document = looked(fresh, "t.csv", rows(8))
    answer = fresh.client.put(f"/api/documents/{document}/reading", json=reading)
    assert answer.status_code == 200
    read = fresh.wait(
        lambda: fresh.document(document),
        lambda found: all(j["state"] in ("done", "failed") for j in found["jobs"]),
    )
    said = (read["problem"] or {}).get("message", "")
    assert "went wrong" not in said and MARK not in said
    assert read["problem"] or read["look"]["n_records"] == 8


@pytest.mark.parametrize("revision", [0, -1])
def test_an_old_revision_changes_nothing(app, document, revision):
    before = app.document(document)
    body = {"revision": revision, "entries": {"k": 2}}
    answer = app.client.put(f"/api/documents/{document}/draft", json=body)
    assert (
        answer.status_code == 409
        and answer.json()["document"]["draft"] == before["draft"]
    )
    for odd in ("1", 1.5, None, True):
        body["revision"] = odd
        answer = app.client.put(f"/api/documents/{document}/draft", json=body)
        assert answer.status_code == 422


@for_each("id", ["x", "..", "%2e%2e", "0" * 16, "__proto__", "*"])
def test_ids_that_are_nobodys_lead_nowhere(app, id):
    for method, path in (
        ("GET", f"/api/documents/{id}"),
        ("DELETE", f"/api/documents/{id}"),
        ("DELETE", f"/api/jobs/{id}"),
        ("GET", f"/api/releases/{id}/files/release"),
        ("GET", f"/api/releases/{id}/report"),
        ("POST", f"/api/releases/{id}/undo"),
        ("DELETE", f"/api/releases/{id}"),
    ):
        assert app.client.request(method, path).status_code in (404, 405)


# jobs


def test_a_flood_of_jobs_is_bounded(fresh):
    answers = []
    document = looked(fresh, "flood.csv", rows(400))
    fast(fresh, document)
    for _ in range(40):
        answers.append(
            fresh.client.post(
                f"/api/documents/{document}/release", json={"confirmed": True}
            )
        )
    codes = [answer.status_code for answer in answers]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert set(codes) == {202, 429} and refused
    assert "waiting already" in refused[0].text
    jobs = fresh.client.get("/api/state").json()["jobs"]
    counts = [job["state"] for job in jobs]
    assert counts.count("waiting") <= MAX_WAITING_JOBS
    assert counts.count("running") <= MAX_RUNNING_JOBS
    assert len(fresh.workers()) <= MAX_RUNNING_JOBS + 2  # those that end, and a spare
    assert fresh.client.get("/api/state").status_code == 200
    assert fresh.client.delete(f"/api/documents/{document}").status_code == 204
    kept = [p for place in fresh.places for p in place.glob("releases/*")]
    known = [r["id"] for r in fresh.client.get("/api/state").json()["releases"]]
    assert sorted(p.name for p in kept) == sorted(known)


# records stay where they are


BROKEN = {
    "plain.csv": rows(word=MARK).encode(),
    "bytes.csv": rows(word=MARK).encode() + b"\xff\xfe\x00" + MARK.encode(),
    "ragged.csv": f"age,{MARK}\n1,2,3\n4\n{MARK},5\n".encode(),
    "quote.csv": rows(word=f'"{MARK}').encode(),
    "no.xlsx": MARK.encode(),
    "no.parquet": b"PAR1" + MARK.encode() * 9 + b"PAR1",
    "no.sav": b"$FL2" + MARK.encode() * 9,
    "no.csv.gz": MARK.encode(),
}


def test_no_value_is_in_a_log(fresh):
    """Tables that are broken, and sound ones whose columns are of another kind."""
    documents = {}
    for name, contents in BROKEN.items():
        documents[name] = fresh.upload(name, contents)["id"]
        if len(documents) % 4 == 0:
            fresh.looked_at(documents[name])
    problems = {name: fresh.looked_at(id)["problem"] for name, id in documents.items()}
    assert all(problems[name] for name in BROKEN if name.startswith("no."))
    assert "Traceback" not in json.dumps(problems)
    document = documents["plain.csv"]
    assert MARK in json.dumps(
        fresh.document(document)
    )  # the preview: it was really read
    names = ["age", "height", "town"]
    fast(fresh, document, names)
    jobs = []
    for kind in ("numeric", "date"):
        fresh.put_draft(document, kinds={"town": kind})
        answer = fresh.client.post(
            f"/api/documents/{document}/release", json={"confirmed": True}
        )
        assert answer.status_code == 202
        jobs.append(fresh.job(document, answer.json()["id"]))
    assert [job["state"] for job in jobs] == ["failed", "failed"]
    for id in documents.values():
        fresh.client.delete(f"/api/documents/{id}")
    assert fresh.said() == ""
    held = [f.read_bytes() for p in fresh.places for f in p.rglob("*") if f.is_file()]
    assert not any(MARK.encode() in contents for contents in held)
